//! Transcripts of XBoard conversations.

mod robustness;

use std::time::{Duration, Instant};

use reynard_engine::session::Engine;

use crate::protocol::client::Client;

const START: &str = "**3**/**3**/7/G2f2G/GGGGGGG/**GGG**/**GGG** w - - 0 1";
const MASTERS_15: [&str; 3] = [
    "setup (..........................F.G.........................................f.g...............) 7x7+0_fairy \
     **3**/**3**/7/G2f2G/GGGGGGG/**GGG**/**GGG** w - - 0 1",
    "piece f mKcafmKcafmacafmKmpabK",
    "piece G fsmWfmFmpabK",
];

/// An XBoard with a game of `masters-15` set up and the engine in force mode.
fn xboard() -> Client {
    let mut client = Client::new();
    client.send("xboard\nprotover 2");
    client.until("feature done=1");
    assert_eq!(told(&mut client, "memory 4\nnew\nvariant masters-15\nforce"), MASTERS_15);
    client
}

/// What is said until the answer to a ping.
fn told(client: &mut Client, text: &str) -> Vec<String> {
    client.send(text);
    client.send("ping 7");
    let mut lines = client.until("pong 7");
    lines.pop();
    lines
}

/// The moves among these lines, legs joined, without what XBoard would show of the thinking.
fn moves(lines: &[String]) -> Vec<String> {
    let text = lines.join("\n").replace(",\nmove ", ",");
    text.lines().filter_map(|line| line.strip_prefix("move ")).map(str::to_owned).collect()
}

#[test]
fn features_come_between_done_0_and_done_1() {
    let mut client = Client::new();
    client.send("xboard\nprotover 2");
    let lines = client.until("feature done=1");
    assert_eq!(lines[0], "feature done=0");
    assert!(lines.iter().all(|line| line.starts_with("feature ")), "{lines:?}");
    let text = lines.join(" ");
    for feature in ["setboard=1", "usermove=1", "ping=1", "time=1", "analyze=1", "colors=0", "sigint=0", "memory=1"] {
        assert!(text.contains(feature), "{feature}");
    }
    for option in
        ["\"Searcher -combo *auto /// alphabeta /// mcts", "\"MultiPV -spin 1 1 500\"", "\"Clear Hash -button\""]
    {
        assert!(text.contains(option), "{option}");
    }
}

#[test]
fn every_announced_variant_is_set_up_and_the_others_are_refused() {
    let mut client = Client::new();
    client.send("xboard\nprotover 2");
    let lines = client.until("feature done=1");
    let line = lines.iter().find_map(|line| line.strip_prefix("feature variants=\"")).unwrap();
    let names: Vec<&str> = line.trim_end_matches('"').split(',').collect();
    // XBoard plays the first name instead of one that is not in the list, but never this.
    assert_eq!(names[..2], ["unknown", "masters-15"]);
    assert!(names.contains(&"two-foxes-24") && names.contains(&"fox-and-hounds"), "{names:?}");
    for name in &names[1..] {
        let answer = told(&mut client, &format!("new\nvariant {name}"));
        assert_eq!(answer.len(), 3, "{name}: {answer:?}");
        assert!(answer[0].starts_with("setup (") && answer[1].starts_with("piece "), "{name}: {answer:?}");
    }
    for name in ["siege", "bagha-chal", "renard-1840", "halatafl", "normal", "unknown", ""] {
        let answer = told(&mut client, &format!("variant {name}"));
        assert!(answer.len() == 1 && answer[0].starts_with("tellusererror "), "{name}: {answer:?}");
    }
    for name in ["solitaire", "solitaire-french", "the-game", "the-game-horn", "the-game-2010", "goose", "goose-team"] {
        let reason = "it can show only the hunts among reynard's games";
        let answer = told(&mut client, &format!("variant {name}"));
        assert_eq!(answer, [format!("tellusererror XBoard cannot play {name}: {reason}")]);
    }
}

