//! The keys of a hunt ruleset: their names, values and defaults.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::rules::ruleset::{RulesetBoard, key_enum, number_or_auto, one_or_many};

/// Every key that decides how the game is played. Points are in board order once the ruleset has been read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    pub board: RulesetBoard,
    pub fox_side: String,
    pub geese_side: String,
    pub foxes: u32,
    pub fox_start: FoxStart,
    pub fox_zone: FoxZone,
    pub geese: Geese,
    pub drops: u32,
    pub first: First,
    #[serde(deserialize_with = "one_or_many")]
    pub goose_moves: Vec<DirectionName>,
    pub attacker_moves: AttackerMoves,
    pub fox_diagonal: FoxDiagonal,
    pub fox_captures: bool,
    pub chain: bool,
    pub capture: Capture,
    pub forced_chain: bool,
    pub huff: Huff,
    pub huff_partial_chain: bool,
    /// The fox side has won with fewer geese left; `auto` becomes the fewest that can immobilise a fox on the board.
    #[serde(deserialize_with = "number_or_auto")]
    pub fox_wins_below: u32,
    pub geese_stuck: GeeseStuck,
    pub first_move_forward: bool,
    pub repetition: RepetitionKey,
    pub no_progress: u32,
    pub fox_home_wins: bool,
    #[serde(deserialize_with = "one_or_many")]
    pub fortress: Vec<String>,
    pub fill_rule: FillRule,
}

/// The rules of `masters-15`.
impl Default for Rules {
    fn default() -> Self {
        Rules {
            board: RulesetBoard::default(),
            fox_side: "fox".into(),
            geese_side: "geese".into(),
            foxes: 1,
            fox_start: FoxStart::Centre,
            fox_zone: FoxZone::Any,
            geese: Geese::Number(15),
            drops: 0,
            first: First::Geese,
            goose_moves: vec![DirectionName::Forward, DirectionName::ForwardDiagonal, DirectionName::Sideways],
            attacker_moves: AttackerMoves::None,
            fox_diagonal: FoxDiagonal::Full,
            fox_captures: true,
            chain: true,
            capture: Capture::Optional,
            forced_chain: false,
            huff: Huff::None,
            huff_partial_chain: false,
            fox_wins_below: 3,
            geese_stuck: GeeseStuck::Lose,
            first_move_forward: false,
            repetition: RepetitionKey::Draw,
            no_progress: 0,
            fox_home_wins: false,
            fortress: Vec::new(),
            fill_rule: FillRule::AttackersOnly,
        }
    }
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
    Huff {
        /// There is none.
        None,
        /// The geese side puts a captured goose on any empty point, if one has been captured.
        AddGoose,
        /// The geese side puts a captured goose on an empty point of its home rows, if it can.
        AddGooseHome,
        /// A piece that could have jumped is removed.
        RemoveFox,
    }
);
key_enum!(
    /// What becomes of geese without a move.
    GeeseStuck { Lose, Pass }
);
key_enum!(
    /// What the third occurrence of a position means.
    RepetitionKey {
        /// The game is drawn.
        Draw,
        /// The geese side loses.
        GeeseLose,
        /// The fox side loses.
        FoxLoses,
        /// Nothing.
        None,
    }
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

/// Where the fox side starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "expected 'centre', 'choose' or a list of points")]
pub enum FoxStart {
    /// The centre of the board, once read a point.
    Centre,
    /// The fox side places its pieces by choice.
    Choose,
    #[serde(untagged)]
    Points(#[serde(deserialize_with = "one_or_many")] Vec<String>),
}

/// The geese at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected 13, 15, 17, 22 or a list of points")]
pub enum Geese {
    /// A set-up of the 33-point cross, once read its points.
    Number(u64),
    Points(#[serde(deserialize_with = "one_or_many")] Vec<String>),
}

/// The points.
impl Deref for Geese {
    type Target = [String];

    fn deref(&self) -> &[String] {
        match self {
            Geese::Number(_) => &[],
            Geese::Points(points) => points,
        }
    }
}
