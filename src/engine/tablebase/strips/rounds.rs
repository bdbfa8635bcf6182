//! Solves a level for a goal of the geese side, round by round: a round adds what is decided one ply further away.
//!
//! Both goals follow the same rules for the sets of fox placements with which the geese reach the goal: with the geese
//! to move, some move must lead to such a placement; with the fox to move, every move. The sets of wins grow from empty
//! ones; the sets of positions that the geese do not lose shrink from full ones.
//!
//! The exits of a level are the moves out of it: goose moves that cannot be undone, and jumps. Where distances count to
//! conversion, the outcomes of all exits count from the first round on; where they count to the end, each counts from
//! the round given by its own distance to the end.

use std::io;

use super::foxes::{Foxes, Placements};
use super::frontier::{SparseWords, StripFrontiers};
use super::layer::{Strip, by_strip};
use super::level::{Goal, GooseMoves, LevelView, Neighbour};
use super::rules::MissedJump;
use crate::parallel;
use crate::rules::hunt::{Side, Stuck};
use crate::tablebase::{TableEntry, TableError};

/// The outcomes of moves out of a level for one goal, by pattern, as far as they count in the present round.
pub(super) struct LowerExits<'a, F: Foxes> {
    goal: Goal,
    /// The placements from where some jump makes the geese miss the goal, or some huffed step does so that leaves
    /// another fox.
    pub bad: Replay<F::Set>,
    above: Option<LevelAbove<'a, F>>,
    /// The placements from which a goose move out of the level reaches the goal; empty where geese never leave a level.
    pub onward: Vec<F::Set>,
    /// By strip: whether the present round has changed `onward`.
    pub onward_changed: Vec<bool>,
}

/// The level to which forward steps from the present level lead, solved for a goal.
pub(super) struct LevelAbove<'a, F: Foxes> {
    pub strips: &'a [Strip],
    /// The placements, with the fox side to move, from which the geese reach the goal.
    pub fox_to_move: Replay<F::Set>,
}

/// Sets for the patterns of a level that change from round to round, as they are in the present round.
pub(super) struct Replay<S> {
    pub sets: Vec<S>,
    /// By strip: the rounds that change the sets, as frontiers with the fox side to move; empty where none does.
    frontiers: Vec<StripFrontiers>,
    /// By strip: the bytes of its frontiers that have been read.
    read: Vec<usize>,
    /// By strip: whether the present round has changed its sets.
    pub changed: Vec<bool>,
}

impl<S: Placements> Replay<S> {
    /// The sets as they are before the first round, with all later changes.
    pub(super) fn new(strips: &[Strip], sets: Vec<S>, frontiers: Vec<StripFrontiers>) -> Self {
        let read = vec![0; frontiers.len()];
        Replay { sets, frontiers, read, changed: vec![false; strips.len()] }
    }

    /// Applies the changes of a round to the sets.
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
    /// The exits as they are before the first round.
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

    /// Adds the placements from which a huffed step may make the geese miss the goal. `reached` are, by pattern, the
    /// points of the remaining fox from which the geese, to move, reach it.
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

    /// Adds the outcomes that count from this round on.
    pub(super) fn advance(&mut self, level: &LevelView<'_, F>, round: u16) -> io::Result<()> {
        self.bad.advance(&level.strips, round)?;
        let Some(LevelAbove { strips, fox_to_move }) = &mut self.above else {
            self.onward_changed.fill(false);
            return Ok(());
        };
        fox_to_move.advance(strips, round - 1)?;
        // In round 1, sets from before the first round have not been joined yet.
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
                    // Sets of wins only grow, so those of unchanged neighbours are in `onward` already.
                    Goal::Win => neighbours.retain(is_changed),
                    Goal::NotLose => onward.fill(F::Set::default()),
                }
                level.join(strip, &neighbours, &fox_to_move.sets, onward, turned);
            }
            any_changed
        });
        if fox_to_move.frontiers.is_empty() {
            // All of it counts from the first round on and has been joined.
            self.above = None;
        }
        Ok(())
    }
}

/// The solution of a level for a goal: by pattern, the placements with which the geese side reaches it.
pub(super) struct SolvedGoal<F: Foxes> {
    pub geese_to_move: Vec<F::Set>,
    pub fox_to_move: Vec<F::Set>,
    /// By strip: the frontiers of all rounds.
    pub frontiers: Vec<StripFrontiers>,
}

