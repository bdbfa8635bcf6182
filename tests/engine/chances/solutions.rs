//! Known chances, and the two ways to find them against each other.

use std::sync::LazyLock;

use reynard_engine::chances::{Chances, ChancesMethod, MOST_STATES, SimulationLimits, SolvedChain, simulate, solve};
use reynard_engine::rules::goose::Happening;
use reynard_engine::rules::{DiceGame, Game};
use serde_json::Value;

use super::model::{FOREVER, Model, Nine};
use super::transitions::goose;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../vectors/goose.json")).expect("JSON")
}

fn solved<G: DiceGame>(game: &G, start: &G::Position) -> Chances {
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
        let alone = solved(&one, &one.start());
        assert_near("turns", alone.player_turns.mean, &known["expected_turns"], 5e-9);
        let two = Model::solo(2, sum_only);
        let first = solved(&two, &two.start()).players[0].win.mean;
        assert_near("first of two", first, &known["first_of_two_wins"], 5e-10);
    }
}

#[test]
fn the_model_has_the_known_chances_of_two_players() {
    for known in vectors()["two_players_exact"].as_array().expect("cases") {
        let game = Model { sum_only: known["case"] == "finish=sum_only", ..Model::classical(2) };
        let chances = solved(&game, &game.start());
        let engine = goose(&game);
        assert_same(&chances, &solved(&engine, &engine.start()));
        assert_near("first", chances.players[0].win.mean, &known["first_wins"], 5e-11);
        assert_near("player-turns", chances.player_turns.mean, &known["expected_player_turns"], 5e-10);
        assert_near("rolls", chances.rolls.mean, &known["expected_rolls"], 5e-10);
    }
}

/// Every switch of the classical game once.
fn variants() -> [Model; 8] {
    let classical = Model::classical(2);
    [
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

/// The variants with their exact chances.
fn solved_variants() -> impl Iterator<Item = (Model, &'static Chances)> {
    static CHANCES: LazyLock<[Chances; 8]> = LazyLock::new(|| variants().map(|game| solved(&game, &game.start())));
    variants().into_iter().zip(&*CHANCES)
}

#[test]
fn probabilities_and_pots_add_up_and_the_residual_is_small() {
    for (game, chances) in solved_variants() {
        let sum: f64 = chances.players.iter().map(|player| player.win.mean).sum::<f64>() + chances.draw;
        assert!((sum - 1.0).abs() < 1e-12, "{game:?}: {sum}");
        assert_eq!(chances.draw > 0.0, game.well == FOREVER, "{game:?}");
        assert!(matches!(chances.method, ChancesMethod::Exact { residual, .. } if residual < 1e-12), "{chances:?}");
        assert!(chances.players.iter().all(|player| player.pot.mean > player.win.mean * 2.0));
    }
}

#[test]
fn two_players_are_solved_in_few_sweeps_over_few_positions() {
    let game = Model::classical(2);
    let ChancesMethod::Exact { states, sweeps, .. } = solved(&game, &game.start()).method else {
        panic!("no solution")
    };
    assert!(states < 4_500 && sweeps < 110, "{states} positions, {sweeps} sweeps");
}

fn assert_agree(what: &str, exact: f64, simulated: f64, error: f64) {
    // The error is that of 95 %, 1.96 standard deviations.
    assert!((exact - simulated).abs() <= error * 4.0 / 1.96, "{what}: {simulated} ± {error} instead of {exact}");
}

#[test]
fn games_played_out_agree_with_the_solution() {
    let effort = SimulationLimits { games: 20_000, seed: 1, threads: 1, is_enough: &|| false };
    for (game, exact) in solved_variants() {
        let played = simulate(&game, &game.start(), effort).chances;
        for (exact, played) in exact.players.iter().zip(&played.players) {
            assert_agree("win", exact.win.mean, played.win.mean, played.win.error);
            assert_agree("pot", exact.pot.mean, played.pot.mean, played.pot.error);
        }
        assert_agree("player-turns", exact.player_turns.mean, played.player_turns.mean, played.player_turns.error);
        assert_agree("rolls", exact.rolls.mean, played.rolls.mean, played.rolls.error);
    }
}

#[test]
fn a_later_question_of_the_same_rules_needs_no_new_solution() {
    let game = Model::classical(2);
    let mut known = SolvedChain::new(&game, &game.start(), MOST_STATES).expect("a small game");
    let later = game.roll(&game.start(), (6, 3));
    let asked = known.chances(&game, &later, MOST_STATES).expect("a known position");
    let afresh = solved(&game, &later);
    assert!((asked.players[0].win.mean - afresh.players[0].win.mean).abs() < 1e-12, "{asked:?} {afresh:?}");
    assert!((asked.players[0].pot.mean - afresh.players[0].pot.mean).abs() < 1e-10, "{asked:?} {afresh:?}");
}

#[test]
fn a_position_that_play_never_reaches_is_added() {
    let game = Model::classical(2);
    let mut known = SolvedChain::new(&game, &game.start(), MOST_STATES).expect("a small game");
    let before = known.chain().states().len();
    let at_start = known.chances(&game, &game.start(), MOST_STATES).expect("a known position");
    let mut strange = game.start();
    // Nobody stays on a goose.
    (strange.counters[0].field, strange.counters[0].has_rolled) = (59, true);
    let asked = known.chances(&game, &strange, MOST_STATES).expect("one position more");
    assert!(known.chain().states().len() > before);
    // No answer depends on the questions before it.
    let again = known.chances(&game, &game.start(), MOST_STATES).expect("a known position");
    assert_eq!((&again.players, again.draw), (&at_start.players, at_start.draw));
    assert_eq!((again.player_turns, again.rolls), (at_start.player_turns, at_start.rolls));
    let afresh = solved(&game, &strange);
    assert!((asked.players[0].win.mean - afresh.players[0].win.mean).abs() < 1e-12);
    assert!(asked.players[0].win.mean > 0.5, "{asked:?}");
}

/// Two exact answers to one question.
fn assert_same(one: &Chances, other: &Chances) {
    let numbers = |chances: &Chances| {
        let players = chances.players.iter().flat_map(|player| [player.win.mean, player.pot.mean]);
        players.chain([chances.draw, chances.player_turns.mean, chances.rolls.mean]).collect::<Vec<f64>>()
    };
    let pairs = numbers(one).into_iter().zip(numbers(other));
    pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-10, "{one:?}\n{other:?}"));
    assert_eq!(one.players.len(), other.players.len());
}

