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
    for words in [
        &["--ruleset", "masters-15", PROGRAM][..],
        &["--ruleset", "goose-team", PROGRAM],
        &["--ruleset", "bell-13", "--uci", PROGRAM],
        &[BAD_ENGINE, "good"],
        &[BAD_ENGINE, "noisy-stderr"],
    ] {
        let (out, code) = examined(&[&PATIENT, words].concat());
        assert!(out.ends_with("17 of 17 checks passed\n") && code == Some(0), "{words:?}: {out}");
    }
}

#[test]
fn every_fault_is_named() {
    // Each silence is waited for in full, and what works before it must take less time than that.
    let hasty = ["--patience", "1500", "--margin", "0"];
    // What is awaited never comes, however slow the machine is.
    let at_once = ["--patience", "100", "--margin", "0"];
    // The move comes late, but it comes.
    let strict = ["--patience", "300000", "--margin", "0"];
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
        ("no-move", "moves in time: gave no move: 'bestmove (none)'"),
        ("null-move", "moves in time: gave no move: 'bestmove 0000'"),
        ("resigns", "moves in time: resigned: 'bestmove resign'"),
        ("garbage-move", "moves in time: answered with garbage: "),
        ("huge-line", "moves in time: printed a line of more than 1048576 bytes"),
        ("flood", "moves in time: printed 100000 lines without an answer"),
        ("answers-twice", "answers each go once: printed 'bestmove z9z9' without being asked for it"),
        ("illegal-move", "moves in time and legally: "),
        ("unparsable-move", "moves in time and legally: "),
        ("upper-case-move", "spells its answers as the protocol does: printed 'A4A5' for a4a5"),
        ("garbage", "prints text only: printed "),
        ("garbage-info", "prints text only: printed "),
        ("upper-case", "spells its answers as the protocol does: printed 'BESTMOVE a4a5' for bestmove"),
        ("child-at-start", "ends at quit: leaves processes behind that it has started"),
    ];
    let silent = [
        (at_once, "no-handshake", "answers the greeting: no ugiok within 100 ms"),
        (at_once, "slow-handshake", "answers the greeting: no ugiok within 100 ms"),
        (hasty, "no-ping", "answers isready: no readyok within 1500 ms"),
        (hasty, "stops-reading", "answers isready: no readyok within 1500 ms"),
        (hasty, "answers-early", "takes the start position: printed 'bestmove a4a5' without being asked for it"),
        (hasty, "hangs", "moves in time: no bestmove within 1500 ms"),
        (hasty, "ignores-stop", "moves in time: no bestmove within 1500 ms"),
        (strict, "waits-for-stop", "moves in time: no bestmove within 100 ms, but after stop"),
        (strict, "late", "moves in time: no bestmove within 100 ms, but after stop"),
        (hasty, "ignores-quit", "ends at quit: does not end within 1500 ms"),
    ];
    let check = |time: &[&str], mode: &str, fault: &str| {
        let rules: &[&str] =
            if fault.contains("legally") || mode == "upper-case-move" { &["--ruleset", "masters-15"] } else { &[] };
        let delay: &[&str] = match mode {
            "late" => &["--delay", "1"],
            _ => &["--delay", "30"],
        };
        let (out, code) = examined(&[time, rules, &[BAD_ENGINE, mode], delay].concat());
        assert!(out.contains(&format!("FAIL  {fault}")) && code == Some(1), "{mode}: {out}");
    };
    thread::scope(|scope| {
        for (time, mode, fault) in silent {
            scope.spawn(move || check(&time, mode, fault));
        }
        patient.iter().for_each(|(mode, fault)| check(&PATIENT, mode, fault));
    });
}

#[test]
fn a_small_foreign_engine_is_found_to_move_before_it_is_stopped() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/ugi_engine.py");
    let words = [&PATIENT[..], &["--ruleset", "masters-15", script]].concat();
    let (out, code) = examined(&words);
    assert!(out.contains("FAIL  searches until it is stopped: moved before it was told to stop"), "{out}");
    assert!(out.ends_with("16 of 17 checks passed\n") && code == Some(1), "{out}");
}
