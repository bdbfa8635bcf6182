//! The tables of hunt games: the choice among the three methods, probing, building and checking.

use std::path::Path;
use std::sync::Arc;

use super::atlas::{self, Survey};
use super::build::{BuildPlan, BuildRequest, LayerProgress, build};
use super::drops::DropSolver;
use super::general::GeneralSolver;
use super::verify::{self, LayerFindings, VerifyRequest};
use super::{Identity, Method, Metric, Store, TableError, TableValue, Tables, strips};
use crate::geometry::Word;
use crate::rules::hunt::{Huff, Hunt, Phase, Position};
use crate::rules::{Game, Seat, Turn};

/// The first method that takes a game, which solves its layers and numbers its positions in files.
pub(super) fn method<W: Word>(game: &Hunt<W>, metric: Metric) -> Box<dyn Method<W>> {
    if let Some(solver) = strips::solver(game, metric) {
        return solver;
    }
    match DropSolver::new(game).filter(|_| metric == Metric::Conversion) {
        Some(solver) => Box::new(solver),
        None => Box::new(GeneralSolver::new(Arc::new(game.clone()), metric)),
    }
}

/// The tables of a hunt game in a folder, for probing.
pub struct HuntTables<W: Word> {
    /// The layers that are probed.
    pub(crate) store: Store,
    method: Box<dyn Method<W>>,
}

impl<W: Word> HuntTables<W> {
    /// Opens the tables of a game with distances of this metric; `None` when the folder holds none.
    ///
    /// # Errors
    /// A table is damaged or cannot be read, or the game can have no tables.
    pub fn open(game: &Hunt<W>, folder: &Path, metric: Metric) -> Result<Option<Arc<dyn Tables<Hunt<W>>>>, TableError> {
        let store = Store::open(folder, Identity::of(game.ruleset())?.with_metric(metric))?;
        if store.layers().is_empty() {
            return Ok(None);
        }
        let tables = HuntTables::new(game, store);
        tables.store.check_layout(tables.method.layout())?;
        Ok(Some(Arc::new(tables)))
    }

    /// The tables of a store, which must be this game's.
    pub fn new(game: &Hunt<W>, store: Store) -> Self {
        HuntTables { method: method(game, store.identity().metric), store }
    }

    /// Derives the value of a position from those after its legal moves: the shortest win of `mover`, else a draw, else
    /// the longest loss; `None` when no table covers one of them.
    fn derive(&self, game: &Hunt<W>, position: &Position<W>, mover: Seat) -> Result<Option<TableValue>, TableError> {
        let metric = self.store.identity().metric;
        let mut best: Option<TableValue> = None;
        for mv in game.moves(position) {
            let Some(after) = self.probe(game, &game.play_unchecked(position, mv))? else { return Ok(None) };
            let value = after.before(metric.restarts(game.is_irreversible(position, mv)));
            if best.is_none_or(|best| value.rank(mover) > best.rank(mover)) {
                best = Some(value);
            }
        }
        Ok(best)
    }
}

/// The layer of a position: the number of pieces of the geese side, on the board and still to come. `None` for
/// positions that no game of the ruleset has, such as one with too many foxes from a position text.
fn layer_of<W: Word>(game: &Hunt<W>, position: &Position<W>) -> Option<u32> {
    let rules = &game.ruleset().rules;
    let fewest_foxes = if rules.huff == Huff::RemoveFox { 1 } else { rules.foxes };
    let captured_come_back = matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome);
    let foxes = position.foxes().len();
    let are_placed = foxes >= fewest_foxes || position.phase == Phase::Place;
    let fits = foxes <= rules.foxes && are_placed && (captured_come_back || u32::from(position.hand) <= rules.drops);
    fits.then(|| position.geese().len() + u32::from(position.hand))
}

