//! What the evaluation counts in a position, such as mobility, reach and gaps, all by shifts and masks.

use crate::geometry::{Point, PointSet, Word};
use crate::rules::hunt::{Hunt, Position};

/// The moves open to the fox side, even if the geese side is to move: the number of steps onto empty points, and that of
/// single jumps, with the steps between two geese that take them.
#[inline]
pub(super) fn fox_steps_and_jumps<W: Word>(game: &Hunt<W>, position: &Position<W>) -> (u32, u32) {
    let (mut steps, mut jumps) = (0, 0);
    for (fox, targets) in game.fox_targets(position) {
        steps += targets.len();
        jumps += game.count_jumps_of(position, fox);
    }
    if !game.geometry().betweens.is_empty() {
        jumps += steps_between_geese(game, position);
    }
    (steps, jumps)
}

/// The number of steps of foxes to points between two geese, which they take.
#[cold]
fn steps_between_geese<W: Word>(game: &Hunt<W>, position: &Position<W>) -> u32 {
    let takes = |to: &Point| game.geometry().betweens[to.index()].iter().any(|pair| pair.is_subset(position.geese()));
    game.fox_targets(position).map(|(_, targets)| targets.iter().filter(takes).count() as u32).sum()
}

/// The steps open to the geese side, even if the fox side is to move: their number, and the points onto which they lead.
#[inline]
pub(super) fn goose_steps<W: Word>(game: &Hunt<W>, position: &Position<W>) -> (u32, PointSet<W>) {
    let open = game.open_to_geese(position);
    let steps = game.geometry().goose_directions.iter().map(|direction| direction.targets(position.geese(), open));
    steps.fold((0, PointSet::EMPTY), |(count, all), targets| (count + targets.len(), all | targets))
}

/// The number of geese that a fox beside them could jump over, counted once for each line, and the number of those beside
/// which a fox stands or can come; `reached` has the points onto which foxes can come.
#[inline]
pub(super) fn gaps<W: Word>(game: &Hunt<W>, position: &Position<W>, reached: PointSet<W>) -> (u32, u32) {
    let open = game.all() - position.geese();
    let near = reached | position.foxes();
    let (mut all, mut reachable) = (0, 0);
    for axis in &game.geometry().jump_axes {
        let [up, down] = axis.rotations;
        let gaps = position.geese() & axis.points & open.rotated(up) & open.rotated(down);
        if !gaps.is_empty() {
            all += gaps.len();
            reachable += (gaps & (near.rotated(up) | near.rotated(down))).len();
        }
    }
    (all, reachable)
}

/// The points next to `set` along lines that the fox side may step on.
#[inline]
fn neighbourhood<W: Word>(game: &Hunt<W>, set: PointSet<W>) -> PointSet<W> {
    game.geometry().step_axes.iter().fold(PointSet::EMPTY, |all, axis| {
        let [up, down] = axis.rotations;
        all | (set & axis.points).rotated(up) | (set.rotated(down) & axis.points)
    })
}

/// The points to which pieces on `from` can walk through the points of `through`, without jumping. `known` has points
/// that are known to be among them.
#[inline]
pub(super) fn reach<W: Word>(
    game: &Hunt<W>,
    from: PointSet<W>,
    through: PointSet<W>,
    known: PointSet<W>,
) -> PointSet<W> {
    let mut reached = known;
    let mut edge = (neighbourhood(game, from | known) & through) - known;
    while !edge.is_empty() {
        reached |= edge;
        edge = (neighbourhood(game, edge) & through) - reached;
    }
    reached
}

/// The number of lines that join two geese and along which the fox side may step.
#[inline]
pub(super) fn goose_ties<W: Word>(game: &Hunt<W>, position: &Position<W>) -> u32 {
    let geese = position.geese();
    let ties = game.geometry().step_axes.iter().map(|axis| geese.rotated(axis.rotations[1]) & axis.points & geese);
    ties.map(PointSet::len).sum()
}

/// The sum of the ranks, counted from 0, of a set of points.
#[inline]
fn rank_sum<W: Word>(game: &Hunt<W>, set: PointSet<W>) -> u32 {
    game.geometry().rank_and_above.iter().map(|&above| (set & above).len()).sum()
}

/// The sum, over a set of points, of how many ranks each lies below the top.
#[inline]
pub(super) fn depth_sum<W: Word>(game: &Hunt<W>, set: PointSet<W>) -> u32 {
    set.len() * game.geometry().rank_and_above.len() as u32 - rank_sum(game, set)
}

/// How near the foxes are to their goal, all together: for each the height of the board less its steps to go, or less
/// its rank where the goal lies below; 0 where there is no goal.
#[inline]
pub(super) fn nearness_to_goal<W: Word>(game: &Hunt<W>, position: &Position<W>) -> u32 {
    match &game.geometry().goal_nearness[..] {
        [] => 0,
        nearness => position.foxes().iter().map(|fox| nearness[fox.index()]).sum(),
    }
}

/// The number of geese that have passed every fox and can never come back to it; 0 where geese may retreat.
#[inline]
pub(super) fn stranded_geese<W: Word>(game: &Hunt<W>, position: &Position<W>) -> u32 {
    let geometry = game.geometry();
    if !geometry.geese_never_retreat {
        return 0;
    }
    let above_foxes = geometry.rank_and_above.iter().find(|above| position.foxes().is_disjoint(**above));
    above_foxes.map_or(0, |&above| (position.geese() & above).len())
}

/// The sum of the ranks of all geese, less that of the start.
#[inline]
pub(super) fn goose_advance<W: Word>(game: &Hunt<W>, position: &Position<W>) -> i32 {
    let geometry = game.geometry();
    let on_points = rank_sum(game, position.geese()) as i32 - rank_sum(game, geometry.start_geese) as i32;
    let piles = geometry.piles.iter().zip(position.piles.into_iter().zip(geometry.start_piles));
    let gained = |(pile, (now, start)): (Point, (u8, u8))| {
        i32::from(geometry.ranks[pile.index()]) * (i32::from(now) - i32::from(start))
    };
    on_points + piles.map(gained).sum::<i32>()
}
