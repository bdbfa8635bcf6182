//! The fast method as a `LayerSolver`.

mod cost;

use std::cell::Cell;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::finished::read_goals;
use super::foxes::Foxes;
use super::landings::{JumpJudge, Landings};
use super::layer::{LayerPatterns, Level, Strip};
use super::layout::LAYOUT;
use super::news::StripNews;
use super::numbering::PatternNumbering;
use super::pieces::{FarthestWin, FarthestWins, Piece, encode};
use super::rounds::{Goal, LevelInputs, solve};
use super::rules::PatternRules;
use super::tail_moves::TailLists;
use crate::geometry::{PointSet, Word};
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::tablebase::format::LayerWriter;
use crate::tablebase::{LayerCost, LayerSolver, LayerSummary, LongestWin, NewLayer, ResultCounts, Store, TableError};

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
    /// By layer: the bytes of its landings; counted when first asked for.
    landing_sizes: OnceLock<Vec<u64>>,
}

/// Pieces that a thread encodes before they are written.
const PIECES_A_THREAD: usize = 4;

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
        Some(StripSolver {
            game: game.clone(),
            foxes,
            numbering,
            lists,
            last_wanted,
            landings: None,
            landing_sizes: OnceLock::new(),
        })
    }

    fn patterns(&self, geese: u32) -> LayerPatterns {
        LayerPatterns::new(self.foxes.rules(), &self.numbering, geese, F::PIECE_PATTERNS)
    }

    /// Whether anything is looked up in a layer by the one after it.
    fn is_looked_up(&self, layer: u32) -> bool {
        (self.first_layer()..self.last_wanted).contains(&layer) && !self.foxes.rules().jumps.is_empty()
    }

    fn room_for_landings(&self, layer: u32) -> Vec<Landings> {
        let room = |_| Landings::new(&self.foxes, self.patterns(layer));
        if self.is_looked_up(layer) { Goal::BOTH.into_iter().map(room).collect() } else { Vec::new() }
    }

    /// Has what jumps from a layer lead to at hand, reading the finished layers if need be.
    fn prepare(&mut self, layer: u32, below: &Store) -> Result<(), TableError> {
        let ready = self.landings.as_ref().is_some_and(|known| known.0 + 1 == layer);
        if ready || !self.is_looked_up(layer - 1) {
            return Ok(());
        }
        self.landings = None;
        for geese in self.first_reread(layer)..layer {
            self.landings = Some((geese, self.reread(geese, below)?));
        }
        Ok(())
    }

    /// The first layer that is read again before another one can be solved. What a chain of jumps leads to in a layer
    /// is known from the layer below.
    fn first_reread(&self, layer: u32) -> u32 {
        if self.foxes.rules().chain { self.first_layer() } else { (layer - 1).max(self.first_layer()) }
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
                let reached = read_goals(&self.foxes, &self.numbering, geese, strips, file, piece)?;
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

    /// Solves a level for one goal: the news, and the sets with the fox side to move. Keeps what jumps into the level
    /// lead to.
    fn reach(
        &self,
        goal: Goal,
        inputs: &LevelInputs<'_, F>,
        landings: Option<&mut Landings>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<StripNews>, Vec<F::Set>), TableError> {
        let placements: u64 = inputs.strips.iter().map(|strip| strip.images * strip.length as u64).sum();
        let columns = self.foxes.columns_beside(inputs.layer.geese);
        // Nobody knows beforehand how many rounds there will be: each counts as an eighth of what is left. Both goals
        // together are the positions of both sides to move.
        let left = Cell::new(placements * u64::from(columns));
        let tell = |positions: u64| {
            left.set(left.get() - positions);
            progress(positions);
        };
        let solved = solve(inputs, goal, &|| tell(left.get() / 8))?;
        if let Some(landings) = landings {
            let (stopped, bad) = (&solved.geese_to_move, F::as_jumpers(&solved.bad_jumps));
            landings.fill(&self.judge(inputs.below), inputs.level, inputs.strips, stopped, bad);
        }
        tell(left.get());
        Ok((solved.news, solved.fox_to_move))
    }

    /// Writes the entries of a level, and sums up what they are.
    fn write(
        &self,
        (layer, level): (&LayerPatterns, &Level),
        strips: &[Strip],
        news: &[Vec<StripNews>],
        output: &mut LayerOutput<'_>,
    ) -> Result<(), TableError> {
        let (foxes, numbering, geese) = (&self.foxes, &self.numbering, layer.geese);
        let encode = |numbers: &Range<usize>| encode(foxes, numbering, geese, strips, numbers.clone(), news);
        for some in layer.pieces_of(level).chunks(pieces_at_once()) {
            let encoded: io::Result<Vec<Piece>> = some.par_iter().map(encode).collect();
            let encoded = encoded.map_err(|error| TableError::Refused(error.to_string()))?;
            encoded.iter().try_for_each(|piece| output.add(piece))?;
        }
        Ok(())
    }

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
            self.write((&patterns, level), &strips, &news, &mut output)?;
        }
        let (results, farthest) = (output.results, output.farthest);
        self.landings = Some((layer, landings)).filter(|(_, landings)| !landings.is_empty());
        *summary = self.summary(results, &farthest);
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

impl<W: Word, F: Foxes> LayerSolver for StripSolver<W, F> {
    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn first_layer(&self) -> u32 {
        self.foxes.rules().fox_wins_below
    }

    fn last_layer(&self) -> u32 {
        self.foxes.rules().points().saturating_sub(F::NUMBER)
    }

    fn cost(&self, layer: u32) -> LayerCost {
        self.layer_cost(layer)
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
