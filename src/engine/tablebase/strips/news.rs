//! What the rounds have decided, strip by strip, packed: too much to keep in the open.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

use super::foxes::Placements;
use crate::rules::hunt::Side;

/// Words that are not zero, by number among all words of a strip: the gap before each, with seven bits a byte, then
/// which of its bytes are not zero, then these.
#[derive(Clone, Default, Debug)]
pub(super) struct SparseWords(Vec<u8>);

impl SparseWords {
    /// Takes the words of some sets.
    pub(super) fn new<S: Placements>(sets: impl Iterator<Item = S>) -> SparseWords {
        let words = sets.flat_map(|set| (0..S::WORDS).map(move |index| set.word(index)));
        SparseWords::of(words.enumerate().filter(|(_, word)| *word != 0))
    }

    /// Takes words that are not zero with their numbers, in order.
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

    /// Shows each word and its number.
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
}

/// All that was decided in a strip, in the order of rounds: for each round and side to move the round, whether the fox
/// side is to move, the bytes of the words, the same when compressed (as many when they are not), and these.
#[derive(Clone, Default, Debug)]
pub(super) struct StripNews {
    bytes: Vec<u8>,
    /// Where the last ones begin.
    latest: usize,
}

/// What one round decided for one side to move.
struct Decided<'a> {
    round: u16,
    turn: Side,
    /// The bytes of the words, and as many when they are not compressed.
    length: usize,
    packed: &'a [u8],
}

impl Decided<'_> {
    fn words(&self) -> io::Result<SparseWords> {
        expanded(self.packed, self.length).map(SparseWords)
    }

    /// Bytes that it takes.
    fn size(&self) -> usize {
        HEAD_BYTES + self.packed.len()
    }
}

/// A place in the news of a strip, from where they are read on.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NewsCursor(usize);

const HEAD_BYTES: usize = 11;
/// Fewer bytes are not worth compressing.
const SHORT: usize = 96;
const COMPRESSION_LEVEL: i32 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

impl StripNews {
    /// # Errors
    /// There is no memory to compress with.
    pub(super) fn add(&mut self, round: u16, turn: Side, words: &SparseWords) -> io::Result<()> {
        if words.is_empty() {
            return Ok(());
        }
        let packed = compressed(&words.0)?;
        self.latest = self.bytes.len();
        // Many strips with little in them: room in reserve would take more than what is kept.
        self.bytes.reserve_exact(HEAD_BYTES + packed.len());
        self.bytes.extend(round.to_le_bytes());
        self.bytes.push(u8::from(turn == Side::Fox));
        self.bytes.extend([words.0.len() as u32, packed.len() as u32].into_iter().flat_map(u32::to_le_bytes));
        self.bytes.extend_from_slice(&packed);
        Ok(())
    }

    /// What was added last; nothing if nothing was.
    ///
    /// # Errors
    /// There is no memory to expand with.
    pub(super) fn latest(&self) -> io::Result<SparseWords> {
        self.at(self.latest).map_or(Ok(SparseWords::default()), |last| last.words())
    }

    /// What was decided with one side to move.
    pub(super) fn of_side(&self, turn: Side) -> StripNews {
        let all = || {
            std::iter::successors(self.at(0).map(|first| (0, first)), |(start, news)| {
                let next = start + news.size();
                Some((next, self.at(next)?))
            })
        };
        let kept = || all().filter(|(_, news)| news.turn == turn);
        let mut bytes = Vec::with_capacity(kept().map(|(_, news)| news.size()).sum());
        let mut latest = 0;
        for (start, news) in kept() {
            latest = bytes.len();
            bytes.extend_from_slice(&self.bytes[start..start + news.size()]);
        }
        StripNews { bytes, latest }
    }

    /// The round in which something was added last; 0 if nothing was.
    pub(super) fn last_round(&self) -> u16 {
        self.at(self.latest).map_or(0, |last| last.round)
    }

    /// Shows everything: the round, the side to move, the number of the word and the word.
    ///
    /// # Errors
    /// There is no memory to expand with.
    pub(super) fn visit(&self, mut visit: impl FnMut(u16, Side, usize, u64)) -> io::Result<()> {
        let mut next = 0;
        while let Some(decided) = self.at(next) {
            decided.words()?.visit(|number, word| visit(decided.round, decided.turn, number, word));
            next += decided.size();
        }
        Ok(())
    }

