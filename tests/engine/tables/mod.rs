//! Tables of perfect play: their files, how they are built, checked and asked.

mod building;
mod files;
mod playing;
mod verifying;

use std::path::{Path, PathBuf};

use reynard_engine::rules::hunt::{Hunt, Ruleset};
use reynard_engine::tablebase::build::{BuildRequest, LayerLimit, Resources};
use reynard_engine::tablebase::format::{EncodedBlock, LayerFile, LayerWriter, TableHeader};
use reynard_engine::tablebase::{HuntTableBuilder, LayerSummary, Metric, TableBuilder, TableError};

/// Sixteen points, one fox, geese that never go back: small enough to be solved at once.
const SMALL: &str = r#"{"name": "small", "extends": "masters-15", "title": "A small board", "board": "grid(4,4)",
    "fox_start": "b3", "geese": ["a1", "b1", "c1", "d1"], "fox_wins_below": 2}"#;

fn small() -> Hunt<u64> {
    Hunt::new(&Ruleset::from_text("small.json", SMALL, &[]).expect("a ruleset"))
}

/// As many geese as the small board starts with, whatever it takes.
const EVERYTHING: BuildRequest =
    BuildRequest { limit: LayerLimit::Exactly(4), resources: Resources { memory: None, disk: None, processor: None } };

fn build_small(folder: &Path) -> HuntTableBuilder<u64> {
    let builder = HuntTableBuilder::new(small()).expect("a builder");
    builder.build(folder, &EVERYTHING, &()).expect("tables");
    builder
}

fn header() -> TableHeader {
    TableHeader {
        ruleset: "none".to_owned(),
        fingerprint: format!("{:016x}", 7),
        geese: 5,
        metric: Metric::Conversion,
        layout: "test".to_owned(),
        rules: serde_json::json!({}),
        program: "test".to_owned(),
        summary: LayerSummary::default(),
    }
}

/// Writes a layer of blocks with so many columns and these entries.
fn write(path: &Path, header: &TableHeader, blocks: &[(usize, Vec<u16>)]) -> Result<(), TableError> {
    let mut writer = LayerWriter::create(path)?;
    for (columns, entries) in blocks {
        writer.append(&EncodedBlock::new(*columns, entries).expect("a block"))?;
    }
    writer.finish(header)
}

/// What the blocks of a layer hold, as [`write`] takes it.
fn contents(file: &LayerFile) -> Vec<(usize, Vec<u16>)> {
    let of_block = |block: u32| {
        let entries = file.block(block).expect("a sound block");
        (file.extent(block).1 as usize, entries.into_iter().map(|entry| entry.0).collect())
    };
    (0..file.blocks()).map(of_block).collect()
}

/// The tables in a folder by name.
fn tables(folder: &Path) -> Vec<PathBuf> {
    reynard_engine::tablebase::table_files(folder).expect("a folder")
}