/// A level while it is solved for one goal.
struct Rounds<'a, 'o, F: Foxes> {
    level: &'a LevelView<'a, F>,
    goal: Goal,
    exits: &'a mut LowerExits<'o, F>,
    solved: SolvedGoal<F>,
    /// By strip: whether the last round decided a position with the geese to move, and with the fox to move.
    geese_changed: Vec<bool>,
    fox_changed: Vec<bool>,
    any_fox_changed: bool,
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers<S> {
    joined: Vec<S>,
    turned: Vec<S>,
}

/// Solves a level for one goal. `progress` receives numbers of positions done: in each round an eighth of the rest, as
/// the number of rounds is not known beforehand.
///
/// # Errors
/// A distance is greater than an entry can hold, or there is no memory.
pub(super) fn solve<F: Foxes>(
    level: &LevelView<'_, F>,
    goal: Goal,
    exits: &mut LowerExits<'_, F>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<SolvedGoal<F>, TableError> {
    let mut left = level.positions() / 2;
    let mut rounds = Rounds::new(level, goal, exits).map_err(no_memory)?;
    for round in 1.. {
        if round >= TableEntry::MAX_DISTANCE as u16 {
            return Err(TableError::Refused(format!("a win takes more than {round} plies, the most that fit")));
        }
        if !rounds.run(round).map_err(no_memory)? && rounds.exits.is_settled(round) {
            break;
        }
        progress(left / 8);
        left -= left / 8;
    }
    progress(left);
    Ok(rounds.solved)
}

/// The error that there is no memory to compress or expand with.
pub(super) fn no_memory(error: io::Error) -> TableError {
    TableError::Refused(error.to_string())
}

impl<'a, 'o, F: Foxes> Rounds<'a, 'o, F> {
    /// The level before the first round, with the positions that are over.
    fn new(level: &'a LevelView<'a, F>, goal: Goal, exits: &'a mut LowerExits<'o, F>) -> io::Result<Self> {
        let strips = &level.strips;
        let frontiers = vec![StripFrontiers::default(); strips.len()];
        let mut solved = SolvedGoal { geese_to_move: level.sets(), fox_to_move: level.sets(), frontiers };
        let (geese, fox) = (&mut solved.geese_to_move, &mut solved.fox_to_move);
        let sets = by_strip(strips, 1, geese).into_iter().zip(by_strip(strips, 1, fox)).zip(&mut solved.frontiers);
        parallel::try_map(strips.iter().zip(sets), |(strip, ((geese, fox), frontiers))| {
            begin(level, goal, strip, geese, fox, frontiers)
        })?;
        let changed = vec![true; strips.len()];
        Ok(Rounds {
            level,
            goal,
            exits,
            solved,
            geese_changed: changed.clone(),
            fox_changed: changed,
            any_fox_changed: true,
        })
    }

    /// Runs a round; returns whether it decided anything.
    fn run(&mut self, round: u16) -> io::Result<bool> {
        self.exits.advance(self.level, round)?;
        // Positions with either side to move are judged by the sets of the last round. The sets with the fox to move,
        // which other strips look up, are changed only when all strips have been judged.
        let mut geese = std::mem::take(&mut self.solved.geese_to_move);
        let mut frontiers = std::mem::take(&mut self.solved.frontiers);
        let strips = &self.level.strips;
        let sets = by_strip(strips, 1, &mut geese).into_iter().zip(&mut frontiers);
        let numbered = strips.iter().zip(sets).enumerate();
        let judged = parallel::try_map_with(numbered, |buffers, (number, (strip, (geese, frontiers)))| {
            let fox = self.judge_fox(number, strip, geese);
            let found = self.judge_geese(number, strip, geese, buffers);
            geese.iter_mut().zip(&buffers.joined).for_each(|(set, &new)| *set = *set ^ new);
            frontiers.add(round, Side::Geese, &found)?;
            frontiers.add(round, Side::Fox, &fox)?;
            io::Result::Ok((!found.is_empty(), !fox.is_empty()))
        })?;
        (self.geese_changed, self.fox_changed) = judged.into_iter().unzip();
        let fox = by_strip(strips, 1, &mut self.solved.fox_to_move).into_iter().zip(&frontiers);
        let changed = fox.zip(&self.fox_changed).filter(|(_, changed)| **changed);
        parallel::try_map(changed, |((sets, frontiers), _)| {
            frontiers.latest().map_or(Ok(()), |latest| latest.words().map(|words| words.toggle(sets)))
        })?;
        (self.solved.geese_to_move, self.solved.frontiers) = (geese, frontiers);
        self.any_fox_changed = self.fox_changed.contains(&true);
        Ok(self.any_fox_changed || self.geese_changed.contains(&true))
    }

    /// The changes with the fox to move, where the sets with the geese to move or the outcomes of jumps have changed.
    fn judge_fox(&self, number: usize, strip: &Strip, geese: &[F::Set]) -> SparseWords {
        if !self.geese_changed[number] && !self.exits.bad.changed[number] {
            return SparseWords::default();
        }
        let (foxes, range) = (&self.level.game.foxes, strip.range());
        let sets = geese.iter().zip(&self.exits.bad.sets[range.clone()]).zip(&self.solved.fox_to_move[range]);
        let sets = self.level.patterns(strip).zip(sets);
        SparseWords::new(sets.map(|(pattern, ((&geese, &bad), &fox))| {
            let empty = foxes.beside(pattern);
            let steps = bad_steps(foxes, pattern, empty & !geese);
            with_filled(foxes, pattern, empty, empty & !steps & !bad) ^ fox
        }))
    }

