//! A fleet of bad engines: each failure has its kind, comes in time and leaves nothing behind, and after it the engine
//! can be started again.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use reynard::testing::tournament::player::{ChosenMove, Failure, MoveRequest};
use reynard::testing::tournament::{Forfeit, Plan};

use super::stage::{self, PATIENT, move_time, start_of};

/// By this variable of its environment every process of a test is found.
const MARK: &str = "REYNARD_TEST_MARK";

/// A bad engine, by the mark of its processes.
struct Fleet {
    resolved: Plan,
    mark: String,
}

impl Fleet {
    fn new(args: &[&str]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut engine = stage::bad_engine(args);
        engine.program.as_mut().unwrap().env.insert(MARK.to_owned(), mark.clone());
        Fleet { resolved: stage::resolved(engine), mark }
    }

    /// A ping that is never answered need not be waited for long.
    fn impatient(mut self) -> Self {
        self.resolved.spec.supervision.ping_ms = 300;
        self
    }

    /// Processes that the engine started, itself included, where the system tells.
    fn processes(&self) -> usize {
        let wanted = format!("{MARK}={}", self.mark);
        let Ok(folders) = fs::read_dir("/proc") else { return 0 };
        let environments = folders.flatten().filter_map(|folder| fs::read(folder.path().join("environ")).ok());
        environments.filter(|all| all.split(|&byte| byte == 0).any(|each| each == wanted.as_bytes())).count()
    }

