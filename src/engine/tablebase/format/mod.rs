//! The file of one layer: every stored position with the same number of geese.
//!
//! All numbers are little-endian; `crc` is the CRC-32 of the IEEE polynomial.
//!
//! ```text
//! head      16 bytes  "reynard table 1\n"
//! frames              the compressed frames of block 0, 1, 2, ... one after the other
//! tables              for each block, for each of its frames: u32 end of the frame, counted from where the block's
//!                     frames begin; u32 crc of (u32 block, u32 frame, the frame's bytes)
//! blocks              for each block 32 bytes: u64 where its frames begin; u64 where its table begins; u64 rows;
//!                     u32 entries in a row; u16 rows in a frame; u16 bytes of an entry, 1 or 2
//! header              JSON: ruleset, fingerprint, geese, metric, layout, rules, program, summary (see `TableHeader`)
//! tail      48 bytes  u64 where `blocks` begins; u64 their number; u64 where `header` begins; u64 its bytes;
//!                     u32 crc of blocks and header; 12 bytes "end of table"
//! ```
//!
//! A block is a rectangle of entries, row after row. A frame holds the next `rows in a frame` rows (the last frame
//! those that remain), column after column: the entry in row `i` and column `c` of a frame of `n` rows is number `c n +
//! i`. A frame with the bytes of exactly one entry stands for that entry everywhere; any other is one Zstandard frame.
//!
//! An entry is a number: 0 is a draw, `1 + 2d` a win of the fox side, `2 + 2d` a win of the geese side, with `d` plies
//! to conversion or, if the header's `metric` says so, to the end of the game. The position for which a block, row and
//! column stand depends on the layout and is explained in a file of its method: `strips/layout.rs` for the layouts
//! `strips` and `huffs`, `drops/mod.rs` for `drops`, `general/positions.rs` for `whole` and `whole-huffs`.

mod layer_file;
mod writer;

use std::path::{Path, PathBuf};

use crc32fast::Hasher;
pub(super) use layer_file::with_decompressor;
pub use layer_file::{EntryAddress, LayerFile};
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use writer::{EncodedBlock, LayerWriter};

use super::{LayerSummary, Metric};

const HEAD: &[u8; 16] = b"reynard table 1\n";
const END: &[u8; 12] = b"end of table";
const BLOCK_BYTES: usize = 32;
const TAIL_BYTES: usize = 48;

/// The entries that a frame is to have: few enough to expand it in less than two microseconds.
const FRAME_ENTRIES: usize = 2048;

/// The header of a layer's file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableHeader {
    /// The name of the ruleset for which the table was built; others with the same fingerprint share it.
    pub ruleset: String,
    /// A hash of the rules below, as 16 hexadecimal digits.
    pub fingerprint: String,
    /// Pieces of the geese side, on the board and still to come.
    pub geese: u32,
    /// The metric of distances: `conversion`, also for files without this key, or `end`.
    #[serde(default)]
    pub metric: Metric,
    /// The layout, which says how blocks, rows and columns stand for positions: `strips`, `huffs`, `drops`, `whole` or
    /// `whole-huffs`.
    pub layout: String,
    /// The rules on which the values depend; set-up and names are not among them.
    pub rules: Value,
    /// The version of reynard that wrote the file.
    pub program: String,
    /// How often each result occurs in the layer, and the longest wins.
    pub summary: LayerSummary,
}

/// The name of the file of a layer, without its folder.
pub(crate) fn file_name(fingerprint: u64, geese: u32, metric: Metric) -> String {
    format!("{fingerprint:016x}-{geese:02}.{}", metric.extension())
}

/// The path under which a layer is written until it is complete.
fn partial_path(path: &Path) -> PathBuf {
    path.with_extension("partial")
}

/// The size of a block and how its entries are cut into frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlockShape {
    rows: u64,
    /// The number of entries in a row.
    columns: u32,
    rows_per_frame: u16,
    /// Bytes of an entry: 1 or 2.
    width: u16,
}

impl BlockShape {
    fn new(rows: usize, columns: usize, width: u16) -> BlockShape {
        let rows_per_frame = (FRAME_ENTRIES / columns.max(1)).clamp(1, usize::from(u16::MAX)) as u16;
        BlockShape { rows: rows as u64, columns: columns as u32, rows_per_frame, width }
    }

    fn frames(&self) -> u64 {
        self.rows.div_ceil(u64::from(self.rows_per_frame.max(1)))
    }

    /// The number of rows in a frame of the block.
    fn rows_of(&self, frame: u64) -> usize {
        let first = frame * u64::from(self.rows_per_frame);
        self.rows.saturating_sub(first).min(u64::from(self.rows_per_frame)) as usize
    }

    /// The size of a frame in bytes when it is expanded.
    fn bytes_of(&self, frame: u64) -> usize {
        self.rows_of(frame) * self.columns as usize * usize::from(self.width)
    }
}

fn crc(parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// The checksum of a frame and its place, so that a sound frame in the wrong place is an error.
fn frame_crc(block: u32, frame: u32, bytes: &[u8]) -> u32 {
    crc(&[&block.to_le_bytes(), &frame.to_le_bytes(), bytes])
}
