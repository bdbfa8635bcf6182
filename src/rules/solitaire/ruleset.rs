//! A ruleset of the solitaire family as data: what a file may say, and what it means when all is said.

use serde::Serialize;

use crate::geometry::{Board, PointSet, Vector};
use crate::rules::ruleset::{self, BoardKey, Heading, RulesetError, names_of, points_of};

use super::keys::{Holes, Keys};

/// The hole that is empty at the start, and the one where the last peg ends, unless a file names others.
const DEFAULT_HOLE: &str = "d4";

/// A complete and consistent ruleset of the solitaire family.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset {
    pub heading: Heading,
    pub board: Board,
    pub rules: Rules,
}

/// Every key in force that decides how the game is played; holes in board order.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rules {
    pub board: BoardKey,
    /// The holes without a peg at the start.
    pub vacancy: Vec<String>,
    /// All the others.
    pub start: Vec<String>,
    /// Where pegs stand, and nowhere else, when the game is won.
    pub target: Vec<String>,
}

impl Ruleset {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, keys contradict each other, the target can never stand, or
    /// no jump is possible at the start; the error names file, key and what is allowed.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        let (heading, keys) = ruleset::read::<Keys>(label, text, switches)?;
        let board_key = keys.board.clone().unwrap_or(BoardKey::Shape("cross33".into()));
        let board = board_key.board().map_err(|message| RulesetError::key(label, "board", message))?;
        let refuse = |(key, message): Complaint| RulesetError::key(label, key, message);
        let setup = Setup::new(&board, &keys).map_err(refuse)?;
        let rules = Rules {
            board: board_key,
            vacancy: names_of(&board, board.all() - setup.start),
            start: names_of(&board, setup.start),
            target: names_of(&board, setup.target),
        };
        let ruleset = Ruleset { heading, board, rules };
        match setup.contradiction(&ruleset, keys.start.is_some()) {
            Some(complaint) => Err(refuse(complaint)),
            None => Ok(ruleset),
        }
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`Ruleset::from_text`].
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Ruleset, RulesetError> {
        Ruleset::from_text(name, ruleset::catalog_text(name)?, switches)
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.rules)
    }

    /// Whether pegs jump along lines of this direction: on the named boards never diagonally, on others along every line.
    pub fn may_jump(&self, vector: Vector) -> bool {
        matches!(self.rules.board, BoardKey::Graph { .. }) || !vector.is_diagonal()
    }

    /// The points of a list of names that were checked when the ruleset was read.
    pub(super) fn points(&self, names: &[String]) -> PointSet<u128> {
        names.iter().filter_map(|name| self.board.parse(name)).collect()
    }
}

/// A key to change, and why.
type Complaint = (&'static str, String);

/// The pegs at the start and those to be left over.
struct Setup {
    start: PointSet<u128>,
    target: PointSet<u128>,
}

impl Setup {
    fn new(board: &Board, keys: &Keys) -> Result<Setup, Complaint> {
        let holes = |key: &'static str, holes: &Holes| points_of(board, &holes.0).map_err(|message| (key, message));
        let or_default = |key: &'static str, named: &Option<Holes>| match named {
            Some(named) => holes(key, named),
            None => board.parse(DEFAULT_HOLE).map(PointSet::of).ok_or_else(|| {
                (key, format!("is needed: this board has no hole {DEFAULT_HOLE}, which stands for it elsewhere"))
            }),
        };
        let start = match (&keys.start, &keys.vacancy) {
            (Some(start), None) => holes("start", start)?,
            (None, vacancy) => board.all() - or_default("vacancy", vacancy)?,
            (Some(start), Some(vacancy)) => {
                let (start, vacancy) = (holes("start", start)?, holes("vacancy", vacancy)?);
                if start != board.all() - vacancy {
                    let message = "contradicts 'vacancy', which names the holes that are empty; give one of the two";
                    return Err(("start", message.into()));
                }
                start
            }
        };
        Ok(Setup { start, target: or_default("target", &keys.target)? })
    }

    /// The first reason why nobody could play this.
    fn contradiction(&self, ruleset: &Ruleset, names_start: bool) -> Option<Complaint> {
        let jumps = || {
            let from =
                |&from: &_| ruleset.board.jumps_from(from).map(move |(vector, over, to)| (vector, from, over, to));
            ruleset.board.points().iter().flat_map(from).filter(|jump| ruleset.may_jump(jump.0))
        };
        let (pegs, holes) = (self.start.len(), self.target.len());
        let is_open = |from, over, to| self.start.has(from) && self.start.has(over) && !self.start.has(to);
        if jumps().next().is_none() {
            let message =
                "no jump is possible on it: three points in a straight line, orthogonal on named boards, are needed";
            return Some(("board", message.into()));
        }
        if !jumps().any(|(_, from, over, to)| is_open(from, over, to)) {
            let key = if names_start { "start" } else { "vacancy" };
            return Some((key, "no jump is possible, so the game would be over at the start".into()));
        }
        if holes == 0 {
            return Some(("target", "at least one hole is needed".into()));
        }
        let message = format!("{holes} pegs can never be left over from {pegs}: every jump takes one");
        (holes >= pegs).then_some(("target", message))
    }
}