#[test]
fn the_sieges_are_played_without_huffs_under_names_that_say_so() {
    let mut client = xboard();
    let answer = told(&mut client, "variant siege");
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(answer[0].ends_with("huffing lets one side move twice; variant siege-no-huff is this game without that"));
    let answer = told(&mut client, "new\nvariant siege-no-huff\nforce");
    let start = "**3**/**3**/GG1ffGG/GGGGGGG/GGGGGGG/**GGG**/**GGG** w - - 0 1";
    assert!(answer[0].ends_with(&format!(" 7x7+0_fairy {start}")), "{answer:?}");
    // The officer on d5 could take the attacker on c5 and does not: nothing is owed.
    assert!(told(&mut client, "usermove b5c5\nusermove e5e6\nusermove a5b5\nusermove e6e7").is_empty());
    // The switches go with the variant, and with an unknown one nothing goes.
    let before = legal_moves(&mut client);
    assert!(told(&mut client, "variant nonsense")[0].starts_with("tellusererror "));
    assert_eq!(legal_moves(&mut client), before);
    assert_eq!(told(&mut client, "new\nvariant masters-15"), MASTERS_15);
    // Other places, by the option that holds the switches.
    let answer = told(&mut client, "variant hex-siege-no-huff\noption RuleSwitches=huff=none fox_start=f6,g7");
    assert_eq!(answer.len(), 6, "{answer:?}");
}

/// XBoard looks for the names of its own variants at the beginning of ours.
#[test]
fn no_variant_begins_as_one_of_xboard_does() {
    let mut client = Client::new();
    client.send("xboard\nprotover 2");
    let greeting = client.until("feature done=1");
    let offered = greeting.iter().find_map(|line| line.strip_prefix("feature variants=\"")).expect("variants");
    let words = "shogi xiangqi courier gothic capablanca knightmate fairy cylinder falcon berolina janus superchess great \
                 twilight makruk asean seirawan grand spartan lion elven chu normal";
    for name in offered.trim_end_matches('"').split(',') {
        assert!(!words.split_whitespace().any(|word| name.starts_with(word)), "{name}");
    }
    assert!(offered.contains("siege-great-no-huff"), "{offered}");
}

#[test]
fn a_game_without_a_variant_gets_a_message() {
    let mut client = Client::new();
    client.send("xboard\nprotover 2");
    client.until("feature done=1");
    let answer = told(&mut client, "new\nrandom\npost");
    assert!(answer.len() == 1 && answer[0].starts_with("tellusererror No game of reynard's is chosen"), "{answer:?}");
    assert!(told(&mut client, "new\nforce").is_empty(), "once is enough");
    // Options of the command line have chosen a game as well.
    let mut engine = Engine::new().unwrap();
    engine.set_option("Ruleset", Some("masters-13")).unwrap();
    let mut client = Client::of(engine);
    client.send("xboard\nprotover 2");
    client.until("feature done=1");
    let answer = told(&mut client, "new\nrandom\npost");
    assert!(answer.iter().all(|line| !line.starts_with("tellusererror")), "{answer:?}");
}

#[test]
fn a_fox_is_placed_from_the_hand() {
    let mut client = xboard();
    let answer = told(&mut client, "new\nvariant bell-13\nforce");
    let start = "**3**/**3**/7/7/ggggggg/**ggg**/**ggg**[F] w - - 0 1";
    assert!(answer[0].ends_with(&format!(" 7x7+1_fairy {start}")), "{answer:?}");
    assert_eq!(told(&mut client, "usermove F@a3"), ["Illegal move: F@a3"]);
    assert!(told(&mut client, "usermove F@d4\nusermove a3a4\nusermove d4d5\nundo\nundo\nundo").is_empty());
    let played = moves(&told(&mut client, "sd 2\ngo"));
    assert!(played.len() == 1 && played[0].starts_with("F@"), "{played:?}");
    assert!(told(&mut client, &format!("force\nsetboard {start}\nusermove F@d4\nusermove a3a4")).is_empty());
    let placed = "**3**/**3**/7/3F3/ggggggg/**ggg**/**ggg**[] b - - 0 1";
    assert!(told(&mut client, &format!("setboard {placed}\nusermove a3a4\nusermove d4d5")).is_empty());
    client.send("new\nhint");
    assert!(client.until("Hint: ").pop().unwrap().starts_with("Hint: F@"));
}

/// What can be seen of the game: which moves are legal, by the status of an analysis.
fn legal_moves(client: &mut Client) -> String {
    client.send("analyze\n.");
    let status = client.until("stat01:").pop().unwrap();
    told(client, "exit");
    status.split(' ').nth(5).unwrap().to_owned()
}

#[test]
fn a_refused_variant_changes_nothing() {
    let mut client = xboard();
    assert!(told(&mut client, "usermove g4g5\nusermove d4d5").is_empty());
    let before = legal_moves(&mut client);
    for name in ["siege", "bagha-chal", "renard-1840", "normal"] {
        let answer = told(&mut client, &format!("variant {name}"));
        assert!(answer.len() == 1 && answer[0].starts_with("tellusererror "), "{name}: {answer:?}");
        assert_eq!(legal_moves(&mut client), before, "{name}");
    }
    // The fox stands on d5, and both moves can be taken back.
    assert!(told(&mut client, "usermove a4a5\nusermove d5d4\nundo\nundo\nremove\nusermove a4a5").is_empty());
}

