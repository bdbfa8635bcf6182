//! A ruleset of the goose family as data: what a file may say, and what it means when all is said.

use serde::Serialize;

use crate::rules::MAX_SEATS;
use crate::rules::ruleset::{self, Heading, RulesetError};

use super::keys::{BackGoose, CountersKey, Finish, Keys, MAX_TURNS, NineRule, Prison, Well};
use super::position::MAX_COUNTERS;

/// The most counters that one player may have.
const MAX_TEAM: u64 = 4;
/// The largest stake.
const MAX_ANTE: u64 = 1000;

/// A complete and consistent ruleset of the goose family.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset {
    pub heading: Heading,
    pub rules: Rules,
}

/// Every key in force that decides how the game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rules {
    pub players: u8,
    /// Each die moves a counter of the roller's choice.
    pub team: bool,
    /// Counters of each player.
    pub counters: u8,
    /// What everybody pays into the pot at the start.
    pub ante: u16,
    pub finish: Finish,
    pub back_goose: BackGoose,
    pub nine_rule: NineRule,
    /// Turns that the inn costs.
    pub inn: u8,
    pub well: Well,
    pub prison: Prison,
    /// Whether a counter that lands on another sends it to where the move began; else counters ignore each other.
    pub exchange: bool,
}

impl Ruleset {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, or keys contradict each other; the error names file, key
    /// and what is allowed.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let (heading, keys) = ruleset::read::<Keys>(label, text, switches)?;
        let rules = resolve(&keys).and_then(checked);
        let rules = rules.map_err(|(key, message)| RulesetError::key(label, key, message))?;
        Ok(Ruleset { heading, rules })
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`Ruleset::from_text`].
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        Ruleset::from_text(name, ruleset::catalog_text(name)?, switches)
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.rules)
    }
}

/// A key to change, and why.
type Complaint = (&'static str, String);

fn resolve(keys: &Keys) -> Result<Rules, Complaint> {
    let players = number("players", keys.players.unwrap_or(2), 2, MAX_SEATS as u64)?;
    let team = keys.team.unwrap_or(false);
    Ok(Rules {
        players: players as u8,
        team,
        counters: counters(keys.counters.unwrap_or(CountersKey::Auto), players, team)?,
        ante: number("ante", keys.ante.unwrap_or(1), 0, MAX_ANTE)? as u16,
        finish: keys.finish.unwrap_or(Finish::EitherDie),
        back_goose: keys.back_goose.unwrap_or(BackGoose::Sum),
        nine_rule: keys.nine_rule.unwrap_or(if team { NineRule::Off } else { NineRule::FirstThrow }),
        inn: number("inn", keys.inn.unwrap_or(1), 0, MAX_TURNS)? as u8,
        well: keys.well.unwrap_or(Well::TwoTurns),
        prison: keys.prison.unwrap_or(Prison::UntilRelieved),
        exchange: keys.exchange.unwrap_or(true),
    })
}

fn number(key: &'static str, value: u64, least: u64, most: u64) -> Result<u64, Complaint> {
    match (least..=most).contains(&value) {
        true => Ok(value),
        false => Err((key, format!("{value} is not allowed; a number from {least} to {most} is"))),
    }
}

fn counters(key: CountersKey, players: u64, team: bool) -> Result<u8, Complaint> {
    let most = if team { MAX_TEAM.min(MAX_COUNTERS as u64 / players) } else { 1 };
    match key {
        CountersKey::Auto if players > MAX_TEAM => Ok(most.min(2) as u8),
        CountersKey::Auto => Ok(most as u8),
        CountersKey::Number(value) => number("counters", value, 1, most).map(|value| value as u8),
    }
}

/// Refuses keys that do not go together.
fn checked(rules: Rules) -> Result<Rules, Complaint> {
    let complaint = if rules.team && rules.nine_rule != NineRule::Off {
        Some(("nine_rule", "the game with 'team': true has no first-roll rule; only 'off' is allowed"))
    } else if rules.team && rules.finish == Finish::SumOnly {
        Some(("finish", "with 'team': true each die is a move of its own; only 'either_die' is allowed"))
    } else if !rules.exchange && rules.prison == Prison::UntilRelieved {
        Some(("exchange", "false needs a 'prison' of so many turns, for nobody could ever be relieved"))
    } else {
        None
    };
    complaint.map_or(Ok(rules), |(key, message)| Err((key, message.to_owned())))
}
