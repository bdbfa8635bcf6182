//! Checking tables: a sound one passes, a single wrong entry or count does not.

use std::path::Path;

use reynard_engine::rules::Notation;
use reynard_engine::rules::hunt::{Hunt, Position, Ruleset, Side};
use reynard_engine::tablebase::build::{BuildRequest, LayerLimit, Resources};
use reynard_engine::tablebase::format::LayerFile;
use reynard_engine::tablebase::verify::{LayerFindings, VerifyRequest, verify};
use reynard_engine::tablebase::{
    HuntTableBuilder, HuntTables, Identity, Store, TableBuilder, TableError, TableValue, Tables,
};
use tempfile::tempdir;

use super::{build_small, contents, small, tables, write};

fn check(folder: &Path, request: &VerifyRequest) -> Vec<LayerFindings> {
    let builder = HuntTableBuilder::new(small()).unwrap();
    builder.verify(folder, request, &()).unwrap()
}

const ALL: VerifyRequest = VerifyRequest { geese: None, sample: None, seed: 0 };

#[test]
fn sound_tables_pass_and_nothing_is_left_out() {
    let folder = tempdir().unwrap();
    build_small(folder.path());
    let findings = check(folder.path(), &ALL);
    assert!(findings.iter().all(LayerFindings::is_good), "{findings:?}");
    // The fox on one of the other points, both sides to move.
    let placements = |patterns: u64, geese: u64| 2 * patterns * (16 - geese);
    let checked: Vec<(u32, u64)> = findings.iter().map(|layer| (layer.geese, layer.checked)).collect();
    assert_eq!(checked, [(2, placements(120, 2)), (3, placements(560, 3)), (4, placements(1820, 4))]);
    let sampled = check(folder.path(), &VerifyRequest { geese: Some(4), sample: Some(1000), seed: 1 });
    assert!(sampled.iter().all(LayerFindings::is_good) && sampled.len() == 1 && sampled[0].checked == 1000);
}

/// Two foxes one of which a huff may take off, on the board of the small game.
const HUFFS: &str = r#"{"name": "huffs", "extends": "siege", "title": "A small siege", "board": "grid(4,4)",
    "geese": ["a1", "b1", "c1", "d1"], "fortress": ["b4", "c4", "b3"], "fox_wins_below": 2}"#;

#[test]
fn tables_where_huffs_take_a_fox_off_pass_with_all_that_is_owed() {
    let folder = tempdir().unwrap();
    let game: Hunt<u64> = Hunt::new(&Ruleset::from_text("huffs.json", HUFFS, &[]).unwrap());
    let builder = HuntTableBuilder::new(game).unwrap();
    // The second build reads what the first has left.
    for geese in [3, 4] {
        let request = BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() };
        builder.build(folder.path(), &request, &()).unwrap();
    }
    for path in tables(folder.path()) {
        assert_eq!(LayerFile::open(&path).unwrap().header.layout, "huffs");
    }
    let findings = builder.verify(folder.path(), &ALL, &()).unwrap();
    assert!(findings.iter().all(LayerFindings::is_good), "{findings:?}");
    // Both sides to move beside one fox or two; beside two the geese side may be about to take one off, too.
    let placements = |patterns: u64, empty: u64| patterns * (2 * empty + 3 * empty * (empty - 1) / 2);
    let checked: Vec<(u32, u64)> = findings.iter().map(|layer| (layer.geese, layer.checked)).collect();
    assert_eq!(checked, [(2, placements(120, 14)), (3, placements(560, 13)), (4, placements(1820, 12))]);
}

/// Changes one entry of the layer with 3 geese by `change`, the header staying as it is.
fn falsify(folder: &Path, which: usize, change: fn(u16) -> u16) {
    let path = &tables(folder)[1];
    let file = LayerFile::open(path).unwrap();
    let (header, mut blocks) = (file.header.clone(), contents(&file));
    drop(file);
    let total: usize = blocks.iter().map(|(_, entries)| entries.len()).sum();
    let mut at = which % total;
    for (_, entries) in &mut blocks {
        if at < entries.len() {
            entries[at] = change(entries[at]);
            break;
        }
        at -= entries.len();
    }
    write(path, &header, &blocks).unwrap();
}

