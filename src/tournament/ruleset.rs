//! A ruleset of a tournament: what the journal's head says of it, and how to open it.

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, AnyRuleset, OpenError, RulesetChoice};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

/// One of the games of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ruleset {
    /// The name for people, with the switches where there are any; unique among the rulesets of a tournament.
    pub label: String,
    /// Sixteen hexadecimal digits; `None` for a game that only engines knew, in old journals.
    pub fingerprint: Option<String>,
    /// The start position's text.
    pub start: String,
    /// By seat.
    pub seats: [SeatNames; 2],
    /// Whether a game begins with a roll of the dice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dice: bool,
    /// As `query board` gives it; null where the journal has no rules.
    pub board: Value,
    /// Every rule in force, so that games can be replayed without the ruleset's file; null where an old journal has
    /// none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub rules: Value,
    /// How the spec names the rules; `None` where they come from a journal.
    #[serde(skip)]
    pub choice: Option<RulesetChoice>,
}

/// What a seat of a ruleset is called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatNames {
    /// What the ruleset calls the side, for example `hounds`.
    pub name: String,
    /// `fox`, `geese`, or `p1`, `p2` elsewhere.
    pub role: String,
}

/// Why a ruleset cannot be played in a tournament.
#[derive(Debug, Error)]
pub enum RulesetError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("'{ruleset}' has {seats} seat{}; expected a game of two{hint}", if *seats == 1 { "" } else { "s" })]
    Seats { ruleset: String, seats: usize, hint: &'static str },
    #[error("'{0}' is not known to this program as it was played")]
    Changed(String),
}

impl Ruleset {
    /// Compiles the rules.
    ///
    /// # Errors
    /// There are no such rules, or they are not for two.
    pub fn new(choice: RulesetChoice) -> Result<Ruleset, RulesetError> {
        let session = registry::open(&choice)?;
        let game = session.game();
        let (ruleset, seats) = (game.ruleset.clone(), game.seats.len());
        if seats != 2 {
            let hint = match seats {
                1 => " (puzzles are for `reynard solve`)",
                _ if game.rules.get("players").is_some() => " (set players to 2)",
                _ => "",
            };
            return Err(RulesetError::Seats { ruleset, seats, hint });
        }
        let switches = choice.switches.iter().map(|(name, value)| format!(" {name}={value}"));
        let label = std::iter::once(ruleset).chain(switches).collect();
        Ok(Ruleset { choice: Some(choice), ..Ruleset::of(&*session, label) })
    }

    /// The ruleset of a session at its start, of a game of two.
    fn of(session: &dyn Session, label: String) -> Ruleset {
        let seat = |seat| SeatNames {
            name: session.game().seat_name(seat).to_owned(),
            role: session.game().role(seat).to_owned(),
        };
        Ruleset {
            label,
            fingerprint: Some(fingerprint_text(session)),
            start: session.start_text(),
            seats: [Seat::P1, Seat::P2].map(seat),
            dice: session.turn() == Turn::Chance,
            board: json!(session.game().board),
            rules: session.game().rules.clone(),
            choice: None,
        }
    }

    /// One without rules, for tests.
    #[cfg(test)]
    pub(crate) fn unknown(label: &str, seats: [SeatNames; 2]) -> Ruleset {
        Ruleset {
            label: label.to_owned(),
            fingerprint: None,
            start: String::new(),
            seats,
            dice: false,
            board: Value::Null,
            rules: Value::Null,
            choice: None,
        }
    }

    /// What external engines know the ruleset as, their `UCI_Variant`.
    pub fn variant(&self) -> &str {
        self.rules["name"].as_str().unwrap_or(&self.label)
    }

    /// The rules as a ruleset file says them; `None` where the journal has none.
    pub fn rules_text(&self) -> Option<String> {
        let mut rules = self.rules.as_object()?.clone();
        // Follows from the rest.
        rules.shift_remove("fingerprint");
        Some(Value::Object(rules).to_string())
    }

    /// The rules, compiled.
    ///
    /// # Errors
    /// The ruleset's file is gone or has changed; a ruleset of a journal has no rules, or other ones in this program.
    pub fn compiled(&self) -> Result<AnyRuleset, RulesetError> {
        if let Some(choice) = &self.choice {
            return Ok(registry::read(choice)?);
        }
        let rules = self.rules_text().and_then(|text| AnyRuleset::read(&self.label, &text, &[]).ok());
        let rules = rules.filter(|rules| self.has_rules_of(&*rules.open()));
        rules.ok_or_else(|| RulesetError::Changed(self.label.clone()))
    }

    /// A session at the start position.
    ///
    /// # Errors
    /// See [`compiled`](Self::compiled).
    pub fn session(&self) -> Result<Box<dyn Session>, RulesetError> {
        Ok(self.compiled()?.open())
    }

    /// Whether a session plays by these rules.
    pub(crate) fn has_rules_of(&self, session: &dyn Session) -> bool {
        self.fingerprint.as_ref() == Some(&fingerprint_text(session))
    }
}

/// The fingerprint of a session's rules as it is written.
pub(crate) fn fingerprint_text(session: &dyn Session) -> String {
    format!("{:016x}", session.game().fingerprint)
}
