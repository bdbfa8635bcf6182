//! The weights that come with the program.

use super::weight_file::{self, LearnedWeights};

/// Files as `reynard tune` wrote them; `tournaments/learn-*.json` make them again.
const FILES: &[&[u8]] = &[
    include_bytes!("weights/bell-13.weights"),
    include_bytes!("weights/fox-and-hounds.weights"),
    include_bytes!("weights/masters-15.weights"),
];

/// The weights for the rules of a fingerprint, if there are some.
pub(super) fn find(fingerprint: u64) -> Option<LearnedWeights> {
    let file = FILES.iter().find(|bytes| weight_file::fingerprint(bytes) == Some(fingerprint))?;
    LearnedWeights::decode(file).ok()
}

#[cfg(test)]
mod tests {
    use super::super::LearnedEvaluation;
    use super::*;
    use crate::rules::catalog;
    use crate::rules::hunt::{Hunt, Ruleset};

    #[test]
    fn every_file_is_small_whole_and_for_a_game_of_the_catalog() {
        assert!(FILES.iter().map(|bytes| bytes.len()).sum::<usize>() <= 2 << 20);
        for bytes in FILES {
            let weights = LearnedWeights::decode(bytes).expect("a whole file");
            let fits = |name: &str| {
                let ruleset = Ruleset::from_catalog(name, &[]).ok().filter(|ruleset| !ruleset.is_wide());
                ruleset
                    .is_some_and(|ruleset| LearnedEvaluation::new(&Hunt::<u64>::new(&ruleset), weights.clone()).is_ok())
            };
            assert!(catalog::names().any(fits), "{:016x}", weights.fingerprint);
        }
    }

    #[test]
    fn a_set_up_with_more_geese_than_were_learned_from_has_none() {
        let has_weights = |name: &str| {
            let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset");
            LearnedEvaluation::shipped(&Hunt::<u64>::new(&ruleset)).is_some()
        };
        assert_eq!(["bell-13", "bell-15", "bell-17", "renard-1668"].map(has_weights), [true, false, false, false]);
        assert_eq!(
            ["masters-13", "masters-15", "masters-17", "masters-22"].map(has_weights),
            [true, true, false, false]
        );
        assert!(has_weights("fox-and-hounds"));
    }
}
