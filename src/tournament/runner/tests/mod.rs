//! Runs with real players and with players that do as they are told.

mod dice;
mod judging;
mod puppets;

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use reynard_engine::session::registry::RulesetChoice;

use puppets::{Call, List, Puppet, engine, failure, games, honest, never, nodes, puppet_run, resolved, stage};

use super::*;
use crate::tournament::fixture::Fixture;
use crate::tournament::player::{self, ChosenMove, GameSetup, MoveHistory, MoveRequest};
use crate::tournament::record::{Cause, Forfeit};
use crate::tournament::runner::worker::MOST_IDLE;
use crate::tournament::spec::{Limits, OnForfeit, ProgramSpec};

/// Every engine meets its neighbour, in two rulesets.
fn fixtures(games: u64, engines: usize) -> Vec<Fixture> {
    let fixture = |game: u64| {
        let pair = game / 2;
        let first = pair as usize % engines;
        let mut seats = [first, (first + 1) % engines];
        seats.rotate_left(game as usize % 2);
        Fixture { game, pair, round: 0, ruleset: pair as usize / 3 % 2, opening: pair, seats }
    };
    (0..games).map(fixture).collect()
}

fn play(resolved: &Plan, concurrency: usize, fixtures: impl IntoIterator<Item = Fixture>) -> String {
    let mut list = List::new(fixtures);
    assert_eq!(run(resolved, &Sinks::default(), concurrency, &never(), &mut list).expect("a run"), RunEnd::Complete);
    list.journal()
}

#[test]
fn records_depend_on_nothing_but_the_fixture() {
    let resolved = resolved(vec![
        engine("mcts", &[("Searcher", "mcts"), ("Hash", "1")], nodes(40)),
        engine("random", &[("Searcher", "random")], nodes(1)),
        engine("ab", &[("Hash", "1")], Limits { depth: Some(2), ..Limits::default() }),
    ]);
    let all = fixtures(24, 3);
    let alone = play(&resolved, 1, all.clone());
    assert_eq!(alone.lines().count(), 24);
    for concurrency in [2, 4] {
        assert_eq!(play(&resolved, concurrency, all.clone()), alone, "{concurrency} at once");
    }
    assert_eq!(play(&resolved, 1, all.iter().rev().cloned()), alone, "backwards");
    let single = play(&resolved, 1, all[17..18].iter().cloned());
    assert_eq!(alone.lines().nth(17), single.lines().next(), "by itself");
}

#[test]
fn a_director_may_wait_for_results_but_not_for_nothing() {
    let resolved = resolved(vec![engine("A", &[("Searcher", "random")], nodes(1)); 2]);
    let mut list = List::new(games(5)).at_once(1);
    assert_eq!(run(&resolved, &Sinks::default(), 3, &never(), &mut list).expect("a run"), RunEnd::Complete);
    assert_eq!(list.records.len(), 5);
    let mut stubborn = List::new(games(5)).at_once(0);
    let message = run(&resolved, &Sinks::default(), 3, &never(), &mut stubborn)
        .expect_err("a director that only waits")
        .to_string();
    assert!(message.contains("waits"), "{message}");
}

/// A run of two games at once that would never end: it is stopped once `is_under_way`, and has to end without a record.
fn stop_once(is_under_way: impl Fn() -> bool + Sync, run: impl FnOnce(&AtomicBool, &mut List) -> RunEnd) {
    let (stop, mut list) = (never(), List::new(games(4)));
    thread::scope(|scope| {
        scope.spawn(|| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !is_under_way() && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(1));
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(run(&stop, &mut list), RunEnd::Stopped);
    });
    assert!(is_under_way() && list.records.is_empty(), "{:?}", list.records);
}

#[test]
fn a_stop_abandons_long_searches_without_a_trace() {
    /// Counts the searches that begin.
    struct Counted(Box<dyn Player>, Arc<AtomicUsize>);

    impl Player for Counted {
        fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
            self.0.new_game(setup)
        }

        fn choose(&mut self, history: MoveHistory<'_>, request: &MoveRequest) -> Result<ChosenMove, Failure> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.choose(history, request)
        }
    }

    let resolved = resolved(vec![engine("A", &[("Hash", "1")], nodes(u64::MAX)); 2]);
    let begun = Arc::new(AtomicUsize::new(0));
    let open = |engine: usize, ruleset: usize, abandoned: &AbandonFlag| {
        let player = player::open(&resolved, &Default::default(), engine, ruleset, abandoned)?;
        Ok(Box::new(Counted(player, Arc::clone(&begun))) as Box<dyn Player>)
    };
    stop_once(
        || begun.load(Ordering::Relaxed) == 2,
        |stop, list| run_with(&resolved, &Sinks::default(), &open, 2, stop, list).expect("a run"),
    );
}

