//! Levels of play, through the protocol and in games.

use std::collections::BTreeSet;

use reynard_engine::rules::hunt::{Hunt, Ruleset};
use reynard_engine::rules::{Game, Notation, Record, Turn};

use crate::protocol::client::Client;

fn at_level(variant: &str, level: u32, seed: u32) -> Client {
    let mut client = Client::ugi();
    client.accepted(&format!("setoption name UCI_Variant value {variant}"));
    client.accepted(&format!("setoption name Skill Level value {level}"));
    client.accepted(&format!("setoption name Seed value {seed}"));
    client
}

#[test]
fn level_0_is_the_random_player() {
    for variant in ["bell-13", "the-game"] {
        let mut level = at_level(variant, 0, 5);
        let mut random = at_level(variant, 20, 5);
        random.accepted("setoption name Searcher value random");
        let mut limited = at_level(variant, 20, 5);
        limited.accepted("setoption name UCI_LimitStrength value true");
        limited.accepted("setoption name UCI_Elo value 0");
        let answers = [&mut level, &mut random, &mut limited].map(|client| client.go("nodes 5000").1);
        assert!(answers[0] == answers[1] && answers[1] == answers[2], "{variant}: {answers:?}");
    }
}

/// The Game: the Basis is there to be taken. These levels draw some of their moves at random there, but not this one.
#[test]
fn the_middle_levels_of_the_game_miss_no_win_in_one() {
    for (seed, level) in (1..=20).flat_map(|seed| [5, 6, 7].map(|level| (seed, level))) {
        let mut client = at_level("the-game", level, seed);
        client.accepted(
            "position startpos moves @b3 @h3 @a4 @f7 @b3 @f7 @e2 @h3 @d3 @d7 e2e3 d7e5 b3e3 h3d4 e3e6 h3h8 b3c3 d4c4 d3a1 \
             f7d4 a4b4 f7h8 e3b1 e5f1 a1a2 f1e3 b1e3 c4e3 a2d4 h8f5 c3a2 f5d4 a2a1 e3c4 b4e6 c4a1 e6h8 e3e6 h8e6 h8h3",
        );
        let (infos, answer) = client.go("nodes 100000");
        assert!(infos[0].contains("score mate 1 "), "level {level}, seed {seed}: {infos:?} {answer}");
    }
}

/// The geese have chased a fox into a corner: one more step and it cannot move.
#[test]
fn a_win_in_one_is_never_missed() {
    for (seed, level) in (1..=20).flat_map(|seed| [1, 5, 10, 15].map(|level| (seed, level))) {
        let mut client = at_level("murray-13", level, seed);
        client.accepted(
            "position fen 3/1G1/3GG1F/1G1GGG1/2G1GG1/1G1/G1G g moves \
             f3g3 g5f5 e3f3 f5g5 d4e3 g5f5 g3g4 f5g5 f3g3 g5f5 e3f3 f5g5 e4e3 g5f5",
        );
        let (infos, answer) = client.go("nodes 100000");
        assert!(infos[0].contains("score mate 1 ") && answer == "bestmove g4g5", "{infos:?} {answer}");
    }
}

#[test]
fn a_low_level_does_not_always_play_the_best_move_and_its_report_names_what_it_plays() {
    for variant in ["masters-15", "the-game"] {
        let moves: BTreeSet<String> = (1..=20)
            .map(|seed| {
                let (infos, answer) = at_level(variant, 3, seed).go("movetime 1000");
                assert_eq!(infos.len(), 1, "{infos:?}");
                let played = answer.strip_prefix("bestmove ").unwrap();
                assert!(infos[0].contains(&format!(" pv {played}")), "{infos:?} {answer}");
                answer
            })
            .collect();
        assert!(moves.len() > 2, "{variant}: {moves:?}");
    }
}

#[test]
fn a_level_plays_every_game_anew_unless_it_has_a_seed() {
    let first_moves = |seed| -> BTreeSet<String> {
        let mut client = at_level("masters-15", 3, seed);
        let mut first_move = || {
            client.accepted("uginewgame");
            client.accepted("position startpos");
            client.go("nodes 1000").1
        };
        (0..20).map(|_| first_move()).collect()
    };
    assert!(first_moves(0).len() > 2);
    assert_eq!(first_moves(7).len(), 1);
}

#[test]
fn games_without_levels_say_so_once() {
    let told = |lines: &[String]| lines.iter().filter(|line| line.contains("no levels of play")).count();
    let mut peg = at_level("solitaire", 3, 1);
    let (first, _) = peg.go("nodes 1000");
    let (second, _) = peg.go("nodes 1000");
    assert_eq!((told(&first), told(&second)), (1, 0), "{first:?}");
}

/// Eight levels are a clear difference: the higher one scores at least three quarters of 12 games.
#[test]
fn higher_levels_win() {
    let game = Hunt::<u64>::new(&Ruleset::from_catalog("masters-15", &[]).unwrap());
    let mut score = 0.0;
    for number in 0..12 {
        let high = number % 2;
        let mut players = [0, 1].map(|seat| at_level("masters-15", if seat == high { 11 } else { 3 }, number + 1));
        let mut record = Record::new(game.start());
        let mut moves = String::new();
        while let Turn::Player(seat) = record.turn(&game) {
            let client = &mut players[seat.index()];
            client.accepted(&format!("position startpos moves{moves}"));
            let (_, answer) = client.go("depth 64");
            let mv = answer.strip_prefix("bestmove ").unwrap().to_owned();
            record.play(&game, game.parse_move(record.position(), &mv).unwrap());
            moves = format!("{moves} {mv}");
        }
        score += match record.turn(&game).outcome().unwrap().winner {
            None => 0.5,
            Some(winner) => f64::from(winner.index() == high as usize),
        };
    }
    assert!(score >= 9.0, "{score} of 12");
}
