//! The keys of a goose ruleset, their checks and their defaults, some of which depend on other keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::position::MAX_COUNTERS;
use crate::rules::ruleset::{self, Family, FamilyRules, Number, NumberOrAuto, Plain, RefusedKey, key_enum, refuse_if};

/// A complete and consistent ruleset of the goose family.
pub type Ruleset = ruleset::Ruleset<Rules>;

/// Every key that decides how the game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How many play. Player 1 begins; who that is, is settled outside the game.
    #[serde(with = "Number::<2, 8>")]
    pub players: u8,
    /// Whether this is the team game: a player has several counters, and each die moves one of the player's choice.
    pub team: bool,
    /// Counters of each player: one, in the team game at most 4 and 16 in all. `auto` is as many as are allowed, but 2
    /// for five or more players of the team game.
    #[serde(with = "NumberOrAuto")]
    #[schemars(extend("default" = "auto"))]
    pub counters: u32,
    /// The amount that every player pays into the pot at the start.
    #[serde(with = "Number::<0, 1000>")]
    pub ante: u16,
    /// How the dice move counters in the team game.
    pub team_dice: TeamDice,
    /// The dice that can bring a counter exactly to the last field; `team_dice` of `each` needs `either_die`.
    pub finish: Finish,
    /// How far a counter goes back again that has gone back from the last field and lands on a goose.
    pub back_goose: BackGoose,
    /// When a roll of 6+3 goes to 26 and one of 5+4 to 53. In the team game `off` is the default, and `team_dice` of
    /// `each` allows nothing else.
    pub nine_rule: NineRule,
    /// Turns that the inn costs.
    #[serde(with = "Number::<0, 99>")]
    pub inn: u8,
    /// When a counter pays 1 for the inn.
    pub inn_payment: Payment,
    /// How long the well holds. Where nobody can ever move again the game is a draw.
    pub well: Well,
    /// When a counter pays 1 for the well.
    pub well_payment: Payment,
    /// How long the prison holds: `until_relieved` by another counter, or a number of turns.
    pub prison: Prison,
    /// When a counter pays 1 for the prison.
    pub prison_payment: Payment,
    /// Whether a counter that lands on another sends it to where the move began; `false` needs a number for `prison`.
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
            team_dice: TeamDice::Each,
            finish: Finish::EitherDie,
            back_goose: BackGoose::Sum,
            nine_rule: NineRule::FirstThrow,
            inn: 1,
            inn_payment: Payment::OnArrival,
            well: Well::TwoTurns,
            well_payment: Payment::OnArrival,
            prison: Prison::UntilRelieved,
            prison_payment: Payment::EachTurn,
            exchange: true,
        }
    }
}

key_enum!(
    /// How the dice move counters in the team game.
    TeamDice {
        /// Each die is a move of its own, by any counter.
        Each,
        /// One counter moves by the sum.
        Sum,
    }
    /// The dice that can bring a counter exactly to the last field.
    Finish {
        /// Either die alone, without the help of geese, or the sum.
        EitherDie,
        /// The sum of both alone.
        SumOnly,
    }
    /// The steps that a counter goes back again when it has gone back from the last field and lands on a goose.
    BackGoose {
        /// By the sum of the dice.
        Sum,
        /// By the steps that the roll went beyond the last field.
        Surplus,
    }
    /// When a roll of 6+3 goes to 26 and one of 5+4 to 53.
    NineRule {
        /// In a player's first turn.
        FirstThrow,
        /// Whenever the counter is on the start.
        WheneverOnStart,
        /// Never.
        Off,
    }
    /// How long the well holds.
    Well {
        /// For two turns.
        TwoTurns,
        /// Until another counter comes.
        UntilRelieved,
    }
);

key_enum!(
    /// When a counter pays 1 for a field where it waits.
    Payment {
        /// Never.
        Never,
        /// When it lands there.
        OnArrival,
        /// At each own turn that it misses there.
        EachTurn,
        /// When it still waits there and another counter comes and saves it.
        WhenSaved,
    }
);

/// How long the prison holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "expected 'until_relieved' or a number of turns from 0 to 99")]
pub enum Prison {
    /// Until another counter comes.
    UntilRelieved,
    /// For this number of own turns.
    #[serde(untagged)]
    Turns(#[serde(with = "Number::<0, 99>")] u8),
}

/// The most counters that one player may have.
const MAX_TEAM: u32 = 4;

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Goose;
    const ADDED: &'static [&'static str] = &["team_dice", "inn_payment", "well_payment", "prison_payment"];

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
        let by_each = rules.team && rules.team_dice == TeamDice::Each;
        let team_dice = "'sum' needs 'team': true; a counter alone always moves by the sum";
        let nine_rule = "where each die is a move of its own there is no first-roll rule; only 'off' is allowed";
        let finish = "where each die is a move of its own only 'either_die' is allowed";
        let exchange = "false needs a 'prison' of so many turns, for nobody could ever be relieved";
        let saved = "'when_saved' needs 'exchange': true, for nobody is ever saved without";
        refuse_if(rules.counters > most, "counters", counters)?;
        refuse_if(!rules.team && rules.team_dice != TeamDice::Each, "team_dice", team_dice)?;
        refuse_if(by_each && rules.nine_rule != NineRule::Off, "nine_rule", nine_rule)?;
        refuse_if(by_each && rules.finish == Finish::SumOnly, "finish", finish)?;
        let [inn, well, prison] = [rules.inn_payment, rules.well_payment, rules.prison_payment];
        for (key, payment) in [("inn_payment", inn), ("well_payment", well), ("prison_payment", prison)] {
            refuse_if(!rules.exchange && payment == Payment::WhenSaved, key, saved)?;
        }
        refuse_if(!rules.exchange && rules.prison == Prison::UntilRelieved, "exchange", exchange)
    }
}