#[test]
#[cfg(unix)]
fn a_stop_abandons_programs_that_do_not_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let begun = ["0", "1"].map(|name| folder.path().join(name));
    let hanging = |begun: &Path, script: &str| ProgramSpec {
        command: "/bin/sh".into(),
        args: vec!["-c".to_owned(), script.replace("BEGUN", &format!(": >'{}'", begun.display()))],
        ..ProgramSpec::default()
    };
    let mut resolved = stage();
    resolved.engines[0].program = Some(hanging(&begun[0], "BEGUN; sleep 100000"));
    let answers_once = "read line; echo ugiok; BEGUN; while :; do sleep 100000; done";
    resolved.engines[1].program = Some(hanging(&begun[1], answers_once));
    stop_once(
        || begun.iter().all(|path| path.exists()),
        |stop, list| run(&resolved, &Sinks::default(), 2, stop, list).expect("a run"),
    );
}

#[test]
fn a_worker_that_panics_ends_the_run() {
    let mut list = List::new(games(6));
    let panics = |call: Call<'_>| match call {
        Call::Go(history) if history.moves.len() == 4 => panic!("on purpose"),
        call => honest(call),
    };
    let error = puppet_run(&stage(), &mut list, [&honest, Box::leak(Box::new(panics))]).expect_err("a panic");
    assert!(matches!(&error, RunError::Setup(text) if text.contains("game") && text.contains("on purpose")), "{error}");
}

/// Takes one game.
struct Full(usize);

impl Director for Full {
    type Error = &'static str;

    fn next(&mut self) -> Next {
        games(100).into_iter().next().map_or(Next::End, Next::Game)
    }

    fn finished(&mut self, _games: Vec<FinishedGame>) -> Result<(), &'static str> {
        self.0 += 1;
        Err("the disk is full")
    }
}

#[test]
fn a_director_that_refuses_a_game_ends_the_run() {
    let resolved = resolved(vec![engine("A", &[("Searcher", "random")], nodes(1)); 2]);
    let mut full = Full(0);
    assert!(matches!(
        run(&resolved, &Sinks::default(), 4, &never(), &mut full),
        Err(RunError::Director("the disk is full"))
    ));
    assert_eq!(full.0, 1);
}

