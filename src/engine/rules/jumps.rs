//! Straight jumps that capture the piece jumped over, and chains of such jumps.

use std::collections::HashSet;
use std::hash::Hash;

use rand::Rng;

use super::PositionError;
use super::notation::Field;
use super::random::below;
use crate::geometry::{Board, Point, PointSet, StraightJump, Word};

/// The most moves listed in one position. Only absurd positions on large boards come near, where the number of
/// different chains explodes; their texts should be refused.
const MAX_MOVES: usize = 1 << 16;

/// The length of a list from which a set is used to look moves up.
const LONG_LIST: usize = 48;

/// A move that may consist of one or more jumps.
pub(super) trait JumpMove<W: Word>: Copy + Eq + Hash {
    fn jump(from: Point, to: Point, captured: PointSet<W>) -> Self;
    /// The jumps of the move as a chain; `None` for moves that are no jumps.
    fn as_jump(self) -> Option<JumpChain<W>>;
}

/// A chain of one or more jumps: its ends and captures, without the way between them.
#[derive(Clone, Copy)]
pub(super) struct JumpChain<W: Word> {
    pub from: Point,
    pub to: Point,
    pub captured: PointSet<W>,
}

/// One jump of a piece; the table around it knows from which point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump<W: Word> {
    /// The points jumped over, all of which must have a piece.
    pub over: PointSet<W>,
    pub landing: PointSet<W>,
    pub to: Point,
}

/// The jumps from one point.
#[derive(Clone, Debug)]
struct JumpPoint<W: Word> {
    /// All points that some jump from here leads over: with no piece on them there is no jump.
    overs: PointSet<W>,
    /// The jumps in alphabetical order of their landing points, so that the first chain found has the canonical text.
    jumps: Vec<Jump<W>>,
}

/// Every jump of a board.
#[derive(Clone, Debug)]
pub(super) struct BoardJumps<W: Word> {
    points: Vec<JumpPoint<W>>,
}

impl<W: Word> BoardJumps<W> {
    /// All jumps of a board over unbroken straight rows of pieces, whose lengths `may_jump` allows.
    pub(super) fn new(board: &Board, may_jump: impl Fn(u32) -> bool) -> Self {
        let point = |cell: usize| {
            let mut jumps: Vec<Jump<W>> = Vec::new();
            for jump in board.jumps_from(Point(cell as u8)) {
                add_rows(board, jump, PointSet::EMPTY, &mut jumps);
            }
            jumps.retain(|jump| may_jump(jump.over.len()));
            jumps.sort_by_key(|jump| board.name(jump.to));
            JumpPoint { overs: jumps.iter().fold(PointSet::EMPTY, |overs, jump| overs | jump.over), jumps }
        };
        BoardJumps { points: (0..board.cells()).map(point).collect() }
    }

    /// The jumps from a point, whatever stands on the board.
    pub(super) fn from(&self, point: Point) -> &[Jump<W>] {
        &self.points[point.index()].jumps
    }

