//! All positions between start and target, level by level, up to symmetry.
//!
//! The levels of jumps are walked from both ends, the smaller front first, until the fronts are neighbours; sieves of
//! pagoda functions keep out most of what cannot arrive. What one jump joins is then swept outwards, so that only
//! positions remain that can be reached and can be solved.
//!
//! A jump taken back is the same jump on the complement (pegs and holes exchanged), so where the target is the
//! complement of the start one walk and one sweep do for both (Beasley, chapter 2).

use super::peg_map::{FilteredLevel, Level, PegMap, ROUND, Sorted, taken};
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

/// All levels from those that [`solvable`] found.
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
    let mut level = PegMap::new();
    level.insert(pegs);
    level
}

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
    let joined = joined(&ours, theirs, limits, |pegs, keys| {
        near.hopeful(problem, pegs, problem.symmetries.orbit(pegs), keys);
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

/// The first half for a problem that mirrors itself.
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
    let joined = joined(&level, &level, limits, |pegs, keys| {
        near.hopeful(problem, pegs, problem.symmetries.orbit(problem.complement(pegs)), keys);
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

/// One of the two walks.
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

    fn advance(&mut self, problem: &PegProblem<W>, limits: &WorkLimits<'_>, held: usize) -> Result<(), GaveUp> {
        let Some(last) = self.levels.last() else { return Ok(()) };
        let mut next = PegMap::with_room(last.len() * 2);
        let children = |slots: &[W], children: &mut Vec<W>| {
            for pegs in taken(slots) {
                self.hopeful(problem, pegs, problem.symmetries.orbit(pegs), children);
            }
        };
        in_rounds(last, limits, children, |children| {
            next.insert_all(&children);
            limits.hold(held + next.bytes())
        })?;
        self.levels.push(next);
        Ok(())
    }
}

/// Slots of a level that a thread takes at a time.
const SHARE: usize = 1 << 9;

/// Lets `find` list what follows from each share of a level, on all threads, and `take` take it.
fn in_rounds<W: Word>(
    level: &Level<W>,
    limits: &WorkLimits<'_>,
    find: impl Fn(&[W], &mut Vec<W>) + Sync,
    mut take: impl FnMut(Vec<Sorted<W>>) -> Result<(), GaveUp>,
) -> Result<(), GaveUp> {
    for round in level.slots().chunks(ROUND) {
        limits.steps(taken(round).count())?;
        let share = |slots| {
            let mut found = Vec::new();
            find(slots, &mut found);
            Sorted::new(&found)
        };
        take(parallel::map(round.chunks(SHARE), share))?;
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
    let mut joined = Vec::new();
    let others = FilteredLevel::new(others);
    let find = |slots: &[W], found: &mut Vec<W>| {
        let (mut keys, mut owners) = (Vec::new(), Vec::new());
        for pegs in taken(slots) {
            neighbours(pegs, &mut keys);
            owners.resize(keys.len(), pegs);
        }
        others.for_each_known(&keys, |at| {
            if found.last() != Some(&owners[at]) {
                found.push(owners[at]);
            }
        });
    };
    in_rounds(level, limits, find, |found| {
        joined.extend(found);
        Ok(())
    })?;
    Ok(Level::of(&joined))
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
        let last = swept.last().unwrap_or(joined);
        let mut next = PegMap::with_room(last.len().min(allowed.len()));
        let allowed = FilteredLevel::new(&allowed);
        let find = |slots: &[W], found: &mut Vec<W>| {
            let mut others = Vec::new();
            for pegs in taken(slots) {
                let orbit = problem.symmetries.orbit(pegs);
                problem.for_each_step(way, pegs, |jump, _| others.push(problem.symmetries.after(&orbit, jump)));
            }
            allowed.for_each_known(&others, |at| found.push(others[at]));
        };
        in_rounds(last, limits, find, |found| {
            next.insert_all(&found);
            Ok(())
        })?;
        swept.push(next.compact());
    }
    Ok(swept)
}
