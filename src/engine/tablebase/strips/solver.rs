//! The fast method as a `LayerSolver`: solves a layer level by level, for one fox or two and either metric.

use std::io;

use super::foxes::{Foxes, OneFox};
use super::landings::{Landings, Verdicts, forget_above};
use super::layer::Strip;
use super::layout::{Chunk, HUFF_LAYOUT, LAYOUT, Pieces, encode, stored_block};
use super::level::{Goal, LevelView, StripGame};
use super::rounds::{LevelAbove, LowerExits, Replay, SolvedGoal, no_memory, solve};
use super::rules::MissedJump;
use super::words::word;
use crate::geometry::{PointSet, Word};
use crate::parallel;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::tablebase::format::{EntryAddress, LayerWriter};
use crate::tablebase::method::check_wanted;
use crate::tablebase::{LayerCost, LayerSolver, LayerSummary, Method, Metric, NewLayer, Store, TableError, Tally};

/// Formats the position of these pieces with a side to move.
type PositionText = Box<dyn Fn(Pieces, Side) -> String + Send + Sync>;

/// By goal, then by pattern of a level: the placements from which the geese, to move, reach the goal.
type GoalSets<S> = [Vec<S>; 2];

/// Solves the layers of a game with a fixed number of foxes or, where huffs take foxes off, also those with fewer.
pub(super) struct StripSolver<F: Foxes, L: Landings<F>> {
    pub game: StripGame<F>,
    text: PositionText,
    kept: Option<KeptLayer<L>>,
    /// The solver for positions with one fox less, to which huffs lead and which come first.
    fewer: Option<Box<StripSolver<OneFox, Verdicts>>>,
}

/// The outcomes of jumps into a layer, by level.
struct KeptLayer<L> {
    geese: u32,
    landings: Vec<L>,
}

/// The part of a solved level that is kept for the next one, whose forward steps lead to it.
struct SolvedLevel<F: Foxes> {
    strips: Vec<Strip>,
    /// By goal, with the fox side to move: the sets where distances count to conversion, else the frontiers.
    goals: Vec<SolvedGoal<F>>,
}

/// The file and the tallies of a layer, to which its levels are added.
struct LayerOutput<'a> {
    writer: &'a mut LayerWriter,
    /// The tallies with the geese and with the fox side to move.
    tallies: [Tally<Pieces>; 2],
}

/// The number of chunks per thread that are encoded before they are written.
const CHUNKS_A_THREAD: usize = 4;

/// The number of chunks that are encoded side by side before they are written.
pub(super) fn chunks_at_once() -> usize {
    CHUNKS_A_THREAD * rayon::current_num_threads()
}

impl<F: Foxes, L: Landings<F>> StripSolver<F, L> {
    /// The solver of a game; `None` when the ruleset needs another method.
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Option<Self> {
        let strips = StripGame::<F>::new(game)?;
        let is_huffed = strips.foxes.rules().fewest_foxes < F::NUMBER;
        let fewer = if is_huffed { Some(Box::new(StripSolver::new(game)?)) } else { None };
        let game = game.clone();
        let set = |word: u64| PointSet::<W>::narrow(PointSet::from_word(u128::from(word)));
        let text =
            move |pieces: Pieces, turn| game.position_text(&Position::new(set(pieces.foxes), set(pieces.geese), turn));
        Some(StripSolver { game: strips, text: Box::new(text), kept: None, fewer })
    }

    fn first_layer(&self) -> u32 {
        self.game.foxes.rules().fox_wins_below
    }

    /// Whether the next layer of a build up to the layer `last` needs the outcomes of jumps into `layer`.
    pub(super) fn is_needed_above(&self, layer: u32, last: u32) -> bool {
        (self.first_layer()..last).contains(&layer) && !self.game.foxes.rules().jumps.is_empty()
    }

    /// The first layer to be read again before `layer` can be solved without any in memory. Outcomes of chains of jumps
    /// depend on those in the layer below, and so on down.
    pub(super) fn first_reread(&self, layer: u32) -> u32 {
        let first = self.first_layer();
        if self.game.foxes.rules().chain { first } else { (layer - 1).max(first) }
    }

