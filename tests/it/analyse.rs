//! `reynard analyse`, through the real program.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Exit code, standard output and standard error.
fn reynard(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.args(arguments).current_dir(folder).write_stdin(input).output().expect("a run");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn good(folder: &Path, arguments: &str) -> String {
    let (code, out, error) = reynard(folder, &arguments.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(code, Some(0), "{arguments}: {error}");
    out
}

fn json_of(folder: &Path, arguments: &str) -> Vec<Value> {
    serde_json::from_str(&good(folder, &format!("analyse {arguments} --format json"))).expect("a list")
}

/// The second move lets the fox through, which was lost before.
const BLUNDER: &str = "[White \"Reinaert\"]\n[Black \"Isengrim\"]\n[Variant \"fox-and-hounds\"]\n[Result \"*\"]\n\n\
                       1. d8e7 {hm} c1b2 ! (c1d2) 2. e7d6 *\n";

#[test]
fn tables_judge_where_they_reach() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    good(folder, "table build fox-and-hounds --dir tables");
    fs::write(folder.join("game.pgn"), BLUNDER).expect("a file");
    let games = json_of(folder, "game.pgn --tables tables");
    let moves = games[0]["moves"].as_array().expect("moves");
    // The fox is lost whatever it does, and then whatever it does is won.
    assert_eq!((&moves[0]["mark"], &moves[0]["value"]["value"]), (&Value::Null, &json!("loss")));
    let blunder = &moves[1];
    assert_eq!((&blunder["side"], &blunder["mark"], &blunder["loss"]), (&json!("hounds"), &json!("??"), &json!(1.0)));
    assert_eq!((&blunder["value"]["by"], &blunder["best_value"]["value"]), (&json!("tables"), &json!("win")));
    let sides = &games[0]["sides"];
    assert_eq!((&sides[0]["accuracy"], &sides[1]["blunders"]), (&json!(100.0), &json!(1)));

    let pgn = good(folder, "analyse game.pgn --tables tables");
    let better = blunder["best"].as_str().expect("a move");
    for words in [format!("c1b2 $4 {{loss, better {better} win}}"), "[Black \"Isengrim\"]".into(), "[Annotator".into()]
    {
        assert!(pgn.replace('\n', " ").contains(&words), "{words}: {pgn}");
    }
    fs::write(folder.join("again.pgn"), &pgn).expect("a file");
    assert_eq!(good(folder, "analyse again.pgn --tables tables"), pgn, "what was written can be read");
    let text = good(folder, "analyse game.pgn --tables tables --format text");
    assert!(
        text.contains("Reinaert against Isengrim") && text.contains("c1b2??") && text.contains("100.0 %"),
        "{text}"
    );

    // A list that a damaged table cuts short is a list.
    let other = "[Variant \"masters-15\"]\n\n1. a4a5 *\n\n";
    fs::write(folder.join("game.pgn"), [other, BLUNDER].concat()).expect("a file");
    for table in fs::read_dir(folder.join("tables")).expect("tables") {
        let path = table.expect("a table").path();
        let mut bytes = fs::read(&path).expect("a table");
        let middle = bytes.len() / 2;
        bytes[middle..].iter_mut().for_each(|byte| *byte = !*byte);
        fs::write(&path, bytes).expect("a table");
    }
    let words = "analyse game.pgn --tables tables --format json --nodes 20";
    let (code, out, error) = reynard(folder, &words.split(' ').collect::<Vec<_>>(), "");
    let games: Vec<Value> = serde_json::from_str(&out).expect("a list");
    assert!(code == Some(1) && games.len() == 1, "{code:?} {error}");
}

#[test]
fn a_search_judges_the_games_of_a_journal() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let spec = json!({
        "name": "lopsided", "rulesets": [{"name": "bell-13", "set": {"chain": false}}], "format": "match", "pairs": 1,
        "engines": [
            {"name": "sees", "options": {"Searcher": "alphabeta"}},
            {"name": "blind", "options": {"Searcher": "random"}}
        ],
        "limits": {"nodes": 500}, "openings": {"kind": "random", "plies": 4}, "max_plies": 60, "seed": 5,
    });
    fs::write(folder.join("spec.json"), spec.to_string()).expect("a file");
    good(folder, "tournament run spec.json --out run --quiet");
    let games = json_of(folder, "run --nodes 500");
    assert_eq!(games.len(), 2);
    let mut marks = 0;
    for mv in games.iter().flat_map(|game| game["moves"].as_array().expect("moves")) {
        let is_opening = mv["ply"].as_u64() <= games[0]["opening_plies"].as_u64();
        assert!(!is_opening || mv["mark"].is_null() && mv["value"].is_null(), "{mv}");
        if !mv["mark"].is_null() {
            marks += 1;
            assert!(mv["best"] != mv["move"] && mv["loss"].as_f64() >= Some(0.1), "{mv}");
            assert_eq!(mv["value"]["by"], "search");
        }
        // The first choice is no mistake, and nothing is better than what is as good.
        assert!(mv["best"].is_null() || (mv["best"] == mv["move"]) == (mv["loss"] == 0.0), "{mv}");
    }
    assert!(marks > 0, "who plays at random gives something away");
    assert_eq!(
        json_of(folder, "run/journal.jsonl --nodes 500 --game 1"),
        games[1..],
        "the same again, and of one game"
    );
    let of_pgn = json_of(folder, "run/games.pgn --nodes 500");
    assert_eq!(of_pgn[0]["moves"], games[0]["moves"], "the report's own PGN, with a switch in its variant");
    let pgn = good(folder, "analyse run --nodes 500");
    assert_eq!((pgn.matches("[White \"").count(), pgn.matches(" $").count()), (2, marks), "{pgn}");
    assert!(pgn.contains("[Fox \"blind\"]") && pgn.contains("{opening}"), "{pgn}");
}

