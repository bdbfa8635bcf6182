//! Every position of a layer, listed or drawn.

use rand::{Rng, RngExt};

use crate::geometry::{Point, PointSet, Word};
use crate::rules::Game;
use crate::rules::hunt::{Huff, Hunt, Position, Side};
use crate::tablebase::TableError;
use crate::tablebase::binomials::binomial;

use super::Check;

/// The positions of a layer: all placements of foxes and geese, both sides to move, mirrored ones separately; what is
/// in hand and what is owed where the ruleset knows such things.
pub(super) struct Placements<'a, W: Word> {
    game: &'a Hunt<W>,
    points: Vec<Point>,
    deals: Vec<PieceCounts>,
}

/// How the pieces of a layer are divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceCounts {
    foxes: u32,
    /// Geese on the board.
    geese: u32,
    hand: u8,
}

/// A run of goose patterns of one deal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    deal: PieceCounts,
    first: u64,
    count: u64,
}

impl<'a, W: Word> Placements<'a, W> {
    pub(super) fn new(game: &'a Hunt<W>, layer: u32) -> Self {
        let rules = &game.ruleset().rules;
        let points = game.board().points().to_vec();
        let fewest_foxes = if rules.huff == Huff::RemoveFox { 1 } else { rules.foxes };
        let most_in_hand = match rules.huff {
            Huff::AddGoose | Huff::AddGooseHome => layer,
            _ => rules.drops.min(layer),
        };
        let deal = |foxes: u32, hand: u32| PieceCounts { foxes, geese: layer - hand, hand: hand as u8 };
        let fits = |deal: &PieceCounts| (deal.foxes + deal.geese) as usize <= points.len();
        let deals =
            (fewest_foxes..=rules.foxes).flat_map(|foxes| (0..=most_in_hand).map(move |hand| deal(foxes, hand)));
        Placements { game, deals: deals.filter(fits).collect(), points }
    }

    /// How many there are, what is owed left out of account.
    pub(super) fn positions(&self) -> u128 {
        self.deals.iter().map(|deal| self.placements(deal).saturating_mul(2)).fold(0, u128::saturating_add)
    }

    /// Goose patterns in runs, together all of them.
    pub(super) fn batches(&self, size: u64) -> Vec<Batch> {
        let of_deal = |&deal: &PieceCounts| {
            let patterns = u64::try_from(binomial(self.points.len() as u32, deal.geese)).unwrap_or(u64::MAX);
            let batch = move |first: u64| Batch { deal, first, count: size.min(patterns - first) };
            (0..patterns.div_ceil(size)).map(move |number| batch(number * size))
        };
        self.deals.iter().flat_map(of_deal).collect()
    }

    /// Shows every position of a run.
    pub(super) fn visit(&self, batch: &Batch, check: &mut Check<'_, W>) -> Result<(), TableError> {
        let deal = batch.deal;
        let mut members = unrank(batch.first, self.points.len() as u32, deal.geese);
        let next = |_| {
            let geese: PointSet<W> = members.iter().map(|&member| self.points[member]).collect();
            advance(&mut members);
            geese
        };
        let patterns: Vec<PointSet<W>> = (0..batch.count).map(next).collect();
        let mut places: Vec<usize> = (0..deal.foxes as usize).collect();
        // One set of foxes with all patterns, then the next one: what stands together in a file is asked together.
        for _ in 0..binomial(self.points.len() as u32, deal.foxes) {
            let foxes: PointSet<W> = places.iter().map(|&place| self.points[place]).collect();
            let mut apart = patterns.iter().filter(|geese| geese.is_disjoint(foxes));
            apart.try_for_each(|&geese| self.of_placement(foxes, geese, deal.hand, check))?;
            advance(&mut places);
        }
        Ok(())
    }

