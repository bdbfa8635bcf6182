//! A journal that an earlier version wrote (`vectors/old-journal.jsonl`): two games of catch-the-hare before its rules
//! had `no_progress`, so that the catalog's fingerprint is another one today.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use reynard::testing::tournament::journal::line::seal;
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

/// The old journal with something changed in its head and in each of its games.
fn changed(head: impl Fn(&mut Value), game: impl Fn(&mut Value)) -> Vec<u8> {
    let line = |(number, text): (usize, &str)| {
        let mut value: Value = serde_json::from_str(text).unwrap();
        value.as_object_mut().unwrap().shift_remove("crc");
        if number == 0 {
            head(&mut value)
        } else {
            game(&mut value)
        }
        seal(&value).unwrap()
    };
    OLD.lines().enumerate().flat_map(line).collect()
}

#[test]
fn a_journal_of_what_is_gone_names_the_program_that_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("old")).unwrap();
    fs::write(folder.join("spec.json"), SPEC).unwrap();
    for (seats, words) in [(1, "of 1 seat,"), (3, "of 3 seats,"), (4, "of 4 seats,")] {
        let seated = |head: &mut Value| {
            let seat = head["rulesets"][0]["seats"][0].clone();
            head["rulesets"][0]["seats"] = vec![seat; seats].into();
        };
        fs::write(folder.join("old/journal.jsonl"), changed(seated, |_| {})).unwrap();
        for command in ["report old", "replay old 0", "merge old --out whole", "run spec.json --out old --resume"] {
            let (code, _, error) = reynard(folder, &format!("tournament {command}"));
            assert_eq!(code, Some(2), "{command}: {error}");
            assert!(error.contains(words) && error.contains("read it with reynard 0.1.0 (8f4add09)"), "{error}");
        }
    }
    for format in ["swiss", "knockout"] {
        fs::write(folder.join("old/journal.jsonl"), changed(|head| head["spec"]["format"] = format.into(), |_| {}))
            .unwrap();
        let (code, _, error) = reynard(folder, "tournament report old");
        assert!(code == Some(2) && error.contains(&format!("of the format `{format}`, which")), "{error}");
    }
}

#[test]
fn a_game_of_rules_that_are_no_longer_known_is_listed_without_a_board() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("old")).unwrap();
    let page = |head: fn(&mut Value)| {
        fs::write(folder.join("old/journal.jsonl"), changed(head, |_| {})).unwrap();
        good(folder, "tournament report old --format html")
    };
    // What the page needs of each ruleset to draw it; without it the moves are read.
    let with_board = page(|_| {});
    assert!(with_board.contains("\"board\":{"));
    let without = page(|head| head["rulesets"][0]["fingerprint"] = "0123456789abcdef".into());
    assert!(
        without.contains("\"starts\":[{\"pieces\":[]") && without.contains("\"game\":null"),
        "neither pieces nor a board"
    );
    assert!(good(folder, "tournament replay old 0").contains("(no board: the rules of this game"));
}

#[test]
fn what_engines_said_about_the_referee_stays_in_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("old")).unwrap();
    let noted = |game: &mut Value| {
        game["disagreements"] = serde_json::json!(["ply 3: A says f"]);
        game["not_comparable"] = serde_json::json!(["B answers no hash"]);
    };
    let report = |key: &str, value: Value| {
        fs::write(folder.join("old/journal.jsonl"), changed(|head| head["spec"][key] = value.clone(), noted)).unwrap();
        let [text, page] =
            ["text", "html"].map(|format| good(folder, &format!("tournament report old --format {format}")));
        // The page has the words of every remark; what it says of this run stands in its head.
        let head = page.split_once("id=\"head\">").and_then(|(_, rest)| rest.split_once("id=\"figures\"")).unwrap().0;
        [text, head.to_owned()]
    };
    let remark = "Notes of the engines' disagreements stand in the journal";
    for (key, value) in [("cross_check", true.into()), ("referee", "engines".into())] {
        let reports = report(key, value);
        assert!(reports.iter().all(|report| report.contains(remark)), "{key}: {}", reports[0]);
        assert!(reports[0].contains("2 games in 1 pairs"), "{key}: {}", reports[0]);
    }
    assert!(report("cross_check", false.into()).iter().all(|report| !report.contains(remark)));
}
