//! Players without look-ahead, random and greedy: the baselines of every measurement.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::continuation::complete;
use super::{BestMove, Score, SearchInfo, SearchTask, Searcher};
use crate::rules::{Record, SearchHints};

/// A player that chooses among the allowed moves without looking ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Baseline {
    /// Draws uniformly from ChaCha8 with the configured seed and the plies played as stream.
    Random,
    /// Takes the move that [`SearchHints::greed`] likes best, the first of equals.
    Greedy,
}

impl Baseline {
    fn choose<G: SearchHints>(self, task: &SearchTask<'_, G>) -> G::Move {
        let moves = task.allowed_moves();
        match self {
            Baseline::Random => {
                let mut rng = ChaCha8Rng::seed_from_u64(task.config.seed);
                rng.set_stream(task.record.plies() as u64);
                moves[rng.random_range(0..moves.len())]
            }
            Baseline::Greedy => {
                let greed = |&&mv: &&G::Move| task.game.greed(task.record.position(), mv);
                moves.iter().rev().max_by_key(greed).copied().unwrap_or(moves[0])
            }
        }
    }
}

impl<G: SearchHints> Searcher<G> for Baseline {
    fn search(&mut self, task: &SearchTask<'_, G>, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move> {
        answer_at_once(task, self.choose(task), report)
    }

    fn clear(&mut self) {}
}

/// Reports and plays a move that needed no search.
pub(super) fn answer_at_once<G: SearchHints>(
    task: &SearchTask<'_, G>,
    mv: G::Move,
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let line = complete(task.game, task.record, result(task.game, task.record, mv), vec![mv], |_| None);
    let answer = BestMove::of_line(&line.pv);
    report(&SearchInfo { seldepth: 1, ..SearchInfo::new(1, 1, task.control.elapsed(), vec![line]) });
    answer
}

/// An allowed move that wins the game at once, if there is one.
pub(super) fn win_in_one<G: SearchHints>(task: &SearchTask<'_, G>) -> Option<G::Move> {
    task.allowed_moves().into_iter().find(|&mv| result(task.game, task.record, mv) == Score::win_in(1))
}

/// The result if the move ends the game, otherwise no opinion.
fn result<G: SearchHints>(game: &G, record: &Record<G>, mv: G::Move) -> Score {
    let mut after = record.clone();
    after.play(game, mv);
    match (after.turn(game).outcome(), record.turn(game).seat()) {
        (Some(outcome), Some(seat)) => Score::of_outcome(outcome.winner, seat, 1),
        _ => Score::DRAW,
    }
}
