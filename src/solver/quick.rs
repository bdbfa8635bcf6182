//! Any solution, fast: jumps taken back from the target, then dives from the start that shall meet them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::learning::sieve;
use super::leash::{GaveUp, Leash};
use super::levels::{Level, Solvable, only};
use super::pagoda::{Sieve, Way};
use super::problem::Problem;
use super::table::Table;
use crate::geometry::Word;

/// Positions near the target that are listed before the first dive.
const NEAR_TARGET: usize = 2_000;
/// Positions that a short dive may look at. Many short dives are better than a few long ones, because one early mistake
/// costs a dive all its time (Gomes, Selman, Kautz 1998); on the cross 30 was best of 30 to 1,600.
const SHORT_DIVE: u64 = 30;
/// Positions after which listing all levels is the better way.
const ALL_DIVES: u64 = 100_000;
const SEED: u64 = 0;

/// The jumps of a solution, or `None` if there is none.
pub(super) fn solution<W: Word>(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Option<Vec<u16>>, GaveUp> {
    let mut diver = Diver::new(problem, leash)?;
    if let Some(answer) = diver.dive_again_up_to(ALL_DIVES)? {
        return Ok(answer);
    }
    match Solvable::list(problem, leash) {
        Ok(solvable) => Ok((!solvable.is_empty()).then(|| line_through(problem, problem.start, &solvable.levels))),
        Err(GaveUp::Memory) => Ok(diver.dive_again_up_to(u64::MAX)?.flatten()),
        Err(other) => Err(other),
    }
}

/// Any line of jumps through these levels, one position of each.
fn line_through<W: Word>(problem: &Problem<W>, start: W, levels: &[Level<W>]) -> Vec<u16> {
    let mut pegs = start;
    let mut line = Vec::new();
    for level in levels.iter().skip(1) {
        let mut next = None;
        problem.board.for_each_jump(pegs, |jump, child| {
            if next.is_none() && level.has(problem.symmetries.canonical(child)) {
                next = Some((jump, child));
            }
        });
        let Some((jump, child)) = next else { break };
        line.push(jump);
        pegs = child;
    }
    line
}

/// How a dive ended below a position.
enum Dive {
    Solved,
    /// There is no solution below.
    Failed,
    OutOfBreath,
}

struct Diver<'a, W: Word> {
    problem: &'a Problem<W>,
    leash: &'a Leash<'a>,
    /// By jumps left, every position from which the target can be reached.
    near: Vec<Level<W>>,
    /// Positions from which it cannot.
    failed: Table<W, ()>,
    line: Vec<u16>,
    sieve: Sieve,
    rng: ChaCha8Rng,
    /// Positions that the dive may still look at.
    breath: u64,
}

impl<'a, W: Word> Diver<'a, W> {
    fn new(problem: &'a Problem<W>, leash: &'a Leash<'a>) -> Result<Self, GaveUp> {
        let near = near_target(problem, leash)?;
        let rng = ChaCha8Rng::seed_from_u64(SEED);
        Ok(Diver {
            problem,
            leash,
            near,
            failed: Table::new(),
            line: Vec::new(),
            sieve: sieve(problem, Way::Forward, leash)?,
            rng,
            breath: 0,
        })
    }

    /// Dives until one succeeds or all positions have failed; `None` after that many positions in all.
    fn dive_again_up_to(&mut self, positions: u64) -> Result<Option<Option<Vec<u16>>>, GaveUp> {
        let Some(jumps) = self.problem.jumps() else { return Ok(Some(None)) };
        let mut spent = 0u64;
        for dive in 1u64.. {
            if spent >= positions {
                break;
            }
            let breath = SHORT_DIVE.saturating_mul(luby(dive));
            self.line.clear();
            self.breath = breath;
            match self.dive(self.problem.start, jumps)? {
                Dive::Solved => return Ok(Some(Some(std::mem::take(&mut self.line)))),
                Dive::Failed => return Ok(Some(None)),
                Dive::OutOfBreath => {}
            }
            spent = spent.saturating_add(breath);
        }
        Ok(None)
    }

    fn dive(&mut self, pegs: W, left: usize) -> Result<Dive, GaveUp> {
        self.leash.step()?;
        let canonical = self.problem.symmetries.canonical(pegs);
        if let Some(level) = self.near.get(left) {
            return Ok(if level.has(canonical) { self.arrive(pegs, left) } else { Dive::Failed });
        }
        if self.failed.has(canonical) {
            return Ok(Dive::Failed);
        }
        let Some(breath) = self.breath.checked_sub(1) else { return Ok(Dive::OutOfBreath) };
        self.breath = breath;
        let end = self.dive_on(pegs, left)?;
        if matches!(end, Dive::Failed) {
            self.failed.insert(canonical);
            self.leash.hold(self.failed.bytes())?;
        }
        Ok(end)
    }

    /// Tries every jump that the sieve lets pass, roughly the cheapest first.
    fn dive_on(&mut self, pegs: W, left: usize) -> Result<Dive, GaveUp> {
        let mut jumps = Vec::with_capacity(16);
        let slack = self.sieve.slack(pegs);
        self.problem.board.for_each_jump(pegs, |jump, child| {
            if self.sieve.lets(&slack, jump) {
                jumps.push((self.sieve.price(jump), jump, child));
            }
        });
        let all: u32 = jumps.iter().map(|&(price, _, _)| price).sum();
        let noise = all * 3 / 2 / jumps.len().max(1) as u32;
        for (price, _, _) in &mut jumps {
            *price += self.rng.random_range(0..=noise);
        }
        jumps.sort_unstable();
        for (_, jump, child) in jumps {
            self.line.push(jump);
            match self.dive(child, left - 1)? {
                Dive::Failed => self.line.pop(),
                end => return Ok(end),
            };
        }
        Ok(Dive::Failed)
    }

    fn arrive(&mut self, pegs: W, left: usize) -> Dive {
        let levels: Vec<Level<W>> = self.near[..=left].iter().rev().cloned().collect();
        self.line.extend(line_through(self.problem, pegs, &levels));
        Dive::Solved
    }
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: the lengths that waste least when nothing is known about the best length (Luby,
/// Sinclair, Zuckerman 1993).
fn luby(number: u64) -> u64 {
    let next = (number + 1).next_power_of_two();
    if next == number + 1 { next / 2 } else { luby(number + 1 - next / 2) }
}

/// The levels before the target, as many as are small.
fn near_target<W: Word>(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    let mut near = vec![only(problem.target)];
    let jumps = problem.jumps().unwrap_or(0);
    let mut width = 1;
    while near.len() <= jumps && width > 0 && width < NEAR_TARGET {
        let mut next = Table::with_room(2 * width);
        for pegs in near[near.len() - 1].keys() {
            leash.step()?;
            problem.for_each_step(Way::Backward, pegs, |_, before| {
                next.insert(problem.symmetries.canonical(before));
            });
        }
        width = next.len();
        near.push(next);
    }
    Ok(near)
}
