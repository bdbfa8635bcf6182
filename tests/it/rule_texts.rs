//! The rules of the catalog's games in words: complete, of a length that people read, and about the right sides.

use std::process::Command;

use reynard::api::engine::registry::{self, RulesetChoice};
use reynard::api::rules::catalog::{self, RuleText, rule_text};
use serde_json::{Map, Value};

/// The longest paragraph and the longest text, in characters.
const LONGEST: usize = 600;
const LONGEST_TEXT: usize = 4_000;

fn paragraphs(text: &RuleText) -> Vec<&str> {
    let sides = text.sides.iter().flat_map(|side| [side.goal.as_str(), side.moves.as_str()]);
    let whole = [&text.setup, &text.captures, &text.end].map(String::as_str);
    let others = text.special.iter().chain(&text.balance).map(String::as_str);
    sides.chain(whole).chain(others).collect()
}

fn rules(name: &str) -> Value {
    registry::open(&RulesetChoice::catalog(name)).unwrap_or_else(|error| panic!("{error}")).rules_json()
}

#[test]
fn every_game_has_a_complete_text_of_sensible_length() {
    let texts: Map<String, Value> =
        serde_json::from_str(include_str!("../../src/rules/catalog/texts.en.json")).expect("JSON");
    assert_eq!(texts.keys().collect::<Vec<_>>(), catalog::names().collect::<Vec<_>>());
    for name in catalog::names() {
        let text = rule_text(name).unwrap_or_else(|| panic!("{name} has no complete text"));
        let paragraphs = paragraphs(&text);
        for paragraph in &paragraphs {
            assert!((10..=LONGEST).contains(&paragraph.len()), "{name}: {paragraph}");
            assert!(paragraph.ends_with('.') && !paragraph.contains("  "), "{name}: {paragraph}");
        }
        assert!(paragraphs.iter().map(|paragraph| paragraph.len()).sum::<usize>() < LONGEST_TEXT, "{name}");
    }
}

#[test]
fn texts_name_the_sides_of_their_ruleset() {
    for name in catalog::names() {
        let (rules, text) = (rules(name), rule_text(name).expect(name));
        let names: Vec<&str> = text.sides.iter().map(|side| side.name.as_str()).collect();
        match rules["family"].as_str() {
            Some("hunt") => assert_eq!(names, [&rules["fox_side"], &rules["geese_side"]], "{name}"),
            Some("solitaire") => assert_eq!(names, ["player"], "{name}"),
            _ => assert_eq!(names, ["each player"], "{name}"),
        }
        let (words, is_hunt) = (paragraphs(&text).join(" "), rules["family"] == "hunt");
        assert!(!is_hunt || names.iter().all(|side| words.contains(side)), "{name}");
    }
}

#[test]
fn texts_agree_with_the_rules_in_force() {
    for name in catalog::names() {
        let (rules, text) = (rules(name), rule_text(name).expect(name));
        if rules["family"] != "hunt" {
            continue;
        }
        let words = paragraphs(&text).join(" ");
        let is_free = rules["fox_captures"] == true && rules["capture"] == "optional" && rules["huff"] == "none";
        assert_eq!(words.contains("has to jump"), is_free, "{name}");
        assert_eq!(words.contains("must go straight forward"), rules["first_move_forward"] == true, "{name}");
        let has_region = text.setup.contains("fortress") || text.setup.contains("paddock");
        assert_eq!(has_region, rules["fortress"] != Value::Array(Vec::new()), "{name}");
        assert_eq!(text.end.contains("third time"), rules["repetition"] == "draw", "{name}");
        assert_eq!(text.end.contains("300 turns"), rules["no_progress"] == 300, "{name}");
        assert_eq!(text.setup.contains("First "), rules["fox_start"] == "choose", "{name}");
    }
}

#[test]
fn who_does_well_is_told_of_a_game_by_itself() {
    let balance = |name: &str| rule_text(name).and_then(|text| text.balance);
    for name in catalog::names() {
        let known = balance(name).is_none_or(|text| ["Solved: ", "Measured: "].iter().any(|word| text.contains(word)));
        assert!(known, "{name}");
    }
    // Nobody has solved it, although it is like a game that is.
    assert_eq!((balance("masters-15").is_some(), balance("masters-17")), (true, None));
    assert!(balance("siege").is_some_and(|text| text.starts_with("The officers nearly always lose.")));
}

#[test]
fn the_reference_names_every_key() {
    let reference = include_str!("../../src/rules/catalog/README.md");
    for name in ["masters-15", "solitaire", "the-game", "goose"] {
        for key in rules(name).as_object().expect("an object").keys().filter(|key| *key != "fingerprint") {
            assert!(reference.contains(&format!("`{key}`")), "{name}: {key}");
        }
    }
}

#[test]
fn sources_can_be_found() {
    for name in catalog::names() {
        let rules = rules(name);
        let source = rules["source"].as_str().expect(name);
        assert!(source.len() > 20 && !source.contains("rules.md"), "{name}: {source}");
    }
}

#[test]
fn a_text_is_printed_in_lines_for_people() {
    let run = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
        command.args(["rules", "text", name]).output().expect("ran")
    };
    for name in ["siege", "GOOSE-TEAM", "the-game-horn", "solitaire-french"] {
        let out = run(name);
        let page = String::from_utf8(out.stdout).expect("UTF-8");
        assert!(out.status.success() && page.contains("Goal: ") && page.contains("Source"), "{page}");
        for line in page.lines() {
            assert!(line.chars().count() <= 100 && line.trim_end() == line, "{line}");
        }
    }
    let unknown = run("siegd");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean 'siege'"));
}
