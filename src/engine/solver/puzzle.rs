//! Puzzles of peg solitaire, what can be asked about them, the answers, and the limits on the work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use thiserror::Error;

use super::problem::{PegBoard, PegProblem};
use super::proof::{Proof, position_class, refutation};
use super::{any_solution, ways};
use crate::geometry::{Board, Point, PointSet, Symmetry, Word, symmetries};
use crate::rules::solitaire::{Position, Solitaire};

/// A puzzle: a board with its jumps, the pegs at the start and the sets of pegs of which one is wanted at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    pub(super) board: Board,
    /// The symmetries of the board, the identity first.
    pub(super) symmetries: Vec<Symmetry>,
    pub(super) start: PointSet<u128>,
    pub(super) targets: Vec<PointSet<u128>>,
}

/// Which solution of a puzzle is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The solution that is found first.
    Any,
    /// A solution with the fewest moves.
    FewestMoves,
}

/// The answer to a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A solution.
    Solved(Solution),
    /// There is no solution, for this reason.
    Impossible(Proof),
}

/// The moves from start to target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Every move as the hole of the peg, then the holes where it lands.
    pub moves: Vec<Vec<Point>>,
    /// Whether it is proved that no solution has fewer moves.
    pub minimal: bool,
}

impl Solution {
    /// The number of jumps, which is that of the pegs taken.
    pub fn jumps(&self) -> usize {
        self.moves.iter().map(|holes| holes.len() - 1).sum()
    }
}

impl Puzzle {
    /// The puzzle of a position of the game.
    pub fn of<W: Word>(game: &Solitaire<W>, position: &Position<W>) -> Self {
        Puzzle {
            board: game.board().clone(),
            symmetries: symmetries(game.board()),
            start: position.pegs.widen(),
            targets: game.targets().into_iter().map(PointSet::widen).collect(),
        }
    }

    /// The name of a hole.
    pub fn name(&self, hole: Point) -> String {
        self.board.name(hole)
    }

    /// The vacancy and the survivor of every problem with one of each on this board that the position class allows,
    /// once for all images under symmetries.
    pub fn single_problems(&self) -> Vec<[Point; 2]> {
        let board: PegBoard<u128> = PegBoard::new(self);
        let is_first =
            |pair: [Point; 2]| self.symmetries.iter().all(|symmetry| pair.map(|point| symmetry.point(point)) >= pair);
        let is_possible = |pair: [Point; 2]| {
            let [vacancy, survivor] = pair.map(|point| board.set(PointSet::of(point)));
            position_class(&board, board.all ^ vacancy, survivor).is_none()
        };
        let points = self.board.points();
        let pairs = points.iter().flat_map(|&vacancy| points.iter().map(move |&survivor| [vacancy, survivor]));
        pairs.filter(|&pair| is_first(pair) && is_possible(pair)).collect()
    }

    /// Whether a position needs more than 64 bits.
    fn is_wide(&self) -> bool {
        self.board.points().len() > 64
    }

    /// A solution, or a proof that there is none. Of several targets those that look the same from the start are tried
    /// once.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub fn solve(&self, wanted: Wanted, limits: &WorkLimits<'_>) -> Result<Answer, GaveUp> {
        let mut best: Option<Solution> = None;
        let mut proofs = Vec::new();
        for (target, _) in self.distinct_targets() {
            let answer = if self.is_wide() {
                solve::<u128>(&PegProblem::new(self, target), wanted, limits)
            } else {
                solve::<u64>(&PegProblem::new(self, target), wanted, limits)
            };
            match answer? {
                Answer::Solved(solution) if wanted == Wanted::Any => return Ok(Answer::Solved(solution)),
                Answer::Solved(solution) => {
                    let is_better = best.as_ref().is_none_or(|best| solution.moves.len() < best.moves.len());
                    best = if is_better { Some(solution) } else { best };
                }
                Answer::Impossible(proof) => proofs.push((target.iter().collect(), proof)),
            }
        }
        Ok(best.map_or_else(|| Answer::Impossible(Proof::of_all(proofs)), Answer::Solved))
    }

    /// The number of jump sequences from the start to a target; `None` if it has more than 128 bits.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub fn count(&self, limits: &WorkLimits<'_>) -> Result<Option<u128>, GaveUp> {
        let mut sum = Some(0u128);
        for (target, images) in self.distinct_targets() {
            let ways = if self.is_wide() {
                ways::count::<u128>(&PegProblem::new(self, target), limits)?
            } else {
                ways::count::<u64>(&PegProblem::new(self, target), limits)?
            };
            sum = ways.and_then(|ways| ways.checked_mul(images)).and_then(|ways| sum?.checked_add(ways));
        }
        Ok(sum)
    }

    /// The targets, once for all that symmetries which keep the start map to each other, and how many these are.
    fn distinct_targets(&self) -> Vec<(PointSet<u128>, u128)> {
        let keeps = |symmetry: &&Symmetry| symmetry.set(self.start) == self.start;
        let least = |target: &PointSet<u128>| {
            let images = self.symmetries.iter().filter(keeps).map(|symmetry| symmetry.set(*target));
            images.min_by_key(|image| image.word()).unwrap_or(*target)
        };
        let mut distinct: Vec<(PointSet<u128>, u128)> = Vec::new();
        for target in &self.targets {
            match distinct.iter_mut().find(|(known, _)| least(known) == least(target)) {
                Some((_, images)) => *images += 1,
                None => distinct.push((*target, 1)),
            }
        }
        distinct
    }
}