    /// The changes with the geese to move, where the sets with the fox to move of a neighbour, or those of the level
    /// above, have changed. The buffer has them as whole sets, too, and is empty when there are none.
    fn judge_geese(
        &self,
        number: usize,
        strip: &Strip,
        geese: &[F::Set],
        buffers: &mut Buffers<F::Set>,
    ) -> SparseWords {
        let Buffers { joined, turned } = buffers;
        joined.clear();
        let onward_changed = self.exits.onward_changed[number];
        if !self.any_fox_changed && !onward_changed {
            return SparseWords::default();
        }
        let level = self.level;
        let foxes = &self.level.game.foxes;
        let rules = self.level.game.foxes.rules();
        let mut neighbours = level.neighbours(GooseMoves::Within, strip);
        let is_changed = |neighbour: &Neighbour<'_>| self.fox_changed[neighbour.strip];
        if !onward_changed && !self.fox_changed[number] && !neighbours.iter().any(is_changed) {
            return SparseWords::default();
        }
        // Sets of wins only grow, so those of unchanged neighbours were added before.
        if self.goal == Goal::Win {
            neighbours.retain(is_changed);
        }
        match self.exits.onward.get(strip.range()) {
            Some(onward) => joined.extend_from_slice(onward),
            None => joined.resize(strip.length, F::Set::default()),
        }
        level.join(strip, &neighbours, &self.solved.fox_to_move, joined, turned);
        if rules.stuck == Stuck::Pass {
            let own = &self.solved.fox_to_move[strip.range()];
            let passed = joined.iter_mut().zip(own).zip(level.patterns(strip));
            passed.for_each(|((set, &own), pattern)| *set |= stuck(foxes, pattern) & own);
        }
        let home = foxes.on_any(rules.home);
        for ((set, &known), pattern) in joined.iter_mut().zip(geese).zip(level.patterns(strip)) {
            let empty = foxes.beside(pattern);
            let now = with_filled(foxes, pattern, empty, *set & empty) & !home;
            *set = if self.goal == Goal::Win { now & !known } else { known & !now };
        }
        SparseWords::new(joined.iter().copied())
    }
}

/// Writes the sets of a strip before the first round and, as frontiers of round 0, the positions that are over.
fn begin<F: Foxes>(
    level: &LevelView<'_, F>,
    goal: Goal,
    strip: &Strip,
    geese: &mut [F::Set],
    fox: &mut [F::Set],
    frontiers: &mut StripFrontiers,
) -> io::Result<()> {
    let foxes = &level.game.foxes;
    let rules = level.game.foxes.rules();
    let home = foxes.on_any(rules.home);
    for ((geese, fox), pattern) in geese.iter_mut().zip(fox.iter_mut()).zip(level.patterns(strip)) {
        let empty = foxes.beside(pattern);
        let filled = with_filled(foxes, pattern, empty, F::Set::default());
        (*geese, *fox) = match goal {
            Goal::Win => {
                let is_hemmed_in = empty & !foxes.before_steps(empty) & !foxes.can_jump(pattern);
                (filled & !home, is_hemmed_in | filled)
            }
            Goal::NotLose if rules.stuck == Stuck::Lose => (((empty & !stuck(foxes, pattern)) | filled) & !home, empty),
            Goal::NotLose => (empty & !home, empty),
        };
    }
    for (turn, sets) in [(Side::Geese, geese), (Side::Fox, fox)] {
        let over = sets.iter().zip(level.patterns(strip)).map(|(&set, pattern)| match goal {
            Goal::Win => set,
            Goal::NotLose => foxes.beside(pattern) & !set,
        });
        frontiers.add(0, turn, &SparseWords::new(over))?;
    }
    Ok(())
}

/// The placements from which a step that costs no fox leads into a set.
#[inline(always)]
fn bad_steps<F: Foxes>(foxes: &F, pattern: u64, bad: F::Set) -> F::Set {
    let rules = foxes.rules();
    let steps = foxes.before_steps(bad);
    match rules.missed_jump {
        MissedJump::Allowed => steps,
        MissedJump::Huffed if rules.home != 0 => {
            // A fox that steps home has won before any huff.
            (steps & !foxes.can_jump(pattern)) | foxes.before_steps(bad & foxes.on_any(rules.home))
        }
        MissedJump::Forbidden | MissedJump::Huffed => steps & !foxes.can_jump(pattern),
    }
}

/// The placements with which no goose of a pattern can move.
fn stuck<F: Foxes>(foxes: &F, pattern: u64) -> F::Set {
    foxes.on_all(foxes.rules().goose_targets(pattern)) & foxes.beside(pattern)
}

/// Adds the placements with which the geese have won by filling the fortress; `empty` are all placements beside the
/// pattern.
#[inline(always)]
fn with_filled<F: Foxes>(foxes: &F, pattern: u64, empty: F::Set, set: F::Set) -> F::Set {
    let rules = foxes.rules();
    let missing = foxes.rules().fortress & !pattern;
    match (rules.fortress, missing) {
        (0, _) => set,
        (_, 0) => empty,
        _ if rules.foxes_fill => set | (foxes.on_all(missing) & empty),
        _ => set,
    }
}
