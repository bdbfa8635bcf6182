//! Where five steps with at most two changes of direction lead: a flood over directions and changes.
//!
//! Routes are never listed. What matters of a route so far is the square it stands on, the direction of its last step
//! and how often it has changed direction, so one set of squares per direction and number of changes is slid on, all
//! routes at once. `layer[d][c]` holds the squares that some route enters by direction `d` after at most `c` changes.
//!
//! With all squares of a route distinct no more has to be remembered: a reversal goes back to the square just left, and
//! without reversals a route with two turns is straight, an L, a Z or a U whose arms lie at least one line apart, none of
//! which crosses itself.

use super::squares::{Direction, Squares};

/// The most steps of a move.
pub(super) const STEPS: u32 = 5;

/// How routes run on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routes<S> {
    /// The squares that a step in each direction may enter without leaving the board or wrapping around its edge.
    enterable: [S; 4],
    reversals: bool,
    /// A move may end after this many steps or more.
    min_steps: u32,
}

impl<S: Squares> Routes<S> {
    /// `playable` are the squares of the board that are not blocked, `first_file` and `last_file` its edges.
    pub(super) fn new(playable: S, first_file: S, last_file: S, reversals: bool, min_steps: u32) -> Self {
        let enterable = [playable.minus(first_file), playable.minus(last_file), playable, playable];
        Routes { enterable, reversals, min_steps }
    }

    /// The squares on which a move from one of `starts` can end when it may pass over `passable` ones only.
    ///
    /// For a single start that is not passable this is exact; from several starts at once a route may also pass over
    /// a start that is passable.
    #[inline]
    pub(super) fn ends(&self, starts: S, passable: S) -> S {
        let mut ends = S::EMPTY;
        let first: [S; 4] = Direction::ALL.map(|direction| self.slide(starts, direction));
        if self.min_steps <= 1 {
            ends = union(first);
        }
        let mut layer = first.map(|set| [set & passable; 3]);
        for step in 2..STEPS {
            let slid = self.step(&layer);
            if self.min_steps <= step {
                ends = ends | union(slid.map(|[_, _, set]| set));
            }
            layer = slid.map(|sets| sets.map(|set| set & passable));
        }
        ends | self.last_step(&layer)
    }

    #[inline]
    fn slide(&self, set: S, direction: Direction) -> S {
        let slid = match direction {
            Direction::East => set.east(),
            Direction::West => set.west(),
            Direction::North => set.north(),
            Direction::South => set.south(),
        };
        slid & self.enterable[direction as usize]
    }

    /// One more step of all routes.
    #[inline]
    fn step(&self, layer: &[[S; 3]; 4]) -> [[S; 3]; 4] {
        let (none, one) = (self.turnable(layer, 0), self.turnable(layer, 1));
        Direction::ALL.map(|direction| {
            let [straight, turned, twice] = layer[direction as usize];
            let at = direction as usize / 2;
            [straight, turned | none[at], twice | one[at]].map(|set| self.slide(set, direction))
        })
    }

    #[inline]
    fn last_step(&self, layer: &[[S; 3]; 4]) -> S {
        let one = self.turnable(layer, 1);
        let ends = |direction| self.slide(layer[direction as usize][2] | one[direction as usize / 2], direction);
        union(Direction::ALL.map(ends))
    }

    /// The squares from which a route may turn into a direction of the first axis and of the second.
    #[inline]
    fn turnable(&self, layer: &[[S; 3]; 4], changes: usize) -> [S; 2] {
        let first = layer[0][changes] | layer[1][changes];
        let second = layer[2][changes] | layer[3][changes];
        // Going on straight where a change is allowed does no harm.
        if self.reversals { [first | second; 2] } else { [second, first] }
    }
}

#[inline]
fn union<S: Squares>(sets: [S; 4]) -> S {
    sets[0] | sets[1] | sets[2] | sets[3]
}
