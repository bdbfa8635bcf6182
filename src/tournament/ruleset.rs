//! A ruleset of a tournament, as workers open it.

use reynard_engine::rules::Turn;
use reynard_engine::session::registry::{self, RulesetChoice};

/// One of the games of the tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayableRuleset {
    /// For people, unique among the rulesets: the name, with the switches where there are any.
    pub label: String,
    /// What external engines are told as `UCI_Variant`.
    pub variant: String,
    /// The rules.
    pub choice: RulesetChoice,
}

impl PlayableRuleset {
    /// Whether a game begins with a roll of the dice.
    pub fn has_dice(&self) -> bool {
        registry::open(&self.choice).is_ok_and(|session| session.turn() == Turn::Chance)
    }
}
