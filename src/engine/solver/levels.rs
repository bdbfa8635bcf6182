//! Lists all positions that occur in solutions, level by level, up to symmetry.
//!
//! A *level* holds the positions after a number of jumps. The levels are walked from both ends, the smaller front
//! first, until the fronts are neighbours; sieves of pagoda functions keep out most positions that cannot reach the
//! other end. From the pairs of positions that a jump joins there, sweeps back to both ends keep the positions that can
//! be reached and can be solved.
//!
//! A jump taken back is the same jump on the complement (pegs and holes exchanged). So, where the target is the
//! complement of the start, one walk and one sweep do for both ends (Beasley, chapter 2).

use super::peg_map::{Level, PegMap, Sorted};
use super::problem::{Orbit, PegProblem};
use super::puzzle::{GaveUp, WorkLimits};
use super::sieve::{Sieve, WalkDirection};
use crate::geometry::Word;
use crate::parallel;

/// Random walks from which a sieve learns.
const WALKS: usize = 96;

/// The levels of all solutions, by number of jumps made; none if there is no solution, and only the first half where
/// the second mirrors it.
pub(super) fn solvable<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    match problem.jumps() {
        None => Ok(Vec::new()),
        Some(0) if problem.start == problem.target => Ok(vec![only(problem.start)]),
        Some(jumps) => by_walks(problem, jumps, limits),
    }
}

/// All levels: those that [`solvable`] finds and, where it finds one half, their mirror images.
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

/// The memory that levels take, in bytes.
pub(super) fn bytes<W: Word>(levels: &[Level<W>]) -> usize {
    levels.iter().map(PegMap::bytes).sum()
}

/// A level of one position.
pub(super) fn only<W: Word>(pegs: W) -> Level<W> {
    std::iter::once(pegs).collect()
}

/// The levels of a problem, by walks from both ends until they meet. A problem that mirrors itself has only the first
/// half of its levels, by one walk: the other one would meet it with the complements.
fn by_walks<W: Word>(problem: &PegProblem<W>, jumps: usize, limits: &WorkLimits<'_>) -> Result<Vec<Level<W>>, GaveUp> {
    let front = |way| SearchFront::new(problem, way, limits);
    let mut near = front(WalkDirection::Forward)?;
    let mut far = if problem.mirrors_itself() { None } else { Some(front(WalkDirection::Backward)?) };
    let held = |near: &SearchFront<W>, far: &Option<SearchFront<W>>| {
        bytes(&near.levels) + far.as_ref().map_or(0, |far| bytes(&far.levels))
    };
    while near.levels.len() + far.as_ref().unwrap_or(&near).levels.len() < jumps + 1 {
        let beside = held(&near, &far);
        let narrower = far.as_mut().filter(|far| far.width() < near.width());
        narrower.unwrap_or(&mut near).advance(problem, limits, beside)?;
    }
    let beside = held(&near, &far);
    let Some(ours) = near.levels.pop() else { return Ok(Vec::new()) };
    let Some(theirs) = far.as_ref().map_or(Some(&ours), |far| far.levels.last()) else { return Ok(Vec::new()) };
    let is_mirrored = far.is_none();
    let meeting = meeting(&ours, theirs, limits, beside, |pegs, found| {
        let met = if is_mirrored { problem.complement(pegs) } else { pegs };
        near.hopeful(problem, pegs, problem.symmetries.orbit(met), found);
    })?;
    drop(ours);
    if meeting.is_empty() {
        return Ok(Vec::new());
    }
    let theirs = far.map_or(Vec::new(), |far| far.levels);
    let after = sweep(problem, WalkDirection::Forward, &meeting, theirs, limits, bytes(&near.levels))?;
    let mut levels = sweep(problem, WalkDirection::Backward, &meeting, near.levels, limits, bytes(&after))?;
    levels.reverse();
    levels.push(meeting);
    levels.extend(after);
    Ok(levels)
}

/// A walk from the start or from the target, level by level, with all levels so far.
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

    /// Adds the positions after the steps from `pegs` that the sieve lets pass. `orbit` is the orbit of `pegs` or of
    /// its complement.
    #[inline(always)]
    fn hopeful(&self, problem: &PegProblem<W>, pegs: W, orbit: Orbit<W>, found: &mut Vec<W>) {
        let slack = self.sieve.slack(pegs);
        problem.for_each_step(self.way, pegs, |jump, _| {
            if self.sieve.lets(&slack, jump) {
                found.push(problem.symmetries.after(&orbit, jump));
            }
        });
    }

    /// Adds the next level; `beside` is the memory in bytes that other levels take.
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

/// Positions that threads process between two looks at the limits.
const ROUND: usize = 1 << 16;
/// Positions that a thread processes at a time.
const SHARE: usize = 1 << 9;

/// Calls `find` for each position of a level, on all threads, and hands what it lists to `take`, round by round.
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

/// The positions of `level` that have a neighbour in `others`, the level of the other walk; `neighbours` lists the
/// neighbours of a position. `beside` is the memory in bytes that levels take.
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

/// Walks back from the level where both walks meet, which is next to the last of `seen`, and keeps of each level in
/// `seen` the positions that this walk reaches. `beside` is the memory in bytes that other levels take.
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
