//! A counter that has the track to itself: how long it needs to the last field, by its Markov chain.

use super::Goose;
use super::keys::{NineRule, Prison, Well};
use super::position::Roll;
use super::track::{FINISH, INN, Landing, PRISON, START, WELL};

/// Turns that the hazards cost a lone counter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Stays {
    pub inn: f64,
    pub well: f64,
    pub prison: f64,
}

impl Stays {
    /// What the rules say; `None` where a counter alone would be held for ever.
    pub(crate) fn of(game: &Goose) -> Option<Stays> {
        let rules = game.rules();
        match (rules.well, rules.prison) {
            (Well::TwoTurns, Prison::Turns(prison)) => {
                Some(Stays { inn: f64::from(rules.inn), well: 2.0, prison: f64::from(prison) })
            }
            _ => None,
        }
    }

    fn on(&self, field: u8) -> f64 {
        match field {
            INN => self.inn,
            WELL => self.well,
            PRISON => self.prison,
            _ => 0.0,
        }
    }
}

/// Expected turns of a lone counter to the last field, missed ones counted.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LoneCounter {
    by_field: [f64; FINISH as usize + 1],
    first_throw: f64,
}

/// The chain is solved when no sweep changes a value by more than this.
const PRECISION: f64 = 1e-12;
/// Sweeps are a few hundred; this many mean that the last field cannot be reached.
const MAX_SWEEPS: u32 = 100_000;

impl LoneCounter {
    /// The classical game, a roll each turn.
    pub(crate) fn rolling(game: &Goose, stays: Stays) -> LoneCounter {
        let landings = |from: u8, is_first: bool| {
            let mut position = game.start_position();
            position.fields[0] = from;
            position.fresh = u8::from(is_first && game.rules().nine_rule == NineRule::FirstThrow);
            Roll::all().map(move |roll| (game.roll_landing(&position, roll), roll.probability())).collect()
        };
        LoneCounter::solve(stays, landings)
    }

    fn solve(stays: Stays, landings: impl Fn(u8, bool) -> Vec<(Landing, f64)>) -> LoneCounter {
        let chain: Vec<_> = (START..FINISH).map(|from| landings(from, false)).collect();
        let mut by_field = [0.0; FINISH as usize + 1];
        let mean = |by_field: &[f64], outcomes: &[(Landing, f64)]| {
            let turns = |&(landing, chance): &(Landing, f64)| {
                chance * (stays.on(landing.field) + by_field[usize::from(landing.field)])
            };
            1.0 + outcomes.iter().map(turns).sum::<f64>()
        };
        for _ in 0..MAX_SWEEPS {
            let mut change: f64 = 0.0;
            for field in (0..chain.len()).rev() {
                let turns = mean(&by_field, &chain[field]);
                change = change.max((turns - by_field[field]).abs());
                by_field[field] = turns;
            }
            if change < PRECISION {
                break;
            }
        }
        LoneCounter { first_throw: mean(&by_field, &landings(START, true)), by_field }
    }

    /// From the start of the game.
    pub(crate) fn turns_from_first_throw(&self) -> f64 {
        self.first_throw
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::goose::Ruleset;

    fn lone(finish: &str) -> f64 {
        let switches = [("finish", finish), ("exchange", "false"), ("prison", "0")];
        let switches = switches.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let game = Goose::new(&Ruleset::from_catalog("goose", &switches).unwrap());
        LoneCounter::rolling(&game, Stays::of(&game).unwrap()).turns_from_first_throw()
    }

    /// The known values of rules.md, section 6, and of the vectors.
    #[test]
    fn a_lone_counter_needs_the_known_number_of_turns() {
        assert!((lone("either_die") - 13.320_599_82).abs() < 1e-8);
        assert!((lone("sum_only") - 27.141_289_23).abs() < 1e-8);
    }
}
