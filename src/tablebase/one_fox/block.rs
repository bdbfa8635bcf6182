//! Solves one block by retrograde analysis, round by round.

use rayon::prelude::*;

use super::block_entries::BlockEntries;
use super::index::{LayerPatterns, PatternNumbering};
use super::landings::{JumpSets, LandingSets, LandingTable, Packing, jumps};
use super::rules::{OneFoxRules, Shift, singles};
use crate::rules::hunt::{GeeseStuck, Side};
use crate::tablebase::{ResultCounts, TableEntry};

/// The fox points where the fox to move has won and where it has lost.
pub(super) type FoxOutcomes = (u64, u64);

/// What a block is solved from.
pub(super) struct BlockInputs<'a> {
    pub rules: &'a OneFoxRules,
    pub numbering: &'a PatternNumbering,
    pub layer: &'a LayerPatterns,
    /// The fox side to move, for the blocks of higher rank sum.
    pub above: &'a [Option<Vec<FoxOutcomes>>],
    /// What jumps lead to; `None` when a capture wins at once.
    pub below: Option<&'a LandingTable>,
}

/// The longest way found to a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FarthestWin {
    pub plies: u32,
    pub pattern: u64,
    pub fox: u64,
}

/// By side to move and winner.
pub(super) type FarthestWins = [[Option<FarthestWin>; 2]; 2];

/// What is kept of a solved block when its entries are written.
pub(super) struct SolvedBlock {
    pub fox_to_move: Vec<FoxOutcomes>,
    /// Mirrored positions counted.
    pub results: [ResultCounts; 2],
    pub examples: FarthestWins,
    /// Packed landing sets of foxes, if asked for.
    pub landings: Vec<u8>,
}

/// One pattern while its block is solved: sets of fox points.
#[derive(Clone, Copy, Default)]
struct PatternState {
    pattern: u64,
    /// The key of the pattern's profile.
    key: u32,
    /// Geese to move: fox wins, geese win.
    geese: FoxOutcomes,
    jumps: JumpSets,
    /// Geese to move: every onward move loses; some onward move wins.
    onward: FoxOutcomes,
}

/// Patterns in a piece of work for one thread.
const GRAIN: usize = 4096;

/// What the next round has to look at.
struct Worklist {
    /// Cells whose geese side has changed.
    changed: Vec<u32>,
    /// Cells whose geese side may change.
    dirty: Vec<u32>,
    /// The dirty ones are marked.
    marks: Vec<bool>,
}

impl Worklist {
    fn mark(&mut self, index: u32) {
        if !std::mem::replace(&mut self.marks[index as usize], true) {
            self.dirty.push(index);
        }
    }

    fn clear(&mut self) {
        let Worklist { changed, dirty, marks } = self;
        dirty.drain(..).for_each(|index| marks[index as usize] = false);
        changed.clear();
    }
}

struct BlockSolver<'a> {
    inputs: &'a BlockInputs<'a>,
    states: Vec<PatternState>,
    /// Fox to move, by pattern. Apart from the states, because neighbours look it up: this much stays in the cache.
    fox: Vec<FoxOutcomes>,
    entries: [BlockEntries; 2],
    examples: FarthestWins,
}

/// Solves a block of the layer; all blocks of higher rank sum are in `above`. The entries come by side to move: a row for
/// each pattern, a column for each empty point.
pub(super) fn solve(
    inputs: &BlockInputs<'_>,
    block: u32,
    packing: Option<&Packing>,
) -> ([BlockEntries; 2], SolvedBlock) {
    let patterns = inputs.layer.patterns(inputs.numbering, block);
    let columns = patterns.first().map_or(0, |pattern| (inputs.rules.all & !pattern).count_ones());
    let entries = [(); 2].map(|()| BlockEntries::new(patterns.len(), columns as usize));
    let (states, fox) = patterns.into_par_iter().with_min_len(GRAIN).map(|pattern| inputs.state(pattern)).unzip();
    let mut solution = BlockSolver { inputs, states, fox, entries, examples: FarthestWins::default() };
    solution.note_endings();
    solution.run();
    solution.finish(packing)
}

