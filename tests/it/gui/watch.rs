//! Runs as a page sees them while they are played and afterwards.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::board::{Board, Socket};

/// A tournament of games between two searchers that take this long for a move.
fn spec(pairs: u32, limits: Value) -> Value {
    json!({
        "name": "watched", "rulesets": ["bell-13"], "format": "sprt", "pairs": pairs,
        "sprt": {"elo0": 0, "elo1": 1}, "openings": {"kind": "random", "plies": 4}, "concurrency": 2,
        "engines": [
            {"name": "first", "options": {"Searcher": "alphabeta"}},
            {"name": "second", "options": {"Searcher": "mcts"}}
        ],
        "limits": limits, "max_plies": 20, "seed": 7,
    })
}

fn run(folder: &Path, words: &[&str], spec: &Value) -> Child {
    let file = folder.join("spec.in.json");
    fs::write(&file, spec.to_string()).expect("a spec");
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.args(words).arg(&file).arg("--out").arg(folder.join("out")).args(["--quiet"]);
    command.stdout(Stdio::null()).spawn().expect("a run")
}

/// A board that watches a folder, which need not be there yet.
fn board(folder: &Path) -> Board {
    Board::start(&["--watch", folder.join("out").to_str().expect("text")])
}

/// Reads frames up to the first one of this kind for which it holds.
fn wait_for(socket: &mut Socket, kind: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let frame = socket.json();
        if frame["watch"] == kind && holds(&frame[kind]) {
            return frame[kind].clone();
        }
        assert!(start.elapsed() < Duration::from_secs(300), "{kind}: {frame}");
    }
}

#[test]
fn a_running_tournament_is_watched_move_by_move() {
    let folder = TempDir::new().expect("a folder");
    let board = board(folder.path());
    let mut socket = board.socket("/ws/watch");
    let before = wait_for(&mut socket, "state", |_| true);
    assert_eq!((&before["running"], &before["games"]), (&json!(false), &json!(0)));
    assert!(before["error"].as_str().expect("a reason").contains("out"), "{before}");
    let mut tournament = run(folder.path(), &["tournament", "run"], &spec(5000, json!({"movetime_ms": 10})));
    let about = wait_for(&mut socket, "run", |run| !run.is_null());
    assert_eq!(about["engines"], json!(["first", "second"]));
    assert_eq!(about["rulesets"][0]["catalog"], "bell-13");
    // Moves fall one after the other.
    let first = wait_for(&mut socket, "live", |games| games.as_array().is_some_and(|games| games.len() == 2));
    let moves = |game: &Value| game["moves"].as_array().map_or(0, Vec::len);
    let (number, length) = (first[0]["fixture"]["game"].clone(), moves(&first[0]));
    wait_for(&mut socket, "live", |games| {
        let same = games.as_array().into_iter().flatten().find(|game| game["fixture"]["game"] == number);
        same.is_none_or(|game| moves(game) > length)
    });
    let state = wait_for(&mut socket, "state", |state| state["games"].as_u64() > Some(1));
    assert_eq!((&state["running"], &state["expected"]), (&json!(true), &json!(10_000)));
    assert_eq!(state["standings"]["engines"][0]["name"], "first");
    assert!(state["figures"].as_str().is_some_and(|figures| figures.contains("Log-likelihood ratio")), "{state}");
    let first = &board.get("/api/runs/out/games").json()["games"][0];
    assert!(first["reason"].is_string(), "{first}");
    tournament.kill().expect("a signal");
    tournament.wait().expect("an end");
    let mut socket = board.socket("/ws/watch");
    wait_for(&mut socket, "state", |state| state["running"] == false);
    // What is known is told to each page that comes.
    wait_for(&mut board.socket("/ws/watch"), "live", |live| *live == json!([]));
}

