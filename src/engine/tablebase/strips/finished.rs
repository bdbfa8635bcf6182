//! Reads again what was decided in a finished layer.

use super::foxes::{Foxes, Placements};
use super::layer::Strip;
use super::numbering::PatternNumbering;
use super::pieces::stored_block;
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::format::LayerFile;
use crate::tablebase::{TableEntry, TableError};

/// By goal, for each pattern of a piece of the file of so many geese the placements where the geese to move reach it.
///
/// # Errors
/// The file is damaged or cannot be read.
pub(super) fn read_goals<F: Foxes>(
    foxes: &F,
    numbering: &PatternNumbering,
    geese: u32,
    strips: &[Strip],
    file: &LayerFile,
    piece: u32,
) -> Result<[Vec<F::Set>; 2], TableError> {
    let (all, columns) = (foxes.rules().all, foxes.columns_beside(geese));
    let patterns: Vec<u64> = strips.iter().flat_map(|strip| strip.patterns(numbering)).collect();
    let entries = read_rows(foxes, geese, patterns.len(), file, piece)?;
    let rows = entries.chunks_exact(columns.max(1) as usize);
    let goals = |(pattern, row): (u64, &[TableEntry])| goals_reached(foxes, all & !pattern, row);
    let (won, held) = parallel::map(patterns.into_iter().zip(rows), goals).into_iter().unzip();
    Ok([won, held])
}

/// The entries of a piece of the file of so many geese with the geese to move, for so many patterns.
///
/// # Errors
/// As [`read_goals`].
pub(super) fn read_rows<F: Foxes>(
    foxes: &F,
    geese: u32,
    patterns: usize,
    file: &LayerFile,
    piece: u32,
) -> Result<Vec<TableEntry>, TableError> {
    let stored = stored_block(piece, Side::Geese);
    if file.extent(stored) != (patterns as u64, foxes.columns_beside(geese)) {
        let message = "it has another size than it must";
        return Err(TableError::damaged(file.path(), format!("block {stored}"), message));
    }
    file.block(stored)
}

/// The placements where the geese side wins in a row of entries, and those where it does not lose.
fn goals_reached<F: Foxes>(foxes: &F, empty: u64, row: &[TableEntry]) -> (F::Set, F::Set) {
    let (mut won, mut held) = (F::Set::default(), F::Set::default());
    for (bit, entry) in foxes.bits(empty).zip(row) {
        let (index, word) = (bit / 64, 1 << (bit % 64));
        match entry.winner() {
            Some(Side::Geese) => [&mut won, &mut held].into_iter().for_each(|set| set.toggle(index, word)),
            None => held.toggle(index, word),
            Some(Side::Fox) => {}
        }
    }
    (won, held)
}