    /// The outcomes of jumps into the layer below, by level, from memory or from its file; none where every capture
    /// wins.
    fn landings_below(&mut self, layer: u32, store: &Store) -> Result<Vec<L>, TableError> {
        if let Some(kept) = self.kept.take().filter(|kept| kept.geese + 1 == layer) {
            return Ok(kept.landings);
        }
        let mut below = Vec::new();
        if self.is_needed_above(layer - 1, layer) {
            for geese in self.first_reread(layer)..layer {
                below = self.read(geese, below, store)?;
            }
        }
        Ok(below)
    }

    /// Reads the outcomes of jumps into a finished layer, by level; `below` are those of the layer below it.
    fn read(&self, geese: u32, mut below: Vec<L>, store: &Store) -> Result<Vec<L>, TableError> {
        let file = store.needed(geese)?;
        let read_level = |number: usize| {
            let level = self.game.level(geese, number);
            forget_above(self.game.layer(geese - 1), &mut below, level.extent.ranks);
            L::read(&level, &below, file)
        };
        (0..self.game.layer(geese).levels.len()).map(read_level).collect()
    }

    /// Solves all positions with this number of geese and this solver's foxes, and adds them to the output. Returns, by
    /// level, where the geese to move reach the goals, if this is needed for huffed steps of more foxes. `fewer` is
    /// that result of the solver for one fox less, empty where huffs leave no fox.
    fn solve_layer(
        &mut self,
        geese: u32,
        last: u32,
        fewer: &[GoalSets<u64>],
        output: &mut LayerOutput<'_>,
        store: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<GoalSets<F::Set>>, TableError> {
        check_wanted(geese, self.first_layer()..=last.min(self.last_layer()))?;
        self.game.list_moves(last);
        let mut below = self.landings_below(geese, store)?;
        let game = &self.game;
        let rules = self.game.foxes.rules();
        let levels = game.layer(geese).levels.len();
        let is_needed_above = self.is_needed_above(geese, last);
        let mut landings = Vec::new();
        landings.resize_with(if is_needed_above { levels } else { 0 }, L::default);
        let is_replayed = L::METRIC == Metric::End && !rules.onward.is_empty();
        let mut above = None;
        let mut reached = Vec::new();
        for number in 0..levels {
            let level = game.level(geese, number);
            forget_above(game.layer(geese - 1), &mut below, level.extent.ranks);
            let fewer = fewer.get(number).filter(|_| rules.missed_jump == MissedJump::Huffed);
            let jumps = L::jumps(&level, &below)?;
            let mut goals = Vec::new();
            for goal in Goal::BOTH {
                let bad = L::bad_jumps(&level, &below, &jumps, goal)?;
                let above =
                    above.as_mut().map(|above: &mut SolvedLevel<F>| above.as_level_above(&level, goal, L::METRIC));
                let mut exits = LowerExits::new(&level, goal, bad, above);
                if let Some(fewer) = fewer {
                    exits.add_huffs(&level, &fewer[goal as usize]);
                }
                let mut solved = solve(&level, goal, &mut exits, progress)?;
                if let Some(landings) = landings.get_mut(number) {
                    landings.keep_goal(&level, &below, goal, &solved, &exits.bad.sets);
                }
                // Sets that nothing reads need no memory while the next goal is solved.
                if rules.most_foxes == F::NUMBER {
                    solved.geese_to_move = Vec::new();
                }
                if is_replayed || rules.onward.is_empty() {
                    solved.fox_to_move = Vec::new();
                }
                goals.push(solved);
            }
            if let Some(landings) = landings.get_mut(number) {
                landings.keep_level(&level, &jumps, &goals)?;
            }
            drop(jumps);
            write(&level, &goals, output)?;
            reached.push([0, 1].map(|goal| std::mem::take(&mut goals[goal].geese_to_move)));
            for SolvedGoal { frontiers, .. } in &mut goals {
                let all = std::mem::take(frontiers).into_iter().filter(|_| is_replayed);
                *frontiers = all.map(|frontiers| frontiers.of_side(Side::Fox)).collect();
            }
            above = Some(SolvedLevel { strips: level.strips, goals });
        }
        self.kept = is_needed_above.then_some(KeptLayer { geese, landings });
        Ok(reached)
    }
}

impl<F: Foxes> SolvedLevel<F> {
    /// This level as the one above another level, for a goal.
    fn as_level_above(&mut self, level: &LevelView<'_, F>, goal: Goal, metric: Metric) -> LevelAbove<'_, F> {
        let SolvedGoal { fox_to_move, frontiers, .. } = &mut self.goals[goal as usize];
        let sets = match (metric, goal) {
            (Metric::Conversion, _) => std::mem::take(fox_to_move),
            (Metric::End, Goal::Win) => level.map(&self.strips, |_| F::Set::default()),
            (Metric::End, Goal::NotLose) => level.map(&self.strips, |pattern| level.game.foxes.beside(pattern)),
        };
        let fox_to_move = Replay::new(&self.strips, sets, std::mem::take(frontiers));
        LevelAbove { strips: &self.strips, fox_to_move }
    }
}

/// Writes the entries of a level to the output, and adds up its tallies.
fn write<F: Foxes>(
    level: &LevelView<'_, F>,
    goals: &[SolvedGoal<F>],
    output: &mut LayerOutput<'_>,
) -> Result<(), TableError> {
    for some in level.layer.chunks_of(level.extent).chunks(chunks_at_once()) {
        let encoded: io::Result<Vec<Chunk>> = parallel::try_map(some, |strips| encode(level, strips.clone(), goals));
        for chunk in encoded.map_err(no_memory)? {
            chunk.blocks.iter().try_for_each(|block| output.writer.append(block))?;
            output.tallies.iter_mut().zip(&chunk.tallies).for_each(|(all, more)| all.add(more));
        }
    }
    Ok(())
}

impl<F: Foxes, L: Landings<F>> LayerSolver for StripSolver<F, L> {
    fn layout(&self) -> &'static str {
        if self.fewer.is_some() { HUFF_LAYOUT } else { LAYOUT }
    }