#[test]
fn a_finished_tournament_has_its_games() {
    let folder = TempDir::new().expect("a folder");
    let mut tournament = run(folder.path(), &["tournament", "run"], &spec(2, json!({"nodes": 300})));
    assert!(tournament.wait().expect("an end").code().is_some_and(|code| code < 2));
    assert!(!folder.path().join("out/live.json").exists());
    let board = board(folder.path());
    let mut socket = board.socket("/ws/watch");
    let state = wait_for(&mut socket, "state", |state| state["games"] == 4);
    assert_eq!((&state["running"], &state["error"]), (&json!(false), &Value::Null));
    let run = wait_for(&mut board.socket("/ws/watch"), "run", |_| true);
    wait_for(&mut board.socket("/ws/watch"), "live", |live| *live == json!([]));
    let text = run["rulesets"][0]["text"].as_str().expect("rules");
    assert_eq!(board.post("/api/ruleset", text).json()["name"], "bell-13");
    let list = board.get("/api/runs/out/games?from=1&count=2").json();
    assert_eq!((&list["total"], list["games"].as_array().map(Vec::len)), (&json!(4), Some(2)));
    assert_eq!(list["games"][0]["game"], 1);
    let game = board.get("/api/runs/out/games/1").json();
    assert_eq!((&game["game"], &game["ruleset"]), (&json!(1), &json!("bell-13")));
    let journal = fs::read_to_string(folder.path().join("out/journal.jsonl")).expect("a journal");
    let games = journal.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).expect("a game"));
    let record = games.into_iter().find(|game| game["fixture"]["game"] == 1).expect("game 1");
    let opening = record["opening"]["moves"].as_array().expect("an opening").iter();
    let moves: Vec<&Value> =
        opening.chain(record["moves"].as_array().expect("moves").iter().map(|mv| &mv[0])).collect();
    assert_eq!((&game["start"], &game["moves"]), (&record["opening"]["start"], &json!(moves)));
    assert_eq!(list["games"][0]["plies"], moves.len());
    assert_eq!((&game["engines"], &game["winner"]), (&list["games"][0]["engines"], &record["ending"]["winner"]));
    let said = record["moves"].as_array().expect("moves").iter().map(|mv| [&mv[1], &mv[2], &mv[3]]);
    let shown = game["said"].as_array().expect("opinions").iter().map(|said| [&said[0], &said[1], &said[2]]);
    assert!(said.eq(shown) && game["said"][0][3].is_u64(), "{game}");
    assert_eq!(
        (&game["movers"].as_array().map(Vec::len), &game["rules"]["catalog"]),
        (&Some(moves.len()), &json!("bell-13"))
    );
    let status = |path: &str| board.get(&format!("/api/runs/{path}")).status;
    assert_eq!((status("out/games/9"), status("out/games?from=x"), status("other/games")), (404, 400, 404));
}

#[test]
fn the_files_of_a_run_for_people_are_served_and_no_others() {
    let folder = TempDir::new().expect("a folder");
    let mut tournament = run(folder.path(), &["tournament", "run"], &spec(1, json!({"nodes": 20})));
    assert!(tournament.wait().expect("an end").code().is_some_and(|code| code < 2));
    let board = board(folder.path());
    let mut socket = board.socket("/ws/watch");
    assert_eq!(wait_for(&mut socket, "name", |_| true), "out");
    assert_eq!(wait_for(&mut socket, "run", |run| !run.is_null())["limits"], "20 nodes a move");
    for (name, kind) in [("report.html", "text/html"), ("games.pgn", "text/plain")] {
        let reply = board.get(&format!("/api/runs/out/{name}"));
        let text = fs::read(folder.path().join("out").join(name)).expect("a file");
        assert_eq!((reply.status, reply.body.as_slice()), (200, &*text), "{name}");
        assert_eq!(reply.header("content-type"), Some(&*format!("{kind}; charset=utf-8")));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        // Its scripts run in a page that is nobody's.
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("sandbox allow-scripts") && policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("allow-same-origin") && !policy.contains("connect-src 'self'"), "{policy}");
        // Where a run was stopped before it has written them they are of the games so far.
        fs::remove_file(folder.path().join("out").join(name)).expect("no file");
        let again = board.get(&format!("/api/runs/out/{name}"));
        assert_eq!((again.status, again.body == text), (200, true), "{name}");
    }
    for path in
        ["out/journal.jsonl", "out/..%2Fspec.json", "..%2Fout/report.html", "./report.html", "other/report.html"]
    {
        assert_eq!(board.get(&format!("/api/runs/{path}")).status, 404, "{path}");
    }
}

