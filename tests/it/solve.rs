//! `reynard solve` and the solver behind `go`: published numbers, replayed moves, proofs.

use assert_cmd::Command;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::Value;

use crate::client::Client;

/// Exit code, standard output and standard error.
fn solve(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.arg("solve").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str], code: i32) -> Value {
    let (got, out, error) = solve(&[arguments, &["--json"]].concat());
    // A survey names the problems that it has done.
    let progress = |line: &str| arguments.contains(&"--all-problems") && line.ends_with(" s");
    assert!(got == code && error.lines().all(progress), "{arguments:?}: {got} {error}");
    serde_json::from_str(&out).unwrap()
}

/// Plays the moves through a session of its own; the game must be won.
fn assert_wins(switches: &[(&str, &str)], answer: &Value) {
    let switches = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let mut session = registry::open(&RulesetChoice { switches, ..RulesetChoice::catalog("solitaire") }).unwrap();
    let moves: Vec<&str> = answer["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    session.set_position(None, &moves).unwrap();
    assert!(session.legal_moves().is_empty(), "{answer}");
    assert_eq!(answer["move_count"], moves.len());
    assert_eq!(answer["jump_count"], moves.iter().map(|mv| mv.matches('x').count()).sum::<usize>());
}

#[test]
fn any_solution_is_quick_and_claims_nothing_more() {
    let answer = json(&["--vacancy", "c7", "--target", "c4"], 0);
    assert_wins(&[("vacancy", "c7"), ("target", "c4")], &answer);
    assert_eq!((&answer["minimal"], &answer["proof"]), (&Value::Bool(false), &Value::Null));
    assert_eq!(answer["solutions"], Value::Null);
}

#[test]
fn impossible_problems_come_with_their_proof() {
    let class = json(&["--target", "d5", "--count"], 1);
    assert_eq!((&class["solvable"], &class["proof"]), (&Value::Bool(false), &Value::from("class")));
    assert_eq!(class["solutions"], "0");
    let pagoda = ["--position", "1P1/P2/P5P/P1PP1PP/P6/3/3 p", "--target", "b3,a5,d5"];
    let answer = json(&pagoda, 1);
    assert_eq!((&answer["solvable"], &answer["proof"]), (&Value::Bool(false), &Value::from("pagoda")));
    let everything = ["--position", "P2/1P1/3PPP1/P3P2/3P3/2P/2P p", "--target", "e2,d4,c7"];
    assert_eq!(json(&everything, 1)["proof"], "search");
    let (code, out, _) = solve(&["--target", "d5"]);
    assert_eq!(code, 1);
    assert!(out.contains("no solution; class: no jump changes whether the pegs on"), "{out}");
}

#[test]
fn the_survey_lists_every_problem_of_a_board_once() {
    let answer = json(&["--all-problems", "--set", "board=grid(4,4)"], 0);
    let rows = answer.as_array().unwrap();
    assert!(!rows.is_empty());
    let pair = |row: &Value| [&row["vacancy"], &row["survivor"]].map(|hole| hole.as_str().unwrap().to_owned());
    let mut pairs: Vec<_> = rows.iter().map(pair).collect();
    pairs.dedup();
    assert_eq!(pairs.len(), rows.len());
    for row in rows.iter().filter(|row| row["solvable"] == Value::Bool(true)) {
        let [vacancy, survivor] = pair(row);
        assert_wins(&[("board", "grid(4,4)"), ("vacancy", &vacancy), ("target", &survivor)], row);
        assert_eq!(row["minimal"], Value::Bool(true));
    }
    let row = rows.iter().find(|row| row["solvable"] == Value::Bool(true)).unwrap();
    let [vacancy, survivor] = pair(row);
    let problem = ["--set", "board=grid(4,4)", "--vacancy", &vacancy, "--target", &survivor];
    let answer = json(&[&problem[..], &["--shortest", "--count"]].concat(), 0);
    assert_eq!((&answer["move_count"], &answer["minimal"]), (&row["move_count"], &Value::Bool(true)));
    assert_eq!(answer["proof"], "search");
    assert!(answer["solutions"].as_str().unwrap().parse::<u64>().unwrap() > 0, "{answer}");
}

#[test]
fn the_survey_names_the_problem_that_stays_open() {
    // Enough for the first problem, not for the second.
    let survey = ["--all-problems", "--memory", "8", "--set", "board=grid(5,5)"];
    let (code, out, error) = solve(&survey);
    assert!(code == 3 && out.starts_with(" c1 to c2 "), "{out}");
    assert!(error.contains(" c1 to c5: ") && error.contains("the memory allowed is too small"), "{error}");
    let (code, out, _) = solve(&[&survey[..], &["--json"]].concat());
    let rows: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, rows.as_array().unwrap().len()), (3, 1));
}

