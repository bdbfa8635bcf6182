//! Tables as the page gets them.

use serde_json::json;
use tempfile::TempDir;

use super::board::Board;

const GAME: &str = "fox-and-hounds";

#[test]
fn a_small_table_is_built_with_progress_and_probed() {
    let folder = TempDir::new().expect("a folder");
    let board = Board::start(&["--tables", folder.path().to_str().expect("text")]);
    assert_eq!(board.get("/api/tables").json(), json!({"tables": [], "build": null}));
    assert_eq!(board.get(&format!("/api/atlas/{GAME}")).status, 422);
    let mut socket = board.socket("/ws/tables");
    assert_eq!(socket.json(), json!({"build": null}));
    let wish = json!({"ruleset": GAME, "geese": 4}).to_string();
    assert_eq!(board.post("/api/tables/build", &wish).json(), json!({"ok": true}));
    let last = loop {
        let build = socket.json()["build"].clone();
        if build["is_running"] == false {
            break build;
        }
    };
    assert_eq!((&last["error"], &last["done"]), (&json!(null), &last["of"]));
    let tables = board.get("/api/tables").json();
    assert!(tables["tables"][0]["rulesets"].as_array().is_some_and(|names| names.contains(&json!(GAME))), "{tables}");
    let atlas = board.get(&format!("/api/atlas/{GAME}")).json();
    assert_eq!(atlas["value"]["winner"], "geese");
    assert!(atlas["points"].as_object().is_some_and(|points| points.len() > 10), "{atlas}");
    let mut longest = atlas["longest_wins"].as_array().expect("a list").iter();
    let longest = longest.find(|win| win["geese"] == 4 && win["winner"] == "geese").expect("a win of four hounds");
    assert!(longest["plies"].as_u64() > Some(1) && atlas["plies_to_end"].is_null(), "{atlas}");
    assert_eq!(longest["pieces"].as_array().map(Vec::len), Some(5), "{longest}");
    let mut engine = board.socket(&format!("/ws/engine?id={GAME}"));
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
    assert_eq!(board.post("/api/tables/build", r#"{"ruleset": "masters-15", "geese": 15}"#).status, 200);
    let last = loop {
        let build = socket.json()["build"].clone();
        if build["is_running"] == false {
            break build;
        }
    };
    let error = last["error"].as_str().expect("a reason");
    assert!(error.contains("tables with up to 15 geese take"), "{error}");
    let without = Board::start(&[]);
    assert_eq!(without.get("/api/tables").status, 404);
    assert_eq!(without.post("/api/tables/build", "{}").status, 404);
}