    /// Shows the words of one round with one side to move, and moves the cursor behind that round. Says whether there
    /// were any.
    ///
    /// # Errors
    /// There is no memory to expand with.
    pub(super) fn visit_round(
        &self,
        cursor: &mut NewsCursor,
        (round, turn): (u16, Side),
        mut visit: impl FnMut(usize, u64),
    ) -> io::Result<bool> {
        let mut any = false;
        while let Some(decided) = self.at(cursor.0).filter(|decided| decided.round <= round) {
            if (decided.round, decided.turn) == (round, turn) {
                decided.words()?.visit(&mut visit);
                any = true;
            }
            cursor.0 += decided.size();
        }
        Ok(any)
    }

    /// What begins at a byte; `None` at the end.
    fn at(&self, start: usize) -> Option<Decided<'_>> {
        let (&[r0, r1, turn, l0, l1, l2, l3, p0, p1, p2, p3], rest) = self.bytes[start..].split_first_chunk()?;
        let packed = &rest[..u32::from_le_bytes([p0, p1, p2, p3]) as usize];
        let turn = if turn == 1 { Side::Fox } else { Side::Geese };
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        Some(Decided { round: u16::from_le_bytes([r0, r1]), turn, length, packed })
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

fn expanded(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
    if bytes.len() == length {
        return Ok(bytes.to_vec());
    }
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(ready) => ready,
            empty => empty.insert(Decompressor::new()?),
        };
        decompressor.decompress(bytes, length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        let mut words = vec![0u64; 70_000];
        for (index, word) in words.iter_mut().enumerate().filter(|(index, _)| index % 977 < 3 || *index > 69_000) {
            *word = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0x1_ffff_0000_ffff;
        }
        words[69_999] = u64::MAX;
        let mut news = StripNews::default();
        news.add(3, Side::Fox, &SparseWords::new(words.iter().copied())).expect("memory");
        news.add(4, Side::Geese, &SparseWords::new([0u64, 0, 0].into_iter())).expect("memory");
        news.latest().expect("sound bytes").visit(|number, word| assert_eq!(word, words[number]));
        news.add(300, Side::Geese, &SparseWords::new([0u64, 5].into_iter())).expect("memory");
        let mut latest = Vec::new();
        news.latest().expect("sound bytes").visit(|number, word| latest.push((number, word)));
        assert_eq!(latest, [(1, 5)]);
        let (mut found, mut last) = (vec![0; words.len()], None);
        news.visit(|round, turn, number, word| match round {
            3 => found[number] = word,
            _ => last = Some((round, turn, number, word)),
        })
        .expect("sound bytes");
        assert!(found == words);
        assert_eq!(last, Some((300, Side::Geese, 1, 5)));
    }

    #[test]
    fn news_are_read_on_by_round_and_side() {
        let mut news = StripNews::default();
        let added =
            [(1, Side::Fox, 2), (3, Side::Geese, 1), (3, Side::Fox, 300), (7, Side::Fox, 5), (9, Side::Geese, 0)];
        for (round, turn, number) in added {
            news.add(round, turn, &SparseWords::of([(number, u64::from(round))].into_iter())).expect("memory");
        }
        let mut cursor = NewsCursor::default();
        let mut found = Vec::new();
        for round in [2, 3, 4, 8, 9] {
            let any =
                news.visit_round(&mut cursor, (round, Side::Fox), |number, word| found.push((round, number, word)));
            assert_eq!(any.expect("sound bytes"), round == 3);
        }
        assert_eq!(found, [(3, 300, 3)]);
        let fox = news.of_side(Side::Fox);
        assert_eq!((news.last_round(), fox.last_round(), StripNews::default().last_round()), (9, 7, 0));
        let mut left = Vec::new();
        fox.visit(|round, turn, number, _| left.push((round, turn, number))).expect("sound bytes");
        assert_eq!(left, [(1, Side::Fox, 2), (3, Side::Fox, 300), (7, Side::Fox, 5)]);
        assert!(StripNews::default().of_side(Side::Fox).latest().expect("nothing").is_empty());
    }
}
