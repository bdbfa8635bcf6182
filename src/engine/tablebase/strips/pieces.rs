//! Writes what was decided in a piece of a level as entries.

use std::io;
use std::ops::Range;

use super::block_entries::BlockEntries;
use super::foxes::{Foxes, Placements};
use super::layer::Strip;
use super::level::Goal;
use super::news::StripNews;
use super::numbering::PatternNumbering;
use crate::geometry::singles;
use crate::rules::hunt::Side;
use crate::tablebase::format::EncodedBlock;
use crate::tablebase::{ResultCounts, TableEntry};

/// The longest win found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FarthestWin {
    pub plies: u32,
    pub pattern: u64,
    /// The points where the foxes stand.
    pub foxes: u64,
}

/// By side to move and winner.
pub(super) type FarthestWins = [[Option<FarthestWin>; 2]; 2];

/// A part of the file, and what it holds.
#[derive(Default)]
pub(super) struct Piece {
    /// With the geese and with the fox side to move.
    pub blocks: Vec<EncodedBlock>,
    /// By side to move; all images counted.
    pub results: [ResultCounts; 2],
    pub farthest: FarthestWins,
}

/// The number of the block of the file for a piece with one side to move.
pub(super) fn stored_block(piece: u32, turn: Side) -> u32 {
    2 * piece + u32::from(turn == Side::Fox)
}

/// Encodes some strips of a level with so many geese; `news` are those of the whole level, by goal.
///
/// # Errors
/// There is no memory.
pub(super) fn encode<F: Foxes>(
    foxes: &F,
    numbering: &PatternNumbering,
    geese: u32,
    strips: &[Strip],
    numbers: Range<usize>,
    news: &[Vec<StripNews>],
) -> io::Result<Piece> {
    let rows = strips[numbers.clone()].iter().map(|strip| strip.length).sum();
    let (all, columns) = (foxes.rules().all, foxes.columns_beside(geese));
    let mut entries = [(); 2].map(|()| BlockEntries::new(rows, columns as usize));
    let mut piece = Piece::default();
    let mut first_row = 0;
    for number in numbers {
        let strip = &strips[number];
        let tails = &numbering.tail_groups[strip.tails as usize].tails;
        let mut won = [[0; 2]; 2];
        for (goal, news) in Goal::BOTH.into_iter().zip(news) {
            let winner = goal.winner();
            news[number].visit(|round, turn, word_number, word| {
                let (row, first_bit) = (word_number / F::Set::WORDS, word_number % F::Set::WORDS * 64);
                let (plies, pattern) = (u32::from(round), strip.head | tails[row]);
                let placed = |bit: u64| foxes.points(first_bit + bit.trailing_zeros() as usize);
                let columns = singles(word).map(|bit| F::column(all & !pattern, placed(bit)));
                entries[turn as usize].set(first_row + row, columns, TableEntry::won(winner, plies));
                won[turn as usize][winner as usize] += u64::from(word.count_ones());
                piece.note(turn, winner, FarthestWin { plies, pattern, foxes: placed(word) });
            })?;
        }
        piece.count(strip.images, strip.length as u64 * u64::from(columns), won);
        first_row += strip.length;
    }
    let [fox, geese] = entries;
    piece.blocks = vec![geese.encode()?, fox.encode()?];
    Ok(piece)
}

impl Piece {
    fn note(&mut self, turn: Side, winner: Side, found: FarthestWin) {
        let farthest = &mut self.farthest[turn as usize][winner as usize];
        if found.plies > 0 && farthest.is_none_or(|farthest| farthest.plies < found.plies) {
            *farthest = Some(found);
        }
    }

    /// Counts the positions of a strip, each of which stands for several images; `won` are those won, by side to move
    /// and winner.
    fn count(&mut self, images: u64, positions: u64, won: [[u64; 2]; 2]) {
        for (results, won) in self.results.iter_mut().zip(won) {
            let [fox_wins, geese_win] = [Side::Fox, Side::Geese].map(|side| images * won[side as usize]);
            let draws = images * positions - fox_wins - geese_win;
            results.add(ResultCounts { fox_wins, draws, geese_win });
        }
    }
}
