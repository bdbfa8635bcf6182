//! Measures of a position for evaluators, such as mobility, reach and gaps, all by shifts and masks; and the moves of
//! the board for table builders.

use super::Hunt;
use super::move_geometry::{Axis, GooseDirection};
use super::position::Position;
use super::ruleset::{FoxGoal, Huff};
use crate::geometry::{Point, PointSet, Symmetry, Vector, Word, symmetries};

/// The moves open to the fox side.
#[derive(Clone, Copy, Default, Debug)]
pub struct FoxMobility {
    /// Steps onto empty points.
    pub steps: u32,
    /// Single jumps.
    pub jumps: u32,
}

/// The steps open to the geese side.
#[derive(Clone, Copy, Debug)]
pub struct GooseMobility<W: Word> {
    /// The points onto which some goose can step.
    pub targets: PointSet<W>,
    /// The number of steps.
    pub steps: u32,
}

/// The number of geese that a fox beside them could jump over, counted once for each line.
#[derive(Clone, Copy, Default, Debug)]
pub struct Gaps {
    /// All gaps.
    pub all: u32,
    /// The gaps beside which a fox stands or can come.
    pub reachable: u32,
}

impl<W: Word> Hunt<W> {
    /// The turns and mirrors of the board under which the rules stay the same, the identity first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        symmetries(self.board()).into_iter().filter(|symmetry| self.keeps_rules(symmetry)).collect()
    }

    fn keeps_rules(&self, symmetry: &Symmetry) -> bool {
        let geometry = &self.geometry;
        let has_image = |direction: &GooseDirection<W>| {
            let vector = symmetry.vector(direction.vector);
            let from = symmetry.set(direction.from);
            geometry.goose_directions.iter().any(|other| other.vector == vector && other.from == from)
        };
        let up = Vector { files: 0, ranks: 1 };
        let keeps_goal = self.ruleset.rules.fox_goal != FoxGoal::PastGeese || symmetry.vector(up) == up;
        let sets = [geometry.fortress, geometry.fox_goal, self.drop_zone, geometry.fox_zone, geometry.piles];
        keeps_goal
            && sets.iter().all(|&set| symmetry.set(set) == set)
            && geometry.goose_directions.iter().all(has_image)
    }

    /// The directions in which geese step once the first move has been made.
    pub fn goose_steps(&self) -> &[GooseDirection<W>] {
        &self.geometry.goose_directions
    }

    /// The lines along which the fox side steps, each with the points where steps begin.
    pub fn fox_step_axes(&self) -> &[Axis<W>] {
        &self.geometry.step_axes
    }

    /// The lines along which the fox side jumps, each with the points jumped over.
    pub fn fox_jump_axes(&self) -> &[Axis<W>] {
        &self.geometry.jump_axes
    }

    /// Whether no goose ever steps to a lower rank.
    pub fn geese_never_retreat(&self) -> bool {
        self.geometry.geese_never_retreat
    }

    /// Whether geese can be in hand: captured ones that come back, or drops.
    pub fn has_hand(&self) -> bool {
        self.keeps_captured || self.has_stock
    }

    /// Whether there is a penalty for a missed jump.
    pub fn has_huff(&self) -> bool {
        self.ruleset.rules.huff != Huff::None
    }

    /// The points next to `set` along lines that the fox side may step on.
    #[inline]
    fn neighbourhood(&self, set: PointSet<W>) -> PointSet<W> {
        self.geometry.step_axes.iter().fold(PointSet::EMPTY, |all, axis| {
            let [up, down] = axis.rotations;
            all | (set & axis.points).rotated(up) | (set.rotated(down) & axis.points)
        })
    }

    /// The points to which pieces on `from` can walk through the points of `through`, without jumping. `known` has
    /// points that are known to be among them.
    #[inline]
    pub fn reach(&self, from: PointSet<W>, through: PointSet<W>, known: PointSet<W>) -> PointSet<W> {
        let mut reached = known;
        let mut edge = (self.neighbourhood(from | known) & through) - known;
        while !edge.is_empty() {
            reached |= edge;
            edge = (self.neighbourhood(edge) & through) - reached;
        }
        reached
    }

    /// The steps open to the geese side, even if the fox side is to move.
    #[inline]
    pub fn goose_mobility(&self, position: &Position<W>) -> GooseMobility<W> {
        let geese = position.geese();
        let open = self.open_to_geese(position);
        let mut mobility = GooseMobility { targets: PointSet::EMPTY, steps: 0 };
        for direction in &self.geometry.goose_directions {
            let targets = direction.targets(geese, open);
            mobility.targets |= targets;
            mobility.steps += targets.len();
        }
        mobility
    }

    /// The gaps between the geese; `reached` has the points onto which foxes can come.
    #[inline]
    pub fn gaps(&self, position: &Position<W>, reached: PointSet<W>) -> Gaps {
        let open = self.geometry.all - position.geese();
        let near = reached | position.foxes();
        let mut found = Gaps::default();
        for axis in &self.geometry.jump_axes {
            let [up, down] = axis.rotations;
            let gaps = position.geese() & axis.points & open.rotated(up) & open.rotated(down);
            if !gaps.is_empty() {
                found.all += gaps.len();
                found.reachable += (gaps & (near.rotated(up) | near.rotated(down))).len();
            }
        }
        found
    }

    /// The number of lines that join two geese and along which the fox side may step.
    #[inline]
    pub fn goose_ties(&self, position: &Position<W>) -> u32 {
        let geese = position.geese();
        self.geometry.step_axes.iter().map(|axis| (geese.rotated(axis.rotations[1]) & axis.points & geese).len()).sum()
    }

    /// The sum of the ranks, counted from 0, of a set of points.
    #[inline]
    pub fn rank_sum(&self, set: PointSet<W>) -> u32 {
        self.geometry.rank_and_above.iter().map(|&above| (set & above).len()).sum()
    }

    /// The sum, over a set of points, of how many ranks each lies below the top.
    #[inline]
    pub fn depth_sum(&self, set: PointSet<W>) -> u32 {
        set.len() * self.geometry.rank_and_above.len() as u32 - self.rank_sum(set)
    }

    /// How near the foxes are to their goal, all together: for each the height of the board less its steps to go, or
    /// less its rank where the goal lies below; 0 where there is no goal.
    #[inline]
    pub fn nearness_to_goal(&self, position: &Position<W>) -> u32 {
        match &self.geometry.goal_nearness[..] {
            [] => 0,
            nearness => position.foxes().iter().map(|fox| nearness[fox.index()]).sum(),
        }
    }

    /// The number of geese that have passed every fox and can never come back to it; 0 where geese may retreat.
    #[inline]
    pub fn stranded_geese(&self, position: &Position<W>) -> u32 {
        if !self.geometry.geese_never_retreat {
            return 0;
        }
        let above_foxes = self.geometry.rank_and_above.iter().find(|above| position.foxes().is_disjoint(**above));
        above_foxes.map_or(0, |&above| (position.geese() & above).len())
    }

    /// The moves open to the fox side, even if the geese side is to move.
    #[inline]
    pub fn fox_mobility(&self, position: &Position<W>) -> FoxMobility {
        let mut mobility = FoxMobility::default();
        for (fox, targets) in self.fox_targets(position) {
            mobility.steps += targets.len();
            mobility.jumps += self.jumper(position, fox).jumps().count() as u32;
        }
        mobility
    }

    /// Geese on the board and in hand, less those of the start.
    #[inline]
    pub fn goose_balance(&self, position: &Position<W>) -> i32 {
        let on_points = position.geese().len() as i32 - self.geometry.start_geese.len() as i32;
        if !self.has_further_geese {
            return on_points;
        }
        let rules = &self.ruleset.rules;
        on_points + self.further_geese(position) as i32 - (rules.drops + rules.piled()) as i32
    }

    /// The sum of the ranks of all geese, less that of the start.
    #[inline]
    pub fn goose_advance(&self, position: &Position<W>) -> i32 {
        let on_points = self.rank_sum(position.geese()) as i32 - self.rank_sum(self.geometry.start_geese) as i32;
        let piles = self.geometry.piles.iter().zip(position.piles.into_iter().zip(self.geometry.start_piles));
        let gained = |(pile, (now, start)): (Point, (u8, u8))| {
            i32::from(self.geometry.ranks[pile.index()]) * (i32::from(now) - i32::from(start))
        };
        on_points + piles.map(gained).sum::<i32>()
    }

    /// The jumps of the fox side over single geese from `point`, whatever stands on the board: the points jumped over
    /// and landed on.
    pub fn fox_jumps(&self, point: Point) -> impl Iterator<Item = (Point, Point)> {
        let singles = self.geometry.jumps.from(point).iter().filter(|jump| jump.over.len() == 1);
        singles.filter_map(|jump| Some((jump.over.first()?, jump.to)))
    }

    /// The points next to `point` along lines that the fox side may step on, empty or not.
    pub fn fox_steps(&self, point: Point) -> PointSet<W> {
        self.geometry.fox_steps[point.index()]
    }

    /// The points from which a goose may step to `to`, if it were empty; the rule for the first move is ignored.
    pub fn goose_origins(&self, to: Point) -> PointSet<W> {
        let targets = PointSet::of(to);
        self.geometry.goose_directions.iter().fold(PointSet::EMPTY, |origins, direction| {
            origins | (targets.rotated(PointSet::<W>::rotation(-direction.distance)) & direction.from)
        })
    }
}