    /// A position drawn at random, each placement as likely as any other, without anything owed.
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> Position<W> {
        let deal = self.draw_deal(rng);
        let mut points = self.points.clone();
        let mut take = |count: u32, from: usize| -> PointSet<W> {
            for index in from..from + count as usize {
                let other = rng.random_range(index..points.len());
                points.swap(index, other);
            }
            points[from..from + count as usize].iter().copied().collect()
        };
        let geese = take(deal.geese, 0);
        let foxes = take(deal.foxes, deal.geese as usize);
        let side = if rng.random() { Side::Fox } else { Side::Geese };
        Position::new(foxes, geese, side).with_hand(deal.hand)
    }

    fn draw_deal<R: Rng>(&self, rng: &mut R) -> PieceCounts {
        let total = self.deals.iter().map(|deal| self.placements(deal) as f64).sum::<f64>();
        let mut mark = rng.random::<f64>() * total;
        let hit = |deal: &&PieceCounts| {
            mark -= self.placements(deal) as f64;
            mark < 0.0
        };
        // Rounding may leave a mark behind the last one.
        self.deals.iter().find(hit).or(self.deals.last()).copied().unwrap_or(PieceCounts {
            foxes: 0,
            geese: 0,
            hand: 0,
        })
    }

    fn placements(&self, deal: &PieceCounts) -> u128 {
        let points = self.points.len() as u32;
        binomial(points, deal.geese).saturating_mul(binomial(points - deal.geese, deal.foxes))
    }

    /// Both sides to move, and whatever may be owed.
    fn of_placement(
        &self,
        foxes: PointSet<W>,
        geese: PointSet<W>,
        hand: u8,
        check: &mut Check<'_, W>,
    ) -> Result<(), TableError> {
        let rules = &self.game.ruleset().rules;
        let to_move = |side: Side| Position::new(foxes, geese, side).with_hand(hand);
        check(to_move(Side::Geese))?;
        check(to_move(Side::Fox))?;
        if rules.first_move_may_wait() {
            check(to_move(Side::Geese).with_first(true))?;
            check(to_move(Side::Fox).with_first(true))?;
        }
        match rules.huff {
            Huff::AddGoose | Huff::AddGooseHome if hand > 0 => {
                let owed = to_move(Side::Geese).with_drop_owed();
                if self.game.count_moves(&owed) > 0 { check(owed) } else { Ok(()) }
            }
            Huff::RemoveFox => subsets(foxes)
                .filter(|owed| owed.len() > 1)
                .try_for_each(|owed| check(to_move(Side::Geese).with_owed(owed))),
            _ => Ok(()),
        }
    }
}

/// All subsets of a set of a few points.
fn subsets<W: Word>(set: PointSet<W>) -> impl Iterator<Item = PointSet<W>> {
    let points: Vec<Point> = set.iter().collect();
    (0..1u32 << points.len()).map(move |choice| {
        points.iter().enumerate().filter(|(index, _)| choice >> index & 1 == 1).map(|(_, &point)| point).collect()
    })
}

/// The members, from low to high, of the set that has `rank` sets of its size before it in the request of [`advance`].
fn unrank(rank: u64, n: u32, size: u32) -> Vec<usize> {
    let (mut rest, mut member) = (u128::from(rank), n);
    let mut members = vec![0; size as usize];
    for (index, place) in members.iter_mut().enumerate().rev() {
        let before = |member: u32| binomial(member, index as u32 + 1);
        member = (0..member).rev().find(|&member| before(member) <= rest).unwrap_or(0);
        rest -= before(member);
        *place = member as usize;
    }
    members
}

/// The next set of the same size: the lowest member that can goes one up, those below it back to the beginning.
fn advance(members: &mut [usize]) {
    for index in 0..members.len() {
        members[index] += 1;
        if members.get(index + 1).is_none_or(|&next| members[index] < next) {
            return;
        }
        members[index] = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_its_set() {
        for size in 0..=9 {
            let mut members: Vec<usize> = (0..size as usize).collect();
            for rank in 0..binomial(9, size) as u64 {
                assert_eq!(unrank(rank, 9, size), members);
                advance(&mut members);
            }
        }
    }
}
