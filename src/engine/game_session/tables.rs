//! The tables of a session: opened once for each folder, and kept.

use std::path::Path;
use std::sync::Arc;

use super::GameSession;
use crate::engine::kit::Kit;
use crate::engine::options::{Options, SearcherKind};
use crate::engine::session::TableAnswer;
use crate::rules::{Game, Playable};
use crate::search::OpenTables;
use crate::tablebase::{TableError, TableValue};

/// What was found in the folders asked so far.
pub(super) struct Shelf<G: Game> {
    folders: Vec<Folder<G>>,
}

struct Folder<G: Game> {
    path: String,
    found: Result<Option<Arc<OpenTables<G>>>, TableError>,
    /// Somebody was told why there are no tables.
    is_told: bool,
}

/// What a search gets: tables, or the reason why there are none, told once.
pub(super) struct Loan<G: Game> {
    pub tables: Option<Arc<OpenTables<G>>>,
    /// The most pieces with which positions inside the tree are probed.
    pub limit: u32,
    pub notice: Option<String>,
}

impl<G: Game> Shelf<G> {
    pub(super) fn new() -> Self {
        Shelf { folders: Vec::new() }
    }

    /// What is in the folder at `path`, looked at again only if it was not before.
    fn folder<K: Kit<G>>(&mut self, game: &G, path: &str) -> &mut Folder<G> {
        let known = self.folders.iter().position(|folder| folder.path == path);
        let index = known.unwrap_or_else(|| {
            self.folders.push(Folder { path: path.to_owned(), found: open::<G, K>(game, path), is_told: false });
            self.folders.len() - 1
        });
        &mut self.folders[index]
    }

    /// Forgets the folders without tables, which may have some by now.
    pub(super) fn look_again(&mut self) {
        self.folders.retain(|folder| matches!(folder.found, Ok(Some(_))));
    }
}

fn open<G: Game, K: Kit<G>>(game: &G, path: &str) -> Result<Option<Arc<OpenTables<G>>>, TableError> {
    let path = Path::new(path);
    if !path.is_dir() {
        return Err(TableError::file(path, "no such folder; a folder of tables is expected"));
    }
    Ok(K::tables(game, path)?.map(|tables| Arc::new(OpenTables::new(tables))))
}

impl<G: Game> Folder<G> {
    /// Why there are no tables, the first time that it is asked.
    fn notice(&mut self, ruleset: &str) -> Option<String> {
        let notice = match &self.found {
            Ok(Some(_)) => return None,
            Ok(None) => format!("TablePath: {} holds no tables of {ruleset}", self.path),
            Err(error) => format!("TablePath: {error}"),
        };
        let is_news = !std::mem::replace(&mut self.is_told, true);
        is_news.then(|| format!("{notice}; the search goes on without tables"))
    }
}

impl<G: Playable, K: Kit<G>> GameSession<G, K> {
    /// The tables for a search by these options.
    pub(super) fn lend_tables(&mut self, options: &Options) -> Loan<G> {
        let (path, limit) = (options.table_path(), options.table_probe_limit());
        if path.is_empty() || !uses_tables(options.searcher()) {
            return Loan { tables: None, limit, notice: None };
        }
        let folder = self.shelf.get_mut().folder::<K>(&self.game, path);
        let tables = folder.found.as_ref().ok().and_then(Option::clone);
        Loan { tables, limit, notice: folder.notice(self.game.name()) }
    }

    /// The tables in the folder that the options name.
    pub(super) fn asked_tables(&self, options: &Options) -> Result<Option<Arc<OpenTables<G>>>, TableError> {
        match options.table_path() {
            "" => Ok(None),
            path => self.shelf.borrow_mut().folder::<K>(&self.game, path).found.clone(),
        }
    }

    /// What the tables say of the present position; see `Session::probe_tables`.
    pub(super) fn table_answer(&self, options: &Options) -> Result<Option<TableAnswer>, TableError> {
        if self.outcome().is_some() {
            return Ok(None);
        }
        let Some(open) = self.asked_tables(options)? else { return Ok(None) };
        let probe = |position: &G::Position| open.tables().probe(&self.game, position);
        let Some(verdict) = probe(self.position())? else { return Ok(None) };
        let mut moves = Vec::new();
        self.game.legal_moves(self.position(), &mut moves);
        let tell = |mv: G::Move| -> Result<(String, Option<TableValue>), TableError> {
            let after = self.game.play_unchecked(self.position(), mv);
            Ok((self.game.move_text(self.position(), mv), probe(&after)?))
        };
        let moves = moves.into_iter().map(tell).collect::<Result<_, _>>()?;
        Ok(Some(TableAnswer { verdict, moves }))
    }
}

/// Those that do not look ahead stay what they are.
fn uses_tables(kind: SearcherKind) -> bool {
    !matches!(kind, SearcherKind::Random | SearcherKind::Greedy)
}
