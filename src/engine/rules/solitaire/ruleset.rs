//! The keys of a solitaire ruleset, their checks and their defaults, some of which depend on other keys.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::PegJump;
use crate::geometry::{Point, PointSet, StraightJump, Vector};
use crate::rules::ruleset::{self, Family, FamilyRules, OneOrMany, RefusedKey, RulesetBoard, refuse_if};

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
    #[serde(deserialize_with = "holes")]
    #[schemars(schema_with = "holes_schema")]
    pub vacancy: Vec<String>,
    /// The holes with a peg at the start: all but those of `vacancy`; a file gives one of the two keys.
    #[serde(deserialize_with = "holes")]
    #[schemars(schema_with = "holes_schema", transform = without_default)]
    pub start: Vec<String>,
    /// The holes in which pegs stand, and no others, when the game is won; fewer than at the start.
    #[serde(deserialize_with = "holes")]
    #[schemars(schema_with = "holes_schema")]
    pub target: Vec<String>,
}

/// The default rules are those of `solitaire`.
impl Default for Rules {
    fn default() -> Self {
        let centre = || vec!["d4".to_owned()];
        Rules { board: RulesetBoard::default(), vacancy: centre(), start: Vec::new(), target: centre() }
    }
}

/// For `deserialize_with`: holes by name or by number.
fn holes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let name = |item: Value| match item {
        Value::String(name) => Ok(name),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(D::Error::custom(format!(
            "{other} is not a hole; allowed is a hole such as \"d4\", its number on the 33-hole cross, or a list"
        ))),
    };
    OneOrMany::deserialize(deserializer)?.into_iter().map(name).collect()
}

/// The holes with a peg are all but those of `vacancy`.
fn without_default(schema: &mut Schema) {
    schema.remove("default");
}

fn holes_schema(_: &mut SchemaGenerator) -> Schema {
    let number = json!({ "type": "integer", "minimum": 1, "maximum": 33 });
    let list = json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, number] } });
    json_schema!({ "anyOf": [{ "type": "string" }, number, list] })
}

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Solitaire;

    fn settle(ruleset: &mut Ruleset, given: &Map<String, Value>) -> Result<(), RefusedKey> {
        let rules = &mut ruleset.rules;
        let is_given = |key: &str| given.contains_key(key);
        let holes = |key: &str, names: &[String]| {
            let missing = "is needed: this board has no hole d4, which stands for it elsewhere".to_owned();
            let points = rules.board.read_points(names);
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
        let target = holes("target", &rules.target)?;
        rules.vacancy = rules.board.names(all - start);
        rules.start = rules.board.names(start);
        rules.target = rules.board.names(target);
        rules.check(start, target, if is_given("start") { "start" } else { "vacancy" })
    }
}

impl Rules {
    /// Refuses boards, set-ups and targets that leave nothing to play; `start_key` is the key that gave the pegs.
    fn check(&self, start: PointSet<u128>, target: PointSet<u128>, start_key: &str) -> Result<(), RefusedKey> {
        let is_open = |jump: PegJump| start.has(jump.from) && start.has(jump.over) && !start.has(jump.to);
        let pegs = start.len();
        let holes = target.len();
        let no_jump =
            "no jump is possible on it: three points in a straight line, orthogonal on named boards, are needed";
        let over = "no jump is possible, so the game would be over at the start";
        let too_many = format!("{holes} pegs can never be left over from {pegs}: every jump takes one");
        refuse_if(self.jumps().next().is_none(), "board", no_jump)?;
        refuse_if(!self.jumps().any(is_open), start_key, over)?;
        refuse_if(holes == 0, "target", "at least one hole is needed")?;
        refuse_if(holes >= pegs, "target", too_many)
    }

    /// Every jump of the board.
    pub(super) fn jumps(&self) -> impl Iterator<Item = PegJump> {
        let from = |&from: &Point| {
            let jumps = self.board.jumps_from(from).filter(|jump| self.may_jump(jump.vector));
            jumps.map(move |StraightJump { over, to, .. }| PegJump { from, over, to })
        };
        self.board.points().iter().flat_map(from)
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// Whether pegs jump along lines of this direction: on named boards all but the diagonals, on other boards every
    /// line.
    pub fn may_jump(&self, vector: Vector) -> bool {
        !self.board.is_named() || !vector.is_diagonal()
    }
}
