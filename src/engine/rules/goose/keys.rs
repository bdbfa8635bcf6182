//! The keys of a goose ruleset: their names, values and defaults.

use serde::{Deserialize, Serialize};

use crate::rules::ruleset::{key_enum, number, number_or_auto};

/// Every key that decides how the game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    #[serde(deserialize_with = "number::<2, 8, _, _>")]
    pub players: u8,
    /// Each die moves a counter of the roller's choice.
    pub team: bool,
    /// Counters of each player; `auto` becomes one in the classical game, in the team game four, or two where five or
    /// more play.
    #[serde(deserialize_with = "number_or_auto")]
    pub counters: u32,
    /// What everybody pays into the pot at the start.
    #[serde(deserialize_with = "number::<0, 1000, _, _>")]
    pub ante: u16,
    pub finish: Finish,
    pub back_goose: BackGoose,
    /// Off in the team game unless it is given.
    pub nine_rule: NineRule,
    /// Turns that the inn costs.
    #[serde(deserialize_with = "number::<0, 99, _, _>")]
    pub inn: u8,
    pub well: Well,
    pub prison: Prison,
    /// Whether a counter that lands on another sends it to where the move began; else counters ignore each other.
    pub exchange: bool,
}

/// The rules of `goose`.
impl Default for Rules {
    fn default() -> Self {
        Rules {
            players: 2,
            team: false,
            counters: 0,
            ante: 1,
            finish: Finish::EitherDie,
            back_goose: BackGoose::Sum,
            nine_rule: NineRule::FirstThrow,
            inn: 1,
            well: Well::TwoTurns,
            prison: Prison::UntilRelieved,
            exchange: true,
        }
    }
}

key_enum!(
    /// What may bring a counter exactly to the last field.
    Finish {
        /// Either die alone, without the help of geese, or the sum.
        EitherDie,
        SumOnly,
    }
);
key_enum!(
    /// By how much a counter goes back again from a goose that it landed on going back.
    BackGoose {
        Sum,
        /// By what the roll was too much for the last field.
        Surplus,
    }
);
key_enum!(
    /// When 6+3 goes to 26 and 5+4 to 53.
    NineRule { FirstThrow, WheneverOnStart, Off }
);
key_enum!(
    /// How long the well holds.
    Well { TwoTurns, UntilRelieved }
);

/// How long the prison holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "expected 'until_relieved' or a number of turns from 0 to 99")]
pub enum Prison {
    UntilRelieved,
    /// So many own turns.
    #[serde(untagged)]
    Turns(#[serde(deserialize_with = "number::<0, 99, _, _>")] u8),
}