#[test]
fn rules_that_xboard_cannot_play_are_refused_as_options_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chosen.toml");
    let siege = reynard_engine::rules::catalog::text("siege").unwrap();
    std::fs::write(&path, siege).unwrap();
    let mut client = xboard();
    assert!(told(&mut client, "usermove g4g5\nusermove d4d5").is_empty());
    let before = legal_moves(&mut client);
    let file = format!("RulesFile={}", path.display());
    for option in ["Ruleset=hex-siege", "ruleswitches=huff=remove_fox", "Ruleset=siege", &file] {
        let answer = told(&mut client, &format!("option {option}"));
        assert!(answer.len() == 1 && answer[0].starts_with("Error (XBoard cannot play "), "{option}: {answer:?}");
        assert_eq!(legal_moves(&mut client), before, "{option}");
    }
    assert!(told(&mut client, "option RuleSwitches=nonsense")[0].starts_with("Error (option RuleSwitches"));
    assert!(told(&mut client, "option RuleSwitches=\nusermove a4a5\nusermove d5d4").is_empty());
}

#[test]
fn other_rules_are_set_up_as_a_new_game() {
    let mut client = xboard();
    assert!(told(&mut client, "usermove g4g5").is_empty());
    let answer = told(&mut client, "option RuleSwitches=chain=false");
    assert_eq!(answer, [MASTERS_15[0], "piece f mKcafmKmpabK", MASTERS_15[2]]);
    assert!(told(&mut client, "usermove g4g5").is_empty());
    // Rules that only say what holds anyway begin a new game as well.
    assert_eq!(told(&mut client, "option RuleSwitches="), MASTERS_15);
    assert!(told(&mut client, "usermove g4g5").is_empty());
    assert_eq!(told(&mut client, "option RuleSwitches=chain=true"), MASTERS_15);
    assert!(told(&mut client, "usermove g4g5").is_empty());
}

#[test]
fn refused_commands_leave_a_search_alone() {
    let mut client = xboard();
    client.send("level 0 60 0\ngo\nvariant siege\nsetboard 8/8 w\nremove\noption Ruleset=siege");
    assert_eq!(moves(&told(&mut client, "?")).len(), 1);
    let answer = told(&mut client, "force\nremove");
    assert!(answer[0].starts_with("Error (command not legal now)"), "{answer:?}");
    assert!(told(&mut client, "undo").is_empty(), "a refused remove takes nothing back");
}

#[test]
fn black_geese_go_up_the_board_too() {
    let mut client = xboard();
    let answer = told(&mut client, "new\nvariant fox-and-hounds");
    assert!(answer[0].contains(" 8x8+0_fairy *1*F*1*1/1*1*1*1*/"), "{answer:?}");
    assert_eq!(answer[1..], ["piece F mFmpabK", "piece g bmFmpabK"]);
}

#[test]
fn moves_are_played_answered_and_refused() {
    let mut client = xboard();
    assert!(told(&mut client, "usermove g4g5").is_empty());
    assert_eq!(told(&mut client, "usermove d4d9"), ["Illegal move: d4d9"]);
    assert_eq!(told(&mut client, "usermove a4a5"), ["Illegal move: a4a5"]);
    assert_eq!(told(&mut client, "usermove \u{fc}\u{fc},"), ["Illegal move: \u{fc}\u{fc},"]);
    assert_eq!(moves(&told(&mut client, "sd 4\ngo")).len(), 1);
    // The engine has the fox now, so a goose move is answered.
    assert_eq!(moves(&told(&mut client, "usermove a4a5")).len(), 1);
    assert!(told(&mut client, "force\nusermove a5b5").is_empty());
}

#[test]
fn after_new_the_engine_answers_for_black() {
    let mut client = xboard();
    assert_eq!(moves(&told(&mut client, "new\nvariant masters-15\nsd 3\nusermove g4g5")).len(), 1);
}

