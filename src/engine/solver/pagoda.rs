//! Pagoda functions: weights of holes that no jump can raise.
//!
//! If the jumping and the jumped peg together are never worth less than the peg after the jump, the worth of all pegs
//! never rises; a target that is worth more than the start is out of reach. Conway and Boardman's idea (Berlekamp,
//! Conway, Guy, Winning Ways, chapter 23; Beasley, chapter 5). The function that refutes a problem, if there is one,
//! is found by linear programming.

use super::board::{PegBoard, bit, holes};
use super::simplex;
use crate::geometry::Word;

/// Whole weights, one a hole, with which every jump's first two holes together weigh at least as much as its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pagoda {
    /// By hole number of the graph.
    pub weights: Vec<i32>,
}

/// Denominators that are tried to make the weights whole.
const MAX_DENOMINATOR: i32 = 240;

impl Pagoda {
    /// What a set of holes weighs.
    pub(super) fn worth<W: Word>(&self, set: W) -> i32 {
        holes(set).map(|hole| self.weights[usize::from(hole)]).sum()
    }

    /// Whether no jump of the board raises the weight.
    pub fn holds(&self, jumps: &[[u8; 3]]) -> bool {
        let weight = |hole: u8| self.weights[usize::from(hole)];
        jumps.iter().all(|&[from, over, to]| weight(from) + weight(over) >= weight(to))
    }

    /// A function that shows that `target` cannot be reached from `start`.
    pub(super) fn refuting<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Option<Self> {
        let weights = simplex::weights(board, start, target)?;
        let proves = |pagoda: &Pagoda| pagoda.holds(&board.graph.jumps) && pagoda.worth(start) < pagoda.worth(target);
        (1..=MAX_DENOMINATOR).filter_map(|scale| whole(&weights, f64::from(scale))).find(proves)
    }
}

/// The weights times `scale`, if those are whole.
fn whole(weights: &[f64], scale: f64) -> Option<Pagoda> {
    let near = weights.iter().all(|weight| (weight * scale - (weight * scale).round()).abs() < 1e-6);
    near.then(|| Pagoda { weights: weights.iter().map(|weight| (weight * scale).round() as i32).collect() })
}

/// Which way a search walks: jumps from the start, or jumps taken back from the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WalkDirection {
    Forward,
    Backward,
}

/// Functions asked at once, a byte each, and the words that hold them: one line of the cache.
const LANES: usize = 64;
const WORDS: usize = LANES / 8;
const CHUNK_BITS: usize = 8;
/// The top bit of every byte.
const PASSES: u64 = 0x8080_8080_8080_8080;

/// A byte for every function.
type Bytes = [u64; WORDS];

/// What a position has to spare: 128 and more means that the function lets it pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack(Bytes);

/// Many pagoda functions, asked together whether a position can still reach the other end of the problem.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    base: Bytes,
    /// By chunks of eight holes: what a set of pegs adds.
    tables: Vec<[Bytes; 1 << CHUNK_BITS]>,
    /// What each jump costs.
    losses: Vec<Bytes>,
}

impl Sieve {
    /// The number of functions that one sieve holds.
    pub(super) const ROOM: usize = LANES;

    /// A sieve of the first functions that fit. `goal` is where the walk wants to arrive.
    pub(super) fn new<W: Word>(board: &PegBoard<W>, pagodas: &[Pagoda], goal: W, way: WalkDirection) -> Self {
        let mut lanes: Vec<Lane> = pagodas.iter().filter_map(|pagoda| Lane::new(board, pagoda, goal, way)).collect();
        lanes.truncate(LANES);
        let chunks = board.graph.holes.div_ceil(CHUNK_BITS);
        Sieve {
            base: pack(&lanes, 128, |lane| lane.base),
            tables: (0..chunks).map(|chunk| table(&lanes, chunk, board.graph.holes)).collect(),
            losses: (0..board.graph.jumps.len()).map(|jump| pack(&lanes, 0, |lane| lane.losses[jump])).collect(),
        }
    }

    #[inline(always)]
    pub(super) fn slack<W: Word>(&self, pegs: W) -> Slack {
        let mut slack = self.base;
        let mut shift = 0;
        for table in &self.tables {
            let rest = pegs.rotate_left(W::BITS - shift).widen() as usize;
            for (sum, part) in slack.iter_mut().zip(&table[rest % (1 << CHUNK_BITS)]) {
                *sum = sum.wrapping_add(*part);
            }
            shift += CHUNK_BITS as u32;
        }
        Slack(slack)
    }

