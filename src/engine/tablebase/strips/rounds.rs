//! Finds where the geese side can reach a goal, round by round: a round adds what is decided one ply further away.
//!
//! For the sets of placements of the foxes where it can, both goals follow the same rules: with the geese to move some
//! move must lead to such a placement, with the fox to move every one. That the geese win grows from nothing, that they
//! do not lose shrinks from everything.

use std::io;

use super::foxes::{Foxes, Placements};
use super::layer::{Strip, by_strip};
use super::level::{Goal, LevelInputs};
use super::news::{SparseWords, StripNews};
use super::outside::Outside;
use super::rules::MissedJump;
use super::sweep::{Neighbour, Sweep};
use crate::parallel;
use crate::rules::hunt::{GeeseStuck, Side};
use crate::tablebase::{TableEntry, TableError};

/// By pattern of a level, the placements with which the geese side reaches its goal.
pub(super) struct SolvedGoal<F: Foxes> {
    pub geese_to_move: Vec<F::Set>,
    pub fox_to_move: Vec<F::Set>,
    /// By strip: when what was decided.
    pub news: Vec<StripNews>,
}

/// A level on its way to one goal.
struct Rounds<'a, 'o, F: Foxes> {
    inputs: &'a LevelInputs<'a, F>,
    sweep: Sweep<'a, F>,
    goal: Goal,
    outside: &'a mut Outside<'o, F>,
    solved: SolvedGoal<F>,
    /// By strip: whether the last round decided something, with the geese and with the fox to move.
    geese_changed: Vec<bool>,
    fox_changed: Vec<bool>,
    any_fox_changed: bool,
}

/// Room for a thread to work in.
struct Buffers<S> {
    joined: Vec<S>,
    turned: Vec<S>,
}

impl<S> Default for Buffers<S> {
    fn default() -> Self {
        Buffers { joined: Vec::new(), turned: Vec::new() }
    }
}

/// Solves a level for one goal. `tell` is told when a round has ended.
///
/// # Errors
/// A distance is greater than an entry can hold, or there is no memory.
pub(super) fn solve<F: Foxes>(
    inputs: &LevelInputs<'_, F>,
    goal: Goal,
    outside: &mut Outside<'_, F>,
    tell: &dyn Fn(),
) -> Result<SolvedGoal<F>, TableError> {
    let failed = |error: io::Error| TableError::Refused(error.to_string());
    let mut rounds = Rounds::new(inputs, goal, outside).map_err(failed)?;
    for round in 1.. {
        if round >= TableEntry::MAX_DISTANCE as u16 {
            return Err(TableError::Refused(format!("a win takes more than {round} plies, the most that fit")));
        }
        if !rounds.run(round).map_err(failed)? && rounds.outside.is_settled(round) {
            break;
        }
        tell();
    }
    Ok(rounds.solved)
}

impl<'a, 'o, F: Foxes> Rounds<'a, 'o, F> {
    /// All that is decided without a move.
    fn new(inputs: &'a LevelInputs<'a, F>, goal: Goal, outside: &'a mut Outside<'o, F>) -> io::Result<Self> {
        let (patterns, strips) = (inputs.layer.levels[inputs.level].patterns, inputs.strips);
        let none = || vec![F::Set::default(); patterns];
        let news = vec![StripNews::default(); strips.len()];
        let mut solved = SolvedGoal { geese_to_move: none(), fox_to_move: none(), news };
        let (geese, fox) = (&mut solved.geese_to_move, &mut solved.fox_to_move);
        let words = by_strip(strips, 1, geese).into_iter().zip(by_strip(strips, 1, fox)).zip(&mut solved.news);
        parallel::try_map(strips.iter().zip(words), |(strip, ((geese, fox), news))| {
            begin(inputs, goal, strip, geese, fox, news)
        })?;
        let changed = vec![true; strips.len()];
        let (geese_changed, fox_changed) = (changed.clone(), changed);
        let sweep = inputs.sweep();
        Ok(Rounds { inputs, sweep, goal, outside, solved, geese_changed, fox_changed, any_fox_changed: true })
    }

