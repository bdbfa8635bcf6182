//! A ruleset compiled into sets and shifts for one word width.

use std::collections::VecDeque;

use super::keys::{AttackerMoves, DirectionName, FoxDiagonal, FoxZone, Rules};
use super::ruleset::Ruleset;
use crate::geometry::{Board, Point, PointSet, Vector, Word};
use crate::rules::jumps::BoardJumps;

/// A direction in which geese step: the points from which they may, and how far the index moves.
#[derive(Clone, Copy, Debug)]
pub struct GooseDirection<W: Word> {
    pub from: PointSet<W>,
    pub rotation: u32,
    pub distance: i32,
    pub(super) vector: Vector,
}

impl<W: Word> GooseDirection<W> {
    /// The empty points onto which geese step.
    #[inline]
    pub(super) fn targets(&self, geese: PointSet<W>, empty: PointSet<W>) -> PointSet<W> {
        (geese & self.from).rotated(self.rotation) & empty
    }

    /// Where a goose comes from that steps onto a target.
    #[inline]
    pub(super) fn origin(&self, target: Point) -> Point {
        Point((i32::from(target.0) - self.distance) as u8)
    }
}

/// Lines of one direction that the fox side can walk or jump along, either way.
#[derive(Clone, Copy, Debug)]
pub struct Axis<W: Word> {
    /// Where the steps begin, or the middles of the jumps.
    pub points: PointSet<W>,
    /// Rotations that move points along the lines and back.
    pub rotations: [u32; 2],
}

impl<W: Word> Axis<W> {
    fn new(board: &Board, vector: Vector, points: impl Iterator<Item = Point>) -> Self {
        let distance = board.shift(vector);
        Axis { points: points.collect(), rotations: [distance, -distance].map(PointSet::<W>::rotation) }
    }
}

/// Everything about board and moves that the generator asks for.
#[derive(Clone, Debug)]
pub(super) struct MoveGeometry<W: Word> {
    pub all: PointSet<W>,
    pub goose_directions: Vec<GooseDirection<W>>,
    /// The straight forward ones among them.
    pub straight_forward: Vec<GooseDirection<W>>,
    /// By point, where the fox side can step.
    pub fox_steps: Vec<PointSet<W>>,
    pub jumps: BoardJumps<W>,
    pub step_axes: Vec<Axis<W>>,
    pub jump_axes: Vec<Axis<W>>,
    pub fortress: PointSet<W>,
    /// Where foxes may be placed.
    pub fox_zone: PointSet<W>,
    /// The rows wholly filled by geese at the start.
    pub home: PointSet<W>,
    pub lowest_rank: PointSet<W>,
    pub start_geese: PointSet<W>,
    pub start_foxes: PointSet<W>,
    /// No goose ever steps to a lower rank, so a forward step can never be undone.
    pub geese_never_retreat: bool,
    pub ranks: Vec<u8>,
    /// For every rank but the lowest: its points and all above it.
    pub rank_and_above: Vec<PointSet<W>>,
}

impl<W: Word> MoveGeometry<W> {
    pub(super) fn new(ruleset: &Ruleset) -> Self {
        let (board, rules): (&Board, _) = (&ruleset.board, &ruleset.rules);
        let narrow = PointSet::<W>::narrow;
        let fortress = ruleset.points(&rules.fortress);
        let geese = ruleset.points(&rules.geese);
        let ranks = |rank: u8| board.rank_points(rank);
        let full = |&rank: &u8| !ranks(rank).is_empty() && ranks(rank).is_subset(geese);
        let home = (0..board.height()).filter(full).fold(PointSet::EMPTY, |set, rank| set | ranks(rank));
        let goose_directions = goose_directions(board, rules, fortress);
        let is_forward = |direction: &&GooseDirection<W>| name_of(direction.vector) == DirectionName::Forward;
        MoveGeometry {
            all: narrow(board.all()),
            straight_forward: goose_directions.iter().filter(is_forward).copied().collect(),
            geese_never_retreat: goose_directions.iter().all(|direction| direction.vector.ranks >= 0),
            goose_directions,
            fox_steps: (0..board.cells()).map(|cell| fox_steps(board, rules, Point(cell as u8))).collect(),
            jumps: BoardJumps::new(board, |vector| may_jump(rules, vector)),
            step_axes: step_axes(board, rules),
            jump_axes: jump_axes(board, rules),
            fortress: narrow(fortress),
            fox_zone: narrow(if rules.fox_zone == FoxZone::Fortress { fortress } else { board.all() }),
            home: narrow(home),
            lowest_rank: narrow(ranks(0)),
            start_geese: narrow(geese),
            start_foxes: narrow(ruleset.fox_points()),
            rank_and_above: (1..board.height())
                .map(|rank| board.points().iter().copied().filter(|&point| board.rank(point) >= rank).collect())
                .collect(),
            ranks: (0..board.cells()).map(|cell| board.rank(Point(cell as u8))).collect(),
        }
    }
}

