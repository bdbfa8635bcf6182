//! The game in a terminal: lines are edited and come back, the board is drawn in its place, nothing typed is echoed raw.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Nothing here takes as long.
const PATIENCE: Duration = Duration::from_secs(120);
const UP: &str = "\x1b[A";
const CLEAR: &str = "\x1b[H\x1b[2J";

/// A program in a terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    seen: Receiver<Vec<u8>>,
    /// What has not been looked at yet.
    text: String,
}

impl Terminal {
    fn play(arguments: &[&str], environment: &[(&str, &str)]) -> Terminal {
        Terminal::of_columns(80, &[&["play"], arguments].concat(), environment)
    }

    fn of_columns(columns: u16, arguments: &[&str], environment: &[(&str, &str)]) -> Terminal {
        let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).expect("a terminal");
        let end = || pty.slave.try_clone().expect("a handle");
        let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
        command.args(arguments).stdin(end()).stdout(end()).stderr(end());
        // Positions that are printed are progress enough.
        if arguments.contains(&"openings") {
            command.stdout(Stdio::null());
        }
        command.env_remove("NO_COLOR").env("TERM", "xterm").env("LC_ALL", "C.UTF-8").envs(environment.iter().copied());
        let child = command.spawn().expect("a program");
        let mut screen = File::from(pty.master.try_clone().expect("a handle"));
        let (sender, seen) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, keyboard: File::from(pty.master), seen, text: String::new() }
    }

    fn type_in(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the program listens");
    }

    /// What is seen up to these words.
    fn until(&mut self, words: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.text.find(words) {
                let rest = self.text.split_off(at + words.len());
                return std::mem::replace(&mut self.text, rest);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let bytes = self.seen.recv_timeout(left).unwrap_or_else(|_| panic!("no {words:?} in {:?}", self.text));
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    /// What is seen until the program ends.
    fn seen_to_the_end(&mut self) -> String {
        assert!(self.child.wait().expect("an end").success());
        // Nobody else holds the terminal, so that there is an end to what is seen.
        while let Ok(bytes) = self.seen.recv_timeout(PATIENCE) {
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
        std::mem::take(&mut self.text)
    }

    fn leave(&mut self) {
        self.type_in("quit\r");
        assert!(self.child.wait().expect("an end").success());
    }
}

#[test]
fn a_terminal_edits_lines_and_shows_the_board_in_one_place() {
    let mut terminal = Terminal::play(&["--option", "Searcher=greedy"], &[]);
    let first = terminal.until("geese> ");
    assert!(!first.contains(CLEAR) && first.contains("Goal") && first.contains("\x1b[1;36m●"), "{first:?}");
    terminal.type_in("a4a6\x1b[D\x1b[3~5\r");
    let mut moved = terminal.until("The engine plays ");
    moved += &terminal.until("geese> ");
    assert!(moved.contains(CLEAR) && moved.contains("\x1b[1;31;7m▲"), "{moved:?}");
    terminal.type_in("moves\r");
    let list = terminal.until("g4g5");
    terminal.until("geese> ");
    terminal.type_in(&format!("{UP}\r"));
    let again = terminal.until("g4g5");
    for seen in [&first, &moved, &list, &again] {
        assert!(!seen.contains("^["), "{seen:?}");
    }
    terminal.until("geese> ");
    terminal.type_in("resign\r");
    terminal.until("You lose: you have given up.");
    terminal.until("game over> ");
    terminal.type_in("undo\r");
    terminal.until(CLEAR);
    terminal.until("geese> ");
    terminal.leave();
}

#[test]
fn the_goal_stays_until_it_is_read() {
    let mut terminal = Terminal::play(&["bell-13", "--side", "geese", "--option", "Searcher=greedy"], &[]);
    let first = terminal.until("geese> ");
    assert!(first.contains("Goal") && first.contains("The engine plays @") && !first.contains(CLEAR), "{first:?}");
    terminal.leave();
}

#[test]
fn a_terminal_without_colours_or_signs_gets_none() {
    let mut terminal = Terminal::play(&["--option", "Searcher=greedy"], &[("NO_COLOR", "1"), ("LC_ALL", "C")]);
    let first = terminal.until("geese> ");
    assert!(first.is_ascii() && !first.contains("\x1b[1"), "{first:?}");
    terminal.type_in("a5\r");
    let moved = terminal.until("The engine plays ");
    assert!(moved.contains("[G]--.---.") && moved.contains(CLEAR) && moved.is_ascii(), "{moved:?}");
    terminal.until("geese> ");
    terminal.leave();
    let mut dumb = Terminal::play(&["--option", "Searcher=greedy"], &[("TERM", "dumb")]);
    dumb.until("geese> ");
    dumb.type_in("x\x1b[31m\r");
    let told = dumb.until("'moves' lists");
    assert!(told.contains("'x^[[31m'") && !told.contains('\x1b'), "{told:?}");
    dumb.until("geese> ");
    dumb.leave();
}

#[test]
fn sentences_are_broken_between_words() {
    let arguments = ["play", "--option", "Searcher=greedy"];
    let mut terminal = Terminal::of_columns(60, &arguments, &[("NO_COLOR", "1"), ("TERM", "dumb")]);
    terminal.until("geese> ");
    terminal.type_in("d4d5\r");
    let told = terminal.until("geese> ");
    assert!(told.contains("'moves' lists what you can\r\nplay, 'help' what else there is.\r\n"), "{told:?}");
    terminal.leave();
}

#[test]
fn tables_are_no_wider_than_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
        folder.path().join(name).to_str().expect("UTF-8").to_owned()
    };
    let spec = r#"{
        "method": "grid", "ruleset": "masters-15", "engine": {"options": {"Searcher": "mcts", "Hash": 2}},
        "parameters": [{"name": "MctsExploration", "values": [30, 120]}, {"name": "MctsMinimaxShare", "values": [0, 900]}],
        "pairs": 1, "openings": {"kind": "random", "plies": 4}, "limits": {"nodes": 5}, "max_plies": 10
    }"#;
    let (grid, out) = (file("grid.json", spec), folder.path().join("out"));
    let long = folder.path().join("a-folder-with-quite-a-long-name");
    std::fs::create_dir(&long).expect("a folder");
    let (out, long) = (out.to_str().expect("UTF-8"), long.to_str().expect("UTF-8"));
    let build = ["table", "build", "masters-15", "--geese", "3", "--dir", long, "--threads", "1"];
    Terminal::of_columns(60, &build, &[]).seen_to_the_end();
    let spec = r#"{"rulesets": ["masters-15"], "format": "match", "pairs": 2, "limits": {"nodes": 5}, "max_plies": 9,
        "openings": {"kind": "random", "plies": 2},
        "engines": [{"name": "somebody"}, {"name": "another"}]}"#;
    let (run, games) = (file("run.json", spec), folder.path().join("games"));
    let games = games.to_str().expect("UTF-8");
    let hounds = folder.path().join("hounds");
    let hounds = hounds.to_str().expect("UTF-8");
    let build = ["table", "build", "fox-and-hounds", "--dir", hounds, "--threads", "1"];
    Terminal::of_columns(60, &build, &[]).seen_to_the_end();
    for (arguments, words) in [
        (&["rules", "list"][..], &["masters-15 ", "…"][..]),
        (&["goose", "stats", "--players", "2", "--games", "50"], &["| 58 death", "first without", "solved exactly"]),
        (&["goose", "stats", "--players", "1"], &["each for\r\nitself."]),
        (&["tune", &grid, "--out", out, "--quiet"], &["| MctsExplo…", "|              900 |", "| as geese |"]),
        (&["tournament", "run", &run, "--out", games, "--quiet"], &["DrawRatio: 100.0\r\n%"]),
        (&["match", "--games", "2", "--nodes", "5", "--max-plies", "9"], &["Finished game 2 ", "Pairs of games"]),
        (&["table", "list", "--dir", long], &["-03.table", "…", "masters-17"]),
        (&["table", "atlas", "--dir", hounds], &["| fox-and-h… | geese  | d8     |", "point (*\r\nwhere it"]),
        (&["table", "stats", "masters-15", "--dir", long], &["| geese | turn |", "-03.table"]),
    ] {
        let seen = Terminal::of_columns(60, arguments, &[]).seen_to_the_end();
        // Paths stay whole where they are to be copied.
        let is_path = |line: &&str| line.contains("--") || line.contains(": /") || line.contains(":  /");
        for line in seen.lines().filter(|line| !is_path(line)) {
            assert!(line.chars().count() <= 60, "{arguments:?}: {line}");
        }
        words.iter().for_each(|words| assert!(seen.contains(words), "{arguments:?}: no {words} in {seen}"));
    }
}

