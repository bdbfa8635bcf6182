//! All positions between start and target, level by level, up to symmetry.
//!
//! The levels of jumps are walked from both ends, the smaller front first, until the fronts are neighbours; sieves of
//! pagoda functions keep out most of what cannot arrive. What one jump joins is then swept outwards, so that only
//! positions remain that can be reached and can be solved.
//!
//! A jump taken back is the same jump on the complement (pegs and holes exchanged), so where the target is the
//! complement of the start one walk and one sweep do for both (Beasley, chapter 2).

use super::peg_map::{Level, PegMap, Sorted};
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

/// All levels: those that [`solvable`] finds, then their mirror images where it finds one half.
pub(super) fn all<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    let mut levels = solvable(problem, limits)?;
    if problem.mirrors_itself() {
        for number in (0..levels.len()).rev() {
            let mut mirrored = Level::new();
            let find = |pegs: W, found: &mut Vec<W>| {
                found.push(problem.symmetries.canonical(problem.complement(pegs)));
            };
            let beside = bytes(&levels);
            in_rounds(&levels[number], limits, find, |found| mirrored.insert_all(found, beside, limits))?;
            levels.push(mirrored);
        }
    }
    Ok(levels)
}

/// The memory that levels take.
fn bytes<W: Word>(levels: &[Level<W>]) -> usize {
    levels.iter().map(PegMap::bytes).sum()
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
        let beside = bytes(&near.levels) + bytes(&far.levels);
        let front = if near.width() <= far.width() { &mut near } else { &mut far };
        front.advance(problem, limits, beside)?;
    }
    let beside = bytes(&near.levels) + bytes(&far.levels);
    let (Some(ours), Some(theirs)) = (near.levels.pop(), far.levels.last()) else { return Ok(Vec::new()) };
    let meeting = meeting(&ours, theirs, limits, beside, |pegs, found| {
        near.hopeful(problem, pegs, problem.symmetries.orbit(pegs), found);
    })?;
    drop(ours);
    if meeting.is_empty() {
        return Ok(Vec::new());
    }
    let after = sweep(problem, WalkDirection::Forward, &meeting, far.levels, limits, bytes(&near.levels))?;
    let mut levels = sweep(problem, WalkDirection::Backward, &meeting, near.levels, limits, bytes(&after))?;
    levels.reverse();
    levels.push(meeting);
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
        near.advance(problem, limits, bytes(&near.levels))?;
    }
    let beside = bytes(&near.levels);
    let Some(level) = near.levels.pop() else { return Ok(Vec::new()) };
    let meeting = meeting(&level, &level, limits, beside, |pegs, found| {
        near.hopeful(problem, pegs, problem.symmetries.orbit(problem.complement(pegs)), found);
    })?;
    drop(level);
    if meeting.is_empty() {
        return Ok(Vec::new());
    }
    let mut levels = sweep(problem, WalkDirection::Backward, &meeting, near.levels, limits, 0)?;
    levels.reverse();
    levels.push(meeting);
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

    /// Adds the next level; `beside` is the memory that other levels take.
    fn advance(&mut self, problem: &PegProblem<W>, limits: &WorkLimits<'_>, beside: usize) -> Result<(), GaveUp> {
        let Some(last) = self.levels.last() else { return Ok(()) };
        let mut next = Level::new();
        let children = |pegs: W, found: &mut Vec<W>| {
            self.hopeful(problem, pegs, problem.symmetries.orbit(pegs), found);
        };
        in_rounds(last, limits, children, |children| next.insert_all(children, beside, limits))?;
        self.levels.push(next);
        Ok(())
    }
}

/// Positions that threads work on between two looks at the limits.
const ROUND: usize = 1 << 16;
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

/// Where two walks meet: the positions of a level that have a neighbour, as `neighbours` lists them, in the other
/// walk's level. `beside` is the memory that levels take.
fn meeting<W: Word>(
    level: &Level<W>,
    others: &Level<W>,
    limits: &WorkLimits<'_>,
    beside: usize,
    neighbours: impl Fn(W, &mut Vec<W>) + Sync,
) -> Result<Level<W>, GaveUp> {
    let mut meeting = Level::new();
    let find = |pegs: W, found: &mut Vec<W>| {
        let before = found.len();
        neighbours(pegs, found);
        let meets = found.drain(before..).any(|other| others.has(other));
        found.extend(meets.then_some(pegs));
    };
    in_rounds(level, limits, find, |found| meeting.insert_all(found, beside, limits))?;
    Ok(meeting)
}

/// Walks on from the level where both walks meet, within what the other walk has seen; `seen` ends next to that level.
/// `beside` is the memory that levels take besides these.
fn sweep<W: Word>(
    problem: &PegProblem<W>,
    way: WalkDirection,
    meeting: &Level<W>,
    mut seen: Vec<Level<W>>,
    limits: &WorkLimits<'_>,
    beside: usize,
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
        let held = beside + meeting.bytes() + bytes(&seen) + allowed.bytes() + bytes(&swept);
        in_rounds(swept.last().unwrap_or(meeting), limits, find, |found| next.insert_all(found, held, limits))?;
        swept.push(next);
    }
    Ok(swept)
}
