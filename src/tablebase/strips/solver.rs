//! The fast method as a `LayerSolver`.

use std::cell::Cell;
use std::io;
use std::ops::Range;

use rayon::prelude::*;

use super::foxes::{Foxes, Placements};
use super::landings::{JumpJudge, Landings, landing_bytes};
use super::layer::{LayerPatterns, Strip};
use super::layout::LAYOUT;
use super::news::StripNews;
use super::numbering::PatternNumbering;
use super::pieces::{FarthestWin, FarthestWins, Piece, encode, stored_block};
use super::rounds::{Goal, LevelInputs, solve};
use super::rules::PatternRules;
use super::tail_moves::TailLists;
use crate::geometry::{PointSet, Word};
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::tablebase::binomials::binomial;
use crate::tablebase::format::{LayerFile, LayerWriter};
use crate::tablebase::{
    LayerCost, LayerSolver, LayerSummary, LongestWin, NewLayer, ResultCounts, Store, TableEntry, TableError,
};

/// The method for so many foxes.
pub(super) struct StripSolver<W: Word, F: Foxes> {
    game: Hunt<W>,
    foxes: F,
    numbering: PatternNumbering,
    lists: TailLists,
    /// The last layer that will be asked for: nothing need be kept for the one after it.
    last_wanted: u32,
    /// What jumps into a layer lead to, by goal, with the geese of that layer.
    landings: Option<(u32, Vec<Landings>)>,
}

/// Bits on disk for a stored entry, cautiously: `catch-the-hare` takes nearly as much where geese may go back, and where
/// they may not tables of 13 geese take about half of it.
const DISK_BITS_PER_ENTRY: u64 = 4;
const ONWARD_DISK_BITS: u64 = 1;
/// Sets kept for a pattern while its level is solved: those of one goal.
const LEVEL_SETS: u64 = 3;
/// The same where geese never go back: onward moves, and the level above for both goals.
const ONWARD_SETS: u64 = 3;
/// Bytes of packed news for eight positions, cautiously.
const NEWS_BYTES: u64 = 3;
/// For a tail: its number, images and neighbours.
const TAIL_BYTES: u64 = 300;
/// Pieces that a thread encodes before they are written.
const PIECES_A_THREAD: usize = 4;
/// For an entry while it is encoded: its value, mostly a byte, and what becomes of it.
const ENCODED_BYTES: u64 = 2;

/// Pieces that are encoded before they are written.
fn pieces_at_once() -> usize {
    PIECES_A_THREAD * rayon::current_num_threads()
}

impl<W: Word, F: Foxes> StripSolver<W, F> {
    /// `None` when the ruleset needs the general method. `last_wanted` is the greatest layer that will be solved.
    pub(super) fn new(game: &Hunt<W>, last_wanted: u32) -> Option<Self> {
        let foxes = F::new(PatternRules::of(game, F::NUMBER)?)?;
        let numbering = PatternNumbering::new(foxes.rules())?;
        let lists = TailLists::new(foxes.rules(), &numbering, last_wanted);
        Some(StripSolver { game: game.clone(), foxes, numbering, lists, last_wanted, landings: None })
    }

    fn patterns(&self, geese: u32) -> LayerPatterns {
        LayerPatterns::new(self.foxes.rules(), &self.numbering, geese, F::PIECE_PATTERNS)
    }

    /// Whether anything is looked up in a layer by the one after it.
    fn is_looked_up(&self, layer: u32) -> bool {
        (self.first_layer()..self.last_wanted).contains(&layer) && !self.foxes.rules().jumps.is_empty()
    }

    fn room_for_landings(&self, layer: u32) -> Vec<Landings> {
        let room = |_| Landings::new(&self.foxes, self.patterns(layer), layer);
        if self.is_looked_up(layer) { Goal::BOTH.into_iter().map(room).collect() } else { Vec::new() }
    }

    /// Has what jumps from a layer lead to at hand, reading the finished layers if need be.
    fn prepare(&mut self, layer: u32, below: &Store) -> Result<(), TableError> {
        let ready = self.landings.as_ref().is_some_and(|known| known.0 + 1 == layer);
        if ready || !self.is_looked_up(layer - 1) {
            return Ok(());
        }
        self.landings = None;
        for geese in self.first_layer()..layer {
            self.landings = Some((geese, self.reread(geese, below)?));
        }
        Ok(())
    }

    fn below(&self, layer: u32, goal: usize) -> Option<&Landings> {
        self.landings.as_ref().filter(|known| known.0 + 1 == layer).and_then(|known| known.1.get(goal))
    }