fn client() -> Client {
    let mut client = Client::ugi();
    client.accepted("setoption name Ruleset value solitaire");
    client
}

/// The number of moves that the last line of a report promises.
fn mate(lines: &[String]) -> i64 {
    let line = lines.iter().rev().find(|line| line.contains(" score mate ")).unwrap();
    line.split(" score mate ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn go_answers_with_the_next_move_of_a_solution() {
    let mut client = client();
    client.accepted("position fen 3/3/7/1P2P2/3P3/1P1/3 p");
    for command in ["", "mate 3"] {
        let (lines, best) = client.go(command);
        assert_eq!(mate(&lines), 3, "{lines:?}");
        assert!(best.starts_with("bestmove d2xd4"), "{best}");
    }
    // The other jump leaves pegs that cannot meet.
    let (lines, best) = client.go("searchmoves d3xd1");
    assert!(best.starts_with("bestmove d3xd1"), "{best}");
    assert!(mate(&lines) < 0, "{lines:?}");
    assert!(lines.iter().any(|line| line == "info string these moves do not lead to the target"), "{lines:?}");
}

/// A board with more chains than anybody can list: an answer that waited for them would never come.
#[test]
fn go_keeps_to_its_time_on_the_largest_boards() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.json");
    let board = r#"{"name": "large", "family": "solitaire", "board": "grid(11,11)", "vacancy": "f6", "target": "f6"}"#;
    std::fs::write(&file, board).unwrap();
    let mut client = Client::ugi();
    client.accepted(&format!("setoption name RulesFile value {}", file.display()));
    let (lines, best) = client.go("movetime 500");
    assert!(best.starts_with("bestmove "), "{lines:?} {best}");
}

#[test]
fn the_option_shortest_proves_the_number_of_moves() {
    let vector: Value = serde_json::from_str(include_str!("../vectors/solitaire.json")).unwrap();
    let key: Vec<&str> = vector["key"]["canonical"].as_str().unwrap().split(' ').collect();
    let mut client = client();
    client.accepted(&format!("position startpos moves {}", key[..14].join(" ")));
    let any = mate(&client.go("").0);
    client.accepted("setoption name Shortest value true");
    let (lines, _) = client.go("");
    assert!(mate(&lines) <= any && mate(&lines) <= (key.len() - 14) as i64, "{lines:?}");
    assert!(lines.iter().any(|line| line == "info string no solution has fewer moves"), "{lines:?}");
}

#[test]
fn a_search_that_gives_up_says_so() {
    let mut client = client();
    client.accepted("setoption name Shortest value true");
    let (lines, best) = client.go("nodes 1");
    assert!(best.starts_with("bestmove "), "{best}");
    assert!(lines.iter().any(|line| line.starts_with("info string not decided: the limit of positions")), "{lines:?}");
}

#[test]
fn wrong_questions_are_refused() {
    for (arguments, word) in [
        (&["--vacancy", "z9"][..], "z9"),
        (&["--ruleset", "masters-15"], "no puzzle"),
        (&["--position", "PPP p"], "position"),
    ] {
        let (code, _, error) = solve(arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}
