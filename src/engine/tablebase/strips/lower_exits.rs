//! What the moves that leave a level lead to: goose moves that cannot be undone, and jumps.
//!
//! Where distances are counted to the next such move, all that they lead to counts from the first round on. Where they
//! are counted to the end, it counts from the round that its own distance to the end names.

use std::io;

use super::foxes::{Foxes, Placements};
use super::frontier::StripFrontiers;
use super::layer::{Strip, by_strip};
use super::level::{Goal, GooseMoves, LevelView, Neighbour};
use crate::parallel;
use crate::rules::hunt::Side;

/// By pattern of a level, what moves out of it lead to as far as it counts in the present round, for one goal.
pub(super) struct LowerExits<'a, F: Foxes> {
    goal: Goal,
    /// The placements from where some jump goes wrong for the geese, or some step that is huffed and leaves another
    /// fox.
    pub bad: Replay<F::Set>,
    above: Option<LevelAbove<'a, F>>,
    /// The placements with which a goose can leave the level for the goal; empty where no goose leaves any level.
    pub onward: Vec<F::Set>,
    /// By strip: whether the present round has changed `onward`.
    pub onward_changed: Vec<bool>,
}

/// A level that has been solved for a goal, as the level after it looks it up.
pub(super) struct LevelAbove<'a, F: Foxes> {
    pub strips: &'a [Strip],
    /// The placements with the fox side to move with which the geese reach the goal.
    pub fox_to_move: Replay<F::Set>,
}

/// Sets for the patterns of a level, as far as they count in the present round.
pub(super) struct Replay<S> {
    pub sets: Vec<S>,
    /// By strip: the rounds that change the sets, with the fox side to move; empty where none does.
    frontiers: Vec<StripFrontiers>,
    /// By strip: the bytes read of its frontiers.
    read: Vec<usize>,
    /// By strip: whether the present round has changed its sets.
    pub changed: Vec<bool>,
}

impl<S: Placements> Replay<S> {
    /// The sets before the first round.
    pub(super) fn new(strips: &[Strip], sets: Vec<S>, frontiers: Vec<StripFrontiers>) -> Self {
        let read = vec![0; frontiers.len()];
        Replay { sets, frontiers, read, changed: vec![false; strips.len()] }
    }

    /// Changes the sets by what a round has decided.
    fn advance(&mut self, strips: &[Strip], round: u16) -> io::Result<()> {
        if self.frontiers.is_empty() {
            return Ok(());
        }
        let sets = by_strip(strips, 1, &mut self.sets).into_iter().zip(&mut self.changed);
        let frontiers = self.frontiers.iter().zip(&mut self.read);
        parallel::try_map(frontiers.zip(sets), |((frontiers, read), (sets, changed))| {
            let frontier = frontiers.read_round(read, round, Side::Fox);
            *changed = frontier.is_some();
            frontier.map_or(Ok(()), |frontier| frontier.words().map(|words| words.toggle(sets)))
        })?;
        Ok(())
    }

    /// The last round that changes anything; 0 if none does.
    fn last_round(&self) -> u16 {
        self.frontiers.iter().map(StripFrontiers::last_round).max().unwrap_or(0)
    }
}

impl<'a, F: Foxes> LowerExits<'a, F> {
    /// What counts before the first round.
    pub(super) fn new(
        level: &LevelView<'_, F>,
        goal: Goal,
        bad: Replay<F::Set>,
        above: Option<LevelAbove<'a, F>>,
    ) -> Self {
        let has_onward = !level.game.foxes.rules().onward.is_empty();
        let onward = if has_onward { level.sets() } else { Vec::new() };
        LowerExits { goal, bad, above, onward, onward_changed: vec![false; level.strips.len()] }
    }

    /// Adds the placements from which a step that is huffed may go wrong for the geese; `reached` are by pattern the
    /// points of the fox that is left where they reach their goal with the geese to move.
    pub(super) fn add_huffs(&mut self, level: &LevelView<'_, F>, reached: &[u64]) {
        let bad = by_strip(&level.strips, 1, &mut self.bad.sets);
        parallel::for_each(level.strips.iter().zip(bad), |(strip, bad)| {
            let patterns = bad.iter_mut().zip(level.patterns(strip)).zip(&reached[strip.range()]);
            patterns.for_each(|((bad, pattern), &reached)| *bad |= level.game.foxes.bad_huffs(pattern, reached));
        });
    }

    /// Whether no round after this one can change anything.
    pub(super) fn is_settled(&self, round: u16) -> bool {
        let above = self.above.as_ref().map_or(0, |above| above.fox_to_move.last_round() + 1);
        round >= above.max(self.bad.last_round())
    }

    /// Adds what counts from this round on.
    pub(super) fn advance(&mut self, level: &LevelView<'_, F>, round: u16) -> io::Result<()> {
        self.bad.advance(&level.strips, round)?;
        let Some(LevelAbove { strips, fox_to_move }) = &mut self.above else { return Ok(()) };
        fox_to_move.advance(strips, round - 1)?;
        // What counts before the first round has not been joined yet.
        let is_changed = |neighbour: &Neighbour<'_>| round == 1 || fox_to_move.changed[neighbour.strip];
        if round > 1 && !fox_to_move.changed.contains(&true) {
            self.onward_changed.fill(false);
            return Ok(());
        }
        let onward = level.strips.iter().zip(by_strip(&level.strips, 1, &mut self.onward));
        self.onward_changed = parallel::map_with(onward, |turned, (strip, onward)| {
            let mut neighbours = level.neighbours(GooseMoves::Onward, strip);
            let any_changed = neighbours.iter().any(is_changed);
            if any_changed {
                match self.goal {
                    // What grows has been taken from the others before.
                    Goal::Win => neighbours.retain(is_changed),
                    Goal::NotLose => onward.fill(F::Set::default()),
                }
                level.join(strip, &neighbours, &fox_to_move.sets, onward, turned);
            }
            any_changed
        });
        Ok(())
    }
}
