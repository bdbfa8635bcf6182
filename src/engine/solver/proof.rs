//! Proofs that a target cannot be reached, in a form that can be checked.

use super::pagoda::Pagoda;
use super::problem::{PegBoard, PegProblem, bit, holes};
use crate::geometry::{Point, Word};

/// Why a target is out of reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every jump changes the pegs on these holes by an even number, and start and target differ by an odd one.
    Class {
        /// From low index to high.
        holes: Vec<Point>,
    },
    /// No jump raises the weight of the pegs, and the start weighs less than the target.
    Pagoda {
        /// The holes that weigh something.
        weights: Vec<(Point, i32)>,
        /// The weight of the start.
        start: i32,
        /// The weight of the target.
        target: i32,
    },
    /// Everything was tried.
    Search {
        /// How many positions were looked at.
        positions: u64,
    },
}

impl Proof {
    /// How it was proved, in one word: `class`, `pagoda` or `search`.
    pub fn kind(&self) -> &'static str {
        match self {
            Proof::Class { .. } => "class",
            Proof::Pagoda { .. } => "pagoda",
            Proof::Search { .. } => "search",
        }
    }

    /// The proof for people, who can check it; `name` gives the name of a hole.
    pub fn text(&self, name: impl Fn(Point) -> String) -> String {
        match self {
            Proof::Class { holes } => {
                let holes: Vec<String> = holes.iter().map(|&hole| name(hole)).collect();
                format!("class: no jump changes whether the pegs on {} are odd or even in number", holes.join(" "))
            }
            Proof::Pagoda { weights, start, target } => {
                let weights: Vec<String> =
                    weights.iter().map(|&(hole, weight)| format!("{}={weight}", name(hole))).collect();
                let weights = weights.join(" ");
                format!(
                    "pagoda: no jump raises the weight of the pegs, it is {start}, the target's {target}: {weights}"
                )
            }
            Proof::Search { positions } => format!("search: {positions} positions"),
        }
    }
}

/// A short proof that the problem has no solution, if there is one.
pub(super) fn refutation<W: Word>(problem: &PegProblem<W>) -> Option<Proof> {
    let PegProblem { board, start, target, .. } = problem;
    if let Some(class) = position_class(board, *start, *target) {
        return Some(Proof::Class { holes: holes(class).map(|hole| board.point(hole)).collect() });
    }
    let pagoda = Pagoda::refuting(board, *start, *target)?;
    let weights = pagoda.weights.iter().zip(&board.points).filter(|&(&weight, _)| weight != 0);
    Some(Proof::Pagoda {
        weights: weights.map(|(&weight, &point)| (point, weight)).collect(),
        start: pagoda.worth(*start),
        target: pagoda.worth(*target),
    })
}

/// A set of holes that every jump meets in none or two, if its pegs are odd in number in one of two positions and even
/// in the other: then neither can be reached from the other.
///
/// A jump empties two holes and fills one, so it changes the parity of a set of holes by the number of its three holes
/// in that set. The sets that every jump meets in an even number of holes (two or none) keep their parity for ever.
/// On the square grid they are Reiss's two three-colourings by diagonals (Reiss 1857; Suremain de Missery before him;
/// Beasley, The Ins and Outs of Peg Solitaire, chapter 4); for any graph they are found by elimination modulo 2.
pub(super) fn position_class<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Option<W> {
    let difference = start ^ target;
    let is_odd = |set: &W| (*set & difference).count_ones() % 2 == 1;
    kept_parities(board).into_iter().filter(is_odd).min_by_key(|set| set.count_ones())
}

/// A basis of the sets that every jump meets in an even number of holes.
fn kept_parities<W: Word>(board: &PegBoard<W>) -> Vec<W> {
    let mut rows: Vec<(W, u8)> = Vec::new();
    for jump in &board.jumps {
        let mut row = jump.iter().fold(W::ZERO, |set, &hole| set | bit(hole));
        for &(other, pivot) in &rows {
            if row & bit(pivot) != W::ZERO {
                row = row ^ other;
            }
        }
        let Some(pivot) = holes(row).next() else { continue };
        for (other, _) in &mut rows {
            if *other & bit(pivot) != W::ZERO {
                *other = *other ^ row;
            }
        }
        rows.push((row, pivot));
    }
    let is_free = |&hole: &u8| rows.iter().all(|&(_, pivot)| pivot != hole);
    let basis = |free: u8| {
        let forced = rows.iter().filter(|(row, _)| *row & bit(free) != W::ZERO);
        forced.fold(bit(free), |set, &(_, pivot)| set | bit(pivot))
    };
    (0..board.holes() as u8).filter(is_free).map(basis).collect()
}
