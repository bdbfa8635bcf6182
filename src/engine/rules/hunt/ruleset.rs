//! Checks the keys of a hunt ruleset and works out those that depend on others.

use serde_json::{Map, Value};

use super::contradictions;
use super::keys::{First, FoxStart, Geese, GeeseStuck, Huff, RepetitionKey, Rules};
use super::setup;
use crate::geometry::PointSet;
use crate::rules::ruleset::{self, Family, FamilyRules, RefusedKey, names_of, points_of};

/// A complete and consistent ruleset of the hunt family.
pub type Ruleset = ruleset::Ruleset<Rules>;

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Hunt;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("officers_start", "fox_start")];

    fn settle(ruleset: &mut Ruleset, _given: &Map<String, Value>) -> Result<(), RefusedKey> {
        ruleset.rules.settle()?;
        contradictions::check(ruleset)
    }
}

impl Rules {
    fn settle(&mut self) -> Result<(), RefusedKey> {
        let fox = setup::fox_point(&self.board, &self.geese);
        if let Geese::Number(number) = self.geese {
            let message = format!(
                "there is no set-up of {number} geese on this board; allowed are 13, 15, 17 and 22 on the 33-point \
                 cross, or a list of points"
            );
            self.geese = Geese::Points(setup::geese(&self.board, number).ok_or(("geese", message))?);
        }
        self.geese = Geese::Points(self.in_board_order("geese", &self.geese)?);
        let no_centre = "this board has no centre; a list of points or 'choose' is allowed";
        self.fox_start = match &self.fox_start {
            FoxStart::Choose => FoxStart::Choose,
            FoxStart::Points(names) => FoxStart::Points(self.in_board_order("fox_start", names)?),
            FoxStart::Centre => {
                FoxStart::Points(vec![self.board.name(fox.ok_or_else(|| ("fox_start", no_centre.into()))?)])
            }
        };
        self.goose_moves.sort();
        self.goose_moves.dedup();
        if self.fox_wins_below == 0 {
            self.fox_wins_below = self.board.fewest_to_immobilise();
        }
        self.fortress = self.in_board_order("fortress", &self.fortress)?;
        Ok(())
    }

    /// Points by their own names, each once.
    fn in_board_order(&self, key: &'static str, names: &[String]) -> Result<Vec<String>, RefusedKey> {
        let set = points_of(&self.board, names).map_err(|message| (key, message))?;
        Ok(names_of(&self.board, set))
    }

    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// The points of a list of names that were checked when the ruleset was read.
    pub fn points(&self, names: &[String]) -> PointSet<u128> {
        names.iter().filter_map(|name| self.board.parse(name)).collect()
    }

    /// Where the foxes stand at the start; empty when they are placed by choice.
    pub fn fox_points(&self) -> PointSet<u128> {
        match &self.fox_start {
            FoxStart::Points(names) => self.points(names),
            FoxStart::Centre | FoxStart::Choose => PointSet::EMPTY,
        }
    }

    /// What the value of a position depends on: set-up, names, and what happens before the first goose has moved are
    /// set to fixed values, and so are repetition and lack of progress, which no position knows of.
    pub fn core(&self) -> Rules {
        Rules {
            fox_side: String::new(),
            geese_side: String::new(),
            fox_start: FoxStart::Choose,
            // Huffed geese come home to the rows that were full at the start.
            geese: if self.huff == Huff::AddGooseHome { self.geese.clone() } else { Geese::Points(Vec::new()) },
            first: First::Geese,
            // Positions before the first goose move follow from those after it, unless it can wait.
            first_move_forward: self.first_move_may_wait(),
            repetition: RepetitionKey::None,
            no_progress: 0,
            ..self.clone()
        }
    }

    /// The hash of [`core`](Rules::core): rulesets with the same one give every position the same value.
    pub fn core_fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.core())
    }

    /// Whether any number of plies can go by before the first goose move where that must be straight forward: the geese
    /// drop or pass until then.
    pub fn first_move_may_wait(&self) -> bool {
        self.first_move_forward && (self.drops > 0 || self.geese_stuck == GeeseStuck::Pass)
    }
}
