//! Positions, moves and queries.

use super::client::Client;

const START: &str = "3/3/7/G2F2G/GGGGGGG/GGG/GGG g";

#[test]
fn every_query_gets_one_response() {
    let mut client = Client::ugi();
    let expected = [
        ("gameover", "false"),
        ("p1turn", "true"),
        ("result", "none"),
        ("turn", "p1"),
        ("fen", START),
        ("islegal a4a5", "true"),
        ("islegal A4-A5", "true"),
        ("islegal d4d5", "false"),
        ("islegal nonsense", "false"),
        ("reason", "none"),
        ("p1name", "geese"),
        ("p2name", "fox"),
        ("nonsense", "unknown"),
        ("islegal", "unknown"),
        ("fen fen", "unknown"),
        ("", "unknown"),
    ];
    for (question, answer) in expected {
        assert_eq!(client.query(question), answer, "query {question}");
    }
    assert_eq!(client.query("hash").len(), 16);
    let moves = client.query("legalmoves");
    assert!(moves.split(' ').any(|mv| mv == "a4a5"), "{moves}");
    for question in ["board", "rules"] {
        let json: serde_json::Value = serde_json::from_str(&client.query(question)).unwrap();
        assert!(json.is_object());
    }
    let board: serde_json::Value = serde_json::from_str(&client.query("board")).unwrap();
    assert_eq!((board["points"].as_array().unwrap().len(), board["lines"].as_array().unwrap().len()), (33, 72));
}

#[test]
fn moves_are_played_and_the_hash_follows_the_position() {
    let mut client = Client::ugi();
    let start = client.query("hash");
    client.accepted("position startpos moves a4a5 d4d5");
    let fen = client.query("fen");
    assert_eq!(client.query("turn"), "p1");
    let played = client.query("hash");
    assert_ne!(played, start);
    client.accepted("position startpos moves");
    assert_eq!(client.query("hash"), start);
    client.accepted(&format!("position fen {fen}"));
    assert_eq!(client.query("hash"), played);
    client.accepted("position startpos");
    assert_eq!(client.query("fen"), START);
}

#[test]
fn a_bad_position_leaves_the_old_one_in_force() {
    let mut client = Client::ugi();
    client.accepted("position startpos moves a4a5");
    let fen = client.query("fen");
    for bad in
        ["position", "position fen", "position nowhere", "position fen x", "position fen 3/3 g", "position start"]
    {
        client.refused(bad);
        assert_eq!(client.query("fen"), fen, "{bad}");
    }
    assert!(client.refused("position fen 3/3/7/GxxFxxG/GGGGGGG/GGG/GGG g").contains("column"));
}

#[test]
fn an_illegal_move_loses_for_its_mover() {
    let mut client = Client::ugi();
    for (moves, result) in [("d4d5", "p2win"), ("a4a5 a5b5", "p1win"), ("a4a5 d4d5 nonsense a3a4", "p2win")] {
        client.refused(&format!("position startpos moves {moves}"));
        assert_eq!(client.query("gameover"), "true", "{moves}");
        assert_eq!(client.query("result"), result, "{moves}");
        assert_eq!(client.query("reason"), "illegal move");
        assert_eq!(client.query("legalmoves"), "");
        let (info, best) = client.go("nodes 100");
        assert!(info.last().unwrap().starts_with("info depth 0 score mate 0 wdl 0 0 1000"), "{info:?}");
        assert_eq!(best, "bestmove (none)");
    }
    client.accepted("position startpos moves a4a5");
    assert_eq!(client.query("gameover"), "false");
}

#[test]
fn finished_positions_have_their_score() {
    let mut client = Client::ugi();
    // A fox shut in, to move or not; then the same position a third time.
    let cases = [
        ("fen GFG/GGG/2GGG2/7/7/3/3 f", "p1win", "mate 0 wdl 0 0 1000"),
        ("fen 3/3/7/3F3/7/3/G1G g", "p2win", "mate 0 wdl 0 0 1000"),
        ("fen 3/3/7/3F3/7/3/G1G f", "p2win", "cp 30000 wdl 1000 0 0"),
    ];
    for (position, result, score) in cases {
        client.accepted(&format!("position {position}"));
        assert_eq!(client.query("result"), result, "{position}");
        assert_ne!(client.query("reason"), "none");
        let (info, best) = client.go("movetime 100");
        assert_eq!(info.len(), 1);
        assert!(info[0].starts_with(&format!("info depth 0 score {score}")), "{info:?}");
        assert_eq!(best, "bestmove (none)");
    }
}

#[test]
fn the_third_repetition_ends_the_game_and_later_moves_are_refused() {
    let mut client = Client::ugi();
    let circle = "a4b4 d4d5 b4a4 d5d4";
    client.accepted(&format!("position startpos moves {circle}"));
    assert_eq!(client.query("gameover"), "false");
    client.accepted(&format!("position startpos moves {circle} {circle}"));
    assert_eq!((client.query("result"), client.query("reason")), ("draw".to_owned(), "repetition".to_owned()));
    let (info, best) = client.go("infinite");
    assert!(info[0].starts_with("info depth 0 score cp 0 wdl 0 1000 0"), "{info:?}");
    assert_eq!(best, "bestmove (none)");
    client.refused(&format!("position startpos moves {circle} {circle} a4a5"));
    assert_eq!(client.query("result"), "draw");
}

#[test]
fn commands_for_people_answer() {
    let mut client = Client::ugi();
    assert!(client.told("d").iter().any(|line| line == &format!("fen {START}")));
    assert!(client.told("eval").last().unwrap().starts_with("total"));
    assert_eq!(client.told("moves")[0], client.query("legalmoves"));
    client.accepted("play a4a5 d4d5");
    client.refused("play a4a5");
    client.accepted("undo");
    client.accepted("undo");
    client.refused("undo");
    assert_eq!(client.query("fen"), START);
    assert!(client.told("help").iter().any(|line| line.starts_with("perft")));
    client.send("perft 3");
    let counted = client.until("nodes");
    let sum: u64 = counted.iter().filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok()).sum();
    assert_eq!(counted.last().unwrap(), &format!("nodes {sum}"));
    client.refused("perft");
    client.refused("perft many");
    // Deeper than the stack of the program.
    client.refused("perft 100000");
    client.refused("go perft 100000");
}

#[test]
fn a_history_is_followed_however_it_changes() {
    let mut client = Client::ugi();
    let histories = [
        "a4a5 d4d5 g4g5",
        "a4a5 d4d5 g4g5 d5d4 a5b5",
        "a4a5 d4d5",
        "a4b4 d4d5",
        "",
        "a4a5 nonsense",
        "a4a5 d4d5",
        "A4-A5 d4d5",
    ];
    for moves in histories {
        client.told(&format!("position startpos moves {moves}"));
        let fen = client.query("fen");
        let mut fresh = Client::ugi();
        fresh.told(&format!("position startpos moves {moves}"));
        assert_eq!((fen, client.query("gameover")), (fresh.query("fen"), fresh.query("gameover")), "{moves}");
    }
    client.accepted("undo");
    client.accepted("play d4e4");
    client.told("position startpos moves a4a5 d4d5");
    let mut fresh = Client::ugi();
    fresh.accepted("position startpos moves a4a5 d4d5");
    assert_eq!(client.query("fen"), fresh.query("fen"));
}