#[test]
fn a_single_wrong_entry_is_found_and_named() {
    // A draw for a win, another winner, another distance, a win for a draw.
    let changes: [fn(u16) -> u16; 3] = [
        |entry| if entry == 0 { 3 } else { 0 },
        |entry| if entry % 2 == 1 { entry + 1 } else { entry.max(2) - 1 },
        |entry| if entry == 0 { 9 } else { entry + 2 },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let folder = tempdir().unwrap();
        build_small(folder.path());
        falsify(folder.path(), 1000 * number + 77, change);
        let findings = check(folder.path(), &ALL);
        let layer = &findings[1];
        assert!(!findings.iter().all(LayerFindings::is_good) && layer.geese == 3 && layer.wrong > 0, "{findings:?}");
        let mismatch = &layer.mismatches[0];
        assert!(mismatch.stored != mismatch.derived);
        // The named positions are read and give what is said to be stored.
        let game = small();
        let store = Store::open(folder.path(), Identity::of(game.ruleset()).unwrap()).unwrap();
        let probed = HuntTables::new(&game, store);
        let position = game.parse_position(&mismatch.position).unwrap();
        let told = probed.probe(&game, &position).unwrap();
        assert_eq!(told.map(|value| value.map(|seat| game.side(seat))), mismatch.stored);
    }
}

#[test]
fn a_wrong_count_in_the_header_is_found() {
    let folder = tempdir().unwrap();
    build_small(folder.path());
    let path = &tables(folder.path())[2];
    let file = LayerFile::open(path).unwrap();
    let (mut header, blocks) = (file.header.clone(), contents(&file));
    header.summary.fox_to_move.draws += 1;
    drop(file);
    write(path, &header, &blocks).unwrap();
    let findings = check(folder.path(), &ALL);
    assert!(!findings.iter().all(LayerFindings::is_good) && findings[2].wrong == 0, "{findings:?}");
    assert!(findings[2].faults[0].contains("turn f"), "{findings:?}");
}

#[test]
fn tables_that_are_not_there_cannot_be_checked() {
    let folder = tempdir().unwrap();
    let builder = build_small(folder.path());
    let only = VerifyRequest { geese: Some(7), ..ALL };
    let error = builder.verify(folder.path(), &only, &()).unwrap_err().to_string();
    assert!(error.contains("7 geese") && error.contains("small"), "{error}");
    let nowhere = folder.path().join("nowhere");
    let error = builder.verify(&nowhere, &ALL, &()).unwrap_err().to_string();
    assert!(error.contains("table build") && error.contains("nowhere"), "{error}");
}

/// Tables that know nothing of one side to move.
struct HalfBlind(HuntTables<u64>);

impl Tables<Hunt<u64>> for HalfBlind {
    fn probe(&self, game: &Hunt<u64>, position: &Position<u64>) -> Result<Option<TableValue>, TableError> {
        if position.turn == Side::Fox { Ok(None) } else { self.0.probe(game, position) }
    }

    fn pieces(&self, game: &Hunt<u64>, position: &Position<u64>) -> u32 {
        self.0.pieces(game, position)
    }

    fn most_pieces(&self) -> u32 {
        self.0.most_pieces()
    }
}

#[test]
fn positions_that_are_not_covered_do_not_pass() {
    let folder = tempdir().unwrap();
    build_small(folder.path());
    let game = small();
    let store = Store::open(folder.path(), Identity::of(game.ruleset()).unwrap()).unwrap();
    let tables = HalfBlind(HuntTables::new(&game, store.clone()));
    let findings = verify(&game, &tables, &store, &ALL, &()).unwrap();
    assert!(findings.iter().all(|layer| layer.wrong * 2 >= layer.checked), "{findings:?}");
}
