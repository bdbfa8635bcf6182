//! Checks the keys of a goose ruleset and works out those that depend on others.

use serde_json::{Map, Value};

use super::keys::{Finish, NineRule, Prison, Rules};
use super::position::MAX_COUNTERS;
use crate::rules::ruleset::{self, Family, FamilyRules, RefusedKey, refuse_if};

/// A complete and consistent ruleset of the goose family.
pub type Ruleset = ruleset::Ruleset<Rules>;

/// The most counters that one player may have.
const MAX_TEAM: u32 = 4;

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Goose;

    fn settle(ruleset: &mut Ruleset, given: &Map<String, Value>) -> Result<(), RefusedKey> {
        let rules = &mut ruleset.rules;
        let players = u32::from(rules.players);
        let most = if rules.team { MAX_TEAM.min(MAX_COUNTERS as u32 / players) } else { 1 };
        if rules.counters == 0 {
            rules.counters = if players > MAX_TEAM { most.min(2) } else { most };
        }
        if rules.team && !given.contains_key("nine_rule") {
            rules.nine_rule = NineRule::Off;
        }
        let counters = format!("{} is not allowed; 'auto' or a number from 1 to {most} is", rules.counters);
        let nine_rule = "the game with 'team': true has no first-roll rule; only 'off' is allowed";
        let finish = "with 'team': true each die is a move of its own; only 'either_die' is allowed";
        let exchange = "false needs a 'prison' of so many turns, for nobody could ever be relieved";
        refuse_if(rules.counters > most, "counters", counters)?;
        refuse_if(rules.team && rules.nine_rule != NineRule::Off, "nine_rule", nine_rule)?;
        refuse_if(rules.team && rules.finish == Finish::SumOnly, "finish", finish)?;
        refuse_if(!rules.exchange && rules.prison == Prison::UntilRelieved, "exchange", exchange)
    }
}
