//! Straight jumps over pieces that are taken by it, and chains of them.

mod chains;

pub(super) use chains::{Chains, JumpMove, MAX_MOVES, landings, only_chain, points_between};

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
pub(super) struct JumpTable<W: Word> {
    points: Vec<JumpPoint<W>>,
}

impl<W: Word> JumpTable<W> {
    /// The jumps along those lines of a board that `may_jump` allows.
    pub(super) fn new(board: &Board, may_jump: impl Fn(Vector) -> bool) -> Self {
        let point = |cell: usize| {
            let jumps = board.jumps_from(Point(cell as u8)).filter(|&(vector, _, _)| may_jump(vector));
            let mut jumps: Vec<Jump<W>> =
                jumps.map(|(_, over, to)| Jump { over: PointSet::of(over), landing: PointSet::of(to), to }).collect();
            jumps.sort_by_key(|jump| board.name(jump.to));
            JumpPoint { overs: jumps.iter().fold(PointSet::EMPTY, |overs, jump| overs | jump.over), jumps }
        };
        JumpTable { points: (0..board.cells()).map(point).collect() }
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
