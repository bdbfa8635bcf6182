//! A ruleset of the hunt family as data: what a file may say, and what it means when all is said.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::geometry::{Board, BoardError, Point, PointSet, SHAPE_NAMES, shape};
use crate::rules::catalog;

use super::keys::{
    AttackerMoves, BoardKey, Capture, DirectionName, FillRule, First, FoxDiagonal, FoxStart, FoxZone, GeeseKey,
    GeeseStuck, Huff, Keys, OneOrMany, RepetitionKey, WinsBelow,
};
use super::setup;

/// Why a ruleset is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesetError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}: key '{key}': {message}")]
    Key { file: String, key: String, message: String },
}

/// A complete and consistent ruleset of the hunt family.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset {
    pub name: String,
    pub title: String,
    /// Where the rules come from.
    pub source: String,
    /// One sentence about the game.
    pub about: String,
    pub board: Board,
    pub rules: Rules,
    /// The switches that were set on top of the file, as given.
    pub switches: Vec<(String, String)>,
}

/// Every key in force that decides how the game is played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rules {
    pub board: BoardKey,
    pub fox_side: String,
    pub geese_side: String,
    pub foxes: u32,
    pub fox_start: FoxStart,
    pub fox_zone: FoxZone,
    pub geese: Vec<String>,
    pub drops: u32,
    pub first: First,
    pub goose_moves: Vec<DirectionName>,
    pub attacker_moves: AttackerMoves,
    pub fox_diagonal: FoxDiagonal,
    pub fox_captures: bool,
    pub chain: bool,
    pub capture: Capture,
    pub forced_chain: bool,
    pub huff: Huff,
    pub huff_partial_chain: bool,
    pub fox_wins_below: u32,
    pub geese_stuck: GeeseStuck,
    pub first_move_forward: bool,
    pub repetition: RepetitionKey,
    pub no_progress: u32,
    pub fox_home_wins: bool,
    pub fortress: Vec<String>,
    pub fill_rule: FillRule,
}

/// How many rulesets may stand on each other's shoulders.
const MAX_EXTENDS: usize = 8;

impl Ruleset {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, keys contradict each other, or the start is impossible;
    /// the error names file, key and what is allowed.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let mut keys = read_chain(label, text, 0)?;
        for (key, value) in switches {
            if matches!(key.as_str(), "name" | "title" | "extends" | "source" | "about" | "family") {
                let message = "is no rule; a switch changes one of the rule keys".to_string();
                return Err(RulesetError::Key { file: label.into(), key: key.clone(), message });
            }
            keys.merge(read_key(label, key, switch_value(value))?);
        }
        Resolver { file: label }.resolve(keys, switches)
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`Ruleset::from_text`].
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let text = catalog::text(name).ok_or_else(|| RulesetError::File {
            file: name.into(),
            message: format!("unknown ruleset; known are {}", catalog::names().collect::<Vec<_>>().join(", ")),
        })?;
        Ruleset::from_text(name, text, switches)
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        fnv1a(serde_json::to_string(&self.rules).unwrap_or_default().as_bytes())
    }

    /// The points of a list of names that were checked when the ruleset was read.
    pub fn points(&self, names: &[String]) -> PointSet<u128> {
        names.iter().filter_map(|name| self.board.parse(name)).collect()
    }

    /// Where the foxes stand at the start; empty when they are placed by choice.
    pub fn fox_points(&self) -> PointSet<u128> {
        match &self.rules.fox_start {
            FoxStart::Points(names) => self.points(names),
            FoxStart::Centre | FoxStart::Choose => PointSet::EMPTY,
        }
    }
}

/// The 64-bit FNV-1a hash, which is fixed for all time.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The keys of a file on top of those it extends.
fn read_chain(label: &str, text: &str, depth: usize) -> Result<Keys, RulesetError> {
    let file_error = |message: String| RulesetError::File { file: label.into(), message };
    let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| file_error(error.to_string()))?;
    let mut own = Keys::default();
    for (key, value) in object {
        own.merge(read_key(label, &key, value)?);
    }
    let Some(parent) = own.extends.clone() else { return Ok(own) };
    let unknown = |message: &str| RulesetError::Key {
        file: label.into(),
        key: "extends".into(),
        message: format!("'{parent}' {message}"),
    };
    if depth >= MAX_EXTENDS {
        return Err(unknown("closes a circle or makes the chain too long (8 rulesets at most)"));
    }
    let parent_text = catalog::text(&parent).ok_or_else(|| unknown("is not a ruleset of the catalog"))?;
    let mut keys = read_chain(&parent, parent_text, depth + 1)?;
    keys.merge(own);
    Ok(keys)
}

