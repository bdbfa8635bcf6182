//! The weights that come with the program.

use super::weight_file::{self, LearnedWeights};
use crate::eval::Backup;

/// A file as `reynard tune` wrote it by a spec of `tournaments/learn-*.json`; tests/bench/README.md has its games.
pub(super) struct ShippedWeights {
    bytes: &'static [u8],
    /// The searches that games have shown to play better with them.
    serves: &'static [Backup],
    /// The same where the game begins with more geese than they were learned from; in some set-ups nothing changes.
    serves_more_geese: &'static [Backup],
    /// The fingerprint of other rules on the same board with which they help, too.
    relative: Option<u64>,
}

const EVERY: &[Backup] = &[Backup::Minimax, Backup::Mean];
const MEAN: &[Backup] = &[Backup::Mean];

/// Of `refskak`.
const REFSKAK: u64 = 0x56af_7fd6_dc31_f433;

macro_rules! weights {
    ($file:literal, $serves:expr, $more:expr, $relative:expr) => {
        ShippedWeights { bytes: include_bytes!($file), serves: $serves, serves_more_geese: $more, relative: $relative }
    };
}

const FILES: &[ShippedWeights] = &[
    weights!("weights/bagha-chal.weights", EVERY, &[], None),
    weights!("weights/bell-13.weights", EVERY, MEAN, None),
    weights!("weights/fox-and-hounds.weights", EVERY, &[], None),
    weights!("weights/masters-15.weights", EVERY, MEAN, None),
    weights!("weights/murray-13.weights", MEAN, &[], Some(REFSKAK)),
    weights!("weights/siege.weights", EVERY, &[], None),
    weights!("weights/two-foxes-24.weights", EVERY, &[], None),
];

impl ShippedWeights {
    /// Those for the rules of a fingerprint, or those of their nearest relative, if there are some.
    pub(super) fn find(fingerprint: u64) -> Option<&'static ShippedWeights> {
        let own = FILES.iter().find(|file| weight_file::fingerprint(file.bytes) == Some(fingerprint));
        own.or_else(|| FILES.iter().find(|file| file.relative == Some(fingerprint)))
    }

    /// The weights as they are for the rules of a fingerprint.
    pub(super) fn weights_for(&self, fingerprint: u64) -> Option<LearnedWeights> {
        LearnedWeights::decode(self.bytes).ok().map(|weights| LearnedWeights { fingerprint, ..weights })
    }

    /// Whether a kind of search plays better with them, from a start that they know or one with more geese.
    pub(super) fn serves(&self, backup: Backup, knows_start: bool) -> bool {
        if knows_start { self.serves.contains(&backup) } else { self.serves_more_geese.contains(&backup) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::LearnedEvaluation;
    use super::*;
    use crate::rules::catalog;
    use crate::rules::hunt::{Hunt, Ruleset};

    #[test]
    fn every_file_is_small_whole_and_for_a_game_of_the_catalog() {
        assert!(FILES.iter().map(|file| file.bytes.len()).sum::<usize>() <= 2 << 20);
        for file in FILES {
            let weights = LearnedWeights::decode(file.bytes).expect("a whole file");
            let fits = |name: &str| {
                let ruleset = Ruleset::from_catalog(name, &[]).ok().filter(|ruleset| !ruleset.is_wide());
                ruleset
                    .is_some_and(|ruleset| LearnedEvaluation::new(&Hunt::<u64>::new(&ruleset), weights.clone()).is_ok())
            };
            assert!(catalog::names().any(fits), "{:016x}", weights.fingerprint);
        }
    }

    fn has_weights_for(name: &str, backup: Backup) -> bool {
        let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset");
        LearnedEvaluation::shipped(&Hunt::<u64>::new(&ruleset), backup).is_some()
    }

    #[test]
    fn weights_serve_only_the_searches_that_they_help() {
        let serves = |name| [Backup::Minimax, Backup::Mean].map(|backup| has_weights_for(name, backup));
        assert_eq!(["murray-13", "refskak"].map(serves), [[false, true]; 2]);
        assert_eq!(["bagha-chal", "siege", "two-foxes-24"].map(serves), [[true; 2]; 3]);
    }

    #[test]
    fn set_ups_with_more_geese_than_were_learned_from_take_them_where_they_help() {
        let serves = |name| [Backup::Minimax, Backup::Mean].map(|backup| has_weights_for(name, backup));
        assert_eq!(["bell-13", "masters-13", "masters-15", "fox-and-hounds"].map(serves), [[true; 2]; 4]);
        assert_eq!(["bell-15", "bell-17", "masters-17", "masters-22"].map(serves), [[false, true]; 4]);
        assert_eq!(serves("renard-1668"), [false; 2]);
    }
}
