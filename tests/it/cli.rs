//! The command line, through the real program.

use std::collections::HashSet;
use std::io::Write;
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use reynard_engine::rules::catalog;
use serde_json::Value;
use tempfile::NamedTempFile;

const DONE: i32 = 0;
const NEGATIVE: i32 = 1;
const USAGE: i32 = 2;

fn reynard(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.args(arguments);
    command
}

/// Exit code, standard output and standard error.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = reynard(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn succeed(arguments: &[&str]) -> String {
    let (code, out, error) = run(arguments, "");
    assert_eq!((code, error.as_str()), (DONE, ""), "{arguments:?}");
    out
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(arguments)).unwrap()
}

/// Fails with this code and one error that holds all the words.
fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    let (got, _, error) = run(arguments, "");
    assert_eq!(got, code, "{arguments:?}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?}: '{word}' is missing in: {error}");
    }
}

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn path(file: &NamedTempFile) -> &str {
    file.path().to_str().unwrap()
}

/// The fox is one step from the row that wins.
const ONE_STEP: &str = r#"{"name": "one-step", "extends": "fox-and-hounds", "fox_start": "b2", "geese": ["g7"],
    "foxes": 1, "title": "One step"}"#;

#[test]
fn every_help_is_there() {
    for arguments in [&[][..], &["rules"], &["rules", "show"], &["rules", "check"], &["perft"], &["play"]] {
        let help = succeed(&[arguments, &["--help"]].concat());
        assert!(help.contains("Usage: reynard"), "{arguments:?}");
    }
    for arguments in [&["match"][..], &["bench"], &["bench", "speed"], &["completions"]] {
        assert!(succeed(&[arguments, &["--help"]].concat()).contains("Usage: reynard"), "{arguments:?}");
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    refused(&["dance"], USAGE, &["dance"]);
    refused(&["perft"], USAGE, &["DEPTH"]);
    assert!(succeed(&["perft", "masters-15", "--json", "2"]).contains("masters-15"));
    refused(&["perft", "masters-15", "-1"], USAGE, &["-1"]);
    refused(&["perft", "masters-15", "1", "--set", "chain"], USAGE, &["chain", "KEY=VALUE"]);
    refused(&["--rules", "nowhere.json"], USAGE, &["nowhere.json"]);
}

#[test]
fn rules_list_names_every_ruleset() {
    let list = succeed(&["rules", "list"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, catalog::names().collect::<Vec<_>>());
    let list = succeed(&["rules", "list", "--all"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_once("  ")).map(|(name, _)| name).collect();
    assert_eq!(names, catalog::all_names().collect::<Vec<_>>());
    assert!(catalog::regions().all(|(region, _)| list.contains(&format!("\n{region}:\n"))));
}

#[test]
fn rules_show_tells_keys_source_and_board() {
    for name in catalog::names() {
        let page = succeed(&["rules", "show", name]);
        for words in ["source ", "family ", "The start"] {
            assert!(page.contains(words), "{name}: {words}");
        }
    }
    for words in ["goose_moves", "fox_wins_below", "The start, F for fox, G for geese"] {
        assert!(succeed(&["rules", "show", "masters-15"]).contains(words), "{words}");
    }
    for words in ["vacancy             d4\n", "target              d4\n", "The start, P for a peg"] {
        assert!(succeed(&["rules", "show", "solitaire"]).contains(words), "{words}");
    }
    let page = succeed(&["rules", "show", "masters-15", "--set", "goose_moves=forward,sideways"]);
    assert!(page.contains("forward,sideways\n") && page.contains("3/3/7/G2F2G/GGGGGGG/GGG/GGG g"));
}

#[test]
fn rules_check_accepts_good_files() {
    let good = file(ONE_STEP);
    assert!(succeed(&["rules", "check", path(&good)]).starts_with("ok: one-step (One step)"));
}

#[test]
fn the_example_of_the_readme_is_a_game() {
    let readme = include_str!("../../README.md");
    let example = readme.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(succeed(&["rules", "check", path(&file(example))]).starts_with("ok: garden"));
    let reference = include_str!("../../src/engine/rules/catalog/README.md");
    let examples = reference.split("```json").skip(1).filter_map(|rest| rest.split("```").next());
    for (example, name) in examples.zip(["garden", "star", "triangle"]) {
        assert!(succeed(&["rules", "check", path(&file(example))]).starts_with(&format!("ok: {name}")));
    }
    let mut spaced = tempfile::Builder::new().suffix(" own.json").tempfile().unwrap();
    spaced.write_all(example.as_bytes()).unwrap();
    let told = succeed(&["rules", "check", path(&spaced)]);
    assert!(told.ends_with(&format!("reynard tune learn --rules '{}'\n", path(&spaced))), "{told}");
}

#[test]
fn rules_check_names_file_key_and_what_is_allowed() {
    let cases = [
        (r#"{"name": "x", "extends": "masters-15", "goose_moves": ["up"]}"#, "goose_moves", "forward_diagonal"),
        (r#"{"name": "x", "extends": "masters-15", "huf": "none"}"#, "huf", "`huff`"),
        (r#"{"name": "x", "extends": "masters-15", "geese": ["z9"]}"#, "geese", "z9"),
        (r#"{"name": "x", "extends": "nobody"}"#, "extends", "nobody"),
        (r#"{"name": "x", "extends": "masters-15", "forced_chain": true, "chain": false}"#, "forced_chain", "chain"),
    ];
    for (text, key, allowed) in cases {
        let bad = file(text);
        refused(&["rules", "check", path(&bad)], NEGATIVE, &[path(&bad), key, allowed]);
        refused(&["perft", "2", "--rules", path(&bad)], USAGE, &[path(&bad), key]);
    }
    refused(&["rules", "check", "nowhere.json"], USAGE, &["nowhere.json"]);
}

#[test]
fn perft_counts() {
    let count = json(&["perft", "masters-15", "4", "--json"]);
    assert_eq!(count["ruleset"], "masters-15");
    assert_eq!(count["nodes"], serde_json::json!([1, 12, 64, 1006, 4790]));
    assert!(count["seconds"].is_f64());
    assert_eq!(count.as_object().unwrap().len(), 3);
    assert!(succeed(&["perft", "masters-15", "4"]).contains("perft(4) = 4790"));
}

#[test]
fn perft_divides() {
    let count = json(&["perft", "bell-13", "3", "--json", "--divide"]);
    let leaves: u64 = count["divide"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(count["nodes"][3], leaves);
}

#[test]
fn perft_starts_where_it_is_told() {
    let moved = json(&["perft", "2", "--json", "--moves", "a4a5 d4d5"]);
    let placed = json(&["perft", "2", "--json", "--position", "3/3/G2F3/6G/GGGGGGG/GGG/GGG g"]);
    assert_eq!(moved["nodes"], placed["nodes"]);
    let own = file(ONE_STEP);
    assert_eq!(json(&["perft", "1", "--json", "--rules", path(&own)])["ruleset"], "one-step");
    let narrow = json(&["perft", "masters-15", "1", "--json", "--set", "goose_moves=forward"]);
    assert!(narrow["nodes"][1].as_u64() < Some(12));
}

#[test]
fn perft_refuses_clearly() {
    refused(&["perft", "nobody", "2"], USAGE, &["nobody", "masters-15"]);
    refused(&["perft", "2", "--position", "3/3/7/G2F2G g"], USAGE, &["column"]);
    refused(&["perft", "2", "--moves", "a4a5 a5a4"], USAGE, &["a5a4", "not legal"]);
    refused(&["perft", "2", "--set", "chain=perhaps"], USAGE, &["chain"]);
    let own = file(ONE_STEP);
    refused(&["perft", "masters-15", "2", "--rules", path(&own)], USAGE, &["--rules"]);
}

#[test]
fn without_a_subcommand_it_is_an_engine() {
    let own = file(ONE_STEP);
    let (code, out, _) = run(&["--rules", path(&own)], "ugi\nquery fen\nquit\n");
    assert_eq!(code, DONE);
    assert!(out.contains("ugiok") && out.starts_with("id name reynard"), "{out}");
    assert!(out.contains("response ") && out.contains(" f\n"), "{out}");
}

#[test]
fn a_game_in_the_terminal_ends_with_result_and_reason() {
    let own = file(ONE_STEP);
    let (code, out, _) = run(&["play", "--rules", path(&own)], "moves\nb2b3\nb2-a1\n");
    assert_eq!(code, DONE);
    assert!(out.contains("b2a1 b2a3 b2c1 b2c3"), "{out}");
    assert!(out.contains("there is no point b3"), "the reason is told: {out}");
    assert!(out.contains("You win: "), "{out}");
}

#[test]
fn a_game_in_the_terminal_hints_takes_back_and_stops_at_the_end_of_input() {
    let (code, out, error) = run(&["play", "--time", "0.02"], "help\nhint\n14-7\nundo\nundo\nboard\n");
    assert_eq!((code, error.as_str()), (DONE, ""));
    for words in ["take back", "Try ", "The engine plays ", "no move of yours", "Good-bye"] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let (code, out, _) = run(&["play", "siege", "--side", "fox", "--time", "0.02"], "quit\n");
    assert!(code == DONE && out.contains("you play the officers"), "{out}");
    refused(&["play", "--side", "wolf"], USAGE, &["wolf", "geese or fox"]);
    refused(&["play", "--time=-3"], USAGE, &["--time"]);
}

#[test]
fn people_roll_dice_and_solve_puzzles_in_the_terminal() {
    let (code, out, _) = run(&["play", "goose", "--seed", "1"], &format!("help\n{}", "\n".repeat(500)));
    assert!(code == DONE && out.contains("you play player 1.") && out.contains("The dice: press Enter"), "{out}");
    assert!(out.contains("player 2: ") && (out.contains("You win: ") || out.contains("You lose: ")), "{out}");
    let again = run(&["play", "goose", "--seed", "1"], &format!("help\n{}", "\n".repeat(500)));
    assert_eq!(again.1, out, "the same seed, the same dice");

    let table = ["play", "goose-team", "--set", "players=3", "--side", "p2", "--time", "0.02", "--seed", "2"];
    let (code, out, _) = run(&table, "\nhint\n9:9\n");
    for words in
        ["player 1 plays ", "player 2, Enter rolls the dice> ", "dice to use: ", "Try ", " % to win, by its guess)"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(code == DONE && out.contains("'moves' lists what you can play"), "{out}");

    let key = "5-17 12-10 3-11 1-3 18-6 3-11 30-18 27-25 13-27 24-26 27-25 22-24 31-23 33-31 16-28 31-23 4-16 7-9 21-7 \
               10-8 7-9 24-22 22-8 8-10 10-12 12-26 26-24 17-15 29-17 18-16 15-17";
    let (code, out, _) = run(&["play", "solitaire"], &format!("help\n{}\n", key.replace(' ', "\n")));
    assert!(code == DONE && out.contains("you play alone") && out.ends_with("Solved.\n"), "{out}");
    assert!(!out.contains("dice"), "{out}");
}

/// Two random movers, reproducible.
const QUICK: [&str; 11] = [
    "match",
    "--games",
    "4",
    "--nodes",
    "20",
    "--a",
    "Searcher=random",
    "--b",
    "Searcher=mcts,Hash=1",
    "--json",
    "--max-plies=60",
];

/// What the players did, without what the clock measured.
fn counts(result: &Value) -> [Value; 2] {
    [0, 1].map(|engine| {
        let mut overall = result["engines"][engine]["overall"].clone();
        overall.as_object_mut().unwrap().remove("ms_per_move");
        overall
    })
}

#[test]
fn a_match_counts_per_side_and_is_reproducible() {
    let both = counts(&json(&QUICK));
    for player in &both {
        let total = &player["results"];
        assert_eq!(total["games"], 4);
        for key in ["wins", "draws", "losses"] {
            let sides = player["roles"].as_array().unwrap().iter();
            assert_eq!(total[key].as_u64(), sides.map(|side| side[key].as_u64()).sum());
        }
    }
    assert_eq!(both[0]["results"]["wins"], both[1]["results"]["losses"]);
    let at_once = [&QUICK[..], &["--concurrency", "2"]].concat();
    assert_eq!(counts(&json(&at_once)), both);
}

#[test]
fn a_match_through_the_protocol_goes_the_same_way() {
    let through = [&QUICK[..], &["--through-protocol"]].concat();
    assert_eq!(counts(&json(&through)), counts(&json(&QUICK)));
    let own = file(ONE_STEP);
    let games = ["match", "--games", "2", "--depth", "2", "--openings-plies", "0", "--through-protocol"];
    let result = succeed(&[&games[..], &["--rules", path(&own)]].concat());
    assert!(result.contains("\nPer side\n") && result.contains("\none-step   1.0 "), "{result}");
}

#[test]
fn a_player_without_options_is_the_engine_as_it_is() {
    let games = ["match", "--games", "2", "--nodes", "5", "--max-plies", "4", "--a", "", "--b", "Hash=1,"];
    let result = succeed(&games);
    assert!(result.contains("\nA: \nB: Hash=1\n"), "{result}");
}

#[test]
fn a_match_refuses_unknown_options() {
    for venue in [&[][..], &["--through-protocol"]] {
        refused(&[&["match", "--b", "Sercher=mcts"], venue].concat(), USAGE, &["player B", "Sercher"]);
    }
    refused(
        &["match", "--a", "Hash=1,mcts"],
        USAGE,
        &["'mcts' is not NAME=VALUE; an example is Searcher=mcts,Hash=16"],
    );
    refused(&["match", "--a", "RuleSwitches=chain=false"], USAGE, &["RuleSwitches", "--set"]);
    refused(&["match", "--nodes", "5", "--depth", "2"], USAGE, &["--depth"]);
}

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let (code, out, error) = run(&["bench", "--check", "1"], "");
    let total = out.lines().find_map(|line| line.strip_prefix("Bench: ")).unwrap();
    assert!(out.starts_with("masters-15 ") && out.ends_with(" nps\n") && out.contains(&format!("\n{total} nodes ")));
    assert!(code == NEGATIVE && error.contains(total), "{error}");
    succeed(&["bench", "--check", total]);
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(succeed(&["completions", shell]).contains("reynard"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    for arguments in [&["rules", "list"][..], &["completions", "bash"], &["--help"], &["perft", "3"]] {
        let mut process = Process::new(env!("CARGO_BIN_EXE_reynard"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(process.stdout.take());
        let output = process.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(DONE), &b""[..]), "{arguments:?}");
    }
}

#[test]
fn the_engine_takes_its_options_from_a_file() {
    let options = file(r#"{"options": {"UCI_Variant": "bell-13", "Threads": 2}}"#);
    let (code, out, error) = run(&["--options", path(&options)], "query p1name\n");
    assert_eq!((code, out.as_str(), error.as_str()), (DONE, "response fox\n", ""));
    let rules = file(ONE_STEP);
    let (_, out, _) = run(&["--options", path(&options), "--rules", path(&rules)], "query rules\n");
    assert!(out.contains("one-step"), "{out}");
    let wrong = file(r#"{"as": {"fox": {"Threads": 0}}}"#);
    refused(&["--options", path(&wrong)], USAGE, &[path(&wrong), "as.fox", "Threads", "from 1 to"]);
    let missing = file(r#"{"options": {"RulesFile": "no-such.json"}}"#);
    refused(&["--options", path(&missing)], USAGE, &[path(&missing), "RulesFile", "no-such.json"]);
    refused(&["--options", "no-such.json"], USAGE, &["no-such.json"]);
}

#[test]
fn an_exported_book_is_read_by_a_tournament() {
    for (ruleset, plies) in [("masters-15", 6), ("siege", 5), ("goose", 7), ("the-game", 6)] {
        let book = succeed(&["tournament", "openings", ruleset, "--plies", &plies.to_string(), "--count", "20"]);
        let lines: HashSet<&str> = book.lines().collect();
        assert_eq!((lines.len(), book.lines().count()), (20, 20), "{ruleset}");
        let book_file = file(&book);
        let spec = serde_json::json!({
            "rulesets": [ruleset], "engines": [{"name": "a"}, {"name": "b"}], "limits": {"nodes": 100},
            "format": "match", "pairs": 20, "openings": {"kind": "file", "path": path(&book_file)},
        });
        let spec_file = file(&spec.to_string());
        let checked = json(&["tournament", "check", path(&spec_file), "--json"]);
        let first = &checked["rulesets"][0]["openings"][0];
        assert_eq!(first["start"].as_str(), book.lines().next(), "{ruleset}: {checked}");
    }
}

#[test]
fn an_exported_book_holds_what_random_openings_are() {
    let book = |seed: &str| succeed(&["tournament", "openings", "--plies", "4", "--count", "30", "--seed", seed]);
    assert_eq!(book("3"), book("3"));
    assert_ne!(book("3"), book("4"));
    let whole = ["tournament", "openings", "fox-and-hounds", "--plies", "3", "--count"];
    assert_eq!(succeed(&[&whole[..], &["42"]].concat()).lines().count(), 42);
    refused(
        &[&whole[..], &["43"]].concat(),
        USAGE,
        &["fox-and-hounds has only 42 different", "3 random plies", "not 43"],
    );
    refused(&[&whole[..], &["0"]].concat(), USAGE, &["--count"]);
    let balanced = ["tournament", "openings", "--plies", "6", "--count", "3", "--balance"];
    let by_search = succeed(&[&balanced[..], &["max_cp=20", "nodes=100"]].concat());
    assert!(
        by_search.lines().count() == 3 && by_search != succeed(&[&balanced[..], &["max_cp=900", "nodes=100"]].concat())
    );
    refused(&[&balanced[..], &["by=table"]].concat(), USAGE, &["need a folder of tables"]);
    refused(&[&balanced[..], &["nodes=5"]].concat(), USAGE, &["--balance", "max_cp"]);
    let dice = ["tournament", "openings", "goose-team", "--count", "3", "--balance", "max_cp=9"];
    refused(&dice, USAGE, &["'goose-team'", "dice are rolled"]);
}

#[test]
fn open_bench_gets_its_openings_by_an_argument() {
    let out = succeed(&["genfens 8 seed 5 book None ", "quit"]);
    let position = |line: &str| {
        let text = line.strip_prefix("info string genfens ").unwrap().strip_suffix(" - - 0 1").unwrap();
        text.to_owned()
    };
    let texts: Vec<String> = out.lines().map(position).collect();
    let book = succeed(&["tournament", "openings", "masters-15", "--count", "8", "--seed", "5"]);
    assert_eq!(texts, book.lines().collect::<Vec<_>>());
    let bell = succeed(&["genfens 3 seed 5 book None ruleset bell-13 plies 4", "quit"]);
    let book = succeed(&["tournament", "openings", "bell-13", "--count", "3", "--seed", "5", "--plies", "4"]);
    assert_eq!(bell.lines().map(position).collect::<Vec<_>>(), book.lines().collect::<Vec<_>>());
    for (command, words) in [
        ("genfens", &["'genfens': expected genfens N seed S book None"][..]),
        ("genfens 0 seed 5 book None", &["N '0' is no number from 1 to"]),
        ("genfens 3 seed x book None", &["seed 'x' is no number"]),
        ("genfens 3 seed 5 book Books/x.epd", &["'Books/x.epd' are not read", "book None"]),
        ("genfens 3 seed 5 book None plies", &["'plies': expected plies P or ruleset NAME"]),
        ("genfens 3 seed 5 book None ruleset chess", &["chess"]),
    ] {
        refused(&[command, "quit"], USAGE, words);
    }
}
