//! Files of learned weights, and those shipped with the program. A file has a head of fixed size, then groups and
//! weights, compressed.
//!
//! ```text
//! 8 bytes   RNRDEVAL
//! u32       version
//! u32       CRC-32 of everything behind it
//! u64       fingerprint of the rules that decide the values of positions
//! u32       bytes of the rest before compression
//! zstd      u16 groups, each: u8 points, u8 for every point in rising order; the low bytes of all weights, then the
//!           high bytes
//! ```
//!
//! Numbers are little-endian. Weights are those of the first of all entries that share one, in their order, without the
//! spare ones.

use thiserror::Error;

use crate::eval::Backup;
use crate::geometry::{Point, PointSet};

const MAGIC: &[u8; 8] = b"RNRDEVAL";
/// The version of the format, and of the meaning of its entries.
const VERSION: u32 = 1;
const HEAD: usize = 28;
/// The most bytes before compression: more than any model has.
const MOST_BYTES: u32 = 1 << 26;
const LEVEL: i32 = 19;

/// Learned weights for the rules with a fingerprint, in quarters of a hundredth of a piece, from the geese side's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnedWeights {
    /// The hash of the rules that decide the values of positions.
    pub fingerprint: u64,
    pub(super) groups: Vec<PointSet<u128>>,
    pub(super) weights: Vec<i16>,
}

/// Why weights are refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// The file does not begin like a file of weights.
    #[error("it is no file of learned weights, which 'reynard tune' writes")]
    Foreign,
    /// The file has another version of the format.
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
        /// The fingerprint of the game's rules.
        expected: u64,
    },
}

impl LearnedWeights {
    /// The bytes of a file of these weights; equal weights give equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut body = (self.groups.len() as u16).to_le_bytes().to_vec();
        for group in &self.groups {
            body.push(group.len() as u8);
            body.extend(group.iter().map(|point| point.0));
        }
        body.extend(self.weights.iter().map(|weight| weight.to_le_bytes()[0]));
        body.extend(self.weights.iter().map(|weight| weight.to_le_bytes()[1]));
        file(self.fingerprint, &body)
    }

    /// Reads weights from the bytes of a file.
    ///
    /// # Errors
    /// The bytes are no file of weights, of another version, or damaged.
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

/// The bytes of a file with this body, which is compressed here.
fn file(fingerprint: u64, body: &[u8]) -> Vec<u8> {
    let mut checked = fingerprint.to_le_bytes().to_vec();
    checked.extend((body.len() as u32).to_le_bytes());
    // Writing to memory cannot fail.
    checked.extend(zstd::bulk::compress(body, LEVEL).unwrap_or_default());
    let head = [MAGIC, &VERSION.to_le_bytes()[..], &crc32fast::hash(&checked).to_le_bytes()].concat();
    [head, checked].concat()
}