#[test]
fn the_engine_and_the_model_have_the_same_chances_under_every_switch() {
    for (model, chances) in solved_variants() {
        let game = goose(&model);
        assert_same(chances, &solved(&game, &game.start()));
    }
}

#[test]
fn three_players_are_played_out_alike() {
    let effort = SimulationLimits { games: 20_000, seed: 3, threads: 2, is_enough: &|| false };
    let model = Model::classical(3);
    let game = goose(&model);
    let (one, other) =
        (simulate(&model, &model.start(), effort).chances, simulate(&game, &game.start(), effort).chances);
    for (one, other) in one.players.iter().zip(&other.players) {
        assert_agree("win", one.win.mean, other.win.mean, one.win.error.hypot(other.win.error));
        assert_agree("pot", one.pot.mean, other.pot.mean, one.pot.error.hypot(other.pot.error));
    }
    assert_agree(
        "turns",
        one.player_turns.mean,
        other.player_turns.mean,
        one.player_turns.error.hypot(other.player_turns.error),
    );
    let wins: f64 = other.players.iter().map(|player| player.win.mean).sum();
    assert!((wins - 1.0).abs() < 1e-12, "{wins}");
}

#[test]
fn what_happens_on_the_way_is_counted_alike_by_both_methods() {
    let game = goose(&Model::classical(2));
    let exact = solve(&game, &game.start(), MOST_STATES).expect("a small game");
    let played =
        simulate(&game, &game.start(), SimulationLimits { games: 20_000, seed: 2, threads: 2, is_enough: &|| false });
    let mut busy = 0;
    for (exact, played) in exact.events.iter().zip(&played.events) {
        // Hundreds of kinds: five standard deviations, and never an event that the other does not know.
        let most = played.error * 5.0 / 1.96;
        assert!((exact.mean - played.mean).abs() <= most.max(1e-3), "{exact:?} {played:?}");
        busy += usize::from(exact.mean > 0.0);
    }
    // A game ends with one counter on 63, and every roll ends somewhere.
    assert!((exact.events[Happening::Touched(63).number()].mean - 1.0).abs() < 1e-10);
    let rested: f64 = (0..=63).map(|field| exact.events[Happening::Rested(field).number()].mean).sum();
    assert!((rested - exact.chances.rolls.mean).abs() < 1e-9, "{rested}");
    let missed: f64 = (0..=63).map(|field| exact.events[Happening::Missed(field).number()].mean).sum();
    assert!((missed + exact.chances.rolls.mean - exact.chances.player_turns.mean).abs() < 1e-9, "{missed}");
    let nines: f64 = (0..=63).map(|field| exact.events[Happening::Nine(field).number()].mean).sum();
    // Both players throw a first time, unless the first one could win by his first throw, which he cannot.
    assert!((nines - 2.0 * 4.0 / 36.0).abs() < 1e-10, "{nines}");
    assert!(busy > 120, "{busy}");
}

#[test]
fn a_hazard_that_does_nothing_strikes_no_more() {
    let game = goose(&Model::classical(2));
    let with = solve(&game, &game.start(), MOST_STATES).expect("a small game");
    for (field, is_stay) in [(6, false), (19, true), (31, true), (42, false), (52, true), (58, false)] {
        let harmless = game.without_hazard(field);
        let course = solve(&harmless, &harmless.start(), MOST_STATES).expect("a small game");
        assert!(course.events[Happening::Rested(field).number()].mean > 0.1, "{field} is a field like others");
        assert_eq!(course.events[Happening::Missed(field).number()].mean, 0.0, "{field}");
        assert_eq!(with.events[Happening::Missed(field).number()].mean > 0.0, is_stay, "{field}");
        assert_eq!(with.events[Happening::Rested(field).number()].mean > 0.0, is_stay, "{field}");
        assert_ne!(harmless.fingerprint(), game.fingerprint());
    }
}