/// What a step by `vector` is called. Forward is up the board.
fn name_of(vector: Vector) -> DirectionName {
    match (vector.ranks.signum(), vector.files == 0) {
        (1, true) => DirectionName::Forward,
        (1, false) => DirectionName::ForwardDiagonal,
        (0, _) => DirectionName::Sideways,
        (_, true) => DirectionName::Backward,
        (_, false) => DirectionName::BackwardDiagonal,
    }
}

/// Every direction in which some goose may step.
fn goose_directions<W: Word>(board: &Board, rules: &Rules, fortress: PointSet<u128>) -> Vec<GooseDirection<W>> {
    let distances = fortress_distances(board, fortress);
    let may = |from: Point, vector: Vector, to: Point| match rules.attacker_moves {
        AttackerMoves::None => rules.goose_moves.contains(&name_of(vector)),
        // Inside the fortress an attacker goes anywhere but out.
        _ if fortress.has(from) => fortress.has(to),
        AttackerMoves::ForwardPlusEdge => {
            vector.ranks > 0 || (is_dead_end(board, from) && leads_towards(board, from, vector, fortress))
        }
        AttackerMoves::ForwardSideways => vector.ranks >= 0,
        AttackerMoves::ShortestPath => distances[to.index()] < distances[from.index()],
        AttackerMoves::Any => true,
    };
    let direction = |vector: Vector| {
        let allowed = |&&from: &&Point| board.step(from, vector).is_some_and(|to| may(from, vector, to));
        let from: PointSet<u128> = board.points().iter().filter(allowed).copied().collect();
        let distance = board.shift(vector);
        GooseDirection { from: PointSet::narrow(from), rotation: PointSet::<W>::rotation(distance), distance, vector }
    };
    board.vectors().into_iter().map(direction).filter(|direction| !direction.from.is_empty()).collect()
}

/// No line leads forward from here.
fn is_dead_end(board: &Board, from: Point) -> bool {
    board.lines_from(from).all(|(vector, _)| vector.ranks <= 0)
}

/// A sideways step towards a fortress point of the same rank.
fn leads_towards(board: &Board, from: Point, vector: Vector, fortress: PointSet<u128>) -> bool {
    let on_rank = fortress & board.rank_points(board.rank(from));
    let side = |point: Point| (board.file(point) as i8 - board.file(from) as i8).signum();
    vector.ranks == 0 && on_rank.iter().any(|point| side(point) == vector.files.signum())
}

/// Steps along lines to the nearest fortress point, by cell; unreachable cells are far away.
fn fortress_distances(board: &Board, fortress: PointSet<u128>) -> Vec<u32> {
    let mut distances = vec![u32::MAX; board.cells()];
    let mut queue: VecDeque<Point> = fortress.iter().collect();
    for point in fortress {
        distances[point.index()] = 0;
    }
    while let Some(point) = queue.pop_front() {
        for next in board.neighbours(point) {
            if distances[next.index()] == u32::MAX {
                distances[next.index()] = distances[point.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

fn fox_steps<W: Word>(board: &Board, rules: &Rules, point: Point) -> PointSet<W> {
    board.lines_from(point).filter(|&(vector, _)| may_step(rules, vector)).map(|(_, to)| to).collect()
}

/// Whether the fox side may step along a line.
pub(super) fn may_step(rules: &Rules, vector: Vector) -> bool {
    rules.fox_diagonal == FoxDiagonal::Full || !vector.is_diagonal()
}

/// Whether the fox side may jump along a line.
pub(super) fn may_jump(rules: &Rules, vector: Vector) -> bool {
    rules.fox_captures && (rules.fox_diagonal != FoxDiagonal::None || !vector.is_diagonal())
}

fn step_axes<W: Word>(board: &Board, rules: &Rules) -> Vec<Axis<W>> {
    let axis = |vector: Vector| {
        let begins = |&point: &Point| board.step(point, vector).is_some();
        Axis::new(board, vector, board.points().iter().copied().filter(begins))
    };
    one_way(board).filter(|&vector| may_step(rules, vector)).map(axis).collect()
}

/// One of every two opposite vectors, up the board or to the right.
fn one_way(board: &Board) -> impl Iterator<Item = Vector> + '_ {
    board.vectors().into_iter().filter(|&vector| board.shift(vector) > 0)
}

fn jump_axes<W: Word>(board: &Board, rules: &Rules) -> Vec<Axis<W>> {
    let axis = |vector: Vector| {
        let over = |&point: &Point| Some(board.jumps_from(point).find(|jump| jump.0 == vector)?.1);
        Axis::new(board, vector, board.points().iter().filter_map(over))
    };
    one_way(board).filter(|&vector| may_jump(rules, vector)).map(axis).filter(|axis| !axis.points.is_empty()).collect()
}
