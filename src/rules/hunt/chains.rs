//! Jumps and chains of jumps.

use std::collections::HashSet;

use crate::geometry::{Point, PointSet, Word};

use super::position::Move;
use super::tables::{Jump, Tables};

/// The most moves that are listed in one position. Only absurd positions on large boards come near, where the
/// number of different chains explodes; their texts are refused.
pub(super) const MAX_MOVES: usize = 1 << 16;

/// From here on, seen moves are looked up in a set instead of a list.
const LONG_LIST: usize = 48;

impl<W: Word> Tables<W> {
    /// The single jumps open to a piece on `at` over these geese, `blocked` holding all other pieces of its side.
    #[inline]
    pub fn jumps(&self, at: Point, geese: PointSet<W>, blocked: PointSet<W>) -> impl Iterator<Item = &Jump<W>> {
        let point = &self.fox_points[at.index()];
        let jumps: &[Jump<W>] = if point.overs.is_disjoint(geese) { &[] } else { &point.jumps };
        let occupied = geese | blocked;
        jumps.iter().filter(move |jump| !jump.over.is_disjoint(geese) && jump.landing.is_disjoint(occupied))
    }

    #[inline]
    pub fn can_jump(&self, at: Point, geese: PointSet<W>, blocked: PointSet<W>) -> bool {
        self.jumps(at, geese, blocked).next().is_some()
    }
}

/// Lists the jumps of one piece.
pub(super) struct Chains<'a, W: Word> {
    pub tables: &'a Tables<W>,
    pub origin: Point,
    /// The geese before the turn.
    pub geese: PointSet<W>,
    /// The other pieces of the fox side; the origin itself is left and counts as empty.
    pub blocked: PointSet<W>,
    pub moves: &'a mut Vec<Move<W>>,
    start: usize,
    /// Filled once the list is long.
    seen: Option<HashSet<Move<W>>>,
}

impl<'a, W: Word> Chains<'a, W> {
    pub fn new(
        tables: &'a Tables<W>,
        origin: Point,
        geese: PointSet<W>,
        foxes: PointSet<W>,
        moves: &'a mut Vec<Move<W>>,
    ) -> Self {
        let start = moves.len();
        let blocked = foxes.without(origin);
        Chains { tables, origin, geese, blocked, moves, start, seen: None }
    }

    /// Every single jump.
    pub fn single(&mut self) {
        for jump in self.tables.jumps(self.origin, self.geese, self.blocked) {
            self.moves.push(Move::jump(self.origin, jump.to, jump.over));
        }
    }

    /// Every chain, each prefix a move of its own.
    pub fn all(&mut self) {
        self.extend(self.origin, PointSet::EMPTY);
    }

    /// Every chain that cannot go on.
    pub fn complete(&mut self) {
        self.all();
        let Chains { tables, geese, blocked, start, .. } = *self;
        let mut index = 0;
        self.moves.retain(|mv| {
            index += 1;
            index <= start || !tables.can_jump(mv.to, geese - mv.captured, blocked)
        });
    }

    /// Where a piece stands and what it has taken decide how it can go on, so each such state is visited once.
    fn extend(&mut self, at: Point, captured: PointSet<W>) {
        let tables = self.tables;
        for jump in tables.jumps(at, self.geese - captured, self.blocked) {
            let mv = Move::jump(self.origin, jump.to, captured | jump.over);
            if self.moves.len() < MAX_MOVES && self.is_new(mv) {
                self.moves.push(mv);
                self.extend(mv.to, mv.captured);
            }
        }
    }

    fn is_new(&mut self, mv: Move<W>) -> bool {
        let listed = &self.moves[self.start..];
        if listed.len() < LONG_LIST {
            return !listed.contains(&mv);
        }
        self.seen.get_or_insert_with(|| listed.iter().copied().collect()).insert(mv)
    }
}

/// The landing points of the alphabetically smallest way to make a jump move, or nothing if it cannot be made.
pub(super) fn landings<W: Word>(
    tables: &Tables<W>,
    mv: Move<W>,
    geese: PointSet<W>,
    foxes: PointSet<W>,
) -> Option<Vec<Point>> {
    let blocked = foxes.without(mv.from);
    let mut path = Vec::new();
    let mut dead = HashSet::new();
    find_path(tables, mv, geese, blocked, &mut path, &mut dead).then_some(path)
}

fn find_path<W: Word>(
    tables: &Tables<W>,
    mv: Move<W>,
    geese: PointSet<W>,
    blocked: PointSet<W>,
    path: &mut Vec<Point>,
    dead: &mut HashSet<(Point, PointSet<W>)>,
) -> bool {
    let at = path.last().copied().unwrap_or(mv.from);
    let left = mv.captured & geese;
    if left.is_empty() {
        return at == mv.to;
    }
    if dead.contains(&(at, left)) {
        return false;
    }
    for jump in tables.jumps(at, geese, blocked).filter(|jump| jump.over.is_subset(left)) {
        path.push(jump.to);
        if find_path(tables, mv, geese - jump.over, blocked, path, dead) {
            return true;
        }
        path.pop();
    }
    dead.insert((at, left));
    false
}