    /// The piece on `origin`, which may jump over the pieces of `prey` but not over those of `blocked`.
    #[inline]
    pub(super) fn jumper(&self, origin: Point, prey: PointSet<W>, blocked: PointSet<W>) -> Jumper<'_, W> {
        Jumper { board: self, origin, prey, blocked }
    }

    /// The jumps from a point over the pieces of `prey`; pieces of `blocked` are in the way.
    #[inline]
    fn jumps(&self, from: Point, prey: PointSet<W>, blocked: PointSet<W>) -> impl Iterator<Item = &Jump<W>> {
        let point = &self.points[from.index()];
        let jumps: &[Jump<W>] = if point.overs.is_disjoint(prey) { &[] } else { &point.jumps };
        let occupied = prey | blocked;
        jumps.iter().filter(move |jump| jump.over.is_subset(prey) && jump.landing.is_disjoint(occupied))
    }

    /// The only one of the `legal` moves that jumps along these points. The two ends are enough if no other move has
    /// them.
    ///
    /// # Errors
    /// No legal move fits, or several do.
    pub(super) fn named<M: JumpMove<W>>(
        &self,
        points: &[Point],
        prey: PointSet<W>,
        blocked: PointSet<W>,
        legal: &[M],
    ) -> Result<M, &'static str> {
        let [from, .., to] = points[..] else { return Err("needs an origin and a destination") };
        let followed = self.jumper(from, prey, blocked).follow(&points[1..]);
        if let Some(jump) = followed.filter(|jump| legal.contains(jump)) {
            return Ok(jump);
        }
        let fits = |mv: M| mv.as_jump().is_some_and(|chain| chain.from == from && chain.to == to);
        let mut fitting = legal.iter().filter(|&&mv| points.len() == 2 && fits(mv));
        match (fitting.next(), fitting.next()) {
            (Some(&only), None) => Ok(only),
            (None, _) => Err("is not legal here"),
            _ => Err("fits several chains: name every landing point"),
        }
    }

    /// The points that a chain of jumps leads over, given its landing points, jump by jump.
    pub(super) fn points_between(&self, from: Point, landings: &[Point]) -> impl Iterator<Item = Point> {
        let starts = std::iter::once(from).chain(landings.iter().copied());
        let over =
            |(from, &to): (Point, &Point)| self.from(from).iter().find(|jump| jump.to == to).map(|jump| jump.over);
        starts.zip(landings).filter_map(over).flat_map(PointSet::iter)
    }

    /// The landing points of a jump move by the alphabetically smallest way; `None` if it cannot be made.
    pub(super) fn landings<M: JumpMove<W>>(
        &self,
        mv: M,
        prey: PointSet<W>,
        blocked: PointSet<W>,
    ) -> Option<Vec<Point>> {
        let JumpChain { from, to, captured } = mv.as_jump()?;
        let jumper = self.jumper(from, prey, blocked);
        let mut search = PathSearch { jumper, to, captured, path: Vec::new(), dead: HashSet::new() };
        (captured.is_subset(prey.without(from)) && search.finish(captured)).then_some(search.path)
    }
}

/// Appends the jump over the points of `before` and the middle of `last`, and those over longer rows along its line.
fn add_rows<W: Word>(board: &Board, last: StraightJump, before: PointSet<W>, jumps: &mut Vec<Jump<W>>) {
    let over = before.with(last.over);
    let is_known = over.has(last.to) || jumps.iter().any(|jump| jump.over == over && jump.to == last.to);
    if is_known {
        return;
    }
    jumps.push(Jump { over, landing: PointSet::of(last.to), to: last.to });
    for next in board.jumps_from(last.over).filter(|next| next.over == last.to) {
        add_rows(board, next, over, jumps);
    }
}

/// A piece that may jump. Its origin counts as empty once it has jumped.
#[derive(Clone, Copy)]
pub(super) struct Jumper<'a, W: Word> {
    board: &'a BoardJumps<W>,
    origin: Point,
    /// The pieces that can be taken. Both this set and `blocked` may contain the origin.
    prey: PointSet<W>,
    blocked: PointSet<W>,
}

