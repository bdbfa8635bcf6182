//! Ruleset files of The Game: what is refused, in which words.

use reynard_engine::rules::thegame::Ruleset;
use serde_json::{Value, json};

fn read(changes: Value) -> Result<Ruleset, String> {
    let mut file = json!({ "name": "own", "extends": "the-game" });
    if let (Some(file), Value::Object(changes)) = (file.as_object_mut(), changes) {
        file.extend(changes);
    }
    Ruleset::from_text("own.json", &file.to_string(), &[]).map_err(|error| error.to_string())
}

#[test]
fn every_key_may_be_set() {
    let ruleset = read(json!({
        "size": 10, "basis": ["E1", "e10"], "blocked": ["j9", "b2"], "min_steps": 2, "distinct_route": true,
        "stack_limit": 3, "basis_limit": 2, "entry": "any_turn", "basis_duty": "leaving_first",
        "return_to_basis": "until_all_entered", "immobile_loses": true, "repetition": "none"
    }));
    let rules = ruleset.unwrap_or_else(|error| panic!("{error}")).rules;
    assert_eq!((rules.basis, rules.blocked), (["e1".into(), "e10".into()], vec!["b2".to_string(), "j9".to_string()]));
    assert_eq!((rules.size, rules.min_steps, rules.stack_limit, rules.basis_limit), (10, 2, 3, 2));
}

#[test]
fn the_far_corner_follows_the_size() {
    for (size, corner) in [(5, "e5"), (8, "h8"), (16, "p16")] {
        let rules = read(json!({ "size": size })).unwrap_or_else(|error| panic!("{error}")).rules;
        assert_eq!(rules.basis, ["a1", corner]);
    }
}

#[test]
fn wrong_values_are_refused_by_key() {
    let cases = [
        (json!({ "size": 4 }), "size", "5 to 16"),
        (json!({ "size": 17 }), "size", "5 to 16"),
        (json!({ "size": "8x8" }), "size", "5 to 16"),
        (json!({ "basis": "a1" }), "basis", "1 squares"),
        (json!({ "basis": ["a1", "a1"] }), "basis", "listed twice"),
        (json!({ "basis": ["a1", "h9"] }), "basis", "from a1 to h8"),
        (json!({ "size": 6, "basis": ["a1", "h8"] }), "basis", "from a1 to f6"),
        (json!({ "blocked": ["h8"] }), "blocked", "Basis"),
        (json!({ "blocked": ["d4", "D4"] }), "blocked", "listed twice"),
        (json!({ "blocked": ["d04"] }), "blocked", "not a square"),
        (json!({ "min_steps": 0 }), "min_steps", "1 to 5"),
        (json!({ "min_steps": 6 }), "min_steps", "1 to 5"),
        (json!({ "stack_limit": 6 }), "stack_limit", "0 to 5"),
        (json!({ "basis_limit": -1 }), "basis_limit", "0 to 5"),
        (json!({ "entry": "never" }), "entry", "first_turns"),
        (json!({ "basis_duty": 3 }), "basis_duty", "leaving_first"),
        (json!({ "return_to_basis": "never" }), "return_to_basis", "until_all_entered"),
        (json!({ "immobile_loses": 1 }), "immobile_loses", "true or false"),
        (json!({ "distinct_route": null }), "distinct_route", "true or false"),
        (json!({ "repetition": "lose" }), "repetition", "draw"),
        (json!({ "huff": "none" }), "huff", "unknown field"),
    ];
    for (changes, key, words) in cases {
        let error = read(changes.clone()).expect_err(&changes.to_string());
        assert!(error.contains(&format!("'{key}'")) && error.contains(words), "{changes}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn the_reconstruction_is_confessed() {
    for name in ["the-game", "the-game-horn", "the-game-2010"] {
        let heading = super::ruleset(name, "").heading;
        assert!(heading.source.contains("a reconstruction") && heading.about.contains("a reconstruction"), "{name}");
    }
}
