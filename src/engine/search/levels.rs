//! Weak players: random and greedy, the baselines of every measurement, and levels of a searcher.
//!
//! A weak player looks less far and misjudges what it sees. A level does the same: its nodes are few, and noise is
//! added to the values of moves before they are compared. The noise has Gumbel's distribution, so that the chance of a
//! move falls exponentially with the value that it gives away (choice by softmax). Proved values get no noise, and
//! except at the lowest places a win in one is always played.

use rand::{Rng, RngExt};

use super::{BestMove, PvLine, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher};
use crate::rules::random::stream;
use crate::rules::{Record, SearchHints};

/// A player that chooses among the allowed moves without looking ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Baseline {
    /// Draws uniformly, from ChaCha8 with the configured seed and the plies played as stream.
    Random,
    /// Plays the move that [`SearchHints::greed`] values highest, the first of equals.
    Greedy,
}

impl Baseline {
    fn choose<G: SearchHints>(self, task: &SearchTask<'_, G>) -> G::Move {
        let moves = task.allowed_moves();
        match self {
            Baseline::Random => {
                let mut rng = stream(task.config.seed, task.record.plies() as u64);
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
fn answer_at_once<G: SearchHints>(
    task: &SearchTask<'_, G>,
    mv: G::Move,
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let score = result(task.game, task.record, mv);
    let line = PvLine::completed(task.game, task.record, score, vec![mv], |_| None);
    let answer = BestMove::of_line(&line.pv);
    report(&SearchInfo { seldepth: 1, ..SearchInfo::new(1, 1, task.control.elapsed(), vec![line]) });
    answer
}

/// An allowed move that wins the game at once, if there is one.
fn win_in_one<G: SearchHints>(task: &SearchTask<'_, G>) -> Option<G::Move> {
    task.allowed_moves().into_iter().find(|&mv| result(task.game, task.record, mv) == Score::win_in(1))
}

/// The score of a move that ends the game; otherwise a score of 0.
fn result<G: SearchHints>(game: &G, record: &Record<G>, mv: G::Move) -> Score {
    let mut after = record.clone();
    after.play(game, mv);
    match (after.turn(game).outcome(), record.turn(game).seat()) {
        (Some(outcome), Some(seat)) => Score::of_outcome(outcome.winner, seat, 1),
        _ => Score::DRAW,
    }
}

/// A strength of play as a place on the curves of nodes and noise: at 0 all moves are random, up to 1 fewer and fewer
/// are, and [`Level::FULL`] has no weakness.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(crate) struct Level(pub f64);

impl Level {
    pub(crate) const FULL: Level = Level(20.0);

    /// Nodes at place 1, and the factor for each further place.
    const FIRST_NODES: f64 = 16.0;
    const NODE_GROWTH: f64 = 1.6;
    /// The noise at place 1 in hundredths of a piece, and the factor for each further place.
    const FIRST_NOISE: f64 = 600.0;
    const NOISE_DECAY: f64 = 0.8;
    /// The place from which on no win in one is missed.
    const FIRST_SEEING: f64 = 0.6;

    fn nodes(self) -> u64 {
        (Self::FIRST_NODES * libm::pow(Self::NODE_GROWTH, self.place() - 1.0)) as u64
    }

    /// The scale of the noise: a move worse by this many hundredths of a piece is e times less likely.
    fn noise(self) -> f64 {
        Self::FIRST_NOISE * libm::pow(Self::NOISE_DECAY, self.place() - 1.0)
    }

    fn place(self) -> f64 {
        self.0.max(1.0)
    }

    /// The number of moves that are compared: 42 at the lowest places, four at full strength.
    fn candidates(self) -> usize {
        4 + 2 * (Self::FULL.0 - self.place()) as usize
    }

    /// The share of plies on which the move is drawn at random.
    fn carelessness(self) -> f64 {
        (1.0 - self.0).max(0.0)
    }

    /// Whether no win in one is missed, even with few nodes or on a ply whose move would be drawn at random.
    fn sees_wins(self) -> bool {
        self.0 >= Self::FIRST_SEEING
    }
}

/// A searcher limited to a level. It searches with one thread and reports once.
pub(crate) struct Weakened<S> {
    pub searcher: S,
    pub level: Level,
}

impl<S> Weakened<S> {
    /// The index of the line whose value is best after noise has been added.
    fn choose<M: Copy>(&self, lines: &[PvLine<M>], rng: &mut impl Rng) -> usize {
        let mut blurred = |line: &PvLine<M>| {
            let noise = self.level.noise() * gumbel(rng);
            f64::from(line.score.0) + if line.score.is_certain() { 0.0 } else { noise }
        };
        let worth: Vec<f64> = lines.iter().map(&mut blurred).collect();
        (0..worth.len()).reduce(|best, next| if worth[next] > worth[best] { next } else { best }).unwrap_or(0)
    }
}

impl<G: SearchHints, S: Searcher<G>> Searcher<G> for Weakened<S> {
    fn search(&mut self, task: &SearchTask<'_, G>, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move> {
        let mut rng = stream(task.config.seed, task.record.plies() as u64);
        if let Some(win) = self.level.sees_wins().then(|| win_in_one(task)).flatten() {
            return answer_at_once(task, win, report);
        }
        if rng.random_bool(self.level.carelessness()) {
            return Baseline::Random.search(task, report);
        }
        let nodes = self.level.nodes();
        let limits =
            SearchLimits { nodes: Some(task.limits.nodes.map_or(nodes, |most| most.min(nodes))), ..task.limits };
        let config = SearchConfig { multi_pv: self.level.candidates(), threads: 1, ..task.config };
        let mut last = None;
        let found =
            self.searcher.search(&SearchTask { limits, config, ..*task }, &mut |info| last = Some(info.clone()));
        let Some(mut info) = last.filter(|info| !info.lines.is_empty()) else { return found };
        let chosen = self.choose(&info.lines, &mut rng);
        info.lines[..=chosen].rotate_right(1);
        info.lines.truncate(task.config.multi_pv);
        report(&info);
        BestMove::of_line(&info.lines[0].pv)
    }

    fn clear(&mut self) {
        self.searcher.clear();
    }
}

/// Gumbel noise of scale 1: the greatest sum with it is a choice by softmax. Uses `libm`, equal on every machine.
fn gumbel(rng: &mut impl Rng) -> f64 {
    let uniform = rng.random_range(f64::MIN_POSITIVE..1.0);
    -libm::log(-libm::log(uniform))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    fn chosen(level: f64, scores: [Score; 3]) -> [usize; 3] {
        let lines = scores.map(|score| PvLine::new(2, score, vec![0u8]));
        let weakened = Weakened { searcher: (), level: Level(level) };
        let mut rng = stream(1, 0);
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[weakened.choose(&lines, &mut rng)] += 1);
        counts
    }

    #[test]
    fn what_gives_away_more_is_rarer_and_rarer_still_at_higher_levels() {
        let scores = [100, 0, -300].map(Score);
        let (low, high) = (chosen(1.6, scores), chosen(13.8, scores));
        assert!(low[0] > low[1] && low[1] > low[2] && low[2] > 1_500, "{low:?}");
        assert!(high[0] > 8_500 && high[2] < 50, "{high:?}");
        // Softmax: the odds of the first two moves are e to the power of their difference over the noise.
        let odds = f64::from(low[0] as u32) / f64::from(low[1] as u32);
        assert!((odds / (100.0 / Level(1.6).noise()).exp() - 1.0).abs() < 0.1, "{odds}");
    }

    #[test]
    fn a_proved_win_is_never_missed_and_a_proved_loss_never_chosen() {
        assert_eq!(chosen(1.0, [Score::win_in(1), Score(2_000), Score(1_900)]), [10_000, 0, 0]);
        assert_eq!(chosen(1.0, [Score(-2_000), Score(-2_000), Score::loss_in(2)])[2], 0);
    }
}
