//! Checks the keys of a ruleset of The Game and works out those that depend on others.

use serde_json::{Map, Value};

use super::keys::Rules;
use crate::geometry::{parse_place, place_name};
use crate::rules::ruleset::{self, Family, FamilyRules, RefusedKey};

/// A complete and consistent ruleset of The Game.
pub type Ruleset = ruleset::Ruleset<Rules>;

impl FamilyRules for Rules {
    const FAMILY: Family = Family::TheGame;

    fn settle(ruleset: &mut Ruleset, given: &Map<String, Value>) -> Result<(), RefusedKey> {
        let rules = &mut ruleset.rules;
        if !given.contains_key("basis") {
            rules.basis[1] = place_name((rules.size - 1, rules.size - 1));
        }
        let basis = squares("basis", rules.size, &rules.basis)?;
        let mut blocked = squares("blocked", rules.size, &rules.blocked)?;
        if let Some(&square) = blocked.iter().find(|square| basis.contains(square)) {
            let message = format!("'{}' is a Basis square, which cannot be blocked", place_name(square));
            return Err(("blocked", message));
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

/// The squares of a list of names, each on the board and named once.
fn squares(key: &'static str, size: u8, names: &[String]) -> Result<Vec<(u8, u8)>, RefusedKey> {
    let mut squares = Vec::new();
    for name in names {
        let square = parse_square(name, size).ok_or_else(|| {
            let corner = place_name((size - 1, size - 1));
            (key, format!("'{name}' is not a square of the board, which reaches from a1 to {corner}"))
        })?;
        if squares.contains(&square) {
            return Err((key, format!("square '{name}' is listed twice")));
        }
        squares.push(square);
    }
    Ok(squares)
}

/// The zero-based file and rank of a name in any case, on a board of this size.
pub(super) fn parse_square(name: &str, size: u8) -> Option<(u8, u8)> {
    parse_place(name).filter(|&(file, rank)| file < size && rank < size)
}
