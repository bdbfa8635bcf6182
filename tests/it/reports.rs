//! `reynard tournament report` and `replay` from the outside.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn reynard(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reynard")).args(arguments).current_dir(folder).output().expect("a run")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// Four short games in the directory `out`.
fn played(folder: &Path) {
    play(folder, "out", "");
}

/// Four short games, with more keys in their spec.
fn play(folder: &Path, dir: &str, more: &str) {
    let spec = r#"{"name": "four", "rulesets": ["masters-15"], "format": "match", "pairs": 2, "max_plies": 12,
        "engines": [{"name": "A"}, {"name": "B"}], "limits": {"depth": 3}, "openings": {"kind": "random", "plies": 2}"#;
    std::fs::write(folder.join("four.json"), format!("{spec}{more}}}")).expect("a spec");
    let run = reynard(&["tournament", "run", "four.json", "--out", dir, "--quiet"], folder);
    assert!(run.status.success(), "{}", text(&run.stderr));
}

#[test]
fn variations_are_kept_where_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play(folder, "plain", "");
    play(folder, "full", ", \"pv\": true");
    let journal = |dir: &str| std::fs::read_to_string(folder.join(dir).join("journal.jsonl")).expect("a journal");
    let moves = |dir: &str| -> Vec<Vec<Value>> {
        let games =
            journal(dir).lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<Value>>();
        let moves = games.iter().flat_map(|game| game["moves"].as_array().expect("moves"));
        moves.map(|mv| mv.as_array().expect("a move").clone()).collect()
    };
    let (plain, full) = (moves("plain"), moves("full"));
    assert_eq!(journal("plain").lines().next(), journal("full").lines().next(), "the key changes no game");
    assert_eq!(plain.len(), full.len());
    for (plain, full) in plain.iter().zip(&full) {
        assert_eq!((plain.len(), full.len(), &plain[..]), (4, 5, &full[..4]));
        let (depth, seldepth) = (full[2].as_u64().expect("a depth"), full[4][0].as_u64().expect("a depth"));
        let pv = full[4][1].as_str().expect("moves");
        assert!(seldepth >= depth && pv.split(' ').next() == full[0].as_str(), "{full:?}");
    }
    let pgn = |dir: &str| {
        let report = reynard(&["tournament", "report", dir, "--format", "pgn"], folder);
        text(&report.stdout).replace('\n', " ")
    };
    assert!(!pgn("plain").contains("pv="));
    let written = pgn("full");
    for mv in &full {
        let (seldepth, pv) = (&mv[4][0], mv[4][1].as_str().expect("moves"));
        assert!(written.contains(&format!("sd={seldepth} pv=\"{pv}\"}}")), "{mv:?}");
    }
}

#[test]
fn a_tournament_is_reported_in_every_format_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    played(folder.path());
    for (format, expected) in [
        ("text", "Cross table"),
        ("json", "\"games\": 4"),
        ("csv", "game,pair,ruleset"),
        ("html", "<!doctype html>"),
        ("pgn", "[Game \"3\"]"),
    ] {
        let report = reynard(&["tournament", "report", "out", "--format", format], folder.path());
        assert!(report.status.success(), "{}", text(&report.stderr));
        assert!(text(&report.stdout).contains(expected), "{format}: {}", text(&report.stdout));
        let file = reynard(&["tournament", "report", "out", "--format", format, "-o", "file"], folder.path());
        assert!(file.status.success() && file.stdout.is_empty());
        let written = std::fs::read(folder.path().join("file")).expect("a file");
        assert_eq!(text(&written), text(&report.stdout), "{format}");
    }
    // A run that goes on elsewhere tells both machines.
    let machines = folder.path().join("out/machines.jsonl");
    let here = std::fs::read_to_string(&machines).expect("machines");
    let elsewhere = "{\"processor\":\"Abacus <9>\",\"cores\":3,\"system\":\"Plan 9\"";
    let crc = crc32(elsewhere.as_bytes());
    std::fs::write(&machines, format!("{here}{elsewhere},\"crc\":\"{crc:08x}\"}}\n")).expect("machines");
    for (format, expected) in
        [("text", "\nMachine: Abacus <9>, 3 cores, Plan 9\n"), ("html", "Abacus &lt;9&gt;, 3 cores")]
    {
        let report = reynard(&["tournament", "report", "out", "--format", format], folder.path());
        let told = text(&report.stdout);
        assert!(told.contains(expected), "{told}");
        assert_eq!(
            told.lines().filter(|line| line.starts_with("Machine: ")).count(),
            if format == "text" { 2 } else { 0 }
        );
    }
    let replay = reynard(&["tournament", "replay", "out", "3"], folder.path());
    assert_eq!(text(&replay.stdout).lines().filter(|line| line.starts_with("Ply ")).count(), 13);
    let one = reynard(&["tournament", "replay", "out", "3", "--ply", "12"], folder.path());
    assert!(text(&one.stdout).contains("Ply 12: ") && text(&one.stdout).contains("End: "), "{}", text(&one.stdout));
}

