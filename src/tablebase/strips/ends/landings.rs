//! How the game ends when a fox has landed, for every pattern of a layer: packed, and open where the layer after it looks.

use std::io;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::code::EndCode;
use crate::tablebase::strips::layer::LayerPatterns;

/// Codes that are packed together.
const CHUNK: usize = 1 << 20;
const COMPRESSION_LEVEL: i32 = 1;

/// The ends of the game for all patterns and empty points of a layer where a fox can have landed.
pub(super) struct EndLandings {
    pub layer: LayerPatterns,
    /// By level.
    levels: Vec<LandedLevel>,
}

#[derive(Default)]
struct LandedLevel {
    packed: Vec<Vec<u8>>,
    length: usize,
    /// Empty as long as nobody looks here.
    open: Vec<EndCode>,
}

impl EndLandings {
    /// Room for a layer.
    pub(super) fn new(layer: LayerPatterns) -> EndLandings {
        EndLandings { levels: layer.levels.iter().map(|_| LandedLevel::default()).collect(), layer }
    }

    /// Keeps the codes of a level, by pattern and empty point.
    ///
    /// # Errors
    /// There is no memory to compress with.
    pub(super) fn keep(&mut self, level: usize, codes: &[EndCode]) -> io::Result<()> {
        let packed = codes.par_chunks(CHUNK).map(pack).collect::<io::Result<_>>()?;
        self.levels[level] = LandedLevel { packed, length: codes.len(), open: Vec::new() };
        Ok(())
    }

    /// Opens the levels with some sums of ranks, and closes all others.
    ///
    /// # Errors
    /// There is no memory to expand with.
    pub(super) fn open(&mut self, ranks: &RangeInclusive<u32>) -> io::Result<()> {
        for (about, level) in self.layer.levels.iter().zip(&mut self.levels) {
            if !ranks.contains(&about.ranks) {
                level.open = Vec::new();
            } else if level.open.is_empty() {
                let mut open = vec![EndCode::DRAW; level.length];
                let chunks = level.packed.par_iter().zip(open.par_chunks_mut(CHUNK));
                chunks.try_for_each(|(packed, codes)| unpack(packed, codes))?;
                level.open = open;
            }
        }
        Ok(())
    }

    /// The codes of an open level.
    pub(super) fn codes(&self, level: usize) -> &[EndCode] {
        &self.levels[level].open
    }
}

/// The low bytes of all codes, then the high ones, which hardly differ.
fn pack(codes: &[EndCode]) -> io::Result<Vec<u8>> {
    let low = codes.iter().map(|code| code.0 as u8);
    let bytes: Vec<u8> = low.chain(codes.iter().map(|code| (code.0 >> 8) as u8)).collect();
    zstd::bulk::compress(&bytes, COMPRESSION_LEVEL)
}

fn unpack(packed: &[u8], codes: &mut [EndCode]) -> io::Result<()> {
    let bytes = zstd::bulk::decompress(packed, 2 * codes.len())?;
    let (low, high) = bytes.split_at(codes.len());
    for ((code, &low), &high) in codes.iter_mut().zip(low).zip(high) {
        *code = EndCode(u16::from_le_bytes([low, high]));
    }
    Ok(())
}
