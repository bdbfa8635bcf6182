//! Pagoda functions learned from dead ends met on random walks.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::pagoda::{Pagoda, Sieve, WalkDirection, image};
use super::problem::PegProblem;
use super::work_limits::{GaveUp, WorkLimits};
use crate::geometry::Word;

/// Every problem learns from the same random stream.
const SEED: u64 = 0;

/// A sieve for a walk, learned from positions that pass what was learned before: those where so many random walks end,
/// unless it is full before. A problem with eight symmetries learns eight functions from each.
///
/// # Errors
/// The limits ended the work first.
pub(super) fn sieve<W: Word>(
    problem: &PegProblem<W>,
    way: WalkDirection,
    walks: usize,
    limits: &WorkLimits<'_>,
) -> Result<Sieve, GaveUp> {
    let (from, goal) = problem.ends(way);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut pool: Vec<Pagoda> = Vec::new();
    let mut sieve = Sieve::new(&problem.board, &pool, goal, way);
    let jumps = problem.jumps().unwrap_or(0);
    for _ in 0..walks {
        // A linear program takes as long as many positions.
        limits.look()?;
        let length = rng.random_range(jumps / 3..=jumps * 2 / 3);
        let pegs = walk(problem, way, from, length, &sieve, &mut rng);
        let (start, target) = if way == WalkDirection::Forward { (pegs, goal) } else { (goal, pegs) };
        let Some(pagoda) = Pagoda::refuting(&problem.board, start, target) else { continue };
        problem.symmetries.for_each_map(|map| {
            let image = image(&pagoda, map);
            if !pool.contains(&image) {
                pool.push(image);
            }
        });
        sieve = Sieve::new(&problem.board, &pool, goal, way);
        if pool.len() >= Sieve::ROOM {
            break;
        }
    }
    Ok(sieve)
}

/// A random walk through positions that pass the sieve, as long as it can go on.
fn walk<W: Word>(
    problem: &PegProblem<W>,
    way: WalkDirection,
    from: W,
    length: usize,
    sieve: &Sieve,
    rng: &mut ChaCha8Rng,
) -> W {
    let mut pegs = from;
    let mut choices = Vec::new();
    for _ in 0..length {
        choices.clear();
        problem.for_each_step(way, pegs, |_, other| {
            if sieve.lets_position(other) {
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
