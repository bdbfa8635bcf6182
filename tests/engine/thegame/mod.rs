//! The Game (1971): vectors, an independent player of the rules, counters, texts.

mod against_brute;
mod brute;
mod files;
mod fuzz;
mod rules;
mod vectors;

use reynard_engine::rules::thegame::{Ruleset, TheGame};

/// A ruleset of the catalog with switches such as `size=6 blocked=d4,e5`.
fn ruleset(name: &str, switches: &str) -> Ruleset {
    let switch = |word: &str| word.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    let switches: Vec<_> = switches.split_whitespace().filter_map(switch).collect();
    Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}"))
}

/// Something to do with a game of either width.
trait Check {
    fn run<const N: usize>(&mut self, game: &TheGame<N>);
}

fn with_game(ruleset: &Ruleset, check: &mut impl Check) {
    if ruleset.is_wide() { check.run(&TheGame::<4>::new(ruleset)) } else { check.run(&TheGame::<1>::new(ruleset)) }
}
