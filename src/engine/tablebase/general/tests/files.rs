//! Tests tables of the general solver in files, and compares it with the fast method.

use serde_json::{Value, json};

use super::{Tables, told, toy};
use crate::rules::hunt::{Hunt, Position, Ruleset, Side};
use crate::tablebase::build::{self, LayerLimit, Resources};
use crate::tablebase::{
    HuntTableBuilder, HuntTables, Identity, LayerSolver, LayerSummary, Metric, Store, TableBuilder, TableError, hunt,
    strips, verify,
};
use crate::tablebase::{Tables as _, build::build};

type Switches = &'static [(&'static str, &'static str)];

fn request(geese: u32) -> build::BuildRequest {
    build::BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() }
}

fn rulesets() -> [Value; 5] {
    let two = json!({ "foxes": 2, "fox_start": ["a3", "c3"] });
    let with = |key: &str, value: Value| {
        let mut toy = two.clone();
        toy[key] = value;
        toy
    };
    [
        two.clone(),
        json!({ "foxes": 2, "fox_start": ["a3", "c3"], "huff": "remove_fox", "huff_partial_chain": true }),
        with("huff", json!("add_goose")),
        with("drops", json!(2)),
        json!({ "first_move_forward": true, "geese_stuck": "pass" }),
    ]
}

#[test]
fn tables_are_verified_by_the_path_of_others() {
    let metrics = |changes: Value| Metric::ALL.map(|metric| (changes.clone(), metric));
    for (changes, metric) in rulesets().into_iter().flat_map(metrics) {
        let mut builder = HuntTableBuilder::<u64>::new(toy(changes.clone())).expect("a builder");
        builder.set_metric(metric);
        let folder = tempfile::tempdir().expect("a folder");
        // The second build reads the files of the first.
        for geese in [2, 3] {
            builder.build(folder.path(), &request(geese), &()).unwrap_or_else(|error| panic!("{changes}: {error}"));
        }
        let findings = builder.verify(folder.path(), &verify::VerifyRequest::default(), &()).expect("tables to verify");
        assert!(findings.iter().all(verify::LayerFindings::is_good), "{changes}: {findings:?}");
        assert_eq!(findings.len(), 3, "{changes}");
        assert!(findings.iter().all(|layer| layer.checked > 0), "{changes}");
    }
}

#[test]
fn probing_finds_the_entries_and_covers_no_strangers() {
    let huffs = json!({ "foxes": 2, "fox_start": "choose", "huff": "remove_fox", "huff_partial_chain": true });
    let game: Hunt<u64> = toy(huffs);
    let folder = tempfile::tempdir().expect("a folder");
    let builder = HuntTableBuilder::new(game.clone()).expect("a builder");
    builder.build(folder.path(), &request(2), &()).expect("tables");
    assert_eq!(hunt::method(&game, Metric::Conversion).layout(), "whole-huffs", "another method would be tested");
    let probed = HuntTables::open(&game, folder.path(), Metric::Conversion).expect("sound tables").expect("tables");
    let tables = Tables::solve(game.clone(), Metric::Conversion, 2);
    for (space, ..) in &tables.layers {
        for flat in 0..space.positions() {
            let position = space.position(flat);
            let verdict = probed.probe(&game, &position).expect("sound tables").expect("a verdict");
            let entry = tables.entry(&position).expect("an entry");
            assert_eq!(verdict.winner.map(|seat| game.side(seat)), entry.winner(), "{}", told(&game, &position));
            assert_eq!(verdict.distance, entry.distance(), "{}", told(&game, &position));
        }
    }
    let all: Vec<_> = game.all().iter().collect();
    let set = |from: usize, to: usize| all[from..to].iter().copied().collect();
    let strangers = [Position::new(set(0, 3), set(3, 5), Side::Fox), Position::new(set(0, 2), set(2, 5), Side::Geese)];
    for stranger in strangers {
        assert_eq!(probed.probe(&game, &stranger), Ok(None), "{}", told(&game, &stranger));
    }
    // The start, before the foxes are placed, has a value, too.
    let start = probed.probe(&game, &crate::rules::Game::start(&game)).expect("sound tables");
    assert!(start.is_some());
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    let points: Vec<String> = (1..=9).flat_map(|rank| ('a'..='l').map(move |file| format!("{file}{rank}"))).collect();
    let game: Hunt<u128> =
        toy(json!({ "board": "grid(12,9)", "foxes": 40, "fox_start": points[20..60], "geese": ["a1"] }));
    let solver = super::GeneralSolver::new(game.clone().into(), Metric::Conversion);
    assert!(solver.last_layer() < game.ruleset().rules.fox_wins_below);
    let folder = tempfile::tempdir().expect("a folder");
    let built = HuntTableBuilder::new(game).expect("a builder").build(folder.path(), &request(1), &());
    assert!(matches!(built, Err(TableError::Refused(_))), "{built:?}");
}

