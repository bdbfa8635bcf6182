//! The keys of a ruleset file of The Game and their values.

use serde::{Deserialize, Serialize};

use crate::rules::ruleset::{Family, FamilyKeys, OneOrMany};

/// When pieces enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// In each of its first five turns a player must bring a piece in, if it can; later it may.
    FirstTurns,
    /// A player may enter or move in any turn.
    AnyTurn,
}

/// Whether pieces may end a move on their own Basis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnToBasis {
    Always,
    /// Only while a piece is still off the board.
    UntilAllEntered,
}

/// What goes first when the own Basis must be left and pieces are still to enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BasisDuty {
    /// In the first five turns a legal entry goes before leaving.
    EntriesFirst,
    LeavingFirst,
}

/// What the third occurrence of a position means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepetitionKey {
    Draw,
    None,
}

/// Every key of a ruleset file; a key that is not set keeps the value of the ruleset it extends.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub size: Option<u8>,
    pub basis: Option<OneOrMany<String>>,
    pub blocked: Option<OneOrMany<String>>,
    pub min_steps: Option<u8>,
    pub distinct_route: Option<bool>,
    pub stack_limit: Option<u8>,
    pub basis_limit: Option<u8>,
    pub entry: Option<Entry>,
    pub basis_duty: Option<BasisDuty>,
    pub return_to_basis: Option<ReturnToBasis>,
    pub immobile_loses: Option<bool>,
    pub repetition: Option<RepetitionKey>,
}

impl FamilyKeys for Keys {
    const FAMILY: Family = Family::TheGame;

    fn merge(&mut self, other: Keys) {
        macro_rules! take {
            ($($key:ident)*) => {$( if other.$key.is_some() { self.$key = other.$key; } )*};
        }
        take!(size basis blocked min_steps distinct_route stack_limit basis_limit entry basis_duty return_to_basis
            immobile_loses repetition);
    }

    fn allowed(key: &str) -> Option<&'static str> {
        match key {
            "size" => Some("a number from 5 to 16"),
            "basis" => Some("the squares of player 1 and player 2"),
            "blocked" => Some("a list of squares"),
            "min_steps" => Some("a number from 1 to 5"),
            "stack_limit" | "basis_limit" => Some("a number from 0 (no limit) to 5"),
            "entry" => Some("'first_turns' or 'any_turn'"),
            "basis_duty" => Some("'entries_first' or 'leaving_first'"),
            "return_to_basis" => Some("'always' or 'until_all_entered'"),
            "repetition" => Some("'draw' or 'none'"),
            "distinct_route" | "immobile_loses" => Some("true or false"),
            _ => None,
        }
    }
}