impl BlockInputs<'_> {
    /// A pattern with all that other blocks say about it, and the positions that are over.
    fn state(&self, pattern: u64) -> (PatternState, FoxOutcomes) {
        let rules = self.rules;
        let key = self.numbering.key(pattern);
        let empty = rules.all & !pattern;
        let jumps = jumps(rules, self.numbering, self.below, key, pattern);
        let lost = empty & !jumps.any & !rules.near(empty);
        let onward = self.onward(key, pattern);
        let over = empty & rules.home | if rules.stuck == GeeseStuck::Lose { self.stuck(pattern) } else { 0 };
        (PatternState { pattern, key, geese: (over, 0), jumps, onward }, (0, lost))
    }

    /// The moves of geese along some directions: from and to, as sets of one.
    #[inline(always)]
    fn moves<'d>(&self, directions: &'d [Shift], pattern: u64) -> impl Iterator<Item = (u64, u64)> + 'd {
        let empty = self.rules.all & !pattern;
        directions.iter().flat_map(move |direction| {
            let targets = (pattern & direction.from).rotate_left(direction.rotation) & empty;
            singles(targets).map(|to| (to.rotate_right(direction.rotation), to))
        })
    }

    /// The empty points onto which geese can step along some directions.
    #[inline(always)]
    fn targets(&self, directions: &[Shift], pattern: u64) -> u64 {
        let empty = self.rules.all & !pattern;
        let targets = |direction: &Shift| (pattern & direction.from).rotate_left(direction.rotation);
        directions.iter().fold(0, |all, direction| all | targets(direction)) & empty
    }

    /// Where the fox must stand so that no goose can move.
    fn stuck(&self, pattern: u64) -> u64 {
        let targets = self.targets(&self.rules.within, pattern) | self.targets(&self.rules.onward, pattern);
        match targets.count_ones() {
            0 => self.rules.all & !pattern,
            1 => targets,
            _ => 0,
        }
    }

    fn onward(&self, key: u32, pattern: u64) -> FoxOutcomes {
        let (mut lost, mut won) = (self.rules.all & !pattern, 0);
        for (from, to) in self.moves(&self.rules.onward, pattern) {
            let at = self.layer.find(self.numbering, self.moved(key, from, to), pattern ^ from ^ to);
            let words = self.above[at.block as usize].as_ref().map_or((0, 0), |block| block[at.index as usize]);
            lost &= self.numbering.turned(words.0, at.mirrored) | to;
            won |= self.numbering.turned(words.1, at.mirrored) & !to & !from;
        }
        (lost, won)
    }

    /// The key after a goose move.
    #[inline(always)]
    fn moved(&self, key: u32, from: u64, to: u64) -> u32 {
        let weight = |point: u64| self.numbering.weight(self.rules.rank(point));
        key - weight(from) + weight(to)
    }

    /// Whether a pattern stands for itself only.
    fn is_alone(&self, pattern: u64) -> bool {
        !self.rules.mirrors || self.numbering.mirror(pattern) == pattern
    }

    /// The pattern within the same block after a goose move or before one.
    #[inline(always)]
    fn neighbour(&self, key: u32, pattern: u64, from: u64, to: u64) -> (u32, bool) {
        let at = self.layer.find(self.numbering, self.moved(key, from, to), pattern ^ from ^ to);
        (at.index, at.mirrored)
    }
}

