//! What positions are worth: by the result of their game, or by tables of perfect play.

use std::path::Path;
use std::sync::Arc;

use super::TexelError;
use crate::engine::GameSupport;
use crate::rules::{Game, Seat};
use crate::tablebase::{TableError, Tables};
use crate::tune::spec::LabelSource;

/// Says what a position is worth for seat 0: 1 a win, 1/2 a draw, 0 a loss.
pub trait Labels<G: Game> {
    /// `result` is how the game of the position ended, in the same measure; `None` leaves the position out.
    ///
    /// # Errors
    /// A table that covers the position is damaged or cannot be read.
    fn label(&self, game: &G, position: &G::Position, result: f32) -> Result<Option<f32>, TableError>;
}

/// The results of the games themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameResults;

impl<G: Game> Labels<G> for GameResults {
    fn label(&self, _game: &G, _position: &G::Position, result: f32) -> Result<Option<f32>, TableError> {
        Ok(Some(result))
    }
}

/// The truth, where tables know it.
pub(crate) struct TableLabels<G: Game>(Arc<dyn Tables<G>>);

impl<G: Game> Labels<G> for TableLabels<G> {
    fn label(&self, game: &G, position: &G::Position, _result: f32) -> Result<Option<f32>, TableError> {
        let value = |winner: Option<Seat>| winner.map_or(0.5, |seat| if seat == Seat::P1 { 1.0 } else { 0.0 });
        Ok(self.0.probe(game, position)?.map(|verdict| value(verdict.winner)))
    }
}

/// The labels that a spec asks for; `folder` is that of the tables.
///
/// # Errors
/// Tables are asked for, and there are none or they cannot be read.
pub fn labels<G: GameSupport>(
    game: &G,
    source: LabelSource,
    folder: Option<&Path>,
) -> Result<Box<dyn Labels<G>>, TexelError> {
    if source == LabelSource::Result {
        return Ok(Box::new(GameResults));
    }
    let tables = folder.map_or(Ok(None), |folder| game.tables(folder))?;
    let tables = tables.ok_or_else(|| TexelError::NoTables { ruleset: game.name().to_owned() })?;
    Ok(Box::new(TableLabels(tables)))
}
