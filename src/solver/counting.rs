//! Counts the solutions.

use super::peg_map::{Level, PegMap};
use super::problem::PegProblem;
use super::work_limits::{GaveUp, WorkLimits};
use crate::geometry::Word;

/// The number of jump sequences from start to target; `None` if it has more than 128 bits.
///
/// A level's entry holds the ways to all images of a position together: the sum over the images of a position of the
/// ways to go on is the same as the sum over one image, times their number.
pub(super) fn ways<W: Word>(
    problem: &PegProblem<W>,
    levels: &[Level<W>],
    limits: &WorkLimits<'_>,
) -> Result<Option<u128>, GaveUp> {
    let jumps = levels.len().saturating_sub(1);
    let from_one_end = jumps % 2 == 1 && problem.is_own_complement();
    let levels = if from_one_end { &levels[..jumps / 2 + 1] } else { levels };
    let Some(mut last) = levels.first().map(with_values) else { return Ok(Some(0)) };
    if let Some(ways) = last.get_mut(problem.start) {
        *ways = 1;
    }
    let mut fits = true;
    for level in &levels[1..] {
        let mut next: Ways<W> = with_values(level);
        for (pegs, ways) in last.iter() {
            limits.step()?;
            let orbit = problem.symmetries.orbit(pegs);
            problem.board.for_each_jump(pegs, |jump, _| {
                if let Some(sum) = next.get_mut(problem.symmetries.after(&orbit, jump)) {
                    let (total, overflow) = sum.overflowing_add(ways);
                    *sum = total;
                    fits &= !overflow;
                }
            });
        }
        last = next;
    }
    let total = if from_one_end { ways_across(problem, &last, limits)? } else { last.get(problem.target) };
    Ok(total.filter(|_| fits))
}

type Ways<W> = PegMap<W, u128>;

/// All ways through the middle jump of a problem that is its own complement: from a position there are as many ways to
/// the target as from the start to its complement, and the entry of that counts them once for each image.
fn ways_across<W: Word>(
    problem: &PegProblem<W>,
    middle: &Ways<W>,
    limits: &WorkLimits<'_>,
) -> Result<Option<u128>, GaveUp> {
    let mut total = Some(0u128);
    for (pegs, ways) in middle.iter() {
        limits.step()?;
        let complement = problem.symmetries.orbit(problem.complement(pegs));
        let mut onward = 0u128;
        problem.board.for_each_jump(pegs, |jump, child| {
            if let Some(ways) = middle.get(problem.symmetries.after(&complement, jump)) {
                onward += ways / problem.symmetries.orbit(child).size() as u128;
            }
        });
        total = total.and_then(|total| total.checked_add(ways.checked_mul(onward)?));
    }
    Ok(total)
}

/// The same positions with room for a value each.
pub(super) fn with_values<W: Word, V: Copy + Default>(level: &PegMap<W, ()>) -> PegMap<W, V> {
    let mut table = PegMap::with_room(level.len());
    for pegs in level.keys() {
        table.insert(pegs);
    }
    table
}
