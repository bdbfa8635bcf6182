//! Games that are played one by one as they are asked for.

use std::convert::Infallible;
use std::path::Path;

use reynard::testing::tournament::runner::{self, Director, RunEnd, Stop};
use reynard::testing::tournament::spec::LoadedSpec;
use reynard::testing::tournament::{FinishedGame, Fixture, GameRecord, Schedule, Sinks, TournamentSpec};
use serde_json::Value;

/// Asks for these games and tells of every one.
struct List<F> {
    fixtures: Vec<Fixture>,
    told: F,
}

impl<F: FnMut(GameRecord)> Director for List<F> {
    type Error = Infallible;

    fn next(&mut self) -> Option<Fixture> {
        self.fixtures.pop()
    }

    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), Infallible> {
        games.into_iter().for_each(|game| (self.told)(game.record));
        Ok(())
    }
}

/// Plays all games of a spec.
pub fn play(spec: &Value, concurrency: usize, told: impl FnMut(GameRecord)) {
    let spec: TournamentSpec = serde_json::from_value(spec.clone()).unwrap();
    let loaded = LoadedSpec::new(spec, Path::new("/"), "test").unwrap();
    let plan = loaded.resolve().unwrap();
    let schedule = Schedule::of(&plan.header).unwrap();
    let mut fixtures: Vec<Fixture> = (0..).map_while(|game| schedule.fixture(game)).collect();
    fixtures.reverse();
    let mut list = List { fixtures, told };
    let end = runner::run(&plan, &Sinks::default(), concurrency, &Stop::default(), &mut list).unwrap();
    assert_eq!(end, RunEnd::Complete);
}
