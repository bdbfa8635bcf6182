//! Compares games of drops with the verifier, the general method and published numbers.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::DropSolver;
use super::fox_sets::FoxSets;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Ruleset};
use crate::tablebase::build::{BuildRequest, LayerLimit, Resources, build};
use crate::tablebase::general::GeneralSolver;
use crate::tablebase::verify::{LayerFindings, VerifyRequest};
use crate::tablebase::{HuntTableBuilder, Identity, LayerSolver, LayerSummary, Metric, Store, TableBuilder};

/// A ruleset made of `changes` to Bagha Chal on a small board.
fn toy<W: Word>(changes: Value) -> Hunt<W> {
    let mut file = json!({
        "name": "toy", "extends": "bagha-chal", "board": "grid(4,3)", "foxes": 2, "fox_start": ["a1", "b2"],
        "drops": 5, "fox_wins_below": 3,
    });
    if let (Some(file), Value::Object(changes)) = (file.as_object_mut(), changes) {
        file.extend(changes);
    }
    let ruleset = Ruleset::from_text("toy.json", &file.to_string(), &[]);
    Hunt::new(&ruleset.unwrap_or_else(|error| panic!("{error}")))
}

/// Toy games on boards of different symmetry, each with the most geese of its tables.
fn toys() -> [(Value, u32); 5] {
    [
        (json!({}), 5),
        (json!({ "board": "grid(3,3)", "foxes": 1, "fox_start": ["b2"], "drops": 6, "fox_wins_below": 1 }), 6),
        (json!({ "board": "grid(5,2)", "foxes": 2, "fox_start": ["a1", "e1"], "drops": 4, "fox_wins_below": 2 }), 6),
        (json!({ "fox_start": "choose", "drops": 3, "fox_diagonal": "none" }), 4),
        (json!({ "board": "grid(4,4)", "fox_start": ["a1", "d4"], "drops": 4, "fox_wins_below": 3 }), 4),
    ]
}

/// What a build says before it begins: `bagha-chal` took 191 s, and in `aadu-puli-attam` most of the work is in positions
/// with nothing in hand.
#[test]
fn builds_take_about_as_long_as_forecast() {
    let seconds = |name: &str, geese: RangeInclusive<u32>| {
        let ruleset = Ruleset::from_text("own.json", &json!({"name": "own", "extends": name}).to_string(), &[]);
        let solver = DropSolver::new(&Hunt::<u128>::new(&ruleset.expect("a ruleset"))).expect("a game of drops");
        let processor: Duration = geese.map(|geese| solver.cost(geese, 0).processor).sum();
        processor.as_secs()
    };
    assert!((96..382).contains(&seconds("bagha-chal", 16..=20)), "{}", seconds("bagha-chal", 16..=20));
    let lambs = seconds("aadu-puli-attam", 11..=15);
    assert!((600..3600).contains(&lambs), "{lambs}");
}

fn request(geese: u32) -> BuildRequest {
    BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() }
}

/// The longest wins of more than 2 plies; with geese in hand every win takes 1 or 2.
fn farthest(summary: &LayerSummary) -> Vec<(char, char, u32)> {
    let longest = summary.longest.iter().filter(|win| win.plies > 2);
    longest.map(|win| (win.turn, win.winner, win.plies)).collect()
}

fn summaries(store: &Store) -> Vec<LayerSummary> {
    store.layers().values().map(|file| file.header.summary.clone()).collect()
}

fn built_by_the_general_method(game: &Hunt<u64>, geese: u32, folder: &Path) -> Store {
    let identity = Identity::of(game.ruleset()).expect("an identity");
    let mut solver = GeneralSolver::new(Arc::new(game.clone()), Metric::Conversion);
    build(folder, &identity, &mut solver, &request(geese), &()).expect("tables");
    Store::open(folder, identity).expect("tables")
}

