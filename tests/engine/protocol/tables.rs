//! Games of one player, of more than two, and with dice.

use super::client::Client;

fn client(ruleset: &str, switches: &str) -> Client {
    let mut client = Client::ugi();
    client.accepted(&format!("setoption name UCI_Variant value {ruleset}"));
    client.accepted(&format!("setoption name RuleSwitches value {switches}"));
    client
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_roll_is_a_legal_move_and_go_rolls_by_the_seed() {
    let mut client = client("goose-team", "players=3");
    assert_eq!((client.query("players"), client.query("turn")), ("3".into(), "chance".into()));
    let rolls = words(&client.query("legalmoves"));
    assert_eq!(rolls.len(), 21);
    let mut drawn = Vec::new();
    for (seed, parameters) in
        [(1, "depth 3"), (1, "infinite"), (1, "ponder"), (2, "nodes 5"), (3, ""), (4, ""), (5, "")]
    {
        client.accepted(&format!("setoption name Seed value {seed}"));
        let (info, best) = client.go(parameters);
        assert!(info.is_empty(), "{info:?}");
        let roll = best.strip_prefix("bestmove ").unwrap().to_owned();
        assert!(rolls.contains(&roll), "{best}");
        drawn.push(roll);
    }
    assert!(drawn[0] == drawn[1] && drawn[0] == drawn[2], "{drawn:?}");
    assert!(drawn.iter().any(|roll| *roll != drawn[0]), "{drawn:?}");
    assert_eq!(client.query("islegal 3+6"), "true", "the dice in either order");
}

#[test]
fn nobody_loses_by_a_roll_that_there_is_not() {
    let mut client = client("goose-team", "players=3");
    let error = client.refused("position startpos moves 7+1");
    assert!(error.contains("7+1") && error.contains("rolled"), "{error}");
    assert_eq!((client.query("gameover"), client.query("turn")), ("false".into(), "chance".into()));
}

#[test]
fn an_illegal_move_among_three_is_nobodys_win() {
    let mut client = client("goose-team", "players=3");
    client.refused("position startpos moves 6+3 1:5");
    let asked = ["gameover", "result", "reason", "turn"].map(|question| client.query(question));
    assert_eq!(asked, ["true", "draw", "illegal move of p1", "none"]);
    let (info, best) = client.go("depth 3");
    assert!(info.len() == 1 && best == "bestmove (none)", "{info:?}");
}

#[test]
fn everybody_has_a_name_a_turn_and_a_clock() {
    let mut client = client("goose-team", "players=5");
    for question in ["p5name", "p1turn", "p5turn"] {
        assert_ne!(client.query(question), "unknown", "{question}");
    }
    for question in ["p6name", "p6turn", "p0name", "p9turn", "pname", "p1", "p1name x"] {
        assert_eq!(client.query(question), "unknown", "{question}");
    }
    client.accepted("position startpos moves 6+3");
    assert_eq!(client.query("turn"), "p1");
    for searcher in ["alphabeta", "mcts", "greedy", "random"] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        let legal = words(&client.query("legalmoves"));
        let (info, best) = client.go("p5time 300 p1time 200 p1inc 5");
        assert!(legal.contains(&best["bestmove ".len()..].to_owned()), "{searcher}: {best}");
        assert!(!info.is_empty() && info.iter().all(|line| !line.contains("ignored")), "{searcher}: {info:?}");
    }
    assert!(client.told("eval").iter().any(|line| line.starts_with("p5")));
    assert!(client.told("d").iter().any(|line| line.contains("to move")));
}

#[test]
fn every_search_says_that_mcts_plays_for_more_than_two() {
    let mut client = client("goose-team", "players=3");
    client.accepted("position startpos moves 6+3");
    for (searcher, is_told) in [("alphabeta", true), ("auto", false), ("mcts", false), ("alphabeta", true)] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        for _ in 0..2 {
            let (info, _) = client.go("nodes 2000");
            let told = info.iter().filter(|line| line.contains("info string") && line.contains("mcts plays"));
            assert_eq!(told.count(), usize::from(is_told), "{searcher}: {info:?}");
            assert!(info.iter().any(|line| line.contains(" visits ")), "{searcher}: {info:?}");
        }
    }
    client.accepted("setoption name RuleSwitches value players=2");
    client.accepted("position startpos moves 6+3");
    let (info, _) = client.go("depth 2");
    assert!(info.iter().all(|line| !line.contains("mcts plays") && !line.contains(" visits ")), "{info:?}");
}

#[test]
fn a_puzzle_has_one_player_who_solves_it_or_does_not() {
    let mut client = client("solitaire", "");
    assert_eq!((client.query("players"), client.query("turn")), ("1".into(), "p1".into()));
    assert_eq!(client.query("p2name"), "unknown");
    client.refused("position startpos moves a1a2");
    assert_eq!((client.query("result"), client.query("reason")), ("p1loss".into(), "illegal move".into()));
    client.accepted("position fen 3/3/7/1PP4/7/3/3 p");
    client.refused("play b4e4");
    client.accepted("play b4xd4");
    assert_eq!(client.query("result"), "p1win");
    assert!(client.told("d").iter().any(|line| line.starts_with("solved")));
}
