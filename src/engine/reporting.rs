//! From the searchers' reports to events in texts.

use super::event::{Answer, Event, InfoLine, SearchInfo};
use crate::rules::{Game, Record, Repetition};
use crate::search::{Found, Info, Line, Score};

/// The event for a report of a search that began at the end of `record`, with what else there is to say about it.
pub(super) fn info<G: Game>(game: &G, record: &Record<G>, info: &Info<G::Move>, notice: Option<String>) -> Event {
    Event::Info(SearchInfo {
        depth: info.depth,
        seldepth: info.seldepth.max(info.depth),
        nodes: info.nodes,
        elapsed: info.elapsed,
        hashfull: info.hashfull.min(1000),
        tbhits: info.tbhits,
        lines: info.lines.iter().map(|each| line(game, record, each)).collect(),
        remark: notice.into_iter().chain(info.remark.clone()).reduce(|one, other| format!("{one}; {other}")),
    })
}

/// The event for the answer of a search that began at the end of `record`.
pub(super) fn done<G: Game>(game: &G, record: &Record<G>, found: Found<G::Move>) -> Event {
    let root = record.position();
    let after = game.play_unchecked(root, found.best);
    Event::Done(Answer {
        best: Some(game.move_text(root, found.best)),
        ponder: found.ponder.map(|reply| game.move_text(&after, reply)),
    })
}

fn line<G: Game>(game: &G, record: &Record<G>, line: &Line<G::Move>) -> InfoLine {
    let score = honest_zero(game, record, line);
    InfoLine {
        score,
        mate: score.mate_moves(game.seats()),
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

fn line_text<G: Game>(game: &G, root: &G::Position, pv: &[G::Move]) -> Vec<String> {
    let mut position = *root;
    let mut texts = Vec::with_capacity(pv.len());
    for &mv in pv {
        texts.push(game.move_text(&position, mv));
        position = game.play_unchecked(&position, mv);
    }
    texts
}

/// Clients read a zero with a single move as "this move draws the game", so an opinion of zero is reported as one
/// hundredth unless it does.
fn honest_zero<G: Game>(game: &G, record: &Record<G>, line: &Line<G::Move>) -> Score {
    match line.pv[..] {
        [only] if line.score == Score::DRAW && !draws(game, record, only) => Score(1),
        _ => line.score,
    }
}

fn draws<G: Game>(game: &G, record: &Record<G>, mv: G::Move) -> bool {
    let mut after = record.clone();
    after.play(game, mv);
    after.turn(game).outcome().is_some_and(|outcome| outcome.winner.is_none())
}
