//! Runs of sessions and of programs that are written in a line of shell.

mod dice;

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use reynard_engine::session::registry::RulesetChoice;
use tempfile::TempDir;

use super::*;
use crate::tournament::openings::{BookRequest, OpeningBook};
use crate::tournament::plan::{EngineConfig, Plan, Sinks};
use crate::tournament::record::{Cause, Forfeit, GameRecord};
use crate::tournament::referee::tests::{engine, games, nodes, plan, stage};
use crate::tournament::runner::worker::MOST_IDLE;
use crate::tournament::schedule::Fixture;
use crate::tournament::spec::{Balance, Limits, OnForfeit, Openings, ProgramSpec};

/// Asks for these fixtures.
struct List {
    fixtures: Vec<Fixture>,
    records: Vec<GameRecord>,
}

impl List {
    fn new(fixtures: impl IntoIterator<Item = Fixture>) -> Self {
        let mut fixtures: Vec<Fixture> = fixtures.into_iter().collect();
        fixtures.reverse();
        List { fixtures, records: Vec::new() }
    }

    fn journal(mut self) -> String {
        self.records.sort_by_key(|record| record.fixture.game);
        self.records.iter().map(|record| serde_json::to_string(record).expect("a record is JSON") + "\n").collect()
    }
}

impl Director for List {
    type Error = Infallible;

    fn next(&mut self) -> Option<Fixture> {
        self.fixtures.pop()
    }

    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), Infallible> {
        for game in games {
            assert_eq!(game.record.moves.len(), game.times.move_us.len());
            self.records.push(game.record);
        }
        Ok(())
    }
}

fn never() -> Stop {
    Stop::default()
}

/// Plays all of these.
fn play(plan: &Plan, concurrency: usize, fixtures: impl IntoIterator<Item = Fixture>) -> List {
    let mut list = List::new(fixtures);
    assert_eq!(run(plan, &Sinks::default(), concurrency, &never(), &mut list).expect("a run"), RunEnd::Complete);
    list
}

/// How a program begins a game of the first ruleset, on either seat.
const PLAYS: &str = "'position startpos') move=a4a5;; position*) move=d4d5;; go*) echo bestmove $move;;";

/// A program that runs `start`, and answers what it hears by these cases.
fn program(start: &str, cases: &str) -> EngineConfig {
    let script = format!(
        "{start}; while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; {cases} \
         quit) exit;; esac; done"
    );
    let args = vec!["-c".to_owned(), script];
    let program = ProgramSpec { command: "/bin/sh".into(), args, ..ProgramSpec::default() };
    EngineConfig { program: Some(program), ..engine("program", &[], nodes(1)) }
}

/// Every engine meets its neighbour, in two rulesets.
fn neighbours(games: u64, engines: usize) -> Vec<Fixture> {
    let fixture = |game: u64| {
        let pair = game / 2;
        let first = pair as usize % engines;
        let mut seats = [first, (first + 1) % engines];
        seats.rotate_left(game as usize % 2);
        Fixture { game, pair, ruleset: pair as usize / 3 % 2, opening: pair, seats }
    };
    (0..games).map(fixture).collect()
}

#[test]
fn records_depend_on_nothing_but_the_fixture() {
    let plan = plan(vec![
        engine("mcts", &[("Searcher", "mcts"), ("Hash", "1")], nodes(40)),
        engine("random", &[("Searcher", "random")], nodes(1)),
        engine("ab", &[("Hash", "1")], Limits { depth: Some(2), ..Limits::default() }),
    ]);
    let journal = |concurrency, fixtures: &[Fixture]| play(&plan, concurrency, fixtures.to_vec()).journal();
    let all = neighbours(24, 3);
    let alone = journal(1, &all);
    assert_eq!(alone.lines().count(), 24);
    for concurrency in [2, 4] {
        assert_eq!(journal(concurrency, &all), alone, "{concurrency} at once");
    }
    assert_eq!(journal(1, &all.iter().rev().cloned().collect::<Vec<_>>()), alone, "backwards");
    assert_eq!(alone.lines().nth(17), journal(1, &all[17..18]).lines().next(), "by itself");
}

/// A run of two games at once that would never end: it is stopped once all these files are there, and has to end
/// without a record.
fn stop_once(files: &[&Path], plan: &Plan) {
    let (stop, mut list) = (never(), List::new(games(4)));
    let are_there = || files.iter().all(|path| path.exists());
    thread::scope(|scope| {
        scope.spawn(|| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !are_there() && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(1));
            }
            stop.give_up();
        });
        assert_eq!(run(plan, &Sinks::default(), 2, &stop, &mut list).expect("a run"), RunEnd::Stopped);
    });
    assert!(are_there() && list.records.is_empty(), "{:?}", list.records);
}

