//! What happens on the way: how often, with what error.

use super::Chances;
use super::chain::TooLarge;
use super::exact::SolvedChain;
use crate::rules::DiceGame;

/// A mean with half the width of its 95 % confidence interval; an error of 0 means that the number is exact.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct MeanEstimate {
    pub mean: f64,
    pub error: f64,
}

/// Chances, and how often each kind of event is expected in the rest of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    pub chances: Chances,
    /// By number of the kind.
    pub events: Vec<MeanEstimate>,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl MeanEstimate {
    /// A share of games. The error is half the width of Wilson's interval, which is above 0 for shares of 0 and 1 too.
    pub fn of_share(count: u64, games: u64) -> Self {
        let n = games.max(1) as f64;
        let mean = count as f64 / n;
        let spread = (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt();
        MeanEstimate { mean, error: Z * spread / (1.0 + Z * Z / n) }
    }
}

/// Sums of whole numbers, which come out the same in any order.
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn note(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    pub(super) fn add(&mut self, other: &Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean over so many games, those without a note counting 0.
    pub(super) fn estimate(&self, games: u64) -> MeanEstimate {
        let n = games.max(1) as f64;
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        MeanEstimate { mean, error: Z * (variance / n).sqrt() }
    }
}

/// The course of a game by solving its chain.
///
/// # Errors
/// More than `limit` positions can come.
pub fn solve<G: DiceGame>(game: &G, start: &G::State, limit: usize) -> Result<Forecast, TooLarge> {
    let mut exact = SolvedChain::new(game, start, limit)?;
    let chances = exact.chances(game, start, limit)?;
    let chain = exact.chain();
    let visits = chain.find(game, start).map_or_else(Vec::new, |node| chain.visits(node));
    let mut sums = vec![0.0; game.event_kinds()];
    let (mut plies, mut events) = (Vec::new(), Vec::new());
    for (state, visits) in chain.states().iter().zip(visits.iter().skip(chain.endings())) {
        plies.clear();
        game.plies(state, &mut plies);
        for &(ply, probability) in &plies {
            events.clear();
            game.events(state, ply, &mut events);
            events.iter().for_each(|&kind| sums[kind] += visits * probability);
        }
    }
    let events = sums.into_iter().map(|mean| MeanEstimate { mean, error: 0.0 }).collect();
    Ok(Forecast { chances, events })
}
