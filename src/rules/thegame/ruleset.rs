//! A ruleset of The Game as data.

use serde::Serialize;

use crate::rules::ruleset::{self, Heading, OneOrMany, RulesetError};

use super::keys::{BasisDuty, Entry, Keys, RepetitionKey, ReturnToBasis};

/// A complete and consistent ruleset of The Game.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset {
    pub heading: Heading,
    pub rules: Rules,
}

/// Every key in force that decides how the game is played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rules {
    /// Files and ranks, 5 to 16.
    pub size: u8,
    /// The Basis squares of player 1 and player 2.
    pub basis: [String; 2],
    pub blocked: Vec<String>,
    /// A move has this many steps up to five.
    pub min_steps: u8,
    /// Whether all squares of a route must be distinct.
    pub distinct_route: bool,
    /// The most own pieces on a square; 0 for any number.
    pub stack_limit: u8,
    /// The most own pieces on the own Basis; 0 for any number.
    pub basis_limit: u8,
    pub entry: Entry,
    pub basis_duty: BasisDuty,
    pub return_to_basis: ReturnToBasis,
    /// Whether a player loses whose pieces are all neutralised when no entry is legal.
    pub immobile_loses: bool,
    pub repetition: RepetitionKey,
}

/// The sizes of the board.
const SIZES: std::ops::RangeInclusive<u8> = 5..=16;
/// The most that a limit of pieces may be: with more it would limit nothing.
const MOST_PIECES: u8 = 5;

impl Ruleset {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, or a square is off the board or named twice.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let (heading, keys) = ruleset::read::<Keys>(label, text, switches)?;
        let rules = resolve(keys).map_err(|(key, message)| RulesetError::key(label, key, message))?;
        Ok(Ruleset { heading, rules })
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`Ruleset::from_text`].
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        Ruleset::from_text(name, ruleset::catalog_text(name)?, switches)
    }

    /// Whether the board needs more than 64 squares.
    pub fn is_wide(&self) -> bool {
        self.rules.size > 8
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.rules)
    }
}

/// A key and what is wrong with it.
type Refusal = (&'static str, String);

fn resolve(keys: Keys) -> Result<Rules, Refusal> {
    let size = number("size", keys.size.unwrap_or(8), SIZES)?;
    let corner = square_name((size - 1, size - 1));
    let basis = keys.basis.unwrap_or_else(|| OneOrMany(vec!["a1".into(), corner]));
    let basis = squares("basis", size, &basis)?;
    let blocked = squares("blocked", size, &keys.blocked.unwrap_or_default())?;
    let [first, second] = basis[..] else {
        let message = format!("{} squares are given, but two are needed: player 1's and player 2's", basis.len());
        return Err(("basis", message));
    };
    if let Some(&square) = blocked.iter().find(|square| basis.contains(square)) {
        return Err(("blocked", format!("'{}' is a Basis square, which cannot be blocked", square_name(square))));
    }
    let mut blocked = blocked;
    blocked.sort_by_key(|&(file, rank)| (rank, file));
    let limits = 0..=MOST_PIECES;
    Ok(Rules {
        size,
        basis: [square_name(first), square_name(second)],
        blocked: blocked.into_iter().map(square_name).collect(),
        min_steps: number("min_steps", keys.min_steps.unwrap_or(5), 1..=5)?,
        distinct_route: keys.distinct_route.unwrap_or(false),
        stack_limit: number("stack_limit", keys.stack_limit.unwrap_or(0), limits.clone())?,
        basis_limit: number("basis_limit", keys.basis_limit.unwrap_or(0), limits)?,
        entry: keys.entry.unwrap_or(Entry::FirstTurns),
        basis_duty: keys.basis_duty.unwrap_or(BasisDuty::EntriesFirst),
        return_to_basis: keys.return_to_basis.unwrap_or(ReturnToBasis::Always),
        immobile_loses: keys.immobile_loses.unwrap_or(false),
        repetition: keys.repetition.unwrap_or(RepetitionKey::Draw),
    })
}

fn number(key: &'static str, value: u8, allowed: std::ops::RangeInclusive<u8>) -> Result<u8, Refusal> {
    if allowed.contains(&value) {
        return Ok(value);
    }
    Err((key, format!("{value} is not allowed; a number from {} to {} is", allowed.start(), allowed.end())))
}

/// The squares of a list of names, each on the board and named once.
fn squares(key: &'static str, size: u8, names: &[String]) -> Result<Vec<(u8, u8)>, Refusal> {
    let mut squares = Vec::new();
    for name in names {
        let square = parse_square(name, size).ok_or_else(|| {
            let corner = square_name((size - 1, size - 1));
            (key, format!("'{name}' is not a square of the board, which reaches from a1 to {corner}"))
        })?;
        if squares.contains(&square) {
            return Err((key, format!("square '{name}' is listed twice")));
        }
        squares.push(square);
    }
    Ok(squares)
}

/// File letter and rank number of a zero-based file and rank.
pub(super) fn square_name((file, rank): (u8, u8)) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

/// The zero-based file and rank of a name in any case, on a board of this size.
pub(super) fn parse_square(name: &str, size: u8) -> Option<(u8, u8)> {
    let file = name.bytes().next()?.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < size)?;
    let digits = name.get(1..).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let rank: u8 = digits.parse().ok().filter(|rank| !digits.starts_with('0') && (1..=size).contains(rank))?;
    Some((file, rank - 1))
}
