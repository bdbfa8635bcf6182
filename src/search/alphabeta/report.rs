//! From the worker's state to the report that leaves the searcher.

use crate::eval::Evaluator;
use crate::rules::{Game, Record};
use crate::search::continuation::complete;
use crate::search::{Info, Line, Score};

use super::root::RootMove;
use super::worker::Worker;

pub(super) fn info<G: Game, E: Evaluator<G>>(
    worker: &Worker<'_, G, E>,
    depth: u32,
    lines: Vec<Line<G::Move>>,
) -> Info<G::Move> {
    let longest = lines.iter().map(|line| line.pv.len()).max().unwrap_or(1);
    Info {
        depth,
        seldepth: worker.seldepth.max(longest) as u32,
        nodes: worker.total_nodes(),
        elapsed: worker.shared.control.elapsed(),
        hashfull: worker.shared.table.fill(),
        tbhits: worker.table_hits(),
        lines,
        remark: None,
    }
}

/// A line that names the reply, too. Where there is none to name, an opinion of 0 would look like a draw and becomes 1.
pub(super) fn line<G: Game, E: Evaluator<G>>(
    worker: &Worker<'_, G, E>,
    record: &Record<G>,
    root: &RootMove<G::Move>,
) -> Line<G::Move> {
    let mut pv = root.pv.clone();
    let stored = |position: &G::Position| {
        let key = worker.path.table_key(worker.game.key(position));
        worker.shared.table.probe(key, 1).and_then(|entry| entry.best)
    };
    let ending = complete(worker.game, record, &mut pv, stored);
    let mut score = root.score.unwrap_or(Score::DRAW);
    if score == Score::DRAW && ending.is_none() && pv.len() < 2 {
        score = Score(1);
    }
    Line { score, wdl: score.wdl(), pv, visits: None }
}
