//! The squares that five steps with at most two changes of direction lead to.
//!
//! Routes are never listed. What matters of a route so far is the square it stands on, the direction of its last step
//! and how often it has changed direction, so one set of squares per direction and number of changes is slid on, all
//! routes at once. `layer[d][c]` holds the squares that some route enters by direction `d` after at most `c` changes.
//!
//! With all squares of a route distinct no more has to be remembered: a reversal goes back to the square just left, and
//! without reversals a route with two turns is straight, an L, a Z or a U whose arms lie at least one line apart, none
//! of which crosses itself.

use super::squares::{Direction, Squares};

/// The most steps of a move.
pub(super) const STEPS: u32 = 5;

/// The squares that routes have come to, by the direction of the last step and the changes so far.
type ReachedSquares<const N: usize> = [[Squares<N>; 3]; 4];

/// How routes run on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routes<const N: usize> {
    /// The squares that a step in each direction may enter without leaving the board or wrapping around its edge.
    enterable: [Squares<N>; 4],
    reversals: bool,
    /// A move may end after this many steps or more.
    min_steps: u32,
}

impl<const N: usize> Routes<N> {
    /// `playable` are the squares of the board that are not blocked, `first_file` and `last_file` its edges.
    pub(super) fn new(
        playable: Squares<N>,
        first_file: Squares<N>,
        last_file: Squares<N>,
        reversals: bool,
        min_steps: u32,
    ) -> Self {
        let enterable = [playable - first_file, playable - last_file, playable, playable];
        Routes { enterable, reversals, min_steps }
    }

    /// The squares on which a move from one of `starts` can end when it may pass over `passable` ones only.
    ///
    /// For a single start that is not passable this is exact; from several starts at once a route may also pass over
    /// a start that is passable. Plain loops of known length: closures over arrays were not inlined and took twice the
    /// time.
    pub(super) fn ends(&self, starts: Squares<N>, passable: Squares<N>) -> Squares<N> {
        let mut ends = Squares::EMPTY;
        let mut open = self.enterable;
        let mut layer = [[Squares::EMPTY; 3]; 4];
        for direction in Direction::ALL {
            let at = direction as usize;
            open[at] = open[at] & passable;
            let slid = starts.slid(direction);
            layer[at] = [slid & open[at]; 3];
            ends = ends | (slid & self.enterable[at]);
        }
        if self.min_steps > 1 {
            ends = Squares::EMPTY;
        }
        for step in 2..STEPS {
            let slid = self.step(&mut layer, &open);
            if self.min_steps <= step {
                ends = ends | slid;
            }
        }
        ends | self.last_step(&layer)
    }

    /// One route from a square to another, both included, with the fewest changes of direction: [`ends`](Self::ends)
    /// tells only that there is one.
    pub(super) fn route(&self, start: Squares<N>, passable: Squares<N>, end: Squares<N>) -> Option<Vec<Squares<N>>> {
        let mut route = vec![start];
        (0..=2).any(|changes| self.extend(&mut route, None, changes, passable, end)).then_some(route)
    }

    /// Goes on with a route until it ends where it should; without success it is left as it was.
    fn extend(
        &self,
        route: &mut Vec<Squares<N>>,
        last: Option<Direction>,
        changes: u32,
        passable: Squares<N>,
        end: Squares<N>,
    ) -> bool {
        let (Some(&at), steps) = (route.last(), route.len() as u32 - 1) else { return false };
        if steps >= self.min_steps && at == end {
            return true;
        }
        if steps == STEPS || (steps > 0 && (at & passable).is_empty()) {
            return false;
        }
        Direction::ALL.into_iter().any(|direction| {
            let is_change = last.is_some_and(|last| last != direction);
            let is_reversal = is_change && last.is_some_and(|last| last as usize / 2 == direction as usize / 2);
            let next = at.slid(direction) & self.enterable[direction as usize];
            if next.is_empty() || (is_change && changes == 0) || (is_reversal && !self.reversals) {
                return false;
            }
            route.push(next);
            let is_found = self.extend(route, Some(direction), changes - u32::from(is_change), passable, end);
            if !is_found {
                route.pop();
            }
            is_found
        })
    }

    /// One more step of all routes; the squares that it reaches, passable or not.
    #[inline(always)]
    fn step(&self, layer: &mut ReachedSquares<N>, open: &[Squares<N>; 4]) -> Squares<N> {
        let (none, one) = (self.turnable(layer, 0), self.turnable(layer, 1));
        let mut ends = Squares::EMPTY;
        for direction in Direction::ALL {
            let at = direction as usize;
            let [straight, turned, twice] = layer[at];
            let last = (twice | one[at / 2]).slid(direction);
            ends = ends | (last & self.enterable[at]);
            let turned = (turned | none[at / 2]).slid(direction);
            layer[at] = [straight.slid(direction) & open[at], turned & open[at], last & open[at]];
        }
        ends
    }

    #[inline(always)]
    fn last_step(&self, layer: &ReachedSquares<N>) -> Squares<N> {
        let one = self.turnable(layer, 1);
        let mut ends = Squares::EMPTY;
        for direction in Direction::ALL {
            let at = direction as usize;
            ends = ends | ((layer[at][2] | one[at / 2]).slid(direction) & self.enterable[at]);
        }
        ends
    }

    /// The squares from which a route may turn into a direction of the first axis and of the second.
    #[inline(always)]
    fn turnable(&self, layer: &ReachedSquares<N>, changes: usize) -> [Squares<N>; 2] {
        let first = layer[0][changes] | layer[1][changes];
        let second = layer[2][changes] | layer[3][changes];
        // Going on straight where a change is allowed does no harm.
        if self.reversals { [first | second; 2] } else { [second, first] }
    }
}
