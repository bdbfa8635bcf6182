//! The game through a pipe: plain lines in, plain text out.

use std::collections::BTreeSet;

use assert_cmd::Command;
use tempfile::{NamedTempFile, tempdir};

/// What is said to these lines: exit code, standard output, standard error.
fn play(arguments: &[&str], lines: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = command.arg("play").args(arguments).write_stdin(input).output().expect("a program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// The same where all goes well, with little time to think; the words must come in this order.
fn told(arguments: &[&str], lines: &[&str], words: &[&str]) -> String {
    told_within("0.02", arguments, lines, words)
}

fn told_within(seconds: &str, arguments: &[&str], lines: &[&str], words: &[&str]) -> String {
    let (code, out, error) = play(&[arguments, &["--time", seconds]].concat(), lines);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(!out.contains('\x1b') && out.is_ascii(), "{out}");
    let mut rest = out.as_str();
    for words in words {
        let at = rest.find(words).unwrap_or_else(|| panic!("{words:?} is missing in {rest}"));
        rest = &rest[at + words.len()..];
    }
    out
}

const GREEDY: [&str; 2] = ["--option", "Searcher=greedy"];

#[test]
fn the_game_says_its_goal_its_moves_and_who_does_well() {
    told(&["siege"], &[], &["you play the officers", "Goal   ", "Take attackers", "Moves  ", "Balance", "officers"]);
    told(
        &["solitaire"],
        &[],
        &["you play alone", "Leave a single peg", "Solved: it takes 18 moves", "32 pegs left.", "Good-bye."],
    );
    let page = told(&["masters-15"], &["rules"], &["Solved: ", "Set-up", "Captures", "Source"]);
    assert!(!page.contains("uncalibrated"), "{page}");
    let own = ["Goal   Hem in the fox", "Seventeen geese", "One jump ends the turn."];
    told(&["masters-17", "--set", "chain=false"], &["rules"], &own);
}

#[test]
fn refusals_say_the_reason_and_moves_are_read_in_many_ways() {
    told(
        &GREEDY,
        &["d4", "c9", "a5a4", "d4d5", "b4", "a4 a5", "a5a4", "\x1b[Ax\x07"],
        &[
            "d4 is occupied. 'moves' lists",
            "there is no point c9",
            "there is no piece on a5",
            "the piece on d4 is not yours",
            "4 moves go to b4: ",
            "  5  G---.",
            "geese cannot go back",
            "'^[[Ax^G'",
        ],
    );
}

#[test]
fn a_game_can_be_given_up_taken_back_begun_again_and_looked_at_from_behind() {
    let lines = ["a5", "undo", "undo", "resign", "c3c4", "undo", "flip", "resign", "new", "a5", "rematch", "quit"];
    let words = [
        "  5  G---.",
        "no move of yours",
        "You lose: you have given up.",
        "The game is over: undo",
        "     a   b   c",
        "  1          G---G---G",
        "     g   f   e   d   c   b   a",
        "You lose",
        "you play the geese",
        "you play the fox",
        "The engine plays ",
        "fox> ",
    ];
    told(&GREEDY, &lines, &words);
}

#[test]
fn a_game_goes_on_after_its_end() {
    let lines = ["resign", "review", "moves", "undo", "eval", "hint"];
    told(
        &["masters-15"],
        &lines,
        &["given up", "No move of yours", "game is over", "The engine on your side: ", "Try "],
    );
    told(
        &["goose-team", "--seed", "1"],
        &["", "moves", "hint"],
        &["1:4 (counter 1 moves 4)", " % to win, by its guess)"],
    );
}

#[test]
fn rematches_are_counted_until_one_side_has_won_the_match() {
    let lines = ["resign", "rematch", "resign", "undo", "resign", "new", "quit"];
    let words = [
        "You lose: you have given up.",
        "you play the fox",
        "The match: you 0, the engine 2, drawn 0.",
        // A game that is taken up again counts when it ends, and once.
        "The match: you 0, the engine 2, drawn 0.",
        "you play the fox",
        "The match: you 0, the engine 2, drawn 0. The engine has won the most games, and the match.",
    ];
    told(&GREEDY, &lines, &words);
    assert!(!told(&GREEDY, &["resign", "quit"], &[]).contains("match:"), "a single game is no match");
}

#[test]
fn a_coin_or_the_highest_throw_says_who_plays_what() {
    let side = |seed: &str, arguments: &[&str], line: &str| {
        let out = told(&[arguments, &["--side", "any", "--seed", seed]].concat(), &[line], &["you play "]);
        out.split_once("you play ").and_then(|(_, rest)| rest.split_once('.')).expect("a side").0.to_owned()
    };
    let sides: BTreeSet<String> = ["1", "2", "3", "4", "5", "6"].map(|seed| side(seed, &GREEDY, "quit")).into();
    assert_eq!(Vec::from_iter(sides), ["the fox", "the geese"]);
    let goose = ["goose", "--set", "players=3"];
    let [mut begins, mut sits] = [0; 2];
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let arguments = [&goose[..], &["--side", "any", "--seed", seed]].concat();
        let out = told(&arguments, &["p3", "quit"], &["Who begins? you ", "you play "]);
        let is_first = out.contains("You begin, or choose.\nbegin as p1, or be one of p2 to p3? [p1] ");
        assert_eq!(is_first, !out.contains("The engine begins."), "{out}");
        assert!(!is_first || out.contains("you play player 3."), "{out}");
        if is_first { begins += 1 } else { sits += 1 }
    }
    assert!(begins > 0 && sits > 0);
    // A ruleset may ask for lots itself.
    let lots: BTreeSet<String> = ["1", "2", "3", "4", "5", "6"]
        .map(|seed| {
            let arguments = ["the-game", "--set", "first=lot", "--seed", seed];
            let out = told(&arguments, &["quit"], &["A coin decides", "you play "]);
            out.split_once("you play ").and_then(|(_, rest)| rest.split_once('.')).expect("a side").0.to_owned()
        })
        .into();
    assert_eq!(Vec::from_iter(lots), ["player 1", "player 2"]);
}

fn file(text: &str) -> NamedTempFile {
    let file = NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    file
}

#[test]
fn a_review_names_the_moves_that_cost_most() {
    let two_pegs = file(
        r#"{"name": "two-pegs", "extends": "solitaire", "start": ["d4", "e4"], "target": "f4", "title": "Two pegs"}"#,
    );
    let lines = ["review", "hint", "e4 c4", "review", "undo", "f4", "review"];
    let words = [
        "2 pegs left.",
        "not over yet",
        "Try d4xf4 (solves it with 1 more move)",
        "1 peg left.",
        "Not solved: no jump left, 1 peg left.",
        "Your move 1, e4xc4: your chances fell from 100 % to 0 %; better was d4xf4.",
        "2 pegs left.",
        "Solved.",
        "No move of yours cost much.",
    ];
    told_within("5", &["--rules", two_pegs.path().to_str().expect("a path")], &lines, &words);
    told(&["goose", "--seed", "1"], &["review", "resign", "review"], &["not over yet", "given up", "have no review"]);
}

#[test]
fn results_in_sight_are_told_in_moves() {
    let near = file(
        r#"{"name": "near", "extends": "fox-and-hounds", "fox_start": "c3", "geese": ["g7"], "title": "Near",
            "about": "A fox near its goal."}"#,
    );
    let words = ["A fox near its goal.", "(wins in at most 2 moves)", "(wins at once)", "You win: "];
    let out = told_within(
        "0.3",
        &["--rules", near.path().to_str().expect("a path"), "--option", "Searcher=alphabeta"],
        &["hint", "b2", "hint", "a1"],
        &words,
    );
    assert!(!out.contains("plies"), "{out}");
}

