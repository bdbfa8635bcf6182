//! The keys of a ruleset of The Game, their checks and their defaults, some of which depend on other keys.

use schemars::JsonSchema;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::geometry::{parse_place, place_name};
use crate::rules::ruleset::{self, Family, FamilyRules, Number, OneOrMany, Plain, RefusedKey, key_enum};

/// A complete and consistent ruleset of The Game.
pub type Ruleset = ruleset::Ruleset<Rules>;

/// Every key that decides how the game is played. Once the ruleset has been read, squares have their canonical names,
/// in board order where the order means nothing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Who makes the first move.
    pub first: First,
    /// The number of files and of ranks of the board.
    #[serde(with = "Number::<5, 16>")]
    pub size: u8,
    /// The Basis squares of player 1 and of player 2; the defaults are a1 and the far corner, whatever the size.
    #[serde(deserialize_with = "two_squares")]
    pub basis: [String; 2],
    /// Squares that no piece may pass or end on.
    #[serde(with = "OneOrMany::<String>")]
    pub blocked: Vec<String>,
    /// The fewest steps of a move; the most are five.
    #[serde(with = "Number::<1, 5>")]
    pub min_steps: u8,
    /// Whether all squares of a route must be distinct.
    pub distinct_route: bool,
    /// The most own pieces on a square; 0 for any number.
    #[serde(with = "Number::<0, 5>")]
    pub stack_limit: u8,
    /// The most own pieces on the own Basis; 0 for any number.
    #[serde(with = "Number::<0, 5>")]
    pub basis_limit: u8,
    /// When pieces may or must enter.
    pub entry: Entry,
    /// Which duty comes first, in the first five turns, when the own Basis must be left and an entry is legal.
    pub basis_duty: BasisDuty,
    /// Whether a piece may end a move on its own Basis.
    pub return_to_basis: ReturnToBasis,
    /// Whether a player loses who has no legal entry and whose pieces on the board are all neutralised.
    pub immobile_loses: bool,
    /// What the third occurrence of a position means.
    pub repetition: RepetitionKey,
}

/// The default rules are those of `the-game`.
impl Default for Rules {
    fn default() -> Self {
        Rules {
            first: First::Player1,
            size: 8,
            basis: ["a1".into(), "h8".into()],
            blocked: Vec::new(),
            min_steps: 5,
            distinct_route: false,
            stack_limit: 0,
            basis_limit: 0,
            entry: Entry::FirstTurns,
            basis_duty: BasisDuty::EntriesFirst,
            return_to_basis: ReturnToBasis::Always,
            immobile_loses: false,
            repetition: RepetitionKey::Draw,
        }
    }
}

key_enum!(
    /// Who makes the first move.
    First {
        /// Player 1.
        #[serde(rename = "player_1")]
        Player1,
        /// Player 2.
        #[serde(rename = "player_2")]
        Player2,
        /// The one on whom the lot falls: it is drawn before the game, and says who is player 1.
        Lot,
    }
    /// When pieces may or must enter.
    Entry {
        /// In each of the first five turns a player must bring a piece in if it can; later it may.
        FirstTurns,
        /// A player may bring a piece in or move in any turn.
        AnyTurn,
    }
    /// Whether pieces may end a move on their own Basis.
    ReturnToBasis {
        /// It may at any time.
        Always,
        /// It may only while a piece is still off the board.
        UntilAllEntered,
    }
    /// Which duty comes first when the own Basis must be left and pieces are still to enter.
    BasisDuty {
        /// The entry comes first.
        EntriesFirst,
        /// Leaving the Basis comes first.
        LeavingFirst,
    }
    /// What the third occurrence of a position means.
    RepetitionKey {
        /// The game is drawn.
        Draw,
        /// The game goes on.
        None,
    }
);

fn two_squares<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[String; 2], D::Error> {
    let squares: Vec<String> = OneOrMany::deserialize(deserializer)?;
    squares.try_into().map_err(|squares: Vec<String>| {
        let given = squares.len();
        D::Error::custom(format!("{given} squares are given, but two are needed: player 1's and player 2's"))
    })
}

impl FamilyRules for Rules {
    const FAMILY: Family = Family::TheGame;
    const ADDED: &'static [&'static str] = &["first"];

    fn settle(ruleset: &mut Ruleset, given: &Map<String, Value>) -> Result<(), RefusedKey> {
        let rules = &mut ruleset.rules;
        if !given.contains_key("basis") {
            rules.basis[1] = place_name((rules.size - 1, rules.size - 1));
        }
        let basis = squares("basis", rules.size, &rules.basis)?;
        let mut blocked = squares("blocked", rules.size, &rules.blocked)?;
        if let Some(&square) = blocked.iter().find(|square| basis.contains(square)) {
            let message = format!("'{}' is a Basis square, which cannot be blocked", place_name(square));
            return Err(RefusedKey::new("blocked", message));
        }
        blocked.sort_by_key(|&(file, rank)| (rank, file));
        rules.basis = [place_name(basis[0]), place_name(basis[1])];
        rules.blocked = blocked.into_iter().map(place_name).collect();
        Ok(())
    }
}

impl Rules {
    /// Whether the board needs more than 64 squares.
    pub fn is_wide(&self) -> bool {
        self.size > 8
    }
}

/// The squares with these names, each of which must be on the board and named once.
fn squares(key: &str, size: u8, names: &[String]) -> Result<Vec<(u8, u8)>, RefusedKey> {
    let mut squares = Vec::new();
    for name in names {
        let square = parse_square(name, size).ok_or_else(|| {
            let corner = place_name((size - 1, size - 1));
            RefusedKey::new(key, format!("'{name}' is not a square of the board, which reaches from a1 to {corner}"))
        })?;
        if squares.contains(&square) {
            return Err(RefusedKey::new(key, format!("square '{name}' is listed twice")));
        }
        squares.push(square);
    }
    Ok(squares)
}

/// The zero-based file and rank of a name in any case, on a board of this size.
pub(super) fn parse_square(name: &str, size: u8) -> Option<(u8, u8)> {
    parse_place(name).filter(|&(file, rank)| file < size && rank < size)
}