/// Plays with puppets that count how often they were opened, by engine.
fn openings(
    resolved: &Plan,
    fixtures: Vec<Fixture>,
    script: impl Fn(usize, Call<'_>) -> Result<String, Failure> + Sync + Send + Copy + 'static,
) -> (Vec<usize>, List) {
    let opened: Vec<AtomicUsize> = resolved.engines.iter().map(|_| AtomicUsize::new(0)).collect();
    let open = |engine: usize, _ruleset: usize, _: &AbandonFlag| {
        opened[engine].fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Puppet(move |call: Call<'_>| script(engine, call), Duration::ZERO)) as Box<dyn Player>)
    };
    let mut list = List::new(fixtures);
    assert_eq!(run_with(resolved, &Sinks::default(), &open, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
    (opened.into_iter().map(AtomicUsize::into_inner).collect(), list)
}

#[test]
fn players_are_kept_and_replaced_after_a_forfeit() {
    let mut resolved = stage();
    resolved.spec.max_plies = 4;
    let (opened, _) = openings(&resolved, games(6), |_, call| honest(call));
    assert_eq!(opened, [1, 1]);
    let crashes = |engine, call: Call<'_>| match call {
        Call::Go(_) if engine == 1 => Err(failure(Forfeit::Crash)),
        call => honest(call),
    };
    let (opened, list) = openings(&resolved, games(6), crashes);
    assert_eq!((opened, list.records.len()), (vec![1, 6], 6));
}

#[test]
fn idle_players_are_bounded_in_number() {
    let mut resolved = resolved(vec![engine("A", &[], nodes(1)); MOST_IDLE + 2]);
    resolved.spec.max_plies = 2;
    let engines = resolved.engines.len();
    let round = |from: u64| {
        let fixture = move |index: u64| {
            let seats = [2 * index as usize % engines, (2 * index as usize + 1) % engines];
            Fixture { game: index, pair: index, round: 0, ruleset: 0, opening: 0, seats }
        };
        (from..from + engines as u64 / 2).map(fixture)
    };
    let twice: Vec<Fixture> = round(0).chain(round(engines as u64 / 2)).collect();
    let (opened, _) = openings(&resolved, twice, |_, call| honest(call));
    assert!(opened.iter().all(|&opened| opened == 2), "the longest idle are dropped: {opened:?}");
    let (opened, _) = openings(&resolved, games(2), |_, call| honest(call));
    assert_eq!(opened[..3], [1, 1, 0]);
}

#[test]
fn an_engine_can_meet_itself() {
    let resolved = resolved(vec![engine("A", &[("Searcher", "random")], nodes(1))]);
    let fixture = Fixture { game: 0, pair: 0, round: 0, ruleset: 0, opening: 0, seats: [0, 0] };
    assert_eq!(play(&resolved, 1, [fixture]).lines().count(), 1);
}

#[test]
fn a_player_that_does_not_open_loses_every_game() {
    let open = |engine: usize, _ruleset: usize, _: &AbandonFlag| match engine {
        0 => Ok(Box::new(Puppet(honest, Duration::ZERO)) as Box<dyn Player>),
        _ => Err(failure(Forfeit::Start)),
    };
    let mut list = List::new(games(4));
    assert_eq!(run_with(&stage(), &Sinks::default(), &open, 2, &never(), &mut list).expect("a run"), RunEnd::Complete);
    for record in &list.records {
        let winner = record.ending.winner().expect("a winner");
        assert_eq!(record.fixture.seats[winner.index()], 0);
        assert_eq!(
            (&record.ending.cause, record.ending.reason.as_str()),
            (&Cause::Forfeit(Forfeit::Start), "Start on purpose")
        );
        assert!(record.moves.is_empty());
    }
    assert_eq!(list.records.len(), 4);
}

#[test]
fn a_game_that_neither_begins_has_no_winner_and_two_forfeits() {
    let open = |engine: usize, _ruleset: usize, _: &AbandonFlag| -> Result<Box<dyn Player>, Failure> {
        Err(Failure::new(Forfeit::Start, format!("engine {engine} does not start")))
    };
    let mut list = List::new(games(2));
    assert_eq!(run_with(&stage(), &Sinks::default(), &open, 1, &never(), &mut list).expect("a run"), RunEnd::Complete);
    for record in &list.records {
        assert_eq!((record.ending.winner, &record.ending.cause), (None, &Cause::Forfeit(Forfeit::Start)));
        for engine in ["engine 0 does not start", "engine 1 does not start"] {
            assert!(record.ending.reason.contains(engine), "{}", record.ending.reason);
        }
    }
    let mut strict = stage();
    strict.spec.on_forfeit = OnForfeit::Stop;
    let end = run_with(&strict, &Sinks::default(), &open, 1, &never(), &mut List::new(games(2)));
    assert!(matches!(&end, Err(RunError::Forfeit { message, .. }) if message.contains("engine 1")), "{end:?}");
}

/// The end of a run of games that B forfeits, with the number of records.
fn with_stop(kind: &'static Forfeit) -> (Result<RunEnd, RunError<Infallible>>, usize) {
    let mut resolved = stage();
    resolved.spec.on_forfeit = OnForfeit::Stop;
    let mut list = List::new(games(4));
    let fails = move |call: Call<'_>| match call {
        Call::Go(_) => Err(failure(*kind)),
        call => honest(call),
    };
    let end = puppet_run(&resolved, &mut list, [&honest, Box::leak(Box::new(fails))]);
    (end, list.records.len())
}

#[test]
fn the_spec_may_stop_at_a_breakdown_but_not_at_bad_play() {
    let (end, recorded) = with_stop(&Forfeit::Hang);
    assert!(
        matches!(&end, Err(RunError::Forfeit { engine, message }) if engine == "B" && message == "Hang on purpose")
    );
    assert_eq!(recorded, 1);
    for kind in [&Forfeit::Time, &Forfeit::IllegalMove] {
        assert!(matches!(with_stop(kind), (Ok(RunEnd::Complete), 4)), "{kind:?}");
    }
}

#[test]
fn what_cannot_be_played_is_told() {
    let mut unknown = stage();
    unknown.header.rulesets[0].choice = Some(RulesetChoice::catalog("no-such-game"));
    let mut tables = stage();
    tables.spec.adjudication.table = true;
    let mut affine = stage();
    affine.spec.affinity = vec![100_000];
    for (resolved, word) in [(unknown, "no-such-game"), (tables, "tables"), (affine, "100000")] {
        let error = puppet_run(&resolved, &mut List::new(games(2)), [&honest, &honest]).expect_err(word);
        assert!(matches!(&error, RunError::Setup(text) if text.contains(word)), "{error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn workers_stay_on_their_processors() {
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;

    let allowed = || {
        let set = sched_getaffinity(Pid::from_raw(0)).expect("an affinity");
        (0..CpuSet::count()).filter(|&cpu| set.is_set(cpu) == Ok(true)).collect::<Vec<_>>()
    };
    let last = allowed().pop().expect("a processor");
    let mut resolved = stage();
    (resolved.spec.affinity, resolved.spec.max_plies) = (vec![last], 2);
    let check = move |call: Call<'_>| {
        assert_eq!(allowed(), [last]);
        honest(call)
    };
    let mut list = List::new(games(2));
    puppet_run(&resolved, &mut list, [&honest, Box::leak(Box::new(check))]).expect("a run");
}
