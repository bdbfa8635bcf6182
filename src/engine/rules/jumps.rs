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

/// The most points of a board on which piles of pieces can stand.
pub(crate) const MAX_PILES: usize = 4;

/// Pieces beyond one on each point where a pile can stand, in the order of the points.
pub(crate) type Piles = [u8; MAX_PILES];

/// No pile on any point.
pub(crate) const NO_PILES: Piles = [0; MAX_PILES];

/// The pieces that a chain takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Taken<W: Word> {
    /// The points from which a piece is taken.
    pub points: PointSet<W>,
    /// Further pieces that are taken from piles.
    pub again: Piles,
}

/// A move that may consist of one or more jumps.
pub(super) trait JumpMove<W: Word>: Copy + Eq + Hash {
    fn jump(from: Point, to: Point, taken: Taken<W>) -> Self;
    /// The jumps of the move as a chain; `None` for moves that are no jumps.
    fn as_jump(self) -> Option<JumpChain<W>>;
}

/// A chain of one or more jumps: its ends and captures, without the way between them.
#[derive(Clone, Copy)]
pub(super) struct JumpChain<W: Word> {
    pub from: Point,
    pub to: Point,
    pub taken: Taken<W>,
}

/// How far a chain has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Route<W: Word> {
    pub at: Point,
    pub taken: Taken<W>,
    /// The points where piles can stand that the last jump led over: no jump goes straight back over them.
    last: PointSet<W>,
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
    /// The points where piles can stand.
    piles: PointSet<W>,
}

impl<W: Word> BoardJumps<W> {
    /// All jumps of a board over unbroken straight rows of pieces, whose lengths `may_jump` allows. On the points of
    /// `piles`, at most [`MAX_PILES`], several pieces can stand, of which a jump takes one.
    pub(super) fn new(board: &Board, piles: PointSet<W>, may_jump: impl Fn(u32) -> bool) -> Self {
        let point = |cell: usize| {
            let mut jumps: Vec<Jump<W>> = Vec::new();
            for jump in board.jumps_from(Point(cell as u8)) {
                add_rows(board, jump, PointSet::EMPTY, &mut jumps);
            }
            jumps.retain(|jump| may_jump(jump.over.len()));
            jumps.sort_by_key(|jump| board.name(jump.to));
            JumpPoint { overs: jumps.iter().fold(PointSet::EMPTY, |overs, jump| overs | jump.over), jumps }
        };
        BoardJumps { points: (0..board.cells()).map(point).collect(), piles }
    }

    /// The jumps from a point, whatever stands on the board.
    pub(super) fn from(&self, point: Point) -> &[Jump<W>] {
        &self.points[point.index()].jumps
    }