#[test]
#[cfg(unix)]
fn a_stop_abandons_long_searches_without_a_trace() {
    let folder = TempDir::new().expect("a folder");
    let moved = folder.path().join("moved");
    let mut endless = stage();
    endless.engines[0] = program(":", &PLAYS.replace("echo", &format!(": >'{}'; echo", moved.display())));
    // Its search begins when the program has moved.
    endless.engines[1] = engine("endless", &[("Hash", "1")], nodes(u64::MAX));
    stop_once(&[&moved], &endless);
}

#[test]
#[cfg(unix)]
fn a_stop_ends_the_search_for_an_opening() {
    let folder = TempDir::new().expect("a folder");
    let begun = folder.path().join("begun");
    let mut endless = stage();
    // The opening is sought when both players are there.
    endless.engines[0] = program(&format!(": >'{}'", begun.display()), PLAYS);
    let balance = Balance::Evaluation { max_cp: 0, nodes: u64::MAX };
    let openings = Openings::Random { plies: 4, balance: Some(balance) };
    let request = BookRequest { openings: &openings, ..BookRequest::plain(1) };
    endless.openings = OpeningBook::new(&request, endless.rulesets()).expect("a book");
    stop_once(&[&begun], &endless);
}

#[test]
#[cfg(unix)]
fn a_stop_abandons_programs_that_do_not_answer() {
    let folder = TempDir::new().expect("a folder");
    let begun = ["0", "1"].map(|name| folder.path().join(name));
    let [first, second] = begun.each_ref().map(|path| format!(": >'{}'", path.display()));
    let mut silent = stage();
    silent.engines[0] = program(&format!("{first}; sleep 100000"), "");
    silent.engines[1] = program(&format!("read -r line; echo ugiok; {second}; sleep 100000"), "");
    stop_once(&[&begun[0], &begun[1]], &silent);
}

/// Takes one game.
struct Full(usize);

impl Director for Full {
    type Error = &'static str;

    fn next(&mut self) -> Option<Fixture> {
        games(100).into_iter().next()
    }

    fn finished(&mut self, _games: Vec<FinishedGame>) -> Result<(), &'static str> {
        self.0 += 1;
        Err("the disk is full")
    }
}

#[test]
fn a_director_that_refuses_a_game_ends_the_run() {
    let mut full = Full(0);
    assert!(matches!(
        run(&stage(), &Sinks::default(), 4, &never(), &mut full),
        Err(RunError::Director("the disk is full"))
    ));
    assert_eq!(full.0, 1);
}

/// How often each program was started in these games, of which one is played at a time.
fn starts(programs: &[&str], fixtures: impl IntoIterator<Item = Fixture>) -> Vec<usize> {
    let folder = TempDir::new().expect("a folder");
    let file = |index: usize| folder.path().join(index.to_string());
    let counted = |(index, cases): (usize, &&str)| program(&format!("echo >>'{}'", file(index).display()), cases);
    let mut plan = plan(programs.iter().enumerate().map(counted).collect());
    plan.spec.max_plies = 2;
    play(&plan, 1, fixtures);
    let count = |index| fs::read_to_string(file(index)).map_or(0, |starts| starts.lines().count());
    (0..programs.len()).map(count).collect()
}

#[test]
#[cfg(unix)]
fn players_are_kept_and_replaced_after_a_forfeit() {
    assert_eq!(starts(&[PLAYS, PLAYS], games(6)), [1, 1]);
    assert_eq!(starts(&[PLAYS, "go*) echo bestmove a1a9;;"], games(6)), [1, 6]);
    assert_eq!(starts(&[PLAYS, "go*) exit 3;;"], games(2)), [1, 2]);
}

#[test]
#[cfg(unix)]
fn idle_players_are_bounded_in_number() {
    let engines = MOST_IDLE + 2;
    let fixture = |game: usize| {
        let seats = [2 * game % engines, (2 * game + 1) % engines];
        Fixture { game: game as u64, pair: game as u64, ruleset: 0, opening: 0, seats }
    };
    // The second time the longest idle are gone.
    assert_eq!(starts(&vec![PLAYS; engines], (0..engines).map(fixture)), vec![2; engines]);
    assert_eq!(starts(&[PLAYS; 3], games(2)), [1, 1, 0]);
}

