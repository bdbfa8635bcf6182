//! Searches of games with three players and more.

use super::*;
use crate::eval::GooseEvaluator;
use crate::rules::Notation;
use crate::rules::goose::{self, Goose};

#[test]
fn among_three_a_win_is_proved_only_where_it_can_be_forced() {
    let score = |heap| best_score(&Question::at(Heap { seats: 3 }, (heap, 1), 3_000));
    for heap in 1..=3 {
        assert_eq!(score(heap), Score::win_in(1), "{heap}");
    }
    assert_eq!(score(4), Score::loss_in(2));
    assert!(score(5).0 < -200, "every move loses, to one or the other");
    assert!(!score(6).is_decided(), "somebody who has lost chooses the winner");
}

#[test]
fn a_table_of_four_shares_the_wins() {
    let game = ToyGame(Race { seats: 4, length: 9 });
    let record = Record::new(Race::at(&[[0, 0]; 4], 1, [1, 2]));
    let limits = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
    let config = SearchConfig { hash_mib: 4, ..SearchConfig::default() };
    let task = SearchTask::timeless(&game, &record, limits, config);
    let mut last = None;
    Mcts::new(Pace, MctsParameters::default()).search(&task, &mut |info| last = Some(info.clone()));
    let [win, draw, _] = last.unwrap().lines[0].wdl.0.map(f64::from);
    let share = (win + draw / 2.0) / 1000.0;
    assert!((0.2..0.4).contains(&share), "even chances are a quarter, and the first roll is an advantage: {share}");
}

#[test]
fn it_beats_random_runners_at_tables_of_two_and_four() {
    let limits = SearchLimits { nodes: Some(300), ..SearchLimits::default() };
    for (seats, least) in [(2, 16), (4, 14)] {
        let mut searcher = Mcts::new(Pace, MctsParameters::default());
        let wins = wins_against_random(Race { seats, length: 9 }, 24, limits, &mut searcher);
        assert!(wins >= least, "{wins} of 24 at a table of {seats}");
    }
}

/// The team game after a first roll of 6 and 3, with the legal moves there.
fn after_a_roll(seats: usize) -> (Goose, Record<Goose>, Vec<goose::Move>) {
    let players = [("players".to_owned(), seats.to_string())];
    let game = Goose::new(&goose::Ruleset::from_catalog("goose-team", &players).unwrap());
    let mut record = Record::new(game.start());
    let roll = game.parse_move(record.position(), "6+3").unwrap();
    record.play(&game, roll);
    let mut moves = Vec::new();
    game.legal_moves(record.position(), &mut moves);
    (game, record, moves)
}

/// The reports of a search of the team game, each passed to `hear` first. Every allowed move has a line.
fn reports(
    seats: usize,
    threads: usize,
    limits: SearchLimits,
    control: &Control,
    hear: impl Fn(),
) -> Vec<SearchInfo<goose::Move>> {
    let (game, record, moves) = after_a_roll(seats);
    assert_eq!(game.seats(), seats);
    let config = SearchConfig { hash_mib: 4, multi_pv: 50, threads, ..SearchConfig::default() };
    let task = SearchTask { control, ..SearchTask::timeless(&game, &record, limits, config) };
    let mut infos = Vec::new();
    let found = Mcts::new(GooseEvaluator::default(), MctsParameters::default()).search(&task, &mut |info| {
        hear();
        infos.push(info.clone());
    });
    let last = infos.last().expect("a report");
    assert_eq!(last.lines[0].pv[0], found.best);
    assert!(moves.len() > 1 && last.lines.len() == moves.len(), "{} lines for {moves:?}", last.lines.len());
    assert!(moves.iter().all(|mv| last.lines.iter().any(|line| line.pv[0] == *mv)), "{:?}", last.lines);
    infos
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

#[test]
fn every_iteration_among_three_and_four_counts_for_one_line() {
    for (seats, threads) in [(3, 1), (4, 1), (3, 3), (4, 3)] {
        let infos = reports(seats, threads, nodes(700), &Control::timeless(), || {});
        let last = infos.last().unwrap();
        let visits: Vec<u64> = last.lines.iter().filter_map(|line| line.visits).collect();
        assert_eq!((last.nodes, visits.iter().sum::<u64>()), (700, 700), "{seats} seats, {threads} threads");
        assert!(visits.is_sorted_by(|one, next| one >= next), "{visits:?}");
    }
}

#[test]
fn the_depth_limit_holds_among_three_and_four() {
    for seats in [3, 4] {
        let limits = SearchLimits { depth: Some(3), ..nodes(50_000) };
        let infos = reports(seats, 1, limits, &Control::timeless(), || {});
        let last = infos.last().unwrap();
        assert!(last.depth == 3 && last.nodes < 50_000, "{last:?}");
        assert!(last.lines.iter().all(|line| line.pv.len() <= 3), "{last:?}");
    }
}

#[test]
fn a_stop_ends_a_search_among_three_and_four() {
    for seats in [3, 4] {
        let control = Control::timeless();
        control.stop();
        assert_eq!(reports(seats, 1, SearchLimits::default(), &control, || {}).len(), 1);
        let control = Control::timeless();
        let infos = reports(seats, 1, SearchLimits::default(), &control, || control.stop());
        assert_eq!(infos.len(), 2, "the report that was answered by a stop, and the last one");
        assert!(infos[1].nodes < 2 * infos[0].nodes, "{} nodes", infos[1].nodes);
    }
}
