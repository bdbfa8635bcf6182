//! Games on the clock: nobody may lose on time.

use std::time::{Duration, Instant};

use super::client::Client;

/// Plays one game against itself at `base` + `increment`, counted by the client; the moves made.
fn play_on_the_clock(client: &mut Client, base: Duration, increment: Duration, most_plies: usize) -> usize {
    let mut left = [base, base];
    let mut moves: Vec<String> = Vec::new();
    client.told("uginewgame");
    while moves.len() < most_plies {
        client.accepted(&format!("position startpos moves {}", moves.join(" ")));
        if client.query("gameover") == "true" {
            break;
        }
        let seat = usize::from(client.query("p1turn") != "true");
        let [p1, p2] = left.map(|time| time.as_millis());
        let inc = increment.as_millis();
        let start = Instant::now();
        let (_, best) = client.go(&format!("p1time {p1} p2time {p2} p1inc {inc} p2inc {inc}"));
        let spent = start.elapsed();
        left[seat] =
            left[seat].checked_sub(spent).unwrap_or_else(|| panic!("{spent:?} of {:?}", left[seat])) + increment;
        moves.push(best["bestmove ".len()..].to_owned());
    }
    moves.len()
}

#[test]
fn bullet_games_are_not_lost_on_time() {
    for searcher in ["alphabeta", "mcts"] {
        let mut client = Client::ugi();
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        for _ in 0..2 {
            let plies = play_on_the_clock(&mut client, Duration::from_millis(100), Duration::from_millis(10), 60);
            assert!(plies > 4);
        }
    }
}

#[test]
fn every_way_to_name_the_time_ends_the_search() {
    let mut client = Client::ugi();
    let ways = [
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
    ];
    for way in ways {
        let start = Instant::now();
        client.go(way);
        assert!(start.elapsed() < Duration::from_millis(1000), "{way}: {:?}", start.elapsed());
    }
}

#[test]
fn move_time_is_used() {
    let mut client = Client::ugi();
    let start = Instant::now();
    client.go("movetime 200");
    let spent = start.elapsed();
    assert!((Duration::from_millis(150)..Duration::from_millis(600)).contains(&spent), "{spent:?}");
}
