//! Dice, more than two seats, and puzzles.

use std::collections::BTreeMap;

use reynard_engine::rules::Turn;
use reynard_engine::session::registry::{self, RulesetChoice};

use super::puppets::{Call, engine, honest_at, nodes, puppet_games, resolved};
use super::*;
use crate::tournament::fixture::Fixture;
use crate::tournament::record::{Cause, DICE, Forfeit, GameRecord};
use crate::tournament::resolved::PlayableRuleset;

fn choice(name: &str, switches: &[(&str, &str)]) -> RulesetChoice {
    let switches = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    RulesetChoice { switches, ..RulesetChoice::catalog(name) }
}

/// A resolved spec of one ruleset with engines A and B.
fn room(choice: &RulesetChoice, searchers: [&str; 2]) -> ResolvedSpec {
    let engines = ["A", "B"].into_iter().zip(searchers);
    let mut resolved =
        resolved(engines.map(|(name, searcher)| engine(name, &[("Searcher", searcher)], nodes(20))).collect());
    resolved.rulesets = vec![PlayableRuleset { label: "game".into(), variant: "game".into(), choice: choice.clone() }];
    resolved.spec.max_plies = 5000;
    resolved
}

/// Games of A and B at a table of so many seats.
fn at_table(seats: usize, games: u64) -> Vec<Fixture> {
    let fixture = |game: u64| {
        let seats = (0..seats).map(|seat| (seat + game as usize) % 2).collect();
        Fixture { game, pair: game / 2, round: 0, ruleset: 0, opening: game / 2, seats }
    };
    (0..games).map(fixture).collect()
}