#[test]
fn an_engine_can_meet_itself() {
    let fixture = Fixture { game: 0, pair: 0, ruleset: 0, opening: 0, seats: [0, 0] };
    assert_eq!(play(&stage(), 1, [fixture]).records.len(), 1);
}

/// A program that is not there.
fn missing(name: &str) -> EngineConfig {
    let program = ProgramSpec { command: format!("/nowhere/{name}").into(), ..ProgramSpec::default() };
    EngineConfig { program: Some(program), ..engine(name, &[], nodes(1)) }
}

#[test]
#[cfg(unix)]
fn a_player_that_does_not_start_loses_every_game() {
    let mut plan = stage();
    plan.engines[1] = missing("B");
    let records = play(&plan, 2, games(4)).records;
    for record in &records {
        let winner = record.ending.winner().expect("a winner");
        assert_eq!(record.fixture.seats[winner.index()], 0);
        assert_eq!(record.ending.cause, Cause::Forfeit(Forfeit::Start));
        assert!(record.ending.reason.starts_with("cannot start /nowhere/B: ") && record.moves.is_empty());
    }
    assert_eq!(records.len(), 4);
}

#[test]
#[cfg(unix)]
fn a_game_that_neither_begins_has_no_winner_and_two_forfeits() {
    let mut plan = plan(vec![missing("A"), missing("B")]);
    for record in play(&plan, 1, games(2)).records {
        assert_eq!((record.ending.winner, &record.ending.cause), (None, &Cause::Forfeit(Forfeit::Start)));
        for engine in ["/nowhere/A", "/nowhere/B"] {
            assert!(record.ending.reason.contains(engine), "{}", record.ending.reason);
        }
    }
    plan.spec.on_forfeit = OnForfeit::Stop;
    let end = run(&plan, &Sinks::default(), 1, &never(), &mut List::new(games(2)));
    assert!(matches!(&end, Err(RunError::Forfeit { message, .. }) if message.contains("/nowhere/B")), "{end:?}");
}

#[test]
#[cfg(unix)]
fn the_spec_may_stop_at_a_breakdown_but_not_at_bad_play() {
    let with_stop = |second: EngineConfig, search_ms: u64| {
        let mut plan = stage();
        (plan.engines[1], plan.spec.on_forfeit) = (second, OnForfeit::Stop);
        plan.spec.supervision.untimed_search_ms = search_ms;
        let mut list = List::new(games(4));
        (run(&plan, &Sinks::default(), 1, &never(), &mut list), list.records)
    };
    let (end, records) = with_stop(program(":", "go*) exit 3;;"), 600_000);
    assert!(matches!(&end, Err(RunError::Forfeit { engine, message })
        if engine == "program" && message == "exited with status 3"));
    assert_eq!(records.len(), 1);
    let endless = engine("endless", &[("Hash", "1")], nodes(u64::MAX));
    let illegal = program(":", "go*) echo bestmove a1a9;;");
    for (engine, search_ms, kind) in [(endless, 1, Forfeit::Time), (illegal, 600_000, Forfeit::IllegalMove)] {
        let (end, records) = with_stop(engine, search_ms);
        assert!(matches!(end, Ok(RunEnd::Complete)), "{end:?}");
        let kinds: Vec<Cause> = records.into_iter().map(|record| record.ending.cause).collect();
        assert_eq!(kinds, vec![Cause::Forfeit(kind); 4]);
    }
}

#[test]
fn what_cannot_be_played_ends_the_run() {
    let mut unknown = stage();
    unknown.header.rulesets[0].choice = Some(RulesetChoice::catalog("no-such-game"));
    let mut affine = stage();
    affine.spec.affinity = vec![100_000];
    for (plan, word) in [(unknown, "no-such-game"), (affine, "100000")] {
        let error = run(&plan, &Sinks::default(), 1, &never(), &mut List::new(games(2))).expect_err(word);
        assert!(matches!(&error, RunError::Setup(text) if text.contains(word)), "{error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn workers_stay_on_their_processors() {
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;

    let allowed = sched_getaffinity(Pid::from_raw(0)).expect("an affinity");
    let last = (0..CpuSet::count()).rfind(|&cpu| allowed.is_set(cpu) == Ok(true)).expect("a processor");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("status");
    let mut plan = stage();
    (plan.spec.affinity, plan.spec.max_plies) = (vec![last], 2);
    plan.engines[1] = program(&format!("cat /proc/self/status >'{}'", file.display()), PLAYS);
    play(&plan, 1, games(1));
    let status = fs::read_to_string(file).expect("the program's file");
    assert!(status.contains(&format!("\nCpus_allowed_list:\t{last}\n")), "{status}");
}
