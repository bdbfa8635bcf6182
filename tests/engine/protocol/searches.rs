//! Searches: what is reported, and how they are held.

use super::client::Client;

const KEYS: [&str; 9] = ["depth", "seldepth", "multipv", "score", "nodes", "nps", "time", "hashfull", "tbhits"];

/// Checks one info line for completeness and integers.
fn check_info(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let pv_at = words.iter().position(|&word| word == "pv").unwrap_or_else(|| panic!("no pv: {line}"));
    assert!(words.len() > pv_at + 1, "empty pv: {line}");
    for key in KEYS {
        assert_eq!(words[..pv_at].iter().filter(|&&word| word == key).count(), 1, "{key}: {line}");
    }
    for word in &words[1..pv_at] {
        assert!(word.parse::<i64>().is_ok() || word.chars().all(|letter| letter.is_ascii_lowercase()), "{line}");
    }
    let at = words.iter().position(|&word| word == "wdl").unwrap();
    let sum: i64 = words[at + 1..at + 4].iter().map(|word| word.parse::<i64>().unwrap()).sum();
    assert_eq!(sum, 1000, "{line}");
}

#[test]
fn every_answer_follows_a_complete_report_by_every_searcher() {
    let mut client = Client::ugi();
    for searcher in ["alphabeta", "mcts", "random"] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        for ruleset in ["masters-15", "bell-13", "great-siege", "bagha-chal"] {
            client.accepted(&format!("setoption name Ruleset value {ruleset}"));
            let (lines, best) = client.go("nodes 2000");
            let info: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info string")).collect();
            assert!(!info.is_empty(), "{searcher} {ruleset}");
            info.iter().for_each(|line| check_info(line));
            let words: Vec<&str> = best.split(' ').collect();
            assert_eq!((words.len(), words[0]), (2, "bestmove"), "{best}");
            assert_eq!(client.query(&format!("islegal {}", words[1])), "true");
        }
    }
}

#[test]
fn several_lines_are_reported_when_asked_for() {
    let mut client = Client::ugi();
    client.accepted("setoption name MultiPV value 3");
    for searcher in ["alphabeta", "mcts"] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        let (lines, _) = client.go("nodes 20000");
        assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{searcher}: {lines:?}");
    }
}

#[test]
fn search_moves_narrow_the_choice() {
    let mut client = Client::ugi();
    for searcher in ["alphabeta", "mcts", "random"] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        assert_eq!(client.go("nodes 500 searchmoves g4-g5").1, "bestmove g4g5", "{searcher}");
    }
    assert!(client.refused("go searchmoves d4d5 depth 2").contains("d4d5"));
}

#[test]
fn search_moves_narrow_the_rolls() {
    let mut client = Client::ugi();
    client.accepted("setoption name Ruleset value goose");
    let mut rolled = [0; 2];
    for seed in 0..40 {
        client.accepted(&format!("setoption name Seed value {seed}"));
        let (lines, best) = client.go("searchmoves 4+4 3+6");
        let at = ["bestmove 4+4", "bestmove 6+3"].iter().position(|&roll| roll == best);
        rolled[at.unwrap_or_else(|| panic!("{best} was not allowed"))] += 1;
        assert!(lines.is_empty(), "{lines:?}");
    }
    assert!(0 < rolled[0] && rolled[0] < rolled[1], "a double is half as likely: {rolled:?}");
    for wrong in ["7+1", "a3a4", "6+3 1:5"] {
        assert!(client.refused(&format!("go searchmoves {wrong}")).contains("searchmoves: move '"), "{wrong}");
    }
}

#[test]
fn unknown_parameters_are_reported_and_passed_over() {
    let mut client = Client::ugi();
    let (lines, _) = client.go("movetime 30 rtime 5");
    assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains("'rtime 5'")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("info string error")), "{lines:?}");
    assert!(client.refused("go rtime 5 depth x").contains("depth"));
}

#[test]
fn the_expected_reply_is_reported_in_uci_only() {
    let mut client = Client::new();
    client.send("uci");
    client.until("uciok");
    let (_, best) = client.go("nodes 20000");
    let words: Vec<&str> = best.split(' ').collect();
    assert!(words.len() == 2 || (words.len() == 4 && words[2] == "ponder"), "{best}");
}

