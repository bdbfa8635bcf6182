//! Frontiers: what each round of solving decides, strip by strip, packed because they take much memory.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;

use zstd::bulk::Compressor;

use super::foxes::Placements;
use crate::rules::hunt::Side;
use crate::tablebase::format::with_decompressor;

/// A packed list of 64-bit words, most of them zero. For each other word: the gap to the one before it, with seven bits
/// a byte, then a mask of its bytes that are not zero, then these bytes.
#[derive(Clone, Default, Debug)]
pub(super) struct SparseWords(Vec<u8>);

impl SparseWords {
    /// Packs the words of some sets that are not zero.
    pub(super) fn new<S: Placements>(sets: impl Iterator<Item = S>) -> SparseWords {
        let words = sets.flat_map(|set| (0..S::WORDS).map(move |index| set.word(index)));
        SparseWords::of(words.enumerate().filter(|(_, word)| *word != 0))
    }

    /// Packs words that are not zero, given with their numbers in ascending order.
    pub(super) fn of(words: impl Iterator<Item = (usize, u64)>) -> SparseWords {
        let mut bytes = Vec::new();
        let mut next = 0;
        for (number, word) in words {
            let mut gap = number - next;
            next = number + 1;
            while gap > 0x7f {
                bytes.push(gap as u8 | 0x80);
                gap >>= 7;
            }
            let at = bytes.len() + 1;
            bytes.extend([gap as u8, 0]);
            for (bit, byte) in word.to_le_bytes().into_iter().enumerate().filter(|(_, byte)| *byte != 0) {
                bytes[at] |= 1 << bit;
                bytes.push(byte);
            }
        }
        SparseWords(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `visit` with the number of each word and the word.
    pub(super) fn visit(&self, mut visit: impl FnMut(usize, u64)) {
        let mut bytes = self.0.iter().copied();
        let mut number = 0;
        while let Some(mut byte) = bytes.next() {
            let mut shift = 0;
            while byte > 0x7f {
                number += usize::from(byte & 0x7f) << shift;
                shift += 7;
                byte = bytes.next().unwrap_or(0);
            }
            number += usize::from(byte) << shift;
            let present = bytes.next().unwrap_or(0);
            let mut word = [0; 8];
            for (_, byte) in word.iter_mut().enumerate().filter(|(bit, _)| present >> bit & 1 == 1) {
                *byte = bytes.next().unwrap_or(0);
            }
            visit(number, u64::from_le_bytes(word));
            number += 1;
        }
    }

    /// Toggles the placements of the words in the sets of a strip.
    pub(super) fn toggle<S: Placements>(&self, sets: &mut [S]) {
        self.visit(|number, word| sets[number / S::WORDS].toggle(number % S::WORDS, word));
    }
}

/// A frontier: the placements of a strip that one round decided, for one side to move.
pub(super) struct Frontier<'a> {
    pub round: u16,
    pub turn: Side,
    /// The size of the unpacked words in bytes.
    length: usize,
    /// The compressed words; of size `length` when they are not compressed.
    packed: &'a [u8],
}

impl Frontier<'_> {
    /// The unpacked words.
    ///
    /// # Errors
    /// There is no memory to expand with.
    pub(super) fn words(&self) -> io::Result<SparseWords> {
        if self.packed.len() == self.length {
            return Ok(SparseWords(self.packed.to_vec()));
        }
        with_decompressor(|decompressor| decompressor.decompress(self.packed, self.length)).map(SparseWords)
    }
}

/// The frontiers of a strip in the order of rounds. For each: the round, whether the fox side is to move, the size of
/// the words, the size of the packed words, and the packed words.
#[derive(Clone, Default, Debug)]
pub(super) struct StripFrontiers {
    bytes: Vec<u8>,
    /// Where the last frontier begins.
    latest: usize,
}

/// Reads frontiers in the order of rounds.
pub(super) struct FrontierReader<'a>(&'a [u8]);

/// Bytes of a frontier before its words.
const HEAD_BYTES: usize = 11;
/// Words of fewer bytes are not worth compressing.
const SHORT: usize = 96;
const COMPRESSION_LEVEL: i32 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

impl StripFrontiers {
    /// Adds what a round decided, unless it decided nothing.
    ///
    /// # Errors
    /// There is no memory to compress with.
    pub(super) fn add(&mut self, round: u16, turn: Side, words: &SparseWords) -> io::Result<()> {
        if !words.is_empty() {
            let packed = compressed(&words.0)?;
            self.push(&Frontier { round, turn, length: words.0.len(), packed: &packed });
        }
        Ok(())
    }

    fn push(&mut self, frontier: &Frontier<'_>) {
        let packed = frontier.packed;
        self.latest = self.bytes.len();
        // Spare capacity would take more than the contents, as many strips have few.
        self.bytes.reserve_exact(HEAD_BYTES + packed.len());
        self.bytes.extend(frontier.round.to_le_bytes());
        self.bytes.push(u8::from(frontier.turn == Side::Fox));
        self.bytes.extend([frontier.length as u32, packed.len() as u32].into_iter().flat_map(u32::to_le_bytes));
        self.bytes.extend_from_slice(packed);
    }

