//! Files of learned weights, and those shipped with the program. A file has a head of fixed size, then groups and
//! weights, compressed.
//!
//! ```text
//! 8 bytes   RNRDEVAL
//! u32       version
//! u32       CRC-32 of everything behind it
//! u64       fingerprint of the rules that decide the values of positions
//! u32       bytes of the rest before compression
//! zstd      u8 the searches that the weights serve: 1 by minimax, 2 by the mean, 3 both, which version 1 leaves out;
//!           u16 groups, each: u8 points, u8 for every point in rising order; the low bytes of all weights, then the
//!           high bytes
//! ```
//!
//! Numbers are little-endian. Weights are those of the first of all entries that share one, in their order, without the
//! spare ones.

use thiserror::Error;

use crate::eval::Backup;
use crate::geometry::{Point, PointSet};
use crate::rules::hunt::{Rules, Ruleset};
use crate::rules::ruleset;

const MAGIC: &[u8; 8] = b"RNRDEVAL";
/// The version of the format, and of the meaning of its entries.
const VERSION: u32 = 2;
const HEAD: usize = 28;
/// The most bytes before compression: more than any model has.
const MOST_BYTES: u32 = 1 << 26;
const LEVEL: i32 = 19;

/// Learned weights for the rules with a fingerprint, in quarters of a hundredth of a piece, from the geese side's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnedWeights {
    /// The hash of the rules that decide the values of positions.
    pub fingerprint: u64,
    /// The kinds of search that play better with these weights; others play as if there were none.
    pub serves: Vec<Backup>,
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
    #[error("it is of version {0} of the format; expected at most {VERSION}")]
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
        let mut body = vec![self.serves.iter().fold(0, |bits, &backup| bits | 1 << backup as u8)];
        body.extend((self.groups.len() as u16).to_le_bytes());
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
        let version = number(8);
        if !(1..=VERSION).contains(&version) {
            return Err(WeightsError::Version(version));
        }
        if crc32fast::hash(&bytes[16..]) != number(12) {
            return Err(WeightsError::Damaged);
        }
        let fingerprint = fingerprint(bytes).ok_or(WeightsError::Foreign)?;
        read_body(version, fingerprint, number(24), body).ok_or(WeightsError::Damaged)
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

fn read_body(version: u32, fingerprint: u64, bytes: u32, compressed: &[u8]) -> Option<LearnedWeights> {
    let body = zstd::bulk::decompress(compressed, bytes.min(MOST_BYTES) as usize).ok()?;
    let all = (1 << Backup::ALL.len()) - 1;
    let (bits, rest) = if version == 1 { (all, &body[..]) } else { (*body.first()?, &body[1..]) };
    let serves: Vec<Backup> = Backup::ALL.into_iter().filter(|&backup| bits & 1 << backup as u8 != 0).collect();
    let (&count, mut rest) = rest.split_first_chunk()?;
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
    let is_sound = body.len() == bytes as usize && low.len() == high.len() && (1..=all).contains(&bits);
    is_sound.then_some(LearnedWeights { fingerprint, serves, groups, weights })
}

/// A file of weights shipped with the program; `tests/bench/README.md` lists the games that tested it.
pub(super) struct Shipped {
    /// The path of the file, named like the game of the catalog that they were learned for, and like the searcher that
    /// alone they serve where another file serves the other.
    path: &'static str,
    pub(super) bytes: &'static [u8],
    /// The kinds of search that play better with them where the game begins with more geese than they were learned
    /// from.
    pub(super) more_geese: &'static [Backup],
}

const MEAN: &[Backup] = &[Backup::Mean];

macro_rules! shipped {
    ($path:literal, $more_geese:expr) => {
        Shipped { path: $path, bytes: include_bytes!($path), more_geese: $more_geese }
    };
}

const FILES: &[Shipped] = &[
    shipped!("weights/aadu-puli-attam.weights", &[]),
    shipped!("weights/bagha-chal.weights", &[]),
    shipped!("weights/bam-blang-beh-khla.weights", &[]),
    shipped!("weights/bell-13.weights", MEAN),
    shipped!("weights/catch-the-hare.weights", &[]),
    shipped!("weights/el-cazador.weights", &[]),
    shipped!("weights/fox-and-hounds.weights", &[]),
    shipped!("weights/gioco-dell-orso-17.weights", &[]),
    shipped!("weights/gioco-dell-orso.weights", &[]),
    shipped!("weights/hare-and-hounds.weights", &[]),
    shipped!("weights/jeu-militaire.weights", &[]),
    shipped!("weights/ko-app-paw-na.weights", &[]),
    shipped!("weights/komikan.weights", &[]),
    shipped!("weights/masters-15.weights", MEAN),
    shipped!("weights/murray-13.alphabeta.weights", &[]),
    shipped!("weights/murray-13.weights", &[]),
    shipped!("weights/rimau.weights", &[]),
    shipped!("weights/siege.weights", &[]),
    shipped!("weights/two-foxes-24.weights", &[]),
    shipped!("weights/wolf-und-schaaf.weights", &[]),
];

