//! Tables as the page gets them.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::board::{Board, command};

const GAME: &str = "fox-and-hounds";

fn won(plies: Option<u64>) -> Value {
    json!({"winner": "geese", "plies_to_end": plies})
}

#[test]
fn a_small_table_is_built_with_progress_and_probed() {
    let folder = TempDir::new().expect("a folder");
    let board = Board::start(&["--tables", folder.path().to_str().expect("text")]);
    assert_eq!(board.get("/api/tables").json(), json!({"tables": []}));
    let atlas = || board.get(&format!("/api/atlas/{GAME}")).json();
    let new = atlas();
    assert_eq!((&new["map"], &new["geese"]), (&json!(null), &json!(4)));
    // The price of each build that is left to do, of either metric.
    let priced = |atlas: &Value, metric: &str| {
        let builds = atlas["builds"].as_array().expect("a list").iter().filter(|build| build["metric"] == metric);
        builds.map(|build| build["geese"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!([priced(&new, "conversion"), priced(&new, "end")], [[1, 2, 3, 4], [1, 2, 3, 4]]);
    assert!(["memory", "disk"].iter().all(|key| new["builds"][3][key].as_u64() > Some(1 << 10)), "{new}");
    let mut socket = board.socket("/ws/tables");
    assert_eq!(socket.json(), json!({"build": null}));
    let mut build = |metric: &str| {
        let wish = json!({"ruleset": GAME, "geese": 4, "metric": metric}).to_string();
        assert_eq!(board.post("/api/tables/build", &wish).json(), json!({"ok": true}));
        let last = loop {
            let build = socket.json()["build"].clone();
            if build["is_running"] == false && build["metric"] == metric {
                break build;
            }
        };
        assert_eq!((&last["error"], &last["done"]), (&json!(null), &last["of"]));
        atlas()
    };
    let look = json!({"ruleset": {"catalog": GAME}, "start": null, "moves": [], "more": []}).to_string();
    assert_eq!(board.post("/api/look", &look).json()["table"], json!(null));
    let known = build("conversion");
    assert_eq!([priced(&known, "conversion"), priced(&known, "end")], [vec![], vec![1, 2, 3, 4]]);
    assert_eq!((&known["map"]["points"]["d8"], &known["longest_wins"]), (&won(None), &json!([])));
    assert_eq!(board.post("/api/look", &look).json()["table"]["winner"], "geese", "tables are seen at once");
    let tables = board.get("/api/tables").json();
    assert!(tables["tables"][0]["rulesets"].as_array().is_some_and(|names| names.contains(&json!(GAME))), "{tables}");
    let whole = build("end");
    let start = whole["map"]["start"].as_str().expect("a point");
    let plies = whole["map"]["points"][start]["plies_to_end"].as_u64();
    assert!(plies > Some(2), "{whole}");
    let mut longest = whole["longest_wins"].as_array().expect("a list").iter();
    let longest = longest.find(|win| win["geese"] == 4 && win["winner"] == "geese").expect("a win of four hounds");
    assert!(longest["plies"].as_u64() >= plies, "{longest}");
    assert_eq!(longest["pieces"].as_array().map(Vec::len), Some(5), "{longest}");
    let mut engine = board.socket("/ws/engine");
    engine.json();
    engine.send(&format!("setoption name UCI_Variant value {GAME}"));
    engine.send("query table");
    assert!(engine.line().expect("an answer").starts_with("response {\"value\":"));
}

#[test]
fn builds_that_are_too_large_or_make_no_sense_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let board = Board::start(&["--tables", folder.path().to_str().expect("text")]);
    for (wish, status) in [
        (json!({"ruleset": "goose", "geese": 4}), 422),
        (json!({"ruleset": "none", "geese": 4}), 422),
        (json!({"ruleset": GAME}), 400),
        (json!({"ruleset": "../../etc/passwd", "geese": 4}), 422),
    ] {
        assert_eq!(board.post("/api/tables/build", &wish.to_string()).status, status, "{wish}");
    }
    let mut socket = board.socket("/ws/tables");
    socket.json();
    assert_eq!(board.post("/api/tables/build", r#"{"ruleset": "hex-siege", "geese": 30}"#).status, 200);
    let last = loop {
        let build = socket.json()["build"].clone();
        if build["is_running"] == false {
            break build;
        }
    };
    let error = last["error"].as_str().expect("a reason");
    assert!(error.contains("hex-siege: "), "{error}");
    // Without a folder on the command line tables are kept for this user.
    let without = Board::start(&[]);
    assert_eq!(without.get("/api/tables").json(), json!({"tables": []}));
}

#[test]
fn a_folder_of_tables_that_is_not_there_is_made() {
    let folder = TempDir::new().expect("a folder");
    let tables = folder.path().join("new/tables");
    let board = Board::start(&["--tables", tables.to_str().expect("text")]);
    assert_eq!(board.get("/api/tables").json(), json!({"tables": []}));
    assert!(tables.is_dir());
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let output = command(folder.path(), &["--port", "0", "--tables", file.to_str().expect("text")])
        .stderr(std::process::Stdio::piped())
        .output()
        .expect("an end");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("file is not a folder"), "{output:?}");
}