#[test]
fn what_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = reynard(&["tournament", "report", "nowhere"], folder.path());
    assert!(!missing.status.success() && text(&missing.stderr).contains("nowhere"), "{}", text(&missing.stderr));
    played(folder.path());
    let game = reynard(&["tournament", "replay", "out", "4"], folder.path());
    assert_eq!(game.status.code(), Some(2));
    assert!(text(&game.stderr).contains("numbers from 0 to 3"), "{}", text(&game.stderr));
    let ply = reynard(&["tournament", "replay", "out", "0", "--ply", "99"], folder.path());
    assert!(ply.status.code() == Some(2) && text(&ply.stderr).contains("12 plies"), "{}", text(&ply.stderr));
}

#[test]
fn boards_become_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    for ruleset in ["masters-15", "solitaire", "the-game", "goose"] {
        let drawn = reynard(&["rules", "draw", ruleset, "--svg", "-"], folder.path());
        assert!(drawn.status.success(), "{ruleset}: {}", text(&drawn.stderr));
        let svg = text(&drawn.stdout);
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("data-point"), "{svg}");
    }
    for (ruleset, figure, count) in [
        ("bagha-chal", "tiger", 4),
        ("fox-and-hounds", "hound", 4),
        ("fox-and-hounds", "fox", 1),
        ("bagha-chal", "goat", 0),
        ("catch-the-hare", "hunter", 12),
        ("renard-1668", "hen", 13),
        ("masters-15", "fox", 1),
    ] {
        let drawn = reynard(&["rules", "draw", ruleset, "--svg", "-"], folder.path());
        let svg = text(&drawn.stdout);
        assert_eq!(svg.matches(&format!("data-figure=\"{figure}\"")).count(), count, "{ruleset}: {svg}");
        assert_eq!(
            svg.matches("class=\"dark\"").count(),
            if ruleset == "fox-and-hounds" { 32 } else { 0 },
            "{ruleset}"
        );
    }
    let drawn = reynard(&["rules", "draw", "the-game", "--svg", "-"], folder.path());
    let game = text(&drawn.stdout);
    let [squares, rings] = ["class=\"square\"", "class=\"basis "].map(|class| game.matches(class).count());
    assert_eq!((squares, rings), (64, 6), "{game}");
    let moved = reynard(&["rules", "draw", "--moves", "a4a5", "--svg", "board.svg"], folder.path());
    assert!(moved.status.success() && moved.stdout.is_empty(), "{}", text(&moved.stderr));
    let board = std::fs::read_to_string(folder.path().join("board.svg")).expect("a picture");
    assert!(board.contains("class=\"to\"") && board.matches("piece goose").count() == 15, "{board}");
    let plain = reynard(&["rules", "draw"], folder.path());
    assert!(text(&plain.stdout).contains("F"), "{}", text(&plain.stdout));
}

/// The checksum of a line (CRC-32, IEEE), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}
