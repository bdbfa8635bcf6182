//! A sieve of many pagoda functions, looked up together and learned from dead ends of random walks.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::problem::{PegBoard, PegProblem};
use super::proof::Pagoda;
use super::puzzle::{GaveUp, WorkLimits};
use crate::geometry::Word;

/// The direction of a search: jumps from the start, or jumps taken back from the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WalkDirection {
    Forward,
    Backward,
}

/// The number of functions in a sieve, a byte each: one cache line.
const LANES: usize = 64;
/// The number of holes looked up at once.
const CHUNK_BITS: usize = 8;
/// The least slack, as stored, with which a position passes a function.
const PASSES: u8 = 128;
/// The seed of the random walks for every problem.
const SEED: u64 = 0;

/// A byte for every function.
type Lanes = [u8; LANES];

/// The slack of a position by function: how far its weight is on the right side of the goal's, plus [`PASSES`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack(Lanes);

/// Many pagoda functions that are asked together whether a position can still reach the goal of a walk.
///
/// The slack of every position fits a byte; sums on the way to it may wrap around.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    /// The slack of the empty board.
    base: Lanes,
    /// By chunk of eight holes, then set of pegs there: what they add to the slack.
    tables: Vec<[Lanes; 1 << CHUNK_BITS]>,
    /// By jump: what it takes from the slack.
    losses: Vec<Lanes>,
}

impl Sieve {
    /// A sieve of the first functions that fit it. `goal` is the position that the walk wants to reach.
    fn new<W: Word>(board: &PegBoard<W>, pagodas: &[Pagoda], goal: W, way: WalkDirection) -> Self {
        let sign = if way == WalkDirection::Forward { 1 } else { -1 };
        let base = |pagoda: &Pagoda| i32::from(PASSES) - sign * pagoda.worth(goal);
        let loss = |pagoda: &Pagoda, jump: &[u8; 3]| {
            let [from, over, to] = jump.map(|hole| pagoda.weights[usize::from(hole)]);
            from + over - to
        };
        let fits = |pagoda: &&Pagoda| {
            let part = |sign: i32| pagoda.weights.iter().map(|weight| (sign * weight).max(0)).sum::<i32>();
            let fits_byte = base(pagoda) - part(-sign) >= 0 && base(pagoda) + part(sign) <= i32::from(u8::MAX);
            fits_byte && board.jumps.iter().all(|jump| loss(pagoda, jump) < i32::from(PASSES))
        };
        let mut sieve = Sieve {
            base: [PASSES; LANES],
            tables: vec![[[0; LANES]; 1 << CHUNK_BITS]; board.holes().div_ceil(CHUNK_BITS)],
            losses: vec![[0; LANES]; board.jumps.len()],
        };
        for (lane, pagoda) in pagodas.iter().filter(fits).take(LANES).enumerate() {
            sieve.base[lane] = base(pagoda) as u8;
            for (table, weights) in sieve.tables.iter_mut().zip(pagoda.weights.chunks(CHUNK_BITS)) {
                for set in 1..1_usize << weights.len() {
                    let weight = sign * weights[set.trailing_zeros() as usize];
                    table[set][lane] = table[set & (set - 1)][lane].wrapping_add(weight as u8);
                }
            }
            for (losses, jump) in sieve.losses.iter_mut().zip(&board.jumps) {
                losses[lane] = loss(pagoda, jump) as u8;
            }
        }
        sieve
    }

    /// A sieve for a walk, learned from the ends of up to `walks` random walks through positions that pass the
    /// functions learned before. With eight symmetries each end gives eight functions.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub(super) fn learned<W: Word>(
        problem: &PegProblem<W>,
        way: WalkDirection,
        walks: usize,
        limits: &WorkLimits<'_>,
    ) -> Result<Self, GaveUp> {
        let (from, goal) = problem.ends(way);
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut pool: Vec<Pagoda> = Vec::new();
        let mut sieve = Sieve::new(&problem.board, &pool, goal, way);
        let jumps = problem.jumps().unwrap_or(0);
        for _ in 0..walks {
            // A linear program takes as long as looking at many positions.
            limits.look()?;
            let length = rng.random_range(jumps / 3..=jumps * 2 / 3);
            let pegs = sieve.walk(problem, way, from, length, &mut rng);
            let (start, target) = if way == WalkDirection::Forward { (pegs, goal) } else { (goal, pegs) };
            let Some(pagoda) = Pagoda::refuting(&problem.board, start, target) else { continue };
            for map in &problem.symmetries.maps {
                let image = pagoda.image(map);
                if !pool.contains(&image) {
                    pool.push(image);
                }
            }
            sieve = Sieve::new(&problem.board, &pool, goal, way);
            if pool.len() >= LANES {
                break;
            }
        }
        Ok(sieve)
    }

    /// The last position of a random walk of at most `length` steps through positions that pass the sieve.
    fn walk<W: Word>(
        &self,
        problem: &PegProblem<W>,
        way: WalkDirection,
        from: W,
        length: usize,
        rng: &mut ChaCha8Rng,
    ) -> W {
        let mut pegs = from;
        let mut choices = Vec::new();
        for _ in 0..length {
            choices.clear();
            problem.for_each_step(way, pegs, |_, other| {
                if all_pass(&self.slack(other).0) {
                    choices.push(other);
                }
            });
            if choices.is_empty() {
                break;
            }
            pegs = choices[rng.random_range(0..choices.len())];
        }
        pegs
    }

    #[inline(always)]
    pub(super) fn slack<W: Word>(&self, pegs: W) -> Slack {
        let mut slack = self.base;
        for (chunk, table) in self.tables.iter().enumerate() {
            for (sum, part) in slack.iter_mut().zip(&table[usize::from(pegs.byte(chunk))]) {
                *sum = sum.wrapping_add(*part);
            }
        }
        Slack(slack)
    }

    /// Whether the position after a jump passes, if the one before, which has this slack, does.
    #[inline(always)]
    pub(super) fn lets(&self, slack: &Slack, jump: u16) -> bool {
        let losses = &self.losses[usize::from(jump)];
        all_pass(&std::array::from_fn(|lane| slack.0[lane].wrapping_sub(losses[lane])))
    }

    /// What a jump takes from the slack of all functions together.
    pub(super) fn price(&self, jump: u16) -> u32 {
        self.losses[usize::from(jump)].iter().map(|&loss| u32::from(loss)).sum()
    }
}

#[inline(always)]
fn all_pass(slack: &Lanes) -> bool {
    slack.iter().fold(u8::MAX, |all, &slack| all & slack) >= PASSES
}
