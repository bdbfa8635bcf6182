//! Counts solutions and finds one with the fewest moves, by numbers passed on from level to level.

use super::levels::{all, bytes, solvable};
use super::peg_map::PegMap;
use super::problem::{PegProblem, bit, holes};
use super::puzzle::{GaveUp, WorkLimits};
use crate::geometry::Word;

/// The number of jump sequences from start to target; `None` if it does not fit 128 bits.
///
/// The entry of a position holds the ways to it, and so to each of its images: the sum over the jumps that lead there.
pub(super) fn count<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Option<u128>, GaveUp> {
    let levels = solvable(problem, limits)?;
    let mut held = bytes(&levels);
    let mut levels = levels.into_iter();
    let Some(first) = levels.next() else { return Ok(Some(0)) };
    let mut last: Ways<W> = first.with_values(limits, &mut held, |_| 1)?;
    for level in levels {
        let next = level.with_values(limits, &mut held, |pegs| {
            let orbit = problem.symmetries.orbit(pegs);
            let mut ways = 0_u128;
            problem.board.for_each_unjump(pegs, |jump, _| {
                ways = ways.saturating_add(last.get(problem.symmetries.after(&orbit, jump)).unwrap_or(0));
            });
            ways
        })?;
        held -= last.bytes();
        last = next;
    }
    let total = if problem.mirrors_itself() {
        ways_across(problem, &last, limits)?
    } else {
        last.get(problem.target).unwrap_or(0)
    };
    Ok(Some(total).filter(|&total| total < u128::MAX))
}

type Ways<W> = PegMap<W, u128>;

/// The sum of all ways through the middle jump, for a problem that mirrors itself: from a position there are as many
/// ways to the target as from the start to its complement.
fn ways_across<W: Word>(problem: &PegProblem<W>, middle: &Ways<W>, limits: &WorkLimits<'_>) -> Result<u128, GaveUp> {
    limits.steps(middle.len())?;
    let across = |pegs: W, ways: u128| {
        let complement = problem.symmetries.orbit(problem.complement(pegs));
        let mut onward = 0_u128;
        problem.board.for_each_jump(pegs, |jump, _| {
            onward = onward.saturating_add(middle.get(problem.symmetries.after(&complement, jump)).unwrap_or(0));
        });
        let images = problem.symmetries.orbit(pegs).size() as u128;
        ways.saturating_mul(images).saturating_mul(onward)
    };
    Ok(middle.sum(across))
}

/// The fewest moves to a position, and the pegs that may have jumped last in that many.
///
/// Ways that take one move more need not be remembered: any peg can start a new move at that price. So a number and a
/// set of pegs stand for the whole shortest-path problem over positions and jumping pegs, and it is solved level by
/// level, without a queue.
#[derive(Clone, Copy, Debug)]
struct Fewest<W> {
    moves: u16,
    /// The holes where the peg that jumped last may stand.
    last: W,
}

impl<W: Word> Default for Fewest<W> {
    fn default() -> Self {
        Fewest { moves: u16::MAX, last: W::ZERO }
    }
}

impl<W: Word> Fewest<W> {
    fn offer(&mut self, moves: u16, last: W) {
        if moves < self.moves {
            *self = Fewest { moves, last };
        } else if moves == self.moves {
            self.last = self.last | last;
        }
    }
}

type Costs<W> = PegMap<W, Fewest<W>>;

/// The jumps of a solution with the fewest moves; `None` if there is no solution.
pub(super) fn shortest<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Option<Vec<u16>>, GaveUp> {
    let levels = all(problem, limits)?;
    let mut costs: Vec<Costs<W>> = Vec::with_capacity(levels.len());
    let mut held = bytes(&levels);
    for level in levels {
        let next = match costs.last() {
            None => level.with_values(limits, &mut held, |_| Fewest { moves: 0, last: W::ZERO })?,
            Some(last) => level.with_values(limits, &mut held, |pegs| fewest(problem, last, pegs))?,
        };
        costs.push(next);
    }
    Ok((!costs.is_empty()).then(|| trace(problem, &costs)))
}

/// The fewest moves to a position, from those to the positions of the level before it.
fn fewest<W: Word>(problem: &PegProblem<W>, level: &Costs<W>, pegs: W) -> Fewest<W> {
    let mut fewest = Fewest::default();
    problem.board.for_each_unjump(pegs, |jump, before| {
        let [origin, _, landing] = problem.board.jumps[usize::from(jump)];
        let (before, places) = problem.symmetries.canonical_with(before, bit(origin));
        if let Some(cost) = level.get(before) {
            let goes_on = cost.last & places != W::ZERO;
            fewest.offer(cost.moves + u16::from(!goes_on), bit(landing));
        }
    });
    fewest
}

/// The jumps of a solution with these fewest moves, found from the target backwards.
fn trace<W: Word>(problem: &PegProblem<W>, costs: &[Costs<W>]) -> Vec<u16> {
    let mut line = Vec::with_capacity(costs.len());
    let mut pegs = problem.target;
    let Some((_, mut last)) = standing(problem, &costs[costs.len() - 1], pegs, None) else { return line };
    let mut moves = costs[costs.len() - 1].get(problem.symmetries.canonical(pegs)).unwrap_or_default().moves;
    for level in costs.iter().rev().skip(1) {
        let mut found = None;
        problem.board.for_each_unjump(pegs, |jump, before| {
            let [origin, _, landing] = problem.board.jumps[usize::from(jump)];
            if found.is_none() && (last == W::ZERO || last == bit(landing)) {
                let step = |(cost, peg)| (jump, before, cost, peg);
                // Either the same peg went on, or another move began.
                let same = standing(problem, level, before, Some(bit(origin))).filter(|&(cost, _)| cost == moves);
                let other = || standing(problem, level, before, None).filter(|&(cost, _)| cost + 1 == moves);
                found = same.or_else(other).map(step);
            }
        });
        let Some((jump, before, cost, peg)) = found else { break };
        line.push(jump);
        (pegs, moves, last) = (before, cost, peg);
    }
    line.reverse();
    line
}

/// The fewest moves to a position, and a peg that may have jumped last, which must be `peg` if given; an empty set at
/// the start.
fn standing<W: Word>(problem: &PegProblem<W>, level: &Costs<W>, pegs: W, peg: Option<W>) -> Option<(u16, W)> {
    let cost = level.get(problem.symmetries.canonical(pegs))?;
    let may_be = |peg: &W| cost.last & problem.symmetries.canonical_with(pegs, *peg).1 != W::ZERO;
    match peg {
        Some(peg) => may_be(&peg).then_some((cost.moves, peg)),
        None => Some((cost.moves, holes(pegs).map(bit).find(may_be).unwrap_or(W::ZERO))),
    }
}
