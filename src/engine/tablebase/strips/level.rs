//! A game and its levels, with the patterns to which moves of geese and jumps of foxes lead, a strip at a time.
//!
//! A move of a goose either keeps the head, so that the patterns after it stand in a strip with the same head, or
//! changes it. In both cases it leads from a strip to one other strip, where the sets of neighbouring patterns stand
//! side by side. If only an image of the new head is kept, these sets are first joined in the order of the images, and
//! turned back once. A jump takes a goose off, and leads to a strip of the layer below.

use std::ops::Range;
use std::sync::OnceLock;

use super::foxes::{Foxes, Jump, OneFox};
use super::layer::{LayerPatterns, Level, Strip, by_strip};
use super::numbering::{NO_GROUP, Pair, PatternNumbering, TailLists};
use super::rules::PatternRules;
use crate::geometry::{Word, singles};
use crate::parallel;
use crate::rules::hunt::{Hunt, Side};

/// A goal of the geese side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    Win,
    NotLose,
}

impl Goal {
    pub(super) const BOTH: [Goal; 2] = [Goal::Win, Goal::NotLose];

    /// The side that wins where the sets change from round to round.
    pub(super) fn winner(self) -> Side {
        match self {
            Goal::Win => Side::Geese,
            Goal::NotLose => Side::Fox,
        }
    }
}

/// A game with a fixed number of foxes, with its numbering and layers.
pub(super) struct StripGame<F: Foxes> {
    pub foxes: F,
    pub numbering: PatternNumbering,
    /// The moves of tails, as far as [`list_moves`](StripGame::list_moves) has listed them.
    pub lists: TailLists,
    /// By number of geese: the layer, made when it is first asked for.
    layers: Vec<OnceLock<LayerPatterns>>,
}

impl<F: Foxes> StripGame<F> {
    /// The game without any listed moves; `None` when the ruleset needs another method.
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Option<Self> {
        let foxes = F::new(PatternRules::of(game, F::NUMBER)?)?;
        let numbering = PatternNumbering::new(foxes.rules())?;
        let layers = (0..=foxes.rules().points()).map(|_| OnceLock::new()).collect();
        Some(StripGame { foxes, numbering, lists: TailLists::default(), layers })
    }

    /// Lists the moves of all tails with at most `geese` geese, unless that has been done.
    pub(super) fn list_moves(&mut self, geese: u32) {
        if self.lists.most_geese < Some(geese) {
            // The lists for fewer geese must not stand beside the new ones.
            self.lists = TailLists::default();
            self.lists = TailLists::new(self.foxes.rules(), &self.numbering, geese);
        }
    }

    /// The patterns of a layer with at most as many geese as the board has points. In a file they stand after those of
    /// positions with fewer foxes.
    pub(super) fn layer(&self, geese: u32) -> &LayerPatterns {
        self.layers[geese as usize].get_or_init(|| {
            let rules = self.foxes.rules();
            let numbering = &self.numbering;
            let is_behind = rules.fewest_foxes < F::NUMBER;
            let before = is_behind.then(|| LayerPatterns::new(rules, numbering, geese, OneFox::CHUNK_PATTERNS, 0));
            let before = before.map_or(0, |layer| layer.chunks());
            LayerPatterns::new(rules, numbering, geese, F::CHUNK_PATTERNS, before)
        })
    }

    /// The number of placements of the foxes beside a pattern of this many geese.
    pub(super) fn columns(&self, geese: u32) -> u32 {
        F::columns(self.foxes.rules().points().saturating_sub(geese))
    }

    /// The level of a layer with this number.
    pub(super) fn level(&self, geese: u32, number: usize) -> LevelView<'_, F> {
        let layer = self.layer(geese);
        let extent = &layer.levels[number];
        LevelView { game: self, layer, extent, strips: layer.strips(&self.numbering, extent) }
    }
}

/// A level of a layer, with all its strips.
pub(super) struct LevelView<'a, F: Foxes> {
    pub game: &'a StripGame<F>,
    pub layer: &'a LayerPatterns,
    pub extent: &'a Level,
    pub strips: Vec<Strip>,
}

/// A kind of goose moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GooseMoves {
    /// Moves that can be undone, which stay in a level.
    Within,
    /// Moves that cannot be undone, which lead to the level above.
    Onward,
}

/// How a move changes the tail of a pattern.
#[derive(Clone, Copy, Debug)]
enum TailChange<'a> {
    Same,
    /// The tail gains a goose on the point with this number.
    More(usize),
    /// The tail loses a goose from the point with this number.
    Fewer(usize),
    /// The move stays within the tail; the pairs are numbers of tails before and after it.
    Slides(&'a [Pair]),
}

