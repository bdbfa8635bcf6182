//! The header of a journal: what is being played, complete enough to report on it without the spec's files.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ruleset::Ruleset;
use super::spec::{Format, Limits, SprtSpec};

/// The version of the journal's format.
pub(crate) const VERSION: u32 = 1;

/// The first line of a journal. Two journals belong together exactly when their headers differ at most in the shard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalHeader {
    /// [`VERSION`] at the time of writing.
    pub version: u32,
    /// Name, version and a checksum of all defaults and rulesets, for example `reynard 0.1.0 (0123abcd)`.
    pub program: String,
    /// Everything that can change a game.
    #[serde(rename = "spec")]
    pub played: Played,
    /// The rulesets that are played; games name them by index.
    pub rulesets: Vec<Ruleset>,
    /// Names, by index.
    pub engines: Vec<String>,
    /// The part of the games that this journal has; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl JournalHeader {
    /// What the tournament is called; `None` without a name.
    pub fn name(&self) -> Option<&str> {
        self.played.tournament().map(|head| head.name.as_str()).filter(|name| !name.is_empty())
    }
}

/// What the games of a journal belong to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum Played {
    /// A tournament.
    Tournament(TournamentHead),
    /// A tuning run: a tournament whose games its method arranges.
    Tuning(TuningHead),
}

/// A tournament in its canonical form: files replaced by what they hold, shared settings by what every engine has,
/// and without anything that changes no game. Two tournaments with the same are the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TournamentHead {
    /// Empty for none.
    #[serde(default)]
    pub name: String,
    pub format: Format,
    /// Of every pairing in every ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    /// The conditions of every game, by the names of the spec's keys.
    #[serde(flatten)]
    pub conditions: Map<String, Value>,
    /// By index.
    #[serde(default)]
    pub engines: Vec<EngineHead>,
    /// Which tables can change a game; of tables, which hold the truth, it is enough to say which they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Value>,
}

/// An engine in the head of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineHead {
    #[serde(default)]
    pub name: String,
    /// For every role.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// Time odds included; `None` where an old journal has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// As the spec has it, with a checksum of the file; `None` for an engine in this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_margin_ms: Option<u64>,
    /// Set after `options` when the engine plays that role.
    #[serde(default, rename = "as", skip_serializing_if = "Map::is_empty")]
    pub by_role: Map<String, Value>,
}

/// A tuning run in its canonical form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningHead {
    /// The method with its numbers, and the parameters; the tuning run knows what they mean.
    #[serde(flatten)]
    pub method: Map<String, Value>,
    /// How its games are played.
    pub games: TournamentHead,
}

impl TournamentHead {
    /// Whether an earlier program wrote notes of the engines' disagreements into the journal.
    pub(crate) fn has_disagreements(&self) -> bool {
        let is = |key: &str, value: Value| self.conditions.get(key) == Some(&value);
        is("cross_check", true.into()) || is("referee", "engines".into())
    }
}

impl Played {
    /// The tournament; `None` of a tuning run, whose results are no standings.
    pub fn tournament(&self) -> Option<&TournamentHead> {
        match self {
            Played::Tournament(head) => Some(head),
            Played::Tuning(_) => None,
        }
    }

    /// How the games are played, whatever they are for.
    pub fn games(&self) -> &TournamentHead {
        match self {
            Played::Tournament(head) => head,
            Played::Tuning(head) => &head.games,
        }
    }
}

impl TryFrom<Value> for Played {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let read = if value.get("games").is_some_and(Value::is_object) {
            serde_path_to_error::deserialize(value).map(Played::Tuning)
        } else {
            serde_path_to_error::deserialize(value).map(Played::Tournament)
        };
        read.map_err(|error| format!("its spec's {} cannot be read: {}", error.path(), error.inner()))
    }
}

/// One of several parts of a tournament that are played apart; it has the pairs whose number is `index` modulo
/// `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    pub count: u64,
}

impl Shard {
    /// # Errors
    /// There is no such part.
    pub fn new(index: u64, count: u64) -> Result<Shard, String> {
        match count.checked_sub(1) {
            None => Err("there must be at least one shard".to_owned()),
            Some(last) if index > last => Err(format!("shards count from 0: of {count} the last is {last}/{count}")),
            Some(_) => Ok(Shard { index, count }),
        }
    }

    pub fn has(self, pair: u64) -> bool {
        pair % self.count == self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = parsed.ok_or("expected INDEX/COUNT, for example 0/4")?;
        Shard::new(index, count)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<Played, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_tournament_is_told_from_a_tuning_run_and_from_damage() {
        let pairs = |value| read(value).unwrap().tournament().map(|head| head.pairs);
        assert_eq!(pairs(json!({"format": "match", "pairs": 3})), Some(Some(3)));
        assert_eq!(pairs(json!({"method": "spsa", "games": {"format": "match"}})), None);
        for (damaged, key) in [
            (json!({"format": "madch"}), "format"),
            (json!({"format": "match", "pairs": -1}), "pairs"),
            (json!({"format": "match", "engines": [{}, {"limits": {"nodes": "x"}}]}), "engines[1].limits.nodes"),
            (json!({"games": {"format": 1}}), "games.format"),
        ] {
            let message = read(damaged).unwrap_err();
            assert!(message.starts_with(&format!("its spec's {key} cannot be read: ")), "{message}");
        }
        assert!(read(Value::Null).is_err());
    }

    #[test]
    fn a_head_is_written_as_it_was_read() {
        for value in [
            json!({"name": "", "format": "match", "unknown": [1, null], "engines": [{"name": "a", "options": {},
                "limits": {"nodes": 5}, "program": {"command": "x", "translate": true}}]}),
            json!({"method": "spsa", "games": {"name": "", "format": "match", "engines": []}}),
        ] {
            assert_eq!(serde_json::to_string(&read(value.clone()).unwrap()).unwrap(), value.to_string());
        }
    }
}