    /// Whether the round decided anything.
    fn run(&mut self, round: u16) -> io::Result<bool> {
        self.outside.advance(self.inputs, round)?;
        // Both sides to move are judged by the words of the round before: those with the fox to move, which other
        // strips look up, are changed only when all have been judged.
        let mut geese = std::mem::take(&mut self.solved.geese_to_move);
        let mut news = std::mem::take(&mut self.solved.news);
        let strips = self.inputs.strips;
        let words = by_strip(strips, 1, &mut geese).into_iter().zip(&mut news);
        let numbered = strips.iter().zip(words).enumerate();
        let judged = parallel::try_map_with(numbered, |buffers, (number, (strip, (geese, news)))| {
            let fox = self.judge_fox(number, strip, geese);
            let found = self.judge_geese(number, strip, geese, buffers);
            geese.iter_mut().zip(&buffers.joined).for_each(|(set, &new)| *set = *set ^ new);
            news.add(round, Side::Geese, &found)?;
            news.add(round, Side::Fox, &fox)?;
            io::Result::Ok((!found.is_empty(), !fox.is_empty()))
        })?;
        (self.geese_changed, self.fox_changed) = judged.into_iter().unzip();
        let words = by_strip(strips, 1, &mut self.solved.fox_to_move).into_iter().zip(&news).zip(&self.fox_changed);
        parallel::try_map(words.filter(|(_, changed)| **changed), |((sets, news), _)| {
            let words_of = F::Set::WORDS;
            news.latest()?.visit(|number, word| sets[number / words_of].toggle(number % words_of, word));
            io::Result::Ok(())
        })?;
        (self.solved.geese_to_move, self.solved.news) = (geese, news);
        self.any_fox_changed = self.fox_changed.contains(&true);
        Ok(self.any_fox_changed || self.geese_changed.contains(&true))
    }

    /// What changes with the fox to move, where the geese's sets or what jumps lead to have changed.
    fn judge_fox(&self, number: usize, strip: &Strip, geese: &[F::Set]) -> SparseWords {
        if !self.geese_changed[number] && !self.outside.jumps_changed[number] {
            return SparseWords::default();
        }
        let (foxes, range) = (self.inputs.foxes, strip.range());
        let sets = geese.iter().zip(&self.outside.bad_exits[range.clone()]).zip(&self.solved.fox_to_move[range]);
        let sets = strip.patterns(self.inputs.numbering).zip(sets);
        SparseWords::new(sets.map(|(pattern, ((&geese, &bad), &fox))| {
            let empty = foxes.beside(pattern);
            let steps = bad_steps(foxes, pattern, empty & !geese);
            with_filled(foxes, pattern, empty, empty & !steps & !bad) ^ fox
        }))
    }

    /// What changes with the geese to move, where the fox side's sets of a neighbour or those outside have changed; as
    /// whole sets in the buffer, too, which is empty when there is nothing.
    fn judge_geese(
        &self,
        number: usize,
        strip: &Strip,
        geese: &[F::Set],
        buffers: &mut Buffers<F::Set>,
    ) -> SparseWords {
        let Buffers { joined, turned } = buffers;
        joined.clear();
        let onward_changed = self.outside.onward_changed[number];
        if !self.any_fox_changed && !onward_changed {
            return SparseWords::default();
        }
        let (foxes, rules) = (self.inputs.foxes, self.inputs.foxes.rules());
        let mut neighbours = self.sweep.neighbours(&rules.within, strip);
        let is_changed = |neighbour: &Neighbour| self.fox_changed[neighbour.strip];
        if !onward_changed && !self.fox_changed[number] && !neighbours.iter().any(is_changed) {
            return SparseWords::default();
        }
        // What grows has been taken from the others before.
        if self.goal == Goal::Win {
            neighbours.retain(is_changed);
        }
        match self.outside.onward.get(strip.range()) {
            Some(onward) => joined.extend_from_slice(onward),
            None => joined.resize(strip.length, F::Set::default()),
        }
        let own = &self.solved.fox_to_move[strip.range()];
        self.sweep.join(strip, &neighbours, &self.solved.fox_to_move, joined, turned);
        if self.fox_changed[number] || self.goal == Goal::Hold {
            self.sweep.join_own(strip, own, joined);
        }
        let patterns = || strip.patterns(self.inputs.numbering);
        if rules.stuck == GeeseStuck::Pass {
            let passed = joined.iter_mut().zip(own).zip(patterns());
            passed.for_each(|((set, &own), pattern)| *set |= stuck(foxes, pattern) & own);
        }
        let home = foxes.on_any(rules.home);
        for ((set, &known), pattern) in joined.iter_mut().zip(geese).zip(patterns()) {
            let empty = foxes.beside(pattern);
            let now = with_filled(foxes, pattern, empty, *set & empty) & !home;
            *set = if self.goal == Goal::Win { now & !known } else { known & !now };
        }
        SparseWords::new(joined.iter().copied())
    }
}

