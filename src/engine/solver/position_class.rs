//! Position classes: parities that no jump changes.
//!
//! A jump empties two holes and fills one, so it changes the parity of a set of holes by the number of its three holes
//! in that set. The sets that every jump meets in an even number of holes (two or none) keep their parity for ever.
//! On the square grid they are Reiss's two three-colourings by diagonals (Reiss 1857; Suremain de Missery before him;
//! Beasley, The Ins and Outs of Peg Solitaire, chapter 4); for any graph they are found by elimination modulo 2.

use super::board::{PegBoard, bit, holes};
use crate::geometry::Word;

/// A set of holes that every jump meets in none or two, if its pegs are odd in number in one of two positions and even
/// in the other: then neither can be reached from the other.
pub(super) fn refutation<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Option<Vec<u8>> {
    let difference = start ^ target;
    let odd = |set: &&W| (**set & difference).count_ones() % 2 == 1;
    kept_parities(board).iter().filter(odd).min_by_key(|set| set.count_ones()).map(|&set| holes(set).collect())
}

/// A basis of the sets that every jump meets in an even number of holes.
fn kept_parities<W: Word>(board: &PegBoard<W>) -> Vec<W> {
    let mut rows: Vec<(W, u8)> = Vec::new();
    for jump in 0..board.graph.jumps.len() {
        let mut row = board.triple(jump as u16);
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
    (0..board.graph.holes as u8).filter(is_free).map(basis).collect()
}
