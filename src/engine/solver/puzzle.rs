//! Puzzles and the questions about them: any solution, the shortest, their number.

use super::board::{JumpGraph, PegBoard, bit, set};
use super::counting::ways;
use super::levels::{all_of, solvable};
use super::problem::PegProblem;
use super::work_limits::{GaveUp, WorkLimits};
use super::{Proof, any_solution, position_class, shortest};
use crate::geometry::Word;

/// A puzzle: pegs at the start, pegs at the end. Boards of up to 64 holes are solved in narrower words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The holes and jumps of the board.
    pub graph: JumpGraph,
    /// The holes with a peg at the start.
    pub start: Vec<u8>,
    /// The holes with a peg at the end.
    pub target: Vec<u8>,
}

/// What can be said about a puzzle; see [`Solution`] for the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<M = Vec<u8>> {
    /// A solution.
    Solved(Solution<M>),
    /// There is none.
    Impossible(Proof),
}

/// Moves from start to target: each the hole of the peg and then its landing holes, or a move of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<M = Vec<u8>> {
    /// Each a peg with the holes that it passes.
    pub moves: Vec<M>,
    /// Whether it is proved that no solution has fewer moves.
    pub minimal: bool,
}

impl Solution {
    /// The number of pegs taken.
    pub fn jumps(&self) -> usize {
        self.moves.iter().map(|holes| holes.len() - 1).sum()
    }
}

/// Calls a function with the problem in the narrowest word that holds the board.
macro_rules! with_problem {
    ($puzzle:expr, $question:expr) => {
        if $puzzle.graph.holes <= 64 {
            $question(&$puzzle.problem::<u64>())
        } else {
            $question(&$puzzle.problem::<u128>())
        }
    };
}

impl Puzzle {
    /// The vacancy and the survivor of every problem of this board with one of each that the position class allows, one
    /// of each set that turns and mirrors make equal.
    pub fn single_problems(&self) -> Vec<[u8; 2]> {
        let holes = self.graph.holes as u8;
        let board: PegBoard<u128> = PegBoard::new(&self.graph);
        let is_first = |pair: [u8; 2]| {
            let image = |map: &Vec<u8>| pair.map(|hole| map[usize::from(hole)]);
            board.graph.symmetries.iter().all(|map| image(map) >= pair)
        };
        let is_possible = |[vacancy, survivor]: [u8; 2]| {
            let start = board.all ^ bit::<u128>(vacancy);
            position_class::refutation(&board, start, bit(survivor)).is_none()
        };
        let pairs = (0..holes).flat_map(|vacancy| (0..holes).map(move |survivor| [vacancy, survivor]));
        pairs.filter(|&pair| is_first(pair) && is_possible(pair)).collect()
    }

    fn problem<W: Word>(&self) -> PegProblem<W> {
        PegProblem::new(PegBoard::new(&self.graph), set(&self.start), set(&self.target))
    }

    /// Any solution, or a proof that there is none.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub fn solve(&self, limits: &WorkLimits<'_>) -> Result<Answer, GaveUp> {
        with_problem!(self, |problem| solve(problem, limits))
    }

    /// A solution with the fewest moves, or a proof that there is none.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub fn shortest(&self, limits: &WorkLimits<'_>) -> Result<Answer, GaveUp> {
        with_problem!(self, |problem| fewest(problem, limits))
    }

    /// The number of jump sequences from start to target; `None` if it has more than 128 bits.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub fn count(&self, limits: &WorkLimits<'_>) -> Result<Option<u128>, GaveUp> {
        with_problem!(self, |problem| count(problem, limits))
    }
}

fn solve<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Answer, GaveUp> {
    if let Some(proof) = problem.refutation() {
        return Ok(Answer::Impossible(proof));
    }
    Ok(answer(problem, any_solution::solution(problem, limits)?, false, limits))
}

fn fewest<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Answer, GaveUp> {
    if let Some(proof) = problem.refutation() {
        return Ok(Answer::Impossible(proof));
    }
    let levels = all_of(problem, solvable(problem, limits)?);
    Ok(answer(problem, shortest::solution(problem, levels, limits)?, true, limits))
}

fn count<W: Word>(problem: &PegProblem<W>, limits: &WorkLimits<'_>) -> Result<Option<u128>, GaveUp> {
    ways(problem, solvable(problem, limits)?, limits)
}

fn answer<W: Word>(problem: &PegProblem<W>, line: Option<Vec<u16>>, fewest: bool, limits: &WorkLimits<'_>) -> Answer {
    let Some(line) = line else { return Answer::Impossible(Proof::Search { positions: limits.nodes() }) };
    let moves = joined(&problem.board.graph, &line);
    // No move at all, or one, cannot be improved upon.
    let minimal = fewest || moves.len() <= 1;
    Answer::Solved(Solution { moves, minimal })
}

/// Jumps by one peg that follow each other become one move.
fn joined(graph: &JumpGraph, line: &[u16]) -> Vec<Vec<u8>> {
    let mut moves: Vec<Vec<u8>> = Vec::new();
    for &jump in line {
        let [from, _, to] = graph.jumps[usize::from(jump)];
        match moves.last_mut() {
            Some(holes) if holes.last() == Some(&from) => holes.push(to),
            _ => moves.push(vec![from, to]),
        }
    }
    moves
}
