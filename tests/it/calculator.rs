//! `reynard tournament stats` from the outside.

use std::process::{Command, Output};

use serde_json::Value;

fn stats(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.args(["tournament", "stats"]).args(arguments.split_whitespace()).output().expect("a run")
}

/// Standard output of a call that works.
fn told(arguments: &str) -> String {
    let output = stats(arguments);
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{arguments}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &str) -> Value {
    let text = told(&format!("{arguments} --json"));
    assert_eq!(text.lines().count(), 1, "{text}");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    let mut keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    let mut expected = [
        "score",
        "elo",
        "elo_error",
        "nelo",
        "nelo_error",
        "los",
        "llr",
        "lower",
        "upper",
        "wilson_low",
        "wilson_high",
    ];
    keys.sort();
    expected.sort();
    assert_eq!(keys, expected, "{arguments}");
    object
}

/// The keys whose value is null.
fn nulls(object: &Value) -> Vec<&str> {
    let pairs = object.as_object().expect("an object").iter();
    let mut keys: Vec<&str> = pairs.filter(|(_, value)| value.is_null()).map(|(key, _)| key.as_str()).collect();
    keys.sort();
    keys
}

/// The one line of a call that is refused.
fn refused(arguments: &str) -> String {
    let output = stats(arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments}");
    String::from_utf8(output.stderr).expect("text")
}

fn assert_near(object: &Value, key: &str, expected: f64) {
    let found = object[key].as_f64().unwrap_or_else(|| panic!("no {key} in {object}"));
    assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1e-6), "{key}: {found}, expected {expected}");
}

#[test]
fn counts_of_games_and_of_pairs_become_figures() {
    let games = json("--wdl 136 111 96");
    assert_eq!(nulls(&games), ["llr", "lower", "upper"]);
    let score = (136.0 + 55.5) / 343.0;
    assert_near(&games, "score", score);
    assert_near(&games, "elo", -400.0 * (1.0 / score - 1.0_f64).log10());
    let pairs = json("--pairs 10 20 30 30 10");
    assert_near(&pairs, "score", (0.5 * 20.0 + 30.0 + 1.5 * 30.0 + 2.0 * 10.0) / 200.0);
    let nelo_error = 1.959_963_984_540_054 * 800.0 / 10f64.ln() / 200f64.sqrt();
    assert_near(&pairs, "nelo_error", nelo_error);
}

#[test]
fn a_test_needs_both_hypotheses_and_has_bounds() {
    let bound = (0.95_f64 / 0.05).ln();
    for model in ["logistic", "normalized"] {
        let test = json(&format!("--pairs 34 54 63 64 75 --elo0 0 --elo1 10 --model {model}"));
        assert_eq!(nulls(&test), [""; 0], "{model}");
        assert_near(&test, "lower", -bound);
        assert_near(&test, "upper", bound);
    }
    let own = json("--wdl 60 20 40 --elo0 -5 --elo1 5 --alpha 0.1 --beta 0.2 --model bayesian");
    assert_near(&own, "lower", (0.2_f64 / 0.9).ln());
    assert_near(&own, "upper", (0.8_f64 / 0.1).ln());
    assert!(own["llr"].is_number(), "{own}");
    let llr = |model: &str| json(&format!("--wdl 600 200 400 --elo0 0 --elo1 30 --model {model}"))["llr"].clone();
    assert_ne!(llr("logistic"), llr("normalized"), "each model measures in its own Elo");
    let text = told("--pairs 340 540 630 640 950 --elo0 0 --elo1 10");
    assert!(text.contains("LLR: ") && text.contains("elo1 is accepted"), "{text}");
    assert!(told("--wdl 20 10 200 --elo0 0 --elo1 10").contains("elo0 is accepted"));
    assert!(told("--wdl 2 1 2 --elo0 0 --elo1 10").contains("undecided"));
}

#[test]
fn what_does_not_exist_is_null_and_never_nan() {
    for (counts, score) in
        [("--wdl 7 0 0", 1.0), ("--pairs 0 0 0 0 9", 1.0), ("--wdl 1 0 0", 1.0), ("--wdl 0 0 1", 0.0)]
    {
        let all = json(&format!("{counts} --elo0 0 --elo1 5"));
        assert_near(&all, "score", score);
        for key in ["elo", "elo_error", "nelo", "los"] {
            assert!(all[key].is_null(), "{key} of {counts}: {all}");
        }
        for key in ["llr", "lower", "upper", "wilson_low", "wilson_high"] {
            assert!(all[key].is_number(), "{key} of {counts}: {all}");
        }
    }
    for counts in ["--wdl 0 12 0", "--pairs 0 0 6 0 0", "--wdl 0 1 0"] {
        let drawn = json(counts);
        assert_near(&drawn, "score", 0.5);
        assert_near(&drawn, "elo", 0.0);
        assert!(drawn["los"].is_null() && drawn["elo_error"].as_f64() > Some(90.0), "{drawn}");
        assert!(drawn["wilson_low"].as_f64() < Some(0.5) && drawn["wilson_high"].as_f64() > Some(0.5), "{drawn}");
    }
    let none = json("--wdl 0 0 0");
    assert!(none.as_object().expect("an object").values().all(Value::is_null), "{none}");
    let untested = json("--pairs 0 0 0 0 0 --elo0 0 --elo1 5");
    assert!(untested["llr"].is_null() && untested["score"].is_null(), "{untested}");
    // The bounds follow from the two chances alone.
    assert_near(&untested, "upper", 19.0_f64.ln());
    assert_near(&untested, "lower", -19.0_f64.ln());
    assert!(told("--wdl 0 1 0").contains("Elo:        0.00 +/- 495.30"));
    assert!(told("--wdl 1 1 1").contains("Elo:        0.00 +/- 561.20"), "{}", told("--wdl 1 1 1"));
    for counts in ["--wdl 7 0 0", "--wdl 0 12 0", "--wdl 0 0 0", "--pairs 0 0 0 0 1", "--wdl 0 0 1"] {
        let text = told(counts);
        assert!(!text.contains("NaN") && !text.contains("inf") && text.contains("Score:"), "{text}");
    }
    assert!(told("--wdl 7 0 0").contains("Elo:        n/a +/- n/a"));
}

#[test]
fn wrong_calls_are_refused_by_name() {
    for (arguments, named) in [
        ("", "--wdl"),
        ("--wdl 1 2", "--wdl"),
        ("--wdl 1 2 -3", "-3"),
        ("--wdl 1 2 3 --pairs 1 2 3 4 5", "--pairs"),
        ("--pairs 1 2 3 4", "--pairs"),
        ("--pairs 1 2 3 4 5 6", "five"),
        ("--wdl 1 2 3 4 5", "three"),
        ("--wdl 1 2 3 --elo0 0", "--elo1"),
        ("--wdl 1 2 3 --elo0 5 --elo1 5", "--elo1 5"),
        ("--wdl 1 2 3 --elo0 0 --elo1 inf", "--elo1 inf"),
        ("--wdl 1 2 3 --elo0 0 --elo1 5 --alpha 0", "--alpha 0"),
        ("--wdl 1 2 3 --elo0 0 --elo1 5 --alpha 0.6 --beta 0.4", "less than 1"),
        ("--wdl 1 2 3 --elo0 0 --elo1 5 --model other", "other"),
        ("--pairs 1 2 3 4 5 --elo0 0 --elo1 5 --model bayesian", "bayesian"),
        ("--wdl 1 2 99999999999999999", "99999999999999999"),
        ("--wdl 1 2 99999999999999999999999", "99999999999999999999999"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(named), "{arguments}: {message}");
    }
}
