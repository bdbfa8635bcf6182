//! The part of a tuning spec that says how weights are learned.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::eval::GroupKind;

/// Games of a round, so that the numbers of all games fit into 32 bits.
const MOST_GAMES: u64 = 1_000_000;

/// How positions are found, what they are worth, and how weights are fitted to them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnSpec {
    /// Groups of points whose geese the evaluation looks at.
    pub model: Vec<GroupKind>,
    /// Games at the beginning: of noisy perfect play, or of the engine as it is where tables do not know the start.
    pub perfect_games: u64,
    /// Share of random moves in them.
    pub noise: f64,
    /// Rounds of the engine's own games after them.
    pub rounds: u64,
    /// Games of a round.
    pub games: u64,
    /// Fewest and most random plies at the start of a game.
    pub opening_plies: [u32; 2],
    /// The engines that play, in turn.
    pub players: Vec<LearnPlayer>,
    /// Positions from inside a search that are learned from, for every move.
    pub heard: usize,
    /// What a position is worth to the geese.
    pub targets: Targets,
    /// Times that the fit sees every position.
    pub epochs: u64,
    /// Step of the fit.
    pub rate: f32,
    /// Share of the games that only check the fit.
    pub validation: f64,
}

impl Default for LearnSpec {
    fn default() -> Self {
        LearnSpec {
            model: vec![GroupKind::Blocks, GroupKind::Rows],
            perfect_games: 4000,
            noise: 0.15,
            rounds: 3,
            games: 600,
            opening_plies: [2, 10],
            players: vec![
                LearnPlayer { searcher: LearnSearcher::Alphabeta, nodes: 8000 },
                LearnPlayer { searcher: LearnSearcher::Mcts, nodes: 800 },
            ],
            heard: 12,
            targets: Targets::default(),
            epochs: 8,
            rate: 0.1,
            validation: 0.05,
        }
    }
}

/// A searcher with its nodes (for mcts: iterations) for every move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnPlayer {
    /// How it searches.
    pub searcher: LearnSearcher,
    /// Nodes, or iterations, for a move.
    pub nodes: u64,
}

/// The searchers that can play games to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LearnSearcher {
    /// Alpha-beta.
    Alphabeta,
    /// Monte Carlo tree search.
    Mcts,
}

/// The expected result for the geese, by what perfect play makes of a position, or its game where nobody knows that.
///
/// Won in n plies it is `won + slope exp(-n / plies)`, lost in n plies `lost (1 - exp(-n / plies))`. Of the result of a
/// game only the share `result` counts; the rest is the chance that the search gave the geese.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Targets {
    /// The expected result of a win that takes for ever.
    pub won: f64,
    /// What a win at once is worth more than that.
    pub slope: f64,
    /// The plies in which that falls to a share of 1 / e.
    pub plies: f64,
    /// The expected result of a draw.
    pub drawn: f64,
    /// The expected result of a loss that takes for ever.
    pub lost: f64,
    /// The share of the result of a game, where nobody knows perfect play.
    pub result: f64,
}

impl Default for Targets {
    fn default() -> Self {
        Targets { won: 0.6, slope: 0.39, plies: 80.0, drawn: 0.35, lost: 0.24, result: 0.5 }
    }
}

/// A key whose value no run can use.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{key}: {message}")]
pub struct OutOfRange {
    /// The key in the spec.
    pub key: &'static str,
    /// What is allowed.
    pub message: String,
}

impl LearnSpec {
    /// Whether every key has a value that a run can use.
    ///
    /// # Errors
    /// Names the key that is out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let refuse = |key: &'static str, message: &str| Err(OutOfRange { key, message: message.to_owned() });
        let Targets { won, slope, plies, drawn, lost, result } = self.targets;
        let most = |number: u64| format!("expected a number from 1 to {number}");
        let shares = [won, slope, drawn, lost, won + slope];
        match self {
            spec if spec.model.is_empty() => refuse("model", "at least one kind of groups is needed"),
            spec if !(1..=MOST_GAMES).contains(&spec.perfect_games) => refuse("perfect_games", &most(MOST_GAMES)),
            spec if spec.rounds > 1000 => refuse("rounds", "at most 1000"),
            spec if !(1..=MOST_GAMES).contains(&spec.games) => refuse("games", &most(MOST_GAMES)),
            spec if spec.heard > 1000 => refuse("heard", "at most 1000"),
            spec if !(0.0..=1.0).contains(&spec.noise) => refuse("noise", "expected a number from 0 to 1"),
            spec if spec.players.is_empty() => refuse("players", "at least one is needed"),
            spec if spec.players.iter().any(|player| player.nodes == 0) => refuse("players", "nodes: at least 1"),
            spec if spec.opening_plies[0] > spec.opening_plies[1] || spec.opening_plies[1] > 200 => {
                refuse("opening_plies", "expected the fewest and the most, at most 200")
            }
            spec if !(1..=1000).contains(&spec.epochs) => refuse("epochs", "expected a number from 1 to 1000"),
            spec if !(spec.rate > 0.0 && spec.rate <= 1.0) => refuse("rate", "expected a number above 0, at most 1"),
            spec if !(0.001..=0.9).contains(&spec.validation) => {
                refuse("validation", "expected a number from 0.001 to 0.9")
            }
            _ if !shares.iter().all(|share| (0.001..=0.999).contains(share)) || !(1.0..=1e6).contains(&plies) => {
                refuse("targets", "expected shares from 0.001 to 0.999, won + slope among them, and plies from 1")
            }
            _ if !(0.0..=1.0).contains(&result) => refuse("targets.result", "expected a number from 0 to 1"),
            _ => Ok(()),
        }
    }
}