impl BlockSolver<'_> {
    fn rules(&self) -> &OneFoxRules {
        self.inputs.rules
    }

    /// Positions that are over have distance 0.
    fn note_endings(&mut self) {
        for index in 0..self.states.len() as u32 {
            let (fox, geese) = (self.fox[index as usize], self.states[index as usize].geese);
            self.note(Side::Geese, index, 0, geese);
            self.note(Side::Fox, index, 0, fox);
        }
    }

    /// Adds what is decided in 1, 2, ... plies until nothing changes any more.
    fn run(&mut self) {
        let all: Vec<u32> = (0..self.states.len() as u32).collect();
        let mut work = Worklist { changed: Vec::new(), dirty: Vec::new(), marks: vec![false; all.len()] };
        // Few foxes are stuck at the start, and most states have no neighbour with one.
        let stuck = all.iter().filter(|&&index| self.fox[index as usize].1 != 0);
        stuck.for_each(|&index| self.mark_before(index, &mut work));
        let fox = self.judge_fox(&all);
        let mut geese: Vec<(u32, FoxOutcomes)> = self.judge_first(&all, &work.marks);
        geese.extend(self.judge_geese(&work.dirty));
        self.settle(1, &fox, &geese, &mut work);
        for plies in 2.. {
            if work.dirty.is_empty() && work.changed.is_empty() {
                return;
            }
            // Both sides of a round are judged by those of the last.
            let fox = self.judge_fox(&work.changed);
            let geese = self.judge_geese(&work.dirty);
            self.settle(plies, &fox, &geese, &mut work);
        }
    }

    /// Adds what a round has found.
    fn settle(&mut self, plies: u32, fox: &[(u32, FoxOutcomes)], geese: &[(u32, FoxOutcomes)], work: &mut Worklist) {
        work.clear();
        for &(index, new) in geese {
            let state = &mut self.states[index as usize];
            state.geese = (state.geese.0 | new.0, state.geese.1 | new.1);
            self.note(Side::Geese, index, plies, new);
            work.changed.push(index);
        }
        for &(index, new) in fox {
            let words = &mut self.fox[index as usize];
            *words = (words.0 | new.0, words.1 | new.1);
            self.note(Side::Fox, index, plies, new);
            self.mark_before(index, work);
        }
    }

    /// What is new for the fox side, where the geese side has changed.
    fn judge_fox(&self, changed: &[u32]) -> Vec<(u32, FoxOutcomes)> {
        let judge = |&index: &u32| {
            let state = &self.states[index as usize];
            let rules = self.rules();
            let empty = rules.all & !state.pattern;
            let steps = |targets: u64| {
                let from = rules.near(targets) & empty;
                if rules.forced_capture { from & !state.jumps.any } else { from }
            };
            let won = state.jumps.won | steps(state.geese.0);
            let lost = empty & !state.jumps.held & !steps(empty & !state.geese.1);
            fresh(index, (won, lost), self.fox[index as usize])
        };
        changed.par_iter().with_min_len(GRAIN).filter_map(judge).collect()
    }

    /// What is new for the geese side in the first round, when no fox has won yet, and next to the unmarked states none
    /// has lost.
    fn judge_first(&self, all: &[u32], marks: &[bool]) -> Vec<(u32, FoxOutcomes)> {
        let judge = |&index: &u32| {
            let state = &self.states[index as usize];
            // A move within the block can lose at once only by not being possible.
            let targets = self.inputs.targets(&self.inputs.rules.within, state.pattern);
            let lost = match targets.count_ones() {
                0 => state.onward.0,
                1 => state.onward.0 & targets,
                _ => 0,
            };
            let passes = self.rules().stuck == GeeseStuck::Pass;
            let lost = if passes { lost & !self.inputs.stuck(state.pattern) } else { lost };
            fresh(index, (lost, state.onward.1 & !state.geese.0), state.geese)
        };
        all.par_iter().with_min_len(GRAIN).filter(|&&index| !marks[index as usize]).filter_map(judge).collect()
    }

    /// What is new for the geese side, where the fox side of a neighbour has changed.
    fn judge_geese(&self, dirty: &[u32]) -> Vec<(u32, FoxOutcomes)> {
        let inputs = self.inputs;
        let judge = |&index: &u32| {
            let state = &self.states[index as usize];
            let (mut lost, mut won) = state.onward;
            for (from, to) in inputs.moves(&inputs.rules.within, state.pattern) {
                let (next, mirrored) = inputs.neighbour(state.key, state.pattern, from, to);
                let words = self.fox[next as usize];
                lost &= inputs.numbering.turned(words.0, mirrored) | to;
                won |= inputs.numbering.turned(words.1, mirrored) & !to & !from;
            }
            if inputs.rules.stuck == GeeseStuck::Pass {
                let stuck = inputs.stuck(state.pattern);
                let words = self.fox[index as usize];
                lost = lost & !stuck | stuck & words.0;
                won |= stuck & words.1;
            }
            fresh(index, (lost, won & !state.geese.0), state.geese)
        };
        dirty.par_iter().with_min_len(GRAIN).filter_map(judge).collect()
    }

    /// Marks the states from which a goose move leads to one whose fox side has changed.
    fn mark_before(&self, index: u32, work: &mut Worklist) {
        let inputs = self.inputs;
        let PatternState { pattern, key, .. } = self.states[index as usize];
        let empty = inputs.rules.all & !pattern;
        for direction in &inputs.rules.within {
            for from in singles(pattern.rotate_right(direction.rotation) & direction.from & empty) {
                work.mark(inputs.neighbour(key, pattern, from.rotate_left(direction.rotation), from).0);
            }
        }
        if inputs.rules.stuck == GeeseStuck::Pass {
            work.mark(index);
        }
    }

    /// Notes what has been decided for one side to move in a pattern: the fox points where the fox side wins and where
    /// the geese do.
    fn note(&mut self, turn: Side, index: u32, plies: u32, (fox, geese): FoxOutcomes) {
        let pattern = self.states[index as usize].pattern;
        let empty = self.rules().all & !pattern;
        for (winner, points) in [(Side::Fox, fox), (Side::Geese, geese)] {
            if points == 0 {
                continue;
            }
            self.entries[turn as usize].set(index as usize, empty, points, TableEntry::won(winner, plies));
            let best = &mut self.examples[turn as usize][winner as usize];
            if best.is_none_or(|best| best.plies < plies) {
                *best = Some(FarthestWin { plies, pattern, fox: points & points.wrapping_neg() });
            }
        }
    }

    fn finish(self, packing: Option<&Packing>) -> ([BlockEntries; 2], SolvedBlock) {
        let BlockSolver { inputs, states, fox, entries, examples } = self;
        let mut results = [ResultCounts::default(); 2];
        let mut landings = Vec::with_capacity(packing.map_or(0, |packing| packing.bytes() * states.len()));
        for (state, &fox) in states.iter().zip(&fox) {
            let empty = inputs.rules.all & !state.pattern;
            let images = if inputs.is_alone(state.pattern) { 1 } else { 2 };
            for (counts, words) in results.iter_mut().zip([fox, state.geese]) {
                counts.add(count(words, u64::from(empty.count_ones()), images));
            }
            if let Some(packing) = packing {
                packing.write(
                    LandingSets::of_landing(inputs.rules, state.pattern, state.geese, state.jumps),
                    &mut landings,
                );
            }
        }
        (entries, SolvedBlock { fox_to_move: fox, results, examples, landings })
    }
}

/// The results of a pattern with so many fox points, which stands for so many.
fn count(words: FoxOutcomes, points: u64, images: u64) -> ResultCounts {
    let (fox, geese) = (u64::from(words.0.count_ones()), u64::from(words.1.count_ones()));
    ResultCounts { fox_wins: images * fox, draws: images * (points - fox - geese), geese_win: images * geese }
}

/// The points of a pattern that were not known, if there are any.
#[inline(always)]
fn fresh(index: u32, now: FoxOutcomes, before: FoxOutcomes) -> Option<(u32, FoxOutcomes)> {
    let new = (now.0 & !before.0, now.1 & !before.1);
    (new != (0, 0)).then_some((index, new))
}
