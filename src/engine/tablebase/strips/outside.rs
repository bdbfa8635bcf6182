//! What the moves that leave a level lead to: goose moves that cannot be undone, and jumps.
//!
//! Where distances are counted to the next such move, all that they lead to is known before the first round. Where they
//! are counted to the end, it becomes known round by round, as far from the end as it is.

use std::io;

use super::foxes::{Foxes, Placements};
use super::landings::{JumpJudge, Landings};
use super::layer::{Strip, by_strip};
use super::level::{Goal, LevelInputs};
use super::news::{NewsCursor, StripNews};
use crate::parallel;
use crate::rules::hunt::Side;

/// By pattern of a level, what moves out of it lead to as far as it counts in the present round, for one goal.
pub(super) struct Outside<'a, F: Foxes> {
    /// With which placements a goose can leave the level for the goal; empty where no goose can leave any.
    pub onward: Vec<F::Set>,
    /// From where some jump goes wrong for the geese, or some step that is huffed and leaves another fox.
    pub bad_exits: Vec<F::Set>,
    /// By strip: whether the present round has changed them.
    pub onward_changed: Vec<bool>,
    pub jumps_changed: Vec<bool>,
    replay: Option<Replay<'a, F>>,
}

/// A level that has been solved, as the level after it looks it up.
pub(super) struct LevelAbove<'a> {
    pub strips: &'a [Strip],
    /// By strip, for one goal: those with the fox side to move.
    pub news: &'a [StripNews],
}

/// What becomes known round by round.
struct Replay<'a, F: Foxes> {
    goal: Goal,
    /// By strip: which placements turn good or bad for the geese because of a jump, and in which round.
    jumps: &'a [StripNews],
    jump_cursors: Vec<NewsCursor>,
    above: Option<(LevelAbove<'a>, Vec<NewsCursor>)>,
    /// The placements with the fox side to move in the level above with which the geese reach the goal, so far.
    fox_to_move: Vec<F::Set>,
    last_round: u16,
}

impl<'a, F: Foxes> Outside<'a, F> {
    /// Everything at once: what jumps lead to, `None` when a capture wins at once; the fox side to move in the level
    /// above, empty if there is none; and `fewer`, where the geese to move reach the goal when a huff has left one fox,
    /// by pattern, `None` where huffs leave no fox.
    pub(super) fn known(
        inputs: &LevelInputs<'_, F>,
        below: Option<&Landings>,
        above: &[F::Set],
        fewer: Option<&[u64]>,
    ) -> Self {
        let LevelInputs { foxes, numbering, lists, strips, .. } = *inputs;
        let mut outside = Outside::nothing(inputs);
        let judge = JumpJudge { foxes, numbering, lists, below };
        let bad = strips.iter().zip(by_strip(strips, 1, &mut outside.bad_exits));
        parallel::for_each_with(bad, |judged, (strip, bad)| {
            let judged = judge.judge(strip, judged).iter().map(|jumpers| foxes.of_any_jumper(jumpers));
            bad.iter_mut().zip(judged).for_each(|(bad, judged)| *bad = judged);
            if let Some(fewer) = fewer {
                let patterns = bad.iter_mut().zip(strip.patterns(numbering)).zip(&fewer[strip.range()]);
                patterns.for_each(|((bad, pattern), &reached)| *bad |= foxes.bad_huffs(pattern, reached));
            }
        });
        if !outside.onward.is_empty() && !above.is_empty() {
            let (sweep, moves) = (inputs.sweep(), &foxes.rules().onward);
            let onward = strips.iter().zip(by_strip(strips, 1, &mut outside.onward));
            parallel::for_each_with(onward, |turned, (strip, onward)| {
                sweep.join(strip, &sweep.neighbours(moves, strip), above, onward, turned);
                sweep.join_above(strip, above, onward, |_| true);
            });
        }
        outside
    }

