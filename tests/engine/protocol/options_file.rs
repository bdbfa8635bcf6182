//! Options that the engine has from a file.

use reynard_engine::session::{Engine, OptionsFile};

use super::client::Client;

fn client_with(text: &str) -> Client {
    let mut engine = Engine::new().unwrap();
    engine.load(&OptionsFile::from_text("test.json", text).unwrap()).unwrap();
    Client::of(engine)
}

/// A client to which every option was sent.
fn client_told(settings: &[&str]) -> Client {
    let mut client = Client::new();
    settings.iter().for_each(|setting| client.accepted(&format!("setoption name {setting}")));
    client
}

/// What a search says, without times.
fn search(client: &mut Client, moves: &str) -> Vec<String> {
    client.accepted("uginewgame");
    client.accepted(&format!("position startpos moves {moves}"));
    let (mut lines, best) = client.go("nodes 3000");
    lines.push(best);
    let untimed = |line: String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for key in ["nps", "time"] {
            if let Some(at) = words.iter().position(|word| *word == key) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    lines.into_iter().map(untimed).collect()
}

/// Geese to move, fox to move.
const HISTORIES: [&str; 2] = ["", "c3c4"];

#[test]
fn an_option_in_the_file_takes_effect_from_the_start() {
    let mut client = client_with(r#"{"options": {"RuleSwitches": "geese=13", "MultiPV": 3, "ruleset": "masters-13"}}"#);
    assert_eq!(client.query("fen"), "3/3/7/3F3/GGGGGGG/GGG/GGG g");
    let (lines, _) = client.go("depth 2");
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:?}");
    client.send("ugi");
    let announced = client.until("ugiok");
    assert!(announced.iter().any(|line| line.starts_with("option name MultiPV type spin default 1 ")), "{announced:?}");
}

#[test]
fn each_role_searches_with_its_own_options() {
    const FILE: &str = r#"{"options": {"Hash": 4, "Seed": 5},
        "as": {"fox": {"Searcher": "mcts", "MctsRolloutPlies": 20}, "geese": {"EvalFoxStep": 90, "Hash": 2}}}"#;
    let mut both = client_with(FILE);
    let mut fox = client_told(&["Hash value 4", "Seed value 5", "Searcher value mcts", "MctsRolloutPlies value 20"]);
    let mut geese = client_told(&["Hash value 2", "Seed value 5", "EvalFoxStep value 90"]);
    let mut plain = client_told(&["Hash value 4", "Seed value 5"]);
    // Back and forth, so that the one must not leave anything behind for the other.
    for _ in 0..2 {
        for (history, alone) in HISTORIES.into_iter().zip([&mut geese, &mut fox]) {
            let found = search(&mut both, history);
            assert_eq!(found, search(alone, history));
            assert_ne!(found, search(&mut plain, history));
        }
    }
}

#[test]
fn what_the_client_sets_goes_before_the_file() {
    let mut client = client_with(r#"{"options": {"Hash": 4}, "as": {"fox": {"searcher": "mcts"}}}"#);
    let mut plain = client_told(&["Hash value 4"]);
    assert_ne!(search(&mut client, HISTORIES[1]), search(&mut plain, HISTORIES[1]));
    client.accepted("setoption name SEARCHER value alphabeta");
    assert_eq!(search(&mut client, HISTORIES[1]), search(&mut plain, HISTORIES[1]));
}

#[test]
fn eval_explains_with_the_weights_of_the_role_to_move() {
    let mut client = client_with(r#"{"as": {"fox": {"EvalFoxStep": 100}}}"#);
    let mut plain = client_told(&[]);
    for client in [&mut client, &mut plain] {
        // These weights are those of the linear evaluation.
        client.accepted("setoption name EvalFile value linear");
    }
    let mut explained = |history: &str| {
        [&mut client, &mut plain].map(|client| {
            client.accepted(&format!("position startpos moves {history}"));
            client.told("eval")
        })
    };
    let [with, without] = explained(HISTORIES[0]);
    assert_eq!(with, without);
    let [with, without] = explained(HISTORIES[1]);
    assert_ne!(with, without);
}
