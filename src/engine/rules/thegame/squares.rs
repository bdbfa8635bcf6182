//! Sets of squares of a square grid, their shifts by one step, and the squares that can be reached by five steps with
//! at most two changes of direction.
//!
//! Routes are never listed. Only the last square of a route, the direction of its last step and the number of its
//! changes of direction matter, so there is one set of squares for each direction and number of changes, and all routes
//! move on at once. `layer[d][c]` holds the squares that some route enters by direction `d` after at most `c` changes.
//!
//! If all squares of a route must be distinct, that is still enough: a reversal would go back to the square just left,
//! and without reversals a route with two turns is straight, an L, a Z or a U whose arms lie at least one line apart,
//! none of which crosses itself.

use std::ops::{BitAnd, BitOr, Sub};

/// A square: rank times the [stride](Squares::STRIDE) of the sets plus file, both from zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

/// The four directions of a step; the opposite of one is its index with the lowest bit flipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    East,
    West,
    North,
    South,
}

impl Direction {
    pub(super) const ALL: [Direction; 4] = [Direction::East, Direction::West, Direction::North, Direction::South];
}

/// A set of squares in `N` words of 64 bits: one for grids up to size 8, four for grids up to size 16.
///
/// Words are counted by plain loops: with iterators over one word the search for moves took a third longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Squares<const N: usize>([u64; N]);

impl<const N: usize> Squares<N> {
    /// The largest size of a grid; squares of one file are this far apart.
    pub const STRIDE: u8 = if N == 1 { 8 } else { 16 };
    /// The set without squares.
    pub const EMPTY: Self = Squares([0; N]);

    /// The set of one square.
    #[inline]
    pub fn of(square: Square) -> Self {
        let mut set = Squares::EMPTY;
        set.0[usize::from(square.0 / 64) % N] = 1 << (square.0 % 64);
        set
    }

    /// The number of squares.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is no square in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether the square is in the set.
    #[inline]
    pub fn has(self, square: Square) -> bool {
        !(self & Squares::of(square)).is_empty()
    }

    /// The square of lowest index; any square when the set is empty.
    #[inline]
    pub fn first(self) -> Square {
        let at = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        Square((at as u32 * 64 + self.0[at].trailing_zeros()) as u8)
    }

    /// The set without its square of lowest index.
    #[inline]
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    /// The squares from low to high.
    #[inline]
    pub fn iter(mut self) -> impl Iterator<Item = Square> {
        std::iter::from_fn(move || {
            let square = (!self.is_empty()).then(|| self.first());
            self = self.without_first();
            square
        })
    }

    /// Every square moved by one step. Squares that leave at the edge of a file enter the next rank; squares that leave
    /// the last or first rank are lost.
    #[inline(always)]
    pub(super) fn slid(self, direction: Direction) -> Self {
        match direction {
            Direction::East => self.up(1),
            Direction::West => self.down(1),
            Direction::North => self.up(Self::STRIDE),
            Direction::South => self.down(Self::STRIDE),
        }
    }

    #[inline(always)]
    fn up(self, by: u8) -> Self {
        let mut set = self;
        for i in 0..N {
            set.0[i] = self.0[i] << by;
            if i > 0 {
                set.0[i] |= self.0[i - 1] >> (64 - by);
            }
        }
        set
    }

    #[inline(always)]
    fn down(self, by: u8) -> Self {
        let mut set = self;
        for i in 0..N {
            set.0[i] = self.0[i] >> by;
            if i + 1 < N {
                set.0[i] |= self.0[i + 1] << (64 - by);
            }
        }
        set
    }
}

impl<const N: usize> FromIterator<Square> for Squares<N> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | Squares::of(square))
    }
}

impl<const N: usize> BitAnd for Squares<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl<const N: usize> BitOr for Squares<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] |= other.0[i];
        }
        self
    }
}

impl<const N: usize> Sub for Squares<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] &= !other.0[i];
        }
        self
    }
}

/// The most steps of a move.
pub(super) const STEPS: u32 = 5;

/// The squares that routes have reached, by the direction of the last step and the number of changes so far.
type ReachedSquares<const N: usize> = [[Squares<N>; 3]; 4];

/// The rules for routes on one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routes<const N: usize> {
    /// The squares that a step in each direction may enter without leaving the board or wrapping around its edge.
    enterable: [Squares<N>; 4],
    reversals: bool,
    /// The fewest steps after which a move may end.
    min_steps: u32,
}

impl<const N: usize> Routes<N> {
    /// `playable` has the squares of the board that are not blocked; `first_file` and `last_file` are its edges.
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

    /// The squares where a move from one of `starts` can end when it may pass over `passable` ones only.
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

    /// One route from `start` to `end`, both included, with the fewest changes of direction; `None` if none is legal.
    pub(super) fn route(&self, start: Squares<N>, passable: Squares<N>, end: Squares<N>) -> Option<Vec<Squares<N>>> {
        let mut route = vec![start];
        (0..=2).any(|changes| self.extend(&mut route, None, changes, passable, end)).then_some(route)
    }

    /// Extends a route until it ends on its goal; if that fails, the route is left unchanged.
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

    /// Moves all routes one step on; returns the squares reached, passable or not.
    #[inline(always)]
    fn step(&self, layer: &mut ReachedSquares<N>, open: &[Squares<N>; 4]) -> Squares<N> {
        let none = self.turnable(layer, 0);
        let one = self.turnable(layer, 1);
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

    /// The squares where a route may turn into a direction of the first axis, and those for the second axis.
    #[inline(always)]
    fn turnable(&self, layer: &ReachedSquares<N>, changes: usize) -> [Squares<N>; 2] {
        let first = layer[0][changes] | layer[1][changes];
        let second = layer[2][changes] | layer[3][changes];
        // To go straight on where a change is allowed does no harm.
        if self.reversals { [first | second; 2] } else { [second, first] }
    }
}
