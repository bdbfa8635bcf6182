//! Checks the keys of a solitaire ruleset and works out those that depend on others.

use serde_json::{Map, Value};

use super::keys::Rules;
use crate::geometry::{Point, PointSet, Vector};
use crate::rules::ruleset::{self, Family, FamilyRules, RefusedKey, names_of, points_of, refuse_if};

/// A complete and consistent ruleset of the solitaire family.
pub type Ruleset = ruleset::Ruleset<Rules>;

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Solitaire;

    fn settle(ruleset: &mut Ruleset, given: &Map<String, Value>) -> Result<(), RefusedKey> {
        let rules = &mut ruleset.rules;
        let is_given = |key| given.contains_key(key);
        let holes = |key: &'static str, names: &[String]| {
            let missing = "is needed: this board has no hole d4, which stands for it elsewhere".to_owned();
            points_of(&rules.board, names).map_err(|error| (key, if is_given(key) { error } else { missing }))
        };
        let all = rules.board.all();
        let start = match (is_given("start"), is_given("vacancy")) {
            (true, false) => holes("start", &rules.start)?,
            (true, true) if holes("start", &rules.start)? != all - holes("vacancy", &rules.vacancy)? => {
                let message = "contradicts 'vacancy', which names the holes that are empty; give one of the two";
                return Err(("start", message.into()));
            }
            _ => all - holes("vacancy", &rules.vacancy)?,
        };
        let target = holes("target", &rules.target)?;
        rules.vacancy = names_of(&rules.board, all - start);
        rules.start = names_of(&rules.board, start);
        rules.target = names_of(&rules.board, target);
        rules.check(start, target, if is_given("start") { "start" } else { "vacancy" })
    }
}

impl Rules {
    /// Refuses what nobody could play; `start_key` set the pegs.
    fn check(&self, start: PointSet<u128>, target: PointSet<u128>, start_key: &'static str) -> Result<(), RefusedKey> {
        let is_open = |(from, over, to)| start.has(from) && start.has(over) && !start.has(to);
        let (pegs, holes) = (start.len(), target.len());
        let no_jump =
            "no jump is possible on it: three points in a straight line, orthogonal on named boards, are needed";
        let over = "no jump is possible, so the game would be over at the start";
        let too_many = format!("{holes} pegs can never be left over from {pegs}: every jump takes one");
        refuse_if(self.jumps().next().is_none(), "board", no_jump)?;
        refuse_if(!self.jumps().any(is_open), start_key, over)?;
        refuse_if(holes == 0, "target", "at least one hole is needed")?;
        refuse_if(holes >= pegs, "target", too_many)
    }

    /// Every jump of the board: where it begins, what it leads over, where it ends.
    pub(super) fn jumps(&self) -> impl Iterator<Item = (Point, Point, Point)> {
        let from = |&from: &Point| {
            let jumps = self.board.jumps_from(from).filter(|jump| self.may_jump(jump.0));
            jumps.map(move |(_, over, to)| (from, over, to))
        };
        self.board.points().iter().flat_map(from)
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// Whether pegs jump along lines of this direction: on the named boards never diagonally, on others along every line.
    pub fn may_jump(&self, vector: Vector) -> bool {
        !self.board.is_named() || !vector.is_diagonal()
    }

    /// The points of a list of names that were checked when the ruleset was read.
    pub(super) fn points(&self, names: &[String]) -> PointSet<u128> {
        names.iter().filter_map(|name| self.board.parse(name)).collect()
    }
}