#[test]
fn what_weakens_a_result_is_on_the_board() {
    let folder = TempDir::new().expect("a folder");
    let mut spec = spec(1, json!({"nodes": 10}));
    let script = "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
                  go*) echo bestmove a1a2;; esac; done";
    spec["engines"][1] = json!({"name": "second", "program": {"command": "/bin/sh", "args": ["-c", script]}});
    run(folder.path(), &["tournament", "run"], &spec).wait().expect("an end");
    let board = board(folder.path());
    let state = wait_for(&mut board.socket("/ws/watch"), "state", |state| state["games"] == 2);
    let head = state["head"].as_str().expect("a head");
    assert!(head.contains("<p>Forfeits ended 2 of 2 games (100.0 %): second 2 (2 illegal move)."), "{head}");
    // The page counts the games, and once is enough.
    assert!(head.contains("<p>sprt<span> · </span><span>10 nodes a move</span></p>"), "{head}");
}

#[test]
fn a_tuning_is_watched_too() {
    let folder = TempDir::new().expect("a folder");
    let spec = json!({
        "name": "grid", "ruleset": "bell-13", "method": "grid", "pairs": 1, "limits": {"nodes": 200},
        "engine": {"options": {"EvalFile": "linear"}},
        "parameters": [{"name": "EvalFoxReach", "min": 0, "max": 20, "values": [0, 10]}], "max_plies": 40,
        "final_pairs": 0,
    });
    let mut tuning = run(folder.path(), &["tune"], &spec);
    assert!(tuning.wait().expect("an end").success());
    let board = board(folder.path());
    let mut socket = board.socket("/ws/watch");
    let about = wait_for(&mut socket, "run", |run| !run.is_null());
    assert_eq!(about["rulesets"][0]["label"], "bell-13");
    let state = wait_for(&mut socket, "state", |state| state["games"].as_u64() > Some(0));
    let figures = state["figures"].as_str().expect("figures");
    assert!(figures.contains("Score in % over EvalFoxReach") && figures.contains("<h2>Points</h2>"), "{figures}");
    // HTML that is no trace is not shown.
    let foreign = "<main><div id=\"head\"><img src=x onerror=alert(1)></div><div id=\"figures\">x</div></main>";
    fs::write(folder.path().join("out/trace.html"), foreign).expect("a page");
    let state = wait_for(&mut socket, "state", |state| state["head"] == "");
    assert_eq!(state["figures"], "");
}

#[test]
fn a_run_of_an_earlier_server_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let mut tournament = run(folder.path(), &["tournament", "run"], &spec(2, json!({"nodes": 10})));
    assert!(tournament.wait().expect("an end").code().is_some_and(|code| code < 2));
    let [out, done] = ["out", "done"].map(|name| folder.path().join(name));
    fs::rename(&out, &done).expect("a move");
    fs::create_dir(&out).expect("a folder");
    fs::rename(&done, out.join("run-1")).expect("a move");
    fs::copy(folder.path().join("spec.in.json"), out.join("run-1.json")).expect("a spec");
    let stopped = |is_so: bool| {
        let board = board(folder.path());
        wait_for(&mut board.socket("/ws/watch"), "child", |child| child["stopped"] == is_so);
    };
    stopped(false);
    let journal = out.join("run-1/journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let first: String = text.split_inclusive('\n').take(3).collect();
    fs::write(&journal, first).expect("a shorter one");
    stopped(true);
}

