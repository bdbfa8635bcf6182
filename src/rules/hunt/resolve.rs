//! From the keys of a file to the rules in force.

use crate::geometry::Board;
use crate::rules::ruleset::{BoardKey, Heading, OneOrMany, RulesetError, names_of, points_of};

use super::keys::{
    AttackerMoves, Capture, DirectionName, FillRule, First, FoxDiagonal, FoxStart, FoxZone, GeeseKey, GeeseStuck, Huff,
    Keys, RepetitionKey, WinsBelow,
};
use super::ruleset::{Rules, Ruleset};
use super::setup;

/// Fills in defaults and checks every key by itself.
pub(super) struct Resolver<'a> {
    /// The name of the file in errors.
    pub file: &'a str,
}

impl Resolver<'_> {
    fn error(&self, key: &str, message: impl Into<String>) -> RulesetError {
        RulesetError::key(self.file, key, message)
    }

    pub(super) fn resolve(
        &self,
        heading: Heading,
        keys: Keys,
        switches: &[(String, String)],
    ) -> Result<Ruleset, RulesetError> {
        let board_key = keys.board.clone().unwrap_or(BoardKey::Shape("cross33".into()));
        let board = board_key.board().map_err(|message| self.error("board", message))?;
        let rules = self.rules(keys.clone(), board_key, &board)?;
        Ok(Ruleset { heading, board, rules, switches: switches.to_vec() })
    }

    /// Checks point names and writes them canonically, in board order.
    fn points(&self, key: &str, board: &Board, names: &[String]) -> Result<Vec<String>, RulesetError> {
        let set = points_of(board, names).map_err(|message| self.error(key, message))?;
        Ok(names_of(board, set))
    }

    fn rules(&self, keys: Keys, board_key: BoardKey, board: &Board) -> Result<Rules, RulesetError> {
        let geese_key = keys.geese.clone().unwrap_or(GeeseKey::Number(15));
        let geese = self.geese(board, &geese_key)?;
        Ok(Rules {
            board: board_key,
            fox_side: keys.fox_side.unwrap_or_else(|| "fox".into()),
            geese_side: keys.geese_side.unwrap_or_else(|| "geese".into()),
            foxes: keys.foxes.unwrap_or(1),
            fox_start: self.fox_start(keys.fox_start, board, &geese_key)?,
            fox_zone: keys.fox_zone.unwrap_or(FoxZone::Any),
            geese,
            drops: keys.drops.unwrap_or(0),
            first: keys.first.unwrap_or(First::Geese),
            goose_moves: goose_moves(keys.goose_moves),
            attacker_moves: keys.attacker_moves.unwrap_or(AttackerMoves::None),
            fox_diagonal: keys.fox_diagonal.unwrap_or(FoxDiagonal::Full),
            fox_captures: keys.fox_captures.unwrap_or(true),
            chain: keys.chain.unwrap_or(true),
            capture: keys.capture.unwrap_or(Capture::Optional),
            forced_chain: keys.forced_chain.unwrap_or(false),
            huff: keys.huff.unwrap_or(Huff::None),
            huff_partial_chain: keys.huff_partial_chain.unwrap_or(false),
            fox_wins_below: match keys.fox_wins_below.unwrap_or(WinsBelow::Number(3)) {
                WinsBelow::Number(number) => number,
                WinsBelow::Auto => board.fewest_to_immobilise(),
            },
            geese_stuck: keys.geese_stuck.unwrap_or(GeeseStuck::Lose),
            first_move_forward: keys.first_move_forward.unwrap_or(false),
            repetition: keys.repetition.unwrap_or(RepetitionKey::Draw),
            no_progress: keys.no_progress.unwrap_or(0),
            fox_home_wins: keys.fox_home_wins.unwrap_or(false),
            fortress: self.points("fortress", board, &keys.fortress.unwrap_or_default())?,
            fill_rule: keys.fill_rule.unwrap_or(FillRule::AttackersOnly),
        })
    }

    fn geese(&self, board: &Board, key: &GeeseKey) -> Result<Vec<String>, RulesetError> {
        let names = match key {
            GeeseKey::Points(names) => names.clone(),
            GeeseKey::Number(number) => setup::geese(board, *number).ok_or_else(|| {
                let allowed = "13, 15, 17 and 22 on the 33-point cross, or a list of points";
                self.error(
                    "geese",
                    format!("there is no set-up of {number} geese on this board; allowed are {allowed}"),
                )
            })?,
        };
        self.points("geese", board, &names)
    }

    fn fox_start(&self, key: Option<FoxStart>, board: &Board, geese: &GeeseKey) -> Result<FoxStart, RulesetError> {
        let names = match key.unwrap_or(FoxStart::Centre) {
            FoxStart::Choose => return Ok(FoxStart::Choose),
            FoxStart::Points(names) => self.points("fox_start", board, &names)?,
            FoxStart::Centre => {
                let point = setup::fox_point(board, geese).ok_or_else(|| {
                    self.error("fox_start", "this board has no centre; a list of points or 'choose' is allowed")
                })?;
                vec![board.name(point)]
            }
        };
        Ok(FoxStart::Points(OneOrMany(names)))
    }
}

/// The directions in a fixed order, each once.
fn goose_moves(key: Option<OneOrMany<DirectionName>>) -> Vec<DirectionName> {
    let default = || vec![DirectionName::Forward, DirectionName::ForwardDiagonal, DirectionName::Sideways];
    let mut moves = key.map_or_else(default, |moves| moves.0);
    moves.sort();
    moves.dedup();
    moves
}
