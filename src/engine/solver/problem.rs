//! A start and a target on a board: the problem that the methods solve.

use super::board::PegBoard;
use super::pagoda::{Pagoda, WalkDirection};
use super::symmetries::Symmetries;
use super::{Proof, position_class};
use crate::geometry::Word;

/// A start and a target on a board, with the symmetries that keep both.
#[derive(Clone, Debug)]
pub(super) struct PegProblem<W: Word> {
    pub board: PegBoard<W>,
    pub start: W,
    pub target: W,
    pub symmetries: Symmetries<W>,
}

impl<W: Word> PegProblem<W> {
    pub(super) fn new(board: PegBoard<W>, start: W, target: W) -> Self {
        let symmetries = Symmetries::keeping(&board.graph, &[start, target]);
        PegProblem { board, start, target, symmetries }
    }

    /// The number of jumps of every solution; `None` if there are too few pegs.
    pub(super) fn jumps(&self) -> Option<usize> {
        self.start.count_ones().checked_sub(self.target.count_ones()).map(|jumps| jumps as usize)
    }

    /// Pegs and holes exchanged.
    #[inline(always)]
    pub(super) fn complement(&self, pegs: W) -> W {
        !pegs & self.board.all
    }

    /// Whether the target is the complement of the start and the jumps are odd in number, so that the second half of all
    /// solutions mirrors the first.
    pub(super) fn mirrors_itself(&self) -> bool {
        self.complement(self.start) == self.target && self.jumps().is_some_and(|jumps| jumps % 2 == 1)
    }

    /// Where a walk begins and where it wants to arrive.
    pub(super) fn ends(&self, way: WalkDirection) -> (W, W) {
        match way {
            WalkDirection::Forward => (self.start, self.target),
            WalkDirection::Backward => (self.target, self.start),
        }
    }

    /// A short proof that there is no solution, if there is one.
    pub(super) fn refutation(&self) -> Option<Proof> {
        let class =
            position_class::refutation(&self.board, self.start, self.target).map(|holes| Proof::Class { holes });
        class.or_else(|| {
            let pagoda = Pagoda::refuting(&self.board, self.start, self.target)?;
            let (start, target) = (pagoda.worth(self.start), pagoda.worth(self.target));
            Some(Proof::Pagoda { pagoda, start, target })
        })
    }

    /// Every position one jump further on the way, with the jump.
    #[inline(always)]
    pub(super) fn for_each_step(&self, way: WalkDirection, pegs: W, see: impl FnMut(u16, W)) {
        match way {
            WalkDirection::Forward => self.board.for_each_jump(pegs, see),
            WalkDirection::Backward => self.board.for_each_unjump(pegs, see),
        }
    }
}
