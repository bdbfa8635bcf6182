//! Resolved specs, directors and players for the tests.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use reynard_engine::session::registry::{self, RulesetChoice};

use crate::tournament::fixture::{Fixture, Next};
use crate::tournament::plan::{EngineConfig, Plan, Sinks};
use crate::tournament::player::{AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, Player};
use crate::tournament::record::{FinishedGame, GameRecord, Opinion};
use crate::tournament::runner::{Director, RunEnd, RunError, run_with};
use crate::tournament::spec::{EngineSpec, Format, Limits, LoadedSpec, RulesetSpec, TournamentSpec};

pub(super) fn engine(name: &str, options: &[(&str, &str)], limits: Limits) -> EngineConfig {
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    EngineConfig { name: name.to_owned(), program: None, options, by_role: BTreeMap::new(), limits }
}

/// A plan of two rulesets with these engines.
pub(super) fn resolved(engines: Vec<EngineConfig>) -> Plan {
    let rulesets = ["masters-15", "bell-13"].map(|name| RulesetSpec::Name(name.to_owned()));
    let player = |name: &str| EngineSpec { name: name.to_owned(), ..EngineSpec::default() };
    let players = ["A", "B"].map(player);
    let spec = TournamentSpec {
        max_plies: 30,
        seed: 5,
        limits: nodes(1),
        ..TournamentSpec::new(rulesets.to_vec(), players.to_vec(), Format::Match, 1)
    };
    let loaded = LoadedSpec::new(spec, Path::new(""), "test").expect("a spec");
    Plan { engines, ..loaded.resolve().expect("a plan") }
}

pub(super) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A resolved spec whose engines A and B are puppets.
pub(super) fn stage() -> Plan {
    resolved(vec![engine("A", &[], nodes(1)), engine("B", &[], nodes(1))])
}

/// Games of A and B, which swap seats.
pub(super) fn games(count: u64) -> Vec<Fixture> {
    let seats = |game: u64| if game.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    let fixture = |game| Fixture { game, pair: game / 2, round: 0, ruleset: 0, opening: game / 2, seats: seats(game) };
    (0..count).map(fixture).collect()
}

/// Asks for these fixtures, waiting whenever as many games as `at_once` are under way.
pub(super) struct List {
    fixtures: Vec<Fixture>,
    pub records: Vec<GameRecord>,
    asked: usize,
    at_once: usize,
}

impl List {
    pub(super) fn new(fixtures: impl IntoIterator<Item = Fixture>) -> Self {
        let mut fixtures: Vec<Fixture> = fixtures.into_iter().collect();
        fixtures.reverse();
        List { fixtures, records: Vec::new(), asked: 0, at_once: usize::MAX }
    }

    pub(super) fn at_once(mut self, at_once: usize) -> Self {
        self.at_once = at_once;
        self
    }

    pub(super) fn journal(mut self) -> String {
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

    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), Infallible> {
        for game in games {
            assert_eq!(game.record.moves.len(), game.times.move_us.len());
            self.records.push(game.record);
        }
        Ok(())
    }
}

pub(super) fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// What a puppet is asked.
pub(super) enum Call<'a> {
    NewGame(GameSetup<'a>),
    Go(MoveHistory<'a>),
}

/// A player that does as it is told, and says that every move took so long.
pub(super) struct Puppet<F>(pub F, pub Duration);

impl<F: FnMut(Call<'_>) -> Result<String, Failure> + Send> Player for Puppet<F> {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        (self.0)(Call::NewGame(setup)).map(|_| ())
    }

    fn choose(&mut self, history: MoveHistory<'_>, _request: &MoveRequest) -> Result<ChosenMove, Failure> {
        let text = (self.0)(Call::Go(history))?;
        Ok(ChosenMove { text, opinion: Opinion::default(), spent: self.1 })
    }
}

/// What an honest player of the first ruleset that always takes the first legal move does.
pub(super) fn honest(call: Call<'_>) -> Result<String, Failure> {
    match call {
        Call::NewGame(_) => Ok(String::new()),
        Call::Go(history) => {
            let mut session = registry::open(&RulesetChoice::catalog("masters-15")).expect("it opens");
            let moves: Vec<&str> = history.moves.iter().map(String::as_str).collect();
            session.set_position(history.start, &moves).expect("a legal history");
            Ok(session.legal_moves().swap_remove(0))
        }
    }
}

pub(super) fn failure(kind: crate::tournament::record::Forfeit) -> Failure {
    Failure::new(kind, format!("{kind:?} on purpose"))
}

type Script = dyn Fn(Call<'_>) -> Result<String, Failure> + Send + Sync;

/// Plays games between puppets A and B.
pub(super) fn puppet_run(
    resolved: &Plan,
    list: &mut List,
    scripts: [&'static Script; 2],
) -> Result<RunEnd, RunError<Infallible>> {
    let open = |engine: usize, _ruleset: usize, _: &AbandonFlag| {
        Ok(Box::new(Puppet(scripts[engine], Duration::ZERO)) as Box<dyn Player>)
    };
    run_with(resolved, &Sinks::default(), &open, 1, &never(), list)
}

/// The records of so many games between puppets, which all end.
pub(super) fn puppet_games(resolved: &Plan, count: u64, scripts: [&'static Script; 2]) -> Vec<GameRecord> {
    let mut list = List::new(games(count));
    assert_eq!(puppet_run(resolved, &mut list, scripts).expect("a run"), RunEnd::Complete);
    assert_eq!(list.records.len() as u64, count);
    list.records
}
