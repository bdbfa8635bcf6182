//! A ruleset with one fox as masks and shifts of 64-bit words.

use crate::geometry::{Point, PointSet, Word};
use crate::rules::hunt::{Capture, GeeseStuck, GooseDirection, Hunt};
use crate::tablebase::mirror::mirror;

/// A direction: from where, and the left rotation that moves a point along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shift {
    pub from: u64,
    pub rotation: u32,
}

/// Straight jumps along one axis: the middle points, and the left rotation from the middle to the upper end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JumpShift {
    pub middles: u64,
    pub rotation: u32,
}

/// Everything that solving asks about the rules.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct OneFoxRules {
    pub all: u64,
    /// Files of the bounding box: a rank is so many bits.
    pub width: u32,
    pub ranks: u32,
    /// Directions of fox steps, one of every two opposite ones.
    pub steps: Vec<Shift>,
    pub jumps: Vec<JumpShift>,
    /// Goose moves that can be undone.
    pub within: Vec<Shift>,
    /// Goose moves that cannot.
    pub onward: Vec<Shift>,
    pub chain: bool,
    pub forced_chain: bool,
    pub forced_capture: bool,
    /// What happens to geese that cannot move.
    pub stuck: GeeseStuck,
    /// The fox has won there with the geese to move.
    pub home: u64,
    pub fox_wins_below: u32,
    /// Mirroring the files changes nothing.
    pub mirrors: bool,
}

/// Wider ranks would need large tables.
const WIDEST_RANK: u32 = 13;

impl OneFoxRules {
    /// `None` when this method does not take the ruleset: several foxes, huffs, pieces in hand, a fortress, a first
    /// move that may wait, a large board, lines that leap over a rank.
    pub(super) fn of<W: Word>(game: &Hunt<W>) -> Option<OneFoxRules> {
        let (board, rules) = (game.board(), &game.ruleset().rules);
        // Positions before a first goose move are derived from those after it, so it must not wait.
        let plain = rules.foxes == 1 && !game.has_hand() && !game.has_huff() && rules.fortress.is_empty();
        let plain = plain && !rules.first_move_may_wait();
        if !plain || board.cells() > 64 || u32::from(board.width()) > WIDEST_RANK {
            return None;
        }
        let all = word(game.all());
        let rank = |point: u32| i32::from(board.rank(Point(point as u8)));
        let goose = |direction: &GooseDirection<W>| {
            let from = word(direction.from);
            let lowest = from.trailing_zeros();
            let rises = rank((lowest as i32 + direction.distance) as u32) > rank(lowest);
            (Shift { from, rotation: rotation(direction.distance) }, rises && game.geese_never_retreat())
        };
        let goose: Vec<(Shift, bool)> = game.goose_steps().iter().map(goose).collect();
        // Blocks are solved one rank sum after the other, and only the next one is remembered.
        let leaps = |point: &Point| board.lines_from(*point).any(|(vector, _)| vector.ranks.abs() > 1);
        if board.points().iter().any(leaps) {
            return None;
        }
        let chosen = |onward: bool| goose.iter().filter(|known| known.1 == onward).map(|known| known.0).collect();
        let distance = |rotation: u32| rotation as i32 - if rotation >= W::BITS / 2 { W::BITS as i32 } else { 0 };
        Some(OneFoxRules {
            all,
            width: board.width().into(),
            ranks: board.height().into(),
            steps: game
                .fox_step_axes()
                .iter()
                .map(|axis| Shift { from: word(axis.points), rotation: rotation(distance(axis.rotations[0])) })
                .collect(),
            jumps: game
                .fox_jump_axes()
                .iter()
                .map(|axis| JumpShift { middles: word(axis.points), rotation: rotation(distance(axis.rotations[0])) })
                .collect(),
            within: chosen(false),
            onward: chosen(true),
            chain: rules.chain,
            forced_chain: rules.forced_chain,
            forced_capture: rules.capture == Capture::Forced,
            stuck: rules.geese_stuck,
            home: if rules.fox_home_wins { board.rank_points(0).word() as u64 } else { 0 },
            fox_wins_below: rules.fox_wins_below,
            mirrors: mirror(game).is_some_and(|mirror| {
                let opposite = |point: &Point| board.width() - 1 - board.file(*point);
                board.points().iter().all(|point| board.file(mirror.point(*point)) == opposite(point))
            }),
        })
    }

    pub(super) fn points(&self) -> u32 {
        self.all.count_ones()
    }

    /// The points joined to a set by lines that the fox walks.
    #[inline(always)]
    pub(super) fn near(&self, set: u64) -> u64 {
        self.steps.iter().fold(0, |near, step| {
            near | (set & step.from).rotate_left(step.rotation) | set.rotate_right(step.rotation) & step.from
        })
    }

    /// The rank of a point given as a set of one.
    #[inline(always)]
    pub(super) fn rank(&self, point: u64) -> usize {
        (point.trailing_zeros() / self.width) as usize
    }
}

impl JumpShift {
    /// The geese that can be jumped along this axis, either way.
    #[inline(always)]
    pub(super) fn open(&self, pattern: u64, empty: u64) -> u64 {
        pattern & self.middles & empty.rotate_left(self.rotation) & empty.rotate_right(self.rotation)
    }
}

/// The points of a set, each as a set of one, from low to high.
#[inline(always)]
pub(super) fn singles(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// A set of a board with at most 64 cells.
pub(super) fn word<W: Word>(set: PointSet<W>) -> u64 {
    set.widen().word() as u64
}

fn rotation(distance: i32) -> u32 {
    PointSet::<u64>::rotation(distance)
}
