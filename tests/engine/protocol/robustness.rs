//! Whatever a client sends, the engine lives and answers.

use std::io::pipe;
use std::thread;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::protocol;
use reynard_engine::session::Engine;

use super::client::Client;

const WORDS: &[&str] = &[
    "ugi",
    "uci",
    "isready",
    "setoption",
    "name",
    "value",
    "Hash",
    "1",
    "2",
    "-1",
    "0",
    "Threads",
    "MultiPV",
    "Seed",
    "Ponder",
    "true",
    "UCI_Variant",
    "Ruleset",
    "bell-13",
    "great-siege",
    "siege",
    "masters-15",
    "RuleSwitches",
    "RulesFile",
    "huff=add_goose",
    "chain=false",
    "geese=22",
    "fox_start=choose",
    "Clear Hash",
    "uginewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "a4a5",
    "d4d5",
    "@d4",
    "17-10",
    "d4xd6xb6",
    "pass",
    "~c5",
    "3/3/7/G2F2G/GGGGGGG/GGG/GGG",
    "g",
    "f",
    "phase=place",
    "hand=3",
    "owed=drop",
    "first=1",
    "go",
    "nodes",
    "100",
    "depth",
    "3",
    "movetime",
    "5",
    "infinite",
    "ponder",
    "searchmoves",
    "mate",
    "p1time",
    "wtime",
    "winc",
    "movestogo",
    "stop",
    "ponderhit",
    "query",
    "gameover",
    "p1turn",
    "result",
    "legalmoves",
    "islegal",
    "reason",
    "hash",
    "board",
    "rules",
    "d",
    "eval",
    "perft",
    "4",
    "99",
    "moves",
    "undo",
    "play",
    "help",
    "Searcher",
    "mcts",
    "alphabeta",
    "random",
    "xboard",
    "protover",
    "\u{fffd}",
    "99999999999999999999",
    "<empty>",
    "\t",
    "=",
];

/// A line of known words in any order, or of any bytes, or a whole command followed by noise.
fn random_line(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let words = |rng: &mut ChaCha8Rng, count: usize| {
        let words: Vec<&str> = (0..count).map(|_| WORDS[rng.random_range(0..WORDS.len())]).collect();
        words.join(" ")
    };
    let count = rng.random_range(0..8);
    let mut line = match rng.random_range(0..4) {
        0 => (0..rng.random_range(0..60)).map(|_| rng.next_u32() as u8).collect(),
        1 => format!("position startpos moves {}", words(rng, count)).into_bytes(),
        2 => format!("setoption name {}", words(rng, count)).into_bytes(),
        _ => words(rng, count).into_bytes(),
    };
    line.retain(|&byte| byte != b'\n');
    let is_quit = String::from_utf8_lossy(&line).trim_start().to_lowercase().starts_with("quit");
    if is_quit { Vec::new() } else { line }
}

#[test]
fn ten_thousand_random_lines_leave_the_session_answering() {
    let mut client = Client::ugi();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for batch in 0..100 {
        for _ in 0..100 {
            let line = random_line(&mut rng);
            client.send_bytes(&line);
            client.send_bytes(b"\n");
        }
        client.send(&format!("stop\nmark{batch}"));
        client.until(&format!("info string error unknown command 'mark{batch}'"));
    }
    client.send("setoption name RulesFile\nsetoption name RuleSwitches\nsetoption name Ruleset value masters-15");
    client.accepted("position startpos");
    assert_eq!(client.query("turn"), "p1");
    client.send("go nodes 100");
    client.until("bestmove");
}

#[test]
fn unknown_commands_are_reported_and_blank_lines_ignored() {
    let mut client = Client::ugi();
    assert!(client.refused("nonsense one two").contains("nonsense"));
    client.accepted("\n   \n\t");
    client.refused("go depth");
    client.refused("go nodes many");
    assert!(client.refused(&format!("position fen {}", "x".repeat(5000))).len() < 1000);
}

#[test]
fn an_over_long_line_is_refused_and_the_next_one_answered() {
    let mut client = Client::ugi();
    let error = client.refused(&"x".repeat(protocol::MAX_LINE_BYTES + 10));
    assert!(error.contains("longer"), "{error}");
    client.send_bytes(b"\xff\xfe\xfd\n");
    client.until("info string error");
    assert_eq!(client.query("turn"), "p1");
}

#[test]
fn a_bounded_search_is_finished_when_the_input_ends() {
    let mut client = Client::ugi();
    client.send("go nodes 3000");
    let lines = client.end_input();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{lines:?}");
}

#[test]
fn a_pondering_search_with_a_limit_is_finished_after_the_hit() {
    let mut client = Client::ugi();
    client.send("setoption name Searcher value mcts\ngo ponder nodes 30000\nponderhit");
    let lines = client.end_input();
    let last_info = lines.iter().rev().find(|line| line.starts_with("info depth")).unwrap();
    let nodes = last_info.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(nodes.parse::<u64>().unwrap() >= 30000, "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:?}");
}

#[test]
fn counting_is_finished_at_the_end_and_interrupted_by_stop() {
    for end in ["", "\nquit"] {
        let mut client = Client::ugi();
        client.send(&format!("perft 5{end}"));
        let lines = client.end_input();
        assert!(lines.iter().any(|line| line.starts_with("nodes ")), "{end}: {lines:?}");
    }
    let mut client = Client::ugi();
    client.send("go perft 99\nstop");
    client.until("info string perft stopped");
    client.send("bench\nstop");
    client.until("info string bench stopped");
}

#[test]
fn an_endless_search_is_stopped_and_answered_when_the_input_ends() {
    for go in
        ["go infinite", "go", "go mate 1", "go ponder p1time 1000000 p2time 1000000", "go ponder mate 1\nponderhit"]
    {
        let mut client = Client::ugi();
        client.send(go);
        let lines = client.end_input();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{go}: {lines:?}");
    }
}

#[test]
fn quit_ends_at_once_with_the_answer_of_the_running_search() {
    let mut client = Client::ugi();
    client.send("go infinite\nquit\nisready");
    let lines = client.end_input();
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:?}");
    assert!(!lines.iter().any(|line| line == "readyok"));
}

#[test]
fn an_end_without_a_word_is_an_end() {
    assert_eq!(Client::new().end_input(), Vec::<String>::new());
}

#[test]
fn a_closed_output_ends_the_conversation_quietly() {
    let (input, mut writer) = pipe().unwrap();
    let (reader, mut output) = pipe().unwrap();
    drop(reader);
    std::io::Write::write_all(&mut writer, b"go infinite\nisready\n").unwrap();
    let server = thread::spawn(move || protocol::serve(input, &mut output, Engine::new().unwrap()));
    server.join().unwrap();
    drop(writer);
}