/// Compares every position of all layers by both methods, for all metrics that the fast one takes.
fn both_agree(game: &Hunt<u64>, geese: u32) {
    let metrics = if game.ruleset().rules.foxes == 1 { &Metric::ALL[..] } else { &[Metric::Conversion] };
    metrics.iter().for_each(|&metric| both_agree_on(game, metric, geese));
}

fn both_agree_on(game: &Hunt<u64>, metric: Metric, geese: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let name = &game.ruleset().heading.name;
    let mut solver = strips::solver(game, metric).expect("a game for the fast method");
    let identity = Identity::of(game.ruleset()).expect("an identity").with_metric(metric);
    build(folder.path(), &identity, &mut *solver, &request(geese), &()).expect("tables");
    let fast = HuntTables::new(game, Store::open(folder.path(), identity).expect("a store"));
    let whole = Tables::solve(game.clone(), metric, geese);
    for (space, entries, summary) in &whole.layers {
        for (flat, &entry) in (0..).zip(entries) {
            let position = space.position(flat);
            let verdict = fast.probe(game, &position).expect("sound tables").expect("a verdict");
            let entry = crate::tablebase::TableEntry(entry);
            let found = (verdict.winner.map(|seat| game.side(seat)), verdict.distance);
            assert_eq!(found, (entry.winner(), entry.distance()), "{name}: {}", told(game, &position));
        }
        let stored = &fast.store.layer(space.layer).expect("a layer").header.summary;
        assert_eq!((stored.geese_to_move, stored.fox_to_move), (summary.geese_to_move, summary.fox_to_move), "{name}");
        let longest = |summary: &LayerSummary| -> Vec<(char, char, u32)> {
            summary.longest.iter().map(|win| (win.turn, win.winner, win.plies)).collect()
        };
        assert_eq!(longest(stored), longest(summary), "{name}");
    }
}

#[test]
fn the_fast_method_agrees_everywhere() {
    let cases: [(&str, u32, Switches); 11] = [
        ("masters-15", 3, &[]),
        ("masters-15", 2, &[("fox_wins_below", "1"), ("fox_diagonal", "capture_only"), ("chain", "false")]),
        ("bell-13", 3, &[("fox_wins_below", "2"), ("capture", "forced"), ("forced_chain", "true")]),
        ("murray-13", 2, &[("fox_wins_below", "1"), ("geese_stuck", "pass")]),
        ("refskak", 2, &[("fox_wins_below", "1")]),
        ("catch-the-hare", 3, &[("fox_wins_below", "2")]),
        ("renard-1668", 2, &[("fox_wins_below", "1"), ("fox_home_wins", "true")]),
        ("fox-and-hounds", 3, &[]),
        ("two-foxes-24", 2, &[]),
        ("gasetavl", 2, &[]),
        ("halatafl", 2, &[("fox_wins_below", "1")]),
    ];
    for (name, geese, switches) in cases {
        let switches: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        both_agree(&Hunt::new(&Ruleset::from_catalog(name, &switches).expect("a ruleset of the catalog")), geese);
    }
}

