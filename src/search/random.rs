//! Searchers that do not look ahead: the floors of every measurement.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::continuation::complete;
use super::{Control, Found, Info, Line, Score, Searcher, Task};
use crate::rules::Game;

/// Draws uniformly among the allowed moves from ChaCha8 with the configured seed and the plies played as stream.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Random;

impl<G: Game> Searcher<G> for Random {
    fn search(
        &mut self,
        task: &Task<'_, G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Found<G::Move> {
        let moves = task.allowed_moves();
        let mut rng = ChaCha8Rng::seed_from_u64(task.config.seed);
        rng.set_stream(task.record.plies() as u64);
        let best = moves[rng.random_range(0..moves.len())];
        answer(task, control, best, report)
    }

    fn clear(&mut self) {}
}

/// Plays the allowed move that [`Game::greed`] likes best, the first of equals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Greedy;

impl<G: Game> Searcher<G> for Greedy {
    fn search(
        &mut self,
        task: &Task<'_, G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Found<G::Move> {
        let moves = task.allowed_moves();
        let greed = |&&mv: &&G::Move| task.game.greed(task.record.position(), mv);
        let best = moves.iter().rev().max_by_key(greed).copied().unwrap_or(moves[0]);
        answer(task, control, best, report)
    }

    fn clear(&mut self) {}
}

fn answer<G: Game>(
    task: &Task<'_, G>,
    control: &Control,
    best: G::Move,
    report: &mut dyn FnMut(&Info<G::Move>),
) -> Found<G::Move> {
    let info = info(task, control, best);
    report(&info);
    Found { best, ponder: info.lines[0].pv.get(1).copied() }
}

/// One complete report: the result if the move ends the game, otherwise no opinion.
fn info<G: Game>(task: &Task<'_, G>, control: &Control, best: G::Move) -> Info<G::Move> {
    let mut pv = vec![best];
    let ending = complete(task.game, task.record, &mut pv, |_| None);
    let score = match (ending, task.record.turn(task.game).seat()) {
        (Some(outcome), Some(seat)) => Score::of_outcome(outcome.winner, seat, 1),
        _ if pv.len() < 2 => Score(1),
        _ => Score::DRAW,
    };
    Info {
        depth: 1,
        seldepth: 1,
        nodes: 1,
        elapsed: control.elapsed(),
        hashfull: 0,
        tbhits: 0,
        lines: vec![Line { score, wdl: score.wdl(), pv, visits: None }],
        remark: None,
    }
}
