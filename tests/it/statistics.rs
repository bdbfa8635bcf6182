//! The match statistics computed by independent programs and published ones.

use reynard::testing::tournament::spec::SprtModel;
use reynard::testing::tournament::stats::{
    Cell, Estimate, Pentanomial, Sample, SprtBounds, Trinomial, bayesian_llr, bradley_terry, estimate, llr, wilson,
};
use serde_json::Value;

/// One list of the file; `-Infinity`, which is no JSON, is read as the text that other entries have for it.
fn vectors(kind: &str, least: usize) -> Vec<Value> {
    let path = format!("{}/tests/vectors/stats.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text.replace("-Infinity", "\"-inf\"")).expect("JSON");
    let list = file[kind].as_array().unwrap_or_else(|| panic!("no list {kind}")).clone();
    assert!(list.len() >= least, "only {} of {kind}", list.len());
    list
}

fn count(vector: &Value, key: &str) -> u64 {
    vector[key].as_u64().unwrap_or_else(|| panic!("no count {key} in {vector}"))
}

fn real(vector: &Value, key: &str) -> f64 {
    vector[key].as_f64().unwrap_or_else(|| panic!("no number {key} in {vector}"))
}

fn trinomial(vector: &Value) -> Trinomial {
    Trinomial { losses: count(vector, "losses"), draws: count(vector, "draws"), wins: count(vector, "wins") }
}

fn pentanomial(vector: &Value) -> Pentanomial {
    let [ll, ld, wl, dd, wd, ww] = ["LL", "LD", "WL", "DD", "WD", "WW"].map(|key| count(vector, key));
    Pentanomial([ll, ld, wl + dd, wd, ww])
}

/// Relative to 1e-6, with an absolute allowance of 1e-12 for what should be zero.
fn assert_near(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() <= 1e-6 * expected.abs() + 1e-300 * f64::from(expected != 0.0) + zero(expected),
        "{what}: {found}, expected {expected}"
    );
}

fn zero(expected: f64) -> f64 {
    if expected.abs() < 1e-300 { 1e-12 } else { 0.0 }
}

/// What the file calls `inf` or `nan` is nothing.
fn assert_same(found: Option<f64>, expected: &Value, what: &str) {
    match (found, expected) {
        (Some(found), Value::Number(number)) => assert_near(found, number.as_f64().expect("a number"), what),
        (None, Value::String(_)) => {}
        (found, expected) => panic!("{what}: {found:?}, expected {expected}"),
    }
}

fn check_estimate(found: &Estimate, vector: &Value) {
    let figures = [
        ("score", found.score),
        ("variance", found.variance),
        ("stderr", found.stderr),
        ("elo", found.elo),
        ("elo_lo", found.elo_low),
        ("elo_hi", found.elo_high),
        ("elo_err", found.elo_error),
        ("nelo", found.nelo),
        ("nelo_err", found.nelo_error),
        ("los", found.los),
    ];
    assert_eq!(found.games, count(vector, "games"));
    for (key, figure) in figures {
        assert_same(figure, &vector[key], &format!("{key} of {vector}"));
    }
}

#[test]
fn estimates_match() {
    for vector in vectors("elo", 22) {
        match vector["kind"].as_str() {
            Some("trinomial") => check_estimate(&estimate(&trinomial(&vector)), &vector),
            Some("pentanomial") => check_estimate(&estimate(&pentanomial(&vector)), &vector),
            kind => panic!("{kind:?}"),
        }
    }
}

fn llr_of(vector: &Value) -> Option<f64> {
    fn with(sample: &impl Sample, elo0: f64, elo1: f64, model: &str) -> Option<f64> {
        match model {
            "logistic" => llr(sample, elo0, elo1, SprtModel::Logistic),
            "normalized" => llr(sample, elo0, elo1, SprtModel::Normalized),
            other => panic!("{other}"),
        }
    }
    let (elo0, elo1) = (real(vector, "elo0"), real(vector, "elo1"));
    match (vector["kind"].as_str(), vector["model"].as_str()) {
        (Some("trinomial"), Some("bayesian")) => bayesian_llr(&trinomial(vector), elo0, elo1),
        (Some("trinomial"), Some(model)) => with(&trinomial(vector), elo0, elo1, model),
        (Some("pentanomial"), Some(model)) => with(&pentanomial(vector), elo0, elo1, model),
        other => panic!("{other:?}"),
    }
}

#[test]
fn log_likelihood_ratios_match() {
    for vector in vectors("llr", 24) {
        let (found, expected) = (llr_of(&vector).expect("a ratio"), real(&vector, "llr"));
        assert!((found - expected).abs() < 1e-6, "{found} for {vector}");
    }
}

#[test]
fn bounds_match() {
    for vector in vectors("bounds", 4) {
        let bounds = SprtBounds::new(real(&vector, "alpha"), real(&vector, "beta"));
        assert_near(bounds.lower, real(&vector, "lower"), &vector.to_string());
        assert_near(bounds.upper, real(&vector, "upper"), &vector.to_string());
    }
}

