//! The header of a journal: what is being played, complete enough to report on it without the spec's files.

use std::fmt;
use std::str::FromStr;

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::Session;
use reynard_engine::session::registry::AnyRuleset;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) use super::header_spec::HeaderSpec;

/// The version of the journal's format.
pub(crate) const VERSION: u32 = 1;

/// The first line of a journal. Two journals belong together exactly when their headers differ at most in the shard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalHeader {
    /// [`VERSION`] at the time of writing.
    pub version: u32,
    /// Name, version and a checksum of all defaults and rulesets, for example `reynard 0.1.0 (0123abcd)`.
    pub program: String,
    /// The spec of what is played, with everything that can change a game: that of a tournament in its canonical form,
    /// or for example that of a tuning run, which alone knows what it means.
    pub spec: HeaderSpec,
    /// The rulesets that are played; games name them by index.
    pub rulesets: Vec<RulesetHeader>,
    /// Names, by index.
    pub engines: Vec<String>,
    /// The part of the games that this journal has; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl JournalHeader {
    /// What the tournament is called; `None` without a name.
    pub fn name(&self) -> Option<&str> {
        self.spec["name"].as_str().filter(|name| !name.is_empty())
    }
}

/// What a report needs to know of a ruleset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RulesetHeader {
    pub label: String,
    /// Sixteen hexadecimal digits; `None` for a game that only engines knew, in old journals.
    pub fingerprint: Option<String>,
    /// The start position's text.
    pub start: String,
    /// By seat.
    pub seats: [SeatHeader; 2],
    /// Whether dice are rolled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dice: bool,
    /// As `query board` gives it; null where the journal has no rules.
    pub board: Value,
    /// Every rule in force, so that games can be replayed without the ruleset's file; null where an old journal has
    /// none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub rules: Value,
}

impl RulesetHeader {
    /// That of a session at its start, of a game of two.
    pub(crate) fn of(session: &dyn Session, label: &str) -> RulesetHeader {
        let seat = |seat| SeatHeader {
            name: session.game().seat_name(seat).to_owned(),
            role: session.game().role(seat).to_owned(),
        };
        RulesetHeader {
            label: label.to_owned(),
            fingerprint: Some(fingerprint_text(session)),
            start: session.start_text(),
            seats: [Seat::P1, Seat::P2].map(seat),
            dice: session.turn() == Turn::Chance,
            board: json!(session.game().board),
            rules: session.game().rules.clone(),
        }
    }

    /// The rules as a ruleset file says them; `None` where the journal has none.
    pub fn rules_text(&self) -> Option<String> {
        let mut rules = self.rules.as_object()?.clone();
        // Follows from the rest.
        rules.shift_remove("fingerprint");
        Some(Value::Object(rules).to_string())
    }

    /// A session of these rules, if they are still the rules that were played.
    pub fn open(&self) -> Option<Box<dyn Session>> {
        let session = AnyRuleset::read(&self.label, &self.rules_text()?, &[]).ok()?.open();
        self.has_rules_of(&*session).then_some(session)
    }

    /// Whether a session plays by these rules.
    pub(crate) fn has_rules_of(&self, session: &dyn Session) -> bool {
        self.fingerprint.as_ref() == Some(&fingerprint_text(session))
    }
}

fn fingerprint_text(session: &dyn Session) -> String {
    format!("{:016x}", session.game().fingerprint)
}

/// One seat of a ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatHeader {
    /// What the ruleset calls the side, for example `hounds`.
    pub name: String,
    /// `fox`, `geese`, or `p1`, `p2` elsewhere.
    pub role: String,
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
