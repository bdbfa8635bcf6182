//! Tablebase probes for a search: which positions are asked for, how many answered, and what went wrong.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::verdict_cache::VerdictCache;
use crate::rules::Game;
use crate::tablebase::{TableError, TableValue, Tables};

/// Tables that were opened, for any number of searches; remembers the first thing that went wrong.
pub struct OpenTables<G: Game> {
    tables: Arc<dyn Tables<G>>,
    /// What they answered inside trees; made by the first probe there.
    answers: OnceLock<VerdictCache>,
    error: OnceLock<TableError>,
    is_told: AtomicBool,
}

impl<G: Game> OpenTables<G> {
    pub fn new(tables: Arc<dyn Tables<G>>) -> Self {
        OpenTables { tables, answers: OnceLock::new(), error: OnceLock::new(), is_told: AtomicBool::new(false) }
    }

    /// The tables as they are, for questions outside a search.
    pub fn tables(&self) -> &dyn Tables<G> {
        &*self.tables
    }

    /// What went wrong in some search, in a sentence; only the first call after it gets an answer.
    pub fn complaint(&self) -> Option<String> {
        let error = self.error.get()?;
        let is_news = !self.is_told.swap(true, Ordering::Relaxed);
        is_news.then(|| format!("{error}; the search goes on without what it cannot read"))
    }
}

/// Tables for one search, shared by all of its threads.
pub struct TableProber<'a, G: Game> {
    pub(super) open: &'a OpenTables<G>,
    /// The most pieces with which positions inside the tree are probed; `None` if none are.
    reach: Option<u32>,
    hits: AtomicU64,
}

impl<'a, G: Game> TableProber<'a, G> {
    /// Inside the tree only positions with at most `limit` pieces of the geese side are probed, with 0 none at all.
    pub fn new(open: &'a OpenTables<G>, limit: u32) -> Self {
        let reach = (limit > 0).then(|| limit.min(open.tables.most_pieces()));
        TableProber { open, reach, hits: AtomicU64::new(0) }
    }

    /// The probes that were answered.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The value of a position, however many pieces it has. A table that cannot be read covers nothing.
    pub fn probe(&self, game: &G, position: &G::Position) -> Option<TableValue> {
        let verdict = self.ask(game, position)?;
        self.count(verdict)
    }

    /// What the tables say; the outer `None` if they could not be read.
    fn ask(&self, game: &G, position: &G::Position) -> Option<Option<TableValue>> {
        // Only the first error is kept.
        self.open.tables.probe(game, position).map_err(|error| drop(self.open.error.set(error))).ok()
    }

    fn count(&self, verdict: Option<TableValue>) -> Option<TableValue> {
        if verdict.is_some() {
            self.hits.fetch_add(1, Ordering::Relaxed);
        }
        verdict
    }

    /// The value of a position inside the tree, after `idle` plies without progress, if the limit allows to
    /// ask for it and the rules allow to claim it.
    ///
    /// To be asked after irreversible moves only: all others stay in the material that was asked about before.
    #[inline]
    pub fn probe_inside(&self, game: &G, position: &G::Position, idle: u32) -> Option<TableValue> {
        let reach = self.reach?;
        if self.open.tables.pieces(game, position) > reach {
            return None;
        }
        let answers = self.open.answers.get_or_init(VerdictCache::new);
        let key = game.key(position);
        let verdict = match answers.get(key) {
            Some(known) => known,
            None => {
                let verdict = self.ask(game, position)?;
                answers.put(key, verdict);
                verdict
            }
        };
        self.count(verdict).filter(|verdict| is_in_time(game, *verdict, idle))
    }
}

/// Whether the winner reaches the next conversion before lack of progress draws the game, `idle` plies of which have
/// gone by. What comes after it is another count; a conversion that is no progress is taken for one.
pub(super) fn is_in_time<G: Game>(game: &G, verdict: TableValue, idle: u32) -> bool {
    let limit = game.history_rules().no_progress_plies;
    limit == 0 || verdict.winner.is_none() || idle.saturating_add(verdict.distance) <= limit
}
