//! The keys of a ruleset file of the goose family and their values.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::rules::ruleset::{Family, FamilyKeys};

macro_rules! key_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant),* }
    };
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

/// The longest stay that a file may name, in turns.
pub(super) const MAX_TURNS: u64 = 99;

/// How long the prison holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub enum Prison {
    UntilRelieved,
    /// So many own turns.
    Turns(u8),
}

impl TryFrom<Value> for Prison {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_u64(), value.as_str()) {
            (_, Some("until_relieved")) => Ok(Prison::UntilRelieved),
            (Some(turns), _) if turns <= MAX_TURNS => Ok(Prison::Turns(turns as u8)),
            _ => Err(format!("{value} is not allowed; 'until_relieved' or a number of turns from 0 to {MAX_TURNS} is")),
        }
    }
}

impl Serialize for Prison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Prison::UntilRelieved => serializer.serialize_str("until_relieved"),
            Prison::Turns(turns) => serializer.serialize_u8(*turns),
        }
    }
}

/// How many counters each player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum CountersKey {
    /// One in the classical game; in the team game four, or two where five or more play.
    Auto,
    Number(u64),
}

impl TryFrom<Value> for CountersKey {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_u64(), value.as_str()) {
            (_, Some("auto")) => Ok(CountersKey::Auto),
            (Some(number), _) => Ok(CountersKey::Number(number)),
            _ => Err(format!("{value} is not allowed; 'auto' or a number is")),
        }
    }
}

/// Every key of a ruleset file; a key that is not set keeps the value of the ruleset it extends.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub players: Option<u64>,
    pub team: Option<bool>,
    pub counters: Option<CountersKey>,
    pub ante: Option<u64>,
    pub finish: Option<Finish>,
    pub back_goose: Option<BackGoose>,
    pub nine_rule: Option<NineRule>,
    pub inn: Option<u64>,
    pub well: Option<Well>,
    pub prison: Option<Prison>,
    pub exchange: Option<bool>,
}

impl FamilyKeys for Keys {
    const FAMILY: Family = Family::Goose;

    fn merge(&mut self, other: Keys) {
        macro_rules! take {
            ($($key:ident)*) => {$( if other.$key.is_some() { self.$key = other.$key; } )*};
        }
        take!(players team counters ante finish back_goose nine_rule inn well prison exchange);
    }

    fn allowed(key: &str) -> Option<&'static str> {
        match key {
            "players" => Some("a number from 2 to 8"),
            "ante" => Some("a number from 0 to 1000"),
            "inn" => Some("a number of turns from 0 to 99"),
            "team" | "exchange" => Some("true or false"),
            _ => None,
        }
    }
}
