//! Whole conversations about the games of one player, with dice and on the grid, as a client would hold them.
//!
//! A transcript alternates lines sent, behind `> `, and what the engine says to each until it is ready again, empty lines
//! aside. Of a search only what is the same on every machine is kept: the last `info` line as score and line, its
//! remarks, the answer.

use super::client::Client;

/// The engine's side of a conversation, for the lines that a transcript sends.
fn held(transcript: &str) -> String {
    let mut client = Client::ugi();
    let mut text = String::new();
    for line in transcript.lines() {
        if line.is_empty() || line.starts_with('#') {
            text += &format!("{line}\n");
        } else if let Some(sent) = line.strip_prefix("> ") {
            text += &format!("> {sent}\n");
            for said in answers(&mut client, sent) {
                text += &format!("{said}\n");
            }
        }
    }
    text
}

fn answers(client: &mut Client, sent: &str) -> Vec<String> {
    if sent != "go" && !sent.starts_with("go ") {
        let said = client.told(sent);
        return said.into_iter().filter(|line| !line.is_empty()).collect();
    }
    client.send(sent);
    let said = client.until("bestmove");
    let last = said.iter().rposition(|line| line.contains(" score ")).unwrap_or(0);
    let kept = |line: &String| if line.contains(" score ") { conclusion(line) } else { line.clone() };
    said[last..].iter().map(kept).collect()
}

/// The score and the line of an `info` line.
fn conclusion(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|&word| word == "score").unwrap();
    let pv = words.iter().position(|&word| word == "pv").map_or(&[][..], |pv| &words[pv..]);
    [&["info", "..."], &words[at..at + 3], &["..."], pv].concat().join(" ")
}

fn check(transcript: &str) {
    let held = held(transcript);
    for (number, (held, expected)) in held.lines().zip(transcript.lines()).enumerate() {
        assert_eq!(held, expected, "line {}", number + 1);
    }
    assert_eq!(held.lines().count(), transcript.lines().count());
}

#[test]
fn the_game_is_played_to_the_taking_of_a_basis() {
    check(include_str!("transcripts/the-game.txt"));
}

#[test]
fn a_puzzle_is_solved_refuted_and_spoiled() {
    check(include_str!("transcripts/solitaire.txt"));
}

#[test]
fn the_game_of_the_goose_is_rolled_by_the_engine() {
    check(include_str!("transcripts/goose.txt"));
}

#[test]
fn counters_and_dice_are_chosen_in_the_team_game() {
    check(include_str!("transcripts/goose-team.txt"));
}

#[test]
fn every_family_is_reported_to_clients_without_rules() {
    check(include_str!("transcripts/views.txt"));
}

#[test]
fn every_board_is_reported_as_data() {
    let mut client = Client::ugi();
    for (ruleset, points, lines, region) in [
        ("solitaire", 33, 52, "target"),
        ("solitaire-french", 37, 60, "start"),
        ("the-game", 64, 112, "basis_2"),
        ("goose", 64, 63, "prison"),
        ("goose-team", 64, 63, "goose_fields"),
    ] {
        client.accepted(&format!("setoption name UCI_Variant value {ruleset}"));
        let board: serde_json::Value = serde_json::from_str(&client.query("board")).unwrap();
        let count = |key: &str| board[key].as_array().unwrap().len();
        assert_eq!((count("points"), count("lines")), (points, lines), "{ruleset}");
        let names: Vec<_> = board["points"].as_array().unwrap().iter().map(|point| &point["name"]).collect();
        let members = board["regions"][region].as_array().unwrap();
        assert!(!members.is_empty() && members.iter().all(|name| names.contains(&name)), "{ruleset}: {members:?}");
    }
}