impl<W: Word> Tables<Hunt<W>> for HuntTables<W> {
    fn probe(&self, game: &Hunt<W>, position: &Position<W>) -> Result<Option<TableValue>, TableError> {
        let mover = match game.turn(position) {
            Turn::Over(outcome) => return Ok(Some(TableValue::of_end(outcome.winner))),
            Turn::Player(seat) => seat,
            Turn::Chance => return Ok(None),
        };
        let Some(layer) = layer_of(game, position).and_then(|layer| self.store.layer(layer)) else { return Ok(None) };
        match self.method.place(position) {
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

/// Builds and checks the tables of one ruleset.
pub trait TableBuilder: Send + Sync {
    /// The rules whose tables are built.
    fn identity(&self) -> &Identity;

    /// Sets the metric for all later calls; that of a new builder is conversion.
    fn set_metric(&mut self, metric: Metric);

    /// The number of the geese side's pieces at the start, on the board and in hand.
    fn geese_at_start(&self) -> u32;

    /// Opens the tables in a folder, of which there may be none.
    ///
    /// # Errors
    /// A file is damaged or cannot be read, or numbers positions as another version did.
    fn store(&self, folder: &Path) -> Result<Store, TableError>;

    /// Plans a build, with its price, and makes nothing.
    ///
    /// # Errors
    /// Memory, disk or the method do not suffice for the request, or a layer in the folder is damaged.
    fn plan(&self, folder: &Path, request: &BuildRequest) -> Result<BuildPlan, TableError>;

    /// Builds the missing layers in a folder; see [`build`].
    ///
    /// # Errors
    /// See [`build`].
    fn build(
        &self,
        folder: &Path,
        request: &BuildRequest,
        progress: &dyn LayerProgress,
    ) -> Result<BuildPlan, TableError>;

    /// Checks the layers in a folder; see [`verify::verify`].
    ///
    /// # Errors
    /// There is no table to check, or a file is cut short or has a damaged header.
    fn verify(
        &self,
        folder: &Path,
        request: &VerifyRequest,
        progress: &dyn LayerProgress,
    ) -> Result<Vec<LayerFindings>, TableError>;

    /// Surveys who wins from the start by the tables in a folder; see [`atlas::survey`]. `None` without tables.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    fn survey(&self, folder: &Path) -> Result<Option<Survey>, TableError>;
}

/// Builds and checks the tables of one game of the hunt family.
pub struct HuntTableBuilder<W: Word> {
    game: Hunt<W>,
    identity: Identity,
}

impl<W: Word> HuntTableBuilder<W> {
    /// A builder of tables for this game, with distances to conversion.
    ///
    /// # Errors
    /// The game can have no tables, as its rules give positions no value of their own.
    pub fn new(game: Hunt<W>) -> Result<Self, TableError> {
        Ok(HuntTableBuilder { identity: Identity::of(game.ruleset())?, game })
    }
}

impl<W: Word> TableBuilder for HuntTableBuilder<W> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn set_metric(&mut self, metric: Metric) {
        self.identity = self.identity.clone().with_metric(metric);
    }

    fn geese_at_start(&self) -> u32 {
        let rules = &self.game.ruleset().rules;
        rules.geese.len() as u32 + rules.drops
    }

    fn store(&self, folder: &Path) -> Result<Store, TableError> {
        let store = Store::open(folder, self.identity.clone())?;
        store.check_layout(method(&self.game, self.identity.metric).layout())?;
        Ok(store)
    }

    fn plan(&self, folder: &Path, request: &BuildRequest) -> Result<BuildPlan, TableError> {
        BuildPlan::new(&*method(&self.game, self.identity.metric), &self.store(folder)?, request)
    }

    fn build(
        &self,
        folder: &Path,
        request: &BuildRequest,
        progress: &dyn LayerProgress,
    ) -> Result<BuildPlan, TableError> {
        build(folder, &self.identity, &mut *method(&self.game, self.identity.metric), request, progress)
    }

    fn verify(
        &self,
        folder: &Path,
        request: &VerifyRequest,
        progress: &dyn LayerProgress,
    ) -> Result<Vec<LayerFindings>, TableError> {
        let store = self.store(folder)?;
        let tables = HuntTables::new(&self.game, store.clone());
        verify::verify(&self.game, &tables, &store, request, progress)
    }

    fn survey(&self, folder: &Path) -> Result<Option<Survey>, TableError> {
        let tables = HuntTables::open(&self.game, folder, self.identity.metric)?;
        tables.map_or(Ok(None), |tables| atlas::survey(&self.game, &*tables))
    }
}
