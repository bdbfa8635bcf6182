//! A journal that an earlier version wrote (`vectors/old-journal.jsonl`): two games of catch-the-hare before its rules
//! had `no_progress`, so that the catalog's fingerprint is another one today.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const OLD: &str = include_str!("../vectors/old-journal.jsonl");
/// What was played.
const SPEC: &str = r#"{"name": "old", "rulesets": ["catch-the-hare"], "format": "match", "pairs": 1, "max_plies": 12,
    "engines": [{"name": "A"}, {"name": "B"}], "limits": {"depth": 1}, "openings": {"kind": "random", "plies": 2}}"#;

/// Exit code, standard output and standard error.
fn reynard(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.args(arguments.split(' ')).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn good(folder: &Path, arguments: &str) -> String {
    let (code, out, error) = reynard(folder, arguments);
    assert_eq!(code, Some(0), "{arguments}: {error}");
    out
}

fn fingerprint(head: &Value) -> &str {
    head["rulesets"][0]["fingerprint"].as_str().unwrap()
}

#[test]
fn a_journal_of_older_rules_is_reported_replayed_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("old")).unwrap();
    let journal = folder.join("old/journal.jsonl");
    fs::write(&journal, OLD).unwrap();
    fs::write(folder.join("spec.json"), SPEC).unwrap();

    let report: Value = serde_json::from_str(&good(folder, "tournament report old --format json")).unwrap();
    assert_eq!((&report["games"], &report["engines"][0]["overall"]["results"]["draws"]), (&2.into(), &2.into()));
    assert!(good(folder, "tournament report old").contains("old: match, 2 games in 1 pairs"));
    let page = good(folder, "tournament report old --format html");
    assert!(page.contains("catch-the-hare") && page.contains("not recorded"), "no machine was recorded then");

    // Every move of both games is legal by the rules in the head, and the positions are those of these rules.
    let games: Vec<Value> = OLD.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    for (number, game) in games.iter().enumerate() {
        let plies = game["moves"].as_array().unwrap().len() + game["opening"]["moves"].as_array().unwrap().len();
        let shown = good(folder, &format!("tournament replay old {number}"));
        assert_eq!(shown.matches("\n     a   b   c   d   e\n").count(), plies + 1, "a board after each ply: {shown}");
        assert!(shown.ends_with("End: ply limit reached\n"), "{shown}");
    }
    let illegal = OLD.replacen("\"c5b4\"", "\"c5a1\"", 1);
    assert_ne!(illegal, OLD);
    fs::write(&journal, illegal).unwrap();
    let (code, _, error) = reynard(folder, "tournament report old");
    assert!(code == Some(2) && error.contains("is damaged: its checksum"), "{error}");
    fs::write(&journal, OLD).unwrap();

    good(folder, "tournament run spec.json --out new --quiet");
    let new = fs::read_to_string(folder.join("new/journal.jsonl")).unwrap();
    let [then, now]: [Value; 2] = [OLD, &new].map(|text| serde_json::from_str(text.lines().next().unwrap()).unwrap());
    assert_ne!(fingerprint(&then), fingerprint(&now));
    let (code, _, error) = reynard(folder, "tournament run spec.json --out old --quiet --resume");
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains(fingerprint(&then)) && error.contains(fingerprint(&now)), "{error}");
    assert_eq!(fs::read_to_string(&journal).unwrap(), OLD);
}