#[test]
fn a_game_is_learned_for_the_engines_of_pages() {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("out")).expect("a folder");
    let board = board(folder.path());
    let learn = |wish: Value| board.post("/api/learn", &wish.to_string());
    let refused = [
        (json!({"learn": "../x"}), 422),
        (json!({"learn": "goose"}), 422),
        (json!({"learn": "bell-13", "effort": -1}), 422),
        (json!({"learn": "bell-13", "out": "/x"}), 400),
    ];
    for (wish, status) in refused {
        assert_eq!(learn(wish.clone()).status, status, "{wish}");
    }
    let mut socket = board.socket("/ws/watch");
    // One that does not end before it is stopped says how far it is.
    assert_eq!(learn(json!({"learn": "great-siege", "effort": 1000})).status, 200);
    wait_for(&mut socket, "child", |child| child["learns"] == "great-siege" && child["said"].is_string());
    board.post("/api/run/stop", "");
    wait_for(&mut socket, "child", |child| child["stopped"] == true);
    assert_eq!(learn(json!({"learn": "hare-and-hounds", "effort": 0.001})).status, 200);
    let is_done = |child: &Value| child["running"] == false && child["stopped"] == false;
    let child = wait_for(&mut socket, "child", is_done);
    assert_eq!(child["error"], Value::Null);
    let learned = || board.get("/api/about").json()["learned"].clone();
    // So short a lesson finds nothing better.
    assert_eq!(learned(), json!([]));
    let run = folder.path().join("out/run-2");
    fs::write(run.join("result.json"), r#"{"verdict": "gain"}"#).expect("a file");
    assert_eq!(learned(), json!(["hare-and-hounds"]));
    // Earlier runs may be deleted.
    fs::remove_dir_all(folder.path().join("out/run-1")).expect("a folder");
    assert_eq!(learned(), json!(["hare-and-hounds"]));
    // Which file it is the server alone knows; an engine says so where it is none.
    let file = run.join("learned.weights");
    let weights = fs::read(&file).expect("weights");
    fs::write(&file, "none").expect("a file");
    let mut engine = board.socket("/ws/engine?engine=0");
    for (name, game) in [("UCI_Variant", "bell-13"), ("uci_variant", "hare-and-hounds"), ("UCI_Variant", "bell-13")] {
        engine.send(&format!("setoption name {name} value {game}\nposition startpos\ngo nodes 1"));
        let lines = std::iter::from_fn(|| engine.line()).take_while(|line| !line.starts_with("bestmove"));
        let lines: Vec<String> = lines.collect();
        let is_learned = lines.iter().any(|line| line.contains("learned.weights"));
        assert_eq!(is_learned, game == "hare-and-hounds", "{lines:?}");
    }
    // Tournaments of this game alone play by them, too.
    fs::write(&file, weights).expect("a file");
    let wish = |rulesets: Value| {
        let engines = json!([{"name": "a", "program": 0, "options": {}}, {"name": "b", "program": 0, "options": {}}]);
        json!({"name": "x", "rulesets": rulesets, "engines": engines, "limits": {"nodes": 1}, "pairs": 1})
    };
    for (number, rulesets, is_learned) in [(3, json!(["hare-and-hounds"]), true), (4, json!(["bell-13"]), false)] {
        // Where no page sees one under way there is none.
        wait_for(&mut board.socket("/ws/watch"), "child", is_done);
        assert_eq!(board.post("/api/run", &wish(rulesets).to_string()).status, 200);
        let spec = fs::read_to_string(folder.path().join(format!("out/run-{number}.json"))).expect("a spec");
        assert_eq!(spec.contains("learned.weights"), is_learned, "{spec}");
    }
}

