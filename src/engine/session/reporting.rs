//! Turns the searchers' reports into events, with moves as text.

use super::event::Event;
use crate::rules::{Game, Notation, Record, Repetition};
use crate::search::{BestMove, CurrentMove, PvLine, Score, SearchInfo, Wdl, WdlModel};

/// The event for a report of a search that began at the end of `record`, its opinions read by a model of the one to
/// move, with what else there is to say about it.
pub(super) fn info<G: Notation>(
    game: &G,
    record: &Record<G>,
    info: &SearchInfo<G::Move>,
    model: Option<WdlModel>,
    notices: Vec<String>,
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
        lines: info.lines.iter().map(|each| line(game, record, each, model)).collect(),
        remark: notices.into_iter().chain(info.remark.clone()).reduce(|one, other| format!("{one}; {other}")),
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

fn line<G: Notation>(game: &G, record: &Record<G>, line: &PvLine<G::Move>, model: Option<WdlModel>) -> PvLine<String> {
    PvLine {
        score: line.score,
        mate: line.mate,
        wdl: wdl(game, line.score, line.wdl, model),
        pv: line_text(game, record.position(), &line.pv),
        visits: line.visits,
    }
}

/// The chances that are told with a score: what is certain as it is, an opinion by the model of the one who has it, or
/// else as its searcher sees it.
pub(super) fn wdl<G: Game>(game: &G, score: Score, seen: Wdl, model: Option<WdlModel>) -> Wdl {
    let is_drawn = seen == Wdl([0, 1000, 0]);
    let told = model.filter(|_| !is_drawn).map_or(seen, |model| model.wdl(score));
    if can_be_drawn(game) { told } else { told.without_draws() }
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