impl<'a, W: Word> Jumper<'a, W> {
    /// The jumps that are possible now.
    #[inline]
    pub(super) fn jumps(self) -> impl Iterator<Item = &'a Jump<W>> {
        // No jump leads over its own origin or lands there.
        self.board.jumps(self.origin, self.prey, self.blocked)
    }

    /// The jumps that can follow at `at` after the pieces of `captured` have been taken.
    #[inline]
    fn jumps_on(self, at: Point, captured: PointSet<W>) -> impl Iterator<Item = &'a Jump<W>> {
        self.board.jumps(at, self.prey.without(self.origin) - captured, self.blocked.without(self.origin))
    }

    /// Whether any jump is possible.
    #[inline]
    pub(super) fn can_jump(self) -> bool {
        self.jumps().next().is_some()
    }

    /// Whether a chain that has reached `at` and taken the pieces of `captured` can go on.
    #[inline]
    pub(super) fn can_go_on(self, at: Point, captured: PointSet<W>) -> bool {
        self.jumps_on(at, captured).next().is_some()
    }

    /// Appends every single jump as a move.
    pub(super) fn single<M: JumpMove<W>>(self, moves: &mut Vec<M>) {
        moves.extend(self.jumps().map(|jump| M::jump(self.origin, jump.to, jump.over)));
    }

    /// Appends every chain; each beginning of a longer chain is a move of its own.
    pub(super) fn chains<M: JumpMove<W>>(self, moves: &mut Vec<M>) {
        let start = moves.len();
        Chains { jumper: self, moves, start, seen: None }.extend(self.origin, PointSet::EMPTY);
    }

    /// Appends every chain that has no continuation.
    pub(super) fn complete_chains<M: JumpMove<W>>(self, moves: &mut Vec<M>) {
        let start = moves.len();
        self.chains(moves);
        let mut index = 0;
        moves.retain(|mv| {
            index += 1;
            let goes_on = |chain: JumpChain<W>| self.can_go_on(chain.to, chain.captured);
            index <= start || !mv.as_jump().is_some_and(goes_on)
        });
    }

    /// A chain that begins with a jump to `at` over `captured` and goes on at random: at every landing all
    /// continuations are equally likely and, where the chain `may_stop`, so is a stop.
    pub(super) fn drawn_chain<M: JumpMove<W>, R: Rng>(
        self,
        mut at: Point,
        mut captured: PointSet<W>,
        may_stop: bool,
        rng: &mut R,
    ) -> M {
        loop {
            let count = self.jumps_on(at, captured).count() as u32;
            if count == 0 {
                return M::jump(self.origin, at, captured);
            }
            let choice = below(count + u32::from(may_stop), rng) as usize;
            let Some(jump) = self.jumps_on(at, captured).nth(choice) else {
                return M::jump(self.origin, at, captured);
            };
            (at, captured) = (jump.to, captured | jump.over);
        }
    }

    /// The jump move that lands on these points in turn; `None` where the pieces do not allow it.
    pub(super) fn follow<M: JumpMove<W>>(self, landings: &[Point]) -> Option<M> {
        let mut at = self.origin;
        let mut captured = PointSet::EMPTY;
        for &landing in landings {
            captured |= self.jumps_on(at, captured).find(|jump| jump.to == landing)?.over;
            at = landing;
        }
        (!landings.is_empty()).then(|| M::jump(self.origin, at, captured))
    }
}

/// The chains of one piece while they are being listed.
struct Chains<'a, W: Word, M> {
    jumper: Jumper<'a, W>,
    moves: &'a mut Vec<M>,
    /// The index in the list where the moves of this piece begin.
    start: usize,
    /// The moves of this piece as a set, once the list is long.
    seen: Option<HashSet<M>>,
}

impl<W: Word, M: JumpMove<W>> Chains<'_, W, M> {
    /// Lists the continuations at `at`. They depend on that point and the pieces taken: each state is visited once.
    fn extend(&mut self, at: Point, captured: PointSet<W>) {
        for jump in self.jumper.jumps_on(at, captured) {
            let captured = captured | jump.over;
            let mv = M::jump(self.jumper.origin, jump.to, captured);
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

/// A depth-first search for a way to make a jump move, in alphabetical order.
struct PathSearch<'a, W: Word> {
    jumper: Jumper<'a, W>,
    to: Point,
    captured: PointSet<W>,
    path: Vec<Point>,
    /// States from which the search is known to fail: a point, and the pieces still to be taken.
    dead: HashSet<(Point, PointSet<W>)>,
}

impl<W: Word> PathSearch<'_, W> {
    /// Extends the path so that it takes exactly the pieces of `left` and ends on `to`; returns false if it cannot.
    fn finish(&mut self, left: PointSet<W>) -> bool {
        let at = self.path.last().copied().unwrap_or(self.jumper.origin);
        if left.is_empty() {
            return at == self.to;
        }
        if self.dead.contains(&(at, left)) {
            return false;
        }
        for jump in self.jumper.jumps_on(at, self.captured - left).filter(|jump| jump.over.is_subset(left)) {
            self.path.push(jump.to);
            if self.finish(left - jump.over) {
                return true;
            }
            self.path.pop();
        }
        self.dead.insert((at, left));
        false
    }
}

/// Refuses a position text with more possible chains of jumps than can be listed.
pub(super) fn refuse_too_many<M>(chains: &[M], field: Field<'_>) -> Result<(), PositionError> {
    if chains.len() < MAX_MOVES {
        return Ok(());
    }
    Err(field.error(format!("more than {MAX_MOVES} chains of jumps are possible, too many to play")))
}
