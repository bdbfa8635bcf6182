//! A client that knows no rules keeps its own board from `query pieces` and `query moves`, in every game.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::session::registry;
use serde_json::Value;

use super::client::Client;

/// Random games of each ruleset, of so many plies at most.
const GAMES: u64 = 2;
const PLIES: usize = 60;

/// The pieces on each point, owner and kind, bottom to top where the game has stacks, else sorted.
#[derive(Clone, PartialEq, Debug)]
struct Board {
    has_stacks: bool,
    points: BTreeMap<String, Vec<(String, String)>>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn json(client: &mut Client, question: &str) -> Value {
    let answer = client.query(question);
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{question}: {error}: {answer}"))
}

impl Board {
    /// What `query pieces` shows.
    fn seen(client: &mut Client, has_stacks: bool) -> Board {
        let mut board = Board { has_stacks, points: BTreeMap::new() };
        list(&json(client, "pieces")).iter().for_each(|piece| board.put(piece));
        board
    }

    fn put(&mut self, piece: &Value) {
        let stack = self.points.entry(text(&piece["point"])).or_default();
        let count = piece["count"].as_u64().expect("a count") as usize;
        stack.extend(std::iter::repeat_n((text(&piece["owner"]), text(&piece["kind"])), count));
        if !self.has_stacks {
            stack.sort();
        }
    }

    /// Takes the uppermost such piece off a point.
    fn take(&mut self, point: &str, is_meant: impl Fn(&(String, String)) -> bool) -> (String, String) {
        let stack = self.points.get_mut(point).unwrap_or_else(|| panic!("nothing stands on {point}"));
        let at = stack.iter().rposition(is_meant).unwrap_or_else(|| panic!("no such piece on {point}"));
        let taken = stack.remove(at);
        if stack.is_empty() {
            self.points.remove(point);
        }
        taken
    }

    /// Does what a row of `query moves` says.
    fn change(&mut self, row: &Value) {
        if let (Some(from), Some(_)) = (row["from"].as_str(), row["to"].as_str()) {
            let (owner, kind) = self.take(from, |(owner, _)| *owner == text(&row["mover"]));
            self.put(&serde_json::json!({"point": row["to"], "owner": owner, "kind": kind, "count": 1}));
        }
        for gone in list(&row["captured"]) {
            for _ in 0..gone["count"].as_u64().expect("a count") {
                let is_meant = |piece: &(String, String)| *piece == (text(&gone["owner"]), text(&gone["kind"]));
                self.take(&text(&gone["point"]), is_meant);
            }
        }
        list(&row["placed"]).iter().for_each(|placed| self.put(placed));
    }
}

/// Plays at random and compares the boards after every ply; the plies played.
fn play(client: &mut Client, ruleset: &str, seed: u64) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    client.accepted("position startpos");
    let game = json(client, "game");
    assert_eq!(game["seats"].as_u64().map(|seats| seats.to_string()), Some(client.query("players")), "{ruleset}");
    let mut board = Board::seen(client, game["has_stacks"] == true);
    let mut played = Vec::new();
    for ply in 0..PLIES {
        assert_eq!(json(client, "played"), Value::from(played.clone()), "{ruleset}");
        let moves = json(client, "moves");
        let texts: Vec<String> = list(&moves).iter().map(|row| text(&row["move"])).collect();
        assert_eq!(texts.join(" "), client.query("legalmoves"), "{ruleset}");
        if texts.is_empty() {
            assert_eq!(client.query("gameover"), "true", "{ruleset}");
            return ply;
        }
        let drawn = rng.random_range(0..texts.len());
        board.change(&moves[drawn]);
        played.push(moves[drawn].clone());
        route_is_sound(client, &moves[drawn], ruleset);
        client.accepted(&format!("play {}", texts[drawn]));
        assert_eq!(board, Board::seen(client, board.has_stacks), "{ruleset} after {}", texts[drawn]);
    }
    PLIES
}

/// Neighbours from end to end with at most five steps and two changes of direction, where the game has routes.
fn route_is_sound(client: &mut Client, row: &Value, ruleset: &str) {
    let answer = client.query(&format!("route {}", text(&row["move"])));
    let has_route = ruleset.starts_with("the-game") && row["move"] != "pass";
    assert_eq!(answer != "none", has_route, "{ruleset}: {row}");
    if !has_route {
        return;
    }
    let points: Vec<Vec<i32>> = answer.split(' ').map(|point| point.bytes().map(i32::from).collect()).collect();
    let steps: Vec<(i32, i32)> =
        points.windows(2).map(|pair| (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1])).collect();
    assert!(steps.iter().all(|(x, y)| x.abs() + y.abs() == 1) && (1..=5).contains(&steps.len()), "{ruleset}: {answer}");
    assert!(steps.windows(2).filter(|pair| pair[0] != pair[1]).count() <= 2, "{ruleset}: {answer}");
    assert!(steps.len() == 5 || ruleset == "the-game-2010", "{ruleset}: {answer}");
    let last = row["to"].as_str().or(row["placed"][0]["point"].as_str());
    assert_eq!(answer.split(' ').next_back(), last, "{ruleset}: {row}");
    assert!(row["from"].is_null() || answer.split(' ').next() == row["from"].as_str(), "{ruleset}: {row}");
}

#[test]
fn a_client_without_rules_follows_every_game() {
    let rulesets = registry::ruleset_names();
    assert_eq!(rulesets.len(), 44);
    for ruleset in rulesets {
        let mut client = Client::ugi();
        client.accepted(&format!("setoption name UCI_Variant value {ruleset}"));
        let plies: usize = (0..GAMES).map(|seed| play(&mut client, ruleset, seed)).sum();
        assert!(plies > 4, "{ruleset}: {plies}");
    }
}

#[test]
fn a_missing_table_is_reported_in_words() {
    let mut client = Client::ugi();
    assert_eq!(client.query("table"), "none: the option TablePath is empty");
    client.accepted("setoption name TablePath value /no/such/folder");
    assert!(client.query("table").starts_with("none: /no/such/folder: no such folder"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    client.accepted(&format!("setoption name TablePath value {path}"));
    let advice = format!("`reynard table list --dir '{path}'` names those that are there");
    assert_eq!(client.query("table"), format!("none: no table in '{path}' covers this position; {advice}"));
}
