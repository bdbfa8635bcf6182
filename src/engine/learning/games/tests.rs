use super::*;
use crate::learning::{LearnPlayer, LearnSearcher};
use crate::tablebase::toy::{SolvedGame, ToyTables, small_hunt};

fn spec() -> LearnSpec {
    let players = [(LearnSearcher::Alphabeta, 40), (LearnSearcher::Mcts, 20)];
    let players = players.map(|(searcher, nodes)| LearnPlayer { searcher, nodes });
    LearnSpec { opening_plies: [1, 6], players: players.to_vec(), heard: 2, ..LearnSpec::default() }
}

fn tables(game: &Hunt<u64>) -> Arc<dyn Tables<Hunt<u64>>> {
    let solved = Arc::new(SolvedGame::from(game, &[game.start()]));
    Arc::new(ToyTables { solved, most_pieces: 5, damaged: None })
}

/// Plays a game; returns it with the number of plies in its opening.
fn play(player: &mut GamePlayer<'_, u64>, number: u32) -> (RoundGame<u64>, usize) {
    let mut rng = player.rng(number);
    let purpose = Purpose::of_game(number);
    let opening = player.opening_for(purpose, &mut rng).expect("an opening");
    let plies = opening.plies();
    let mut engine =
        Engine::new(&player.spec.players[number as usize / 4 % 2], &LearnedHuntEvaluator::default(), Some(2));
    let played = player.play(number, &mut engine, opening, purpose, &mut rng);
    (played.expect("a game"), plies)
}

#[test]
fn the_perfect_side_keeps_what_the_opening_is_worth() {
    let game = small_hunt(&[]);
    let spec = spec();
    let mut player = GamePlayer::new(&game, &spec, 7, Some(tables(&game)));
    let mut longest_draw = 0;
    for number in 0..60 {
        let (RoundGame { record, samples, thoughts }, opening) = play(&mut player, number);
        assert!(thoughts.is_empty() && samples.len() >= record.plies() - opening, "tables know every position");
        let purpose = Purpose::of_game(number);
        let mut drawn = 0;
        for pair in record.positions()[opening..].windows(2) {
            let winners = [0, 1].map(|at| player.winner(&pair[at]).expect("a probe"));
            let Turn::Player(seat) = game.turn(&pair[0]) else { panic!("the game went on after its end") };
            if purpose.perfect() == Some(game.side(seat)) {
                assert_eq!(winners[0], winners[1], "game {number} gave something away");
            }
            drawn = if winners[1] == Some(None) { drawn + 1 } else { 0 };
        }
        assert!(drawn <= purpose.drawn_plies() + 1, "game {number} ended too late");
        if purpose == Purpose::Hold(Side::Fox) {
            longest_draw = longest_draw.max(drawn);
        }
    }
    assert!(longest_draw > DRAWN_PLIES, "the engine is to hold for long: {longest_draw}");
}

#[test]
fn openings_are_worth_what_is_wanted_where_there_are_such() {
    let game = small_hunt(&[]);
    let spec = spec();
    let player = GamePlayer::new(&game, &spec, 7, Some(tables(&game)));
    let winner = |purpose: Purpose, number: u32| {
        let record = player.opening_for(purpose, &mut player.rng(number)).expect("an opening");
        player.winner(record.position()).expect("a probe").expect("a known value")
    };
    let mut of_fox = 0;
    let mut of_any = Vec::new();
    for number in 0..40 {
        assert_eq!(winner(Purpose::Hold(Side::Fox), number), None);
        of_fox += u32::from(winner(Purpose::Win(Side::Fox), number) == Some(Side::Fox));
        of_any.push(winner(Purpose::Own, number));
        // With these few random plies the fox never loses, so that any opening is taken.
        assert_ne!(winner(Purpose::Win(Side::Geese), number), Some(Side::Geese));
    }
    assert!(of_fox > 10, "{of_fox}");
    assert_eq!(of_any, [None; 40]);
}

#[test]
fn without_tables_what_the_engine_thought_is_kept() {
    let game = small_hunt(&[]);
    let spec = spec();
    let mut player = GamePlayer::new(&game, &spec, 7, None);
    for number in 0..8 {
        let (RoundGame { record, samples, thoughts }, _) = play(&mut player, number);
        assert!(samples.is_empty(), "nobody knows what a position is worth");
        assert!(!thoughts.is_empty() && thoughts.iter().all(|thought| thought.ply < record.plies()));
    }
}

#[test]
fn where_tables_know_endings_only_half_of_the_first_games_are_endings() {
    let game = small_hunt(&[]);
    let spec = spec();
    let solved = Arc::new(SolvedGame::from(&game, &[game.start()]));
    let endings = Arc::new(ToyTables { solved, most_pieces: 4, damaged: None });
    let mut player = GamePlayer::new(&game, &spec, 7, Some(endings));
    let (mut of_endings, mut thought) = (0, 0);
    for number in 0..20 {
        let samples = player.first(number).expect("a game");
        let is_ending = |sample: &Sample<u64>| sample.position.geese().len() <= 4;
        assert!(samples.iter().all(|sample| is_ending(sample) == sample.label.opinion.is_none()), "game {number}");
        if number % 2 == 0 && !samples.is_empty() {
            of_endings += u32::from(samples.iter().all(is_ending));
        }
        thought += u32::from(samples.iter().any(|sample| !is_ending(sample)));
    }
    // Some openings are endings already.
    assert!(of_endings >= 5 && thought >= 5, "{of_endings} {thought}");
}

#[test]
fn won_openings_are_converted_where_there_are_some() {
    let game = small_hunt(&[]);
    let spec = spec();
    let mut player = GamePlayer::new(&game, &spec, 7, Some(tables(&game)));
    let engine = |nodes| LearnPlayer { searcher: LearnSearcher::Alphabeta, nodes };
    let mut converted = |nodes, numbers: std::ops::Range<u32>| -> Vec<bool> {
        let mut convert = |number| player.converts(number, &engine(nodes), &LearnedHuntEvaluator::default());
        numbers.filter_map(|number| convert(number).expect("a game")).collect()
    };
    let deep = converted(2000, 0..40);
    // The geese win no opening; see above.
    assert!(deep.len() > 5 && deep.len() <= 20, "{}", deep.len());
    assert!(deep.iter().all(|&won| won), "every win is within sight");
    assert_eq!(deep.len(), converted(1, 0..40).len(), "whether there is one depends on the opening alone");
}
