//! Forecasts the rest of a game: chances, and how often each kind of event happens.

use super::Chances;
use super::chain::TooLarge;
use super::estimate::MeanEstimate;
use super::exact::SolvedChain;
use crate::rules::DiceGame;

/// Chances, and how often each kind of event is expected in the rest of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    pub chances: Chances,
    /// By number of the kind.
    pub events: Vec<MeanEstimate>,
}

/// The forecast for a game by solving its chain.
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
