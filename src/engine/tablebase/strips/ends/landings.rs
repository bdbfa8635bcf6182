//! How the game ends when a fox has landed, packed, for every pattern of a layer.

use std::io;
use std::ops::RangeInclusive;

use super::code::EndCode;
use crate::parallel;
use crate::tablebase::strips::layer::LayerPatterns;

/// Codes that are packed together.
const CHUNK: usize = 1 << 16;
const COMPRESSION_LEVEL: i32 = 1;

/// The ends of the game for all patterns and empty points of a layer where a fox can have landed.
pub(super) struct EndLandings {
    pub layer: LayerPatterns,
    /// By level.
    levels: Vec<LandedLevel>,
}

#[derive(Default)]
struct LandedLevel {
    packed: Vec<Box<[u8]>>,
    codes: usize,
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
        let packed = parallel::try_map(codes.chunks(CHUNK), pack)?;
        self.levels[level] = LandedLevel { packed, codes: codes.len() };
        Ok(())
    }

    /// The levels with these sums of ranks.
    pub(super) fn levels(&self, ranks: RangeInclusive<u32>) -> impl Iterator<Item = usize> {
        let levels = self.layer.levels.iter().enumerate();
        levels.filter(move |(_, level)| ranks.contains(&level.ranks)).map(|(number, _)| number)
    }

    /// The codes of a level.
    ///
    /// # Errors
    /// There is no memory to expand with.
    pub(super) fn codes(&self, level: usize) -> io::Result<Vec<EndCode>> {
        let LandedLevel { packed, codes } = &self.levels[level];
        let mut codes = vec![EndCode::DRAW; *codes];
        let chunks = packed.iter().zip(codes.chunks_mut(CHUNK));
        parallel::try_map(chunks, |(packed, codes)| unpack(packed, codes))?;
        Ok(codes)
    }
}

/// The low bytes of all codes, then the high ones, which hardly differ.
fn pack(codes: &[EndCode]) -> io::Result<Box<[u8]>> {
    let low = codes.iter().map(|code| code.0 as u8);
    let bytes: Vec<u8> = low.chain(codes.iter().map(|code| (code.0 >> 8) as u8)).collect();
    // Boxed without the room that the compressor had in reserve.
    zstd::bulk::compress(&bytes, COMPRESSION_LEVEL).map(Vec::into_boxed_slice)
}

fn unpack(packed: &[u8], codes: &mut [EndCode]) -> io::Result<()> {
    let bytes = zstd::bulk::decompress(packed, 2 * codes.len())?;
    let (low, high) = bytes.split_at(codes.len());
    for ((code, &low), &high) in codes.iter_mut().zip(low).zip(high) {
        *code = EndCode(u16::from_le_bytes([low, high]));
    }
    Ok(())
}
