//! Tests all methods of solving alike: positions that no table holds, damaged files, and large boards.

use serde_json::{Value, json};
use tempfile::tempdir;

use super::build::{BuildRequest, LayerLimit, Resources};
use super::verify::{LayerFindings, VerifyRequest};
use super::{HuntTableBuilder, HuntTables, Metric, TableBuilder, TableError, hunt};
use crate::geometry::{PointSet, Word};
use crate::rules::Game;
use crate::rules::hunt::{Hunt, Position, Ruleset, Side};

/// A game on a small board, and the name of its tables' layout.
struct Toy {
    layout: &'static str,
    changes: Value,
}

/// Games for each layout; in one of them foxes, geese in hand and captured geese are off the board.
fn toys() -> [Toy; 6] {
    let any = json!(["forward", "sideways", "backward"]);
    let drops = json!({
        "extends": "bagha-chal", "board": "grid(4,3)", "foxes": 2, "fox_start": ["a1", "b2"], "geese": [], "drops": 5,
    });
    [
        Toy { layout: "strips", changes: json!({ "goose_moves": any }) },
        Toy { layout: "strips", changes: json!({ "foxes": 2, "fox_start": ["a3", "c3"] }) },
        Toy { layout: "huffs", changes: json!({ "foxes": 2, "fox_start": ["a3", "c3"], "huff": "remove_fox" }) },
        Toy { layout: "drops", changes: drops },
        Toy { layout: "whole", changes: json!({ "foxes": 3, "fox_start": ["a3", "b3", "c3"] }) },
        Toy {
            layout: "whole-huffs",
            changes: json!({ "foxes": 3, "fox_start": ["a3", "b3", "c3"], "huff": "remove_fox", "drops": 1 }),
        },
    ]
}

fn game<W: Word>(changes: &Value) -> Hunt<W> {
    let mut file = json!({
        "name": "toy", "title": "Toy", "extends": "masters-15", "board": "grid(3,3)", "geese": ["a1", "b1"],
        "fox_start": ["b3"], "fox_wins_below": 1,
    });
    if let (Some(file), Some(changes)) = (file.as_object_mut(), changes.as_object()) {
        file.extend(changes.clone());
    }
    let ruleset = Ruleset::from_text("toy.json", &file.to_string(), &[]);
    Hunt::new(&ruleset.unwrap_or_else(|error| panic!("{changes}: {error}")))
}

fn request(geese: u32) -> BuildRequest {
    BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() }
}

#[test]
fn no_method_answers_for_strangers() {
    for Toy { layout, changes } in toys() {
        let game: Hunt<u64> = game(&changes);
        assert_eq!(hunt::method(&game, Metric::Conversion).layout(), layout, "{changes}");
        let folder = tempdir().expect("a folder");
        let builder = HuntTableBuilder::new(game.clone()).expect("a builder");
        builder.build(folder.path(), &request(3), &()).unwrap_or_else(|error| panic!("{changes}: {error}"));
        let tables = HuntTables::open(&game, folder.path(), Metric::Conversion).expect("sound tables").expect("tables");
        let points: Vec<_> = game.all().iter().collect();
        let set = |from: usize, count: usize| -> PointSet<u64> { points[from..from + count].iter().copied().collect() };
        let (foxes, drops) = (game.ruleset().rules.foxes as usize, game.ruleset().rules.drops as u8);
        let mut asked = 0;
        for side in [Side::Fox, Side::Geese] {
            let strangers = [
                Position::new(set(0, foxes + 1), set(foxes + 1, 2), side),
                Position::new(set(0, foxes), set(foxes, 4), side),
                Position { hand: drops + 1, ..Position::new(set(0, foxes), set(foxes, 1), side) },
                Position { hand: u8::MAX, ..Position::new(set(0, foxes), set(foxes, 1), side) },
            ];
            for stranger in strangers.iter().filter(|stranger| game.turn(stranger).seat().is_some()) {
                assert_eq!(tables.probe(&game, stranger), Ok(None), "{changes}: {stranger:?}");
                asked += 1;
            }
            let known = Position::new(set(0, foxes), set(foxes, 3), side);
            assert!(tables.probe(&game, &known).expect("sound tables").is_some(), "{changes}: {known:?}");
        }
        assert!(asked > 2, "{changes}: only {asked} strangers");
    }
}

#[test]
fn no_method_builds_on_damaged_layers() {
    for Toy { layout, changes } in toys() {
        let builder = HuntTableBuilder::<u64>::new(game(&changes)).expect("a builder");
        let folder = tempdir().expect("a folder");
        builder.build(folder.path(), &request(2), &()).unwrap_or_else(|error| panic!("{changes}: {error}"));
        let path = builder.store(folder.path()).expect("tables").path(2);
        let mut bytes = std::fs::read(&path).expect("a file");
        // The first byte of the first frame.
        bytes[16] ^= 0xff;
        std::fs::write(&path, bytes).expect("a writable file");
        let built = builder.build(folder.path(), &request(3), &());
        if layout == "drops" {
            // All layers are solved anew, and none of the old ones is read.
            assert!(built.is_ok(), "{changes}: {built:?}");
        } else {
            assert!(matches!(built, Err(TableError::Damaged { .. })), "{changes}: {built:?}");
        }
        let findings = builder.verify(folder.path(), &VerifyRequest::default(), &()).expect("tables to verify");
        let damaged: Vec<u32> = findings.iter().filter(|layer| !layer.is_good()).map(|layer| layer.geese).collect();
        assert!(damaged.contains(&2), "{changes}: {findings:?}");
        assert!(findings.iter().all(|layer: &LayerFindings| layer.geese != 1 || layer.is_good()), "{changes}");
    }
}

/// A board of more than 64 cells has no word for its points, so neither fast method takes it.
#[test]
fn boards_beyond_a_word_go_the_general_way() {
    let game: Hunt<u128> = game(&json!({ "board": "grid(9,8)" }));
    assert!(Metric::ALL.iter().all(|&metric| hunt::method(&game, metric).layout() == "whole"));
}
