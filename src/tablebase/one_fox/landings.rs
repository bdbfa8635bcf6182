//! The value of landing after a jump for the fox: to stop or to jump on, whichever is better.

use std::sync::Arc;

use super::index::{LayerPatterns, PatternNumbering};
use super::rules::{OneFoxRules, singles};

/// The fox points of a pattern by what the fox can force from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LandingSets {
    /// The fox wins.
    pub won: u64,
    /// The fox does not lose; these include the won ones.
    pub held: u64,
}

/// Packs the landing sets of one board's patterns into few bytes.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// Runs of neighbouring points: their bits, and by how much they move down.
    runs: Vec<(u64, u32)>,
    points: u32,
    bytes: usize,
    /// By cell: the bit of a point in a squeezed set, and that of its mirror image.
    bits: [[u8; 64]; 2],
}

/// Room to read sixteen bytes at the last place.
const SLACK: usize = 16;

impl Packing {
    pub(super) fn new(rules: &OneFoxRules, numbering: &PatternNumbering) -> Packing {
        let (mut runs, mut packed) = (Vec::new(), 0);
        let mut left = rules.all;
        while left != 0 {
            let start = left.trailing_zeros();
            let length = (left >> start).trailing_ones();
            let run = (u64::MAX >> (64 - length)) << start;
            runs.push((run, start - packed));
            packed += length;
            left &= !run;
        }
        let bit = |point: u64| (rules.all & point.wrapping_sub(1)).count_ones() as u8;
        let mut bits = [[0; 64]; 2];
        for point in singles(rules.all) {
            let cell = point.trailing_zeros() as usize;
            bits[0][cell] = bit(point);
            bits[1][cell] = bit(numbering.mirror(point));
        }
        Packing { runs, points: packed, bytes: (2 * packed as usize).div_ceil(8), bits }
    }

    /// Bytes for one pattern.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    #[inline(always)]
    fn packed(&self, set: u64) -> u64 {
        self.runs.iter().fold(0, |all, &(run, down)| all | (set & run) >> down)
    }

    pub(super) fn write(&self, sets: LandingSets, out: &mut Vec<u8>) {
        let both = u128::from(self.packed(sets.won)) | u128::from(self.packed(sets.held)) << self.points;
        out.extend_from_slice(&both.to_le_bytes()[..self.bytes]);
    }
}

/// The landing sets of every pattern of a layer.
pub(super) struct LandingTable {
    layer: Arc<LayerPatterns>,
    packing: Packing,
    bytes: Vec<u8>,
}

/// What a fox can force from one point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LandingValue {
    won: bool,
    held: bool,
}

impl LandingTable {
    /// Room for a layer.
    pub(super) fn new(layer: Arc<LayerPatterns>, packing: Packing) -> LandingTable {
        let bytes = vec![0; layer.patterns as usize * packing.bytes + SLACK];
        LandingTable { layer, packing, bytes }
    }

    /// Takes what [`Packing::write`] made of all patterns of a block.
    pub(super) fn fill(&mut self, block: u32, packed: &[u8]) {
        let start = self.layer.blocks[block as usize].offset as usize * self.packing.bytes;
        self.bytes[start..start + packed.len()].copy_from_slice(packed);
    }

    /// What two fox points make of a pattern with this key.
    #[inline(always)]
    fn landings(&self, numbering: &PatternNumbering, key: u32, pattern: u64, points: [u64; 2]) -> [LandingValue; 2] {
        let at = self.layer.find(numbering, key, pattern);
        let index = self.layer.blocks[at.block as usize].offset as usize + at.index as usize;
        let mut both = [0; SLACK];
        both.copy_from_slice(&self.bytes[index * self.packing.bytes..][..SLACK]);
        let both = u128::from_le_bytes(both);
        let bits = &self.packing.bits[usize::from(at.mirrored)];
        points.map(|point| {
            let bit = u32::from(bits[point.trailing_zeros() as usize & 63]);
            LandingValue { won: both >> bit & 1 != 0, held: both >> (bit + self.packing.points) & 1 != 0 }
        })
    }
}

/// What the jumps from every fox point lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct JumpSets {
    /// Some jump is possible.
    pub any: u64,
    /// Some jump wins.
    pub won: u64,
    /// Some jump does not lose; these include the won ones.
    pub held: u64,
}

/// Looks up the jumps in a pattern with this key; `below` is `None` when the fox has won with one goose less.
#[inline]
pub(super) fn jumps(
    rules: &OneFoxRules,
    numbering: &PatternNumbering,
    below: Option<&LandingTable>,
    key: u32,
    pattern: u64,
) -> JumpSets {
    let empty = rules.all & !pattern;
    let mut jumps = JumpSets::default();
    for axis in &rules.jumps {
        for over in singles(axis.open(pattern, empty)) {
            let (up, down) = (over.rotate_left(axis.rotation), over.rotate_right(axis.rotation));
            jumps.any |= up | down;
            let ends = match below {
                None => [LandingValue { won: true, held: true }; 2],
                Some(landings) => {
                    let key = key - numbering.weight(rules.rank(over));
                    landings.landings(numbering, key, pattern ^ over, [up, down])
                }
            };
            for (from, end) in [(down, ends[0]), (up, ends[1])] {
                jumps.won |= if end.won { from } else { 0 };
                jumps.held |= if end.held { from } else { 0 };
            }
        }
    }
    jumps
}

impl LandingSets {
    /// What a fox that lands on a pattern can force: `won` and `lost` are the points where it has won or lost with the
    /// geese to move.
    pub(super) fn of_landing(
        rules: &OneFoxRules,
        pattern: u64,
        (won, lost): (u64, u64),
        jumps: JumpSets,
    ) -> LandingSets {
        let held = rules.all & !pattern & !lost;
        match (rules.chain, rules.forced_chain) {
            (false, _) => LandingSets { won, held },
            (true, false) => LandingSets { won: won | jumps.won, held: held | jumps.held },
            (true, true) => LandingSets { won: won & !jumps.any | jumps.won, held: held & !jumps.any | jumps.held },
        }
    }
}
