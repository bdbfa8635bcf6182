//! The keys of a solitaire ruleset, their checks and their defaults, some of which depend on other keys.

use schemars::{JsonSchema, Schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::geometry::{Board, PointSet, StraightJump};
use crate::rules::ruleset::{self, Family, FamilyRules, Plain, Points, RefusedKey, RulesetBoard, refuse_if};

/// A complete and consistent ruleset of the solitaire family.
pub type Ruleset = ruleset::Ruleset<Rules>;

/// Every key that decides how the game is played. Holes are in board order once the ruleset has been read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The board: on a named one pegs jump along files and ranks, on one of points and lines along every two lines that
    /// go straight on.
    pub board: RulesetBoard,
    /// The holes without a peg at the start.
    #[serde(with = "Points")]
    pub vacancy: Vec<String>,
    /// The holes with a peg at the start: all but those of `vacancy`; a file gives one of the two keys.
    #[serde(with = "Points")]
    #[schemars(transform = without_default)]
    pub start: Vec<String>,
    /// The holes in which pegs stand, and no others, when the game is won, fewer than at the start: `any_single_peg` or
    /// a list of points.
    pub target: Target,
}

/// The pegs that are to be left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A single peg, in whatever hole.
    AnySinglePeg,
    /// Pegs in these holes.
    #[serde(untagged)]
    Points(#[serde(with = "Points")] Vec<String>),
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Target, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(word) if word == "any_single_peg" => Ok(Target::AnySinglePeg),
            points => Points::deserialize(points)
                .map(Target::Points)
                .map_err(|error| D::Error::custom(format!("{error}; 'any_single_peg' is allowed too"))),
        }
    }
}

/// The default rules are those of `solitaire`.
impl Default for Rules {
    fn default() -> Self {
        let centre = || vec!["d4".to_owned()];
        Rules { board: RulesetBoard::default(), vacancy: centre(), start: Vec::new(), target: Target::Points(centre()) }
    }
}

/// The holes with a peg are all but those of `vacancy`.
fn without_default(schema: &mut Schema) {
    schema.remove("default");
}

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Solitaire;

    fn settle(ruleset: &mut Ruleset, given: &Map<String, Value>) -> Result<(), RefusedKey> {
        let rules = &mut ruleset.rules;
        let is_given = |key: &str| given.contains_key(key);
        let holes = |key: &str, names: &[String]| {
            let missing = "is needed: this board has no hole d4, which stands for it elsewhere".to_owned();
            let words = if key == "target" { "; 'any_single_peg' is allowed too" } else { "" };
            let points = rules.board.read_points(names).map_err(|error| error + words);
            points.map_err(|error| RefusedKey::new(key, if is_given(key) { error } else { missing }))
        };
        let all = rules.board.all();
        let start = match (is_given("start"), is_given("vacancy")) {
            (true, false) => holes("start", &rules.start)?,
            (true, true) if holes("start", &rules.start)? != all - holes("vacancy", &rules.vacancy)? => {
                let message = "contradicts 'vacancy', which names the holes that are empty; give one of the two";
                return Err(RefusedKey::new("start", message));
            }
            _ => all - holes("vacancy", &rules.vacancy)?,
        };
        let target = match &rules.target {
            Target::AnySinglePeg => None,
            Target::Points(names) => Some(holes("target", names)?),
        };
        rules.vacancy = rules.board.names(all - start);
        rules.start = rules.board.names(start);
        rules.target = target.map_or(Target::AnySinglePeg, |target| Target::Points(rules.board.names(target)));
        let pegs_left = target.map_or(1, |target| target.len());
        rules.check(start, pegs_left, if is_given("start") { "start" } else { "vacancy" })
    }
}

impl Rules {
    /// Refuses boards, set-ups and numbers of pegs to be left that leave nothing to play; `start_key` is the key that
    /// gave the pegs.
    fn check(&self, start: PointSet<u128>, holes: u32, start_key: &str) -> Result<(), RefusedKey> {
        let board = self.jump_board();
        let is_open = |jump: StraightJump| start.has(jump.from) && start.has(jump.over) && !start.has(jump.to);
        let pegs = start.len();
        let no_jump =
            "no jump is possible on it: three points in a straight line, orthogonal on named boards, are needed";
        let over = "no jump is possible, so the game would be over at the start";
        let too_many = format!("{holes} pegs can never be left over from {pegs}: every jump takes one");
        refuse_if(board.jumps().next().is_none(), "board", no_jump)?;
        refuse_if(!board.jumps().any(is_open), start_key, over)?;
        refuse_if(holes == 0, "target", "at least one hole is needed")?;
        refuse_if(holes >= pegs, "target", too_many)
    }

    /// The pegs that are to be left; `None` for a single one in whatever hole.
    pub(super) fn target(&self) -> Option<PointSet<u128>> {
        match &self.target {
            Target::AnySinglePeg => None,
            Target::Points(names) => Some(self.board.points_named(names)),
        }
    }

    /// The board without the lines along which no peg jumps: on named boards the diagonals.
    pub(super) fn jump_board(&self) -> Board {
        self.board.with_lines(|vector| !self.board.is_named() || !vector.is_diagonal())
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }
}