/// The fingerprint in the head of a file; nothing else is checked.
fn fingerprint(bytes: &[u8]) -> Option<u64> {
    bytes.get(16..24)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

fn read_body(fingerprint: u64, bytes: u32, compressed: &[u8]) -> Option<LearnedWeights> {
    let body = zstd::bulk::decompress(compressed, bytes.min(MOST_BYTES) as usize).ok()?;
    let (&count, mut rest) = body.split_first_chunk()?;
    let mut groups = Vec::new();
    for _ in 0..u16::from_le_bytes(count) {
        let (&points, behind) = rest.split_first()?;
        let (group, behind) = behind.split_at_checked(usize::from(points))?;
        let set: PointSet<u128> = group.iter().map(|&point| Point(point)).collect();
        if !set.iter().map(|point| point.0).eq(group.iter().copied()) {
            return None;
        }
        groups.push(set);
        rest = behind;
    }
    let (low, high) = rest.split_at(rest.len() / 2);
    let weights = low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect();
    (low.len() == high.len()).then_some(LearnedWeights { fingerprint, groups, weights })
}

/// A file of weights shipped with the program, as `reynard tune` wrote it by a spec of `tournaments/learn-*.json`;
/// `tests/bench/README.md` lists the games that tested it.
pub(super) struct Shipped {
    pub(super) bytes: &'static [u8],
    /// The kinds of search that games have shown to play better with these weights.
    pub(super) serves: &'static [Backup],
    /// The kinds of search that play better with them where the game begins with more geese than they were learned
    /// from.
    pub(super) more_geese: &'static [Backup],
    /// The fingerprint of other rules on the same board for which they are used, too.
    relative: Option<u64>,
}

const EVERY: &[Backup] = &[Backup::Minimax, Backup::Mean];
const MEAN: &[Backup] = &[Backup::Mean];

/// The fingerprint of the rules of `refskak`.
const REFSKAK: u64 = 0x56af_7fd6_dc31_f433;

const FILES: &[Shipped] = &[
    Shipped { bytes: include_bytes!("weights/bagha-chal.weights"), serves: EVERY, more_geese: &[], relative: None },
    Shipped { bytes: include_bytes!("weights/bell-13.weights"), serves: EVERY, more_geese: MEAN, relative: None },
    Shipped { bytes: include_bytes!("weights/fox-and-hounds.weights"), serves: EVERY, more_geese: &[], relative: None },
    Shipped { bytes: include_bytes!("weights/masters-15.weights"), serves: EVERY, more_geese: MEAN, relative: None },
    Shipped {
        bytes: include_bytes!("weights/murray-13.weights"),
        serves: MEAN,
        more_geese: &[],
        relative: Some(REFSKAK),
    },
    Shipped { bytes: include_bytes!("weights/siege.weights"), serves: EVERY, more_geese: &[], relative: None },
    Shipped { bytes: include_bytes!("weights/two-foxes-24.weights"), serves: EVERY, more_geese: &[], relative: None },
];

impl Shipped {
    /// The shipped weights for rules with this fingerprint, or else those that name it as their relative.
    pub(super) fn find(rules: u64) -> Option<&'static Shipped> {
        let own = FILES.iter().find(|file| fingerprint(file.bytes) == Some(rules));
        own.or_else(|| FILES.iter().find(|file| file.relative == Some(rules)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::LearnedEvaluation;
    use super::*;
    use crate::rules::catalog;
    use crate::rules::hunt::{Hunt, Ruleset};

    fn some() -> LearnedWeights {
        let groups = [0b10_0000_1100, 0b1_0000].map(PointSet::from_word).to_vec();
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

    #[test]
    fn groups_are_points_in_rising_order() {
        let group = |points: &[u8]| {
            let body = [&[1, 0, points.len() as u8], points].concat();
            LearnedWeights::decode(&file(0, &body)).map(|weights| weights.groups)
        };
        assert_eq!(group(&[2, 3, 127]), Ok(vec![[2, 3, 127].map(Point).into_iter().collect()]));
        for wrong in [[3, 2], [2, 2], [2, 128], [2, 200]] {
            assert_eq!(group(&wrong), Err(WeightsError::Damaged), "{wrong:?}");
        }
    }

    #[test]
    fn every_file_is_small_whole_and_for_a_game_of_the_catalog() {
        assert!(FILES.iter().map(|file| file.bytes.len()).sum::<usize>() <= 2 << 20);
        for file in FILES {
            let weights = LearnedWeights::decode(file.bytes).expect("a whole file");
            let fits = |name: &str| {
                let ruleset = Ruleset::from_catalog(name, &[]).ok().filter(|ruleset| !ruleset.is_wide());
                ruleset
                    .is_some_and(|ruleset| LearnedEvaluation::new(&Hunt::<u64>::new(&ruleset), weights.clone()).is_ok())
            };
            assert!(catalog::names().any(fits), "{:016x}", weights.fingerprint);
        }
    }

    fn has_weights_for(name: &str, backup: Backup) -> bool {
        let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset");
        LearnedEvaluation::shipped(&Hunt::<u64>::new(&ruleset), backup).is_some()
    }

    #[test]
    fn weights_serve_only_the_searches_that_they_help() {
        let serves = |name| [Backup::Minimax, Backup::Mean].map(|backup| has_weights_for(name, backup));
        assert_eq!(["murray-13", "refskak"].map(serves), [[false, true]; 2]);
        assert_eq!(["bagha-chal", "siege", "two-foxes-24"].map(serves), [[true; 2]; 3]);
    }

    #[test]
    fn set_ups_with_more_geese_than_were_learned_from_take_them_where_they_help() {
        let serves = |name| [Backup::Minimax, Backup::Mean].map(|backup| has_weights_for(name, backup));
        assert_eq!(["bell-13", "masters-13", "masters-15", "fox-and-hounds"].map(serves), [[true; 2]; 4]);
        assert_eq!(["bell-15", "bell-17", "masters-17", "masters-22"].map(serves), [[false, true]; 4]);
        assert_eq!(serves("renard-1668"), [false; 2]);
    }
}