#[test]
fn a_saved_game_is_judged_too() {
    let folder = TempDir::new().expect("a folder");
    let arguments = ["play", "masters-15", "--option", "Searcher=random", "--seed", "1"];
    let (code, out, _) = reynard(folder.path(), &arguments, "a4a5\nresign\nsave game.pgn\nquit\n");
    assert!(code == Some(0) && out.contains("The game is in game.pgn"), "{out}");
    let pgn = good(folder.path(), "analyse game.pgn --nodes 300");
    for words in ["[White \"person\"]", "[Variant \"masters-15\"]", "[Result \"0-1\"]", "\n1. a4a5 {", " 0-1\n"] {
        assert!(pgn.contains(words), "{words}: {pgn}");
    }
    let (code, _, error) = reynard(folder.path(), &["analyse", "game.pgn", "--ruleset", "masters-17"], "");
    assert!(code == Some(1) && error.contains("by other rules than those of masters-17"), "{error}");
}

#[test]
fn a_bad_game_is_named_and_left_out() {
    let folder = TempDir::new().expect("a folder");
    let illegal = "[Variant \"bell-13\"]\n\n1. @d5 c3c4 2. d5d9 *\n\n";
    let unknown = "[Variant \"chess\"]\n\n1. e4 *\n\n";
    fs::write(folder.path().join("games.pgn"), [illegal, BLUNDER, unknown, "\n", BLUNDER].concat()).expect("a file");
    let (code, out, error) =
        reynard(folder.path(), &["analyse", "games.pgn", "--nodes", "50", "--format", "json", "--quiet"], "");
    let games: Vec<Value> = serde_json::from_str(&out).expect("a list");
    assert!(code == Some(1) && games.len() == 2 && out.lines().count() == 2, "a game a line: {code:?} {out}");
    let complaints: Vec<&str> = error.lines().collect();
    assert!(
        matches!(complaints[..], [first, second]
            if first.starts_with("reynard: games.pgn: game 0, line 3: ply 3: ")
            && second.starts_with("reynard: games.pgn: game 2, line 13: --ruleset or --rules says what is played: ")),
        "{error}"
    );
    let (code, out, _) = reynard(folder.path(), &["analyse", "games.pgn", "--game", "0", "--format", "json"], "");
    assert_eq!((code, out.as_str()), (Some(1), "[]\n"));
}

#[test]
fn a_named_ruleset_stands_without_the_switches_of_the_game() {
    let folder = TempDir::new().expect("a folder");
    let game = "[Variant \"masters-15 no_such_rule=1\"]\n\n1. @d5 *\n";
    fs::write(folder.path().join("game.pgn"), game).expect("a file");
    let (code, _, error) = reynard(folder.path(), &["analyse", "game.pgn"], "");
    assert!(code == Some(1) && error.contains("no_such_rule"), "{error}");
    assert_eq!(json_of(folder.path(), "game.pgn --nodes 50 --ruleset bell-13")[0]["ruleset"], "bell-13");
}

#[test]
fn what_is_no_game_is_named() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    for (name, text, words) in [
        ("empty.pgn", "\n", "holds no game; expected a PGN file or a results directory"),
        ("unclosed.pgn", "1. c3c4 {no end\n", "line 1: the comment '{'"),
        ("game.json", "{\"ruleset\": \"bell-13\"}", "holds no game"),
    ] {
        fs::write(folder.join(name), text).expect("a file");
        let (code, _, error) = reynard(folder, &["analyse", name], "");
        assert!(code == Some(2) && error.contains(words) && error.contains(name), "{name}: {code:?} {error}");
    }
    fs::write(folder.join("one.pgn"), BLUNDER).expect("a file");
    for (arguments, words) in [
        (&["analyse", "none.pgn"][..], "none.pgn"),
        (&["analyse", "one.pgn", "--game", "1"], "there is no game 1; it has 1, the first is 0"),
        (&["analyse", "one.pgn", "--tables", "nowhere"], "nowhere"),
        (&["analyse", "one.pgn", "--nodes", "5", "--movetime", "5"], "cannot be used with"),
    ] {
        let (code, _, error) = reynard(folder, arguments, "");
        assert!(code == Some(2) && error.contains(words), "{arguments:?}: {code:?} {error}");
    }
}
