//! All positions between start and target, level by level, up to symmetry.
//!
//! The levels of jumps are walked from both ends, the smaller front first, until the fronts are neighbours; sieves of
//! pagoda functions keep out most of what cannot arrive. What one jump joins is then swept outwards, so that only
//! positions remain that can be reached and can be solved.
//!
//! A jump taken back is the same jump on the complement (pegs and holes exchanged), so where the target is the
//! complement of the start one walk and one sweep do for both (Beasley, chapter 2).

use super::learning::sieve;
use super::leash::{GaveUp, Leash};
use super::pagoda::{Sieve, Way};
use super::problem::Problem;
use super::table::Table;
use crate::geometry::Word;

/// A level's positions, the smallest of each orbit.
pub(super) type Level<W> = Table<W, ()>;

/// By the number of jumps made, the positions that occur in solutions; no levels at all if there is no solution.
#[derive(Clone, Debug)]
pub(super) struct Solvable<W: Word> {
    pub levels: Vec<Level<W>>,
}

impl<W: Word> Solvable<W> {
    /// The positions of all solutions together.
    pub fn list(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Self, GaveUp> {
        let levels = match problem.jumps() {
            None => Vec::new(),
            Some(0) if problem.start == problem.target => vec![only(problem.start)],
            Some(jumps) if jumps % 2 == 1 && problem.is_own_complement() => from_one_end(problem, jumps, leash)?,
            Some(jumps) => from_both_ends(problem, jumps, leash)?,
        };
        Ok(Solvable { levels })
    }

    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

/// A level of one position.
pub(super) fn only<W: Word>(pegs: W) -> Level<W> {
    let mut level = Table::new();
    level.insert(pegs);
    level
}

fn from_both_ends<W: Word>(problem: &Problem<W>, jumps: usize, leash: &Leash<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    let mut near = Front::new(problem, Way::Forward);
    let mut far = Front::new(problem, Way::Backward);
    while near.levels.len() + far.levels.len() < jumps + 1 {
        let held = near.bytes() + far.bytes();
        let front = if near.width() <= far.width() { &mut near } else { &mut far };
        front.advance(problem, leash, held)?;
    }
    let Some(theirs) = far.levels.last() else { return Ok(Vec::new()) };
    let joined = joined(problem, &mut near.levels, leash, |child| theirs.has(problem.symmetries.canonical(child)))?;
    if joined.is_empty() {
        return Ok(Vec::new());
    }
    let after = sweep(problem, Way::Forward, &joined, far.levels, leash)?;
    let mut levels = sweep(problem, Way::Backward, &joined, near.levels, leash)?;
    levels.reverse();
    levels.push(joined);
    levels.extend(after);
    Ok(levels)
}

/// The same for a target that is the complement of the start, and an odd number of jumps.
fn from_one_end<W: Word>(problem: &Problem<W>, jumps: usize, leash: &Leash<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    let complement = |pegs: W| problem.symmetries.canonical(problem.complement(pegs));
    let mut near = Front::new(problem, Way::Forward);
    while near.levels.len() < jumps.div_ceil(2) {
        near.advance(problem, leash, near.bytes())?;
    }
    let theirs = near.levels.last().cloned().unwrap_or_else(Table::new);
    let joined = joined(problem, &mut near.levels, leash, |child| theirs.has(complement(child)))?;
    drop(theirs);
    if joined.is_empty() {
        return Ok(Vec::new());
    }
    let mut levels = sweep(problem, Way::Backward, &joined, near.levels, leash)?;
    levels.reverse();
    levels.push(joined);
    for number in (0..levels.len()).rev() {
        let mut mirrored = Table::with_room(levels[number].len());
        levels[number].keys().for_each(|pegs| {
            mirrored.insert(complement(pegs));
        });
        levels.push(mirrored);
    }
    Ok(levels)
}

/// One of the two walks.
struct Front<W: Word> {
    way: Way,
    sieve: Sieve,
    levels: Vec<Level<W>>,
}

impl<W: Word> Front<W> {
    fn new(problem: &Problem<W>, way: Way) -> Self {
        Front { way, sieve: sieve(problem, way), levels: vec![only(problem.ends(way).0)] }
    }

    fn width(&self) -> usize {
        self.levels.last().map_or(0, Table::len)
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(Table::bytes).sum()
    }

    fn advance(&mut self, problem: &Problem<W>, leash: &Leash<'_>, held: usize) -> Result<(), GaveUp> {
        let Some(last) = self.levels.last() else { return Ok(()) };
        let mut next = Table::with_room(last.len() * 3 / 2);
        for pegs in last.keys() {
            leash.step()?;
            leash.hold(held + next.bytes())?;
            let slack = self.sieve.slack(pegs);
            problem.for_each_step(self.way, pegs, |jump, child| {
                if self.sieve.lets(&slack, jump) {
                    next.insert(problem.symmetries.canonical(child));
                }
            });
        }
        self.levels.push(next);
        Ok(())
    }
}

/// Takes the last level and keeps what a jump leads on from.
fn joined<W: Word>(
    problem: &Problem<W>,
    levels: &mut Vec<Level<W>>,
    leash: &Leash<'_>,
    goes_on: impl Fn(W) -> bool,
) -> Result<Level<W>, GaveUp> {
    let mut joined = Table::new();
    for pegs in levels.pop().iter().flat_map(Table::keys) {
        leash.step()?;
        if problem.board.has_jump(pegs, &goes_on) {
            joined.insert(pegs);
        }
    }
    Ok(joined)
}

/// Walks on from the joined level, within what the other walk has seen; `seen` ends next to that level.
fn sweep<W: Word>(
    problem: &Problem<W>,
    way: Way,
    joined: &Level<W>,
    mut seen: Vec<Level<W>>,
    leash: &Leash<'_>,
) -> Result<Vec<Level<W>>, GaveUp> {
    let mut swept: Vec<Level<W>> = Vec::with_capacity(seen.len());
    while let Some(allowed) = seen.pop() {
        let last = swept.last().unwrap_or(joined);
        let mut next = Table::with_room(last.len());
        for pegs in last.keys() {
            leash.step()?;
            problem.for_each_step(way, pegs, |_, other| {
                let other = problem.symmetries.canonical(other);
                if allowed.has(other) {
                    next.insert(other);
                }
            });
        }
        swept.push(next);
    }
    Ok(swept)
}
