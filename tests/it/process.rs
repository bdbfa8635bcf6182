//! The real program on real pipes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(input: &[u8]) -> Output {
    answer(Command::new(env!("CARGO_BIN_EXE_reynard")), input)
}

fn answer(mut program: Command, input: &[u8]) -> Output {
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may have quit before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn a_script_on_standard_input_is_answered() {
    let output = run(b"ugi\nsetoption name Hash value 4\nposition startpos\nquery fen\ngo nodes 1000\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(text.contains("ugiok\nresponse 3/3/7/G2F2G/GGGGGGG/GGG/GGG g\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    assert!(output.stderr.is_empty());
}

#[test]
fn quit_and_an_empty_input_end_the_program() {
    for input in [&b"quit\n"[..], b"", b"uci\nquit\nisready\n", b"go infinite\nquit", b"\xff\xff\n\n"] {
        let output = run(input);
        assert!(output.status.success(), "{input:?}");
        assert!(output.stderr.is_empty(), "{input:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_makes_do_with_the_memory_and_the_threads_that_the_system_grants() {
    let solve = "setoption name UCI_Variant value solitaire\nsetoption name Shortest value true";
    for (kib, options, remark) in [
        (50_000, "", "info string no thread for the search"),
        (120_000, "", "info string the system refuses threads: "),
        (120_000, "setoption name Searcher value mcts", "info string the system refuses threads: "),
        (120_000, solve, "bestmove"),
    ] {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("ulimit -v {kib}; exec \"$0\"")]).arg(env!("CARGO_BIN_EXE_reynard"));
        let input =
            format!("{options}\nsetoption name Hash value 4096\nsetoption name Threads value 64\ngo movetime 500\n");
        let output = answer(shell, input.as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(remark), "{kib} {options}: {:?} {text}", output.status);
        assert!(text.lines().last().unwrap().starts_with("bestmove "), "{kib} {options}: {text}");
    }
}
