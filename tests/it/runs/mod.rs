//! Whole runs: programs that misbehave, the same games whatever the circumstances, and thousands of games in a row.

mod bad_engines;
mod clauses;
mod soak;

use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use reynard::testing::tournament::runner::{self, Director, RunEnd};
use reynard::testing::tournament::spec::LoadedSpec;
use reynard::testing::tournament::{FinishedGame, Fixture, GameRecord, Next, Schedule, TournamentSpec};
use serde_json::{Value, json};

/// Asks for these games and tells of every one.
struct List<F> {
    fixtures: Vec<Fixture>,
    told: F,
}

impl<F: FnMut(GameRecord)> Director for List<F> {
    type Error = Infallible;

    fn next(&mut self) -> Next {
        self.fixtures.pop().map_or(Next::End, Next::Game)
    }

    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), Infallible> {
        games.into_iter().for_each(|game| (self.told)(game.record));
        Ok(())
    }
}

/// Plays all games of a spec, the last ones first when told so.
fn play(spec: &Value, concurrency: usize, is_reversed: bool, told: impl FnMut(GameRecord)) {
    let spec: TournamentSpec = serde_json::from_value(spec.clone()).unwrap();
    let loaded = LoadedSpec::new(spec, Path::new("/"), "test").unwrap();
    let (resolved, header) = loaded.resolve().unwrap();
    let mut schedule = Schedule::of(&header).unwrap();
    let next = (0..).map(|game| schedule.fixture(game));
    let mut fixtures: Vec<Fixture> = next
        .map_while(|next| match next {
            Next::Game(fixture) => Some(fixture),
            Next::Wait | Next::End => None,
        })
        .collect();
    if !is_reversed {
        fixtures.reverse();
    }
    let mut list = List { fixtures, told };
    let end = runner::run(&resolved, concurrency, &AtomicBool::new(false), &mut list).unwrap();
    assert_eq!(end, RunEnd::Complete);
}

/// The games of a spec by number.
fn records(spec: &Value, concurrency: usize, is_reversed: bool) -> Vec<GameRecord> {
    let mut records = Vec::new();
    play(spec, concurrency, is_reversed, |record| records.push(record));
    records.sort_by_key(|record| record.fixture.game);
    records
}

fn lines(records: &[GameRecord]) -> String {
    records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect()
}

/// An engine in this process and two in processes, in two rulesets.
fn mixed() -> Value {
    let program = json!({"command": env!("CARGO_BIN_EXE_reynard")});
    json!({
        "rulesets": ["masters-15", "catch-the-hare"],
        "engines": [
            {"name": "inside", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 30}},
            {"name": "outside", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 30}, "program": program},
            {"name": "random", "options": {"Searcher": "random"}, "limits": {"nodes": 1}, "program": program},
        ],
        "format": "round-robin",
        "games": 4,
        "openings": {"kind": "random", "plies": 3},
        "max_plies": 40,
        "cross_check": true,
    })
}

#[test]
fn the_games_are_the_same_for_any_concurrency_and_order() {
    let alone = records(&mixed(), 1, false);
    assert_eq!(alone.len(), 24);
    assert!(alone.iter().all(|record| record.disagreements.is_empty()));
    for (concurrency, is_reversed) in [(2, false), (4, true)] {
        assert_eq!(lines(&records(&mixed(), concurrency, is_reversed)), lines(&alone), "{concurrency} at once");
    }
}

#[test]
fn a_process_plays_as_a_session_does() {
    let mut inside = mixed();
    for engine in inside["engines"].as_array_mut().unwrap() {
        engine.as_object_mut().unwrap().remove("program");
    }
    assert_eq!(lines(&records(&inside, 2, false)), lines(&records(&mixed(), 2, false)));
}
