//! `reynard compliance` on this program, on engines that misbehave, and on one of somebody else.

use std::process::Command;
use std::thread;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reynard");
const BAD_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/bad_engine.sh");
/// Nothing that works takes as long on any machine.
const PATIENT: [&str; 4] = ["--patience", "300000", "--margin", "300000"];

/// What is printed about a program, and the exit code.
fn examined(words: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(PROGRAM).arg("compliance").args(words).output().unwrap();
    assert!(output.stderr.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn this_program_and_a_good_engine_pass_every_check() {
    for (checks, words) in [
        (23, &["--ruleset", "masters-15", PROGRAM][..]),
        (23, &["--ruleset", "goose-team", PROGRAM]),
        (23, &["--ruleset", "bell-13", "--uci", PROGRAM]),
        (22, &[BAD_ENGINE, "good"]),
        (22, &[BAD_ENGINE, "noisy-stderr"]),
    ] {
        let (out, code) = examined(&[&PATIENT, words].concat());
        let passed = format!("{checks} of {checks} checks passed\n");
        assert!(out.ends_with(&passed) && code == Some(0), "{words:?}: {out}");
    }
}

#[test]
fn every_fault_is_named() {
    let patient = [
        ("dies-at-start", "answers the greeting: exited with status 4"),
        ("endless-options", "answers the greeting: printed 100000 lines without an answer"),
        ("closes-input", "answers isready: closed its input but goes on running"),
        ("flood-on-ready", "answers isready: printed 100000 lines without an answer"),
        ("refuses-options", "takes its options: complained: 'I do not like setoption name Hash value 16'"),
        ("refuses-position", "takes the start position: complained: 'I do not like position startpos'"),
        ("refuses-go", "moves in time: complained: 'I do not like go movetime 100'"),
        ("dies-on-go", "moves in time: exited with status 3"),
        ("dies-with-child", "moves in time: exited with status 3"),
        ("killed-on-go", "moves in time: was killed by SIGSEGV"),
        ("closes-output", "moves in time: closed its output but goes on running"),
        ("empty-bestmove", "moves in time: gave no move: 'bestmove '"),
        ("no-move", "moves in time: gave no move: 'bestmove (none)'; a game that begins with dice needs --ruleset"),
        ("null-move", "moves in time: gave no move: 'bestmove 0000'"),
        ("resigns", "moves in time: resigned: 'bestmove resign'"),
        ("garbage-move", "moves in time: answered with garbage: "),
        ("huge-line", "moves in time: printed a line of more than 1048576 bytes"),
        ("flood", "moves in time: printed 100000 lines without an answer"),
        ("answers-twice", "answers each go once: printed 'bestmove z9z9' without being asked for it"),
        ("illegal-move", "moves in time and legally: "),
        ("unparsable-move", "moves in time and legally: "),
        ("stops-badly", "searches until it is stopped: "),
        ("good", "reports legal variations: "),
        ("upper-case-move", "spells its answers as the protocol does: printed 'A4A5' for a4a5"),
        ("garbage", "prints text only: printed "),
        ("garbage-info", "prints text only: printed "),
        ("upper-case", "spells its answers as the protocol does: printed 'BESTMOVE a4a5' for bestmove"),
        ("child-at-start", "ends at quit: leaves processes behind that it has started"),
    ];
    // What is awaited never comes, however slow the machine is.
    let silent = [
        ("slow-handshake", "answers the greeting: no ugiok within PATIENCE ms"),
        ("no-handshake", "answers the greeting: no ugiok within PATIENCE ms"),
        ("no-ping", "answers isready: no readyok within PATIENCE ms"),
        ("stops-reading", "answers isready: no readyok within PATIENCE ms"),
        ("answers-early", "takes the start position: printed 'bestmove a4a5' without being asked for it"),
        ("hangs", "moves in time: no bestmove within PATIENCE ms"),
        ("waits-for-stop", "moves in time: no bestmove within 100 ms, but after stop"),
        ("ignores-stop", "moves in time: no bestmove within PATIENCE ms"),
        ("deaf-in-search", "answers isready while it searches: no readyok within PATIENCE ms"),
        ("ignores-quit", "ends at quit: does not end within PATIENCE ms"),
    ];
    let fails = |time: &[&str], mode: &str, fault: &str| {
        let delay = if mode == "late" { "1" } else { "30" };
        let rules: &[&str] = if BY_THE_RULES.contains(&mode) { &["--ruleset", "masters-15"] } else { &[] };
        let words = [time, rules, &[BAD_ENGINE, mode, "--delay", delay, "--moves", LEGAL_MOVES]].concat();
        let (out, code) = examined(&words);
        (out.contains(&format!("FAIL  {fault}")) && code == Some(1), out)
    };
    let check = |time: &[&str], mode: &str, fault: &str| {
        let (is_named, out) = fails(time, mode, fault);
        assert!(is_named, "{mode}: {out}");
    };
    // What works has to come within the patience, too: a slow machine needs more of it.
    let check_patiently = |mode: &str, fault: &str| {
        let found = ["500", "4000", "32000", "256000"].iter().any(|patience| {
            fails(&["--patience", patience, "--margin", "0"], mode, &fault.replace("PATIENCE", patience)).0
        });
        assert!(found, "{mode}");
    };
    thread::scope(|scope| {
        silent.iter().for_each(|(mode, fault)| drop(scope.spawn(move || check_patiently(mode, fault))));
        // The move comes late, but it comes.
        let strict = ["--patience", "300000", "--margin", "0"];
        scope.spawn(move || check(&strict, "late", "moves in time: no bestmove within 100 ms, but after stop"));
        patient.iter().for_each(|(mode, fault)| check(&PATIENT, mode, fault));
    });
}

/// The first moves of a game of masters-15, and what a program does that is held against its rules.
const LEGAL_MOVES: &str = "a4a5,d4d5,g4g5,d5d4,c3c4,d4d5,b3b4,d5d4";
const BY_THE_RULES: [&str; 5] = ["good", "illegal-move", "unparsable-move", "upper-case-move", "stops-badly"];

#[test]
fn a_small_foreign_engine_is_found_to_move_before_it_is_stopped() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/ugi_engine.py");
    let words = [&PATIENT[..], &["--ruleset", "masters-15", script]].concat();
    let (out, code) = examined(&words);
    assert!(out.contains("FAIL  searches until it is stopped: moved before it was told to stop"), "{out}");
    assert!(out.ends_with("22 of 23 checks passed\n") && code == Some(1), "{out}");
}