fn played(resolved: &ResolvedSpec, fixtures: Vec<Fixture>) -> Vec<GameRecord> {
    let mut list = List::new(fixtures);
    assert_eq!(run(resolved, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
    list.records
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
    for (choice, seats) in [(choice("goose-team", &[]), 2), (choice("goose-team", &[("players", "3")]), 3)] {
        let records = played(&room(&choice, ["random", "greedy"]), at_table(seats, 6));
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
}

#[test]
fn records_with_dice_depend_on_nothing_but_the_fixture() {
    let resolved = room(&choice("goose-team", &[("players", "4")]), ["mcts", "random"]);
    let mut resolved = resolved;
    resolved.spec.max_plies = 60;
    let journal = |concurrency: usize, fixtures: Vec<Fixture>| {
        let mut list = List::new(fixtures);
        assert_eq!(run(&resolved, concurrency, &never(), &mut list).expect("a run"), RunEnd::Complete);
        list.journal()
    };
    let alone = journal(1, at_table(4, 6));
    assert_eq!(journal(3, at_table(4, 6)), alone);
    assert_eq!(journal(1, at_table(4, 6)[3..4].to_vec()).lines().next(), alone.lines().nth(3));
}

/// The share of the points that the first engine has in each pair, as the variance of 0, 1/2 and 1.
fn variance(points: &[f64]) -> f64 {
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / points.len() as f64
}

#[test]
fn mirrored_dice_take_the_luck_out_of_the_pairs() {
    // Nobody has anything to choose, so all of the variance between pairs is luck.
    let choice = choice("goose", &[]);
    let records = played(&room(&choice, ["random", "random"]), at_table(2, 200));
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
    for seats in [2, 4] {
        let choice = choice("goose-team", &[("players", &seats.to_string())]);
        let records = played(&room(&choice, ["greedy", "greedy"]), at_table(seats, 4));
        for pair in records.chunks(2) {
            assert_eq!(pair[0].moves.len(), pair[1].moves.len());
            assert_eq!(pair[0].ending.winner, pair[1].ending.winner, "the same seat, the other engine");
            assert!(pair[0].ending.winner.is_some());
        }
    }
}

fn first(call: Call<'_>) -> Result<String, Failure> {
    honest_at(&choice("goose-team", &[("players", "4")]), |moves| moves.swap_remove(0), call)
}

fn last(call: Call<'_>) -> Result<String, Failure> {
    honest_at(&choice("goose-team", &[("players", "4")]), |moves| moves.pop().expect("a move"), call)
}

#[test]
fn each_engine_plays_from_every_other_seat() {
    let choice = choice("goose-team", &[("players", "4")]);
    let resolved = room(&choice, ["random", "random"]);
    let open = |engine: usize, _: usize, _: &AbandonFlag| {
        let script: fn(Call<'_>) -> Result<String, Failure> = [first, last][engine];
        Ok(Box::new(Puppet(script, Duration::ZERO)) as Box<dyn Player>)
    };
    let mut list = List::new(at_table(4, 2));
    run_with(&resolved, &open, 1, &never(), &mut list).expect("a run");
    let mut seen = BTreeMap::new();
    for record in &list.records {
        let mut session = registry::open(&choice).expect("a ruleset");
        for (index, mv) in record.moves.iter().enumerate() {
            let legal = session.legal_moves();
            if let Some(seat) = record.mover(index).map(usize::from) {
                let swap = record.fixture.game as usize % 2;
                let expected = if (seat + swap).is_multiple_of(2) { legal.first() } else { legal.last() };
                assert_eq!(Some(mv.text()), expected.map(String::as_str), "game {swap}, move {index}");
                *seen.entry(seat).or_insert(0) += 1;
            }
            session.play(mv.text()).expect("a legal move");
        }
    }
    assert!(seen.len() == 4 && seen.values().all(|&moves| moves > 20), "{seen:?}");
}

#[test]
fn whoever_fails_at_a_table_of_four_loses_to_the_other_engine() {
    let choice = choice("goose-team", &[("players", "4")]);
    let resolved = room(&choice, ["random", "random"]);
    let open = |engine: usize, _: usize, _: &AbandonFlag| {
        let script = move |call: Call<'_>| match (&call, engine) {
            // At its own second seat, somewhere in the game.
            (Call::Go(history), 1) if history.moves.len() > 9 => Ok("nonsense".to_owned()),
            _ => first(call),
        };
        Ok(Box::new(Puppet(script, Duration::ZERO)) as Box<dyn Player>)
    };
    let mut list = List::new(at_table(4, 2));
    run_with(&resolved, &open, 1, &never(), &mut list).expect("a run");
    for record in &list.records {
        assert_eq!(record.ending.cause, Cause::Forfeit(Forfeit::IllegalMove), "{:?}", record.ending);
        let winner = record.ending.winner().expect("a winner");
        assert_eq!(record.fixture.seats[winner.index()], 0);
        assert_eq!(record.fixture.loser(winner), Some(1));
    }
}

/// The rule sheet's printed key, jump by jump (`reynard rules text solitaire`).
const KEY: &str = "5-17 12-10 3-11 1-3 18-6 3-11 30-18 27-25 13-27 24-26 27-25 22-24 31-23 33-31 16-28 31-23 4-16 7-9 21-7 \
                   10-8 7-9 24-22 22-8 8-10 10-12 12-26 26-24 17-15 29-17 18-16 15-17";

fn knows_the_key(call: Call<'_>) -> Result<String, Failure> {
    match call {
        Call::Go(history) => Ok(KEY.split_whitespace().nth(history.moves.len()).expect("a jump").to_owned()),
        call => honest_at(&RulesetChoice::catalog("solitaire"), |moves| moves.swap_remove(0), call),
    }
}

fn jumps_blindly(call: Call<'_>) -> Result<String, Failure> {
    honest_at(&RulesetChoice::catalog("solitaire"), |moves| moves.swap_remove(0), call)
}

#[test]
fn a_puzzle_is_tried_by_one_engine_after_the_other() {
    let resolved = room(&RulesetChoice::catalog("solitaire"), ["random", "random"]);
    let open = |engine: usize, _: usize, _: &AbandonFlag| {
        let script: fn(Call<'_>) -> Result<String, Failure> = [knows_the_key, jumps_blindly][engine];
        Ok(Box::new(Puppet(script, Duration::ZERO)) as Box<dyn Player>)
    };
    let mut list = List::new(at_table(1, 4));
    run_with(&resolved, &open, 1, &never(), &mut list).expect("a run");
    for record in &list.records {
        let solves = record.fixture.seats == [0];
        assert_eq!(record.ending.winner, Some(u8::from(!solves)), "{:?}", record.ending);
        assert_eq!(record.ending.cause, Cause::Rules);
        assert_eq!(record.moves.len() == 31, solves);
    }
    let mut short = room(&RulesetChoice::catalog("solitaire"), ["random", "random"]);
    short.spec.max_plies = 5;
    for record in played(&short, at_table(1, 2)) {
        assert_eq!((record.ending.winner, &record.ending.cause), (Some(1), &Cause::PlyLimit), "not solved by then");
    }
}

#[test]
fn a_puzzle_with_an_engine_that_does_not_start_is_not_solved() {
    let resolved = room(&RulesetChoice::catalog("solitaire"), ["random", "random"]);
    let open = |_: usize, _: usize, _: &AbandonFlag| Err::<Box<dyn Player>, _>(failure(Forfeit::Start));
    let mut list = List::new(at_table(1, 2));
    run_with(&resolved, &open, 1, &never(), &mut list).expect("a run");
    let endings: Vec<_> = list.records.iter().map(|record| record.ending.winner).collect();
    assert_eq!(endings, [Some(1), Some(1)]);
}

#[test]
fn games_of_pure_dice_need_no_moves() {
    let choice = choice("goose", &[]);
    let script = |call: Call<'_>| match call {
        Call::Go(_) => panic!("nobody has anything to choose"),
        _ => Ok(String::new()),
    };
    let mut resolved = room(&choice, ["random", "random"]);
    resolved.spec.seed = 9;
    for record in puppet_games(&resolved, 4, [Box::leak(Box::new(script)), Box::leak(Box::new(script))]) {
        assert!(record.ending.winner.is_some() && record.movers.chars().all(|mover| mover == DICE));
    }
}
