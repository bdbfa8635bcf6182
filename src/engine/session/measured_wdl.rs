//! How games ended after the scores of the searchers, ruleset by ruleset.
//!
//! `measured_wdl.json` is what `reynard tournament calibrate DIR --curves` prints for the games of
//! `tournaments/calibrate.json`. Rules, evaluations or searchers that differ in anything from those of the games have no
//! curve; their wdl is that of one curve for all.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::options::Options;
use crate::rules::{Notation, Seat};
use crate::search::WdlModel;

/// The curve of one searcher on one side of a ruleset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasuredWdl {
    /// The name of the ruleset.
    pub ruleset: String,
    /// Sixteen hexadecimal digits.
    pub fingerprint: String,
    /// `alphabeta` or `mcts`.
    pub searcher: String,
    /// The side that the searcher played.
    pub role: String,
    /// The curve that was fitted.
    #[serde(flatten)]
    pub model: WdlModel,
}

/// With the fingerprints as numbers.
static SHIPPED: LazyLock<Vec<(u64, MeasuredWdl)>> = LazyLock::new(|| {
    let curves: Vec<MeasuredWdl> =
        serde_json::from_str(include_str!("measured_wdl.json")).expect("tests read this file");
    let number = |curve: &MeasuredWdl| u64::from_str_radix(&curve.fingerprint, 16).expect("tests read this file");
    curves.into_iter().map(|curve| (number(&curve), curve)).collect()
});

/// The curve of the searcher that the options ask for, for the one who plays on `seat`; `None` where nobody has measured
/// it.
pub(super) fn find<G: Notation>(game: &G, options: &Options, seat: Seat) -> Option<WdlModel> {
    let searcher = options.searcher().tree_search().filter(|_| options.search_as_shipped())?;
    let (fingerprint, role) = (game.fingerprint(), game.role(seat));
    let is_meant = |(rules, curve): &&(u64, MeasuredWdl)| {
        *rules == fingerprint && curve.searcher == searcher.name() && curve.role == role
    };
    SHIPPED.iter().find(is_meant).map(|(_, curve)| curve.model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::{Hunt, Ruleset};
    use crate::search::Score;
    use crate::session::registry::{self, RulesetChoice};

    #[test]
    fn every_curve_is_one_of_the_catalog_and_stands_once() {
        let mut seen = Vec::new();
        for (fingerprint, curve) in SHIPPED.iter() {
            let session = registry::open(&RulesetChoice::catalog(&curve.ruleset)).unwrap();
            assert_eq!(*fingerprint, session.fingerprint(), "{curve:?}");
            let mut roles = [Seat(0), Seat(1)].map(|seat| session.role(seat)).into_iter();
            assert!(roles.any(|role| role == curve.role), "{curve:?}");
            let WdlModel { won_from, lost_below, scale } = curve.model;
            assert!(lost_below <= won_from && scale >= 1.0, "{curve:?}");
            let key = (&curve.ruleset, &curve.searcher, &curve.role);
            assert!(!seen.contains(&key), "twice: {curve:?}");
            seen.push(key);
        }
        assert!(seen.len() >= 30, "both searchers, most games: {}", seen.len());
    }

    #[test]
    fn only_the_rules_and_settings_of_the_games_have_their_curve() {
        let (_, curve) = SHIPPED.iter().find(|(_, curve)| curve.searcher == "mcts").expect("a curve of mcts");
        let session = registry::open(&RulesetChoice::catalog(&curve.ruleset)).unwrap();
        let seat = [Seat(0), Seat(1)].into_iter().find(|&seat| session.role(seat) == curve.role).unwrap();
        let with = |settings: &[(&str, &str)]| {
            let mut options = registry::default_options();
            settings.iter().for_each(|(name, value)| options.set(name, Some(value)).unwrap());
            options
        };
        let measured = curve.model.wdl(Score(100));
        let plain = Score(100).wdl();
        assert_ne!(measured, plain);
        let told = |settings: &[(&str, &str)]| session.wdl(Score(100), seat, &with(settings));
        assert_eq!(told(&[("Searcher", "mcts")]), measured);
        assert_eq!(told(&[("Searcher", "mcts"), ("Hash", "7"), ("Threads", "2")]), measured);
        for other in [("EvalFile", "linear"), ("Skill Level", "5"), ("MctsExploration", "17")] {
            assert_eq!(told(&[("Searcher", "mcts"), other]), plain, "{other:?}");
        }
        assert_eq!(told(&[("Searcher", "random")]), plain);
        let changed = Hunt::<u64>::new(
            &Ruleset::from_catalog("masters-15", &[("chain".to_owned(), "false".to_owned())]).unwrap(),
        );
        let alphabeta = with(&[("Searcher", "alphabeta")]);
        assert!([Seat(0), Seat(1)].into_iter().all(|seat| find(&changed, &alphabeta, seat).is_none()));
    }
}
