//! The labels of positions: by the result of their game, or by tables of perfect play.

use std::path::Path;
use std::sync::Arc;

use super::TexelError;
use crate::engine::GameSupport;
use crate::rules::{Game, Seat};
use crate::tablebase::{Metric, TableError, Tables};
use crate::tune::spec::LabelSource;

/// Says what a position is worth for seat 0: 1 a win, 1/2 a draw, 0 a loss.
pub struct Labels<G: Game> {
    /// The truth, where these know it; without tables the results of the games themselves.
    tables: Option<Arc<dyn Tables<G>>>,
}

impl<G: Game> Labels<G> {
    /// `result` is how the game of the position ended, in the same measure; `None` leaves the position out.
    ///
    /// # Errors
    /// A table that covers the position is damaged or cannot be read.
    pub fn label(&self, game: &G, position: &G::Position, result: f32) -> Result<Option<f32>, TableError> {
        let Some(tables) = &self.tables else { return Ok(Some(result)) };
        Ok(tables.probe(game, position)?.map(|known| worth(known.winner)))
    }
}

/// What a result is worth for seat 0.
pub(super) fn worth(winner: Option<Seat>) -> f32 {
    winner.map_or(0.5, |seat| if seat == Seat::P1 { 1.0 } else { 0.0 })
}

/// The labels that a spec asks for; `folder` is that of the tables.
///
/// # Errors
/// Tables are asked for, and there are none or they cannot be read.
pub fn labels<G: GameSupport>(game: &G, source: LabelSource, folder: Option<&Path>) -> Result<Labels<G>, TexelError> {
    if source == LabelSource::Result {
        return Ok(Labels { tables: None });
    }
    let tables = folder.map_or(Ok(None), |folder| game.tables(folder, Metric::Conversion))?;
    let tables = tables.ok_or_else(|| TexelError::NoTables { ruleset: game.name().to_owned() })?;
    Ok(Labels { tables: Some(tables) })
}