impl Shipped {
    /// The game of the catalog that they were learned for.
    pub(super) fn game(&self) -> &'static str {
        self.path.trim_start_matches("weights/").split('.').next().unwrap_or_default()
    }

    /// The shipped weights for these rules, else those of relatives.
    pub(super) fn find(rules: &Rules) -> Vec<&'static Shipped> {
        let wanted = rules.core_fingerprint();
        let own: Vec<&Shipped> = FILES.iter().filter(|file| fingerprint(file.bytes) == Some(wanted)).collect();
        if !own.is_empty() {
            return own;
        }
        let family = family(rules);
        let is_relative = |file: &&Shipped| {
            Ruleset::from_catalog(file.game(), &[]).is_ok_and(|ruleset| self::family(&ruleset.rules) == family)
        };
        FILES.iter().filter(is_relative).collect()
    }
}

/// The hash of the rules that decide where pieces stand and how they step. Relatives, the rules with equal hashes, differ
/// in nothing that patterns of pieces show: in how long a capture may go on, and with how few geese the fox has won.
fn family(rules: &Rules) -> u64 {
    let Rules { chain, forced_chain, fox_wins_below, .. } = Rules::default();
    ruleset::fingerprint(&Rules { chain, forced_chain, fox_wins_below, ..rules.core() })
}

#[cfg(test)]
mod tests {
    use super::super::LearnedEvaluation;
    use super::*;
    use crate::rules::hunt::Hunt;

    fn some() -> LearnedWeights {
        let groups = [0b10_0000_1100, 0b1_0000].map(PointSet::from_word).to_vec();
        let weights = (-500..500).map(|n| n * 61).collect();
        LearnedWeights { fingerprint: 0x1234_5678_9abc_def0, serves: vec![Backup::Mean], groups, weights }
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
    fn a_file_serves_known_searches_and_tells_its_length() {
        let body = |serves| LearnedWeights::decode(&file(0, &[serves, 0, 0])).is_ok();
        assert_eq!([0, 1, 3, 4, 255].map(body), [false, true, true, false, false]);
        let mut longer = file(0, &[3, 0, 0]);
        longer[24..28].fill(u8::MAX);
        let checksum = crc32fast::hash(&longer[16..]).to_le_bytes();
        longer[12..16].copy_from_slice(&checksum);
        assert_eq!(LearnedWeights::decode(&longer), Err(WeightsError::Damaged));
    }

    #[test]
    fn groups_are_points_in_rising_order() {
        let group = |points: &[u8]| {
            let body = [&[3, 1, 0, points.len() as u8], points].concat();
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
            let serves = weights.serves.clone();
            let ruleset = Ruleset::from_catalog(file.game(), &[]).expect("a game of the catalog");
            assert!(
                LearnedEvaluation::new(&Hunt::<u128>::new(&ruleset), weights, file.game()).is_ok(),
                "{}",
                file.game()
            );
            let is_found = |&backup: &Backup| has_weights_for(file.game(), backup);
            assert!(serves.iter().all(is_found), "{} plays by them", file.game());
        }
    }

    fn has_weights_for(name: &str, backup: Backup) -> bool {
        let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset");
        LearnedEvaluation::shipped(&Hunt::<u128>::new(&ruleset), backup).is_some()
    }

    #[test]
    fn weights_serve_only_the_searches_that_they_help() {
        let serves = |name| [Backup::Minimax, Backup::Mean].map(|backup| has_weights_for(name, backup));
        assert_eq!(["bagha-chal", "siege", "two-foxes-24"].map(serves), [[true; 2], [false, true], [false, true]]);
        // Each of its files serves one.
        let files = FILES.iter().filter(|file| file.game() == "murray-13");
        let served: Vec<_> =
            files.map(|file| LearnedWeights::decode(file.bytes).expect("a whole file").serves).collect();
        assert_eq!(served, [[Backup::Minimax], [Backup::Mean]]);
        assert_eq!(["murray-13", "refskak"].map(serves), [[true; 2]; 2]);
    }

    #[test]
    fn relatives_take_the_weights_of_a_game_whose_pieces_stand_and_step_alike() {
        let source = |keys: &str| {
            let text = format!(r#"{{"name": "mine", {keys}}}"#);
            let ruleset = Ruleset::from_text("mine.json", &text, &[]).expect("a ruleset");
            let learned = LearnedEvaluation::shipped(&Hunt::<u64>::new(&ruleset), Backup::Mean);
            learned.map(|learned| learned.source().to_owned())
        };
        let mirror = r#""extends": "murray-13", "chain": false, "fox_wins_below": 1, "repetition": "none""#;
        assert_eq!(source(mirror).as_deref(), Some("murray-13"));
        assert_eq!(source(r#""extends": "bell-13", "chain": false"#).as_deref(), Some("bell-13"));
        assert_eq!(source(r#""extends": "bell-13""#).as_deref(), Some("bell-13"), "its own");
        assert_eq!(source(r#""extends": "bell-13", "goose_moves": ["forward"]"#), None);
        assert_eq!(source(r#""extends": "bell-13", "fox_range": 3"#), None);
    }

    #[test]
    fn set_ups_with_more_geese_than_were_learned_from_take_them_where_they_help() {
        let serves = |name| [Backup::Minimax, Backup::Mean].map(|backup| has_weights_for(name, backup));
        assert_eq!(["bell-13", "masters-13", "masters-15", "fox-and-hounds"].map(serves), [[true; 2]; 4]);
        assert_eq!(["bell-15", "bell-17", "masters-17", "masters-22"].map(serves), [[false, true]; 4]);
        assert_eq!(serves("renard-1668"), [false; 2]);
    }
}