    /// What jumps into a finished layer lead to, that of the layer below it being at hand.
    fn reread(&self, geese: u32, store: &Store) -> Result<Vec<Landings>, TableError> {
        let missing = || TableError::Refused(format!("the table of {geese} geese is missing; build it first"));
        let file = store.layer(geese).ok_or_else(missing)?;
        let layer = self.patterns(geese);
        let mut landings = self.room_for_landings(geese);
        for (number, level) in layer.levels.iter().enumerate() {
            let strips = layer.strips(&self.numbering, level);
            for (piece, numbers) in (level.first_piece..).zip(layer.pieces_of(level)) {
                let strips = &strips[numbers];
                let reached = read_goals(&self.foxes, &self.numbering, strips, file, piece)?;
                for (goal, (landings, reached)) in landings.iter_mut().zip(reached).enumerate() {
                    landings.fill(&self.judge(self.below(geese, goal)), number, strips, &reached, None);
                }
            }
        }
        Ok(landings)
    }

    fn judge<'a>(&'a self, below: Option<&'a Landings>) -> JumpJudge<'a, F> {
        JumpJudge { foxes: &self.foxes, numbering: &self.numbering, lists: &self.lists, below }
    }

    /// Solves a level for one goal: the news, and the sets with the fox side to move. Keeps what jumps into the level lead to.
    fn reach(
        &self,
        goal: Goal,
        inputs: &LevelInputs<'_, F>,
        landings: Option<&mut Landings>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<StripNews>, Vec<F::Set>), TableError> {
        let placements: u64 = inputs.strips.iter().map(|strip| strip.images * strip.length as u64).sum();
        let geese = inputs.strips.first().and_then(|strip| strip.patterns(&self.numbering).next());
        let columns = geese.map_or(0, |pattern| F::columns((self.foxes.rules().all & !pattern).count_ones()));
        // Nobody knows beforehand how many rounds there will be: each counts as an eighth of what is left. Both goals
        // together are the positions of both sides to move.
        let left = Cell::new(placements * u64::from(columns));
        let tell = |positions: u64| {
            left.set(left.get() - positions);
            progress(positions);
        };
        let solved = solve(inputs, goal, &|| tell(left.get() / 8))?;
        if let Some(landings) = landings {
            let (stopped, bad) = (&solved.geese_to_move, F::told_jumpers(&solved.bad_jumps));
            landings.fill(&self.judge(inputs.below), inputs.level, inputs.strips, stopped, bad);
        }
        tell(left.get());
        Ok((solved.news, solved.fox_to_move))
    }

    /// Writes the entries of a level, and sums up what they are.
    fn write(
        &self,
        pieces: &[Range<usize>],
        strips: &[Strip],
        news: &[Vec<StripNews>],
        output: &mut LayerOutput<'_>,
    ) -> Result<(), TableError> {
        let encode = |numbers: &Range<usize>| encode(&self.foxes, &self.numbering, strips, numbers.clone(), news);
        for some in pieces.chunks(pieces_at_once()) {
            let encoded: io::Result<Vec<Piece>> = some.par_iter().map(encode).collect();
            let encoded = encoded.map_err(|error| TableError::Refused(error.to_string()))?;
            encoded.iter().try_for_each(|piece| output.add(piece))?;
        }
        Ok(())
    }

    fn text(&self, example: FarthestWin, turn: Side) -> String {
        let set = |word: u64| PointSet::<W>::narrow(PointSet::from_word(u128::from(word)));
        self.game.position_text(&Position::new(set(example.foxes), set(example.pattern), turn))
    }

    fn summary(&self, results: [ResultCounts; 2], examples: &FarthestWins) -> LayerSummary {
        let longest = LongestWin::of_layer(|turn, winner| {
            let example = examples[turn as usize][winner as usize]?;
            Some((example.plies, self.text(example, turn)))
        });
        let [fox_to_move, geese_to_move] = results;
        LayerSummary { geese_to_move, fox_to_move, longest }
    }
}

/// What becomes of the levels of a layer.
struct LayerOutput<'a> {
    writer: &'a mut LayerWriter,
    results: [ResultCounts; 2],
    farthest: FarthestWins,
}

impl LayerOutput<'_> {
    fn add(&mut self, piece: &Piece) -> Result<(), TableError> {
        piece.blocks.iter().try_for_each(|block| self.writer.append(block))?;
        self.results.iter_mut().zip(piece.results).for_each(|(all, more)| all.add(more));
        for (best, found) in self.farthest.iter_mut().flatten().zip(piece.farthest.into_iter().flatten()) {
            if found.is_some_and(|found| best.is_none_or(|best| best.plies < found.plies)) {
                *best = found;
            }
        }
        Ok(())
    }
}

/// By goal, for each pattern of a piece of a file the placements where the geese to move reach it.
fn read_goals<F: Foxes>(
    foxes: &F,
    numbering: &PatternNumbering,
    strips: &[Strip],
    file: &LayerFile,
    piece: u32,
) -> Result<[Vec<F::Set>; 2], TableError> {
    let (stored, all) = (stored_block(piece, Side::Geese), foxes.rules().all);
    let patterns: Vec<u64> = strips.iter().flat_map(|strip| strip.patterns(numbering)).collect();
    let columns = patterns.first().map_or(0, |pattern| F::columns((all & !pattern).count_ones()));
    if file.extent(stored) != (patterns.len() as u64, columns) {
        let message = "it has another size than it must";
        return Err(TableError::damaged(file.path(), format!("block {stored}"), message));
    }
    let entries = file.block(stored)?;
    let rows = entries.par_chunks_exact(columns.max(1) as usize);
    let goals = |(pattern, row): (u64, &[TableEntry])| goals_reached(foxes, all & !pattern, row);
    let (won, held) = patterns.into_par_iter().zip(rows).map(goals).unzip();
    Ok([won, held])
}