/// The sets of a strip before the first round, and the news of positions that are over.
fn begin<F: Foxes>(
    inputs: &LevelInputs<'_, F>,
    goal: Goal,
    strip: &Strip,
    geese: &mut [F::Set],
    fox: &mut [F::Set],
    news: &mut StripNews,
) -> io::Result<()> {
    let (foxes, rules) = (inputs.foxes, inputs.foxes.rules());
    let home = foxes.on_any(rules.home);
    for ((geese, fox), pattern) in geese.iter_mut().zip(fox.iter_mut()).zip(strip.patterns(inputs.numbering)) {
        let empty = foxes.beside(pattern);
        let filled = with_filled(foxes, pattern, empty, F::Set::default());
        (*geese, *fox) = match goal {
            Goal::Win => (filled & !home, empty & !foxes.before_steps(empty) & !foxes.can_jump(pattern) | filled),
            Goal::Hold if rules.stuck == GeeseStuck::Lose => ((empty & !stuck(foxes, pattern) | filled) & !home, empty),
            Goal::Hold => (empty & !home, empty),
        };
    }
    match goal {
        Goal::Win => {
            news.add(0, Side::Geese, &SparseWords::new(geese.iter().copied()))?;
            news.add(0, Side::Fox, &SparseWords::new(fox.iter().copied()))
        }
        Goal::Hold => {
            let over = geese.iter().zip(strip.patterns(inputs.numbering));
            let over = over.map(|(&geese, pattern)| foxes.beside(pattern) & !geese);
            news.add(0, Side::Geese, &SparseWords::new(over))
        }
    }
}

/// The placements from which a step that costs no fox leads into a set.
#[inline(always)]
fn bad_steps<F: Foxes>(foxes: &F, pattern: u64, bad: F::Set) -> F::Set {
    let (rules, steps) = (foxes.rules(), foxes.before_steps(bad));
    match rules.missed_jump {
        MissedJump::Allowed => steps,
        MissedJump::Huffed if rules.home != 0 => {
            // Who comes home has won before any huff.
            steps & !foxes.can_jump(pattern) | foxes.before_steps(bad & foxes.on_any(rules.home))
        }
        MissedJump::Forbidden | MissedJump::Huffed => steps & !foxes.can_jump(pattern),
    }
}

/// The placements beside which no goose of a pattern can move.
fn stuck<F: Foxes>(foxes: &F, pattern: u64) -> F::Set {
    foxes.on_all(foxes.rules().goose_targets(pattern)) & foxes.beside(pattern)
}

/// Adds to a set the placements with which the geese have won by filling the fortress; `empty` are all beside the
/// pattern.
#[inline(always)]
fn with_filled<F: Foxes>(foxes: &F, pattern: u64, empty: F::Set, set: F::Set) -> F::Set {
    let (rules, missing) = (foxes.rules(), foxes.rules().fortress & !pattern);
    match (rules.fortress, missing) {
        (0, _) => set,
        (_, 0) => empty,
        _ if rules.foxes_fill => set | foxes.on_all(missing) & empty,
        _ => set,
    }
}
