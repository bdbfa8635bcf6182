//! Everything that a worker needs to play any fixture: the spec with all files read and all names resolved.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::fixture::Fixture;
use super::record::{Opening, PlayedMove};
use super::spec::{AdjudicationSpec, Limits, OnForfeit, ProtocolName, Referee, Supervision};
use crate::engine::registry::{self, RulesetChoice};
use crate::rules::Turn;

/// Option names with values as text.
pub(crate) type OptionPairs = Vec<(String, String)>;

/// Rulesets, engines and conditions of a run.
pub struct Arena {
    pub rulesets: Vec<ArenaRuleset>,
    pub engines: Vec<EngineConfig>,
    pub openings: Box<dyn OpeningBook>,
    pub conditions: Conditions,
    /// The folder of tables of perfect play.
    pub tables: Option<PathBuf>,
    /// Game n draws from stream n.
    pub seed: u64,
    /// Processors for the workers, one each in turn; empty leaves it to the system.
    pub affinity: Vec<usize>,
    /// Where the conversations with external engines are written.
    pub log_dir: Option<PathBuf>,
    /// Sees every move as it is played.
    pub watch: Option<Arc<dyn Watch>>,
}

/// Somebody who looks on; called from the threads of the workers.
pub trait Watch: Send + Sync {
    /// A move was accepted, the `ply`-th of the game from 1, the opening's included.
    fn moved(&self, fixture: &Fixture, ply: usize, played: &PlayedMove, spent: Duration);
}

/// One of the games of the tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArenaRuleset {
    /// For people, unique among the rulesets: the name, with the switches where there are any.
    pub label: String,
    /// What external engines are told as `UCI_Variant`.
    pub variant: String,
    /// `None` for an external game, which only [`Referee::Engines`] can judge.
    pub choice: Option<RulesetChoice>,
}

impl ArenaRuleset {
    /// Whether a game begins with a roll of the dice.
    pub fn has_dice(&self) -> bool {
        let session = self.choice.as_ref().and_then(|choice| registry::open(choice).ok());
        session.is_some_and(|session| session.turn() == Turn::Chance)
    }
}

/// A participant.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineConfig {
    pub name: String,
    /// `None` for a session in this process.
    pub program: Option<Program>,
    pub options: OptionPairs,
    /// Set after `options` when the engine plays that role.
    pub by_role: BTreeMap<String, OptionPairs>,
    /// Time odds are already in them.
    pub limits: Limits,
}

/// An external program, ready to be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub command: PathBuf,
    pub args: Vec<String>,
    pub dir: Option<PathBuf>,
    pub env: BTreeMap<String, String>,
    pub protocol: ProtocolName,
}

/// How games are judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Conditions {
    pub time_margin: Duration,
    pub max_plies: u32,
    pub adjudication: AdjudicationSpec,
    pub referee: Referee,
    pub cross_check: bool,
    pub on_forfeit: OnForfeit,
    pub supervision: Supervision,
}

/// The openings of every ruleset by number, the same on every machine.
pub trait OpeningBook: Send + Sync {
    /// Openings may repeat only when the book has fewer than are asked for.
    fn opening(&self, ruleset: usize, number: u64) -> Opening;

    /// How many different openings there are, counted up to `enough`.
    fn distinct(&self, ruleset: usize, enough: u64) -> u64;
}
