//! The fast method as a `LayerSolver`, with distances to conversion.

mod cost;

use std::sync::OnceLock;

use cost::LandingSizes;

use super::finished::read_goals;
use super::foxes::Foxes;
use super::landings::{JumpJudge, Landings};
use super::layout::LAYOUT;
use super::level::{Goal, LevelInputs};
use super::outside::Outside;
use super::round_progress::RoundProgress;
use super::rounds::{SolvedGoal, solve};
use super::rules::MissedJump;
use super::strip_game::{LayerOutput, StripGame};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;
use crate::tablebase::{LayerCost, LayerSolver, NewLayer, Store, TableError};

/// By goal, for each pattern of a level, the placements with which the geese to move reach it.
pub(super) type GoalSets<S> = [Vec<S>; 2];

/// The method for so many foxes.
pub(super) struct StripSolver<F: Foxes> {
    pub game: StripGame<F>,
    /// What jumps into a layer lead to, by goal, with the geese of that layer.
    landings: Option<(u32, Vec<Landings>)>,
    /// Counted when first asked for.
    landing_sizes: OnceLock<LandingSizes>,
}

impl<F: Foxes> StripSolver<F> {
    /// `None` when the ruleset needs the general method. `last_wanted` is the greatest layer that will be solved.
    pub(super) fn new<W: Word>(game: &Hunt<W>, last_wanted: u32) -> Option<Self> {
        let game = StripGame::new(game, last_wanted)?;
        Some(StripSolver { game, landings: None, landing_sizes: OnceLock::new() })
    }

    fn room_for_landings(&self, layer: u32) -> Vec<Landings> {
        let room = |_| Landings::new(&self.game.foxes, self.game.patterns(layer));
        if self.game.is_looked_up(layer) { Goal::BOTH.into_iter().map(room).collect() } else { Vec::new() }
    }

    /// Has what jumps from a layer lead to at hand, reading the finished layers if need be.
    fn prepare(&mut self, layer: u32, below: &Store) -> Result<(), TableError> {
        let ready = self.landings.as_ref().is_some_and(|known| known.0 + 1 == layer);
        if ready || !self.game.is_looked_up(layer - 1) {
            return Ok(());
        }
        self.landings = None;
        for geese in self.game.first_reread(layer)..layer {
            let lower = self.landings_below(geese);
            self.landings = Some((geese, self.reread(geese, lower, below)?));
        }
        Ok(())
    }

    /// Takes what jumps from a layer lead to, by goal, if it is at hand; nothing where every capture wins.
    fn landings_below(&mut self, layer: u32) -> Vec<Landings> {
        self.landings.take().filter(|known| known.0 + 1 == layer).map_or(Vec::new(), |known| known.1)
    }

    /// What jumps into a finished layer lead to, `below` being that of the layer below it.
    fn reread(&self, geese: u32, mut below: Vec<Landings>, store: &Store) -> Result<Vec<Landings>, TableError> {
        let (foxes, numbering) = (&self.game.foxes, &self.game.numbering);
        let file = store.needed(geese)?;
        let layer = self.game.patterns(geese);
        let mut landings = self.room_for_landings(geese);
        for (number, level) in layer.levels.iter().enumerate() {
            below.iter_mut().for_each(|below| below.forget_above(level.ranks));
            let strips = layer.strips(numbering, level);
            for (piece, numbers) in (level.first_piece..).zip(layer.pieces_of(level)) {
                let strips = &strips[numbers];
                let reached = read_goals(foxes, numbering, geese, strips, file, piece)?;
                for (goal, (landings, reached)) in landings.iter_mut().zip(reached).enumerate() {
                    landings.fill(&self.judge(below.get(goal)), number, strips, &reached, None);
                }
            }
        }
        Ok(landings)
    }

    fn judge<'a>(&'a self, below: Option<&'a Landings>) -> JumpJudge<'a, F> {
        let StripGame { foxes, numbering, lists, .. } = &self.game;
        JumpJudge { foxes, numbering, lists, below }
    }

    /// Solves a level for one goal, `above` being the sets with the fox side to move in the level above, and `fewer`
    /// those of the level itself with fewer foxes. `below` is what jumps from it lead to; keeps what jumps into it lead
    /// to.
    fn reach(
        &self,
        goal: Goal,
        inputs: &LevelInputs<'_, F>,
        (above, fewer): (&[F::Set], Option<&[u64]>),
        (below, landings): (Option<&Landings>, Option<&mut Landings>),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SolvedGoal<F>, TableError> {
        let mut outside = Outside::known(inputs, below, above, fewer);
        let tell = RoundProgress::new(self.game.positions_of(inputs.layer, inputs.strips) / 2, progress);
        let solved = solve(inputs, goal, &mut outside, &|| tell.round())?;
        if let Some(landings) = landings {
            let (stopped, bad) = (&solved.geese_to_move, F::as_jumpers(&outside.bad_exits));
            landings.fill(&self.judge(below), inputs.level, inputs.strips, stopped, bad);
        }
        tell.end();
        Ok(solved)
    }

    /// Solves all positions with so many geese and the foxes of this solver, and adds them to the output. Returns where
    /// the geese to move reach the goals when steps of more foxes can be huffed. `fewer` is that of the solver for one
    /// fox less; empty where huffs leave no fox.
    pub(super) fn solve_layer(
        &mut self,
        layer: u32,
        fewer: &[GoalSets<u64>],
        output: &mut LayerOutput<'_>,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<GoalSets<F::Set>>, TableError> {
        self.game.check_wanted(layer)?;
        self.prepare(layer, below)?;
        let mut lower = self.landings_below(layer);
        let (game, patterns) = (&self.game, self.game.patterns(layer));
        let rules = game.foxes.rules();
        let mut landings = self.room_for_landings(layer);
        let mut above = [Vec::new(), Vec::new()];
        let mut reached = Vec::new();
        for (number, level) in patterns.levels.iter().enumerate() {
            lower.iter_mut().for_each(|lower| lower.forget_above(level.ranks));
            let strips = patterns.strips(&game.numbering, level);
            let inputs = game.inputs(&patterns, number, &strips);
            let (mut news, mut known) = (Vec::new(), GoalSets::<F::Set>::default());
            for (goal, above) in Goal::BOTH.into_iter().zip(&mut above) {
                let fewer = fewer.get(number).filter(|_| rules.missed_jump == MissedJump::Huffed);
                let fewer = fewer.map(|sets| &sets[goal as usize][..]);
                let at_hand = (lower.get(goal as usize), landings.get_mut(goal as usize));
                let solved = self.reach(goal, &inputs, (above, fewer), at_hand, progress)?;
                // Only onward moves look them up: they need not take room while the next goal is solved.
                *above = if rules.onward.is_empty() { Vec::new() } else { solved.fox_to_move };
                news.push(solved.news);
                if rules.most_foxes > F::NUMBER {
                    known[goal as usize] = solved.geese_to_move;
                }
            }
            reached.push(known);
            game.write((&patterns, level), &strips, &news, output)?;
        }
        self.landings = Some((layer, landings)).filter(|(_, landings)| !landings.is_empty());
        Ok(reached)
    }
}

impl<F: Foxes> LayerSolver for StripSolver<F> {
    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn first_layer(&self) -> u32 {
        self.game.first_layer()
    }

    fn last_layer(&self) -> u32 {
        self.game.last_layer()
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
        layers.iter_mut().try_for_each(|NewLayer { geese, writer, summary }| {
            let mut output = LayerOutput::new(writer);
            self.solve_layer(*geese, &[], &mut output, below, progress)?;
            *summary = self.game.summary(output);
            Ok(())
        })
    }
}
