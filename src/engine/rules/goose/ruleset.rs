//! The keys of a goose ruleset, their checks and their defaults, some of which depend on other keys.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::position::MAX_COUNTERS;
use crate::rules::ruleset::{self, Family, FamilyRules, RefusedKey, key_enum, number, number_or_auto, refuse_if};

/// A complete and consistent ruleset of the goose family.
pub type Ruleset = ruleset::Ruleset<Rules>;

/// Every key that decides how the game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    #[serde(deserialize_with = "number::<2, 8, _, _>")]
    pub players: u8,
    /// Whether this is the team game, in which each die moves a counter of the roller's choice.
    pub team: bool,
    /// Counters of each player. `auto` is 1 in the classical game; in the team game 4, or 2 for five or more players.
    #[serde(deserialize_with = "number_or_auto")]
    pub counters: u32,
    /// The amount that every player pays into the pot at the start.
    #[serde(deserialize_with = "number::<0, 1000, _, _>")]
    pub ante: u16,
    pub finish: Finish,
    pub back_goose: BackGoose,
    /// Which nine rule is in force; off in the team game unless it is given.
    pub nine_rule: NineRule,
    /// Turns that the inn costs.
    #[serde(deserialize_with = "number::<0, 99, _, _>")]
    pub inn: u8,
    pub well: Well,
    pub prison: Prison,
    /// Whether a counter that lands on another sends it to where the move began; otherwise counters ignore each other.
    pub exchange: bool,
}

/// The default rules are those of `goose`.
impl Default for Rules {
    fn default() -> Self {
        Rules {
            players: 2,
            team: false,
            counters: 0,
            ante: 1,
            finish: Finish::EitherDie,
            back_goose: BackGoose::Sum,
            nine_rule: NineRule::FirstThrow,
            inn: 1,
            well: Well::TwoTurns,
            prison: Prison::UntilRelieved,
            exchange: true,
        }
    }
}

key_enum!(
    /// The dice that can bring a counter exactly to the last field.
    Finish {
        /// Either die alone, without the help of geese, or the sum.
        EitherDie,
        SumOnly,
    }
);
key_enum!(
    /// The steps that a counter goes back again when it has gone back from the last field and lands on a goose.
    BackGoose {
        Sum,
        /// The number of steps by which the roll went beyond the last field.
        Surplus,
    }
);
key_enum!(
    /// When a roll of 6+3 goes to 26 and one of 5+4 to 53.
    NineRule { FirstThrow, WheneverOnStart, Off }
);
key_enum!(
    /// How long the well holds.
    Well { TwoTurns, UntilRelieved }
);

/// How long the prison holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "expected 'until_relieved' or a number of turns from 0 to 99")]
pub enum Prison {
    UntilRelieved,
    /// For this number of own turns.
    #[serde(untagged)]
    Turns(#[serde(deserialize_with = "number::<0, 99, _, _>")] u8),
}

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
