//! A ruleset compiled into point sets and shifts for one word width.

use std::collections::BTreeMap;

use super::ruleset::{AttackerMoves, CaptureBy, DirectionName, FoxDiagonal, FoxGoal, Rules, Ruleset};
use crate::geometry::{Board, Point, PointSet, StraightJump, Vector, Word};
use crate::rules::jumps::{BoardJumps, NO_PILES, Piles};

/// A direction in which geese step: the points from which they may, and the change of the point index.
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
    pub(crate) fn targets(&self, geese: PointSet<W>, empty: PointSet<W>) -> PointSet<W> {
        (geese & self.from).rotated(self.rotation) & empty
    }

    /// The point from which a goose steps onto a target.
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
    /// For steps: rotations that move points along the lines and back. For jumps: rotations that move the two landing
    /// points onto the middles, those of the higher index first.
    pub rotations: [u32; 2],
}

/// The board and the moves of a ruleset, as the move generator needs them.
#[derive(Clone, Debug)]
pub struct MoveGeometry<W: Word> {
    pub all: PointSet<W>,
    /// The directions in which geese step once the first move has been made.
    pub goose_directions: Vec<GooseDirection<W>>,
    /// The directions straight forward, for the first move.
    pub straight_forward: Vec<GooseDirection<W>>,
    /// By point: the points onto which the fox side can step from there.
    pub fox_steps: Vec<PointSet<W>>,
    /// By point: the straight lines of further points on which the fox side can step on; empty where it steps to
    /// neighbours only.
    pub fox_rays: Vec<Vec<Vec<Point>>>,
    pub(super) jumps: BoardJumps<W>,
    /// By point: the two ends of every straight line over it, where a fox that steps between geese takes them; empty
    /// where none does.
    pub betweens: Vec<Vec<PointSet<W>>>,
    /// The lines along which the fox side steps, each with the points where steps begin.
    pub step_axes: Vec<Axis<W>>,
    /// The lines along which the fox side jumps over single geese, each with the points jumped over.
    pub jump_axes: Vec<Axis<W>>,
    pub fortress: PointSet<W>,
    pub pen: PointSet<W>,
    /// Where foxes may be placed.
    pub fox_zone: PointSet<W>,
    /// The rows that geese fill completely at the start.
    pub home: PointSet<W>,
    /// Points on which a fox wins at the end of its ply.
    pub fox_goal: PointSet<W>,
    /// By point: the height of the board less the steps to the foxes' goal, or less the ranks where it lies below; empty
    /// where there is none.
    pub goal_nearness: Vec<u32>,
    pub start_geese: PointSet<W>,
    /// Where several geese can stand.
    pub piles: PointSet<W>,
    /// The points of piles onto which geese may step back.
    pub repile: PointSet<W>,
    /// The geese beyond one on the points of piles at the start.
    pub(crate) start_piles: Piles,
    pub start_foxes: PointSet<W>,
    /// Whether no goose ever steps to a lower rank, so that a forward step can never be undone.
    pub geese_never_retreat: bool,
    pub ranks: Vec<u8>,
    /// For every rank but the lowest: its points and all points above it.
    pub rank_and_above: Vec<PointSet<W>>,
}