    fn last_layer(&self) -> u32 {
        self.game.foxes.rules().points().saturating_sub(F::NUMBER)
    }

    fn cost(&self, layer: u32, last: u32) -> LayerCost {
        let own = self.layer_cost(layer, last);
        let Some(fewer) = &self.fewer else { return own };
        let one = fewer.layer_cost(layer, last);
        LayerCost {
            positions: one.positions.saturating_add(own.positions),
            // Two foxes take most of the memory; in addition the solution for one fox is kept.
            memory_bytes: own.memory_bytes + fewer.bytes_kept_for_more_foxes(layer, last),
            disk_bytes: one.disk_bytes + own.disk_bytes,
            processor: one.processor.saturating_add(own.processor),
        }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        last: u32,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        for NewLayer { geese, writer, summary } in layers {
            let mut output = LayerOutput { writer, tallies: [Tally::default(); 2] };
            let reached = match &mut self.fewer {
                Some(fewer) => fewer.solve_layer(*geese, last, &[], &mut output, below, progress)?,
                None => Vec::new(),
            };
            self.solve_layer(*geese, last, &reached, &mut output, below, progress)?;
            *summary = LayerSummary::new(&output.tallies, &self.text);
        }
        Ok(())
    }
}

impl<W: Word, F: Foxes, L: Landings<F>> Method<W> for StripSolver<F, L> {
    fn place(&self, position: &Position<W>) -> Option<EntryAddress> {
        let (numbering, foxes) = (&self.game.numbering, position.foxes().len());
        if let Some(fewer) = self.fewer.as_ref().filter(|_| foxes < F::NUMBER) {
            return fewer.place(position);
        }
        if !position.is_plain() || foxes != F::NUMBER {
            return None;
        }
        let pattern = word(position.geese());
        let layer = self.game.layer(pattern.count_ones());
        let at = numbering.head_place(pattern);
        let image = &numbering.symmetries[usize::from(at.symmetry)];
        let (pattern, foxes) = (image.apply(pattern), image.apply(word(position.foxes())));
        let group = layer.group(at.group, numbering.tail_group(pattern & numbering.tail))?;
        let (chunk, first_row) = group.place(at.number);
        let row = first_row as u64 + u64::from(numbering.tail_rank(pattern));
        let column = F::column(self.game.foxes.rules().all & !pattern, foxes);
        Some(EntryAddress { block: stored_block(chunk, position.turn), row, column })
    }
}
