use std::time::Duration;

use super::*;
use crate::eval::HuntEvaluator;
use crate::rules::hunt::{Hunt, Ruleset};
use crate::rules::{Notation, Record, Turn};
use crate::search::alphabeta::{AlphaBeta, AlphaBetaParameters};
use crate::search::mcts::{Mcts, MctsParameters};
use crate::search::{Control, SearchConfig, SearchLimits, Searcher};

/// The win that the prover finds within `target` positions, given in ten parts.
fn prove<G: Game>(prover: &mut Prover, game: &G, record: &Record<G>, target: u64) -> Option<ForcedEnd<G::Move>> {
    let control = Control::new(|| Duration::ZERO);
    let task = SearchTask {
        game,
        record,
        root_moves: &[],
        limits: SearchLimits::default(),
        control: &control,
        config: SearchConfig::default(),
        tables: None,
    };
    prover.begin(&task);
    (1..=10).find_map(|part| prover.prove(&task, target * part / 10, u64::MAX))
}

fn hunt(name: &str) -> Hunt<u64> {
    Hunt::new(&Ruleset::from_catalog(name, &[]).unwrap())
}

/// Geese that close in on a fox with one or two steps at each turn: a win in eleven plies or a little more.
const HEMMED_IN: &str = "3/1G1/3GG1F/1G1GGG1/2G1GG1/1G1/G1G g";

#[test]
fn a_long_hunt_with_few_replies_is_proved() {
    let game = hunt("murray-13");
    let record = Record::new(game.parse_position(HEMMED_IN).unwrap());
    let win = prove(&mut Prover::new(4 << 20), &game, &record, 100_000).expect("a win");
    assert!((11..30).contains(&win.plies), "{win:?}");
    // The line leads to the end of the game.
    let mut record = record;
    for &mv in &win.line {
        assert!(game.is_legal(record.position(), mv));
        record.play(&game, mv);
    }
    assert_eq!(record.turn(&game).outcome().and_then(|outcome| outcome.winner), Some(Seat::P2));
    assert_eq!(win.line.len() as u32, win.plies);
}

/// Every search begins with the proof of the one before, and the end comes nearer.
#[test]
fn the_end_comes_nearer_with_every_move() {
    let game = hunt("murray-13");
    let mut record = Record::new(game.parse_position(HEMMED_IN).unwrap());
    let mut prover = Prover::new(4 << 20);
    let mut last = prove(&mut prover, &game, &record, 100_000).expect("a win").plies + 2;
    while let Turn::Player(seat) = record.turn(&game) {
        let mut moves = Vec::new();
        game.legal_moves(record.position(), &mut moves);
        if seat == Seat::P2 {
            let win = prove(&mut prover, &game, &record, 100_000).expect("still a win");
            assert!(win.plies + 2 <= last, "{} after {last}", win.plies);
            last = win.plies;
            record.play(&game, win.line[0]);
        } else {
            // The opponent plays the first move in its list, good or bad.
            record.play(&game, moves[0]);
        }
    }
    assert_eq!(record.turn(&game).outcome().and_then(|outcome| outcome.winner), Some(Seat::P2));
}

#[test]
fn no_win_is_claimed_where_there_is_none_in_time() {
    let game = hunt("murray-13");
    let fox = game.parse_position(&HEMMED_IN.replace(" g", " f")).unwrap();
    assert_eq!(prove(&mut Prover::new(1 << 20), &game, &Record::new(fox), 100_000), None);
    // In the same hunt the no-progress rule ends the game before the win.
    let short = Hunt::<u64>::new(&Ruleset::from_catalog("murray-13", &[("no_progress".into(), "9".into())]).unwrap());
    let start = short.parse_position(HEMMED_IN).unwrap();
    assert_eq!(prove(&mut Prover::new(4 << 20), &short, &Record::new(start), 100_000), None);
}

/// The score and the line of a search of the position at the end of a record.
fn ask<G: Game>(
    searcher: &mut dyn Searcher<G>,
    game: &G,
    record: &Record<G>,
    limits: SearchLimits,
) -> (Score, Vec<G::Move>) {
    let mut reported = None;
    searcher.search(&SearchTask::timeless(game, record, limits, SearchConfig::default()), &mut |info| {
        reported = info.lines.first().map(|line| (line.score, line.pv.clone()));
    });
    reported.expect("a report")
}

/// The proof stays in the score and its line ends the game, for either side and however short the search.
#[test]
fn a_proof_stays_in_the_score_of_both_sides() {
    let game = hunt("murray-13");
    let start = Record::new(game.parse_position(HEMMED_IN).unwrap());
    let limits = |nodes, depth| SearchLimits { nodes: Some(nodes), depth, mate: None };
    let searchers: [(Box<dyn Searcher<_>>, _, _); 2] = [
        (
            Box::new(AlphaBeta::new(HuntEvaluator::default(), AlphaBetaParameters::default())),
            limits(200_000, None),
            limits(1_000, Some(1)),
        ),
        (
            Box::new(Mcts::new(HuntEvaluator::default(), MctsParameters::default())),
            limits(30_000, None),
            limits(1, None),
        ),
    ];
    for (mut searcher, thorough, short) in searchers {
        let mut record = start.clone();
        let (score, mut line) = ask(&mut *searcher, &game, &record, thorough);
        let mut plies = score.plies_to_end().unwrap_or_else(|| panic!("{score:?}, {thorough:?}"));
        while line.len() > 1 {
            record.play(&game, line[0]);
            let (score, next) = ask(&mut *searcher, &game, &record, short);
            let found =
                score.plies_to_end().unwrap_or_else(|| panic!("no proof {plies} plies from the end: {score:?}"));
            assert!(found.signum() == -plies.signum() && found.abs() < plies.abs(), "{found} after {plies}");
            let mut end = record.clone();
            next.iter().for_each(|&mv| end.play(&game, mv));
            assert!(end.turn(&game).outcome().is_some(), "{plies} plies from the end: {} moves", next.len());
            (plies, line) = (found, next);
        }
    }
}

#[test]
fn a_full_bucket_keeps_what_took_work() {
    let mut table = ProofTable::new(1);
    assert_eq!(table.probe(7), None);
    for key in 1..=WAYS as u64 + 1 {
        table.store(key, Numbers::won_in(key as u16), if key == 2 { 1 } else { 9 });
    }
    assert_eq!(table.probe(2), None);
    assert_eq!(table.probe(5), Some(Numbers::won_in(5)));
    table.store(5, Numbers::NOT_WON, 1);
    assert_eq!(table.probe(5), Some(Numbers::NOT_WON));
    table.clear();
    assert_eq!(table.probe(5), None);
}
