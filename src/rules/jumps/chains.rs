//! Chains of jumps.

use std::collections::HashSet;
use std::hash::Hash;

use crate::geometry::{Point, PointSet, Word};

use super::JumpTable;

/// A move that one or more jumps make.
pub(crate) trait JumpMove<W: Word>: Copy + Eq + Hash {
    fn jump(from: Point, to: Point, captured: PointSet<W>) -> Self;
    /// `None` for moves that are no jumps.
    fn origin(self) -> Option<Point>;
    fn to(self) -> Point;
    fn captured(self) -> PointSet<W>;
}

/// The most moves that are listed in one position. Only absurd positions on large boards come near, where the
/// number of different chains explodes; their texts should be refused.
pub(crate) const MAX_MOVES: usize = 1 << 16;

/// From here on, seen moves are looked up in a set instead of a list.
const LONG_LIST: usize = 48;

/// Lists the jumps of one piece.
pub(crate) struct Chains<'a, W: Word, M> {
    table: &'a JumpTable<W>,
    origin: Point,
    prey: PointSet<W>,
    blocked: PointSet<W>,
    moves: &'a mut Vec<M>,
    start: usize,
    /// Filled once the list is long.
    seen: Option<HashSet<M>>,
}

impl<'a, W: Word, M: JumpMove<W>> Chains<'a, W, M> {
    /// The moves of the piece on `origin` over `prey`, the pieces of `blocked` being in the way. Its own starting point
    /// counts as empty.
    pub(crate) fn new(
        table: &'a JumpTable<W>,
        origin: Point,
        prey: PointSet<W>,
        blocked: PointSet<W>,
        moves: &'a mut Vec<M>,
    ) -> Self {
        let start = moves.len();
        let (prey, blocked) = (prey.without(origin), blocked.without(origin));
        Chains { table, origin, prey, blocked, moves, start, seen: None }
    }

    /// Every single jump.
    pub(crate) fn single(&mut self) {
        for jump in self.table.jumps(self.origin, self.prey, self.blocked) {
            self.moves.push(M::jump(self.origin, jump.to, jump.over));
        }
    }

    /// Every chain, each prefix a move of its own.
    pub(crate) fn all(&mut self) {
        self.extend(self.origin, PointSet::EMPTY);
    }

    /// Every chain that cannot go on.
    pub(crate) fn complete(&mut self) {
        self.all();
        let Chains { table, prey, blocked, start, .. } = *self;
        let mut index = 0;
        self.moves.retain(|mv| {
            index += 1;
            index <= start || !table.can_jump(mv.to(), prey - mv.captured(), blocked)
        });
    }

    /// Where a piece stands and what it has taken decide how it can go on, so each such state is visited once.
    fn extend(&mut self, at: Point, captured: PointSet<W>) {
        let table = self.table;
        for jump in table.jumps(at, self.prey - captured, self.blocked) {
            let mv = M::jump(self.origin, jump.to, captured | jump.over);
            if self.moves.len() < MAX_MOVES && self.is_new(mv) {
                self.moves.push(mv);
                self.extend(mv.to(), mv.captured());
            }
        }
    }

    fn is_new(&mut self, mv: M) -> bool {
        let listed = &self.moves[self.start..];
        if listed.len() < LONG_LIST {
            return !listed.contains(&mv);
        }
        self.seen.get_or_insert_with(|| listed.iter().copied().collect()).insert(mv)
    }
}

/// The one jump move among `moves` that has these ends.
///
/// # Errors
/// There is none, or there are several.
pub(crate) fn only_chain<W: Word, M: JumpMove<W>>(moves: &[M], from: Point, to: Point) -> Result<M, &'static str> {
    let mut fitting = moves.iter().filter(|mv| (mv.origin(), mv.to()) == (Some(from), to));
    match (fitting.next(), fitting.next()) {
        (Some(&only), None) => Ok(only),
        (None, _) => Err("is not legal here"),
        _ => Err("fits several chains: name every landing point"),
    }
}

/// The landing points of the alphabetically smallest way to jump from `from` to `to` over exactly `captured`, or nothing
/// if there is none; `prey` and `blocked` as in [`Chains::new`].
pub(crate) fn landings<W: Word>(
    table: &JumpTable<W>,
    (from, to, captured): (Point, Point, PointSet<W>),
    prey: PointSet<W>,
    blocked: PointSet<W>,
) -> Option<Vec<Point>> {
    let prey = prey.without(from);
    if !captured.is_subset(prey) {
        return None;
    }
    let mut search =
        PathSearch { table, from, to, blocked: blocked.without(from), path: Vec::new(), dead: HashSet::new() };
    search.finish(prey, captured).then_some(search.path)
}

/// The points that straight jumps from landing to landing lead over.
pub(crate) fn points_between(from: Point, landings: &[Point]) -> impl Iterator<Item = Point> {
    let starts = std::iter::once(from).chain(landings.iter().copied());
    starts.zip(landings).map(|(from, to)| Point(u8::midpoint(from.0, to.0)))
}

/// A depth-first search for a way, in alphabetical order.
struct PathSearch<'a, W: Word> {
    table: &'a JumpTable<W>,
    from: Point,
    to: Point,
    blocked: PointSet<W>,
    path: Vec<Point>,
    /// Where the piece stood with what left to take, in vain.
    dead: HashSet<(Point, PointSet<W>)>,
}

impl<W: Word> PathSearch<'_, W> {
    /// Goes on from the end of the path to take all that is `left`.
    fn finish(&mut self, prey: PointSet<W>, left: PointSet<W>) -> bool {
        let at = self.path.last().copied().unwrap_or(self.from);
        if left.is_empty() {
            return at == self.to;
        }
        if self.dead.contains(&(at, left)) {
            return false;
        }
        let table = self.table;
        for jump in table.jumps(at, prey, self.blocked).filter(|jump| jump.over.is_subset(left)) {
            self.path.push(jump.to);
            if self.finish(prey - jump.over, left - jump.over) {
                return true;
            }
            self.path.pop();
        }
        self.dead.insert((at, left));
        false
    }
}
