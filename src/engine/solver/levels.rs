//! All positions between start and target, level by level, up to symmetry.
//!
//! The levels of jumps are walked from both ends, the smaller front first, until the fronts are neighbours; sieves of
//! pagoda functions keep out most of what cannot arrive. What one jump joins is then swept outwards, so that only
//! positions remain that can be reached and can be solved.
//!
//! A jump taken back is the same jump on the complement (pegs and holes exchanged), so where the target is the
//! complement of the start one walk and one sweep do for both (Beasley, chapter 2).

use super::peg_map::{Level, PegMap, ROUND, Sorted};
use super::problem::{Orbit, PegProblem};
use super::puzzle::{GaveUp, WorkLimits};
use super::sieve::{Sieve, WalkDirection};
use crate::geometry::Word;
use crate::parallel;

/// Random walks that a sieve learns from.
const WALKS: usize = 96;

/// By the number of jumps made, the positions that occur in solutions; no levels at all if there is no solution, and no
/// more than the first half where the others mirror it.
pub(super) fn solvable<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    match problem.jumps() {
        None => Ok(Vec::new()),
        Some(0) if problem.start == problem.target => Ok(vec![only(problem.start)]),
        Some(jumps) if problem.mirrors_itself() => from_one_end(problem, jumps, limits),
        Some(jumps) => from_both_ends(problem, jumps, limits),
    }
}

/// All levels: those that [`solvable`] found, then the mirror images where it found one half.
pub(super) fn all_of<W: Word>(problem: &PegProblem<W>, mut levels: Vec<Level<W>>) -> Vec<Level<W>> {
    let complement = |pegs: W| problem.symmetries.canonical(problem.complement(pegs));
    if problem.mirrors_itself() {
        for number in (0..levels.len()).rev() {
            let mirrored = levels[number].keys().map(complement).collect();
            levels.push(mirrored);
        }
    }
    levels
}

/// A level of one position.
pub(super) fn only<W: Word>(pegs: W) -> Level<W> {
    std::iter::once(pegs).collect()
}

/// The levels of a problem, by walks from both ends that meet.
fn from_both_ends<W: Word>(
    problem: &PegProblem<W>,
    jumps: usize,
    limits: &WorkLimits<'_>,
) -> Result<Vec<Level<W>>, GaveUp> {
    let mut near = SearchFront::new(problem, WalkDirection::Forward, limits)?;
    let mut far = SearchFront::new(problem, WalkDirection::Backward, limits)?;
    while near.levels.len() + far.levels.len() < jumps + 1 {
        let held = near.bytes() + far.bytes();
        let front = if near.width() <= far.width() { &mut near } else { &mut far };
        front.advance(problem, limits, held)?;
    }
    let (Some(ours), Some(theirs)) = (near.levels.pop(), far.levels.last()) else { return Ok(Vec::new()) };
    let joined = joined(&ours, theirs, limits, |pegs, found| {
        near.hopeful(problem, pegs, problem.symmetries.orbit(pegs), found);
    })?;
    if joined.is_empty() {
        return Ok(Vec::new());
    }
    let after = sweep(problem, WalkDirection::Forward, &joined, far.levels, limits)?;
    let mut levels = sweep(problem, WalkDirection::Backward, &joined, near.levels, limits)?;
    levels.reverse();
    levels.push(joined);
    levels.extend(after);
    Ok(levels)
}

/// The first half of the levels of a problem that mirrors itself.
fn from_one_end<W: Word>(
    problem: &PegProblem<W>,
    jumps: usize,
    limits: &WorkLimits<'_>,
) -> Result<Vec<Level<W>>, GaveUp> {
    let mut near = SearchFront::new(problem, WalkDirection::Forward, limits)?;
    while near.levels.len() < jumps.div_ceil(2) {
        near.advance(problem, limits, near.bytes())?;
    }
    let Some(level) = near.levels.pop() else { return Ok(Vec::new()) };
    let joined = joined(&level, &level, limits, |pegs, found| {
        near.hopeful(problem, pegs, problem.symmetries.orbit(problem.complement(pegs)), found);
    })?;
    drop(level);
    if joined.is_empty() {
        return Ok(Vec::new());
    }
    let mut levels = sweep(problem, WalkDirection::Backward, &joined, near.levels, limits)?;
    levels.reverse();
    levels.push(joined);
    Ok(levels)
}

/// A walk from the start or from the target, level by level.
struct SearchFront<W: Word> {
    way: WalkDirection,
    sieve: Sieve,
    levels: Vec<Level<W>>,
}

