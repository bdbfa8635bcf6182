//! Finds any solution fast: randomised depth-first dives that meet positions found backwards from the target.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::levels::{all, only};
use super::peg_map::Level;
use super::problem::PegProblem;
use super::puzzle::{GaveUp, WorkLimits};
use super::sieve::{Sieve, WalkDirection};
use crate::geometry::Word;

/// Listing of positions near the target stops with a level of this size.
const NEAR_TARGET: usize = 2_000;
/// Positions that a short dive may visit. Many short dives are better than a few long ones, because an early mistake
/// costs a dive all its time (Gomes, Selman, Kautz 1998); on the cross 30 was best of 30 to 1,600.
const SHORT_DIVE: u64 = 30;
/// Positions that all dives may visit; after that it is better to list all levels.
const ALL_DIVES: u64 = 100_000;
const SEED: u64 = 0;
/// Random walks from which the sieve learns; few, since most dives are short.
const WALKS: usize = 12;

/// The jumps of a solution, or `None` if there is none.
pub(super) fn solution<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Option<Vec<u16>>, GaveUp> {
    let mut search = RandomSearch::new(problem, limits)?;
    let mut end = search.dive_again_up_to(ALL_DIVES)?;
    if let DiveEnd::LimitReached = end {
        match all(problem, limits) {
            Ok(levels) if levels.is_empty() => return Ok(None),
            Ok(levels) => return Ok(Some(line_through(problem, problem.start, levels.iter().skip(1)))),
            Err(GaveUp::Memory) => end = search.dive_again_up_to(u64::MAX)?,
            Err(other) => return Err(other),
        }
    }
    Ok(if let DiveEnd::Solved = end { Some(search.line) } else { None })
}

/// A line of jumps from `start` through one position of each of these levels in turn, as far as it leads.
fn line_through<'a, W: Word>(
    problem: &PegProblem<W>,
    start: W,
    levels: impl Iterator<Item = &'a Level<W>>,
) -> Vec<u16> {
    let mut pegs = start;
    let mut line = Vec::new();
    for level in levels {
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

/// The result of a dive from a position.
enum DiveEnd {
    /// The line of jumps leads to the target.
    Solved,
    /// No solution leads through the position.
    Failed,
    LimitReached,
}

struct RandomSearch<'a, W: Word> {
    problem: &'a PegProblem<W>,
    limits: &'a WorkLimits<'a>,
    /// By number of jumps to the target: all positions that can reach it.
    near: Vec<Level<W>>,
    /// Positions that are known not to reach the target.
    failed: Level<W>,
    /// The jumps of the dive so far.
    line: Vec<u16>,
    sieve: Sieve,
    rng: ChaCha8Rng,
    /// Positions that the dive may still visit.
    budget: u64,
}

impl<'a, W: Word> RandomSearch<'a, W> {
    fn new(problem: &'a PegProblem<W>, limits: &'a WorkLimits<'a>) -> Result<Self, GaveUp> {
        let near = near_target(problem, limits)?;
        let rng = ChaCha8Rng::seed_from_u64(SEED);
        Ok(RandomSearch {
            problem,
            limits,
            near,
            failed: Level::new(),
            line: Vec::new(),
            sieve: Sieve::learned(problem, WalkDirection::Forward, WALKS, limits)?,
            rng,
            budget: 0,
        })
    }

    /// Dives until one succeeds, all positions have failed, or the dives' budgets add up to this many positions.
    fn dive_again_up_to(&mut self, positions: u64) -> Result<DiveEnd, GaveUp> {
        let Some(jumps) = self.problem.jumps() else { return Ok(DiveEnd::Failed) };
        let mut spent = 0u64;
        for dive in 1u64.. {
            if spent >= positions {
                break;
            }
            let budget = SHORT_DIVE.saturating_mul(luby(dive));
            self.line.clear();
            self.budget = budget;
            match self.dive(self.problem.start, jumps)? {
                DiveEnd::LimitReached => spent = spent.saturating_add(budget),
                end => return Ok(end),
            }
        }
        Ok(DiveEnd::LimitReached)
    }

    fn dive(&mut self, pegs: W, left: usize) -> Result<DiveEnd, GaveUp> {
        self.limits.step()?;
        let canonical = self.problem.symmetries.canonical(pegs);
        if let Some(level) = self.near.get(left) {
            if !level.has(canonical) {
                return Ok(DiveEnd::Failed);
            }
            self.line.extend(line_through(self.problem, pegs, self.near[..left].iter().rev()));
            return Ok(DiveEnd::Solved);
        }
        if self.failed.has(canonical) {
            return Ok(DiveEnd::Failed);
        }
        let Some(budget) = self.budget.checked_sub(1) else { return Ok(DiveEnd::LimitReached) };
        self.budget = budget;
        let end = self.dive_on(pegs, left)?;
        if matches!(end, DiveEnd::Failed) {
            self.failed.insert(canonical);
            self.limits.hold(self.failed.bytes())?;
        }
        Ok(end)
    }

    /// Tries every jump that the sieve lets pass, roughly the cheapest first, with some noise in the prices.
    fn dive_on(&mut self, pegs: W, left: usize) -> Result<DiveEnd, GaveUp> {
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
                DiveEnd::Failed => self.line.pop(),
                end => return Ok(end),
            };
        }
        Ok(DiveEnd::Failed)
    }
}

/// Term `number` of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from 1: lengths of dives that waste least when the
/// best length is unknown (Luby, Sinclair, Zuckerman 1993).
fn luby(number: u64) -> u64 {
    let next = (number + 1).next_power_of_two();
    if next == number + 1 { next / 2 } else { luby(number + 1 - next / 2) }
}

/// The levels next to the target, from the target backwards, until one is empty or too large.
fn near_target<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    let mut near = vec![only(problem.target)];
    let jumps = problem.jumps().unwrap_or(0);
    let mut width = 1;
    while near.len() <= jumps && width > 0 && width < NEAR_TARGET {
        let mut next = Level::new();
        for pegs in near[near.len() - 1].keys() {
            limits.step()?;
            problem.for_each_step(WalkDirection::Backward, pegs, |_, before| {
                next.insert(problem.symmetries.canonical(before));
            });
        }
        width = next.len();
        near.push(next);
    }
    Ok(near)
}
