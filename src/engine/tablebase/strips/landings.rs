//! What jumps of the foxes lead to in the layer below: to stop there or to jump on, whichever is better for them.

use super::foxes::{Foxes, Landing};
use super::jumps::visit_jumped;
use super::layer::{LayerPatterns, Strip, by_strip};
use super::numbering::PatternNumbering;
use super::tail_moves::TailLists;
use crate::parallel;

/// For every pattern of a layer the placements in which a fox that lands cannot keep the geese from their goal.
pub(super) struct Landings {
    layer: LayerPatterns,
    /// By level: the number of its first pattern here. The levels stand in reverse, so that those which are asked for
    /// no more can be cut off.
    offsets: Vec<usize>,
    /// Bytes of a pattern, packed as [`Foxes::pack`] does.
    width: usize,
    /// Of a level that is not known yet they are zero, which takes no memory.
    bytes: Vec<u8>,
}

/// Eight bytes are read at the last place, too.
const SLACK: usize = 8;

/// Bytes of a pattern with so many geese.
pub(super) fn landing_bytes<F: Foxes>(foxes: &F, geese: u32) -> usize {
    F::packed_bytes(foxes.rules().points().saturating_sub(geese))
}

impl Landings {
    /// Those of a layer, of which nothing is known yet.
    pub(super) fn new<F: Foxes>(foxes: &F, layer: LayerPatterns) -> Landings {
        let (mut behind, mut offsets) = (0, vec![0; layer.levels.len()]);
        for (level, offset) in layer.levels.iter().zip(&mut offsets).rev() {
            *offset = behind;
            behind += level.patterns;
        }
        let width = landing_bytes(foxes, layer.geese);
        let bytes = vec![0; behind * width + SLACK];
        Landings { layer, offsets, width, bytes }
    }

    /// Lets the levels go that no jump from a pattern with this sum of ranks or a smaller one leads to: it takes a
    /// goose away, whose rank is 0 at least.
    pub(super) fn forget_above(&mut self, ranks: u32) {
        let mut levels = self.layer.levels.iter().zip(&self.offsets);
        let kept = levels.find(|(level, _)| level.ranks <= ranks).map_or(0, |(level, offset)| offset + level.patterns);
        self.bytes.truncate(kept * self.width + SLACK);
        self.bytes.shrink_to_fit();
    }

    /// Takes what is known of some strips that stand side by side in a level: where the geese reach their goal with the
    /// geese to move, and from where some jump goes wrong for them, if it is known for each fox.
    pub(super) fn fill<F: Foxes>(
        &mut self,
        judge: &JumpJudge<'_, F>,
        level: usize,
        strips: &[Strip],
        stopped: &[F::Set],
        bad: Option<&[F::Jumpers]>,
    ) {
        let first = strips.first().map_or(0, |strip| strip.start);
        let bytes = &mut self.bytes[(self.offsets[level] + first) * self.width..];
        let strips = strips.iter().zip(by_strip(strips, self.width, bytes));
        parallel::for_each_with(strips, |judged, (strip, bytes)| {
            let range = strip.start - first..strip.start - first + strip.length;
            let bad = match bad {
                Some(bad) => &bad[range.clone()],
                None => judge.judge_chains(strip, judged),
            };
            let known = stopped[range].iter().zip(bad).zip(strip.patterns(judge.numbering));
            for (((&stopped, &bad), pattern), bytes) in known.zip(bytes.chunks_exact_mut(self.width)) {
                let landed = judge.landed(pattern, stopped, bad);
                judge.foxes.pack(&landed, judge.foxes.rules().all & !pattern, bytes);
            }
        });
    }
}

/// Finds out which jumps go wrong for the geese.
pub(super) struct JumpJudge<'a, F: Foxes> {
    pub foxes: &'a F,
    pub numbering: &'a PatternNumbering,
    pub lists: &'a TailLists,
    /// `None` when every capture wins.
    pub below: Option<&'a Landings>,
}

impl<F: Foxes> JumpJudge<'_, F> {
    /// Where the geese reach their goal when a fox has landed, stopping there or going on.
    #[inline(always)]
    fn landed(&self, pattern: u64, stopped: F::Set, bad: F::Jumpers) -> F::Jumpers {
        let (foxes, rules) = (self.foxes, self.foxes.rules());
        let stopped = foxes.for_every_jumper(stopped);
        match (rules.chain, rules.forced_chain) {
            (false, _) => stopped,
            (true, false) => stopped & !bad,
            (true, true) => (stopped | foxes.jumpers(pattern)) & !bad,
        }
    }

    /// As [`judge`](Self::judge); where foxes may not jump on, no jump goes wrong.
    fn judge_chains<'b>(&self, strip: &Strip, bad: &'b mut Vec<F::Jumpers>) -> &'b [F::Jumpers] {
        if self.foxes.rules().chain {
            return self.judge(strip, bad);
        }
        bad.clear();
        bad.resize(strip.length, F::Jumpers::default());
        bad
    }

    /// For each pattern of a strip the placements from which some jump goes wrong for the geese.
    pub(super) fn judge<'b>(&self, strip: &Strip, bad: &'b mut Vec<F::Jumpers>) -> &'b [F::Jumpers] {
        bad.clear();
        let Some(below) = self.below else {
            bad.extend(strip.patterns(self.numbering).map(|pattern| self.foxes.jumpers(pattern)));
            return bad;
        };
        bad.resize(strip.length, F::Jumpers::default());
        let game = (self.foxes, self.numbering, self.lists);
        visit_jumped(
            game,
            strip,
            &below.layer,
            |_| true,
            |goose| {
                let bytes = &below.bytes[(below.offsets[goose.level] + goose.landed) * below.width..];
                for (jump, to) in goose.jumps() {
                    let landing = Landing { bytes, empty: goose.empty, to, back: goose.back };
                    self.foxes.add_failing(jump, &landing, goose.pattern, &mut bad[goose.number]);
                }
            },
        );
        bad
    }
}
