//! The weights that come with the program.

use super::weight_file::{self, LearnedWeights};
use crate::eval::Backup;

/// A file as `reynard tune` wrote it by a spec of `tournaments/learn-*.json`; tests/bench/README.md has its games.
struct ShippedWeights {
    bytes: &'static [u8],
    /// The searches that games have shown to play better with them.
    serves: &'static [Backup],
}

const EVERY: &[Backup] = &[Backup::Minimax, Backup::Mean];

const FILES: &[ShippedWeights] = &[
    ShippedWeights { bytes: include_bytes!("weights/bagha-chal.weights"), serves: EVERY },
    ShippedWeights { bytes: include_bytes!("weights/bell-13.weights"), serves: EVERY },
    ShippedWeights { bytes: include_bytes!("weights/fox-and-hounds.weights"), serves: EVERY },
    ShippedWeights { bytes: include_bytes!("weights/masters-15.weights"), serves: EVERY },
    ShippedWeights { bytes: include_bytes!("weights/murray-13.weights"), serves: &[Backup::Mean] },
    ShippedWeights { bytes: include_bytes!("weights/siege.weights"), serves: EVERY },
    ShippedWeights { bytes: include_bytes!("weights/two-foxes-24.weights"), serves: EVERY },
];

/// The weights for the rules of a fingerprint and a kind of search, if there are some.
pub(super) fn find(fingerprint: u64, backup: Backup) -> Option<LearnedWeights> {
    let is_meant = |file: &&ShippedWeights| {
        weight_file::fingerprint(file.bytes) == Some(fingerprint) && file.serves.contains(&backup)
    };
    LearnedWeights::decode(FILES.iter().find(is_meant)?.bytes).ok()
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
        for ShippedWeights { bytes, .. } in FILES {
            let weights = LearnedWeights::decode(bytes).expect("a whole file");
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
        assert_eq!(serves("murray-13"), [false, true]);
        assert_eq!(["bagha-chal", "siege", "two-foxes-24"].map(serves), [[true; 2]; 3]);
    }

    #[test]
    fn a_set_up_with_more_geese_than_were_learned_from_has_none() {
        let has_weights = |name| has_weights_for(name, Backup::Minimax);
        assert_eq!(["bell-13", "bell-15", "bell-17", "renard-1668"].map(has_weights), [true, false, false, false]);
        assert_eq!(
            ["masters-13", "masters-15", "masters-17", "masters-22"].map(has_weights),
            [true, true, false, false]
        );
        assert!(has_weights("fox-and-hounds"));
    }
}
