//! Chances through the doors: session, protocol, command line.

use assert_cmd::Command;
use reynard_engine::chances::{Chances, ChancesMethod};
use reynard_engine::protocol::ugi::query;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{Options, Session};
use serde_json::Value;

fn session(name: &str, switches: &str) -> Box<dyn Session> {
    let switches = registry::parse_switches(switches).expect("switches");
    registry::open(&RulesetChoice { switches, ..RulesetChoice::catalog(name) }).expect("a ruleset")
}

fn options() -> Options {
    registry::default_options()
}

fn chances(session: &dyn Session) -> Chances {
    session.chances(&options()).expect("a game of dice")
}

fn asked(session: &dyn Session) -> Value {
    let answer = query::answer(&["chances"], session, &options());
    assert!(answer.is_ascii() && !answer.contains('\n'), "{answer}");
    serde_json::from_str(&answer).expect("JSON")
}

#[test]
fn the_start_of_the_classical_game_is_solved() {
    let answer = asked(&*session("goose", ""));
    assert_eq!(answer["method"], "exact");
    assert!(answer["residual"].as_f64().is_some_and(|residual| residual < 1e-10), "{answer}");
    let near = |value: &Value, expected: f64| value.as_f64().is_some_and(|value| (value - expected).abs() < 1e-9);
    assert!(near(&answer["players"][0]["win"], 0.519_298_150_6), "{answer}");
    assert!(near(&answer["player_turns"], 21.231_684_124), "{answer}");
    assert!(near(&answer["rolls"], 18.110_270_279), "{answer}");
    assert_eq!(answer["players"][1]["pot_error"], 0.0);
}

#[test]
fn a_position_in_the_middle_of_the_game_has_its_own_chances() {
    let mut session = session("goose", "");
    session.set_position(Some("p1=62 p2=0 turn=p2 pot=5 accounts=-2,-3"), &["4+1"]).expect("a position");
    let first = chances(&*session).players[0];
    // A 1 finishes at once, with the chance of 11 in 36; if not, there is more to come.
    assert!(first.win.mean > 11.0 / 36.0 && first.pot.mean > first.win.mean * 5.0, "{first:?}");
    session.set_position(None, &["6+3", "2+1", "6+4"]).expect("a history");
    let (before, after) = (chances(&*session), session.play("1+1").map(|()| chances(&*session)).expect("a roll"));
    assert!((before.player_turns.mean - after.player_turns.mean).abs() > 1e-6, "{before:?}");
}

#[test]
fn the_mean_over_all_rolls_is_what_was_promised() {
    let mut session = session("goose", "prison=2");
    session.set_position(Some("p1=40 p2=52:1"), &[]).expect("a position");
    let now = chances(&*session).players[0];
    let (mut win, mut pot) = (0.0, 0.0);
    for roll in session.legal_moves() {
        let weight = if roll.as_bytes()[0] == roll.as_bytes()[2] { 1.0 } else { 2.0 } / 36.0;
        session.play(&roll).expect("a roll");
        let then = chances(&*session).players[0];
        (win, pot) = (win + weight * then.win.mean, pot + weight * then.pot.mean);
        session.undo();
    }
    assert!((win - now.win.mean).abs() < 1e-11 && (pot - now.pot.mean).abs() < 1e-10, "{now:?}: {win} {pot}");
}

#[test]
fn a_decided_game_leaves_nothing_to_chance() {
    let mut session = session("goose", "");
    session.set_position(Some("p1=60 p2=30 pot=7 accounts=-3,-4"), &["3+1"]).expect("a win");
    let told = chances(&*session);
    assert_eq!(told.method, ChancesMethod::Decided);
    let [first, second] = told.players[..] else { panic!("two players") };
    assert_eq!((first.win.mean, first.pot.mean, second.win.mean, second.pot.mean), (1.0, 7.0, 0.0, 0.0));
    assert_eq!(asked(&*session)["method"], "decided");
}

#[test]
fn more_players_are_simulated_with_errors_and_a_seed() {
    let session = session("goose", "players=5");
    let one = asked(&*session);
    assert_eq!((one["method"].as_str(), one["players"].as_array().map(Vec::len)), (Some("simulation"), Some(5)));
    let error = one["players"][0]["win_error"].as_f64().expect("a number");
    assert!(error > 0.0 && error < 0.02, "{one}");
    assert!(one["players"][4]["pot_error"].as_f64().is_some_and(|error| error > 0.0), "{one}");
    let sum: f64 = (0..5).map(|seat| one["players"][seat]["win"].as_f64().expect("a number")).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{one}");
}

