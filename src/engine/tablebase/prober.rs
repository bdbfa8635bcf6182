//! Probes the tables of a hunt game.

use std::path::Path;
use std::sync::Arc;

use super::{Identity, Metric, PositionLayout, Store, TableError, TableValue, Tables, method};
use crate::geometry::Word;
use crate::rules::hunt::{Huff, Hunt, Phase, Position};
use crate::rules::{Game, Seat, Turn};

/// The tables of one hunt game in a folder.
pub struct HuntTables<W: Word> {
    store: Store,
    layout: Box<dyn PositionLayout<W>>,
}

impl<W: Word> HuntTables<W> {
    /// Opens the tables of a game with distances of a metric; `None` when the folder holds none.
    ///
    /// # Errors
    /// One of them is damaged or cannot be read, or the game can have none.
    pub fn open(game: &Hunt<W>, folder: &Path, metric: Metric) -> Result<Option<Arc<dyn Tables<Hunt<W>>>>, TableError> {
        let store = Store::open(folder, Identity::of(game.ruleset())?.with_metric(metric))?;
        if store.layers().is_empty() {
            return Ok(None);
        }
        let tables = HuntTables::new(game, store);
        tables.store.check_layout(tables.layout.name())?;
        Ok(Some(Arc::new(tables)))
    }

    /// Asks the layers of a store, which must be this game's.
    pub fn new(game: &Hunt<W>, store: Store) -> Self {
        let layout = method::layout(game, store.identity().metric);
        HuntTables { store, layout }
    }

    /// The layers that are asked.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Derives the value of a position from those after its legal moves: the shortest win of `mover`, else a draw, else
    /// the longest loss; `None` when no table covers one of them.
    fn derive(&self, game: &Hunt<W>, position: &Position<W>, mover: Seat) -> Result<Option<TableValue>, TableError> {
        let metric = self.store.identity().metric;
        let mut moves = Vec::new();
        game.legal_moves(position, &mut moves);
        let mut best: Option<TableValue> = None;
        for mv in moves {
            let Some(after) = self.probe(game, &game.play_unchecked(position, mv))? else { return Ok(None) };
            let value = after.before(metric.restarts(game.is_irreversible(position, mv)));
            if best.is_none_or(|best| value.rank(mover) > best.rank(mover)) {
                best = Some(value);
            }
        }
        Ok(best)
    }
}

/// The layer of a position: its pieces of the geese side, on the board and still to come. `None` for positions that no
/// game of the ruleset has, with more foxes for example, as a position text may hold them.
fn layer_of<W: Word>(game: &Hunt<W>, position: &Position<W>) -> Option<u32> {
    let rules = &game.ruleset().rules;
    let fewest_foxes = if rules.huff == Huff::RemoveFox { 1 } else { rules.foxes };
    let captured_come_back = matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome);
    let foxes = position.foxes().len();
    let are_placed = foxes >= fewest_foxes || position.phase() == Phase::Place;
    let fits = foxes <= rules.foxes && are_placed && (captured_come_back || position.hand() <= rules.drops);
    fits.then(|| position.geese().len() + position.hand())
}

impl<W: Word> Tables<Hunt<W>> for HuntTables<W> {
    fn probe(&self, game: &Hunt<W>, position: &Position<W>) -> Result<Option<TableValue>, TableError> {
        let mover = match game.turn(position) {
            Turn::Over(outcome) => return Ok(Some(TableValue::of_end(outcome.winner))),
            Turn::Player(seat) => seat,
            Turn::Chance => return Ok(None),
        };
        let Some(layer) = layer_of(game, position).and_then(|layer| self.store.layer(layer)) else { return Ok(None) };
        match self.layout.place(position) {
            None => self.derive(game, position, mover),
            Some(address) => Ok(Some(layer.entry(address)?.value().map(|side| game.seat(side)))),
        }
    }

    fn pieces(&self, game: &Hunt<W>, position: &Position<W>) -> u32 {
        layer_of(game, position).unwrap_or(u32::MAX)
    }

    fn most_pieces(&self) -> u32 {
        self.store.layers().keys().next_back().copied().unwrap_or(0)
    }
}
