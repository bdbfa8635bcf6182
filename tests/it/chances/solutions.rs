//! Known chances, and the two ways to find them against each other.

use std::time::{Duration, Instant};

use reynard::rules::DiceGame;
use reynard::search::chances::{Chances, Effort, Exact, MOST_STATES, Method, simulate, solve};
use serde_json::Value;

use super::model::{FOREVER, Model, Nine};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../vectors/goose.json")).expect("JSON")
}

fn exact<G: DiceGame>(game: &G, start: &G::State) -> Chances {
    solve(game, start, MOST_STATES).expect("a small game").chances
}

fn assert_near(what: &str, value: f64, expected: &Value, digits: f64) {
    let expected = expected.as_f64().expect(what);
    assert!((value - expected).abs() <= digits, "{what}: {value} instead of {expected}");
}

#[test]
fn the_model_has_the_known_chances_of_one_counter() {
    for known in vectors()["solo"].as_array().expect("solo") {
        let sum_only = known["finish"] == "sum_only";
        let one = Model::solo(1, sum_only);
        let alone = exact(&one, &one.start());
        assert_near("turns", alone.player_turns, &known["expected_turns"], 5e-9);
        let two = Model::solo(2, sum_only);
        let first = exact(&two, &two.start()).players[0].win;
        assert_near("first of two", first, &known["first_of_two_wins"], 5e-10);
    }
}

#[test]
fn the_model_has_the_known_chances_of_two_players() {
    for known in vectors()["two_players_exact"].as_array().expect("cases") {
        let game = Model { sum_only: known["case"] == "finish=sum_only", ..Model::classical(2) };
        let chances = exact(&game, &game.start());
        assert_near("first", chances.players[0].win, &known["first_wins"], 5e-11);
        assert_near("player-turns", chances.player_turns, &known["expected_player_turns"], 5e-10);
        assert_near("rolls", chances.rolls, &known["expected_rolls"], 5e-10);
    }
}

/// Every switch of the classical game once.
fn variants() -> Vec<Model> {
    let classical = Model::classical(2);
    vec![
        classical,
        Model { sum_only: true, ..classical },
        Model { back_surplus: true, ..classical },
        Model { nine: Nine::WheneverOnStart, ..classical },
        Model { nine: Nine::Off, ..classical },
        Model { well: FOREVER, ..classical },
        Model { prison: 3, ..classical },
        Model { prison: 3, exchange: false, ..classical },
    ]
}

#[test]
fn probabilities_and_pots_add_up_and_the_residual_is_small() {
    for game in variants() {
        let chances = exact(&game, &game.start());
        let sum: f64 = chances.players.iter().map(|player| player.win).sum::<f64>() + chances.draw;
        assert!((sum - 1.0).abs() < 1e-12, "{game:?}: {sum}");
        assert_eq!(chances.draw > 0.0, game.well == FOREVER, "{game:?}");
        assert!(matches!(chances.method, Method::Exact { residual, .. } if residual < 1e-12), "{chances:?}");
        assert!(chances.players.iter().all(|player| player.pot > player.win * 2.0));
    }
}

#[test]
fn two_players_are_solved_in_well_under_thirty_seconds() {
    let game = Model::classical(2);
    let clock = Instant::now();
    exact(&game, &game.start());
    assert!(clock.elapsed() < Duration::from_secs(15), "{:?}", clock.elapsed());
}

fn assert_agree(what: &str, exact: f64, simulated: f64, error: f64) {
    // The error is that of 95 %, 1.96 standard deviations.
    assert!((exact - simulated).abs() <= error * 4.0 / 1.96, "{what}: {simulated} ± {error} instead of {exact}");
}

#[test]
fn games_played_out_agree_with_the_solution() {
    let effort = Effort { games: 20_000, seed: 1, threads: 1, is_enough: &|| false };
    for game in variants() {
        let solved = exact(&game, &game.start());
        let played = simulate(&game, &game.start(), effort).chances;
        for (solved, played) in solved.players.iter().zip(&played.players) {
            assert_agree("win", solved.win, played.win, played.win_error);
            assert_agree("pot", solved.pot, played.pot, played.pot_error);
        }
        assert_agree("player-turns", solved.player_turns, played.player_turns, played.player_turns_error);
        assert_agree("rolls", solved.rolls, played.rolls, played.rolls_error);
    }
}

#[test]
fn a_later_question_of_the_same_rules_needs_no_new_solution() {
    let game = Model::classical(2);
    let mut known = Exact::new(&game, &game.start(), MOST_STATES).expect("a small game");
    let later = game.roll(&game.start(), (6, 3));
    let asked = known.chances(&game, &later, MOST_STATES).expect("a known position");
    let afresh = exact(&game, &later);
    assert!((asked.players[0].win - afresh.players[0].win).abs() < 1e-12, "{asked:?} {afresh:?}");
    assert!((asked.players[0].pot - afresh.players[0].pot).abs() < 1e-10, "{asked:?} {afresh:?}");
}

#[test]
fn a_position_that_play_never_reaches_is_added() {
    let game = Model::classical(2);
    let mut known = Exact::new(&game, &game.start(), MOST_STATES).expect("a small game");
    let before = known.chain().len();
    let mut strange = game.start();
    // Nobody stays on a goose.
    (strange.counters[0].field, strange.counters[0].has_rolled) = (59, true);
    let asked = known.chances(&game, &strange, MOST_STATES).expect("one position more");
    assert!(known.chain().len() > before);
    let afresh = exact(&game, &strange);
    assert!((asked.players[0].win - afresh.players[0].win).abs() < 1e-12);
    assert!(asked.players[0].win > 0.5, "{asked:?}");
}
