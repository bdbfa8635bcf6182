//! The fast method where huffs take one of two foxes off: with so many geese the positions of one fox are solved first,
//! then those of two, whose huffed steps lead to them.

use super::layout::HUFF_LAYOUT;
use super::one_fox::OneFox;
use super::solver::StripSolver;
use super::strip_game::LayerOutput;
use super::two_foxes::TwoFoxes;
use crate::geometry::Word;
use crate::rules::hunt::Hunt;
use crate::tablebase::{LayerCost, LayerSolver, NewLayer, Store, TableError};

/// The method for two foxes, one of which a huff may take off, with distances to conversion.
pub(super) struct HuffSolver {
    one: StripSolver<OneFox>,
    two: StripSolver<TwoFoxes>,
}

impl HuffSolver {
    /// `None` when the ruleset needs the general method. `last_wanted` is the greatest layer that will be solved.
    pub(super) fn new<W: Word>(game: &Hunt<W>, last_wanted: u32) -> Option<Self> {
        Some(HuffSolver { one: StripSolver::new(game, last_wanted)?, two: StripSolver::new(game, last_wanted)? })
    }

    fn solve_layer(
        &mut self,
        NewLayer { geese, writer, summary }: &mut NewLayer,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let mut output = LayerOutput::new(writer);
        let reached = self.one.solve_layer(*geese, &[], &mut output, below, progress)?;
        self.two.solve_layer(*geese, &reached, &mut output, below, progress)?;
        *summary = self.two.game.summary(output);
        Ok(())
    }
}

impl LayerSolver for HuffSolver {
    fn layout(&self) -> &'static str {
        HUFF_LAYOUT
    }

    fn first_layer(&self) -> u32 {
        self.two.first_layer()
    }

    fn last_layer(&self) -> u32 {
        self.two.last_layer()
    }

    fn cost(&self, layer: u32) -> LayerCost {
        let (one, two) = (self.one.cost(layer), self.two.cost(layer));
        LayerCost {
            positions: one.positions.saturating_add(two.positions),
            // Two foxes take most of it. Beside them stands what was found for one.
            memory_bytes: two.memory_bytes + self.one.kept_bytes(layer),
            disk_bytes: one.disk_bytes + two.disk_bytes,
            processor: one.processor.saturating_add(two.processor),
        }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        layers.iter_mut().try_for_each(|layer| self.solve_layer(layer, below, progress))
    }
}
