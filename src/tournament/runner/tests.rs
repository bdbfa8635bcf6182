//! Runs with players that do as they are told.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::engine::registry::RulesetChoice;
use crate::tournament::arena::{ArenaRuleset, Conditions, EngineConfig, OpeningBook};
use crate::tournament::player::{Allowance, Choice, GameSetup, History};
use crate::tournament::record::{Cause, Forfeit, GameRecord, Opening, Opinion};
use crate::tournament::spec::{AdjudicationSpec, Limits, OnForfeit, Supervision};

/// The start position, always.
struct NoBook;

impl OpeningBook for NoBook {
    fn opening(&self, _ruleset: usize, _number: u64) -> Opening {
        Opening::default()
    }
}

fn engine(name: &str, options: &[(&str, &str)], limits: Limits) -> EngineConfig {
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    EngineConfig { name: name.to_owned(), program: None, options, by_role: BTreeMap::new(), limits }
}

fn ruleset(name: &str) -> ArenaRuleset {
    ArenaRuleset { label: name.to_owned(), variant: name.to_owned(), choice: Some(RulesetChoice::catalog(name)) }
}

fn arena(engines: Vec<EngineConfig>) -> Arena {
    Arena {
        rulesets: vec![ruleset("masters-15"), ruleset("bell-13")],
        engines,
        openings: Box::new(NoBook),
        conditions: Conditions {
            time_margin: Duration::ZERO,
            max_plies: 30,
            adjudication: AdjudicationSpec::default(),
            referee: Referee::Record,
            cross_check: false,
            on_forfeit: OnForfeit::Continue,
            supervision: Supervision::default(),
        },
        seed: 5,
        affinity: Vec::new(),
        log_dir: None,
        watch: None,
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Asks for these fixtures, waiting whenever as many games as `at_once` are under way.
struct List {
    fixtures: Vec<Fixture>,
    records: Vec<GameRecord>,
    asked: usize,
    at_once: usize,
}

impl List {
    fn new(fixtures: impl IntoIterator<Item = Fixture>) -> Self {
        let mut fixtures: Vec<Fixture> = fixtures.into_iter().collect();
        fixtures.reverse();
        List { fixtures, records: Vec::new(), asked: 0, at_once: usize::MAX }
    }

    fn journal(mut self) -> String {
        self.records.sort_by_key(|record| record.fixture.game);
        self.records.iter().map(|record| serde_json::to_string(record).expect("a record is JSON") + "\n").collect()
    }
}

impl Director for List {
    type Error = Infallible;

    fn next(&mut self) -> Next {
        if self.asked - self.records.len() >= self.at_once {
            return Next::Wait;
        }
        self.asked += 1;
        self.fixtures.pop().map_or(Next::End, Next::Game)
    }

    fn finished(&mut self, game: FinishedGame) -> Result<(), Infallible> {
        assert_eq!(game.record.moves.len(), game.times.move_us.len());
        self.records.push(game.record);
        Ok(())
    }
}

fn fixtures(games: u64, engines: usize) -> Vec<Fixture> {
    let fixture = |game: u64| {
        let pair = game / 2;
        let first = pair as usize % engines;
        let mut seats = vec![first, (first + 1) % engines];
        seats.rotate_left(game as usize % 2);
        Fixture { game, pair, round: 0, ruleset: pair as usize / 3 % 2, opening: pair, seats }
    };
    (0..games).map(fixture).collect()
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

fn play(arena: &Arena, concurrency: usize, fixtures: impl IntoIterator<Item = Fixture>) -> String {
    let mut list = List::new(fixtures);
    assert_eq!(run(arena, concurrency, &never(), &mut list).expect("a run"), RunEnd::Complete);
    list.journal()
}

#[test]
fn records_depend_on_nothing_but_the_fixture() {
    let arena = arena(vec![
        engine("mcts", &[("Searcher", "mcts"), ("Hash", "1")], nodes(40)),
        engine("random", &[("Searcher", "random")], nodes(1)),
        engine("ab", &[("Hash", "1")], Limits { depth: Some(2), ..Limits::default() }),
    ]);
    let all = fixtures(24, 3);
    let alone = play(&arena, 1, all.clone());
    assert_eq!(alone.lines().count(), 24);
    for concurrency in [2, 4] {
        assert_eq!(play(&arena, concurrency, all.clone()), alone, "{concurrency} at once");
    }
    assert_eq!(play(&arena, 1, all.iter().rev().cloned()), alone, "backwards");
    let single = play(&arena, 1, all[17..18].iter().cloned());
    assert_eq!(alone.lines().nth(17), single.lines().next(), "by itself");
}
