//! What jumps of the fox lead to in the layer below: to stop there or to jump on, whichever is better for it.

use super::layer::{LayerPatterns, Strip};
use super::numbering::{NO_GROUP, PatternNumbering};
use super::rules::OneFoxRules;
use super::tail_moves::TailLists;
use super::words::{Packing, singles};

/// For every pattern of a layer the points where a fox that lands cannot keep the geese from their goal.
pub(super) struct Landings {
    layer: LayerPatterns,
    /// By level: the number of its first pattern in the layer.
    offsets: Vec<usize>,
    packing: Packing,
    /// By cell: the bit of a point in a packed word.
    bits: [u8; 64],
    /// Bytes of a packed word.
    width: usize,
    bytes: Vec<u8>,
}

/// Eight bytes are read at the last place, too.
const SLACK: usize = 8;

/// Bytes of a word of fox points.
pub(super) fn packed_bytes(rules: &OneFoxRules) -> usize {
    rules.points().div_ceil(8) as usize
}

impl Landings {
    /// Room for a layer.
    pub(super) fn new(rules: &OneFoxRules, layer: LayerPatterns) -> Landings {
        let mut bits = [0; 64];
        singles(rules.all).zip(0..).for_each(|(point, bit)| bits[point.trailing_zeros() as usize] = bit);
        let mut patterns = 0;
        let mut offsets = Vec::new();
        for level in &layer.levels {
            offsets.push(patterns);
            patterns += level.patterns;
        }
        let width = packed_bytes(rules);
        let bytes = vec![0; patterns * width + SLACK];
        Landings { layer, offsets, packing: Packing::new(rules.all), bits, width, bytes }
    }

    /// Takes the words of the next patterns of a level, from a number on: where the geese reach their goal with the
    /// geese to move, and from where some jump goes wrong for them.
    pub(super) fn fill(
        &mut self,
        rules: &OneFoxRules,
        level: usize,
        first: usize,
        words: impl Iterator<Item = (u64, u64, u64)>,
    ) {
        let start = (self.offsets[level] + first) * self.width;
        for ((pattern, stopped, bad), bytes) in words.zip(self.bytes[start..].chunks_exact_mut(self.width)) {
            let word = match (rules.chain, rules.forced_chain) {
                (false, _) => stopped,
                (true, false) => stopped & !bad,
                (true, true) => (stopped | rules.can_jump(pattern)) & !bad,
            };
            bytes.copy_from_slice(&self.packing.packed(word).to_le_bytes()[..self.width]);
        }
    }

    #[inline(always)]
    fn packed(&self, pattern: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.bytes[pattern * self.width..][..8]);
        u64::from_le_bytes(bytes)
    }
}

/// Finds out which jumps go wrong for the geese.
pub(super) struct JumpJudge<'a> {
    pub rules: &'a OneFoxRules,
    pub numbering: &'a PatternNumbering,
    pub lists: &'a TailLists,
    /// `None` when every capture wins.
    pub below: Option<&'a Landings>,
}

/// A jump over one goose: where it begins, both ends, and the bit of the landing in the words looked up.
struct Jump {
    from: u64,
    ends: u64,
    bit: u8,
}

impl JumpJudge<'_> {
    /// Notes for each pattern of a strip the fox points from which some jump goes wrong for the geese.
    pub(super) fn judge(&self, strip: &Strip, bad: &mut [u64]) {
        let Some(below) = self.below else {
            let patterns = strip.patterns(self.numbering);
            bad.iter_mut().zip(patterns).for_each(|(bad, pattern)| *bad = self.rules.can_jump(pattern));
            return;
        };
        let middles = self.rules.jumps.iter().fold(0, |all, axis| all | axis.middles);
        for over in singles(middles & (strip.head | self.numbering.tail)) {
            self.judge_goose(strip, over, below, bad);
        }
    }

    /// The jumps over one point; all words that are looked up stand in one strip.
    fn judge_goose(&self, strip: &Strip, over: u64, below: &Landings, bad: &mut [u64]) {
        let (point, of_strip) = (self.lists.index(over), self.lists.of(strip.tails));
        let is_head = over & strip.head != 0;
        let at = self.numbering.head_place(strip.head & !over);
        let tails = if is_head { strip.tails } else { of_strip.fewer[point] };
        let group = if tails == NO_GROUP { None } else { below.layer.group(at.group, tails) };
        let Some(group) = group else { return };
        let jumps = self.jumps(over, at.symmetry, below);
        let first = below.offsets[group.level as usize] + group.range(at.number).start;
        let patterns = &self.numbering.tail_groups[strip.tails as usize].tails;
        let mut judge = |number: u32, landed: u32| {
            let (word, pattern) = (below.packed(first + landed as usize), strip.head | patterns[number as usize]);
            for jump in &jumps {
                if pattern & jump.ends == 0 && word >> jump.bit & 1 == 0 {
                    bad[number as usize] |= jump.from;
                }
            }
        };
        if is_head {
            let images = &of_strip.images[usize::from(at.symmetry)];
            (0..).zip(images).for_each(|(number, &landed)| judge(number, landed));
        } else {
            self.lists.of(tails).links[point].iter().for_each(|&[without, with]| judge(with, without));
        }
    }

    fn jumps(&self, over: u64, symmetry: u8, below: &Landings) -> Vec<Jump> {
        let axes = self.rules.jumps.iter().filter(|axis| axis.middles & over != 0);
        let ways = axes.flat_map(|axis| {
            let (up, down) = (over.rotate_left(axis.rotation), over.rotate_right(axis.rotation));
            [(down, up), (up, down)]
        });
        let map = &self.numbering.symmetries[usize::from(symmetry)];
        let bit = |to: u64| below.bits[map.apply(to).trailing_zeros() as usize & 63];
        ways.map(|(from, to)| Jump { from, ends: from | to, bit: bit(to) }).collect()
    }
}
