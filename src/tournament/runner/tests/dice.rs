//! Games with dice.

use std::collections::BTreeMap;

use reynard_engine::rules::Turn;
use reynard_engine::session::registry::{self, RulesetChoice};

use super::*;
use crate::tournament::record::DICE;
use crate::tournament::ruleset::Ruleset;

/// A plan of one ruleset with engines A and B.
fn room(choice: &RulesetChoice, searchers: [&str; 2]) -> Plan {
    let engines = ["A", "B"].into_iter().zip(searchers);
    let mut plan = plan(engines.map(|(name, searcher)| engine(name, &[("Searcher", searcher)], nodes(20))).collect());
    plan.header.rulesets = vec![Ruleset::new(choice.clone()).expect("a ruleset")];
    plan.spec.max_plies = 5000;
    plan
}

/// The rolls of every seat in order, by the rules.
fn rolls(choice: &RulesetChoice, record: &GameRecord) -> BTreeMap<u8, Vec<String>> {
    let mut session = registry::open(choice).expect("a ruleset");
    let mut rolls: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for (index, mv) in record.moves.iter().enumerate() {
        assert_eq!(record.is_roll(index), session.turn() == Turn::Chance, "move {index}");
        match session.turn() {
            Turn::Chance => {
                let seat = session.side_to_move().expect("somebody rolls");
                rolls.entry(seat.0).or_default().push(mv.text().to_owned());
            }
            turn => assert_eq!(record.mover(index), turn.seat().map(|seat| seat.0), "move {index}"),
        }
        session.play(mv.text()).expect("a legal move");
    }
    rolls
}

#[test]
fn both_games_of_a_pair_have_the_same_rolls_for_every_seat() {
    let choice = RulesetChoice::catalog("goose-team");
    let records = play(&room(&choice, ["random", "greedy"]), 1, games(6)).records;
    let rolled: Vec<_> = records.iter().map(|record| rolls(&choice, record)).collect();
    for pair in rolled.chunks(2) {
        for (seat, one) in &pair[0] {
            let other = &pair[1][seat];
            let both = one.len().min(other.len());
            assert!(both > 10, "seat {seat}: {both} rolls");
            assert_eq!(one[..both], other[..both], "seat {seat}");
        }
    }
    assert_ne!(records[0].moves, records[1].moves, "the engines play differently");
    assert_ne!(rolled[0][&0][..10], rolled[2][&0][..10], "another pair");
    assert_ne!(rolled[0][&0][..10], rolled[0][&1][..10], "another seat");
}

#[test]
fn records_with_dice_depend_on_nothing_but_the_fixture() {
    let mut plan = room(&RulesetChoice::catalog("goose-team"), ["mcts", "random"]);
    plan.spec.max_plies = 60;
    let journal = |concurrency: usize, fixtures: Vec<Fixture>| play(&plan, concurrency, fixtures).journal();
    let alone = journal(1, games(6));
    assert_eq!(journal(3, games(6)), alone);
    assert_eq!(journal(1, games(6)[3..4].to_vec()).lines().next(), alone.lines().nth(3));
}

/// The share of the points that the first engine has in each pair, as the variance of 0, 1/2 and 1.
fn variance(points: &[f64]) -> f64 {
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / points.len() as f64
}

#[test]
fn mirrored_dice_take_the_luck_out_of_the_pairs() {
    // Nobody has anything to choose, so all of the variance between pairs is luck.
    let choice = RulesetChoice::catalog("goose");
    let records = play(&room(&choice, ["random", "random"]), 1, games(200)).records;
    let won = |record: &GameRecord| match record.ending.winner {
        Some(seat) => f64::from(u8::from(record.fixture.seats[usize::from(seat)] == 0)),
        None => 0.5,
    };
    let points: Vec<f64> = records.iter().map(won).collect();
    let mean = |pair: [usize; 2]| (points[pair[0]] + points[pair[1]]) / 2.0;
    let mirrored: Vec<f64> = (0..100).map(|pair| mean([2 * pair, 2 * pair + 1])).collect();
    // The same games, each with the second game of another pair: that has other dice.
    let apart: Vec<f64> = (0..100).map(|pair| mean([2 * pair, (2 * pair + 3) % 200])).collect();
    let (mirrored, apart) = (variance(&mirrored), variance(&apart));
    assert!(mirrored == 0.0 && apart > 0.08, "{mirrored} {apart}");
}

#[test]
fn two_engines_that_play_alike_share_every_pair() {
    let records = play(&room(&RulesetChoice::catalog("goose-team"), ["greedy", "greedy"]), 1, games(4)).records;
    for pair in records.chunks(2) {
        assert_eq!(pair[0].moves.len(), pair[1].moves.len());
        assert_eq!(pair[0].ending.winner, pair[1].ending.winner, "the same seat, the other engine");
        assert!(pair[0].ending.winner.is_some());
    }
}

#[test]
fn games_of_pure_dice_need_no_moves() {
    let choice = RulesetChoice::catalog("goose");
    let mut plan = room(&choice, ["random", "random"]);
    plan.spec.seed = 9;
    for record in play(&plan, 1, games(4)).records {
        assert!(record.ending.winner.is_some() && record.movers.chars().all(|mover| mover == DICE));
    }
}