fn solve<W: Word>(problem: &PegProblem<W>, wanted: Wanted, limits: &WorkLimits<'_>) -> Result<Answer, GaveUp> {
    if let Some(proof) = refutation(problem) {
        return Ok(Answer::Impossible(proof));
    }
    let line = match wanted {
        Wanted::Any => any_solution::solution(problem, limits)?,
        Wanted::FewestMoves => ways::shortest(problem, limits)?,
    };
    let Some(line) = line else { return Ok(Answer::Impossible(Proof::Search { positions: limits.nodes() })) };
    let moves = moves_of(&problem.board, &line);
    // A solution of at most one move has the fewest.
    let minimal = wanted == Wanted::FewestMoves || moves.len() <= 1;
    Ok(Answer::Solved(Solution { moves, minimal }))
}

/// The moves of a line of jumps: consecutive jumps by one peg are one move.
fn moves_of<W: Word>(board: &PegBoard<W>, line: &[u16]) -> Vec<Vec<Point>> {
    let mut moves: Vec<Vec<Point>> = Vec::new();
    for &jump in line {
        let [from, _, to] = board.jumps[usize::from(jump)].map(|hole| board.point(hole));
        match moves.last_mut() {
            Some(holes) if holes.last() == Some(&from) => holes.push(to),
            _ => moves.push(vec![from, to]),
        }
    }
    moves
}

/// Why a question stayed open: a limit ended the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GaveUp {
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
    /// The limit of positions was reached.
    #[error("the limit of positions was reached")]
    Nodes,
    /// The tables would take more memory than the limit.
    #[error("the memory allowed is too small")]
    Memory,
}

/// Limits on the work of a solver, with a count of the work done.
pub struct WorkLimits<'a> {
    must_stop: &'a (dyn Fn() -> bool + Sync),
    /// The most positions to look at.
    pub max_nodes: u64,
    /// The most bytes of memory for tables.
    pub max_bytes: usize,
    nodes: AtomicU64,
}

/// Positions between two looks at the stop flag.
const STEP: u64 = 1024;

impl<'a> WorkLimits<'a> {
    /// Limits by a stop flag alone; `must_stop` is asked now and then.
    pub fn new(must_stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        WorkLimits { must_stop, max_nodes: u64::MAX, max_bytes: usize::MAX, nodes: AtomicU64::new(0) }
    }

    /// The positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Counts one position, and checks stop flag and limit at every 1024th.
    #[inline(always)]
    pub(super) fn step(&self) -> Result<(), GaveUp> {
        let nodes = self.nodes() + 1;
        self.nodes.store(nodes, Relaxed);
        if nodes.is_multiple_of(STEP) { self.look() } else { Ok(()) }
    }

    /// Counts positions that are looked at together, unless they exceed the limit.
    pub(super) fn steps(&self, count: usize) -> Result<(), GaveUp> {
        let count = count as u64;
        if self.nodes.fetch_add(count, Relaxed) + count > self.max_nodes {
            self.nodes.fetch_sub(count, Relaxed);
            return Err(GaveUp::Nodes);
        }
        self.look()
    }

    /// Checks that neither the stop flag is set nor the limit of positions exceeded.
    #[cold]
    pub(super) fn look(&self) -> Result<(), GaveUp> {
        if (self.must_stop)() {
            return Err(GaveUp::Stopped);
        }
        if self.nodes() > self.max_nodes { Err(GaveUp::Nodes) } else { Ok(()) }
    }

    /// Checks that tables of this many bytes are allowed.
    pub(super) fn hold(&self, bytes: usize) -> Result<(), GaveUp> {
        if bytes > self.max_bytes { Err(GaveUp::Memory) } else { Ok(()) }
    }
}
