//! How many ways there are.

use super::leash::{GaveUp, Leash};
use super::levels::Solvable;
use super::problem::Problem;
use super::table::Table;
use crate::geometry::Word;

/// The number of jump sequences from start to target; `None` if it has more than 128 bits.
///
/// A level's entry holds the ways to all images of a position together: the sum over the images of a position of the
/// ways to go on is the same as the sum over one image, times their number.
pub(super) fn ways<W: Word>(
    problem: &Problem<W>,
    solvable: &Solvable<W>,
    leash: &Leash<'_>,
) -> Result<Option<u128>, GaveUp> {
    let Some(mut last) = solvable.levels.first().map(with_values) else { return Ok(Some(0)) };
    if let Some(ways) = last.get_mut(problem.start) {
        *ways = 1;
    }
    let mut fits = true;
    for level in &solvable.levels[1..] {
        let mut next: Table<W, u128> = with_values(level);
        for (pegs, ways) in last.iter() {
            leash.step()?;
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
    Ok(last.get(problem.target).filter(|_| fits))
}

/// The same positions with room for a value each.
pub(super) fn with_values<W: Word, V: Copy + Default>(level: &Table<W, ()>) -> Table<W, V> {
    let mut table = Table::with_room(level.len());
    for pegs in level.keys() {
        table.insert(pegs);
    }
    table
}
