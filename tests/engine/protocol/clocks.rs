//! Games on the clock. How much of its time a search takes is tested where the clock can be set: `session::request` and the
//! searchers.

use std::time::{Duration, Instant};

use super::client::Client;

#[test]
fn bullet_games_are_played_move_by_move() {
    for searcher in ["alphabeta", "mcts"] {
        let mut client = Client::ugi();
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        let mut moves: Vec<String> = Vec::new();
        while moves.len() < 30 && client.query("gameover") == "false" {
            // A search that does not look at the clock never ends.
            let (_, best) = client.go("p1time 100 p2time 100 p1inc 10 p2inc 10");
            moves.push(best["bestmove ".len()..].to_owned());
            client.accepted(&format!("position startpos moves {}", moves.join(" ")));
        }
        assert!(moves.len() > 4, "{moves:?}");
    }
}

#[test]
fn every_way_to_name_the_time_ends_the_search() {
    let mut client = Client::ugi();
    for way in [
        "wtime 100 btime 100",
        "p1time 0 p2time 0",
        "p1time -5",
        "btime 50 binc 10",
        "p1inc 10 p2inc 10",
        "p1time 300 movestogo 1",
        "p1time 300 movestogo 0",
        "movetime 0",
        "movetime 30",
        "movetime 100000 p1time 60",
    ] {
        client.go(way);
    }
}

#[test]
fn move_time_is_used() {
    let mut client = Client::ugi();
    let start = Instant::now();
    client.go("movetime 200");
    assert!(start.elapsed() >= Duration::from_millis(150), "{:?}", start.elapsed());
}