#[test]
fn chances_are_reported_in_uci_on_demand_and_always_in_ugi() {
    let mut client = Client::new();
    let finished = "position fen 3/3/7/3F3/7/3/G1G f";
    for (hello, setting, are_told) in
        [("uci", "false", false), ("uci", "true", true), ("ugi", "false", true), ("uci", "FALSE", false)]
    {
        client.send(hello);
        client.until(&format!("{hello}ok"));
        client.accepted(&format!("setoption name UCI_ShowWDL value {setting}"));
        for position in ["position startpos", finished] {
            client.accepted(position);
            let (lines, _) = client.go("nodes 500");
            let scored: Vec<_> = lines.iter().filter(|line| line.contains(" score ")).collect();
            assert!(!scored.is_empty() && scored.iter().all(|line| line.contains(" wdl ") == are_told), "{scored:?}");
        }
    }
}

#[test]
fn the_move_in_hand_is_reported_in_a_long_search() {
    let mut client = Client::new();
    client.send("uci\nsetoption name UCI_AnalyseMode value true");
    client.until("uciok");
    client.send("go infinite");
    let told = client.until("info depth 1 ");
    assert!(told.iter().all(|line| !line.contains(" currmove ")), "nothing before a report: {told:?}");
    let line = loop {
        let line = client.line();
        if line.contains(" currmove ") {
            break line;
        }
    };
    client.stop();
    let words: Vec<&str> = line.split(' ').collect();
    let ["info", "depth", depth, "currmove", mv, "currmovenumber", number] = words[..] else { panic!("{line}") };
    assert!(depth.parse::<u32>().unwrap() > 1 && number.parse::<usize>().unwrap() >= 1, "{line}");
    assert_eq!(client.query(&format!("islegal {mv}")), "true");
}

#[test]
fn a_forced_move_of_a_lost_game_keeps_its_proof() {
    let mut client = Client::ugi();
    client.accepted("setoption name Ruleset value fox-and-hounds");
    let mate = |lines: &[String]| {
        let report = lines.last().unwrap().split(" mate ").nth(1).unwrap_or_else(|| panic!("no proof: {lines:?}"));
        report.split(' ').next().unwrap().parse::<i32>().unwrap()
    };
    let mut position = "position fen 4/2F1/1GG1/1G2/2G1/4/4/4 f moves".to_owned();
    for (expected, played) in [(-4, "e7d8 f6e7"), (-3, "d8c7 c5b6"), (-2, "c7b8 d6c7"), (-1, "")] {
        client.accepted(&position);
        let (lines, _) = client.go("wtime 300000 btime 300000 movestogo 40 depth 8");
        assert_eq!(mate(&lines), expected, "{position}");
        position = format!("{position} {played}");
    }
}

/// A puzzle of one player, who plays the last moves too: a win whose other last moves lose, and a loss beside a move that
/// loses at once.
#[test]
fn a_proof_of_one_player_is_reported_as_it_is_with_one_node() {
    for (position, depth) in
        [("3/2P/2PP3/5P1/7/3/3 p", 3), ("3/2P/2P4/3P1P1/3P3/3/3 p", 3), ("3/3/7/3PP2/2P4/1P1/3 p", 9)]
    {
        let mut client = Client::ugi();
        client.accepted("setoption name UCI_Variant value solitaire");
        client.accepted("setoption name Searcher value alphabeta");
        client.accepted(&format!("position fen {position}"));
        let told = |client: &mut Client, limits: &str| {
            let (infos, best) = client.go(limits);
            let last = infos.last().unwrap();
            let words: Vec<&str> = last.split(' ').collect();
            let after = |key: &str| words.iter().position(|word| *word == key).unwrap() + 1;
            let score = words[after("score")..after("score") + 2].join(" ");
            (score, words[after("pv")..].join(" "), best)
        };
        let (score, _, _) = told(&mut client, &format!("depth {depth}"));
        assert!(score.starts_with("mate "), "{score}");
        let (again, line, best) = told(&mut client, "nodes 1");
        assert_eq!(again, score, "{position}: {best}, {line}");
        client.accepted(&format!("position fen {position} moves {line}"));
        let (result, expected) = (client.query("result"), if score.contains('-') { "p1loss" } else { "p1win" });
        assert!([expected, "none"].contains(&result.as_str()), "{position} {line}: {result}");
    }
}

#[test]
fn the_engine_answers_while_it_searches() {
    let mut client = Client::ugi();
    client.send("go infinite");
    client.until("info depth 1 ");
    keeps_its_answer(&mut client);
    assert_eq!(client.query("gameover"), "false");
    // The session may move on without disturbing the search.
    client.send("position startpos moves a4a5");
    assert_eq!(client.query("turn"), "p2");
    client.send("go nodes 5");
    assert!(client.until("info string error").last().unwrap().contains("running"));
    client.send("stop");
    let best = client.until("bestmove").pop().unwrap();
    client.accepted("position startpos");
    assert_eq!(client.query(&format!("islegal {}", &best["bestmove ".len()..])), "true", "{best}");
}