#[test]
fn jumps_are_legs_in_both_directions() {
    let mut client = xboard();
    assert!(told(&mut client, "setboard **3**/**3**/3GG2/3f3/GG3GG/**3**/**3** b - - 0 1").is_empty());
    assert!(told(&mut client, "usermove d4d5,d5e5,e5f4\nundo").is_empty());
    assert!(told(&mut client, "usermove d4d5,d5d6\nundo").is_empty());
    assert_eq!(told(&mut client, "usermove d4d5,d5c6"), ["Illegal move: d4d5,d5c6"]);
    // Two captures are sent at once, one leg by leg.
    let answer = told(&mut client, "sd 1\ngo");
    assert_eq!(moves(&answer), ["d4xd5xe5xf4"], "{answer:?}");
    told(&mut client, "force\nsetboard **3**/**3**/3G3/3f3/GG3GG/**3**/**3** b - - 0 1");
    let answer = told(&mut client, "sd 1\ngo");
    assert_eq!(answer.iter().filter(|line| line.starts_with("move")).count(), 2, "{answer:?}");
    assert_eq!(moves(&answer), ["d4d5,d5d6"]);
}

#[test]
fn a_chain_that_xboard_cannot_show_is_understood_but_not_played() {
    let mut client = xboard();
    let board = "setboard **3**/**3**/3GG2/3fG2/GG4G/**3**/**3** b - - 0 1";
    assert!(told(&mut client, board).is_empty());
    assert!(told(&mut client, "usermove d4d5,d5e5,e5e4,e4d4\nusermove a3a4").is_empty());
    told(&mut client, board);
    let played = moves(&told(&mut client, "sd 2\ngo"));
    assert!(played.len() == 1 && played[0].matches('x').count() <= 3, "{played:?}");
}

#[test]
fn results_are_claimed_by_whoever_sees_the_end() {
    let mut client = xboard();
    let board = "setboard **3**/**3**/3G3/3f3/G5G/**3**/**3** b - - 0 1";
    assert!(told(&mut client, board).is_empty());
    // Two geese are too few: the fox, which is black, has won.
    let answer = told(&mut client, "usermove d4d5,d5d6");
    assert!(answer.len() == 1 && answer[0].starts_with("0-1 {"), "{answer:?}");
    let over = told(&mut client, "usermove a3a4");
    assert!(over[0].starts_with("Illegal move (the game is over"), "{over:?}");
    assert!(told(&mut client, "result 0-1 {}\ngo").is_empty());
    told(&mut client, "force");
    told(&mut client, board);
    let answer = told(&mut client, "sd 2\ngo");
    assert!(answer.last().unwrap().starts_with("0-1 {"), "{answer:?}");
    // Between two programs XBoard believes the loser only.
    told(&mut client, "new\nvariant masters-15\ncomputer\nforce");
    told(&mut client, board);
    let answer = told(&mut client, "sd 2\ngo");
    assert!(answer.iter().all(|line| !line.starts_with("0-1")), "{answer:?}");
}

#[test]
fn setboard_refuses_what_is_no_position() {
    let mut client = xboard();
    for bad in ["", "8/8 w", "**3**/**3**/7/7/7/**3**/**3** w - -", "7/7/7/7/7/7/7 x", &START.replace('f', "F")] {
        let answer = told(&mut client, &format!("setboard {bad}"));
        assert!(answer.len() == 1 && answer[0].starts_with("tellusererror Illegal position"), "{bad}: {answer:?}");
    }
    assert!(told(&mut client, &format!("setboard {START}\nusermove a4a5")).is_empty());
}

#[test]
fn moves_are_taken_back() {
    let mut client = xboard();
    assert!(told(&mut client, "usermove a4a5\nundo\nusermove g4g5\nusermove d4d5\nremove\nusermove a4a5").is_empty());
    assert!(told(&mut client, "undo").is_empty());
    let answer = told(&mut client, "undo");
    assert!(answer[0].starts_with("Error (command not legal now)"), "{answer:?}");
}

#[test]
fn clocks_are_read_and_bad_ones_refused() {
    let mut client = xboard();
    assert!(told(&mut client, "level 40 0:30 0\ntime 100\notim 100").is_empty());
    assert_eq!(moves(&told(&mut client, "go")).len(), 1);
    assert!(told(&mut client, "force\nst 0.05").is_empty());
    assert_eq!(moves(&told(&mut client, "go")).len(), 1);
    // An increment of more milliseconds than a machine word holds.
    assert!(told(&mut client, "force\nlevel 0 1 7000000000000000000\nsd 1").is_empty());
    assert_eq!(moves(&told(&mut client, "go")).len(), 1);
    for bad in ["level 40", "st x", "sd 0", "time", "otim 1 2"] {
        let answer = told(&mut client, bad);
        assert!(answer.len() == 1 && answer[0].starts_with("Error (bad number): "), "{bad}: {answer:?}");
    }
}

