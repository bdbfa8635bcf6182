//! A ruleset of the hunt family as data: what a file may say, and what it means when all is said.

use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::geometry::{Board, Point, PointSet};
use crate::rules::catalog;

use super::contradictions;
use super::keys::{
    AttackerMoves, BoardKey, Capture, DirectionName, FillRule, First, FoxDiagonal, FoxStart, FoxZone, GeeseStuck, Huff,
    Keys, RepetitionKey, allowed,
};
use super::resolve::Resolver;

/// Why a ruleset is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesetError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}: key '{key}': {message}")]
    Key { file: String, key: String, message: String },
}

/// A complete and consistent ruleset of the hunt family.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset {
    pub name: String,
    pub title: String,
    /// Where the rules come from.
    pub source: String,
    /// One sentence about the game.
    pub about: String,
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

/// How many rulesets may stand on each other's shoulders.
const MAX_EXTENDS: usize = 8;

impl Ruleset {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, keys contradict each other, or the start is impossible;
    /// the error names file, key and what is allowed.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let mut keys = read_chain(label, text, 0)?;
        for (key, value) in switches {
            if matches!(key.as_str(), "name" | "title" | "extends" | "source" | "about" | "family") {
                let message = "is no rule; a switch changes one of the rule keys".to_string();
                return Err(RulesetError::Key { file: label.into(), key: key.clone(), message });
            }
            keys.merge(read_key(label, key, switch_value(value))?);
        }
        let ruleset = Resolver { file: label }.resolve(keys, switches)?;
        if let Some((key, message)) = contradictions::first(&ruleset) {
            return Err(RulesetError::Key { file: label.into(), key: key.into(), message });
        }
        Ok(ruleset)
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`Ruleset::from_text`].
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let text = catalog::text(name).ok_or_else(|| RulesetError::File {
            file: name.into(),
            message: format!("unknown ruleset; known are {}", catalog::names().collect::<Vec<_>>().join(", ")),
        })?;
        Ruleset::from_text(name, text, switches)
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        fnv1a(serde_json::to_string(&self.rules).unwrap_or_default().as_bytes())
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

/// The 64-bit FNV-1a hash, which is fixed for all time.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The keys of a file on top of those it extends.
fn read_chain(label: &str, text: &str, depth: usize) -> Result<Keys, RulesetError> {
    let file_error = |message: String| RulesetError::File { file: label.into(), message };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let entries: Entries = serde_json::from_str(text).map_err(|error| file_error(error.to_string()))?;
    let mut own = Keys::default();
    for (key, value) in entries.0 {
        own.merge(read_key(label, &key, value)?);
    }
    let Some(parent) = own.extends.clone() else { return Ok(own) };
    let unknown = |message: &str| RulesetError::Key {
        file: label.into(),
        key: "extends".into(),
        message: format!("'{parent}' {message}"),
    };
    if depth >= MAX_EXTENDS {
        return Err(unknown("closes a circle or makes the chain too long (8 rulesets at most)"));
    }
    let parent_text = catalog::text(&parent).ok_or_else(|| unknown("is not a ruleset of the catalog"))?;
    let inherited = read_chain(&parent, parent_text, depth + 1)?;
    // What describes the parent does not describe the child.
    let mut keys = Keys { name: None, title: None, source: None, about: None, ..inherited };
    keys.merge(own);
    Ok(keys)
}

/// The keys of a JSON object in their order, each at most once.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of keys and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            if entries.iter().any(|(earlier, _)| *earlier == key) {
                return Err(A::Error::custom(format!("key '{key}' stands twice")));
            }
            entries.push((key, value));
        }
        Ok(Entries(entries))
    }
}

/// One key by itself, so that an error can name it.
fn read_key(file: &str, key: &str, value: Value) -> Result<Keys, RulesetError> {
    let refuse = |message: String| RulesetError::Key { file: file.into(), key: key.into(), message };
    let hint = allowed(key).map_or_else(String::new, |allowed| format!("; allowed is {allowed}"));
    if value.is_null() {
        return Err(refuse(format!("null is no value; leave the key out instead{hint}")));
    }
    let object = Value::Object(Map::from_iter([(key.to_string(), value)]));
    Keys::deserialize(object).map_err(|error| refuse(format!("{error}{hint}")))
}

/// The value of a switch: JSON where it is JSON, a list where it has commas, else a string.
fn switch_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.contains(',') && !text.contains('(') => text.split(',').map(str::trim).collect(),
        Err(_) => Value::String(text.to_string()),
    }
}

/// The names of a set of points, in board order.
pub(super) fn names_of(board: &Board, set: PointSet<u128>) -> Vec<String> {
    set.iter().map(|point: Point| board.name(point)).collect()
}