#[test]
fn the_fast_method_agrees_on_boards_of_ones_own() {
    let any = json!(["forward", "forward_diagonal", "sideways", "backward", "backward_diagonal"]);
    let kite = json!({
        "points": ["a1", "b1", "c1", "a2", "b2", "c2", "b3", "c3", "d4"],
        "lines": [["a1", "b1"], ["b1", "c1"], ["a2", "b2"], ["b2", "c2"], ["b3", "c3"], ["a1", "a2"], ["b1", "b2"],
            ["b2", "b3"], ["c1", "c2"], ["c2", "c3"], ["a1", "b2"], ["b2", "c3"], ["c3", "d4"], ["b1", "c2"]],
    });
    let cases = [
        json!({ "board": "grid(5,4)", "goose_moves": any, "fox_wins_below": 2 }),
        json!({ "board": "grid(4,4)", "goose_moves": any, "fox_home_wins": true, "capture": "forced" }),
        json!({ "board": kite, "goose_moves": any, "fox_start": "d4", "chain": false }),
        json!({ "board": kite, "fox_start": "d4", "geese_stuck": "pass" }),
        json!({ "board": "grid(2,7)", "goose_moves": ["forward"], "fox_start": "b7" }),
        json!({ "board": "grid(1,6)", "goose_moves": any, "geese": ["a1", "a2"], "fox_start": "a5" }),
        json!({ "board": "hex37", "goose_moves": any, "geese": ["a1", "b1"], "fox_start": "d4", "fox_wins_below": 2 }),
        // A rotation of this board maps moves to moves, but not ranks to ranks.
        json!({ "board": "hex37", "goose_moves": ["forward_diagonal"], "geese": ["a1", "b1"], "fox_start": "d4",
            "fox_wins_below": 1 }),
    ];
    for changes in cases {
        let geese = if changes["board"] == "hex37" { 3 } else { 4 };
        both_agree(&toy(changes), geese);
    }
}

#[test]
fn the_fast_method_agrees_with_two_foxes() {
    let any = json!(["forward", "forward_diagonal", "sideways", "backward", "backward_diagonal"]);
    let cases = [
        json!({}),
        json!({ "goose_moves": any, "board": "grid(4,4)" }),
        json!({ "goose_moves": any, "capture": "forced", "fox_wins_below": 2 }),
        json!({ "goose_moves": any, "capture": "forced", "forced_chain": true, "board": "grid(4,4)" }),
        json!({ "chain": false, "board": "grid(4,4)", "fox_wins_below": 2 }),
        json!({ "goose_moves": any, "fox_diagonal": "none", "board": "alquerque25", "fox_start": ["a5", "c5"] }),
        json!({ "goose_moves": any, "fox_diagonal": "capture_only", "fox_start": "choose", "board": "grid(3,5)" }),
        json!({ "geese_stuck": "pass", "fox_home_wins": true, "board": "grid(5,3)" }),
        json!({ "goose_moves": any, "geese_stuck": "pass", "board": "grid(2,6)", "fox_start": ["a6", "b6"] }),
        json!({ "goose_moves": ["forward"], "fox_captures": false, "board": "grid(5,3)" }),
    ];
    for mut changes in cases {
        changes["foxes"] = json!(2);
        if changes["fox_start"].is_null() {
            changes["fox_start"] = json!(["a3", "c3"]);
        }
        let geese = if changes["board"] == "alquerque25" { 2 } else { 3 };
        both_agree(&toy(changes), geese);
    }
}