    /// Reads all frontiers.
    pub(super) fn read(&self) -> FrontierReader<'_> {
        FrontierReader(&self.bytes)
    }

    /// Reads from byte `read` to the end of a round, and moves `read` there. Returns what that round decided with
    /// `turn` to move.
    pub(super) fn read_round(&self, read: &mut usize, round: u16, turn: Side) -> Option<Frontier<'_>> {
        let due = FrontierReader(&self.bytes[*read..]).take_while(|frontier| frontier.round <= round);
        due.inspect(|frontier| *read += HEAD_BYTES + frontier.packed.len())
            .filter(|frontier| (frontier.round, frontier.turn) == (round, turn))
            .last()
    }

    /// The round of the last frontier; 0 if there is none.
    pub(super) fn last_round(&self) -> u16 {
        self.latest().map_or(0, |latest| latest.round)
    }

    /// The last frontier, if there is any.
    pub(super) fn latest(&self) -> Option<Frontier<'_>> {
        FrontierReader(&self.bytes[self.latest..]).next()
    }

    /// A copy with the frontiers for one side to move.
    pub(super) fn of_side(&self, turn: Side) -> StripFrontiers {
        let mut kept = StripFrontiers { bytes: Vec::with_capacity(self.bytes.len()), latest: 0 };
        self.read().filter(|frontier| frontier.turn == turn).for_each(|frontier| kept.push(&frontier));
        kept.bytes.shrink_to_fit();
        kept
    }
}

impl<'a> Iterator for FrontierReader<'a> {
    type Item = Frontier<'a>;

    fn next(&mut self) -> Option<Frontier<'a>> {
        let (&[r0, r1, turn, l0, l1, l2, l3, p0, p1, p2, p3], rest) = self.0.split_first_chunk()?;
        let (packed, rest) = rest.split_at(u32::from_le_bytes([p0, p1, p2, p3]) as usize);
        self.0 = rest;
        let turn = if turn == 1 { Side::Fox } else { Side::Geese };
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        Some(Frontier { round: u16::from_le_bytes([r0, r1]), turn, length, packed })
    }
}

fn compressed(bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    if bytes.len() < SHORT {
        return Ok(bytes.into());
    }
    COMPRESSOR.with_borrow_mut(|compressor| {
        let compressor = match compressor {
            Some(ready) => ready,
            empty => empty.insert(Compressor::new(COMPRESSION_LEVEL)?),
        };
        let packed = compressor.compress(bytes)?;
        Ok(if packed.len() < bytes.len() { packed.into() } else { bytes.into() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &SparseWords) -> Vec<(usize, u64)> {
        let mut shown = Vec::new();
        words.visit(|number, word| shown.push((number, word)));
        shown
    }

    #[test]
    fn what_is_packed_comes_out() {
        let mut words = vec![0u64; 70_000];
        for (index, word) in words.iter_mut().enumerate().filter(|(index, _)| index % 977 < 3 || *index > 69_000) {
            *word = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0x1_ffff_0000_ffff;
        }
        words[69_999] = u64::MAX;
        let mut all = StripFrontiers::default();
        all.add(3, Side::Fox, &SparseWords::new(words.iter().copied())).expect("memory");
        all.add(4, Side::Geese, &SparseWords::new([0u64, 0, 0].into_iter())).expect("memory");
        let latest = |all: &StripFrontiers| all.latest().expect("a frontier").words().expect("sound bytes");
        let expected: Vec<(usize, u64)> = words.iter().copied().enumerate().filter(|(_, word)| *word != 0).collect();
        assert!(shown(&latest(&all)) == expected);
        let mut sets = vec![u64::MAX; words.len()];
        latest(&all).toggle(&mut sets);
        assert!(sets.iter().zip(&words).all(|(&set, &word)| set == !word));
        all.add(300, Side::Geese, &SparseWords::new([0u64, 5].into_iter())).expect("memory");
        assert_eq!(shown(&latest(&all)), [(1, 5)]);
        let unpacked = |frontier: Frontier<'_>| shown(&frontier.words().expect("sound bytes"));
        let all_read: Vec<_> = all.read().map(|frontier| (frontier.round, frontier.turn, unpacked(frontier))).collect();
        assert!(all_read == [(3, Side::Fox, expected.clone()), (300, Side::Geese, vec![(1, 5)])]);
        assert!(all.read_round(&mut 0, 3, Side::Fox).map(unpacked) == Some(expected));
    }

    #[test]
    fn frontiers_are_read_on_by_round_and_side() {
        let mut all = StripFrontiers::default();
        let added =
            [(1, Side::Fox, 2), (3, Side::Geese, 1), (3, Side::Fox, 300), (7, Side::Fox, 5), (9, Side::Geese, 0)];
        for (round, turn, number) in added {
            all.add(round, turn, &SparseWords::of([(number, u64::from(round))].into_iter())).expect("memory");
        }
        let mut read = 0;
        for round in [2, 3, 4, 8, 9] {
            let found =
                all.read_round(&mut read, round, Side::Fox).map(|frontier| frontier.words().expect("sound bytes"));
            let expected = if round == 3 { Some(vec![(300, 3)]) } else { None };
            assert_eq!(found.as_ref().map(shown), expected);
        }
        let fox = all.of_side(Side::Fox);
        assert_eq!([&all, &fox, &StripFrontiers::default()].map(StripFrontiers::last_round), [9, 7, 0]);
        let read =
            |frontier: Frontier<'_>| (frontier.round, frontier.turn, shown(&frontier.words().expect("sound bytes")));
        let left: Vec<_> = fox.read().map(read).collect();
        assert_eq!(left, [(1, Side::Fox, vec![(2, 1)]), (3, Side::Fox, vec![(300, 3)]), (7, Side::Fox, vec![(5, 7)])]);
        assert!(StripFrontiers::default().of_side(Side::Fox).latest().is_none());
    }
}
