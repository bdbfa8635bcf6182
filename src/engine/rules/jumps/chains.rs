//! Chains of jumps.

use std::collections::HashSet;
use std::hash::Hash;

use super::BoardJumps;
use crate::geometry::{Point, PointSet, Word};
use crate::rules::PositionError;
use crate::rules::notation::refuse;

/// A move that one or more jumps make.
pub(crate) trait JumpMove<W: Word>: Copy + Eq + Hash {
    fn jump(from: Point, to: Point, captured: PointSet<W>) -> Self;
    /// Where the jumps begin and end, and what they capture; `None` for moves that are no jumps.
    fn as_jump(self) -> Option<(Point, Point, PointSet<W>)>;
}

/// The most moves that are listed in one position. Only absurd positions on large boards come near, where the
/// number of different chains explodes; their texts should be refused.
const MAX_MOVES: usize = 1 << 16;

/// From here on, seen moves are looked up in a set instead of a list.
const LONG_LIST: usize = 48;

/// Lists the jumps of one piece.
pub(crate) struct Chains<'a, W: Word, M> {
    board: &'a BoardJumps<W>,
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
        board: &'a BoardJumps<W>,
        origin: Point,
        prey: PointSet<W>,
        blocked: PointSet<W>,
        moves: &'a mut Vec<M>,
    ) -> Self {
        let start = moves.len();
        let (prey, blocked) = (prey.without(origin), blocked.without(origin));
        Chains { board, origin, prey, blocked, moves, start, seen: None }
    }

    /// Every single jump.
    pub(crate) fn single(&mut self) {
        for jump in self.board.jumps(self.origin, self.prey, self.blocked) {
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
        let Chains { board, prey, blocked, start, .. } = *self;
        let mut index = 0;
        self.moves.retain(|mv| {
            index += 1;
            let goes_on = |(_, to, captured)| board.can_jump(to, prey - captured, blocked);
            index <= start || !mv.as_jump().is_some_and(goes_on)
        });
    }

    /// Where a piece stands and what it has taken decide how it can go on, so each such state is visited once.
    fn extend(&mut self, at: Point, captured: PointSet<W>) {
        let board = self.board;
        for jump in board.jumps(at, self.prey - captured, self.blocked) {
            let captured = captured | jump.over;
            let mv = M::jump(self.origin, jump.to, captured);
            if self.moves.len() < MAX_MOVES && self.is_new(mv) {
                self.moves.push(mv);
                self.extend(jump.to, captured);
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

/// The jump move among the `legal` ones that visits these points, of which ends alone will do if no other move fits.
///
/// # Errors
/// There is none, or there are several.
pub(crate) fn named_jump<W: Word, M: JumpMove<W>>(
    board: &BoardJumps<W>,
    points: &[Point],
    prey: PointSet<W>,
    blocked: PointSet<W>,
    legal: &[M],
) -> Result<M, &'static str> {
    let [from, .., to] = points[..] else { return Err("needs an origin and a destination") };
    let followed = board.follow(from, &points[1..], prey, blocked);
    if let Some(jump) = followed.filter(|jump| legal.contains(jump)) {
        return Ok(jump);
    }
    let fits = |mv: M| mv.as_jump().is_some_and(|(start, end, _)| (start, end) == (from, to));
    let mut fitting = legal.iter().filter(|&&mv| points.len() == 2 && fits(mv));
    match (fitting.next(), fitting.next()) {
        (Some(&only), None) => Ok(only),
        (None, _) => Err("is not legal here"),
        _ => Err("fits several chains: name every landing point"),
    }
}

/// Refuses a position in which the pieces of `jumpers` have too many chains.
pub(crate) fn refuse_too_many<W: Word, M: JumpMove<W>>(
    board: &BoardJumps<W>,
    jumpers: PointSet<W>,
    prey: PointSet<W>,
    blocked: PointSet<W>,
    column: usize,
) -> Result<(), PositionError> {
    let mut moves: Vec<M> = Vec::new();
    jumpers.iter().for_each(|from| Chains::new(board, from, prey, blocked, &mut moves).all());
    match moves.len() < MAX_MOVES {
        true => Ok(()),
        false => refuse(column, format!("more than {MAX_MOVES} chains of jumps are possible, too many to play")),
    }
}

impl<W: Word> BoardJumps<W> {
    /// The landing points of the alphabetically smallest way to make a jump move, or nothing if there is none; `prey` and
    /// `blocked` as in [`Chains::new`].
    pub(crate) fn landings<M: JumpMove<W>>(
        &self,
        mv: M,
        prey: PointSet<W>,
        blocked: PointSet<W>,
    ) -> Option<Vec<Point>> {
        let (from, to, captured) = mv.as_jump()?;
        let (prey, blocked) = (prey.without(from), blocked.without(from));
        if !captured.is_subset(prey) {
            return None;
        }
        let mut search = PathSearch { board: self, from, to, blocked, path: Vec::new(), dead: HashSet::new() };
        search.finish(prey, captured).then_some(search.path)
    }
}

/// The points that straight jumps from landing to landing lead over.
pub(crate) fn points_between(from: Point, landings: &[Point]) -> impl Iterator<Item = Point> {
    let starts = std::iter::once(from).chain(landings.iter().copied());
    starts.zip(landings).map(|(from, to)| Point(u8::midpoint(from.0, to.0)))
}

/// A depth-first search for a way, in alphabetical order.
struct PathSearch<'a, W: Word> {
    board: &'a BoardJumps<W>,
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
        let board = self.board;
        for jump in board.jumps(at, prey, self.blocked).filter(|jump| jump.over.is_subset(left)) {
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