#[test]
fn every_value_follows_from_those_after_it_and_the_counts_are_those_of_the_general_method() {
    for (changes, geese) in toys() {
        let game: Hunt<u64> = toy(changes.clone());
        assert!(DropSolver::new(&game).is_some(), "{changes}: this method");
        let [folder, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let builder = HuntTableBuilder::new(game.clone()).expect("a builder");
        builder.build(folder.path(), &request(geese), &()).unwrap_or_else(|error| panic!("{changes}: {error}"));
        let findings = builder.verify(folder.path(), &VerifyRequest::default(), &()).expect("tables to verify");
        assert!(findings.iter().all(LayerFindings::is_good), "{changes}: {findings:?}");
        let store = Store::open(folder.path(), builder.identity().clone()).expect("tables");
        let (found, expected) =
            (summaries(&store), summaries(&built_by_the_general_method(&game, geese, other.path())));
        assert_eq!(found.len(), expected.len(), "{changes}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.geese_to_move, expected.geese_to_move, "{changes}");
            assert_eq!(found.fox_to_move, expected.fox_to_move, "{changes}");
            assert_eq!(farthest(found), farthest(expected), "{changes}");
        }
        let decided = |summary: &LayerSummary| summary.geese_to_move.fox_wins + summary.geese_to_move.geese_win;
        assert!(found.iter().map(decided).sum::<u64>() > 0, "{changes}: nothing to compare");
    }
}

#[test]
fn a_missing_layer_is_made_again_as_it_was() {
    let game: Hunt<u64> = toy(json!({}));
    let folder = tempfile::tempdir().expect("a folder");
    let builder = HuntTableBuilder::new(game).expect("a builder");
    builder.build(folder.path(), &request(5), &()).expect("tables");
    let path = Store::open(folder.path(), builder.identity().clone()).expect("tables").path(4);
    let bytes = std::fs::read(&path).expect("a file");
    std::fs::remove_file(&path).expect("a file to remove");
    let plan = builder.build(folder.path(), &request(5), &()).expect("tables");
    assert_eq!(plan.missing.iter().map(|(geese, _)| *geese).collect::<Vec<_>>(), [4]);
    assert!(std::fs::read(&path).expect("a file") == bytes, "the same bytes");
}

#[test]
fn other_games_are_left_to_other_methods() {
    for changes in [
        json!({ "chain": true }),
        json!({ "capture": "forced" }),
        json!({ "goose_moves": ["forward", "sideways"] }),
        json!({ "geese_stuck": "pass" }),
        json!({ "drops": 0, "geese": ["a3", "b3", "c3"] }),
        json!({ "board": "grid(5,6)" }),
        json!({ "board": "grid(3,3)" }),
    ] {
        assert!(FoxSets::new::<u64>(&toy(changes.clone())).is_none(), "{changes}");
    }
}

/// Counts the different patterns by Burnside's lemma: a symmetry keeps a pattern that is a union of cycles of its
/// slots.
fn different_patterns(game: &Hunt<u64>, foxes: &FoxSets, geese: usize) -> u64 {
    let kept = |slots: &Vec<u8>| -> u64 {
        let mut ways = vec![0; foxes.slots + 1];
        ways[0] = 1;
        let mut seen = vec![false; foxes.slots];
        for first in 0..foxes.slots {
            let mut length = 0;
            let mut slot = first;
            while !std::mem::replace(&mut seen[slot], true) {
                length += 1;
                slot = slots[slot].into();
            }
            (length..ways.len()).rev().filter(|_| length > 0).for_each(|size| ways[size] += ways[size - length]);
        }
        ways[geese]
    };
    let different = |slots: Vec<Vec<u8>>| slots.iter().map(kept).sum::<u64>() / slots.len() as u64;
    (0..foxes.sets.len()).map(|set| different(foxes.stabiliser(game, set))).sum()
}

/// Source: Y. J. Lim and J. Nievergelt, "Tigers and Goats is a draw", Games of No Chance 3 (2009).
#[test]
fn the_sliding_phase_of_bagha_chal_is_as_large_as_published() {
    let game: Hunt<u64> = Hunt::new(&Ruleset::from_catalog("bagha-chal", &[]).expect("a ruleset"));
    let foxes = FoxSets::new(&game).expect("this method");
    assert_eq!(foxes.sets.len(), 1666);
    let positions: u64 = (16..=20).map(|geese| different_patterns(&game, &foxes, geese)).sum();
    assert_eq!(2 * positions, 88_260_972);
}