    /// The piece on `origin`, which may jump over the pieces of `prey` but not over those of `blocked`; `piles` are
    /// among the prey.
    #[inline]
    pub(super) fn jumper(&self, origin: Point, prey: PointSet<W>, blocked: PointSet<W>, piles: Piles) -> Jumper<'_, W> {
        Jumper { board: self, origin, prey, blocked, piles }
    }

    /// The jumps from a point over the pieces of `prey`; pieces of `blocked` are in the way.
    #[inline]
    fn jumps(&self, from: Point, prey: PointSet<W>, blocked: PointSet<W>) -> impl Iterator<Item = &Jump<W>> {
        let point = &self.points[from.index()];
        let jumps: &[Jump<W>] = if point.overs.is_disjoint(prey) { &[] } else { &point.jumps };
        let occupied = prey | blocked;
        jumps.iter().filter(move |jump| jump.over.is_subset(prey) && jump.landing.is_disjoint(occupied))
    }

    /// The points that a chain of jumps leads over, given its landing points, jump by jump.
    pub(super) fn points_between(&self, from: Point, landings: &[Point]) -> impl Iterator<Item = Point> {
        let starts = std::iter::once(from).chain(landings.iter().copied());
        let over =
            |(from, &to): (Point, &Point)| self.from(from).iter().find(|jump| jump.to == to).map(|jump| jump.over);
        starts.zip(landings).filter_map(over).flat_map(PointSet::iter)
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
    for next in board.onward(last.over, last.to) {
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
    /// The pieces beyond one on the points of piles.
    piles: Piles,
}

impl<'a, W: Word> Jumper<'a, W> {
    /// The jumps that are possible now.
    #[inline]
    pub(super) fn jumps(self) -> impl Iterator<Item = &'a Jump<W>> {
        // No jump leads over its own origin or lands there.
        self.board.jumps(self.origin, self.prey, self.blocked)
    }

    /// A chain that has not begun.
    #[inline]
    fn start(self) -> Route<W> {
        let taken = Taken { points: PointSet::EMPTY, again: NO_PILES };
        Route { at: self.origin, taken, last: PointSet::EMPTY }
    }

    /// The chain of one jump alone.
    #[inline]
    pub(super) fn first(self, to: Point, over: PointSet<W>) -> Route<W> {
        self.after(self.start(), to, over)
    }

    /// A chain after one more jump.
    #[inline]
    fn after(self, route: Route<W>, to: Point, over: PointSet<W>) -> Route<W> {
        let Taken { points, mut again } = route.taken;
        if !self.board.piles.is_empty() {
            for (count, pile) in again.iter_mut().zip(self.board.piles) {
                *count += u8::from(points.has(pile) && over.has(pile));
            }
        }
        let taken = Taken { points: points | over, again };
        Route { at: to, taken, last: over & self.board.piles }
    }

    /// The piles on which pieces are left after these have been taken beyond one each.
    #[cold]
    fn left(self, again: Piles) -> PointSet<W> {
        let piles = self.board.piles.iter().zip(again.into_iter().zip(self.piles));
        piles.filter(|(_, (taken, more))| taken < more).map(|(pile, _)| pile).collect()
    }

    /// The jumps with which a chain can go on.
    #[inline]
    fn jumps_on(self, route: Route<W>) -> impl Iterator<Item = &'a Jump<W>> {
        let Taken { points, again } = route.taken;
        let emptied = if self.board.piles.is_empty() { points } else { points - self.left(again) };
        let prey = self.prey.without(self.origin) - emptied;
        let allowed = move |jump: &&Jump<W>| jump.over.is_disjoint(route.last);
        self.board.jumps(route.at, prey, self.blocked.without(self.origin)).filter(allowed)
    }

    /// Whether any jump is possible.
    #[inline]
    pub(super) fn can_jump(self) -> bool {
        self.jumps().next().is_some()
    }

    /// Whether a chain can go on.
    #[inline]
    pub(super) fn can_go_on(self, route: Route<W>) -> bool {
        self.jumps_on(route).next().is_some()
    }

    /// A chain as a move.
    #[inline]
    pub(super) fn move_of<M: JumpMove<W>>(self, route: Route<W>) -> M {
        M::jump(self.origin, route.at, route.taken)
    }

    /// Appends every single jump as a move.
    pub(super) fn single<M: JumpMove<W>>(self, moves: &mut Vec<M>) {
        moves.extend(self.jumps().map(|jump| self.move_of::<M>(self.first(jump.to, jump.over))));
    }

    /// Appends every chain, each beginning of a longer one as a move of its own unless `only_complete`.
    pub(super) fn chains<M: JumpMove<W>>(self, moves: &mut Vec<M>, only_complete: bool) {
        let start = moves.len();
        Chains { jumper: self, only_complete, moves, start, seen: HashSet::new() }.extend(self.start());
    }

    /// A chain that has begun and goes on at random: at every landing all continuations are equally likely and, where
    /// the chain `may_stop`, so is a stop.
    pub(super) fn drawn_chain<M: JumpMove<W>, R: Rng>(self, mut route: Route<W>, may_stop: bool, rng: &mut R) -> M {
        loop {
            let count = self.jumps_on(route).count() as u32;
            if count == 0 {
                return self.move_of(route);
            }
            let choice = below(count + u32::from(may_stop), rng) as usize;
            let Some(jump) = self.jumps_on(route).nth(choice) else { return self.move_of(route) };
            route = self.after(route, jump.to, jump.over);
        }
    }

    /// The jump move that lands on these points in turn; `None` where the pieces do not allow it.
    pub(super) fn follow<M: JumpMove<W>>(self, landings: &[Point]) -> Option<M> {
        let mut route = self.start();
        for &landing in landings {
            let jump = self.jumps_on(route).find(|jump| jump.to == landing)?;
            route = self.after(route, jump.to, jump.over);
        }
        (!landings.is_empty()).then(|| self.move_of(route))
    }

    /// The only one of the `legal` moves that jumps along these points, the first of which is this piece's own. The two
    /// ends are enough if no other move has them.
    ///
    /// # Errors
    /// No legal move fits, or several do.
    pub(super) fn named<M: JumpMove<W>>(self, points: &[Point], legal: &[M]) -> Result<M, &'static str> {
        let [from, .., to] = points[..] else { return Err("needs an origin and a destination") };
        let followed = self.follow(&points[1..]);
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

    /// The landing points of a chain of this piece by the alphabetically smallest way; `None` if it cannot be made.
    pub(super) fn landings<M: JumpMove<W>>(self, mv: M) -> Option<Vec<Point>> {
        let chain = mv.as_jump()?;
        let mut search = PathSearch { jumper: self, chain, path: Vec::new(), dead: HashSet::new() };
        search.finish(self.start()).then_some(search.path)
    }
}