#[test]
fn the_fast_method_agrees_on_fortresses() {
    let siege = json!({
        "fortress": ["a4", "b4", "c4"], "board": "grid(3,4)", "fox_wins_below": 2, "geese": ["a1", "b1", "c1"],
    });
    for moves in ["forward_plus_edge", "forward_sideways", "shortest_path", "any"] {
        for fill in ["attackers_only", "any_piece"] {
            for foxes in [json!(["b4"]), json!(["a4", "c4"])] {
                let mut changes = siege.clone();
                changes["attacker_moves"] = json!(moves);
                changes["fill_rule"] = json!(fill);
                changes["foxes"] = json!(foxes.as_array().map(Vec::len));
                changes["fox_start"] = foxes;
                changes["fox_home_wins"] = json!(moves == "any");
                if moves != "forward_plus_edge" {
                    changes["capture"] = json!("forced");
                    changes["forced_chain"] = json!(moves == "any");
                }
                both_agree(&toy(changes), 4);
            }
        }
    }
}

#[test]
fn the_fast_method_agrees_where_huffs_take_foxes_off() {
    let any = json!(["forward", "forward_diagonal", "sideways", "backward", "backward_diagonal"]);
    let cases = [
        json!({}),
        json!({ "board": "grid(4,4)", "goose_moves": any }),
        json!({ "board": "grid(5,3)", "goose_moves": ["forward"], "geese_stuck": "pass", "fox_wins_below": 2 }),
        json!({ "board": "alquerque25", "fox_start": ["a5", "c5"], "goose_moves": any, "chain": false, "fox_wins_below": 1 }),
        json!({ "board": "grid(3,5)", "fox_start": "choose", "forced_chain": true, "fox_diagonal": "capture_only" }),
        json!({ "board": "grid(2,7)", "fox_start": ["a7", "b7"], "goose_moves": any, "geese_stuck": "pass" }),
        json!({ "board": "grid(4,4)", "goose_moves": any, "capture": "forced" }),
        json!({ "board": "grid(4,3)", "goose_moves": any, "fox_home_wins": true }),
        json!({ "board": "grid(4,4)", "fox_home_wins": true, "first_move_forward": true, "fox_wins_below": 2 }),
    ];
    for mut changes in cases {
        changes["huff"] = json!("remove_fox");
        let two = changes["fox_start"].clone();
        for foxes in [1, 2] {
            changes["foxes"] = json!(foxes);
            changes["fox_start"] = match &two {
                Value::Null => json!(["a3", "c3"][..foxes]),
                Value::Array(points) => json!(points[..foxes]),
                choice => choice.clone(),
            };
            let geese = match changes["board"].as_str() {
                Some("alquerque25") => 2,
                Some("grid(4,4)") => 3,
                _ => 4,
            };
            both_agree(&toy(changes.clone()), geese);
        }
    }
}

#[test]
fn the_fast_method_agrees_on_sieges() {
    let siege = json!({
        "huff": "remove_fox", "foxes": 2, "fox_wins_below": 2, "board": "grid(3,4)", "geese": ["a1", "b1", "c1"],
    });
    for moves in ["forward_plus_edge", "forward_sideways", "shortest_path", "any"] {
        for fill in ["attackers_only", "any_piece"] {
            let of_rows = |fortress: Value, foxes: Value| {
                let mut changes = siege.clone();
                changes["attacker_moves"] = json!(moves);
                changes["fill_rule"] = json!(fill);
                changes["fox_home_wins"] = json!(moves == "any");
                (changes["fortress"], changes["fox_start"]) = (fortress, foxes);
                changes
            };
            both_agree(&toy(of_rows(json!(["a4", "b4", "c4"]), json!(["a4", "c4"]))), 4);
            // The foxes alone can fill the fortress, or all but one point of it.
            both_agree(&toy(of_rows(json!(["a4", "b3", "c4"]), json!(["a4", "b4"]))), 4);
            both_agree(&toy(of_rows(json!(["b4", "b2"]), json!(["a4", "b4"]))), 3);
            // With forced jumps there are no huffs.
            let mut forced = of_rows(json!(["a4", "b4", "c4"]), json!(["a4", "c4"]));
            forced["capture"] = json!("forced");
            both_agree(&toy(forced), 4);
        }
    }
    let switches = [("fox_wins_below".to_owned(), "1".to_owned())];
    both_agree(&Hunt::new(&Ruleset::from_catalog("siege", &switches).expect("a ruleset of the catalog")), 2);
}