#[test]
fn published_figures_match() {
    for vector in vectors("published", 1) {
        let counts: Vec<u64> = serde_json::from_value(vector["counts"].clone()).expect("counts");
        let pairs = Pentanomial(counts.try_into().expect("five counts"));
        let found = estimate(&pairs);
        for key in ["elo", "score", "variance", "nelo"] {
            let figure = [found.elo, found.score, found.variance, found.nelo];
            let at = ["elo", "score", "variance", "nelo"].iter().position(|&name| name == key).expect("listed");
            assert_same(figure[at], &vector["ours"][key], key);
        }
        let ratio = |elo1: f64, model| llr(&pairs, 0.0, elo1, model).expect("a ratio");
        let normalized = ratio(real(&vector, "elo1_normalized"), SprtModel::Normalized);
        assert!((normalized - real(&vector["ours"], "llr_normalized")).abs() < 1e-6, "{normalized}");
        assert!((normalized - real(&vector["published"], "llr_normalized")).abs() < 1e-3, "{normalized}");
        let logistic = ratio(real(&vector["published"], "elo1_logistic"), SprtModel::Logistic);
        assert!((logistic - real(&vector["published"], "llr_logistic")).abs() < 1e-3, "{logistic}");
        for (key, found, decimals) in
            [("elo", found.elo, 4), ("score", found.score, 4), ("variance", found.variance, 5), ("nelo", found.nelo, 2)]
        {
            let published = real(&vector["published"], key);
            let rounding = 0.500001 * 0.1f64.powi(decimals);
            assert!(
                (found.expect("a figure") - published).abs() <= rounding,
                "{key}: {found:?}, published {published}"
            );
        }
    }
}

#[test]
fn the_same_games_alone_and_in_pairs_match() {
    let path = format!("{}/tests/vectors/stats.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors").replace("-Infinity", "\"-inf\"");
    let vector = serde_json::from_str::<Value>(&text).expect("JSON")["same_data_two_models"].clone();
    let both =
        [("trinomial", estimate(&trinomial(&vector))), ("pentanomial", estimate(&pentanomial(&vector["pairs"])))];
    for (kind, found) in both {
        for (key, figure) in
            [("elo", found.elo), ("elo_err", found.elo_error), ("nelo", found.nelo), ("los", found.los)]
        {
            assert_same(figure, &vector[kind][key], &format!("{kind} {key}"));
        }
    }
}

#[test]
fn ratings_per_side_match() {
    for vector in vectors("per_side", 3) {
        let games = |key: &str| {
            let counts: Vec<u64> = serde_json::from_value(vector[key].clone()).expect("counts");
            Trinomial { wins: counts[0], draws: counts[1], losses: counts[2] }
        };
        let (as_fox, as_geese) = (games("A_as_fox_WDL"), games("A_as_geese_WDL"));
        let cells = [
            Cell { first: 0, second: 1, ruleset: 0, games: as_fox },
            Cell { first: 1, second: 0, ruleset: 0, games: as_geese.swapped() },
        ];
        let ratings = bradley_terry(2, 1, &cells);
        // Relative to the mean of the two, a rating is half of their difference.
        let rating = &ratings.engines[0];
        let doubled = |figure: Option<f64>| figure.map(|figure| 2.0 * figure);
        assert_same(doubled(rating.elo), &vector["engine_elo"], "engine_elo");
        assert_same(doubled(rating.stderr), &vector["stderr_both"], "stderr_both");
        assert_same(doubled(rating.error), &vector["err95_both"], "err95_both");
        let side = ratings.sides[0];
        assert_same(side.elo, &vector["fox_side_elo"], "fox_side_elo");
        assert_same(side.stderr, &vector["stderr_both"], "stderr_both");
        assert_same(side.error, &vector["err95_both"], "err95_both");
        assert_same(estimate(&as_fox).elo, &vector["elo_as_fox"], "elo_as_fox");
        assert_same(estimate(&as_fox).score, &vector["score_as_fox"], "score_as_fox");
        assert_same(estimate(&as_geese).elo, &vector["elo_as_geese"], "elo_as_geese");
        assert_same(estimate(&as_geese).score, &vector["score_as_geese"], "score_as_geese");
        assert_same(estimate(&as_fox.plus(as_geese)).elo, &vector["naive_pooled_elo"], "naive_pooled_elo");
    }
}

#[test]
fn wilson_bounds_match() {
    for vector in vectors("wilson", 4) {
        let interval = wilson(real(&vector, "points"), real(&vector, "games")).expect("an interval");
        assert_near(interval.low, real(&vector, "lo"), "lo");
        assert_near(interval.high, real(&vector, "hi"), "hi");
        let elo = |score: f64| (0.0 < score && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10());
        assert_same(elo(interval.low), &vector["elo_lo"], "elo_lo");
        assert_same(elo(interval.high), &vector["elo_hi"], "elo_hi");
    }
}