/// A strip to which a move leads, and how its patterns match those before the move.
#[derive(Clone, Debug)]
pub(super) struct Neighbour<'a> {
    /// The number of the strip's level, and that of the strip there.
    level: usize,
    pub strip: usize,
    /// The numbers of the strip's patterns in the level.
    range: Range<usize>,
    /// The symmetry that maps the head after the move onto that of the strip.
    symmetry: u8,
    tails: u32,
    change: TailChange<'a>,
}

impl<'a, F: Foxes> LevelView<'a, F> {
    /// The patterns of a strip in order.
    #[inline(always)]
    pub(super) fn patterns(&self, strip: &Strip) -> impl Iterator<Item = u64> + use<'a, F> {
        strip.patterns(&self.game.numbering)
    }

    /// An empty set for each pattern of the level.
    pub(super) fn sets(&self) -> Vec<F::Set> {
        vec![F::Set::default(); self.extent.patterns]
    }

    /// The number of positions with either side to move; images of patterns counted separately.
    pub(super) fn positions(&self) -> u64 {
        let patterns: u64 = self.strips.iter().map(|strip| strip.images * strip.length as u64).sum();
        2 * patterns * u64::from(self.game.columns(self.layer.geese))
    }

    /// The strips to which geese move from a strip, ordered by symmetry.
    pub(super) fn neighbours(&self, moves: GooseMoves, strip: &Strip) -> Vec<Neighbour<'a>> {
        let StripGame { foxes, numbering, lists, .. } = self.game;
        let rules = foxes.rules();
        let head = numbering.head;
        let tails = lists.of(strip.tails);
        let (shifts, slides) = match moves {
            GooseMoves::Within => (&rules.within, &tails.within),
            GooseMoves::Onward => (&rules.onward, &tails.onward),
        };
        let mut neighbours = Vec::new();
        for (group, pairs) in slides {
            neighbours.extend(self.neighbour(self.layer, strip.head, *group, TailChange::Slides(pairs), 0));
        }
        for shift in shifts {
            for from in singles(shift.points) {
                let to = from.rotate_left(shift.rotation);
                let found = match (from & head != 0, to & head != 0) {
                    (true, true) if strip.head & from != 0 && strip.head & to == 0 => {
                        self.neighbour(self.layer, strip.head ^ from ^ to, strip.tails, TailChange::Same, 0)
                    }
                    (true, false) if strip.head & from != 0 => {
                        let index = lists.index(to);
                        self.neighbour(self.layer, strip.head ^ from, tails.more[index], TailChange::More(index), to)
                    }
                    (false, true) if strip.head & to == 0 => {
                        let index = lists.index(from);
                        self.neighbour(self.layer, strip.head ^ to, tails.fewer[index], TailChange::Fewer(index), from)
                    }
                    _ => None,
                };
                neighbours.extend(found);
            }
        }
        neighbours.sort_unstable_by_key(|found| (found.symmetry, found.strip));
        neighbours
    }

    /// The strip of a layer with this head and this group of tails; `point` is the one where the tail gains or loses a
    /// goose.
    fn neighbour(
        &self,
        layer: &LayerPatterns,
        head: u64,
        tails: u32,
        change: TailChange<'a>,
        point: u64,
    ) -> Option<Neighbour<'a>> {
        let StripGame { numbering, lists, .. } = self.game;
        let at = numbering.head_place(head);
        let group = if tails == NO_GROUP { None } else { layer.group(at.group, tails) }?;
        let image = || lists.index(numbering.symmetries[usize::from(at.symmetry)].apply(point));
        let change = match change {
            TailChange::More(_) => TailChange::More(image()),
            TailChange::Fewer(_) => TailChange::Fewer(image()),
            TailChange::Same | TailChange::Slides(_) => change,
        };
        let level = group.level as usize;
        let strip = group.strip(at.number);
        let range = group.range(at.number);
        Some(Neighbour { level, strip, range, symmetry: at.symmetry, tails, change })
    }

    /// Adds to each set in `joined` the sets of the patterns to which goose moves lead. The neighbours must be ordered
    /// by symmetry; `turned` is a buffer.
    pub(super) fn join(
        &self,
        strip: &Strip,
        neighbours: &[Neighbour<'_>],
        sets: &[F::Set],
        joined: &mut [F::Set],
        turned: &mut Vec<F::Set>,
    ) {
        let StripGame { foxes, numbering, lists, .. } = self.game;
        for alike in neighbours.chunk_by(|one, other| one.symmetry == other.symmetry) {
            let symmetry = usize::from(alike[0].symmetry);
            if symmetry == 0 {
                alike.iter().for_each(|neighbour| self.join_one(strip, neighbour, sets, joined));
                continue;
            }
            turned.clear();
            turned.resize(joined.len(), F::Set::default());
            alike.iter().for_each(|neighbour| self.join_one(strip, neighbour, sets, turned));
            let back = usize::from(numbering.inverses[symmetry]);
            for (set, &image) in joined.iter_mut().zip(&lists.of(strip.tails).images[symmetry]) {
                *set |= foxes.image(back, turned[image as usize]);
            }
        }
    }

    /// Adds the sets of one neighbour, in the order of its own tails.
    fn join_one(&self, strip: &Strip, neighbour: &Neighbour<'_>, sets: &[F::Set], joined: &mut [F::Set]) {
        let (lists, sets) = (&self.game.lists, &sets[neighbour.range.clone()]);
        match neighbour.change {
            TailChange::Same => joined.iter_mut().zip(sets).for_each(|(joined, set)| *joined |= *set),
            TailChange::More(point) => {
                let links = &lists.of(strip.tails).links[point];
                links.iter().for_each(|&[without, with]| joined[without as usize] |= sets[with as usize]);
            }
            TailChange::Fewer(point) => {
                let links = &lists.of(neighbour.tails).links[point];
                links.iter().for_each(|&[without, with]| joined[with as usize] |= sets[without as usize]);
            }
            TailChange::Slides(pairs) => {
                pairs.iter().for_each(|&[before, after]| joined[before as usize] |= sets[after as usize]);
            }
        }
    }

    /// Calls `visit` with the jumps from the patterns of a strip to those levels of the layer below that are `wanted`.
    #[inline(always)]
    pub(super) fn visit_jumps(&self, strip: &Strip, wanted: impl Fn(usize) -> bool, mut visit: impl FnMut(&Jump)) {
        let StripGame { foxes, numbering, lists, .. } = self.game;
        let rules = foxes.rules();
        let tails = lists.of(strip.tails);
        let below = self.game.layer(self.layer.geese - 1);
        let middles = rules.jumps.iter().fold(0, |all, axis| all | axis.points);
        // All patterns that lack one of the geese stand in one strip.
        for over in singles(middles & (strip.head | numbering.tail)) {
            let head = strip.head & !over;
            let found = if head != strip.head {
                self.neighbour(below, head, strip.tails, TailChange::Same, 0)
            } else {
                let index = lists.index(over);
                self.neighbour(below, head, tails.fewer[index], TailChange::Fewer(index), over)
            };
            let Some(after) = found.filter(|after| wanted(after.level)) else { continue };
            let symmetry = usize::from(after.symmetry);
            let map = &numbering.symmetries[symmetry];
            let back = usize::from(numbering.inverses[symmetry]);
            let kept_head = map.apply(head);
            let first = after.range.start;
            let axes = rules.jumps.iter().filter(|axis| axis.points & over != 0);
            let ends = axes.map(|axis| axis.ends(over)).flat_map(|(up, down)| [(down, up), (up, down)]);
            let jump =
                |(from, to)| Jump { from, to, landing: map.apply(to), level: after.level, back, ..Jump::default() };
            let jumps: Vec<Jump> = ends.map(jump).collect();
            let tails_of = |group: u32| &numbering.tail_groups[group as usize][..];
            let (tails_before, tails_after) = (tails_of(strip.tails), tails_of(after.tails));
            let mut show = |number: u32, tail_after: u32| {
                let number = number as usize;
                let tail_after = tail_after as usize;
                let pattern = strip.head | tails_before[number];
                let empty = rules.all & !(kept_head | tails_after[tail_after]);
                let open = jumps.iter().filter(|jump| pattern & (jump.from | jump.to) == 0);
                open.for_each(|jump| {
                    visit(&Jump { number, pattern, number_after: first + tail_after, empty, ..*jump })
                });
            };
            match after.change {
                TailChange::Fewer(point) => {
                    lists.of(after.tails).links[point].iter().for_each(|&[without, with]| show(with, without));
                }
                _ => (0..).zip(&tails.images[symmetry]).for_each(|(number, &tail_after)| show(number, tail_after)),
            }
        }
    }

    /// The `set` of each pattern of these strips.
    pub(super) fn map(&self, strips: &[Strip], set: impl Fn(u64) -> F::Set + Sync) -> Vec<F::Set> {
        let mut sets = vec![F::Set::default(); strips.iter().map(|strip| strip.length).sum()];
        parallel::for_each(strips.iter().zip(by_strip(strips, 1, &mut sets)), |(strip, sets)| {
            sets.iter_mut().zip(self.patterns(strip)).for_each(|(found, pattern)| *found = set(pattern));
        });
        sets
    }
}