    fn assert_gone(&self) {
        let start = Instant::now();
        while self.processes() > 0 {
            assert!(start.elapsed() < PATIENT, "{} processes are left", self.processes());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A first move that is well, then another one.
    fn second_move(&self, request: &MoveRequest) -> Result<ChosenMove, Failure> {
        let mut player = stage::ready(&self.resolved)?;
        stage::choose(&mut *player).expect("a first move");
        let result = player.choose(start_of(&[]), request);
        drop(player);
        self.assert_gone();
        result
    }

    /// The second move fails in this way and not before `least`, whenever the engine is started.
    fn fails_on_go(&self, request: &MoveRequest, least: Duration, kind: Forfeit, message: &str) {
        for _ in 0..2 {
            let start = Instant::now();
            let failure = self.second_move(request).expect_err("the second move");
            assert_eq!(failure.kind, kind, "{failure:?}");
            assert!(failure.message.contains(message), "{failure:?}");
            assert!(start.elapsed() >= least, "after {:?}", start.elapsed());
        }
    }
}

/// Fails without anybody having to wait for it: an engine that was waited for in vain would hang.
fn fails_at_once(mode: &str, kind: Forfeit, message: &str) {
    let fleet = Fleet::new(&[mode, "--after", "1"]);
    fleet.fails_on_go(&move_time(20, PATIENT), Duration::ZERO, kind, message);
}

#[test]
fn an_engine_that_dies_has_crashed() {
    fails_at_once("dies-on-go", Forfeit::Crash, "exited with status 3");
    fails_at_once("killed-on-go", Forfeit::Crash, "was killed by SIGSEGV");
    fails_at_once("dies-with-child", Forfeit::Crash, "exited with status 3");
}

#[test]
fn an_engine_that_closes_a_pipe_and_lives_has_not_crashed() {
    fails_at_once("closes-output", Forfeit::ClosedPipe, "closed its output but goes on running");
    let fleet = Fleet::new(&["closes-input"]);
    let failure = stage::ready(&fleet.resolved).err().expect("nobody listens");
    assert_eq!(failure.kind, Forfeit::ClosedPipe);
    assert!(failure.message.contains("closed its input"), "{failure:?}");
    fleet.assert_gone();
}

#[test]
fn an_engine_that_hangs_is_killed_with_its_children() {
    for mode in ["hangs", "ignores-stop"] {
        let mut fleet = Fleet::new(&[mode, "--after", "1"]);
        fleet.resolved.spec.supervision.stop_ms = 150;
        let request = move_time(100, Duration::from_millis(300));
        let least = Duration::from_millis(100 + 150 + 150);
        fleet.fails_on_go(&request, least, Forfeit::Hang, "no bestmove within 400 ms, the last 150 of them");
    }
}

#[test]
fn an_engine_that_gives_no_move_is_told_from_one_that_gives_a_wrong_one() {
    for mode in ["empty-bestmove", "no-move", "null-move"] {
        fails_at_once(mode, Forfeit::NoMove, "gave no move");
    }
    fails_at_once("resigns", Forfeit::NoMove, "resigned");
    for (mode, text) in [("illegal-move", "a1a9"), ("unparsable-move", "Zwirn!?"), ("upper-case-move", "A4A5")] {
        let fleet = Fleet::new(&[mode, "--after", "1"]);
        assert_eq!(fleet.second_move(&move_time(20, PATIENT)).expect("a text").text, text);
    }
}

#[test]
fn stray_lines_mean_nothing_but_a_move_has_to_be_a_text() {
    for mode in ["garbage", "garbage-info"] {
        let fleet = Fleet::new(&[mode, "--after", "1"]);
        assert_eq!(fleet.second_move(&move_time(20, PATIENT)).expect("a move").text, "a4a5", "{mode}");
    }
    fails_at_once("garbage-move", Forfeit::Garbage, "bestmove a3");
}

#[test]
fn too_much_output_is_stopped() {
    let mut fleet = Fleet::new(&["huge-line", "--after", "1"]);
    fleet.resolved.spec.supervision.line_bytes = 100_000;
    fleet.fails_on_go(&move_time(20, PATIENT), Duration::ZERO, Forfeit::HugeLine, "100000 bytes");
    let mut fleet = Fleet::new(&["flood", "--after", "1"]);
    fleet.resolved.spec.supervision.lines = 30_000;
    fleet.fails_on_go(&move_time(20, PATIENT), Duration::ZERO, Forfeit::Flood, "30000 lines");
    let mut fleet = Fleet::new(&["flood-on-ready"]);
    fleet.resolved.spec.supervision.lines = 30_000;
    assert_eq!(stage::ready(&fleet.resolved).err().expect("no readyok").kind, Forfeit::Flood);
    fleet.assert_gone();
}

#[test]
fn an_engine_that_cannot_be_started_says_why() {
    let failure = |fleet: Fleet| {
        let failure = stage::open(&fleet.resolved).err().expect("no handshake");
        fleet.assert_gone();
        assert_eq!(failure.kind, Forfeit::Start, "{failure:?}");
        failure.message
    };
    assert!(failure(Fleet::new(&["dies-at-start"])).contains("exited with status 4"));
    for args in [&["no-handshake"][..], &["slow-handshake", "--delay", "30"]] {
        let mut fleet = Fleet::new(args);
        fleet.resolved.spec.supervision.start_ms = 300;
        assert_eq!(failure(fleet), "no ugiok after ugi: not within 300 ms");
    }
    for no_program in ["/nowhere/engine", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
        let engine = stage::program(no_program.into(), &[], Default::default());
        let failure = stage::open(&stage::resolved(engine)).err().expect("no program");
        assert_eq!(failure.kind, Forfeit::Start);
        assert!(failure.message.starts_with(&format!("cannot start {no_program}: ")), "{failure:?}");
    }
}

#[test]
fn a_slow_start_within_the_time_is_no_failure() {
    let fleet = Fleet::new(&["slow-handshake", "--delay", "0.4"]);
    let start = Instant::now();
    assert!(stage::ready(&fleet.resolved).is_ok());
    assert!(start.elapsed() >= Duration::from_millis(400));
}

#[test]
fn an_engine_that_does_not_answer_a_ping_hangs() {
    let fleet = Fleet::new(&["no-ping"]).impatient();
    let failure = stage::ready(&fleet.resolved).err().expect("no readyok");
    assert_eq!((failure.kind, failure.message.as_str()), (Forfeit::Hang, "no readyok within 300 ms"));
    fleet.assert_gone();
}

#[test]
fn an_engine_that_does_not_read_cannot_block_its_writer() {
    let mut fleet = Fleet::new(&["stops-reading"]).impatient();
    fleet.resolved.engines[0].options = stage::pairs(&[("Path", &"long/".repeat(100_000))]);
    let failure = stage::ready(&fleet.resolved).err().expect("no readyok");
    let message = "no readyok within 300 ms; it does not read its input";
    assert_eq!((failure.kind, failure.message.as_str()), (Forfeit::Hang, message));
    fleet.assert_gone();
}

#[test]
fn a_greeting_without_end_is_no_start() {
    let fleet = Fleet::new(&["endless-options"]);
    let failure = stage::open(&fleet.resolved).err().expect("no ugiok");
    assert_eq!(failure.kind, Forfeit::Start);
    assert!(failure.message.contains("bytes of options"), "{failure:?}");
    fleet.assert_gone();
}

#[test]
fn whole_games_can_be_played_up_to_the_failure() {
    let engine = env!("CARGO_BIN_EXE_reynard");
    let fleet = Fleet::new(&["dies-on-go", "--after", "2", "--engine", engine]);
    let mut player = stage::ready(&fleet.resolved).expect("a game");
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..2 {
        moves.push(player.choose(start_of(&moves), &stage::nodes(50)).expect("a move").text);
        moves.push(stage::reply(&moves));
    }
    let failure = player.choose(start_of(&moves), &stage::nodes(50)).expect_err("dead");
    assert_eq!(failure.kind, Forfeit::Crash);
    fleet.assert_gone();
}

#[test]
fn complaints_are_refusals() {
    let mut fleet = Fleet::new(&["refuses-options"]);
    fleet.resolved.engines[0].options = stage::pairs(&[("Hash", "32")]);
    let failure = stage::ready(&fleet.resolved).err().expect("a complaint");
    assert_eq!(failure.kind, Forfeit::Refused);
    assert!(failure.message.contains("I do not like setoption name Hash value 32"), "{failure:?}");
    fleet.assert_gone();
    let fleet = Fleet::new(&["refuses-position"]);
    let mut player = stage::ready(&fleet.resolved).expect("a game");
    let failure = stage::choose(&mut *player).expect_err("a complaint");
    assert_eq!(failure.kind, Forfeit::Refused);
    assert!(failure.message.contains("I do not like position startpos"), "{failure:?}");
    fleet.assert_gone();
    fails_at_once("refuses-go", Forfeit::Refused, "I do not like go");
}

#[test]
fn a_late_move_is_still_a_move() {
    let late = Fleet::new(&["late", "--after", "1", "--delay", "0.3"]);
    let choice = late.second_move(&move_time(20, PATIENT)).expect("a move");
    assert!(choice.spent >= Duration::from_millis(300), "{:?}", choice.spent);
    let mut stopped = Fleet::new(&["waits-for-stop", "--after", "1"]);
    stopped.resolved.spec.supervision.stop_ms = PATIENT.as_millis() as u64;
    let choice = stopped.second_move(&move_time(50, PATIENT + Duration::from_millis(200))).expect("a move");
    assert!(choice.spent >= Duration::from_millis(250), "{:?}", choice.spent);
    assert_eq!(choice.text, "a4a5");
}

#[test]
fn a_search_without_a_clock_that_must_be_stopped_is_late() {
    let fleet = Fleet::new(&["waits-for-stop", "--after", "1"]);
    let request = MoveRequest { timeout: Duration::from_millis(200), ..stage::nodes(100) };
    fleet.fails_on_go(&request, Duration::from_millis(200), Forfeit::Time, "moved only when stopped");
}

#[test]
fn an_answer_to_an_earlier_search_is_not_taken_for_this_ones() {
    let fleet = Fleet::new(&["answers-twice", "--moves", "a4a5,b4b5,c4c5"]);
    let mut player = stage::ready(&fleet.resolved).expect("a game");
    let moves: Vec<String> = (0..3).map(|_| stage::choose(&mut *player).expect("a move").text).collect();
    assert_eq!(moves, ["a4a5", "b4b5", "c4c5"]);
    drop(player);
    let mut early = Fleet::new(&["answers-early"]);
    early.resolved.spec.supervision.stop_ms = 150;
    let mut player = stage::ready(&early.resolved).expect("a game");
    let failure = player.choose(start_of(&[]), &move_time(100, Duration::ZERO)).expect_err("no answer to go");
    assert_eq!(failure.kind, Forfeit::Hang);
    early.assert_gone();
}

#[test]
fn harmless_oddities_are_endured() {
    for mode in ["upper-case", "noisy-stderr", "child-at-start"] {
        let fleet = Fleet::new(&[mode, "--after", "1"]);
        assert_eq!(fleet.second_move(&move_time(20, PATIENT)).expect(mode).text, "a4a5");
    }
}

#[test]
fn an_engine_that_does_not_quit_is_ended() {
    let fleet = Fleet::new(&["ignores-quit"]);
    let mut player = stage::ready(&fleet.resolved).expect("a game");
    stage::choose(&mut *player).expect("a move");
    let start = Instant::now();
    drop(player);
    assert!(start.elapsed() >= Duration::from_millis(400), "it may end by itself");
    fleet.assert_gone();
}
