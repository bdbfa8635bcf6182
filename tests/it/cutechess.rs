//! Matches that are started in the words of cutechess-cli, and the lines that tuning programs read.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reynard");

/// What chess-tuning-tools writes before a match, and a book.
fn stage() -> TempDir {
    let folder = TempDir::new().unwrap();
    let engine = |name: &str, searcher: &str| {
        let lines = ["uci".to_owned(), format!("setoption name Searcher value {searcher}")];
        json!({"command": PROGRAM, "name": name, "initStrings": lines, "protocol": "uci"})
    };
    let engines = json!([engine("engine1", "alphabeta"), engine("engine2", "random")]);
    fs::write(folder.path().join("engines.json"), engines.to_string()).unwrap();
    fs::write(folder.path().join("book.epd"), "moves a4a5\nmoves g4g5\n").unwrap();
    let spec = json!({
        "rulesets": ["masters-15"], "format": "match", "pairs": 2, "max_plies": 20,
        "engines": [{"name": "x"}, {"name": "y", "options": {"Searcher": "random"}}], "limits": {"nodes": 20},
        "openings": {"kind": "none"},
    });
    fs::write(folder.path().join("spec.json"), spec.to_string()).unwrap();
    folder
}

fn run(folder: &Path, line: &str) -> Output {
    Command::new(PROGRAM).current_dir(folder).args(line.split_whitespace()).output().unwrap()
}

/// Standard output and standard error of a run that worked.
fn succeed(folder: &Path, line: &str) -> (String, String) {
    let output = run(folder, line);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, error) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{line}: {error}");
    (out, error)
}

