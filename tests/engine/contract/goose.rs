//! The Game of the Goose under the battery.

use reynard_engine::rules::goose::{Goose, Ruleset};
use reynard_engine::rules::{Game, Notation};

use super::{Subject, run};

impl Subject for Goose {
    fn recomputed_key(&self, position: &Self::Position) -> Option<u64> {
        let read = self.parse_position(&self.position_text(position));
        read.ok().map(|position| self.key(&position))
    }

    fn broken_texts(&self, text: &str) -> Vec<String> {
        let players = self.seats();
        vec![
            format!("{text} colour=red"),
            format!("1{text}"),
            text.replacen("p2=", "p2", 1),
            text.replacen("p1=", "p1=x", 1),
            format!("{text} p{}=0", players + 1),
            format!("{text} turn=p{}", players + 1),
        ]
    }
}

pub fn check(name: &str, switches: &[(String, String)], context: &str, games: usize) {
    let ruleset = Ruleset::from_catalog(name, switches).unwrap_or_else(|error| panic!("{error}"));
    run(&Goose::new(&ruleset), context, games);
}

/// Switches that bring out every key.
pub const SWITCHED: &[(&str, &str)] = &[
    ("goose", "players=8"),
    ("goose", "players=3 ante=0 finish=sum_only"),
    ("goose", "back_goose=surplus"),
    ("goose", "nine_rule=whenever_on_start"),
    ("goose", "nine_rule=off inn=0"),
    ("goose", "well=until_relieved"),
    ("goose", "prison=0 inn=3 ante=1000"),
    ("goose", "exchange=false prison=2 well=until_relieved players=4"),
    ("goose", "inn_payment=each_turn well_payment=when_saved prison_payment=never inn=2"),
    ("goose-team", "players=3"),
    ("goose-team", "team_dice=sum nine_rule=first_throw well_payment=when_saved"),
    ("goose-team", "team_dice=sum finish=sum_only players=3 counters=2 nine_rule=whenever_on_start"),
    ("goose-team", "players=5"),
    ("goose-team", "players=8 ante=7"),
    ("goose-team", "counters=1 well=until_relieved"),
    ("goose-team", "counters=3 prison=2 inn=2"),
    ("goose-team", "exchange=false prison=1 well=until_relieved back_goose=surplus"),
];
