//! A level as its solving takes it: what the geese side wants, and what it is solved from.

use super::foxes::Foxes;
use super::layer::{LayerPatterns, Strip};
use super::numbering::PatternNumbering;
use super::sweep::Sweep;
use super::tail_moves::TailLists;
use crate::rules::hunt::Side;

/// What the geese side wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    Win,
    /// The fox side does not win.
    Hold,
}

impl Goal {
    pub(super) const BOTH: [Goal; 2] = [Goal::Win, Goal::Hold];

    /// The side that wins where the sets change.
    pub(super) fn winner(self) -> Side {
        match self {
            Goal::Win => Side::Geese,
            Goal::Hold => Side::Fox,
        }
    }
}

/// What a level is solved from.
pub(super) struct LevelInputs<'a, F: Foxes> {
    pub foxes: &'a F,
    pub numbering: &'a PatternNumbering,
    pub lists: &'a TailLists,
    pub layer: &'a LayerPatterns,
    /// The number of the level, and its strips.
    pub level: usize,
    pub strips: &'a [Strip],
}

impl<'a, F: Foxes> LevelInputs<'a, F> {
    pub(super) fn sweep(&self) -> Sweep<'a, F> {
        let LevelInputs { foxes, numbering, lists, layer, .. } = *self;
        Sweep { foxes, numbering, lists, layer }
    }
}
