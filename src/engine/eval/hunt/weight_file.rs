//! The file of learned weights: a head of fixed size, then groups and weights, compressed.
//!
//! ```text
//! 8 bytes   RNRDEVAL
//! u32       version
//! u32       CRC-32 of everything behind it
//! u64       fingerprint of the rules that decide the values of positions
//! u32       bytes of the rest before compression
//! zstd      u16 groups, each: u8 points, u8 for every point; the low bytes of all weights, then the high bytes
//! ```
//!
//! Numbers are little-endian. Weights are those of the first of all entries that share one, in their order, without the
//! spare ones.

use thiserror::Error;

use crate::geometry::Point;

const MAGIC: &[u8; 8] = b"RNRDEVAL";
/// Of the format, and of the meaning of its entries.
const VERSION: u32 = 1;
const HEAD: usize = 28;
/// More than any model has.
const MOST_BYTES: u32 = 1 << 26;
const LEVEL: i32 = 19;

/// Weights for the rules of a fingerprint, in quarters of a hundredth of a piece from the geese side's point of view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnedWeights {
    /// The hash of the rules that decide the values of positions.
    pub fingerprint: u64,
    pub(super) groups: Vec<Vec<Point>>,
    pub(super) weights: Vec<i16>,
}

/// Why weights are refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// The file does not begin as one of weights does.
    #[error("it is no file of learned weights, which 'reynard tune' writes")]
    Foreign,
    /// Another version of this program wrote it.
    #[error("it is of version {0} of the format; expected {VERSION}")]
    Version(u32),
    /// The game is no hunt.
    #[error("only the evaluation of hunts learns weights")]
    Family,
    /// A checksum is wrong, or the weights do not fit the board.
    #[error("it is damaged")]
    Damaged,
    /// The weights are for other rules.
    #[error("it is for rules with the fingerprint {found:016x}; expected {expected:016x}")]
    OtherRules {
        /// The fingerprint in the file.
        found: u64,
        /// That of the game.
        expected: u64,
    },
}

impl LearnedWeights {
    /// The bytes of a file; the same for the same weights.
    pub fn encode(&self) -> Vec<u8> {
        let mut body = (self.groups.len() as u16).to_le_bytes().to_vec();
        for group in &self.groups {
            body.push(group.len() as u8);
            body.extend(group.iter().map(|point| point.0));
        }
        body.extend(self.weights.iter().map(|weight| weight.to_le_bytes()[0]));
        body.extend(self.weights.iter().map(|weight| weight.to_le_bytes()[1]));
        let mut checked = self.fingerprint.to_le_bytes().to_vec();
        checked.extend((body.len() as u32).to_le_bytes());
        // Writing to memory cannot fail.
        checked.extend(zstd::bulk::compress(&body, LEVEL).unwrap_or_default());
        let head = [MAGIC, &VERSION.to_le_bytes()[..], &crc32fast::hash(&checked).to_le_bytes()].concat();
        [head, checked].concat()
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are something else, of another version, or damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (Some((head, body)), Some(MAGIC)) = (bytes.split_at_checked(HEAD), bytes.first_chunk()) else {
            return Err(WeightsError::Foreign);
        };
        let number = |at: usize| head[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        match number(8) {
            VERSION if crc32fast::hash(&bytes[16..]) == number(12) => {}
            VERSION => return Err(WeightsError::Damaged),
            other => return Err(WeightsError::Version(other)),
        }
        let fingerprint = fingerprint(bytes).ok_or(WeightsError::Foreign)?;
        read_body(fingerprint, number(24), body).ok_or(WeightsError::Damaged)
    }
}

/// The fingerprint in the head of a file, without a look at the rest.
pub(super) fn fingerprint(bytes: &[u8]) -> Option<u64> {
    bytes.get(16..24)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

fn read_body(fingerprint: u64, bytes: u32, compressed: &[u8]) -> Option<LearnedWeights> {
    let body = zstd::bulk::decompress(compressed, bytes.min(MOST_BYTES) as usize).ok()?;
    let (&count, mut rest) = body.split_first_chunk()?;
    let mut groups = Vec::new();
    for _ in 0..u16::from_le_bytes(count) {
        let (&points, behind) = rest.split_first()?;
        let (group, behind) = behind.split_at_checked(usize::from(points))?;
        groups.push(group.iter().map(|&point| Point(point)).collect());
        rest = behind;
    }
    let (low, high) = rest.split_at(rest.len() / 2);
    let weights = low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect();
    (low.len() == high.len()).then_some(LearnedWeights { fingerprint, groups, weights })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> LearnedWeights {
        let groups = vec![vec![Point(2), Point(3), Point(9)], vec![Point(4)]];
        LearnedWeights { fingerprint: 0x1234_5678_9abc_def0, groups, weights: (-500..500).map(|n| n * 61).collect() }
    }

    #[test]
    fn weights_come_back_as_they_were() {
        assert_eq!(LearnedWeights::decode(&some().encode()), Ok(some()));
    }

    #[test]
    fn every_damage_is_seen() {
        let whole = some().encode();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            let expected = match at {
                0..8 => WeightsError::Foreign,
                8..12 => WeightsError::Version(u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]])),
                _ => WeightsError::Damaged,
            };
            assert_eq!(LearnedWeights::decode(&bytes), Err(expected), "byte {at}");
            assert!(LearnedWeights::decode(&whole[..at]).is_err(), "cut at {at}");
        }
    }
}