/// The placements where the geese side wins in a row of entries, and those where it does not lose.
fn goals_reached<F: Foxes>(foxes: &F, empty: u64, row: &[TableEntry]) -> (F::Set, F::Set) {
    let (mut won, mut held) = (F::Set::default(), F::Set::default());
    for (bit, entry) in foxes.bits(empty).zip(row) {
        let (index, word) = (bit / 64, 1 << (bit % 64));
        match entry.winner() {
            Some(Side::Geese) => [&mut won, &mut held].into_iter().for_each(|set| set.toggle(index, word)),
            None => held.toggle(index, word),
            Some(Side::Fox) => {}
        }
    }
    (won, held)
}

impl<W: Word, F: Foxes> LayerSolver for StripSolver<W, F> {
    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn first_layer(&self) -> u32 {
        self.foxes.rules().fox_wins_below.max(1)
    }

    fn last_layer(&self) -> u32 {
        self.foxes.rules().points().saturating_sub(F::NUMBER)
    }

    fn cost(&self, layer: u32) -> LayerCost {
        let (points, patterns) = (self.foxes.rules().points(), self.patterns(layer));
        let columns = u64::from(F::columns(points.saturating_sub(layer)));
        let size = |layer: u32| self.patterns(layer).patterns() as u64 * 2 * landing_bytes(&self.foxes, layer) as u64;
        let kept = |layer: u32| if self.is_looked_up(layer) { size(layer) } else { 0 };
        let at_once = patterns.levels.iter().map(|level| level.patterns).max().unwrap_or(0) as u64;
        let encoded = at_once.min((pieces_at_once() * F::PIECE_PATTERNS) as u64) * 2 * columns * ENCODED_BYTES;
        let (onward, disk_bits) = match self.foxes.rules().onward.is_empty() {
            true => (0, DISK_BITS_PER_ENTRY),
            false => (ONWARD_SETS, ONWARD_DISK_BITS),
        };
        let sets = (LEVEL_SETS + onward) * size_of::<F::Set>() as u64;
        let news = 2 * columns * NEWS_BYTES / 8;
        let lists = self.numbering.tail_groups.iter().map(|group| group.tails.len() as u64).sum::<u64>() * TAIL_BYTES;
        let placements = binomial(points, layer).saturating_mul(u128::from(2 * columns));
        LayerCost {
            positions: u64::try_from(placements).unwrap_or(u64::MAX),
            memory_bytes: kept(layer - 1) + kept(layer) + at_once * (sets + news) + encoded + lists + (16 << 20),
            disk_bytes: patterns.patterns() as u64 * 2 * columns * disk_bits / 8 + (1 << 20),
        }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        layers.iter_mut().try_for_each(|layer| self.solve_layer(layer, below, progress))
    }
}

impl<W: Word, F: Foxes> StripSolver<W, F> {
    fn solve_layer(
        &mut self,
        NewLayer { geese, writer, summary }: &mut NewLayer,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let layer = *geese;
        self.prepare(layer, below)?;
        let patterns = self.patterns(layer);
        let mut landings = self.room_for_landings(layer);
        let mut output = LayerOutput { writer, results: Default::default(), farthest: Default::default() };
        let mut above = [Vec::new(), Vec::new()];
        for (number, level) in patterns.levels.iter().enumerate() {
            let strips = patterns.strips(&self.numbering, level);
            let mut news = Vec::new();
            for (goal, above) in Goal::BOTH.into_iter().zip(&mut above) {
                let inputs = LevelInputs {
                    foxes: &self.foxes,
                    numbering: &self.numbering,
                    lists: &self.lists,
                    layer: &patterns,
                    level: number,
                    strips: &strips,
                    below: self.below(layer, goal as usize),
                    above,
                };
                let (decided, fox_to_move) = self.reach(goal, &inputs, landings.get_mut(goal as usize), progress)?;
                // Only onward moves look them up: they need not take room while the next goal is solved.
                *above = if self.foxes.rules().onward.is_empty() { Vec::new() } else { fox_to_move };
                news.push(decided);
            }
            self.write(&patterns.pieces_of(level), &strips, &news, &mut output)?;
        }
        let (results, farthest) = (output.results, output.farthest);
        self.landings = Some((layer, landings)).filter(|(_, landings)| !landings.is_empty());
        *summary = self.summary(results, &farthest);
        Ok(())
    }
}
