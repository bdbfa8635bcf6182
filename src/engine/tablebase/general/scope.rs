//! Counts the positions of a ruleset that have entries, without listing them.

use std::ops::RangeInclusive;

use crate::geometry::{Point, Symmetry, Vector, Word};
use crate::rules::hunt::{Huff, Hunt};
use crate::tablebase::sets::binomial;

/// The most sets of foxes for which a table is built.
const MOST_FOX_SETS: u128 = 1 << 22;
/// The most foxes in a game in which some of them may be owed.
const MOST_OWED: u32 = 8;
/// The most positions of a layer: more than any memory holds, and few enough that no sum overflows.
const MOST_POSITIONS: u128 = 1 << 44;

/// The symmetries under which images share an entry: the identity and, if it keeps the rules, the mirror of left and
/// right.
pub(super) fn mirrors<W: Word>(game: &Hunt<W>) -> Vec<Symmetry> {
    let (right, up) = (Vector { files: 1, ranks: 0 }, Vector { files: 0, ranks: 1 });
    let left = Vector { files: -1, ranks: 0 };
    let is_mirror = |symmetry: &Symmetry| symmetry.vector(up) == up && [left, right].contains(&symmetry.vector(right));
    game.symmetries().into_iter().filter(is_mirror).collect()
}

/// Whose turn it is and what is owed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TurnType {
    FoxToMove,
    GeeseToMove,
    /// The geese side puts a goose in hand on the board.
    Drop,
    /// The geese side takes a fox off.
    Remove,
}

/// The geese off the board that can be put onto it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hand {
    Empty,
    /// Captured geese, which huffs bring back.
    Captured,
    /// A stock to be dropped; captured geese are gone for good.
    Stock,
}

/// What the positions of a block have in common: what is to be done, and the numbers of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Material {
    pub kind: TurnType,
    pub foxes: u32,
    /// The number of geese on the board.
    pub geese: u32,
    pub hand: u32,
    /// Whether the first goose move is still to come.
    pub first: bool,
}

impl Material {
    /// The number of sets of foxes that may be owed, which have two or more members; 1 if none is to be taken off.
    pub(super) fn choices(&self) -> u64 {
        match self.kind {
            TurnType::Remove => (1 << self.foxes.min(32)) - 1 - u64::from(self.foxes),
            _ => 1,
        }
    }
}

/// The limits that the rules set to positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    points: u32,
    /// The number of points that the mirror keeps; all points where there is no mirror.
    unmoved_points: u32,
    pub most_foxes: u32,
    pub fewest_foxes: u32,
    fox_wins_below: u32,
    hand: Hand,
    drops: u32,
    keeps_first: bool,
}

impl Scope {
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Self {
        let rules = &game.ruleset().rules;
        let hand = match rules.huff {
            Huff::AddGoose | Huff::AddGooseHome => Hand::Captured,
            _ if rules.drops > 0 => Hand::Stock,
            _ => Hand::Empty,
        };
        let all = game.board().points();
        let mirrors = mirrors(game);
        let is_unmoved = |point: &&Point| mirrors.iter().all(|mirror| mirror.point(**point) == **point);
        Scope {
            unmoved_points: all.iter().filter(is_unmoved).count() as u32,
            points: all.len() as u32,
            most_foxes: rules.foxes,
            fewest_foxes: if rules.huff == Huff::RemoveFox { 1 } else { rules.foxes },
            fox_wins_below: rules.fox_wins_below,
            hand,
            drops: rules.drops,
            // If it may not wait it comes within a few plies, so that positions before it need no entries.
            keeps_first: rules.first_move_may_wait(),
        }
    }

    /// The number of geese of the first layer; with fewer geese the fox side has won.
    pub(super) fn first_layer(&self) -> u32 {
        self.fox_wins_below
    }

    /// The most geese that the board holds; fewer than in the first layer if there are too many foxes to number.
    pub(super) fn most_geese(&self) -> u32 {
        let owes_too_many = self.removes() && self.most_foxes > MOST_OWED;
        let fox_sets = binomial(self.points, self.most_foxes.min(self.points / 2));
        if owes_too_many || fox_sets > MOST_FOX_SETS {
            return self.first_layer().saturating_sub(1);
        }
        self.points.saturating_sub(self.fewest_foxes)
    }

    /// The layers whose positions can be numbered.
    pub(super) fn layers(&self) -> RangeInclusive<u32> {
        let first = self.first_layer();
        let layers = first..=self.most_geese();
        let last = layers.take_while(|&layer| self.positions(layer) <= MOST_POSITIONS).last();
        first..=last.unwrap_or(first.saturating_sub(1))
    }