#[test]
fn what_seeks_openings_shows_how_many_there_are_and_ends_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let [spec, book] = ["spec.json", "book"].map(|name| folder.path().join(name));
    let book = book.to_str().expect("a path");
    std::fs::write(book, "moves a4a5\n".repeat(1_000_000)).expect("a book");
    let tune = serde_json::json!({
        "method": "grid", "ruleset": "masters-15", "pairs": 2, "limits": {"nodes": 20},
        "parameters": [{"name": "FutilityMargin", "values": 2}], "openings": {"kind": "file", "path": book}
    });
    std::fs::write(&spec, tune.to_string()).expect("a spec");
    let spec = spec.to_str().expect("a path");
    for arguments in [&["tune", spec][..], &["tournament", "openings", "--count", "1000000"]] {
        let mut terminal = Terminal::of_columns(80, arguments, &[]);
        terminal.until("/1000000 openings");
        kill(Pid::from_raw(terminal.child.id() as i32), Signal::SIGTERM).expect("it runs");
        assert_eq!(terminal.child.wait().expect("an end").signal(), Some(Signal::SIGTERM as i32), "{arguments:?}");
    }
}

#[test]
fn a_track_that_has_no_room_gives_way_to_a_word() {
    let mut terminal = Terminal::of_columns(60, &["play", "goose", "--seed", "1"], &[]);
    let seen = terminal.until("rolls the dice> ");
    assert!(seen.contains("make the window 73 columns wide") && seen.contains("player 2: field 0"), "{seen}");
    assert!(seen.lines().all(|line| line.chars().count() <= 60), "{seen}");
    terminal.leave();
}

#[test]
fn the_four_counters_of_every_player_fit_into_a_window_of_24_lines() {
    let arguments = ["goose-team", "--option", "Searcher=random", "--seed", "1"];
    let mut terminal = Terminal::play(&arguments, &[("NO_COLOR", "1"), ("LC_ALL", "C")]);
    terminal.until("rolls the dice> ");
    terminal.type_in("\r");
    terminal.until(CLEAR);
    let seen = terminal.until("player 1> ");
    assert!(seen.contains("player 2: fields 0, 0, 0, 0; account -1") && seen.contains("dice to use: "), "{seen}");
    assert!(seen.lines().count() <= 24 && seen.lines().all(|line| line.chars().count() <= 80), "{seen}");
    terminal.leave();
}

#[test]
fn the_ply_under_judgement_is_shown() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), "1. a4a5 d4d5 2. g4g5 *\n").expect("a file");
    let path = file.path().to_str().expect("a path");
    let mut terminal = Terminal::of_columns(100, &["analyse", path, "--movetime", "150"], &[]);
    terminal.until("ply 2 of 3");
    terminal.child.kill().expect("it runs");
}