/// Whether there are so many games, each told by two lines, the score behind the game.
fn assert_told(out: &str, names: [&str; 2], games: usize) {
    assert!(out.is_ascii() && out.lines().all(|line| !line.trim().is_empty()), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    let mut finished = Vec::new();
    let [first, second] = names;
    for (index, pair) in lines[..2 * games].chunks(2).enumerate() {
        let words: Vec<&str> = pair[0].split(' ').collect();
        assert_eq!(words[..2], ["Finished", "game"], "{out}");
        finished.push(words[2].parse::<usize>().unwrap());
        let players = [format!("({first} vs {second}):"), format!("({second} vs {first}):")];
        assert!(players.iter().any(|players| pair[0].contains(players.as_str())), "{out}");
        assert!(["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|result| pair[0].contains(result)), "{out}");
        let score = pair[1].strip_prefix(&format!("Score of {first} vs {second}: ")).expect(out);
        let counts = score.split("  [").next().unwrap().split(" - ").map(|count| count.parse::<usize>().unwrap());
        assert_eq!(counts.sum::<usize>(), index + 1, "{out}");
        assert!(pair[1].ends_with(&format!("] {}", index + 1)), "{out}");
    }
    finished.sort_unstable();
    assert_eq!(finished, (1..=games).collect::<Vec<_>>(), "{out}");
    let elo = lines.iter().find_map(|line| line.strip_prefix("Elo difference: ")).expect(out);
    let (elo, error) = elo.split(',').next().unwrap().split_once(" +/- ").expect(out);
    assert!(elo.parse::<f64>().is_ok() && error.parse::<f64>().is_ok(), "{out}");
}

#[test]
fn a_match_in_the_words_of_cutechess_is_played_and_told() {
    let folder = stage();
    let (out, error) = succeed(
        folder.path(),
        "match -concurrency 2 -engine conf=engine1 restart=auto timemargin=5000 ponder tc=inf nodes=20 -engine conf=engine2 \
         restart=auto st=2.5 timemargin=5000 -openings file=book.epd format=epd order=random -draw movenumber=10 \
         movecount=4 score=8 -resign movecount=3 score=550 twosided=false -maxmoves 20 -rounds 2 -games 2 -repeat \
         -recover -debug -pgnout out.pgn -srand 5 --ruleset masters-15",
    );
    assert_told(&out, ["engine1", "engine2"], 4);
    assert!(out.ends_with("Finished match\n"), "{out}");
    assert!(error.contains("ponder is ignored"), "{error}");
    // Milliseconds, the direction, the player and its worker, as there.
    let is_told = |line: &str, what: &str| {
        line.split_once(' ').is_some_and(|(ms, said)| ms.parse::<u64>().is_ok() && said == what)
    };
    for what in [">engine1(worker-0): go nodes 20", "<engine2(worker-1): uciok", ">engine2(worker-1): quit"] {
        assert!(error.lines().any(|line| is_told(line, what)), "{what}: {error}");
    }
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result ").count(), 4, "{pgn}");
    assert!(pgn.contains("engine2") && pgn.contains("[OpeningPlies \"1\"]"), "{pgn}");
}

#[test]
fn two_programs_meet_in_one_line() {
    let folder = stage();
    let line = format!(
        "match --engine cmd={PROGRAM} --engine name=other option.Searcher=random nodes=5 --nodes 9 --max-plies 20"
    );
    let (out, _) = succeed(folder.path(), &format!("{line} --games 2"));
    assert!(out.contains("reynard against other, 2 game(s), reynard 9 nodes a move, other 5 nodes a move"), "{out}");
    assert!(out.contains("\nPer side\n") && out.contains("\nother "), "{out}");
    for style in ["--json", "--cutechess", ""] {
        let (_, error) = succeed(folder.path(), &format!("{line} --games 6 --openings path=book.epd {style}"));
        assert!(error.contains("only 2 different openings for 3 pairs"), "{style}: {error}");
    }
}

#[test]
fn what_cannot_be_honoured_ends_the_match_before_it_begins() {
    let folder = stage();
    let both = "match -engine conf=engine1 nodes=9 -engine conf=engine2 nodes=9";
    for (line, word) in [
        (format!("{both} -noswap"), "seats swapped"),
        (format!("{both} -openings file=book.bin format=bin"), "format=bin"),
        ("match -engine conf=engine3 -engine conf=engine1".to_owned(), "engine1, engine2"),
        ("match -engine conf=engine1 -each tc=inf".to_owned(), "two players"),
        ("match -engine conf=engine1 -engine conf=engine2 -each tc=inf".to_owned(), "limits"),
        (format!("{both} -each option.UCI_Variant=bell-13"), "--ruleset"),
        (format!("{both} -each option.Nothing=1"), "Nothing"),
    ] {
        let output = run(folder.path(), &line);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        assert!(error.contains(word) && output.stdout.is_empty(), "{line}: {error}");
    }
}

#[test]
fn variations_are_written_where_pgnout_asks_for_them() {
    let folder = stage();
    // Arguments of both kinds may stand together.
    let both = "match --games 2 -engine conf=engine1 -engine conf=engine2 -each nodes=50";
    for (words, has_pv) in [("-pgnout plain.pgn", false), ("-pgnout full.pgn pv=true", true)] {
        let (_, remarks) = succeed(folder.path(), &format!("{both} {words}"));
        assert!(!remarks.contains("pgnout"), "{remarks}");
        let file = words.split(' ').nth(1).unwrap();
        let pgn = fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(pgn.contains("sd=") && pgn.contains("pv=\""), has_pv, "{pgn}");
    }
}

#[test]
fn a_match_tells_elo_and_pairs_and_keeps_its_games() {
    let folder = stage();
    let line = "match --games 4 --nodes 20 --b Searcher=random --out kept --max-plies 40";
    let (out, _) = succeed(folder.path(), line);
    assert!(out.contains("\nPairings\n") && out.contains("LOS %") && out.contains("\nPairs of games\n"), "{out}");
    for file in ["report.html", "games.pgn", "journal.jsonl", "spec.json"] {
        assert!(folder.path().join("kept").join(file).exists(), "{file}");
    }
    assert!(out.ends_with("Games and report: kept\n"), "{out}");
    let (report, _) = succeed(folder.path(), "tournament report kept --format json");
    let report: Value = serde_json::from_str(&report).unwrap();
    let (told, _) = succeed(folder.path(), &format!("{} --json", line.replace("kept", "again")));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["engines"][0]["overall"]["results"]["pairs"].as_array().map(Vec::len), Some(5));
    let results = |report: &Value| report["pairings"][0]["overall"]["results"].clone();
    assert_eq!((&told["games"], results(&told)), (&json!(4), results(&report)));
    assert_eq!(run(folder.path(), line).status.code(), Some(2), "kept games are not written over");
}

#[test]
fn a_number_that_does_not_exist_is_spelled_for_its_reader() {
    let folder = stage();
    // After so few plies all games are drawn.
    let line = "match --games 4 --nodes 5 --max-plies 4";
    let (people, _) = succeed(folder.path(), line);
    assert!(people.contains("  0.0 ± 271.4\n") && people.contains("  n/a   n/a    n/a\n"), "{people}");
    let (programs, _) = succeed(folder.path(), &format!("{line} --cutechess"));
    assert!(programs.contains("\nElo difference: 0.0 +/- 0.0, LOS: nan %, DrawRatio: 100.0 %\n"), "{programs}");
}

#[test]
fn a_tournament_tells_its_games_when_it_is_asked() {
    let folder = stage();
    let (out, error) = succeed(folder.path(), "tournament run spec.json --out a --cutechess");
    assert_told(&out, ["x", "y"], 4);
    assert!(!error.contains("games/s"), "{error}");
    let (out, error) = succeed(folder.path(), "tournament run spec.json --out b --verbose");
    assert!(!out.contains("Finished game"), "{out}");
    assert_eq!(error.lines().filter(|line| line.starts_with("Finished game ")).count(), 4, "{error}");
}

#[test]
fn games_are_not_written_into_the_files_of_the_match() {
    let folder = stage();
    for file in ["out/journal.jsonl", "out/lock"] {
        let line =
            format!("match -engine conf=engine1 -engine conf=engine2 -each nodes=20 -games 2 --out out -pgnout {file}");
        let output = run(folder.path(), &line);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains("belongs to the run"), "{error}");
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

#[test]
fn programs_are_started_anew_and_games_begin_as_a_pgn_file_does() {
    let folder = stage();
    let script = format!("#!/bin/sh\necho >>starts\nexec '{PROGRAM}'\n");
    fs::write(folder.path().join("counted"), script).unwrap();
    let pgn = "[Event \"x\"]\n\n1. a4a5 d4d5 2. a5a6 {no more} *\n\n[Event \"y\"]\n\n1. g4g5 d4c4 *\n";
    fs::write(folder.path().join("book.pgn"), pgn).unwrap();
    let line = "match -engine cmd=/bin/sh arg=counted name=one -engine cmd=/bin/sh arg=counted name=two restart=on -each \
                nodes=20 option.Hash=1 -openings file=book.pgn format=pgn plies=2 -repeat 4 -rounds 4 -games 2 -maxmoves 10 \
                -srand 1 --out games";
    let (out, _) = succeed(folder.path(), line);
    assert_told(&out, ["one", "two"], 8);
    // A preflight of both, eight games of one of them, and all games of the other.
    let starts = fs::read_to_string(folder.path().join("starts")).unwrap().lines().count();
    assert_eq!(starts, 2 + 1 + 8);
    let games = fs::read_to_string(folder.path().join("games/games.pgn")).unwrap();
    let openings: Vec<&str> = games.split("\n1. ").skip(1).map(|moves| &moves[..4]).collect();
    assert_eq!(openings, [["a4a5"; 4], ["g4g5"; 4]].concat());
}

#[test]
fn a_program_is_sought_in_its_own_folder_first() {
    let folder = stage();
    fs::create_dir(folder.path().join("Engines")).unwrap();
    let script = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("rey", "exit 3");
    script("Engines/rey", &format!("echo >>starts\nexec '{PROGRAM}'"));
    let engines = json!([{"command": "./rey", "name": "kept", "workingDirectory": "Engines", "protocol": "uci"}]);
    fs::write(folder.path().join("engines.json"), engines.to_string()).unwrap();
    let engines = "-engine dir=Engines/ cmd=./rey name=said -engine conf=kept -each nodes=1";
    let (out, error) = succeed(folder.path(), &format!("match {engines} -games 2 -maxmoves 2"));
    assert_told(&out, ["said", "kept"], 2);
    assert!(!error.contains("forfeits") && !out.contains("disconnects"), "{out} {error}");
    // A preflight and the games of each.
    assert_eq!(fs::read_to_string(folder.path().join("Engines/starts")).unwrap().lines().count(), 4);
    let error = run(folder.path(), "match -engine dir=Engines cmd=./no -engine cmd=./rey -each nodes=1");
    let error = String::from_utf8(error.stderr).unwrap();
    assert!(error.contains("/Engines/./no nor ") && error.contains("/./no is a file"), "{error}");
}

#[test]
fn a_match_is_a_game_of_two() {
    let folder = stage();
    let puzzle = "'solitaire' has 1 seat; expected a game of two (puzzles are for `reynard solve`)";
    let crowd = "'goose' has 4 seats; expected a game of two (set players to 2)";
    for (line, message) in [
        ("match --ruleset solitaire --games 2 --nodes 10", format!("--ruleset: {puzzle}")),
        ("match --ruleset goose --set players=4 --games 2 --nodes 10", format!("--ruleset: {crowd}")),
        ("tournament openings solitaire --count 2", puzzle.to_owned()),
        ("tournament openings goose --set players=4 --count 2", crowd.to_owned()),
    ] {
        let output = run(folder.path(), line);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(&message), "{line}: {said}");
    }
}