/// The id of a ruleset that is posted.
fn post(board: &Board, rules: &str) -> String {
    board.post("/api/ruleset", rules).json()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_ruleset_of_ones_own_is_learned_in_the_folder_of_runs() {
    let state = TempDir::new().expect("a folder");
    let board = Board::start_in(state.path(), &[]);
    let rules = r#"{"name": "mine", "extends": "hare-and-hounds", "chain": true}"#;
    let learn = |wish: Value| board.post("/api/learn", &wish.to_string());
    let puzzle = post(&board, r#"{"name": "mine", "extends": "solitaire"}"#);
    let refused = [
        (json!({"posted": puzzle}), "no hunt"),
        (json!({"posted": "0"}), "post it again"),
        (json!({"posted": puzzle, "learn": "bell-13"}), "name a game"),
        (json!({}), "name a game"),
    ];
    for (wish, why) in refused {
        let reply = learn(wish);
        assert!(reply.status == 422 && reply.text().contains(why), "{}", reply.text());
    }
    let id = post(&board, rules);
    assert_eq!(learn(json!({"posted": id, "effort": 0.001})).json()["run"], "run-1");
    let child = wait_for(&mut board.socket("/ws/watch"), "child", |child| child["running"] == false);
    assert_eq!(child["error"], Value::Null);
    let run = state.path().join("reynard/runs/run-1");
    fs::write(run.join("result.json"), r#"{"verdict": "gain", "serves": ["mcts"]}"#).expect("a file");
    fs::write(run.join("learned.weights"), "none").expect("a file");
    // The next board knows the game by its rules, however they are written.
    drop(board);
    let board = Board::start_in(state.path(), &[]);
    let learned = board.get("/api/about").json()["learned"].clone();
    let others = [
        (r#"{"extends": "hare-and-hounds", "title": "Mine", "name": "other", "chain": true}"#, true),
        (r#"{"name": "mine", "extends": "hare-and-hounds"}"#, false),
    ];
    for (rules, is_learned) in [(rules, true)].into_iter().chain(others) {
        let game = board.post("/api/ruleset", rules).json();
        assert_eq!(learned == json!([game["game"]["rules"]["fingerprint"]]), is_learned, "{learned}");
        let id = game["id"].as_str().expect("an id");
        let mut engine = board.socket(&format!("/ws/engine?engine=0&ruleset={id}"));
        engine.send("position startpos\ngo nodes 1");
        let mut lines = std::iter::from_fn(|| engine.line()).take_while(|line| !line.starts_with("bestmove"));
        assert_eq!(lines.any(|line| line.contains("learned.weights")), is_learned, "{rules}");
    }
}

#[test]
fn two_boards_have_one_run_under_way_in_a_folder() {
    let state = TempDir::new().expect("a folder");
    let boards = [(); 2].map(|()| Board::start_in(state.path(), &[]));
    let learn =
        |board: &Board, game: &str| board.post("/api/learn", &json!({"learn": game, "effort": 1000}).to_string());
    assert_eq!(learn(&boards[0], "great-siege").status, 200);
    let refused = learn(&boards[1], "bell-13");
    assert!(refused.status == 409 && refused.text().contains("another board"), "{}", refused.text());
    boards[0].post("/api/run/stop", "");
    wait_for(&mut boards[0].socket("/ws/watch"), "child", |child| child["running"] == false);
    // The lock is given back a moment later.
    let is_free = || learn(&boards[1], "bell-13").status == 200;
    let start = Instant::now();
    while !is_free() {
        assert!(start.elapsed() < Duration::from_secs(60), "the folder is not given back");
    }
}

#[test]
fn a_run_that_leaves_nothing_is_forgotten_and_one_without_a_journal_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    fs::create_dir(&out).expect("a folder");
    let server = board(folder.path());
    let wish = json!({
        "name": "x", "rulesets": ["bell-13"], "limits": {"nodes": -1}, "pairs": 1,
        "engines": [{"name": "a", "program": 0, "options": {}}, {"name": "b", "program": 0, "options": {}}],
    });
    // Whoever asked hears why, and can ask for something else.
    let refused = server.post("/api/run", &wish.to_string());
    let said = refused.json()["error"].to_string();
    assert!(refused.status == 422 && said.starts_with("\"limits") && said.contains("nodes"), "{said}");
    assert!(!out.join("run-1").exists() && !out.join("run-1.json").exists());
    drop(server);
    // As a lesson leaves it that was stopped while it made its tables.
    fs::create_dir(out.join("run-1")).expect("a folder");
    fs::write(out.join("run-1.json"), r#"{"learn": "great-siege", "effort": 1000}"#).expect("a spec");
    let server = board(folder.path());
    let mut socket = server.socket("/ws/watch");
    wait_for(&mut socket, "child", |child| child["stopped"] == true);
    assert_eq!(server.post("/api/run/resume", "run-1").status, 200);
    wait_for(&mut socket, "child", |child| child["learns"] == "great-siege");
    // A stop is no failure, however early it comes.
    server.post("/api/run/stop", "");
    let child = wait_for(&mut socket, "child", |child| child["running"] == false);
    assert_eq!((&child["stopped"], &child["error"]), (&json!(true), &Value::Null));
}

#[test]
fn a_run_that_begins_takes_the_place_of_the_one_before() {
    let folder = TempDir::new().expect("a folder");
    let mut tournament = run(folder.path(), &["tournament", "run"], &spec(1, json!({"nodes": 10})));
    assert!(tournament.wait().expect("an end").code().is_some_and(|code| code < 2));
    let board = board(folder.path());
    let mut socket = board.socket("/ws/watch");
    wait_for(&mut socket, "run", |run| !run.is_null());
    assert_eq!(board.post("/api/learn", r#"{"learn": "great-siege", "effort": 1000}"#).status, 200);
    wait_for(&mut socket, "run", Value::is_null);
    // Both are listed, and the one before can be looked at.
    let list = board.get("/api/runs").json();
    let names: Vec<&Value> = list.as_array().expect("a list").iter().map(|run| &run["name"]).collect();
    assert_eq!(names, [&json!("out"), &json!("run-1")]);
    assert_eq!((&list[0]["state"]["games"], &list[1]["run"]), (&json!(2), &Value::Null));
    let mut before = board.socket("/ws/watch/out");
    wait_for(&mut before, "run", |run| !run.is_null());
    // Its page sees which one is under way.
    wait_for(&mut before, "child", |child| child["name"] == "run-1" && child["running"] == true);
    // One that is not there is refused, and nothing else is shown in its place.
    let mut none = board.socket("/ws/watch/run-9");
    assert_eq!(wait_for(&mut none, "state", |_| true)["error"], "there is no run 'run-9' here");
    assert_eq!(board.get("/api/runs/run-9/games").status, 404);
    assert_eq!(board.get("/api/runs/out/games").json()["total"], 2);
    board.post("/api/run/stop", "");
}

#[test]
fn only_what_a_page_has_started_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let mut tournament = run(folder.path(), &["tournament", "run"], &spec(1, json!({"nodes": 10})));
    assert!(tournament.wait().expect("an end").code().is_some_and(|code| code < 2));
    fs::write(folder.path().join("out.json"), "{}").expect("a spec");
    let reply = board(folder.path()).post("/api/run/resume", "out");
    assert_eq!(reply.status, 404);
    assert!(reply.json()["error"].as_str().is_some_and(|error| error.contains("no page has started")));
}

#[test]
fn a_run_that_there_is_not_has_no_games() {
    let board = Board::start(&[]);
    for path in ["/api/runs/out/games", "/api/runs/out/games/1", "/api/runs/out/report.html"] {
        assert_eq!(board.get(path).status, 404, "{path}");
    }
}
