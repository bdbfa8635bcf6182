//! The keys of a ruleset file and their values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rules::ruleset::{BoardKey, Family, FamilyKeys, OneOrMany, point_names};

macro_rules! key_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant),* }
    };
}

key_enum!(
    /// Directions of a goose's step, always along lines.
    DirectionName { Forward, ForwardDiagonal, Sideways, Backward, BackwardDiagonal }
);
key_enum!(
    /// How an attacker of a siege game moves.
    AttackerMoves {
        /// No siege: `goose_moves` holds.
        None,
        /// Forward, and sideways towards the fortress where no forward line leads on.
        ForwardPlusEdge,
        ForwardSideways,
        /// Every step outside comes nearer to the fortress.
        ShortestPath,
        Any,
    }
);
key_enum!(
    /// What the fox side may do along diagonal lines.
    FoxDiagonal { Full, CaptureOnly, None }
);
key_enum!(
    /// Whether a possible jump must be made.
    Capture { Optional, Forced }
);
key_enum!(
    /// The penalty for not jumping.
    Huff { None, AddGoose, AddGooseHome, RemoveFox }
);
key_enum!(
    /// What becomes of geese without a move.
    GeeseStuck { Lose, Pass }
);
key_enum!(
    /// What the third occurrence of a position means.
    RepetitionKey { Draw, GeeseLose, FoxLoses, None }
);
key_enum!(
    /// Which side makes the first move after any placement.
    First { Geese, Fox }
);
key_enum!(
    /// Which pieces fill a fortress.
    FillRule { AttackersOnly, AnyPiece }
);
key_enum!(
    /// Where the fox side may be placed.
    FoxZone { Any, Fortress }
);

/// The geese at the start: a named set-up by its number, or points.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum GeeseKey {
    Number(u64),
    Points(Vec<String>),
}

impl TryFrom<Value> for GeeseKey {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value.as_u64() {
            Some(number) => Ok(GeeseKey::Number(number)),
            None => point_names(value)
                .map(GeeseKey::Points)
                .map_err(|error| format!("{error}; allowed are 13, 15, 17, 22 or a list of points")),
        }
    }
}

/// Where the fox side starts.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub enum FoxStart {
    Centre,
    /// The fox side places its pieces by choice.
    Choose,
    Points(OneOrMany<String>),
}

impl TryFrom<Value> for FoxStart {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value.as_str() {
            Some("centre") => Ok(FoxStart::Centre),
            Some("choose") => Ok(FoxStart::Choose),
            _ => point_names(value)
                .map(|points| FoxStart::Points(OneOrMany(points)))
                .map_err(|error| format!("{error}; allowed are 'centre', 'choose' or a list of points")),
        }
    }
}

impl Serialize for FoxStart {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FoxStart::Centre => serializer.serialize_str("centre"),
            FoxStart::Choose => serializer.serialize_str("choose"),
            FoxStart::Points(points) => points.serialize(serializer),
        }
    }
}

/// More geese than any board and hand hold.
const MOST_GEESE: u32 = 999;

/// The number of geese below which the fox side has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum WinsBelow {
    Number(u32),
    /// The fewest geese that can immobilise a fox anywhere on the board.
    Auto,
}

impl TryFrom<Value> for WinsBelow {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        match number {
            Some(number) if (1..=MOST_GEESE).contains(&number) => Ok(WinsBelow::Number(number)),
            None if value.as_str() == Some("auto") => Ok(WinsBelow::Auto),
            _ => Err(format!("{value} is not allowed; a number from 1 to {MOST_GEESE} or 'auto' is")),
        }
    }
}

/// Every key of a ruleset file; a key that is not set keeps the value of the ruleset it extends.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub board: Option<BoardKey>,
    pub fox_side: Option<String>,
    pub geese_side: Option<String>,
    pub foxes: Option<u32>,
    #[serde(alias = "officers_start")]
    pub fox_start: Option<FoxStart>,
    pub fox_zone: Option<FoxZone>,
    pub geese: Option<GeeseKey>,
    pub drops: Option<u32>,
    pub first: Option<First>,
    pub goose_moves: Option<OneOrMany<DirectionName>>,
    pub attacker_moves: Option<AttackerMoves>,
    pub fox_diagonal: Option<FoxDiagonal>,
    pub fox_captures: Option<bool>,
    pub chain: Option<bool>,
    pub capture: Option<Capture>,
    pub forced_chain: Option<bool>,
    pub huff: Option<Huff>,
    pub huff_partial_chain: Option<bool>,
    pub fox_wins_below: Option<WinsBelow>,
    pub geese_stuck: Option<GeeseStuck>,
    pub first_move_forward: Option<bool>,
    pub repetition: Option<RepetitionKey>,
    pub no_progress: Option<u32>,
    pub fox_home_wins: Option<bool>,
    pub fortress: Option<OneOrMany<String>>,
    pub fill_rule: Option<FillRule>,
}

impl FamilyKeys for Keys {
    const FAMILY: Family = Family::Hunt;

    fn merge(&mut self, other: Keys) {
        macro_rules! take {
            ($($key:ident)*) => {$( if other.$key.is_some() { self.$key = other.$key; } )*};
        }
        take!(board fox_side geese_side foxes fox_start fox_zone
            geese drops first goose_moves attacker_moves fox_diagonal
            fox_captures chain capture forced_chain huff huff_partial_chain
            fox_wins_below geese_stuck first_move_forward repetition no_progress fox_home_wins
            fortress fill_rule);
    }

    fn allowed(key: &str) -> Option<&'static str> {
        match key {
            "fox_side" | "geese_side" => Some("a text"),
            "foxes" | "drops" | "no_progress" => Some("a number from 0 up"),
            "fox_captures" | "chain" | "forced_chain" | "huff_partial_chain" | "first_move_forward"
            | "fox_home_wins" => Some("true or false"),
            _ => None,
        }
    }
}