impl<W: Word> MoveGeometry<W> {
    pub(super) fn new(ruleset: &Ruleset) -> Self {
        let board: &Board = &ruleset.board;
        let rules = &ruleset.rules;
        let narrow = PointSet::<W>::narrow;
        let fortress = board.points_named(&rules.fortress);
        let geese = board.points_named(&rules.geese);
        let step_board = board.with_lines(|vector| may_step(rules, vector));
        let jump_board = board.with_lines(|vector| may_jump(rules, vector));
        let ranks = |rank: u8| board.rank_points(rank);
        let full = |&rank: &u8| !ranks(rank).is_empty() && ranks(rank).is_subset(geese);
        let piles = narrow(rules.pile_points());
        let mut start_piles = NO_PILES;
        for (further, pile) in start_piles.iter_mut().zip(piles) {
            *further = rules.piles.get(&board.name(pile)).map_or(0, |&geese| geese as u8 - 1);
        }
        let home = (0..board.height()).filter(full).fold(PointSet::EMPTY, |set, rank| set | ranks(rank));
        let goose_directions = goose_directions(board, rules, fortress);
        let is_forward = |direction: &&GooseDirection<W>| name_of(direction.vector) == DirectionName::Forward;
        MoveGeometry {
            all: narrow(board.all()),
            straight_forward: goose_directions.iter().filter(is_forward).copied().collect(),
            geese_never_retreat: goose_directions.iter().all(|direction| direction.vector.ranks >= 0),
            goose_directions,
            fox_steps: (0..board.cells()).map(|cell| narrow(step_board.neighbours(Point(cell as u8)))).collect(),
            betweens: if rules.capture_by == CaptureBy::Intervene { betweens(board) } else { Vec::new() },
            jumps: BoardJumps::new(&jump_board, piles, |geese| rules.jump_rows.allows(geese)),
            fox_rays: if rules.fox_range == 1 { Vec::new() } else { fox_rays(&step_board, rules.fox_range) },
            step_axes: step_axes(&step_board),
            jump_axes: if rules.jump_rows.allows(1) { jump_axes(&jump_board) } else { Vec::new() },
            fortress: narrow(fortress),
            fox_zone: narrow(rules.placing_zone()),
            home: narrow(home),
            fox_goal: narrow(rules.goal_points()),
            goal_nearness: goal_nearness(board, rules),
            start_geese: narrow(geese),
            piles,
            pen: narrow(board.points_named(&rules.pen)),
            repile: if rules.repile { piles } else { PointSet::EMPTY },
            start_piles,
            start_foxes: narrow(ruleset.fox_points()),
            rank_and_above: (1..board.height())
                .map(|rank| board.points().iter().copied().filter(|&point| board.rank(point) >= rank).collect())
                .collect(),
            ranks: (0..board.cells()).map(|cell| board.rank(Point(cell as u8))).collect(),
        }
    }
}

/// The name of the direction of a step by `vector`; forward is up the board.
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
    let distances = distances(board, fortress);
    let zone = rules.points_or_all(&rules.goose_zone);
    let may = |from: Point, vector: Vector, to: Point| match rules.attacker_moves {
        AttackerMoves::None => rules.goose_moves.contains(&name_of(vector)),
        // Inside the fortress an attacker steps in any direction but not out of it.
        _ if fortress.has(from) => fortress.has(to),
        AttackerMoves::ForwardPlusEdge => {
            let is_dead_end = || board.lines_from(from).all(|(line, _)| line.ranks <= 0);
            vector.ranks > 0 || (is_dead_end() && leads_towards(board, from, vector, fortress))
        }
        AttackerMoves::ForwardSideways => vector.ranks >= 0,
        AttackerMoves::ShortestPath => distances[to.index()] < distances[from.index()],
        AttackerMoves::Any => true,
    };
    let direction = |vector: Vector| {
        let allowed =
            |&&from: &&Point| board.step(from, vector).is_some_and(|to| zone.has(to) && may(from, vector, to));
        let from: PointSet<u128> = board.points().iter().filter(allowed).copied().collect();
        let distance = board.shift(vector);
        GooseDirection { from: PointSet::narrow(from), rotation: PointSet::<W>::rotation(distance), distance, vector }
    };
    board.vectors().into_iter().map(direction).filter(|direction| !direction.from.is_empty()).collect()
}

/// Whether a step goes sideways, towards a fortress point of its rank.
fn leads_towards(board: &Board, from: Point, vector: Vector, fortress: PointSet<u128>) -> bool {
    let on_rank = fortress & board.rank_points(board.rank(from));
    let side = |point: Point| (board.file(point) as i8 - board.file(from) as i8).signum();
    vector.ranks == 0 && on_rank.iter().any(|point| side(point) == vector.files.signum())
}

/// By cell: the height of the board less the steps to the foxes' goal, or less the ranks where the goal lies below.
fn goal_nearness(board: &Board, rules: &Rules) -> Vec<u32> {
    let steps = match &rules.fox_goal {
        FoxGoal::Points(_) => distances(board, rules.goal_points()),
        FoxGoal::None if !rules.fox_home_wins => Vec::new(),
        _ => (0..board.cells()).map(|cell| board.rank(Point(cell as u8)).into()).collect(),
    };
    steps.into_iter().map(|steps| u32::from(board.height()).saturating_sub(steps)).collect()
}

