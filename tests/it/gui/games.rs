//! Games and rulesets as the page gets them.

use std::process::{Command, Stdio};

use reynard_engine::rules::catalog;
use serde_json::{Value, json};

use super::board::Board;

/// What the program answers to a query at the start of a game, on a pipe.
fn asked(game: &str, query: &str) -> Value {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("an engine");
    let words = format!("setoption name UCI_Variant value {game}\nquery {query}\nquit\n");
    std::io::Write::write_all(&mut engine.stdin.take().expect("a pipe"), words.as_bytes()).expect("a question");
    let output = engine.wait_with_output().expect("an answer");
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(text.trim().strip_prefix("response ").expect("an answer")).expect("JSON")
}

#[test]
fn all_games_are_there_as_the_protocol_has_them() {
    let board = Board::start(&[]);
    let games = board.get("/api/games").json();
    let names: Vec<&str> = catalog::all_names().collect();
    let listed: Vec<&str> = games.as_array().expect("a list").iter().filter_map(|game| game["name"].as_str()).collect();
    assert_eq!(listed, names);
    for game in games.as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        for key in ["title", "family", "about", "source"] {
            assert!(!game[key].as_str().unwrap_or_default().is_empty(), "{name}: {key}");
        }
        // The other hunts of the world are told from their keys.
        for language in ["en", "nl"] {
            let sides = game["text"][language]["sides"].as_array();
            assert!(sides.is_some_and(|sides| !sides.is_empty()), "{name}: {language}");
        }
        assert!(!game["seats"].as_array().expect("seats").is_empty(), "{name}");
    }
    for query in ["rules", "board", "pieces", "game"] {
        let game = games.as_array().expect("a list").iter().find(|game| game["name"] == "siege").expect("siege");
        assert_eq!(game[query], asked("siege", query), "{query}");
    }
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let board = Board::start(&[]);
    for path in ["/", "/assets/index.html", "/assets/board.css", "/api/games"] {
        let (host, cookie) = (board.host(), board.cookie());
        let ask = |name: &str, value: &str| {
            board.raw(&format!("GET {path}"), &[("Host", &host), ("Cookie", &cookie), (name, value)], b"")
        };
        let plain = ask("Accept", "*/*");
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        let tag = plain.header("etag").expect("a tag").to_owned();
        let again = ask("If-None-Match", &tag);
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        let packed = ask("Accept-Encoding", "gzip, deflate, br, zstd");
        assert_eq!((packed.status, packed.header("content-encoding")), (200, Some("zstd")), "{path}");
        assert_eq!(zstd::decode_all(&*packed.body).expect("zstd"), plain.body, "{path}");
    }
    for path in ["/assets/mod.rs", "/assets/..%2Fmod.rs", "/assets/../mod.rs", "/assets/", "/assets/%2Fetc%2Fpasswd"] {
        assert_eq!(board.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_ruleset_is_checked_and_played() {
    let state = tempfile::TempDir::new().expect("a folder");
    let mut board = Board::start_in(state.path(), &[]);
    let text = r#"{"name": "lonely", "extends": "masters-15", "geese": ["a3", "b3", "c3", "d3"], "fox_wins_below": 2}"#;
    let reply = board.post("/api/ruleset", text).json();
    assert_eq!((&reply["ok"], &reply["name"]), (&json!(true), &json!("lonely")), "{reply}");
    let id = reply["id"].as_str().expect("an id");
    assert_eq!(board.post("/api/ruleset", text).json()["id"], id, "the same text has the same id");
    let mut socket = board.socket(&format!("/ws/engine?engine=0&ruleset={id}"));
    assert_eq!(socket.json(), json!({"server": "started"}));
    socket.send("query fen");
    assert_eq!(socket.line().as_deref(), Some("response 3/3/7/3F3/GGGG3/3/3 g"));
    let mut socket = board.socket("/ws/engine?ruleset=0");
    let reason = "this ruleset is not known here: post it again";
    assert_eq!(socket.json(), json!({"server": "refused", "reason": reason}));
    let names = || std::fs::read_dir(state.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let folder = names().find(|path| path.to_string_lossy().contains("reynard-rulesets")).expect("a folder");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(folder).expect("a folder").permissions());
    assert_eq!(mode & 0o777, 0o700);
    board.end(nix::sys::signal::Signal::SIGTERM);
    assert_eq!(
        names().map(|path| path.file_name().map(ToOwned::to_owned)).collect::<Vec<_>>(),
        [Some("reynard".into())]
    );
}

#[test]
fn one_look_tells_all_of_a_position_and_needs_no_engine() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let tables = folder.path().to_str().expect("text");
    let build = ["table", "build", "fox-and-hounds", "--dir", tables];
    assert!(
        Command::new(env!("CARGO_BIN_EXE_reynard"))
            .args(build)
            .stdout(Stdio::null())
            .status()
            .expect("a builder")
            .success()
    );
    let board = Board::start(&["--tables", tables]);
    let look = |ruleset: Value, start: Option<&str>, moves: &[&str], more: &[&str]| {
        let asked = json!({"ruleset": ruleset, "start": start, "moves": moves, "more": more});
        board.post("/api/look", &asked.to_string()).json()
    };
    let masters = || json!({"catalog": "masters-15"});
    let first = look(masters(), None, &[], &[]);
    for query in ["moves", "pieces"] {
        assert_eq!(first[query], asked("masters-15", query), "{query}");
    }
    let plain =
        |found: &Value| json!([found["error"], found["turn"], found["result"], found["table"], found["played"]]);
    assert_eq!(plain(&first), json!([null, "p1", null, null, null]));
    let played = look(masters(), None, &["c3c4"], &["played"]);
    assert_eq!((&played["turn"], &played["played"][0]["to"]), (&json!("p2"), &json!("c4")));
    let wrong = look(masters(), None, &["c3c5"], &[]);
    assert!(wrong["error"].as_str().expect("a reason").contains("c3c5"), "{wrong}");
    // A text that is no position leaves nothing of the look before.
    let wrong = look(masters(), Some("nonsense"), &[], &[]);
    assert!(wrong["error"].is_string() && wrong["fen"] == first["fen"], "{wrong}");
    let hounds = look(json!({"catalog": "fox-and-hounds"}), None, &[], &[]);
    assert_eq!(hounds["table"]["value"], "loss", "the fox moves first: {hounds}");
    let chances = look(json!({"catalog": "goose"}), None, &["6+3"], &["chances"]);
    assert!(chances["chances"]["players"][1]["win"].is_number() && chances["route"].is_null(), "{chances}");
    let text = r#"{"name": "lonely", "extends": "masters-15", "geese": ["a3", "b3", "c3", "d3"], "fox_wins_below": 2}"#;
    let posted = board.post("/api/ruleset", text).json();
    let lonely = look(json!({"posted": posted["id"]}), None, &[], &[]);
    assert_eq!((&lonely["fen"], &posted["game"]["seats"]), (&json!("3/3/7/3F3/GGGG3/3/3 g"), &json!(["geese", "fox"])));
    for (ruleset, reason) in [(json!({"posted": "0"}), "post it again"), (json!({"catalog": "chess"}), "chess")] {
        let refused = look(ruleset, None, &[], &[]);
        assert!(refused["error"].as_str().expect("a reason").contains(reason), "{refused}");
    }
    assert!(super::engines::children(board.id()).is_empty());
}

#[test]
fn errors_of_rulesets_have_their_place() {
    let board = Board::start(&[]);
    for (text, place, words) in [
        ("{\"name\": \"a\",\n \"chain\": 5}", [2, 2], "key 'chain': invalid type: integer `5`, expected a boolean"),
        ("{\"name\": \"a\",\n  \"chian\": true}", [2, 3], "did you mean 'chain'?"),
        ("{\"name\": \"a\",\n\n  \"fox_start\": \"z9\"}", [3, 3], "'z9' is not a point of the board"),
        ("{\"name\": \"a\",\n  \"chain\": true,,}", [2, 17], "key must be a string"),
        ("{\"name\": \"a\", \"name\": \"b\"}", [1, 15], "twice"),
    ] {
        let reply = board.post("/api/ruleset", text).json();
        assert_eq!(reply["ok"], false, "{text}");
        assert!(reply["error"].as_str().expect("words").contains(words), "{reply}");
        assert_eq!([&reply["line"], &reply["column"]], place, "{reply}");
    }
    let nowhere = board.post("/api/ruleset", "[]").json();
    assert_eq!((&nowhere["ok"], &nowhere["line"]), (&json!(false), &Value::Null), "{nowhere}");
    let long = format!("{{\"name\": \"{}\"}}", "a".repeat(1 << 20));
    assert_eq!(board.post("/api/ruleset", &long).status, 413);
}

#[test]
fn pages_name_no_files() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let board = Board::start(&["--tables", folder.path().to_str().expect("text")]);
    let mut socket = board.socket("/ws/engine");
    socket.json();
    socket.send("query table");
    let path = folder.path().display();
    let advice = format!("`reynard table list --dir '{path}'` names those that are there");
    assert_eq!(socket.line(), Some(format!("response none: no table in '{path}' covers this position; {advice}")));
    let files = "pages may not choose files";
    for (line, reason) in [
        ("setoption name RulesFile value /etc/passwd", files),
        ("setoption  NAME tablepath value /", files),
        ("setoption name EvalFile value /etc/shadow", files),
        ("isready\rsetoption name EvalFile value /etc/shadow", files),
        ("setoption name Debug Log File value /etc/passwd", "unknown option 'Debug Log File'"),
        ("xboard\noption EvalFile=/etc/shadow", "a page may send ugi"),
        ("SETOPTION name EvalFile value /", "a page may send ugi"),
    ] {
        socket.send(line);
        let answers: Vec<String> = (0..line.lines().count()).map(|_| socket.until("info string error ")).collect();
        assert!(answers.iter().all(|answer| answer.contains(reason)), "{line}: {answers:?}");
    }
    socket.send("setoption name Hash value 1\nquery turn");
    assert_eq!(socket.until("response"), "response p1", "and nothing was opened or said of a file");
}