    /// Nothing before the first round. `jumps` are by strip the placements which the rounds make good or bad because of
    /// a jump; at first all jumps are bad for a win, and none is bad for holding.
    pub(super) fn by_round(
        inputs: &LevelInputs<'_, F>,
        goal: Goal,
        jumps: &'a [StripNews],
        above: Option<LevelAbove<'a>>,
    ) -> Self {
        let (foxes, numbering, strips) = (inputs.foxes, inputs.numbering, inputs.strips);
        let mut outside = Outside::nothing(inputs);
        if goal == Goal::Win {
            parallel::for_each(strips.iter().zip(by_strip(strips, 1, &mut outside.bad_exits)), |(strip, bad)| {
                bad.iter_mut().zip(strip.patterns(numbering)).for_each(|(bad, pattern)| {
                    *bad = foxes.can_jump(pattern) & foxes.beside(pattern);
                });
            });
        }
        let above_strips = above.as_ref().map_or(&[][..], |above| above.strips);
        let patterns = above_strips.iter().map(|strip| strip.length).sum();
        let mut fox_to_move = vec![F::Set::default(); patterns];
        if goal == Goal::Hold {
            let sets = by_strip(above_strips, 1, &mut fox_to_move);
            parallel::for_each(above_strips.iter().zip(sets), |(strip, sets)| {
                let all = strip.patterns(numbering).map(|pattern| foxes.beside(pattern));
                sets.iter_mut().zip(all).for_each(|(set, all)| *set = all);
            });
        }
        let last_jump = jumps.iter().map(StripNews::last_round).max().unwrap_or(0);
        let news = above.as_ref().map_or(&[][..], |above| above.news);
        let last_above = news.iter().map(StripNews::last_round).max().unwrap_or(0);
        let cursors = vec![NewsCursor::default(); above_strips.len()];
        outside.replay = Some(Replay {
            goal,
            jumps,
            jump_cursors: vec![NewsCursor::default(); strips.len()],
            above: above.map(|above| (above, cursors)),
            fox_to_move,
            last_round: last_jump.max(last_above + 1),
        });
        outside
    }

    fn nothing(inputs: &LevelInputs<'_, F>) -> Self {
        let patterns = inputs.layer.levels[inputs.level].patterns;
        let leavable = if inputs.foxes.rules().onward.is_empty() { 0 } else { patterns };
        let unchanged = vec![false; inputs.strips.len()];
        Outside {
            onward: vec![F::Set::default(); leavable],
            bad_exits: vec![F::Set::default(); patterns],
            onward_changed: unchanged.clone(),
            jumps_changed: unchanged,
            replay: None,
        }
    }

    /// Whether no round after this one can change anything.
    pub(super) fn is_settled(&self, round: u16) -> bool {
        self.replay.as_ref().is_none_or(|replay| round >= replay.last_round)
    }

    /// Adds what counts from this round on.
    pub(super) fn advance(&mut self, inputs: &LevelInputs<'_, F>, round: u16) -> io::Result<()> {
        let Some(replay) = &mut self.replay else { return Ok(()) };
        let (strips, words_of) = (inputs.strips, F::Set::WORDS);
        let jumps = by_strip(strips, 1, &mut self.bad_exits).into_iter().zip(replay.jumps);
        self.jumps_changed = parallel::try_map(jumps.zip(&mut replay.jump_cursors), |((bad, news), cursor)| {
            news.visit_round(cursor, (round, Side::Fox), |number, word| {
                bad[number / words_of].toggle(number % words_of, word);
            })
        })?;
        let Some((above, cursors)) = &mut replay.above else { return Ok(()) };
        let sets = by_strip(above.strips, 1, &mut replay.fox_to_move).into_iter().zip(above.news);
        let mut changed = parallel::try_map(sets.zip(cursors), |((sets, news), cursor)| {
            news.visit_round(cursor, (round - 1, Side::Fox), |number, word| {
                sets[number / words_of].toggle(number % words_of, word);
            })
        })?;
        if round == 1 {
            // What holds at first is news, too.
            changed.fill(true);
        }
        if !changed.contains(&true) {
            self.onward_changed.fill(false);
            return Ok(());
        }
        let (sweep, moves, known) = (inputs.sweep(), &inputs.foxes.rules().onward, &replay.fox_to_move);
        let (goal, changed) = (replay.goal, &changed);
        let onward = strips.iter().zip(by_strip(strips, 1, &mut self.onward));
        self.onward_changed = parallel::map_with(onward, |turned, (strip, onward)| {
            let mut neighbours = sweep.neighbours(moves, strip);
            let is_changed = neighbours.iter().any(|neighbour| changed[neighbour.strip])
                || sweep.strips_above(strip).any(|strip| changed[strip]);
            if is_changed {
                match goal {
                    // What grows has been taken from the others before.
                    Goal::Win => neighbours.retain(|neighbour| changed[neighbour.strip]),
                    Goal::Hold => onward.fill(F::Set::default()),
                }
                sweep.join(strip, &neighbours, known, onward, turned);
                sweep.join_above(strip, known, onward, |strip| goal == Goal::Hold || changed[strip]);
            }
            is_changed
        });
        Ok(())
    }
}