/// The number of steps along lines from each cell to the nearest of these points; very large for unreachable cells.
fn distances(board: &Board, points: PointSet<u128>) -> Vec<u32> {
    let mut distances = vec![u32::MAX; board.cells()];
    let mut reached = points;
    let mut frontier = points;
    let mut distance = 0;
    while !frontier.is_empty() {
        frontier.iter().for_each(|point| distances[point.index()] = distance);
        frontier = frontier.iter().fold(PointSet::EMPTY, |next, point| next | board.neighbours(point)) - reached;
        reached |= frontier;
        distance += 1;
    }
    distances
}

/// By point: the straight lines that begin there, as far as the range goes.
fn fox_rays(board: &Board, range: u32) -> Vec<Vec<Vec<Point>>> {
    let longest = if range == 0 { board.cells() } else { range as usize };
    let rays = |from: Point| {
        let mut rays = Vec::new();
        board.lines_from(from).for_each(|(_, to)| follow(board, vec![from, to], longest, &mut rays));
        rays
    };
    (0..board.cells()).map(|cell| rays(Point(cell as u8))).collect()
}

/// Appends every straight line that goes on from the end of `line` over at most `longest` points beyond its beginning,
/// which is left out.
fn follow(board: &Board, line: Vec<Point>, longest: usize, rays: &mut Vec<Vec<Point>>) {
    let [.., from, at] = line[..] else { return };
    // A closed line comes back to its beginning.
    let goes_on = |jump: &StraightJump| !line.contains(&jump.to) && line.len() <= longest;
    let mut onward = board.onward(from, at).filter(goes_on).peekable();
    if onward.peek().is_none() {
        rays.push(line[1..].to_vec());
    } else {
        onward.for_each(|jump| follow(board, [&line[..], &[jump.to]].concat(), longest, rays));
    }
}

/// Whether the fox side may step along a line.
pub(super) fn may_step(rules: &Rules, vector: Vector) -> bool {
    rules.fox_diagonal == FoxDiagonal::Full || !vector.is_diagonal()
}

/// Whether the fox side may jump along a line.
pub(super) fn may_jump(rules: &Rules, vector: Vector) -> bool {
    rules.fox_captures
        && rules.capture_by == CaptureBy::Jump
        && (rules.fox_diagonal != FoxDiagonal::None || !vector.is_diagonal())
}

/// By point: the two ends of every straight line over it.
fn betweens<W: Word>(board: &Board) -> Vec<Vec<PointSet<W>>> {
    let mut betweens = vec![Vec::new(); board.cells()];
    for jump in board.jumps().filter(|jump| jump.from < jump.to) {
        betweens[jump.over.index()].push(PointSet::of(jump.from).with(jump.to));
    }
    betweens
}

/// The lines of a board, as one axis for every two opposite directions: up the board or to the right.
fn step_axes<W: Word>(board: &Board) -> Vec<Axis<W>> {
    let axis = |vector: Vector| {
        let distance = board.shift(vector);
        let points = board.points().iter().copied().filter(|&point| board.step(point, vector).is_some()).collect();
        Axis { points, rotations: [distance, -distance].map(PointSet::<W>::rotation) }
    };
    board.vectors().into_iter().filter(|&vector| board.shift(vector) > 0).map(axis).collect()
}

/// The jumps of a board, as one axis for all that go the same way, to and fro, with legs of the same lengths.
fn jump_axes<W: Word>(board: &Board) -> Vec<Axis<W>> {
    let mut middles: BTreeMap<[Vector; 2], PointSet<W>> = BTreeMap::new();
    for jump in board.jumps().filter(|jump| jump.from < jump.to) {
        let points = middles.entry(board.legs(jump)).or_insert(PointSet::EMPTY);
        *points = points.with(jump.over);
    }
    let axis = |([first, second], points): ([Vector; 2], _)| Axis {
        points,
        rotations: [-board.shift(second), board.shift(first)].map(PointSet::<W>::rotation),
    };
    middles.into_iter().map(axis).collect()
}