/// Questions are answered and the search is not, which would have had time enough among so many answers.
fn keeps_its_answer(client: &mut Client) {
    for _ in 0..50 {
        let told = client.told("");
        assert!(told.iter().all(|line| line.starts_with("info depth ")), "{told:?}");
    }
}

#[test]
fn stop_is_answered_at_any_moment() {
    let mut client = Client::ugi();
    for (searcher, reports) in [("alphabeta", 6), ("mcts", 3), ("random", 1)] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        for reports in 0..=reports {
            client.send("go infinite");
            (0..reports).for_each(|_| drop(client.until("info depth ")));
            client.stop();
        }
    }
}

#[test]
fn stop_at_once_and_stop_without_a_search_are_harmless() {
    let mut client = Client::ugi();
    client.accepted("stop");
    client.accepted("ponderhit");
    client.send("go infinite\nstop\ngo infinite\nstop\nstop");
    assert!(client.until("bestmove").iter().all(|line| !line.contains("error")));
    assert!(client.until("bestmove").iter().all(|line| !line.contains("error")));
    client.accepted("stop");
}

#[test]
fn an_infinite_search_does_not_answer_before_stop() {
    let mut client = Client::ugi();
    client.send("go infinite nodes 10");
    while !client.until("info depth ").pop().unwrap().contains(" nodes 10 ") {}
    keeps_its_answer(&mut client);
    client.stop();
}

#[test]
fn pondering_goes_on_the_clock_at_the_hit() {
    let mut client = Client::ugi();
    for limits in ["movetime 1", "p1time 1 p2time 1"] {
        client.send(&format!("go ponder {limits}"));
        // On the clock it would not come as deep as this.
        client.until("info depth 6 ");
        keeps_its_answer(&mut client);
        client.send("ponderhit");
        client.until("bestmove");
    }
    client.send("go ponder p1time 1000 p2time 1000");
    client.stop();
}

#[test]
fn a_change_of_rules_ends_a_running_search_with_its_answer() {
    let mut client = Client::ugi();
    client.send("go infinite\nsetoption name UCI_Variant value bell-13");
    client.until("bestmove");
    assert_eq!(client.query("p1name"), "fox");
}

#[test]
fn one_thread_seed_and_node_limit_give_the_same_answer() {
    for searcher in ["alphabeta", "mcts", "random"] {
        let run = || {
            let mut client = Client::ugi();
            client.accepted(&format!("setoption name Searcher value {searcher}"));
            client.accepted("setoption name Seed value 7");
            let mut texts = Vec::new();
            for position in ["startpos", "startpos moves a4a5 d4d5"] {
                client.accepted(&format!("position {position}"));
                let (lines, best) = client.go("nodes 5000");
                texts.extend(lines.iter().map(|line| without_time(line)));
                texts.push(best);
            }
            texts
        };
        assert_eq!(run(), run(), "{searcher}");
    }
}

/// An info line without what the clock says.
fn without_time(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "nps" | "time" => drop(words.next()),
            _ => kept.push(word),
        }
    }
    kept.join(" ")
}

#[test]
fn a_search_among_known_positions_ends() {
    // The search for forced wins knew every position below this one and went from one to the other without end.
    let moves = "a3b4 d4e4 b4c5 e4d4 c5d5 d4c5 b3b4 c5c6 d5e5 c6c5 b4a5 c5d5 e5f5 d5d4 f3f4 d4c4 e3e4 c4b4 e2e3 b4b3 e4d4 \
                 b3a3 c3c4 a3b4 c2c3 b4a3 f4e5 a3b3 g4f4 b3b4 e5d5 b4b3 g3f3 b3b4 f5e5 b4a3 d5c5 a3b3 e5d6 b3b4 a5b5 b4b3 \
                 c4b4 b3a3 b5a5 a3b3 c5b5 b3a3 d4c5 a3b3 d2c2 b3a3 c3d4 a3b3 c2c3 b3a3 e1d2 a3b3 d1e1 b3a3 e1d1 a3b3";
    for searcher in ["alphabeta", "mcts"] {
        let mut client = Client::ugi();
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        client.accepted(&format!("position startpos moves {moves}"));
        let (_, best) = client.go("nodes 20000");
        assert!(best.starts_with("bestmove ") && best.len() > 12, "{searcher}: {best}");
    }
}