impl<W: Word> SearchFront<W> {
    fn new(problem: &PegProblem<W>, way: WalkDirection, limits: &WorkLimits<'_>) -> Result<Self, GaveUp> {
        Ok(SearchFront {
            way,
            sieve: Sieve::learned(problem, way, WALKS, limits)?,
            levels: vec![only(problem.ends(way).0)],
        })
    }

    fn width(&self) -> usize {
        self.levels.last().map_or(0, PegMap::len)
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(PegMap::bytes).sum()
    }

    /// Adds where the steps from `pegs` lead that the sieve lets pass. `orbit` is that of `pegs` or of its complement.
    #[inline(always)]
    fn hopeful(&self, problem: &PegProblem<W>, pegs: W, orbit: Orbit<W>, found: &mut Vec<W>) {
        let slack = self.sieve.slack(pegs);
        problem.for_each_step(self.way, pegs, |jump, _| {
            if self.sieve.lets(&slack, jump) {
                found.push(problem.symmetries.after(&orbit, jump));
            }
        });
    }

    /// Adds the next level; `held` is the memory that other levels take.
    fn advance(&mut self, problem: &PegProblem<W>, limits: &WorkLimits<'_>, held: usize) -> Result<(), GaveUp> {
        let Some(last) = self.levels.last() else { return Ok(()) };
        let mut next = Level::new();
        let children = |pegs: W, found: &mut Vec<W>| {
            self.hopeful(problem, pegs, problem.symmetries.orbit(pegs), found);
        };
        in_rounds(last, limits, children, |children| {
            next.insert_all(children);
            limits.hold(held + next.bytes())
        })?;
        self.levels.push(next);
        Ok(())
    }
}

/// Positions that a thread takes at a time.
const SHARE: usize = 1 << 9;

/// Lets `find` list what follows from each position of a level, on all threads, and passes it to `take`.
fn in_rounds<W: Word>(
    level: &Level<W>,
    limits: &WorkLimits<'_>,
    find: impl Fn(W, &mut Vec<W>) + Sync,
    mut take: impl FnMut(&[Sorted<W>]) -> Result<(), GaveUp>,
) -> Result<(), GaveUp> {
    let mut positions = level.keys().peekable();
    while positions.peek().is_some() {
        let round: Vec<W> = positions.by_ref().take(ROUND).collect();
        limits.steps(round.len())?;
        let share = |positions: &[W]| {
            let mut found = Vec::new();
            positions.iter().for_each(|&pegs| find(pegs, &mut found));
            Sorted::new(&found)
        };
        take(&parallel::map(round.chunks(SHARE), share))?;
    }
    Ok(())
}

/// Keeps of a level the positions of which a neighbour, as `neighbours` lists them, is in another level.
fn joined<W: Word>(
    level: &Level<W>,
    others: &Level<W>,
    limits: &WorkLimits<'_>,
    neighbours: impl Fn(W, &mut Vec<W>) + Sync,
) -> Result<Level<W>, GaveUp> {
    let mut joined = Level::new();
    let find = |pegs: W, found: &mut Vec<W>| {
        let before = found.len();
        neighbours(pegs, found);
        let is_joined = found.drain(before..).any(|other| others.has(other));
        found.extend(is_joined.then_some(pegs));
    };
    in_rounds(level, limits, find, |found| {
        joined.insert_all(found);
        Ok(())
    })?;
    Ok(joined)
}

/// Walks on from the joined level, within what the other walk has seen; `seen` ends next to that level.
fn sweep<W: Word>(
    problem: &PegProblem<W>,
    way: WalkDirection,
    joined: &Level<W>,
    mut seen: Vec<Level<W>>,
    limits: &WorkLimits<'_>,
) -> Result<Vec<Level<W>>, GaveUp> {
    let mut swept: Vec<Level<W>> = Vec::with_capacity(seen.len());
    while let Some(allowed) = seen.pop() {
        let mut next = Level::new();
        let find = |pegs: W, found: &mut Vec<W>| {
            let orbit = problem.symmetries.orbit(pegs);
            problem.for_each_step(way, pegs, |jump, _| {
                let other = problem.symmetries.after(&orbit, jump);
                if allowed.has(other) {
                    found.push(other);
                }
            });
        };
        in_rounds(swept.last().unwrap_or(joined), limits, find, |found| {
            next.insert_all(found);
            Ok(())
        })?;
        swept.push(next);
    }
    Ok(swept)
}
