//! Counts the solutions.

use super::peg_map::{Level, PegMap};
use super::problem::PegProblem;
use super::work_limits::{GaveUp, WorkLimits};
use crate::geometry::Word;

/// The number of jump sequences from start to target; `None` if 128 bits do not hold it.
///
/// A level's entry holds the ways to a position, and so to each of its images: the sum over the jumps that lead there.
pub(super) fn ways<W: Word>(
    problem: &PegProblem<W>,
    levels: Vec<Level<W>>,
    limits: &WorkLimits<'_>,
) -> Result<Option<u128>, GaveUp> {
    let mut levels = levels.into_iter();
    let Some(first) = levels.next() else { return Ok(Some(0)) };
    let mut last: Ways<W> = first.with_values(limits, |_| 1)?;
    for level in levels {
        last = level.with_values(limits, |pegs| {
            let orbit = problem.symmetries.orbit(pegs);
            let mut ways = 0_u128;
            problem.board.for_each_unjump(pegs, |jump, _| {
                ways = ways.saturating_add(last.get(problem.symmetries.after(&orbit, jump)).unwrap_or(0));
            });
            ways
        })?;
    }
    let total = if problem.mirrors_itself() {
        ways_across(problem, &last, limits)?
    } else {
        last.get(problem.target).unwrap_or(0)
    };
    Ok(Some(total).filter(|&total| total < u128::MAX))
}

type Ways<W> = PegMap<W, u128>;

/// All ways through the middle jump of a problem that is its own complement: from a position there are as many ways to
/// the target as from the start to its complement.
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