/// One key by itself, so that an error can name it.
fn read_key(file: &str, key: &str, value: Value) -> Result<Keys, RulesetError> {
    let object = Value::Object(Map::from_iter([(key.to_string(), value)]));
    Keys::deserialize(object).map_err(|error| RulesetError::Key {
        file: file.into(),
        key: key.into(),
        message: error.to_string(),
    })
}

/// The value of a switch: JSON where it is JSON, a list where it has commas, else a string.
fn switch_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.contains(',') && !text.contains('(') => text.split(',').map(str::trim).collect(),
        Err(_) => Value::String(text.to_string()),
    }
}

/// Fills in defaults and checks the keys against each other.
struct Resolver<'a> {
    file: &'a str,
}

impl Resolver<'_> {
    fn error(&self, key: &str, message: impl Into<String>) -> RulesetError {
        RulesetError::Key { file: self.file.into(), key: key.into(), message: message.into() }
    }

    fn resolve(&self, keys: Keys, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let name = keys.name.clone().ok_or_else(|| self.error("name", "is missing"))?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            return Err(self.error("name", "letters, digits, '-', '_' and '.' are allowed, and no blanks"));
        }
        let board_key = keys.board.clone().unwrap_or(BoardKey::Shape("cross33".into()));
        let board = self.board(&board_key)?;
        let rules = self.rules(keys.clone(), board_key, &board)?;
        let ruleset = Ruleset {
            title: keys.title.unwrap_or_else(|| name.clone()),
            name,
            source: keys.source.unwrap_or_default(),
            about: keys.about.unwrap_or_default(),
            board,
            rules,
            switches: switches.to_vec(),
        };
        self.check(&ruleset)?;
        Ok(ruleset)
    }

    fn board(&self, key: &BoardKey) -> Result<Board, RulesetError> {
        match key {
            BoardKey::Shape(name) => shape(name).ok_or_else(|| {
                let allowed = SHAPE_NAMES.join(", ");
                self.error("board", format!("'{name}' is not a board; allowed are {allowed} (at most 128 cells), or an object with points and lines"))
            }),
            BoardKey::Graph { points, lines } => {
                Board::from_names(points, lines).map_err(|error: BoardError| self.error("board", error.to_string()))
            }
        }
    }

    /// Checks point names and writes them canonically, in board order.
    fn points(&self, key: &str, board: &Board, names: &[String]) -> Result<Vec<String>, RulesetError> {
        let mut set = PointSet::<u128>::EMPTY;
        for name in names {
            let point =
                board.parse(name).ok_or_else(|| self.error(key, format!("'{name}' is not a point of the board")))?;
            if set.has(point) {
                return Err(self.error(key, format!("point '{name}' is listed twice")));
            }
            set = set.with(point);
        }
        Ok(names_of(board, set))
    }

    fn rules(&self, keys: Keys, board_key: BoardKey, board: &Board) -> Result<Rules, RulesetError> {
        let geese_key = keys.geese.unwrap_or(GeeseKey::Number(15));
        let geese = match &geese_key {
            GeeseKey::Points(names) => names.as_slice().to_vec(),
            GeeseKey::Number(number) => setup::geese(board, *number).ok_or_else(|| {
                self.error("geese", format!("there is no set-up of {number} geese on this board; allowed are 13, 15, 17 and 22 on the 33-point cross, or a list of points"))
            })?,
        };
        let geese = self.points("geese", board, &geese)?;
        let fox_start = match keys.fox_start.unwrap_or(FoxStart::Centre) {
            FoxStart::Centre => {
                let point = setup::fox_point(board, &geese_key).ok_or_else(|| {
                    self.error("fox_start", "this board has no centre; a list of points or 'choose' is allowed")
                })?;
                FoxStart::Points(OneOrMany(vec![board.name(point)]))
            }
            FoxStart::Points(names) => FoxStart::Points(OneOrMany(self.points("fox_start", board, &names)?)),
            FoxStart::Choose => FoxStart::Choose,
        };
        let fox_wins_below = match keys.fox_wins_below.unwrap_or(WinsBelow::Number(3)) {
            WinsBelow::Number(number) => number,
            WinsBelow::Auto => board.fewest_to_immobilise(),
        };
        let default_moves =
            OneOrMany(vec![DirectionName::Forward, DirectionName::ForwardDiagonal, DirectionName::Sideways]);
        let mut goose_moves = keys.goose_moves.unwrap_or(default_moves).0;
        goose_moves.sort();
        goose_moves.dedup();
        Ok(Rules {
            board: board_key,
            fox_side: keys.fox_side.unwrap_or_else(|| "fox".into()),
            geese_side: keys.geese_side.unwrap_or_else(|| "geese".into()),
            foxes: keys.foxes.unwrap_or(1),
            fox_start,
            fox_zone: keys.fox_zone.unwrap_or(FoxZone::Any),
            geese,
            drops: keys.drops.unwrap_or(0),
            first: keys.first.unwrap_or(First::Geese),
            goose_moves,
            attacker_moves: keys.attacker_moves.unwrap_or(AttackerMoves::None),
            fox_diagonal: keys.fox_diagonal.unwrap_or(FoxDiagonal::Full),
            fox_captures: keys.fox_captures.unwrap_or(true),
            chain: keys.chain.unwrap_or(true),
            capture: keys.capture.unwrap_or(Capture::Optional),
            forced_chain: keys.forced_chain.unwrap_or(false),
            huff: keys.huff.unwrap_or(Huff::None),
            huff_partial_chain: keys.huff_partial_chain.unwrap_or(false),
            fox_wins_below,
            geese_stuck: keys.geese_stuck.unwrap_or(GeeseStuck::Lose),
            first_move_forward: keys.first_move_forward.unwrap_or(false),
            repetition: keys.repetition.unwrap_or(RepetitionKey::Draw),
            no_progress: keys.no_progress.unwrap_or(0),
            fox_home_wins: keys.fox_home_wins.unwrap_or(false),
            fortress: self.points("fortress", board, &keys.fortress.unwrap_or_default())?,
            fill_rule: keys.fill_rule.unwrap_or(FillRule::AttackersOnly),
        })
    }

    /// Contradictions between keys, each with the key to change.
    fn check(&self, ruleset: &Ruleset) -> Result<(), RulesetError> {
        let rules = &ruleset.rules;
        let has_fortress = !rules.fortress.is_empty();
        let foxes = ruleset.fox_points();
        let geese = ruleset.points(&rules.geese);
        let total = geese.len().saturating_add(rules.drops);
        let by_choice = rules.fox_start == FoxStart::Choose;
        let zone = match rules.fox_zone {
            FoxZone::Any => ruleset.board.all(),
            FoxZone::Fortress => ruleset.points(&rules.fortress),
        };
        let contradictions = [
            (rules.foxes == 0, "foxes", "at least 1 is needed".to_string()),
            (
                !by_choice && foxes.len() != rules.foxes,
                "fox_start",
                format!("{} point(s) for {} piece(s) of the fox side (key 'foxes')", foxes.len(), rules.foxes),
            ),
            (
                !foxes.is_disjoint(geese),
                "fox_start",
                format!("{} covered by geese at the start", names_of(&ruleset.board, foxes & geese).join(" ")),
            ),
            (
                rules.fox_zone == FoxZone::Fortress && !has_fortress,
                "fox_zone",
                "'fortress' needs the key 'fortress'".into(),
            ),
            (
                by_choice && (zone - geese).len() < rules.foxes,
                "fox_start",
                "there are too few empty points to place the fox side on".into(),
            ),
            (
                rules.attacker_moves != AttackerMoves::None && !has_fortress,
                "attacker_moves",
                "needs the key 'fortress'; without one use 'goose_moves'".into(),
            ),
            (total == 0, "geese", "the geese side needs at least one piece on the board or in 'drops'".into()),
            (
                total < rules.fox_wins_below,
                "fox_wins_below",
                format!("{} is more than the {total} pieces of the geese side, so the game would be over at the start", rules.fox_wins_below),
            ),
            (
                has_fortress && (rules.fortress.len() as u32) > total.saturating_add(self.fillers(rules)),
                "fortress",
                format!("{} points can never be filled by {total} pieces", rules.fortress.len()),
            ),
            (
                rules.drops > 0 && matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome),
                "huff",
                "cannot bring geese back in a ruleset with 'drops': both use the stock; 'none' and 'remove_fox' are allowed".into(),
            ),
            (rules.drops > 199, "drops", "199 at most".into()),
            (
                rules.forced_chain && !rules.chain,
                "forced_chain",
                "needs 'chain': true".into(),
            ),
            (
                rules.first_move_forward && rules.attacker_moves == AttackerMoves::None && !rules.goose_moves.contains(&DirectionName::Forward),
                "first_move_forward",
                "needs 'forward' among 'goose_moves'".into(),
            ),
            (
                rules.goose_moves.is_empty() && rules.attacker_moves == AttackerMoves::None,
                "goose_moves",
                "at least one direction is needed".into(),
            ),
        ];
        for (wrong, key, message) in contradictions {
            if wrong {
                return Err(self.error(key, message));
            }
        }
        Ok(())
    }

    /// How many fox-side pieces may count when the fortress is filled.
    fn fillers(&self, rules: &Rules) -> u32 {
        if rules.fill_rule == FillRule::AnyPiece { rules.foxes } else { 0 }
    }
}

/// The names of a set of points, in board order.
pub(super) fn names_of(board: &Board, set: PointSet<u128>) -> Vec<String> {
    set.iter().map(|point: Point| board.name(point)).collect()
}
