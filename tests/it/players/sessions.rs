//! Players inside this process.

use std::time::{Duration, Instant};

use reynard::testing::tournament::player::{GameSetup, MoveHistory, Player};
use reynard::testing::tournament::{EngineScore, Forfeit};
use reynard_engine::rules::Seat;

use super::stage;

/// The choices of the first two moves of a game with this seed.
fn choices(player: &mut dyn Player, seed: u32, role: &str) -> Vec<(String, u64)> {
    player.new_game(GameSetup { seed, seat: Seat::P1, role }).expect("a game");
    let mut moves: Vec<String> = Vec::new();
    let mut told = Vec::new();
    for _ in 0..2 {
        let choice = player.choose(stage::start_of(&moves), &stage::nodes(200)).expect("a move");
        told.push((choice.text.clone(), choice.opinion.nodes.expect("nodes")));
        moves.push(choice.text);
        moves.push(stage::reply(&moves));
    }
    told
}

#[test]
fn a_game_depends_on_its_seed_and_on_nothing_before_it() {
    for searcher in ["mcts", "alphabeta", "random"] {
        let resolved = stage::resolved(stage::session(&[("Searcher", searcher)]));
        let mut player = stage::open(&resolved).expect("a player");
        let first = choices(&mut *player, 3, "geese");
        let others: Vec<_> = (4..12).map(|seed| choices(&mut *player, seed, "fox")).collect();
        assert_eq!(choices(&mut *player, 3, "geese"), first, "{searcher}");
        assert!(searcher != "random" || others.iter().any(|other| *other != first), "{searcher} ignores the seed");
        let mut fresh = stage::open(&resolved).expect("a player");
        assert_eq!(choices(&mut *fresh, 4, "geese"), others[0], "{searcher}");
    }
}

#[test]
fn a_seed_of_the_options_goes_before_the_games() {
    let mut engine = stage::session(&[("Searcher", "random")]);
    engine.by_role.insert("fox".to_owned(), stage::pairs(&[("seed", "5")]));
    let mut player = stage::open(&stage::resolved(engine)).expect("a player");
    let fox: Vec<_> = (0..8).map(|seed| choices(&mut *player, seed, "fox")).collect();
    let geese: Vec<_> = (0..8).map(|seed| choices(&mut *player, seed, "geese")).collect();
    assert!(fox.iter().all(|each| *each == fox[0]));
    assert!(geese.iter().any(|each| *each != geese[0]));
}

#[test]
fn options_of_a_role_hold_in_that_role_only() {
    let mut engine = stage::session(&[("Searcher", "alphabeta")]);
    engine.by_role.insert("fox".to_owned(), stage::pairs(&[("Searcher", "mcts")]));
    let mut player = stage::open(&stage::resolved(engine)).expect("a player");
    let depths = ["geese", "fox", "geese"].map(|role| {
        stage::new_game(&mut *player, role).expect("a game");
        player.choose(stage::start_of(&[]), &stage::nodes(400)).expect("a move").opinion
    });
    assert_eq!(depths[0], depths[2]);
    assert_ne!(depths[0], depths[1]);
}

#[test]
fn a_bad_option_is_refused_at_once() {
    for (name, value, message) in [
        ("Cache", "3", "unknown option 'Cache'"),
        ("Hash", "0", "option Hash: '0' is not allowed; expected an integer from 1 to 65536"),
        ("ruleset", "bell-13", "option ruleset: an engine in this process plays the rulesets of the tournament"),
    ] {
        let mut by_role = stage::session(&[]);
        by_role.by_role.insert("fox".to_owned(), stage::pairs(&[(name, value)]));
        for engine in [stage::session(&[(name, value)]), by_role] {
            let failure = stage::open(&stage::resolved(engine)).err().expect("a refusal");
            assert_eq!((failure.kind, failure.message.as_str()), (Forfeit::Refused, message));
        }
    }
}

#[test]
fn a_proved_win_is_told_as_a_mate() {
    // Two geese are too few.
    let history = MoveHistory { start: Some("3/3/7/3F3/3G3/3/GG1 f"), moves: &[] };
    let mut player = stage::ready(&stage::resolved(stage::session(&[]))).expect("a player");
    let choice = player.choose(history, &stage::nodes(1000)).expect("a move");
    assert_eq!((choice.text.as_str(), choice.opinion.score), ("d4xd2", Some(EngineScore::Mate(1))));
}

#[test]
fn a_session_keeps_to_the_time_for_a_move() {
    let mut player = stage::ready(&stage::resolved(stage::session(&[("Move Overhead", "0")]))).expect("a player");
    let start = Instant::now();
    let choice = player.choose(stage::start_of(&[]), &stage::move_time(60, stage::PATIENT)).expect("a move");
    assert!(choice.spent >= Duration::from_millis(55) && choice.spent <= start.elapsed(), "{:?}", choice.spent);
}

#[test]
fn a_search_that_no_clock_bounds_is_stopped_at_last() {
    let mut player = stage::ready(&stage::resolved(stage::session(&[]))).expect("a player");
    let mut request = stage::nodes(u64::MAX);
    request.timeout = Duration::from_millis(100);
    let failure = player.choose(stage::start_of(&[]), &request).expect_err("no answer of its own");
    assert_eq!(failure.kind, Forfeit::Time);
}

#[test]
fn a_history_that_is_refused_names_the_move() {
    let mut player = stage::ready(&stage::resolved(stage::session(&[]))).expect("a player");
    let failure = player.choose(stage::start_of(&["a1a9".to_owned()]), &stage::nodes(10)).expect_err("no such move");
    assert_eq!(failure.kind, Forfeit::Refused);
    assert!(failure.message.contains("a1a9"), "{failure:?}");
}
