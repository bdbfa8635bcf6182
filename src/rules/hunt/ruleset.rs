//! A ruleset of the hunt family as data: what a file may say, and what it means when all is said.

use serde::Serialize;

use crate::geometry::{Board, PointSet};
use crate::rules::ruleset::{self, BoardKey, Heading, RulesetError};

use super::contradictions;
use super::keys::{
    AttackerMoves, Capture, DirectionName, FillRule, First, FoxDiagonal, FoxStart, FoxZone, GeeseStuck, Huff, Keys,
    RepetitionKey,
};
use super::resolve::Resolver;

/// A complete and consistent ruleset of the hunt family.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset {
    pub heading: Heading,
    pub board: Board,
    pub rules: Rules,
    /// The switches that were set on top of the file, as given.
    pub switches: Vec<(String, String)>,
}

/// Every key in force that decides how the game is played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rules {
    pub board: BoardKey,
    pub fox_side: String,
    pub geese_side: String,
    pub foxes: u32,
    pub fox_start: FoxStart,
    pub fox_zone: FoxZone,
    pub geese: Vec<String>,
    pub drops: u32,
    pub first: First,
    pub goose_moves: Vec<DirectionName>,
    pub attacker_moves: AttackerMoves,
    pub fox_diagonal: FoxDiagonal,
    pub fox_captures: bool,
    pub chain: bool,
    pub capture: Capture,
    pub forced_chain: bool,
    pub huff: Huff,
    pub huff_partial_chain: bool,
    pub fox_wins_below: u32,
    pub geese_stuck: GeeseStuck,
    pub first_move_forward: bool,
    pub repetition: RepetitionKey,
    pub no_progress: u32,
    pub fox_home_wins: bool,
    pub fortress: Vec<String>,
    pub fill_rule: FillRule,
}

impl Rules {
    /// Whether any number of plies can go by before the first goose move where that must be straight forward: the geese
    /// drop or pass until then.
    pub fn first_move_may_wait(&self) -> bool {
        self.first_move_forward && (self.drops > 0 || self.geese_stuck == GeeseStuck::Pass)
    }
}

impl Ruleset {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, keys contradict each other, or the start is impossible;
    /// the error names file, key and what is allowed.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let (heading, keys) = ruleset::read::<Keys>(label, text, switches)?;
        let ruleset = Resolver { file: label }.resolve(heading, keys, switches)?;
        if let Some((key, message)) = contradictions::first(&ruleset) {
            return Err(RulesetError::key(label, key, message));
        }
        Ok(ruleset)
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`Ruleset::from_text`].
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        Ruleset::from_text(name, ruleset::catalog_text(name)?, switches)
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.rules)
    }

    /// The points of a list of names that were checked when the ruleset was read.
    pub fn points(&self, names: &[String]) -> PointSet<u128> {
        names.iter().filter_map(|name| self.board.parse(name)).collect()
    }

    /// Where the foxes stand at the start; empty when they are placed by choice.
    pub fn fox_points(&self) -> PointSet<u128> {
        match &self.rules.fox_start {
            FoxStart::Points(names) => self.points(names),
            FoxStart::Centre | FoxStart::Choose => PointSet::EMPTY,
        }
    }
}
