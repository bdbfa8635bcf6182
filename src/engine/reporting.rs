//! Turns the searchers' reports into events, with moves as text.

use super::event::Event;
use crate::rules::{Game, Notation, Record, Repetition};
use crate::search::{BestMove, CurrentMove, PvLine, SearchInfo};

/// The event for a report of a search that began at the end of `record`, with what else there is to say about it.
pub(super) fn info<G: Notation>(
    game: &G,
    record: &Record<G>,
    info: &SearchInfo<G::Move>,
    notice: Option<String>,
) -> Event {
    Event::Info(SearchInfo {
        depth: info.depth,
        seldepth: info.seldepth.max(info.depth),
        nodes: info.nodes,
        elapsed: info.elapsed,
        hashfull: info.hashfull.min(1000),
        tbhits: info.tbhits,
        current: info
            .current
            .as_ref()
            .map(|&CurrentMove { mv, number }| CurrentMove { mv: game.move_text(record.position(), mv), number }),
        lines: info.lines.iter().map(|each| line(game, record, each)).collect(),
        remark: notice.into_iter().chain(info.remark.clone()).reduce(|one, other| format!("{one}; {other}")),
    })
}

/// The event for the answer of a search that began at the end of `record`.
pub(super) fn done<G: Notation>(game: &G, record: &Record<G>, found: BestMove<G::Move>) -> Event {
    let root = record.position();
    let after = game.play_unchecked(root, found.best);
    Event::Done(Some(BestMove {
        best: game.move_text(root, found.best),
        ponder: found.ponder.map(|reply| game.move_text(&after, reply)),
    }))
}

fn line<G: Notation>(game: &G, record: &Record<G>, line: &PvLine<G::Move>) -> PvLine<String> {
    PvLine {
        score: line.score,
        mate: line.mate,
        wdl: if can_be_drawn(game) { line.wdl } else { line.wdl.without_draws() },
        pv: line_text(game, record.position(), &line.pv),
        visits: line.visits,
    }
}

/// Puzzles know no draws; tables of three and more, and games without any rule about their history, hardly ever.
fn can_be_drawn<G: Game>(game: &G) -> bool {
    let history = game.history_rules();
    game.seats() == 2 && (history.repetition != Repetition::Ignored || history.no_progress_plies > 0)
}

fn line_text<G: Notation>(game: &G, root: &G::Position, pv: &[G::Move]) -> Vec<String> {
    let mut position = *root;
    let mut texts = Vec::with_capacity(pv.len());
    for &mv in pv {
        texts.push(game.move_text(&position, mv));
        position = game.play_unchecked(&position, mv);
    }
    texts
}