#[test]
fn a_saved_game_is_read_again_and_nothing_else_is_overwritten() {
    let folder = tempdir().expect("a folder");
    let (game, other) = (folder.path().join("game.pgn"), folder.path().join("other"));
    let [game, other] = [&game, &other].map(|path| path.to_str().expect("a path").to_owned());
    let old = r#"{"game": "masters-15"}"#;
    std::fs::write(&other, old).expect("written");
    let [save, load, bad_save, bad_load] = [("save", &game), ("load", &game), ("save", &other), ("load", &other)]
        .map(|(word, path)| format!("{word} {path}"));
    let lines = ["a5", &save, &bad_save, &save, "undo", &load, &bad_load, "save", "load /dev/zero"];
    let words =
        ["The game is in", "no saved game; choose another", "The game is in", "you play the geese", "  5  G---."];
    let rest = ["no saved game; it would be PGN", "needs the name of a file", "/dev/zero"];
    told(&GREEDY, &lines, &[&words[..], &rest[..]].concat());
    assert_eq!(std::fs::read_to_string(&other).expect("there"), old);
    let astray = folder.path().join("missing/game.pgn");
    let folder_name = astray.parent().expect("a folder").display();
    let reason = format!("cannot write {}: there is no folder '{folder_name}'\n", astray.display());
    told(&GREEDY, &[&format!("save {}", astray.display())], &[&reason]);
    told(&["bell-13"], &[&load], &["a game of masters-15, by other rules"]);
    told(&GREEDY, &[&load], &["you play the geese", "  5  G---.", "geese> "]);
    let broken = std::fs::read_to_string(&game).expect("there").replace("a4a5", "a4a6");
    std::fs::write(&game, broken).expect("written");
    told(&GREEDY, &["b3b4", &load, "board"], &["  4  G---G", "a4a6", "  4  G---G"]);
}

#[test]
fn folders_of_tables_must_be_there() {
    let (code, _, error) = play(&["--option", "TablePath=/nonexistent"], &[]);
    assert!(code == 2 && error.contains("/nonexistent: no such folder"), "{error}");
}