    /// Whether the position after a jump from one with this slack passes, if that one does.
    #[inline(always)]
    pub(super) fn lets(&self, slack: &Slack, jump: u16) -> bool {
        // Losses are below 128, so bytes do not borrow from each other.
        let left = slack.0.iter().zip(&self.losses[usize::from(jump)]).map(|(slack, loss)| slack.wrapping_sub(*loss));
        left.fold(u64::MAX, |all, left| all & left) & PASSES == PASSES
    }

    /// What a jump costs by all functions together.
    pub(super) fn price(&self, jump: u16) -> u32 {
        self.losses[usize::from(jump)].iter().flat_map(|word| word.to_le_bytes()).map(u32::from).sum()
    }

    /// Whether the position itself passes.
    pub(super) fn lets_position<W: Word>(&self, pegs: W) -> bool {
        self.slack(pegs).0.iter().all(|left| left & PASSES == PASSES)
    }
}

/// A byte of every lane; lanes without a function hold `unused`.
fn pack(lanes: &[Lane], unused: u8, byte: impl Fn(&Lane) -> u8) -> Bytes {
    let mut bytes = [0; WORDS];
    for at in 0..LANES {
        let value = lanes.get(at).map_or(unused, &byte);
        bytes[at / 8] |= u64::from(value) << (8 * (at % 8));
    }
    bytes
}

fn table(lanes: &[Lane], chunk: usize, holes: usize) -> [Bytes; 1 << CHUNK_BITS] {
    let first = chunk * CHUNK_BITS;
    let mut table = [pack(lanes, 0, |lane| lane.floors[chunk]); 1 << CHUNK_BITS];
    for hole in first..holes.min(first + CHUNK_BITS) {
        let (up, down) = (pack(lanes, 0, |lane| lane.gain(hole)), pack(lanes, 0, |lane| lane.drop(hole)));
        let bit = 1 << (hole - first);
        for entry in (0..table.len()).filter(|entry| entry & bit != 0) {
            for word in 0..WORDS {
                // The floors keep every byte from falling below zero.
                table[entry][word] = table[entry][word] + up[word] - down[word];
            }
        }
    }
    table
}

/// One function made ready for a byte.
struct Lane {
    /// What a peg in a hole adds to the slack.
    signed: Vec<i32>,
    /// Minus the least that each chunk of holes can add, so that bytes never borrow.
    floors: Vec<u8>,
    base: u8,
    losses: Vec<u8>,
}

impl Lane {
    /// `None` if the numbers are too large for a byte.
    fn new<W: Word>(board: &PegBoard<W>, pagoda: &Pagoda, goal: W, way: WalkDirection) -> Option<Self> {
        let sign = if way == WalkDirection::Forward { 1 } else { -1 };
        let signed: Vec<i32> = pagoda.weights.iter().map(|weight| sign * weight).collect();
        let least = |chunk: &[i32]| chunk.iter().map(|&weight| weight.min(0)).sum::<i32>();
        let floors: Vec<i32> = signed.chunks(CHUNK_BITS).map(|chunk| -least(chunk)).collect();
        let base = 128 - sign * pagoda.worth(goal) - floors.iter().sum::<i32>();
        let most = base + signed.iter().map(|weight| weight.abs()).sum::<i32>();
        let weight = |hole: u8| pagoda.weights[usize::from(hole)];
        let loss = |&[from, over, to]: &[u8; 3]| weight(from) + weight(over) - weight(to);
        let losses: Vec<i32> = board.graph.jumps.iter().map(loss).collect();
        let fits = most <= 255 && losses.iter().all(|&loss| (0..128).contains(&loss));
        let byte = |value: &i32| u8::try_from(*value).ok();
        let floors = floors.iter().map(byte).collect::<Option<_>>()?;
        let losses = losses.iter().map(byte).collect::<Option<_>>()?;
        let lane = Lane { signed, floors, base: byte(&base)?, losses };
        fits.then_some(lane)
    }

    fn gain(&self, hole: usize) -> u8 {
        self.signed[hole].max(0) as u8
    }

    fn drop(&self, hole: usize) -> u8 {
        (-self.signed[hole]).max(0) as u8
    }
}

/// The image of a function under a map of the holes.
pub(super) fn image<W: Word>(pagoda: &Pagoda, map: impl Fn(W) -> W) -> Pagoda {
    let mut weights = vec![0; pagoda.weights.len()];
    for (hole, &weight) in pagoda.weights.iter().enumerate() {
        weights[map(bit(hole as u8)).trailing_zeros() as usize] = weight;
    }
    Pagoda { weights }
}
