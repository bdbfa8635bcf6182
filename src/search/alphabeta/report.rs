//! From the worker's state to the report that leaves the searcher.

use crate::eval::Evaluator;
use crate::rules::{Game, Record};
use crate::search::continuation::complete;
use crate::search::{PvLine, Score, SearchInfo};

use super::root::RootMove;
use super::worker::Worker;

pub(super) fn info<G: Game, E: Evaluator<G>>(
    worker: &Worker<'_, G, E>,
    depth: u32,
    lines: Vec<PvLine<G::Move>>,
) -> SearchInfo<G::Move> {
    let info = SearchInfo::new(depth, worker.total_nodes(), worker.shared.control.elapsed(), lines);
    SearchInfo {
        seldepth: info.seldepth.max(worker.seldepth as u32),
        hashfull: worker.shared.table.fill(),
        tbhits: worker.table_hits(),
        ..info
    }
}

/// The line of a root move as it is reported; the table suggests a reply where the search had none.
pub(super) fn line<G: Game, E: Evaluator<G>>(
    worker: &Worker<'_, G, E>,
    record: &Record<G>,
    root: &RootMove<G::Move>,
) -> PvLine<G::Move> {
    let stored = |position: &G::Position| {
        let key = worker.path.table_key(worker.game.key(position));
        worker.shared.table.probe(key, 1).and_then(|entry| entry.best)
    };
    complete(worker.game, record, root.score.unwrap_or(Score::DRAW), root.pv.clone(), stored)
}
