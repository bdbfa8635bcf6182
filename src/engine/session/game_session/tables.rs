//! The tables of a session: each folder is opened once and kept open.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::GameSession;
use super::searching::level;
use crate::rules::Game;
use crate::search::OpenTables;
use crate::session::families::GameSupport;
use crate::session::options::Options;
use crate::tablebase::{Metric, TableError, TableValue, Tables, existing_folder};

/// The tables in the folders that were asked for so far, by path.
pub(super) struct TableFolders<G: Game> {
    open: TableOpener<G>,
    folders: BTreeMap<String, TableFolder<G>>,
}

/// Opens the tables of a game in a folder; see [`GameSupport::tables`].
type TableOpener<G> = fn(&G, &Path, Metric) -> Result<Option<Arc<dyn Tables<G>>>, TableError>;

pub(super) struct TableFolder<G: Game> {
    found: Result<Option<Arc<OpenTables<G>>>, TableError>,
    /// Whether a search has already reported why there are no tables.
    is_reported: bool,
}

/// The tables for a search, or a notice why there are none, which only the first search reports.
pub(super) struct SearchTables<G: Game> {
    pub open: Option<Arc<OpenTables<G>>>,
    pub notice: Option<String>,
}

impl<G: GameSupport> TableFolders<G> {
    pub(super) fn new(open: TableOpener<G>) -> Self {
        TableFolders { open, folders: BTreeMap::new() }
    }

    /// The folder at `path`; its tables are opened at the first call.
    fn folder(&mut self, game: &G, path: &str) -> &mut TableFolder<G> {
        let look = || TableFolder { found: find(self.open, game, Path::new(path)), is_reported: false };
        self.folders.entry(path.to_owned()).or_insert_with(look)
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// Forgets the folders without tables, which may have been filled since.
    pub(super) fn look_again(&mut self) {
        self.folders.retain(|_, folder| matches!(folder.found, Ok(Some(_))));
    }
}

fn find<G: GameSupport>(open: TableOpener<G>, game: &G, path: &Path) -> Result<Option<Arc<OpenTables<G>>>, TableError> {
    let folder = existing_folder(path)?;
    match (open(game, folder, Metric::Conversion)?, open(game, folder, Metric::End)) {
        (Some(conversions), ends) => Ok(Some(Arc::new(OpenTables::new(conversions).with_ends(ends)))),
        (None, Ok(None)) => Ok(None),
        (None, Err(error)) => Err(error),
        (None, Ok(Some(_))) => {
            let name = game.info().ruleset;
            let message = format!("{} holds tables of {name} with distances to the end only", folder.display());
            let help = format!("'reynard table build {name}' makes those to conversion, which are needed beside them");
            Err(TableError::Refused(format!("{message}; {help}")))
        }
    }
}

impl<G: Game> TableFolder<G> {
    /// Why there are no tables, at the first call; `None` later, or if there are tables.
    fn notice(&mut self, path: &str, ruleset: &str) -> Option<String> {
        let notice = match &self.found {
            Ok(Some(_)) => return None,
            Ok(None) => format!("TablePath: {path} holds no tables of {ruleset}"),
            Err(error) => format!("TablePath: {error}"),
        };
        let was_reported = std::mem::replace(&mut self.is_reported, true);
        (!was_reported).then(|| format!("{notice}; the search goes on without tables"))
    }
}

impl<G: GameSupport> GameSession<G> {
    /// The folder of tables that a search with these options asks, opened; `None` if it asks none.
    pub(super) fn open_tables(&mut self, options: &Options) -> Option<&mut TableFolder<G>> {
        let path = options.table_path();
        let asks = !path.is_empty() && options.searcher().tree_search().is_some() && level::<G>(options).is_none();
        asks.then(|| self.table_folders.get_mut().folder(&self.game, path))
    }

    /// The tables for a search with these options.
    pub(super) fn search_tables(&mut self, options: &Options) -> SearchTables<G> {
        let ruleset = self.info.ruleset.clone();
        let Some(folder) = self.open_tables(options) else { return SearchTables { open: None, notice: None } };
        let open = folder.found.clone().ok().flatten();
        SearchTables { open, notice: folder.notice(options.table_path(), &ruleset) }
    }

    /// The value of a position by the tables in the folder that the options name, with distances of one metric; `None`
    /// if they do not cover it.
    pub(super) fn probe(
        &self,
        options: &Options,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Option<TableValue>, TableError> {
        let path = options.table_path();
        if path.is_empty() {
            return Ok(None);
        }
        let found = self.table_folders.borrow_mut().folder(&self.game, path).found.clone()?;
        let Some(open) = found else { return Ok(None) };
        open.tables(metric)?.map_or(Ok(None), |tables| tables.probe(&self.game, position))
    }
}
