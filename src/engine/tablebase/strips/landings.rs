//! The outcomes of jumps into a level, kept for the layer with one more goose: winners here, distances to the end in
//! `ends`.

use super::foxes::{Foxes, Placements};
use super::layer::{LayerPatterns, Strip, by_strip};
use super::layout::read_rows;
use super::level::{Goal, LevelView};
use super::rounds::{Replay, SolvedGoal};
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::format::LayerFile;
use crate::tablebase::{Metric, TableEntry, TableError};

/// The outcomes of jumps into a level, kept for the layer with one more goose: the result for a fox that has just
/// landed in a pattern, whether it stops there or jumps on.
///
/// `below` has the outcomes of the layer below by level; it is empty where every capture wins. By default `keep_goal`
/// and `keep_level` keep nothing.
pub(super) trait Landings<F: Foxes>: Default + Send + Sync {
    const METRIC: Metric;

    /// The outcomes of the jumps from a level, for both goals.
    type Jumps;

    /// Finds the outcomes of the jumps from a level.
    ///
    /// # Errors
    /// There is no memory to expand with.
    fn jumps(level: &LevelView<'_, F>, below: &[Self]) -> Result<Self::Jumps, TableError>;

    /// The placements from where some jump makes the geese miss a goal.
    ///
    /// # Errors
    /// There is no memory to compress with.
    fn bad_jumps(
        level: &LevelView<'_, F>,
        below: &[Self],
        jumps: &Self::Jumps,
        goal: Goal,
    ) -> Result<Replay<F::Set>, TableError>;

    /// Keeps the solution for one goal; `bad` are the placements from where some move out of the level misses it.
    fn keep_goal(
        &mut self,
        _level: &LevelView<'_, F>,
        _below: &[Self],
        _goal: Goal,
        _solved: &SolvedGoal<F>,
        _bad: &[F::Set],
    ) {
    }

    /// Keeps the solutions for both goals.
    ///
    /// # Errors
    /// There is no memory to compress with.
    fn keep_level(
        &mut self,
        _level: &LevelView<'_, F>,
        _jumps: &Self::Jumps,
        _goals: &[SolvedGoal<F>],
    ) -> Result<(), TableError> {
        Ok(())
    }

    /// Reads from a file what a finished level keeps.
    ///
    /// # Errors
    /// The file is damaged or cannot be read, or there is no memory.
    fn read(level: &LevelView<'_, F>, below: &[Self], file: &LayerFile) -> Result<Self, TableError>;
}

/// By goal, then by pattern of a level: the placements with which the geese reach the goal after a fox has just jumped
/// there; packed by [`Foxes::pack`], empty when nothing is known.
#[derive(Default)]
pub(super) struct Verdicts([Vec<u8>; 2]);

/// Bytes after the last pattern: [`Foxes::add_failing`] reads eight at a time.
const SLACK: usize = 8;

/// Bytes per pattern of a layer for one goal.
pub(super) fn landing_bytes<F: Foxes>(foxes: &F, geese: u32) -> usize {
    F::packed_bytes(foxes.rules().points().saturating_sub(geese))
}

impl Verdicts {
    /// Sets the verdicts of consecutive strips of a level. `stopped` are the placements with which the geese, to move,
    /// reach the goal; `bad` those from where some jump makes them miss it, if known for each fox.
    fn fill<F: Foxes>(
        &mut self,
        level: &LevelView<'_, F>,
        below: &[Self],
        goal: Goal,
        strips: &[Strip],
        stopped: &[F::Set],
        bad: Option<&[F::Jumpers]>,
    ) {
        let (foxes, width) = (&level.game.foxes, landing_bytes(&level.game.foxes, level.layer.geese));
        let first = strips.first().map_or(0, |strip| strip.start);
        let bytes = &mut self.0[goal as usize];
        if bytes.is_empty() {
            *bytes = vec![0; level.extent.patterns * width + SLACK];
        }
        let strips = strips.iter().zip(by_strip(strips, width, &mut bytes[first * width..]));
        parallel::for_each_with(strips, |judged, (strip, bytes)| {
            let range = strip.start - first..strip.start - first + strip.length;
            let bad = match bad {
                Some(bad) => &bad[range.clone()],
                None if foxes.rules().chain => judge(level, below, goal, strip, judged),
                None => {
                    judged.clear();
                    judged.resize(strip.length, F::Jumpers::default());
                    judged
                }
            };
            let known = stopped[range].iter().zip(bad).zip(level.patterns(strip));
            for (((&stopped, &bad), pattern), bytes) in known.zip(bytes.chunks_exact_mut(width)) {
                let landed = landed(foxes, pattern, stopped, bad);
                foxes.pack(&landed, foxes.rules().all & !pattern, bytes);
            }
        });
    }
}

impl<F: Foxes> Landings<F> for Verdicts {
    const METRIC: Metric = Metric::Conversion;

    /// Nothing: jumps are judged for each goal separately.
    type Jumps = ();

    fn jumps(_level: &LevelView<'_, F>, _below: &[Self]) -> Result<(), TableError> {
        Ok(())
    }

    fn bad_jumps(
        level: &LevelView<'_, F>,
        below: &[Self],
        _jumps: &(),
        goal: Goal,
    ) -> Result<Replay<F::Set>, TableError> {
        let mut bad = level.sets();
        let strips = level.strips.iter().zip(by_strip(&level.strips, 1, &mut bad));
        parallel::for_each_with(strips, |judged, (strip, bad)| {
            let judged = judge(level, below, goal, strip, judged).iter();
            let judged = judged.map(|jumpers| level.game.foxes.of_any_jumper(jumpers));
            bad.iter_mut().zip(judged).for_each(|(bad, judged)| *bad = judged);
        });
        Ok(Replay::new(&level.strips, bad, Vec::new()))
    }

    fn keep_goal(
        &mut self,
        level: &LevelView<'_, F>,
        below: &[Self],
        goal: Goal,
        solved: &SolvedGoal<F>,
        bad: &[F::Set],
    ) {
        self.fill(level, below, goal, &level.strips, &solved.geese_to_move, F::as_jumpers(bad));
    }

    fn read(level: &LevelView<'_, F>, below: &[Self], file: &LayerFile) -> Result<Self, TableError> {
        let mut verdicts = Verdicts::default();
        for (chunk, strips) in (level.extent.first_chunk..).zip(level.layer.chunks_of(level.extent)) {
            let entries = read_rows(level, strips.clone(), file, chunk)?;
            let rows = entries.chunks_exact(level.game.columns(level.layer.geese).max(1) as usize);
            let strips = &level.strips[strips];
            let patterns: Vec<u64> = strips.iter().flat_map(|strip| level.patterns(strip)).collect();
            let reached = parallel::map(patterns.iter().zip(rows), |(pattern, row)| {
                goals_reached(&level.game.foxes, level.game.foxes.rules().all & !pattern, row)
            });
            for goal in Goal::BOTH {
                let reached: Vec<F::Set> = reached.iter().map(|reached| reached[goal as usize]).collect();
                verdicts.fill(level, below, goal, strips, &reached, None);
            }
        }
        Ok(verdicts)
    }
}

/// By goal: the placements with which the geese side reaches it, by a row of entries.
fn goals_reached<F: Foxes>(foxes: &F, empty: u64, row: &[TableEntry]) -> [F::Set; 2] {
    let mut reached = [F::Set::default(); 2];
    for (bit, entry) in foxes.bits(empty).zip(row) {
        let is_won = entry.winner() == Some(Side::Geese);
        let is_lost = entry.winner() == Some(Side::Fox);
        reached[Goal::Win as usize].toggle(bit / 64, u64::from(is_won) << (bit % 64));
        reached[Goal::NotLose as usize].toggle(bit / 64, u64::from(!is_lost) << (bit % 64));
    }
    reached
}

/// The placements with which the geese reach their goal after a fox has just jumped there, by the fox that jumped.
#[inline(always)]
fn landed<F: Foxes>(foxes: &F, pattern: u64, stopped: F::Set, bad: F::Jumpers) -> F::Jumpers {
    let rules = foxes.rules();
    let stopped = foxes.for_every_jumper(stopped);
    if !rules.chain {
        stopped
    } else if rules.forced_chain {
        // A fox that can jump on must not stop.
        (stopped | foxes.jumpers(pattern)) & !bad
    } else {
        stopped & !bad
    }
}

/// For each pattern of a strip: the placements from which some jump makes the geese miss the goal.
fn judge<'b, F: Foxes>(
    level: &LevelView<'_, F>,
    below: &[Verdicts],
    goal: Goal,
    strip: &Strip,
    bad: &'b mut Vec<F::Jumpers>,
) -> &'b [F::Jumpers] {
    let foxes = &level.game.foxes;
    bad.clear();
    if below.is_empty() {
        bad.extend(level.patterns(strip).map(|pattern| foxes.jumpers(pattern)));
        return bad;
    }
    bad.resize(strip.length, F::Jumpers::default());
    let width = landing_bytes(foxes, level.layer.geese - 1);
    level.visit_jumps(
        strip,
        |_| true,
        |jump| {
            let verdicts = &below[jump.level].0[goal as usize];
            foxes.add_failing(jump, &verdicts[jump.number_after * width..], &mut bad[jump.number]);
        },
    );
    bad
}

/// Forgets the levels of a layer to which no jump from a pattern with this sum of ranks or a smaller one leads: a
/// captured goose lowers the sum by 0 or more.
pub(super) fn forget_above<L: Default>(layer: &LayerPatterns, landings: &mut [L], ranks: u32) {
    let levels = layer.levels.iter().zip(landings).filter(|(level, _)| level.ranks > ranks);
    levels.for_each(|(_, landings)| *landings = L::default());
}