    /// Whether a huff can take a fox off.
    pub(super) fn removes(&self) -> bool {
        self.fewest_foxes < self.most_foxes
    }

    /// Whether captured geese never come back, so that layers depend on those below.
    pub(super) fn loses_geese(&self) -> bool {
        self.hand != Hand::Captured
    }

    pub(super) fn has_stock(&self) -> bool {
        self.hand == Hand::Stock
    }

    /// The materials of a layer in the order of its blocks, without those that have no positions.
    pub(super) fn materials(&self, layer: u32) -> Vec<Material> {
        let most_hand = match self.hand {
            Hand::Empty => 0,
            // With fewer geese on the board the game is over.
            Hand::Captured => layer.saturating_sub(self.fox_wins_below),
            Hand::Stock => layer.min(self.drops),
        };
        let firsts = if self.keeps_first { &[false, true][..] } else { &[false] };
        let mut materials = Vec::new();
        for hand in 0..=most_hand {
            let geese = layer - hand;
            for foxes in self.fewest_foxes..=self.most_foxes.min(self.points.saturating_sub(geese)) {
                for kind in self.kinds(hand, foxes) {
                    materials.extend(firsts.iter().map(|&first| Material { kind, foxes, geese, hand, first }));
                }
            }
        }
        materials
    }

    fn kinds(&self, hand: u32, foxes: u32) -> Vec<TurnType> {
        let mut kinds = vec![TurnType::FoxToMove, TurnType::GeeseToMove];
        if self.hand == Hand::Captured && hand > 0 {
            kinds.push(TurnType::Drop);
        }
        if self.removes() && foxes >= 2 {
            kinds.push(TurnType::Remove);
        }
        kinds
    }

    /// The number of positions of a material, mirrored ones counted separately; saturating.
    pub(super) fn positions_of(&self, material: &Material) -> u128 {
        let placements = binomial(self.points, material.foxes)
            .saturating_mul(binomial(self.points.saturating_sub(material.foxes), material.geese));
        placements.saturating_mul(u128::from(material.choices()))
    }

    /// The number of sets of foxes, of any number, that a numbering lists; saturating.
    pub(super) fn fox_sets(&self) -> u128 {
        (0..=self.most_foxes.min(self.points)).map(|foxes| binomial(self.points, foxes)).fold(0, u128::saturating_add)
    }

    /// The number of positions of a layer, mirrored ones counted separately; saturating.
    pub(super) fn positions(&self, layer: u32) -> u128 {
        self.materials(layer).iter().fold(0, |sum: u128, material| sum.saturating_add(self.positions_of(material)))
    }

    /// The number of entries of a layer, one for two mirror images of a set of foxes; saturating.
    pub(super) fn entries(&self, layer: u32) -> u128 {
        self.materials(layer).iter().fold(0, |sum: u128, material| {
            let beside = binomial(self.points.saturating_sub(material.foxes), material.geese);
            let sets = self.kept_fox_sets(material.foxes).saturating_mul(u128::from(material.choices()));
            sum.saturating_add(sets.saturating_mul(beside))
        })
    }

    /// The number of sets of foxes, mirror images counted once.
    fn kept_fox_sets(&self, foxes: u32) -> u128 {
        let pairs = (self.points - self.unmoved_points) / 2;
        let unmoved =
            |whole: u32| binomial(pairs, whole).saturating_mul(binomial(self.unmoved_points, foxes - 2 * whole));
        let alone = (0..=foxes / 2).map(unmoved).fold(0, u128::saturating_add);
        binomial(self.points, foxes).saturating_add(alone) / 2
    }

    /// The number of placements for one side to move without an entry, because too few geese are on the board.
    pub(super) fn placements_won_by_foxes(&self, layer: u32) -> u128 {
        if self.hand != Hand::Captured {
            return 0;
        }
        let placements = |geese| {
            binomial(self.points, self.most_foxes)
                .saturating_mul(binomial(self.points.saturating_sub(self.most_foxes), geese))
        };
        (0..self.fox_wins_below.min(layer + 1)).map(placements).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::Ruleset;

    #[test]
    fn a_rhombus_in_a_corner_has_no_mirror() {
        let mirrors = |name: &str| {
            let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog");
            mirrors(&Hunt::<u64>::new(&ruleset)).len()
        };
        assert_eq!(["hex-siege", "two-foxes-24", "bagha-chal"].map(mirrors), [1, 2, 2]);
    }
}
