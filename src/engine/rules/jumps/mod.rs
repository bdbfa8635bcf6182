//! Straight jumps over pieces that are taken by it, and chains of them.

mod chains;

pub(super) use chains::{Chains, JumpMove, named_jump, points_between, refuse_too_many};
use rand::Rng;

use super::random::below;
use crate::geometry::{Board, Point, PointSet, Vector, Word};

/// One jump of a piece from a known point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump<W: Word> {
    pub over: PointSet<W>,
    pub landing: PointSet<W>,
    pub to: Point,
}

/// The jumps from one point.
#[derive(Clone, Debug)]
struct JumpPoint<W: Word> {
    /// All points that some jump leads over: no piece there means no jump.
    overs: PointSet<W>,
    /// In alphabetical order of the landing points, so that the first chain found has the canonical text.
    jumps: Vec<Jump<W>>,
}

/// Every jump of a board.
#[derive(Clone, Debug)]
pub(super) struct BoardJumps<W: Word> {
    points: Vec<JumpPoint<W>>,
}

impl<W: Word> BoardJumps<W> {
    /// The jumps along those lines of a board that `may_jump` allows.
    pub(super) fn new(board: &Board, may_jump: impl Fn(Vector) -> bool) -> Self {
        let point = |cell: usize| {
            let jumps = board.jumps_from(Point(cell as u8)).filter(|&(vector, _, _)| may_jump(vector));
            let mut jumps: Vec<Jump<W>> =
                jumps.map(|(_, over, to)| Jump { over: PointSet::of(over), landing: PointSet::of(to), to }).collect();
            jumps.sort_by_key(|jump| board.name(jump.to));
            JumpPoint { overs: jumps.iter().fold(PointSet::EMPTY, |overs, jump| overs | jump.over), jumps }
        };
        BoardJumps { points: (0..board.cells()).map(point).collect() }
    }

    /// The jumps open to a piece on `at` over the pieces of `prey`, where those of `blocked` cannot be taken.
    #[inline]
    pub(super) fn jumps(&self, at: Point, prey: PointSet<W>, blocked: PointSet<W>) -> impl Iterator<Item = &Jump<W>> {
        let point = &self.points[at.index()];
        let jumps: &[Jump<W>] = if point.overs.is_disjoint(prey) { &[] } else { &point.jumps };
        let occupied = prey | blocked;
        jumps.iter().filter(move |jump| !jump.over.is_disjoint(prey) && jump.landing.is_disjoint(occupied))
    }

    #[inline]
    pub(super) fn can_jump(&self, at: Point, prey: PointSet<W>, blocked: PointSet<W>) -> bool {
        self.jumps(at, prey, blocked).next().is_some()
    }

    /// A jump, of which the end and the capture are known, that goes on at random for a while: at every landing each way
    /// is as likely as the others and, where the chain `may_stop`, as stopping.
    pub(super) fn drawn_chain<M: JumpMove<W>, R: Rng>(
        &self,
        from: Point,
        (mut at, mut captured): (Point, PointSet<W>),
        (prey, blocked): (PointSet<W>, PointSet<W>),
        may_stop: bool,
        rng: &mut R,
    ) -> M {
        let (prey, blocked) = (prey.without(from), blocked.without(from));
        loop {
            let left = prey - captured;
            let count = self.jumps(at, left, blocked).count() as u32;
            if count == 0 {
                return M::jump(from, at, captured);
            }
            let choice = below(count + u32::from(may_stop), rng) as usize;
            let Some(jump) = self.jumps(at, left, blocked).nth(choice) else { return M::jump(from, at, captured) };
            (at, captured) = (jump.to, captured | jump.over);
        }
    }

    /// The jump move that lands on these points one after the other, as far as the pieces allow it.
    pub(super) fn follow<M: JumpMove<W>>(
        &self,
        from: Point,
        landings: &[Point],
        prey: PointSet<W>,
        blocked: PointSet<W>,
    ) -> Option<M> {
        let (prey, blocked) = (prey.without(from), blocked.without(from));
        let mut at = from;
        let mut captured = PointSet::EMPTY;
        for &landing in landings {
            let jump = self.jumps(at, prey - captured, blocked).find(|jump| jump.to == landing)?;
            captured |= jump.over;
            at = landing;
        }
        (!landings.is_empty()).then(|| M::jump(from, at, captured))
    }
}
