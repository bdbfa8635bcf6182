//! Lists the positions of a layer, or draws some at random, by the rules alone.

use rand::{Rng, RngExt};

use super::Check;
use crate::geometry::{Point, PointSet, Word, subsets};
use crate::rules::Game;
use crate::rules::hunt::{Huff, Hunt, Phase, Position, Side};
use crate::tablebase::TableError;
use crate::tablebase::sets::{Binomials, all_sets, binomial, sets_from};

/// The positions of a layer: all placements of foxes and geese, with either side to move, mirrored ones separately,
/// with everything that can be in hand or owed under the ruleset.
pub(super) struct LayerListing<'a, W: Word> {
    game: &'a Hunt<W>,
    points: Vec<Point>,
    binomials: Binomials,
    piece_counts: Vec<PieceCounts>,
}

/// The numbers of foxes, of geese on the board, and of geese in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PieceCounts {
    foxes: u32,
    /// The number of geese on the board.
    geese: u32,
    hand: u8,
}

/// Consecutive goose patterns with the same numbers of pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternRun {
    counts: PieceCounts,
    first: u64,
    count: u64,
}

impl<'a, W: Word> LayerListing<'a, W> {
    pub(super) fn new(game: &'a Hunt<W>, layer: u32) -> Self {
        let rules = &game.ruleset().rules;
        let points = game.board().points().to_vec();
        let fewest_foxes = if rules.huff == Huff::RemoveFox { 1 } else { rules.foxes };
        let most_in_hand = match rules.huff {
            Huff::AddGoose | Huff::AddGooseHome => layer,
            _ => rules.drops.min(layer),
        };
        let counts = |foxes: u32, hand: u32| PieceCounts { foxes, geese: layer - hand, hand: hand as u8 };
        let fits = |counts: &PieceCounts| (counts.foxes + counts.geese) as usize <= points.len();
        let piece_counts =
            (fewest_foxes..=rules.foxes).flat_map(|foxes| (0..=most_in_hand).map(move |hand| counts(foxes, hand)));
        LayerListing {
            game,
            piece_counts: piece_counts.filter(fits).collect(),
            binomials: Binomials::new(points.len() as u32),
            points,
        }
    }

    /// The number of positions, without those in which something is owed.
    pub(super) fn positions(&self) -> u128 {
        self.piece_counts.iter().map(|counts| self.placements(counts).saturating_mul(2)).fold(0, u128::saturating_add)
    }

    /// Splits all goose patterns into runs of at most `size`.
    pub(super) fn batches(&self, size: u64) -> Vec<PatternRun> {
        let runs = |&counts: &PieceCounts| {
            let patterns = u64::try_from(binomial(self.points.len() as u32, counts.geese)).unwrap_or(u64::MAX);
            let batch = move |first: u64| PatternRun { counts, first, count: size.min(patterns - first) };
            (0..patterns.div_ceil(size)).map(move |number| batch(number * size))
        };
        self.piece_counts.iter().flat_map(runs).collect()
    }

    /// Calls `check` with every position of a run.
    pub(super) fn visit(&self, batch: &PatternRun, check: &mut Check<'_, W>) -> Result<(), TableError> {
        let counts = batch.counts;
        let mut members = vec![0; counts.geese as usize];
        self.binomials.unrank(batch.first, self.points.len(), &mut members);
        let patterns: Vec<PointSet<W>> = sets_from(&self.points, members).take(batch.count as usize).collect();
        // One set of foxes takes all patterns, then the next one: so neighbours in a file are probed together.
        for foxes in all_sets(&self.points, counts.foxes) {
            let mut apart = patterns.iter().filter(|geese| geese.is_disjoint(foxes));
            apart.try_for_each(|&geese| self.of_placement(foxes, geese, counts.hand, check))?;
        }
        Ok(())
    }

    /// Draws a random position without anything owed, each placement and side to move as likely as any other.
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> Position<W> {
        let counts = self.draw_counts(rng);
        let mut points = self.points.clone();
        let mut take = |count: u32, from: usize| -> PointSet<W> {
            for index in from..from + count as usize {
                let other = rng.random_range(index..points.len());
                points.swap(index, other);
            }
            points[from..from + count as usize].iter().copied().collect()
        };
        let geese = take(counts.geese, 0);
        let foxes = take(counts.foxes, counts.geese as usize);
        let side = if rng.random() { Side::Fox } else { Side::Geese };
        Position { hand: counts.hand, ..Position::new(foxes, geese, side) }
    }

    fn draw_counts<R: Rng>(&self, rng: &mut R) -> PieceCounts {
        let total = self.piece_counts.iter().map(|counts| self.placements(counts) as f64).sum::<f64>();
        let mut mark = rng.random::<f64>() * total;
        let hit = |counts: &&PieceCounts| {
            mark -= self.placements(counts) as f64;
            mark < 0.0
        };
        // Rounding may leave the mark after the last one.
        self.piece_counts.iter().find(hit).or(self.piece_counts.last()).copied().unwrap_or_default()
    }

    fn placements(&self, counts: &PieceCounts) -> u128 {
        let points = self.points.len() as u32;
        binomial(points, counts.geese).saturating_mul(binomial(points - counts.geese, counts.foxes))
    }

    /// Calls `check` with the positions of a placement: either side to move, and everything that may be owed.
    fn of_placement(
        &self,
        foxes: PointSet<W>,
        geese: PointSet<W>,
        hand: u8,
        check: &mut Check<'_, W>,
    ) -> Result<(), TableError> {
        let rules = &self.game.ruleset().rules;
        let to_move = |side: Side| Position { hand, ..Position::new(foxes, geese, side) };
        check(to_move(Side::Geese))?;
        check(to_move(Side::Fox))?;
        if rules.first_move_may_wait() {
            check(Position { first: true, ..to_move(Side::Geese) })?;
            check(Position { first: true, ..to_move(Side::Fox) })?;
        }
        match rules.huff {
            Huff::AddGoose | Huff::AddGooseHome if hand > 0 => {
                let owed = Position { phase: Phase::Drop, ..to_move(Side::Geese) };
                if self.game.count_moves(&owed) > 0 { check(owed) } else { Ok(()) }
            }
            Huff::RemoveFox => subsets(foxes.word())
                .map(PointSet::from_word)
                .filter(|owed| owed.len() > 1)
                .try_for_each(|owed| check(Position { phase: Phase::Remove, owed, ..to_move(Side::Geese) })),
            _ => Ok(()),
        }
    }
}