#[test]
fn players_who_decide_leave_no_exact_chances() {
    for name in ["masters-15", "goose-team"] {
        assert_eq!(query::answer(&["chances"], &*session(name, ""), &options()), "none", "{name}");
    }
    assert_eq!(query::answer(&["chances", "now"], &*session("goose", ""), &options()), "unknown");
}

fn reynard(arguments: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.args(arguments.split_whitespace()).output().expect("the program");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn stats(arguments: &str) -> Value {
    let (code, out, error) = reynard(&format!("goose stats --json {arguments}"));
    assert_eq!((code, error.as_str()), (Some(0), ""), "{arguments}");
    serde_json::from_str(&out).expect("JSON")
}

fn assert_number(object: &Value, key: &str, expected: f64) {
    let value = object[key].as_f64().expect(key);
    assert!((value - expected).abs() < 5e-9, "{key}: {value} instead of {expected}");
}

#[test]
fn statistics_of_known_games_are_the_known_ones() {
    let known = [
        ("--players 1", 13.320_599_82, 0.530_250_103),
        ("--players 1 --set finish=sum_only", 27.141_289_23, 0.511_270_547),
        ("--players 2", 21.231_684_124, 0.519_298_150_6),
    ];
    for (arguments, turns, first) in known {
        let told = stats(arguments);
        assert_eq!(told["method"], "exact", "{arguments}");
        assert_number(&told, "expected_turns", turns);
        assert_number(&told, "first_player_wins", first);
        assert_number(&told, "first_player_advantage", first - 0.5);
    }
}

#[test]
fn statistics_have_every_field_and_hazard() {
    let told = stats("");
    let fields = told["fields"].as_array().expect("fields");
    assert_eq!((fields.len(), &fields[42]["kind"]), (64, &Value::from("maze")));
    assert_number(&fields[63], "rested", 1.0);
    let hazards = told["hazards"].as_array().expect("hazards");
    let names: Vec<&str> = hazards.iter().filter_map(|hazard| hazard["hazard"].as_str()).collect();
    assert_eq!(names, ["bridge", "inn", "well", "maze", "prison", "death"]);
    for hazard in hazards {
        let number = |key: &str| hazard[key].as_f64().expect(key);
        assert!(number("strikes") > 0.1, "{hazard}");
        let length = told["expected_turns"].as_f64().expect("a number");
        assert!((number("turns_without") + number("turns_effect") - length).abs() < 1e-9, "{hazard}");
    }
    for key in ["expected_rolls", "draw", "sent_back", "nines", "states", "residual", "sweeps", "chances"] {
        assert!(!told[key].is_null(), "{key}");
    }
}

#[test]
fn statistics_of_more_players_are_played_out_with_errors() {
    let told = stats("--players 4 --games 2000 --seed 9 --threads 1");
    assert_eq!((told["method"].as_str(), told["games"].as_u64()), (Some("simulation"), Some(2000)));
    assert!(told["expected_turns_error"].as_f64().is_some_and(|error| error > 0.0), "{told}");
    assert!(told["hazards"][0]["turns_effect_error"].as_f64().is_some_and(|error| error > 0.0), "{told}");
    assert_eq!(told, stats("--players 4 --games 2000 --seed 9 --threads 2"));
}

#[test]
fn statistics_for_people_are_tables() {
    let (code, out, _) = reynard("goose stats --players 1");
    assert_eq!(code, Some(0));
    for word in ["1 player", "13.320600", "0.530250", "52 prison", "63 finish"] {
        assert!(out.contains(word), "{word} is missing in\n{out}");
    }
}

#[test]
fn what_cannot_be_counted_is_refused_by_name() {
    let cases = [
        ("--players 9", "1..=8"),
        ("--set players=3", "--players N"),
        ("--set inns=3", "inns"),
        ("--ruleset goose-team", "players choose"),
        ("--ruleset nonsense", "nonsense"),
        ("--set exchange=false", "prison"),
    ];
    for (arguments, word) in cases {
        let (code, _, error) = reynard(&format!("goose stats {arguments}"));
        assert!(code == Some(2) && error.contains(word), "{arguments}: {code:?} {error}");
    }
}
