//! The questions that can be asked about a puzzle.

use super::board::{Layout, PegBoard, set};
use super::counting::ways;
use super::leash::{GaveUp, Leash};
use super::levels::Solvable;
use super::problem::Problem;
use super::{Proof, class, quick, shortest};
use crate::geometry::Word;

/// A puzzle: pegs at the start, pegs at the end. Boards of up to 64 holes are solved in narrower words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    pub layout: Layout,
    pub start: Vec<u8>,
    pub target: Vec<u8>,
}

/// What can be said about a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Solved(Solution),
    Impossible(Proof),
}

/// Moves from start to target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Each move is the hole of the peg and then its landing holes.
    pub moves: Vec<Vec<u8>>,
    /// Whether it is proved that no solution has fewer moves.
    pub minimal: bool,
}

impl Solution {
    /// The number of pegs taken.
    pub fn jumps(&self) -> usize {
        self.moves.iter().map(|holes| holes.len() - 1).sum()
    }
}

/// A puzzle of one vacancy and one survivor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SingleProblem {
    pub vacancy: u8,
    pub survivor: u8,
    pub puzzle: Puzzle,
}

/// Calls a function with the problem in the narrowest word that holds the board.
macro_rules! with_problem {
    ($puzzle:expr, $question:expr) => {
        if $puzzle.layout.holes <= 64 {
            $question(&$puzzle.problem::<u64>())
        } else {
            $question(&$puzzle.problem::<u128>())
        }
    };
}

impl Puzzle {
    /// The problems of this board with one vacancy and one survivor that the position class allows, one of each set
    /// that turns and mirrors make equal.
    pub fn single_problems(&self) -> Vec<SingleProblem> {
        let all = 0..self.layout.holes as u8;
        let board: PegBoard<u128> = PegBoard::new(&self.layout);
        let is_first = |vacancy: u8, survivor: u8| {
            let image = |map: &Vec<u8>| (map[usize::from(vacancy)], map[usize::from(survivor)]);
            board.layout.symmetries.iter().all(|map| image(map) >= (vacancy, survivor))
        };
        let problem = |vacancy: u8, survivor: u8| {
            let start: Vec<u8> = all.clone().filter(|&hole| hole != vacancy).collect();
            let possible = class::refutation(&board, set(&start), set(&[survivor])).is_none();
            let puzzle = Puzzle { layout: self.layout.clone(), start, target: vec![survivor] };
            (possible && is_first(vacancy, survivor)).then_some(SingleProblem { vacancy, survivor, puzzle })
        };
        let pairs = all.clone().flat_map(|vacancy| all.clone().map(move |survivor| (vacancy, survivor)));
        pairs.filter_map(|(vacancy, survivor)| problem(vacancy, survivor)).collect()
    }

    fn problem<W: Word>(&self) -> Problem<W> {
        Problem::new(PegBoard::new(&self.layout), set(&self.start), set(&self.target))
    }

    /// Any solution, or a proof that there is none.
    ///
    /// # Errors
    /// The leash ended the work first.
    pub fn solve(&self, leash: &Leash<'_>) -> Result<Answer, GaveUp> {
        with_problem!(self, |problem| solve(problem, leash))
    }

    /// A solution with the fewest moves, or a proof that there is none.
    ///
    /// # Errors
    /// The leash ended the work first.
    pub fn shortest(&self, leash: &Leash<'_>) -> Result<Answer, GaveUp> {
        with_problem!(self, |problem| fewest(problem, leash))
    }

    /// The number of jump sequences from start to target; `None` if it has more than 128 bits.
    ///
    /// # Errors
    /// The leash ended the work first.
    pub fn count(&self, leash: &Leash<'_>) -> Result<Option<u128>, GaveUp> {
        with_problem!(self, |problem| count(problem, leash))
    }

    /// The number of positions, up to symmetry, that occur in solutions, by the number of jumps made.
    ///
    /// # Errors
    /// The leash ended the work first.
    pub fn solvable_positions(&self, leash: &Leash<'_>) -> Result<Vec<usize>, GaveUp> {
        with_problem!(self, |problem| listed(problem, leash))
    }
}

fn solve<W: Word>(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Answer, GaveUp> {
    if let Some(proof) = problem.refutation() {
        return Ok(Answer::Impossible(proof));
    }
    Ok(answer(problem, quick::solution(problem, leash)?, false, leash))
}

fn fewest<W: Word>(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Answer, GaveUp> {
    if let Some(proof) = problem.refutation() {
        return Ok(Answer::Impossible(proof));
    }
    let solvable = Solvable::list(problem, leash)?;
    Ok(answer(problem, shortest::solution(problem, &solvable, leash)?, true, leash))
}

fn count<W: Word>(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Option<u128>, GaveUp> {
    ways(problem, &Solvable::list(problem, leash)?, leash)
}

fn listed<W: Word>(problem: &Problem<W>, leash: &Leash<'_>) -> Result<Vec<usize>, GaveUp> {
    Ok(Solvable::list(problem, leash)?.levels.iter().map(super::table::Table::len).collect())
}

fn answer<W: Word>(problem: &Problem<W>, line: Option<Vec<u16>>, fewest: bool, leash: &Leash<'_>) -> Answer {
    let Some(line) = line else { return Answer::Impossible(Proof::Search { positions: leash.nodes() }) };
    let moves = joined(&problem.board.layout, &line);
    // No move at all, or one, cannot be improved upon.
    let minimal = fewest || moves.len() <= 1;
    Answer::Solved(Solution { moves, minimal })
}

/// Jumps by one peg that follow each other become one move.
fn joined(layout: &Layout, line: &[u16]) -> Vec<Vec<u8>> {
    let mut moves: Vec<Vec<u8>> = Vec::new();
    for &jump in line {
        let [from, _, to] = layout.jumps[usize::from(jump)];
        match moves.last_mut() {
            Some(holes) if holes.last() == Some(&from) => holes.push(to),
            _ => moves.push(vec![from, to]),
        }
    }
    moves
}
