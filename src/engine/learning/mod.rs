//! Learns weights for the evaluation of hunts, by fitting them to positions of known or estimated value.
//!
//! A [`Learner`] goes from round to round. `games` plays games: first noisy perfect play by tables, or, where no tables
//! cover the start, the engine with its linear evaluation; then the engine with what it has learned. The positions of
//! the games, and some that the searches evaluated, become `samples`. A sample's value comes from the tables, else from
//! the result of its game and the score of the search. The `learner` fits weights to the samples of all rounds.

mod games;
mod learner;
mod samples;

use std::path::PathBuf;

pub(crate) use learner::HuntLearner;
pub use learner::{CONVERTERS, Conversion, Converted, FEWEST_CONVERTED, Learner};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;

use crate::eval::{Backup, GroupKind};
use crate::rules::ruleset::{RefusedKey, refuse_if, schema};
use crate::tablebase::TableError;

/// Why nothing can be learned.
#[derive(Debug, Error)]
pub enum LearningError {
    /// The game is no hunt; only hunts have learned weights.
    #[error("ruleset: the method learn needs a game of the hunt family")]
    Family,
    /// The board does not have the groups of points that the model asks for.
    #[error("learn.model: this board has no such groups of points, or more patterns than can be numbered")]
    Model,
    /// The folder has no tables of this ruleset.
    #[error("tables: there are no tables of '{0}' in the folder")]
    NoTables(String),
    /// No samples to fit to, or none to check the fit by.
    #[error(
        "the games of a round gave no position to learn from, or none to check the fit by; a new run with more `perfect_games`, and `games` in its rounds, gives more"
    )]
    NoSamples,
    /// The system refuses to start the threads that play the games.
    #[error("no threads for the games: {0}")]
    Threads(String),
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file of samples or weights is damaged, or the system refuses it.
    #[error("{}: {message}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with the file.
        message: String,
    },
}

/// The most games of a round, so that the numbers of all games fit into 32 bits.
const MOST_GAMES: u64 = 1_000_000;

/// The plan of a learning run: how positions are found, what they are worth, and how weights are fitted to them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LearnSpec {
    /// The kinds of groups of points whose patterns of geese have weights, each with its images under the symmetries of
    /// the rules.
    #[schemars(length(min = 1))]
    pub model: Vec<GroupKind>,
    /// Games before the first fit: noisy perfect play, or the engine's own games where tables do not cover the start.
    #[schemars(range(min = 1, max = MOST_GAMES))]
    pub perfect_games: u64,
    /// The share of random moves in the games before the first fit.
    #[schemars(range(min = 0, max = 1))]
    pub noise: f64,
    /// Rounds of games by the engine with the weights of the last fit.
    #[schemars(range(max = 1000))]
    pub rounds: u64,
    /// Games in each of these rounds.
    #[schemars(range(min = 1, max = MOST_GAMES))]
    pub games: u64,
    /// The fewest and the most random plies at the start of a game.
    #[schemars(inner(range(max = 200)))]
    pub opening_plies: [u32; 2],
    /// The engines that play the games, in turn.
    #[schemars(length(min = 1))]
    pub players: Vec<LearnPlayer>,
    /// Positions from inside the search of each move that become samples.
    #[schemars(range(max = 1000))]
    pub heard: usize,
    /// The expected results to which values are mapped.
    pub targets: Targets,
    /// Passes of the fit over all positions.
    #[schemars(range(min = 1, max = 1000))]
    pub epochs: u64,
    /// The learning rate (Adagrad) at the beginning of a fit; it falls to 0.
    #[schemars(extend("exclusiveMinimum" = 0), range(max = 1))]
    pub rate: f32,
    /// The share of the games that only validate the fit.
    #[schemars(range(min = 0.001, max = 0.9))]
    pub validation: f64,
    /// Openings with a winner by the tables that are played against perfect play after each fit, so that the best one
    /// counts, and as many others after the last. Where these are at least ten, they decide in place of the final matches.
    #[schemars(range(max = MOST_GAMES))]
    pub conversions: u64,
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
            conversions: 0,
        }
    }
}

/// A searcher with its nodes (mcts: iterations) for a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearnPlayer {
    /// The kind of search.
    pub searcher: LearnSearcher,
    /// Nodes, or iterations of mcts, for a move.
    #[schemars(range(min = 1))]
    pub nodes: u64,
}

/// The searchers that can play games to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LearnSearcher {
    /// Alpha-beta.
    Alphabeta,
    /// Monte Carlo tree search.
    Mcts,
}

impl LearnSearcher {
    /// The name, as specs have it.
    pub fn name(self) -> &'static str {
        match self {
            LearnSearcher::Alphabeta => "alphabeta",
            LearnSearcher::Mcts => "mcts",
        }
    }

    /// How it combines the values of many positions.
    pub fn backup(self) -> Backup {
        match self {
            LearnSearcher::Alphabeta => Backup::Minimax,
            LearnSearcher::Mcts => Backup::Mean,
        }
    }
}

/// Maps the value of a position to the expected result for the geese: 1 a win, 0 a loss.
///
/// A win in n plies maps to `won + slope exp(-n / plies)`, a loss in n plies to `lost (1 - exp(-n / plies))`. Where no
/// table covers the position, the result of its game counts with the share `result`, and the geese's chance by the
/// search's score with the rest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Targets {
    /// The expected result of a win after endlessly many plies.
    #[schemars(range(min = 0.001, max = 0.999))]
    pub won: f64,
    /// What an immediate win is worth more than that; `won` and `slope` together are at most 0.999.
    #[schemars(range(min = 0.001, max = 0.999))]
    pub slope: f64,
    /// The plies in which this surplus falls to 1 / e.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub plies: f64,
    /// The expected result of a draw.
    #[schemars(range(min = 0.001, max = 0.999))]
    pub drawn: f64,
    /// The expected result of a loss after endlessly many plies.
    #[schemars(range(min = 0.001, max = 0.999))]
    pub lost: f64,
    /// The share that the result of the game has in the target of a position that no table covers.
    #[schemars(range(min = 0, max = 1))]
    pub result: f64,
}

impl Default for Targets {
    fn default() -> Self {
        Targets { won: 0.6, slope: 0.39, plies: 80.0, drawn: 0.35, lost: 0.24, result: 0.5 }
    }
}

impl LearnSpec {
    /// Checks that every key has a value that a run can use.
    ///
    /// # Errors
    /// A key is out of range; the error names it.
    pub fn check(&self) -> Result<(), RefusedKey> {
        schema::check(&json!(schema::of::<LearnSpec>()), &json!(self))?;
        let [fewest, most] = self.opening_plies;
        let Targets { won, slope, .. } = self.targets;
        refuse_if(fewest > most, "opening_plies", "expected the fewest and the most")?;
        refuse_if(won + slope > 0.999, "targets.slope", "expected at most 0.999 together with `won`")
    }
}
