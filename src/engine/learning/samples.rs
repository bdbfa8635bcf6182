//! Positions with their labels, in memory and in files.

use std::io::Read;
use std::path::Path;

use super::LearningError;
use super::truth::Label;
use crate::files;
use crate::geometry::{PointSet, Word};
use crate::rules::hunt::{Phase, Position, Side};

/// A position from a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample<W: Word> {
    pub position: Position<W>,
    pub label: Label,
    /// The number of the game in the run.
    pub game: u32,
}

/// Two sets of points, hand, flags, plies, game and opinion.
const BYTES: usize = 16 + 16 + 1 + 1 + 2 + 4 + 2;
/// Begins the checksums, so that files of another form are refused.
const FORMAT: u32 = 2;
const MOST_BYTES: u64 = 1 << 30;

impl<W: Word> Sample<W> {
    /// A sample of a position in which nothing but a move is owed; `None` for others.
    pub(super) fn new(position: Position<W>, label: Label, game: u32) -> Option<Self> {
        (position.phase() == Phase::Normal).then_some(Sample { position, label, game })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let position = &self.position;
        let winner = match self.label.winner {
            None => 0,
            Some(Side::Fox) => 1,
            Some(Side::Geese) => 2,
        };
        bytes.extend(position.foxes().word().widen().to_le_bytes());
        bytes.extend(position.geese().word().widen().to_le_bytes());
        bytes.push(position.hand() as u8);
        let is_opinion = u8::from(self.label.opinion.is_some());
        bytes.push(is_opinion << 3 | winner << 1 | u8::from(position.side_to_move() == Side::Geese));
        bytes.extend(self.label.plies.to_le_bytes());
        bytes.extend(self.game.to_le_bytes());
        bytes.extend(self.label.opinion.unwrap_or(0).to_le_bytes());
    }

    fn read(bytes: &[u8; BYTES]) -> Self {
        let set = |at: usize| {
            let word = bytes[at..].first_chunk().map_or(0, |word| u128::from_le_bytes(*word));
            PointSet::from_word(W::truncate(word))
        };
        let turn = if bytes[33] & 1 == 1 { Side::Geese } else { Side::Fox };
        let winner = [None, Some(Side::Fox), Some(Side::Geese), None][usize::from(bytes[33] >> 1 & 3)];
        let opinion = (bytes[33] >> 3 == 1).then(|| i16::from_le_bytes([bytes[40], bytes[41]]));
        Sample {
            position: Position::new(set(0), set(16), turn).with_hand(bytes[32]),
            label: Label { winner, plies: u16::from_le_bytes([bytes[34], bytes[35]]), opinion },
            game: u32::from_le_bytes([bytes[36], bytes[37], bytes[38], bytes[39]]),
        }
    }
}

/// Writes samples as a whole file or none.
///
/// # Errors
/// The system refuses.
pub(super) fn save<W: Word>(path: &Path, samples: &[Sample<W>]) -> Result<(), LearningError> {
    let mut bytes = Vec::with_capacity(samples.len() * BYTES);
    samples.iter().for_each(|sample| sample.write(&mut bytes));
    let written = zstd::encode_all(&*bytes, 3).and_then(|packed| {
        let checked = [&checksum(&packed).to_le_bytes()[..], &packed].concat();
        files::write(path, &checked)
    });
    written.map_err(|error| LearningError::File { path: path.to_owned(), message: error.to_string() })
}

/// Reads what [`save`] wrote; `None` when there is no such file.
///
/// # Errors
/// It cannot be read, or is damaged.
pub(super) fn load<W: Word>(path: &Path) -> Result<Option<Vec<Sample<W>>>, LearningError> {
    if !path.exists() {
        return Ok(None);
    }
    let refuse = |message: String| LearningError::File { path: path.to_owned(), message };
    let bytes = files::read_bytes(path, MOST_BYTES).map_err(|error| refuse(error.reason()))?;
    let damaged = || refuse("it is damaged; delete it, and --resume plays its games again".to_owned());
    let (crc, packed) = bytes.split_first_chunk().ok_or_else(damaged)?;
    let mut body = Vec::new();
    let unpacked = zstd::Decoder::new(packed).and_then(|decoder| decoder.take(MOST_BYTES).read_to_end(&mut body));
    let (records, rest) = body.as_chunks();
    match unpacked {
        Ok(_) if checksum(packed) == u32::from_le_bytes(*crc) && rest.is_empty() => {
            Ok(Some(records.iter().map(Sample::read).collect()))
        }
        _ => Err(damaged()),
    }
}

fn checksum(packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(FORMAT);
    hasher.update(packed);
    hasher.finalize()
}