#[test]
fn thinking_is_shown_after_post_and_move_now_ends_it() {
    let mut client = xboard();
    client.send("post\nlevel 0 60 0\ngo");
    let line = client.line();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert!(words.len() > 4 && words[..4].iter().all(|word| word.parse::<i64>().is_ok()), "{line}");
    client.send("?");
    client.until("move ");
    assert!(moves(&told(&mut client, "nopost\nsd 3\nforce")).is_empty());
    assert_eq!(told(&mut client, "go").len(), 1);
}

#[test]
fn force_withdraws_a_search() {
    let mut client = xboard();
    client.send("level 0 60 0\ngo\nforce");
    assert!(told(&mut client, "usermove a4a5").is_empty());
    assert_eq!(moves(&told(&mut client, "sd 2\ngo")).len(), 1);
}

#[test]
fn an_analysis_follows_the_game_until_exit() {
    let mut client = xboard();
    client.send("post\nanalyze");
    assert!(client.line().split(' ').take(4).all(|word| word.parse::<i64>().is_ok()));
    client.send("usermove a4a5\n.");
    let status = client.until("stat01:").pop().unwrap();
    assert!(status.split(' ').skip(1).take(5).all(|word| word.parse::<u64>().is_ok()), "{status}");
    client.send("undo\nusermove g4g5\nexit");
    let lines = told(&mut client, "usermove d4d5");
    assert!(moves(&lines).is_empty(), "{lines:?}");
    assert!(told(&mut client, "usermove a4a5").is_empty());
}

/// The depth that the search of the opponent's position has reached once there is one.
fn pondered(client: &mut Client) -> u32 {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let status = told(client, ".");
        let depth = status.first().and_then(|line| line.split(' ').nth(3)?.parse().ok());
        if let Some(depth) = depth.filter(|&depth| depth > 0) {
            return depth;
        }
        assert!(Instant::now() < deadline, "it does not ponder");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn hard_thinks_on_the_opponents_time_until_easy() {
    let mut client = xboard();
    assert_eq!(moves(&told(&mut client, "sd 2\ngo")).len(), 1);
    assert!(told(&mut client, ".").is_empty(), "nobody has asked for it");
    told(&mut client, "force\nundo");
    assert_eq!(moves(&told(&mut client, "post\nhard\ngo")).len(), 1);
    assert!(pondered(&mut client) > 0);
    // What it thinks then is not shown: it is the opponent's opinion.
    assert!(told(&mut client, "ping 3").iter().all(|line| line == "pong 3"));
    client.send("hint");
    assert!(client.until("Hint: ").pop().unwrap().starts_with("Hint: d4"));
    assert!(pondered(&mut client) > 0, "it goes on after the hint");
    assert_eq!(told(&mut client, "usermove d4d9"), ["Illegal move: d4d9"]);
    assert_eq!(moves(&told(&mut client, "nopost\nusermove d4d5")).len(), 1);
    assert!(pondered(&mut client) > 0);
    assert!(told(&mut client, "easy\n.").is_empty());
    assert!(told(&mut client, "hard\nforce\nundo\n.").is_empty());
}

#[test]
fn hints_options_and_unknown_commands() {
    let mut client = xboard();
    client.send("hint");
    assert_eq!(client.until("Hint: ").pop().unwrap().len(), "Hint: a4a5".len());
    assert_eq!(told(&mut client, "bk"), [" There is no opening book.", ""]);
    assert!(told(&mut client, "option Searcher=mcts\noption MultiPV=2\noption Clear Hash\ncores 2").is_empty());
    assert!(told(&mut client, "option Ponder=1\nrandom\neasy\nhard\nname X\nrating 1 2\naccepted x").is_empty());
    assert!(told(&mut client, "option MultiPV=x")[0].starts_with("Error (option MultiPV"));
    assert!(told(&mut client, "option Nothing=1")[0].starts_with("Error (unknown option"));
    assert_eq!(told(&mut client, "sing a song"), ["Error (unknown command): sing a song"]);
    client.send("quit");
    assert!(client.end_input().is_empty());
}

#[test]
fn a_ping_without_a_number_gets_a_pong_without_one() {
    let mut client = xboard();
    assert_eq!(told(&mut client, "ping\nping  12 "), ["pong", "pong 12"]);
}

#[test]
fn a_script_gets_its_move_before_the_input_ends() {
    let mut client = xboard();
    client.send("sd 4\ngo");
    assert_eq!(moves(&client.end_input()).len(), 1);
}
