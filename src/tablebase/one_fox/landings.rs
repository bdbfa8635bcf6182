//! What jumps of the fox lead to in the layer below: to stop there or to jump on, whichever is better for it.

use rayon::prelude::*;

use super::layer::{LayerPatterns, Strip, by_strip};
use super::numbering::{NO_GROUP, PatternNumbering};
use super::rules::OneFoxRules;
use super::tail_moves::TailLists;
use super::words::singles;

/// For every pattern of a layer the points where a fox that lands cannot keep the geese from their goal.
pub(super) struct Landings {
    layer: LayerPatterns,
    /// By level: the number of its first pattern in the layer.
    offsets: Vec<usize>,
    /// Bytes of a word, which has a bit for each empty point.
    width: usize,
    bytes: Vec<u8>,
}

/// Eight bytes are read at the last place, too.
const SLACK: usize = 8;

/// Bytes of a word with a bit for each point that so many geese leave empty.
pub(super) fn word_bytes(rules: &OneFoxRules, geese: u32) -> usize {
    rules.points().saturating_sub(geese).div_ceil(8) as usize
}

impl Landings {
    /// Room for a layer.
    pub(super) fn new(rules: &OneFoxRules, layer: LayerPatterns, geese: u32) -> Landings {
        let mut patterns = 0;
        let mut offsets = Vec::new();
        for level in &layer.levels {
            offsets.push(patterns);
            patterns += level.patterns;
        }
        let width = word_bytes(rules, geese);
        let bytes = vec![0; patterns * width + SLACK];
        Landings { layer, offsets, width, bytes }
    }

    /// Takes the words of some strips that stand side by side in a level: where the geese reach their goal with the geese
    /// to move, and from where some jump goes wrong for them.
    pub(super) fn fill(
        &mut self,
        rules: &OneFoxRules,
        numbering: &PatternNumbering,
        level: usize,
        strips: &[Strip],
        stopped: &[u64],
        bad: &[u64],
    ) {
        let first = strips.first().map_or(0, |strip| strip.start);
        let bytes = &mut self.bytes[(self.offsets[level] + first) * self.width..];
        strips.par_iter().zip(by_strip(strips, self.width, bytes)).for_each(|(strip, bytes)| {
            let start = strip.start - first;
            let words = stopped[start..].iter().zip(&bad[start..]).zip(strip.patterns(numbering));
            for (((&stopped, &bad), pattern), bytes) in words.zip(bytes.chunks_exact_mut(self.width)) {
                let word = match (rules.chain, rules.forced_chain) {
                    (false, _) => stopped,
                    (true, false) => stopped & !bad,
                    (true, true) => (stopped | rules.can_jump(pattern)) & !bad,
                };
                let bits =
                    singles(rules.all & !pattern).zip(0..).map(|(point, bit)| u64::from(word & point != 0) << bit);
                bytes.copy_from_slice(&bits.fold(0, |all, bit| all | bit).to_le_bytes()[..self.width]);
            }
        });
    }

    #[inline(always)]
    fn word(&self, pattern: usize) -> u64 {
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

/// A jump over one goose: where it begins, both ends, and where it lands in the patterns looked up.
struct Jump {
    from: u64,
    ends: u64,
    landing: u64,
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
        let jumps = self.jumps(over, at.symmetry);
        let first = below.offsets[group.level as usize] + group.range(at.number).start;
        let tails_of = |group: u32| &self.numbering.tail_groups[group as usize].tails[..];
        let (before, after) = (tails_of(strip.tails), tails_of(tails));
        let kept_head = self.numbering.head_groups[at.group as usize][at.number as usize].0;
        let mut judge = |number: u32, landed: u32| {
            let (number, landed) = (number as usize, landed as usize);
            let (word, pattern) = (below.word(first + landed), strip.head | before[number]);
            let empty = self.rules.all & !(kept_head | after[landed]);
            for jump in jumps.iter().filter(|jump| pattern & jump.ends == 0) {
                if word >> (empty & (jump.landing - 1)).count_ones() & 1 == 0 {
                    bad[number] |= jump.from;
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

    fn jumps(&self, over: u64, symmetry: u8) -> Vec<Jump> {
        let axes = self.rules.jumps.iter().filter(|axis| axis.middles & over != 0);
        let ways = axes.flat_map(|axis| {
            let (up, down) = (over.rotate_left(axis.rotation), over.rotate_right(axis.rotation));
            [(down, up), (up, down)]
        });
        let map = &self.numbering.symmetries[usize::from(symmetry)];
        ways.map(|(from, to)| Jump { from, ends: from | to, landing: map.apply(to) }).collect()
    }
}
