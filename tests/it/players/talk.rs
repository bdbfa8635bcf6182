//! What is said to programs, and what is understood of their answers.

use std::time::Duration;

use reynard::testing::tournament::player::{GameSetup, MoveRequest};
use reynard::testing::tournament::spec::ProtocolName;
use reynard::testing::tournament::{Conversations, EngineScore, Opinion, Variation};
use reynard_engine::rules::Seat;
use reynard_engine::session::{Clock, GoRequest, TimeControl};
use tempfile::TempDir;

use super::stage;

#[test]
fn a_program_plays_as_a_session_does() {
    let moves = ["a4a5".to_owned()];
    for searcher in ["alphabeta", "mcts"] {
        let options = [("Searcher", searcher)];
        let mut choices = Vec::new();
        let ugi = stage::reynard(ProtocolName::Ugi);
        let uci = stage::reynard(ProtocolName::Uci);
        for mut engine in [stage::session(&[]), ugi, uci] {
            engine.options = stage::pairs(&options);
            let mut player = stage::open(&stage::resolved(engine)).expect("a player");
            player.new_game(GameSetup { seed: 9, seat: Seat::P2, role: "fox" }).expect("a game");
            let request = MoveRequest { seat: Seat::P2, ..stage::nodes(500) };
            let choice = player.choose(stage::start_of(&moves), &request).expect("a move");
            choices.push((choice.text, choice.opinion));
        }
        assert_eq!(choices[0], choices[1], "{searcher}");
        assert_eq!(choices[0], choices[2], "{searcher}");
        assert!(choices[0].1.nodes.is_some_and(|nodes| nodes >= 400), "{choices:?}");
    }
}

#[test]
fn the_last_whole_report_is_the_opinion() {
    let mut player = stage::ready(&stage::resolved(stage::bad_engine(&["good"]))).expect("a player");
    let opinion = stage::choose(&mut *player).expect("a move").opinion;
    let score = Some(EngineScore::Centipieces(7));
    assert_eq!(
        opinion,
        Opinion { score, depth: Some(1), nodes: Some(10), variation: Some(Variation(None, "x".into())) }
    );
}

/// The lines of the log of a game with one move, without their times.
fn conversation(protocol: ProtocolName, request: &MoveRequest) -> Vec<String> {
    let folder = TempDir::new().expect("a folder");
    let mut engine = stage::bad_engine(&["good"]);
    engine.name = "a/strange name".to_owned();
    engine.program.as_mut().expect("a program").protocol = protocol;
    engine.options = stage::pairs(&[("hash", "32"), ("style", "risky"), ("Clear Hash", "")]);
    engine.by_role.insert("fox".to_owned(), stage::pairs(&[("Hash", "8"), ("Path", "/a b")]));
    let plan = stage::resolved(engine);
    let conversations = Conversations::Kept(folder.path().join("logs"));
    let write = move || {
        let mut player = stage::open_logged(&plan, &conversations).expect("a player");
        for (seed, role) in [(1500, "geese"), (1501, "fox"), (1502, "geese")] {
            player.new_game(GameSetup { seed, seat: Seat::P1, role }).expect("a game");
        }
        player.choose(stage::start_of(&[]), request).expect("a move");
    };
    std::thread::scope(|scope| {
        std::thread::Builder::new().name("w-1".into()).spawn_scoped(scope, write).expect("a thread");
    });
    let log = std::fs::read_to_string(folder.path().join("logs/a%2Fstrange%20name.w-1.log")).expect("a log");
    assert!(folder.path().join("logs/a%2Fstrange%20name.w-1.stderr").exists());
    log.lines().map(|line| line.split_once(' ').expect("a time").1.to_owned()).collect()
}

#[test]
fn only_what_changes_is_set_and_the_log_has_every_line() {
    let clock = Some(Clock { left: Duration::from_millis(60_000), increment: Duration::from_millis(100) });
    let time = TimeControl { moves_to_go: Some(40), ..TimeControl::of_clocks(&[clock; 2]) };
    let request = MoveRequest { go: GoRequest { time, ..GoRequest::nodes(5) }, ..stage::nodes(5) };
    let lines = conversation(ProtocolName::Uci, &request);
    let said: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("> ")).collect();
    let expected = "uci\n\
        setoption name Hash value 32\nsetoption name Style value Risky\nsetoption name Clear Hash\n\
        setoption name Ponder value false\nsetoption name Seed value 500\nucinewgame\nisready\n\
        setoption name Hash value 8\nsetoption name Clear Hash\nsetoption name Path value /a b\n\
        setoption name Seed value 501\nucinewgame\nisready\n\
        setoption name Hash value 32\nsetoption name Clear Hash\nsetoption name Seed value 502\n\
        setoption name Path value <empty>\nucinewgame\nisready\n\
        position startpos\nisready\n\
        go wtime 60000 winc 100 btime 60000 binc 100 movestogo 40 nodes 5\nquit";
    assert_eq!(said, expected.lines().map(str::trim).collect::<Vec<_>>());
    assert!(lines[0].starts_with("# started "), "{}", lines[0]);
    assert!(lines.contains(&"< bestmove a4a5".to_owned()));
}

#[test]
fn the_words_of_ugi_differ() {
    let lines = conversation(ProtocolName::Ugi, &stage::nodes(5));
    for line in ["> ugi", "< ugiok", "> uginewgame", "> go nodes 5"] {
        assert!(lines.iter().any(|each| each == line), "{line}");
    }
}
