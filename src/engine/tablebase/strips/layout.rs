//! The numbering of the fast method: where positions with one or two foxes stand in a file, and what stands there.
//!
//! A pattern of geese is divided by the points of the board into *head* and *tail*. The head's points are whole ranks
//! or, where geese may go back, whole orbits under the symmetries of the rules. These are taken widest first (of
//! equally wide ones that with the lowest point first); one that would give the head more than half of the board's
//! points is left out. Points are ordered by rank, then file.
//!
//! The *key* of a head or tail is the number of its geese; where geese never go back it is, with n0 geese on the lowest
//! rank of p0 points and so on, n0 + n1 (p0 + 1) + n2 (p0 + 1) (p1 + 1) + ... Sets are ordered as binary numbers, the
//! lowest point being the lowest bit. Of heads that are images of each other under the symmetries (turns and mirrors of
//! the board that map moves to moves, the fortress onto itself, the lowest rank onto itself where foxes win there and,
//! where geese never go back, every rank onto itself; for most rulesets whose geese may go any way all eight, for
//! others the mirror of files) the first is kept. Kept heads with the same key are numbered in order, and so are tails.
//!
//! A layer is cut into levels by the sum of ranks of the geese, from high to low; where geese may go back it is one
//! level. In a level the pairs of a head's and a tail's key are ordered by the first, then by the second. The patterns
//! of a pair are cut into chunks: with t tails of the second key, each chunk holds the next 2^18 / t kept heads (with
//! two foxes 2^14 / t), rounded up. Every chunk makes two blocks of the file, first with the geese, then with the fox
//! to move. A row is a pattern: for each kept head all tails. A column is the fox point, numbered among the empty
//! points from 0 on; with two foxes on the points of numbers i and j, i < j, it is j (j - 1) / 2 + i.
//!
//! A position is looked up by an image whose head is kept. There may be several such images, all of which are stored.
//!
//! Where huffs take one of two foxes off, a file holds the positions with one fox, numbered as above, and, from the
//! next chunk on, those with two: headers call this layout `huffs`. Positions in which the geese side has to take a fox
//! off have no entries; their values follow from those after the move.

use std::io;
use std::ops::Range;

use super::foxes::{Foxes, Placements};
use super::frontier::StripFrontiers;
use super::level::{Goal, LevelView};
use super::rounds::SolvedGoal;
use crate::geometry::singles;
use crate::rules::hunt::Side;
use crate::tablebase::format::{EncodedBlock, LayerFile};
use crate::tablebase::{TableEntry, TableError, Tally};

/// The name of this layout in the header of a file.
pub(super) const LAYOUT: &str = "strips";
/// The name of this layout where huffs take one of two foxes off.
pub(super) const HUFF_LAYOUT: &str = "huffs";

/// The points of the pieces of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    pub geese: u64,
    pub foxes: u64,
}

/// The two blocks of a chunk of the file, and the tallies of their entries.
pub(super) struct Chunk {
    /// The blocks with the geese side and with the fox side to move.
    pub blocks: [EncodedBlock; 2],
    /// The tallies with the geese side and with the fox side to move.
    pub tallies: [Tally<Pieces>; 2],
}

/// The number of the block in the file for a chunk with one side to move.
pub(super) fn stored_block(chunk: u32, turn: Side) -> u32 {
    2 * chunk + u32::from(turn == Side::Fox)
}

/// Encodes consecutive strips of a level as a chunk.
///
/// # Errors
/// There is no memory to compress with.
pub(super) fn encode<F: Foxes>(
    level: &LevelView<'_, F>,
    strips: Range<usize>,
    goals: &[SolvedGoal<F>],
) -> io::Result<Chunk> {
    let of_strips = goals.iter().flat_map(|solved| &solved.frontiers[strips.clone()]);
    let farthest = of_strips.map(StripFrontiers::last_round).max().unwrap_or(0);
    // Entries have one byte as long as that suffices.
    if TableEntry::won(Side::Geese, farthest.into()).0 <= u8::MAX.into() {
        encode_as(level, strips, goals, |entry| entry.0 as u8, EncodedBlock::of_bytes)
    } else {
        encode_as(level, strips, goals, |entry| entry.0, EncodedBlock::new)
    }
}

fn encode_as<F: Foxes, E: Copy + Default>(
    level: &LevelView<'_, F>,
    strips: Range<usize>,
    goals: &[SolvedGoal<F>],
    as_stored: impl Fn(TableEntry) -> E,
    encode: impl Fn(usize, &[E]) -> io::Result<EncodedBlock>,
) -> io::Result<Chunk> {
    let foxes = &level.game.foxes;
    let all = foxes.rules().all;
    let columns = level.game.columns(level.layer.geese);
    let rows: usize = level.strips[strips.clone()].iter().map(|strip| strip.length).sum();
    // The entries with the geese and with the fox side to move, all draws at first.
    let mut entries = [(); 2].map(|()| vec![E::default(); rows * columns as usize]);
    let mut tallies = [Tally::default(); 2];
    let mut first_row = 0;
    for number in strips {
        let strip = &level.strips[number];
        let tails = &level.game.numbering.tail_groups[strip.tails as usize];
        let mut decided = [0; 2];
        for (goal, solved) in Goal::BOTH.into_iter().zip(goals) {
            let winner = goal.winner();
            for frontier in solved.frontiers[number].read() {
                let turn = usize::from(frontier.turn == Side::Fox);
                let plies = u32::from(frontier.round);
                let entry = as_stored(TableEntry::won(winner, plies));
                let entries = &mut entries[turn];
                let mut won = 0;
                frontier.words()?.visit(|word_number, word| {
                    let row = word_number / F::Set::WORDS;
                    let first_bit = word_number % F::Set::WORDS * 64;
                    let geese = strip.head | tails[row];
                    let placed = |bit: u64| foxes.points(first_bit + bit.trailing_zeros() as usize);
                    let row = &mut entries[(first_row + row) * columns as usize..][..columns as usize];
                    singles(word).for_each(|bit| row[F::column(all & !geese, placed(bit)) as usize] = entry);
                    won += u64::from(word.count_ones());
                    tallies[turn].find(winner, plies, Pieces { geese, foxes: placed(word) });
                });
                tallies[turn].results.count(Some(winner), strip.images * won);
                decided[turn] += won;
            }
        }
        for (tally, decided) in tallies.iter_mut().zip(decided) {
            tally.results.count(None, strip.images * (strip.length as u64 * u64::from(columns) - decided));
        }
        first_row += strip.length;
    }
    let [geese, fox] = entries;
    Ok(Chunk { blocks: [encode(columns as usize, &geese)?, encode(columns as usize, &fox)?], tallies })
}

/// Reads the entries with the geese to move from a chunk of a finished level; `strips` are those of the chunk.
///
/// # Errors
/// The file is damaged or cannot be read.
pub(super) fn read_rows<F: Foxes>(
    level: &LevelView<'_, F>,
    strips: Range<usize>,
    file: &LayerFile,
    chunk: u32,
) -> Result<Vec<TableEntry>, TableError> {
    let rows: usize = level.strips[strips].iter().map(|strip| strip.length).sum();
    let stored = stored_block(chunk, Side::Geese);
    if file.extent(stored) != (rows as u64, level.game.columns(level.layer.geese)) {
        let message = "it has another size than it must";
        return Err(TableError::damaged(&file.path, format!("block {stored}"), message));
    }
    file.block(stored)
}