/// The chains of one piece while they are being listed.
struct Chains<'a, W: Word, M> {
    jumper: Jumper<'a, W>,
    /// Whether chains that can go on are left out.
    only_complete: bool,
    moves: &'a mut Vec<M>,
    /// The index in the list where the moves of this piece begin.
    start: usize,
    /// The chains found, once they are many, or where they are more than the moves in the list.
    seen: HashSet<Route<W>>,
}

impl<W: Word, M: JumpMove<W>> Chains<'_, W, M> {
    /// Lists the continuations of a chain, each of which is visited once.
    fn extend(&mut self, route: Route<W>) {
        for jump in self.jumper.jumps_on(route) {
            let route = self.jumper.after(route, jump.to, jump.over);
            let mv: M = self.jumper.move_of(route);
            if self.moves.len().max(self.seen.len()) < MAX_MOVES && self.is_new(mv, route) {
                let is_left_out = self.only_complete && self.jumper.can_go_on(route);
                // The last jumps of different ways to one end may lead over different piles.
                let may_be_listed = !self.jumper.board.piles.is_empty();
                if !(is_left_out || may_be_listed && self.moves[self.start..].contains(&mv)) {
                    self.moves.push(mv);
                }
                self.extend(route);
            }
        }
    }

    fn is_new(&mut self, mv: M, route: Route<W>) -> bool {
        let listed = &self.moves[self.start..];
        let is_list_of_all = !self.only_complete && self.jumper.board.piles.is_empty();
        if is_list_of_all && listed.len() < LONG_LIST {
            return !listed.contains(&mv);
        }
        if is_list_of_all && self.seen.is_empty() {
            let known = listed.iter().filter_map(|mv| mv.as_jump());
            self.seen.extend(known.map(|chain| Route { at: chain.to, taken: chain.taken, last: PointSet::EMPTY }));
        }
        self.seen.insert(route)
    }
}

/// A depth-first search for a way to make a jump move, in alphabetical order.
struct PathSearch<'a, W: Word> {
    jumper: Jumper<'a, W>,
    chain: JumpChain<W>,
    path: Vec<Point>,
    /// Beginnings from which the search is known to fail.
    dead: HashSet<Route<W>>,
}

impl<W: Word> PathSearch<'_, W> {
    /// Extends the path so that it takes exactly the pieces of the chain and ends with it; returns false if it cannot.
    fn finish(&mut self, route: Route<W>) -> bool {
        let whole = self.chain.taken;
        if route.taken == whole {
            return route.at == self.chain.to;
        }
        if !self.dead.insert(route) {
            return false;
        }
        for jump in self.jumper.jumps_on(route).filter(|jump| jump.over.is_subset(whole.points)) {
            let next = self.jumper.after(route, jump.to, jump.over);
            let is_part = next.taken.again.iter().zip(whole.again).all(|(&count, most)| count <= most);
            self.path.push(jump.to);
            if is_part && self.finish(next) {
                return true;
            }
            self.path.pop();
        }
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
