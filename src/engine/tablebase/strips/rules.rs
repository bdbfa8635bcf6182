//! A ruleset as masks and shifts of 64-bit words, for the fast method.

use super::words::{WordMap, word};
use crate::geometry::{Point, PointSet, Symmetry, Vector, Word};
use crate::rules::hunt::{Axis, Capture, FillRule, FoxGoal, GooseDirection, Huff, Hunt, Stuck};

/// The steps in one direction, as a mask of the points where they begin and a rotation to the left that makes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shift {
    pub points: u64,
    pub rotation: u32,
}

/// The jumps along one axis, as a mask of the points jumped over and the rotations to the left that move the two landing
/// points onto these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Middles {
    pub points: u64,
    pub rotations: [u32; 2],
}

impl Middles {
    /// The two ends of the jumps over these points.
    #[inline(always)]
    pub(super) fn ends(&self, points: u64) -> (u64, u64) {
        let [upper, lower] = self.rotations;
        (points.rotate_right(upper), points.rotate_right(lower))
    }
}

/// Whether the fox side may step when it could jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MissedJump {
    Allowed,
    /// No: a fox that can jump must not step.
    Forbidden,
    /// Yes, but a fox that could have jumped is taken off, unless the step ends the game.
    Huffed,
}

/// The fewest and the most foxes of a game that goes on; `None` when huffs do anything but take off a fox for a step.
pub(super) fn fox_numbers<W: Word>(game: &Hunt<W>) -> Option<[u32; 2]> {
    let rules = &game.ruleset().rules;
    match rules.huff {
        Huff::None => Some([rules.foxes, rules.foxes]),
        Huff::RemoveFox if !rules.huff_partial_chain => Some([1, rules.foxes]),
        _ => None,
    }
}

/// The rules of a hunt as far as the solver needs them.
#[derive(Clone, Debug)]
pub(super) struct PatternRules {
    /// The fewest and the most foxes of a game that goes on; huffs take some off.
    pub fewest_foxes: u32,
    pub most_foxes: u32,
    /// The points of the board.
    pub all: u64,
    /// The number of files of the bounding box, which is that of the bits of a rank.
    pub width: u32,
    pub ranks: u32,
    /// The directions of fox steps, one of every two opposite ones.
    pub steps: Vec<Shift>,
    pub jumps: Vec<Middles>,
    /// Goose moves that can be undone.
    pub within: Vec<Shift>,
    /// Goose moves that cannot be undone.
    pub onward: Vec<Shift>,
    pub chain: bool,
    pub forced_chain: bool,
    pub missed_jump: MissedJump,
    /// The rule for geese that cannot move.
    pub stuck: Stuck,
    /// The points where a fox wins with the geese to move.
    pub home: u64,
    /// The points that the geese must fill to win; empty where there is no fortress.
    pub fortress: u64,
    /// Whether foxes count as filling it.
    pub foxes_fill: bool,
    pub fox_wins_below: u32,
    /// The symmetries of the board that change neither a rule nor, where geese never go back, a rank; the identity
    /// comes first.
    pub symmetries: Vec<WordMap>,
}

impl PatternRules {
    /// The rules for positions with this number of foxes. `None` when this method does not take the ruleset: another
    /// number of foxes, huffs that bring geese back or punish chains that end early, pieces in hand, a first move that
    /// may wait, a goal past the geese, jumps over rows or steps over several points, a side that neither loses nor
    /// passes without a move, a large board, a game that goes on without geese, or, where geese never go back, lines
    /// that leap over a rank.
    pub(super) fn of<W: Word>(game: &Hunt<W>, foxes: u32) -> Option<PatternRules> {
        let (board, rules) = (game.board(), &game.ruleset().rules);
        // Positions before the first goose move are derived from those after it, so that move must not wait.
        let [fewest_foxes, most_foxes] = fox_numbers(game)?;
        let plain = (fewest_foxes..=most_foxes).contains(&foxes) && !game.has_hand() && !rules.first_move_may_wait();
        let plain = plain && rules.fox_goal != FoxGoal::PastGeese && rules.has_short_moves();
        let plain = plain && rules.fox_stuck == Stuck::Lose && rules.geese_stuck != Stuck::Draw;
        // With `fox_wins_below` 0 the game goes on without geese; that layer is not solved here.
        if !plain || board.cells() > 64 || rules.fox_wins_below == 0 {
            return None;
        }
        let all = word(game.all());
        let rank = |point: u32| i32::from(board.rank(Point(point as u8)));
        let is_onward = |direction: &&GooseDirection<W>| {
            let lowest = word(direction.from).trailing_zeros();
            game.geometry().geese_never_retreat && rank((lowest as i32 + direction.distance) as u32) > rank(lowest)
        };
        let goose = |direction: &GooseDirection<W>| Shift {
            points: word(direction.from),
            rotation: PointSet::<u64>::rotation(direction.distance),
        };
        let (onward, within): (Vec<_>, Vec<_>) = game.geometry().goose_directions.iter().partition(is_onward);
        // Levels are solved one rank sum after the other, and only the last one is kept in memory.
        let leaps = |point: &Point| board.lines_from(*point).any(|(vector, _)| vector.ranks.abs() > 1);
        if game.geometry().geese_never_retreat && board.points().iter().any(leaps) {
            return None;
        }
        let narrowed = |rotation: u32| {
            let distance = if rotation >= W::BITS / 2 { rotation as i32 - W::BITS as i32 } else { rotation as i32 };
            PointSet::<u64>::rotation(distance)
        };
        let step = |axis: &Axis<W>| Shift { points: word(axis.points), rotation: narrowed(axis.rotations[0]) };
        let jump = |axis: &Axis<W>| Middles { points: word(axis.points), rotations: axis.rotations.map(narrowed) };
        let mut rules = PatternRules {
            fewest_foxes,
            most_foxes,
            all,
            width: board.width().into(),
            ranks: board.height().into(),
            steps: game.geometry().step_axes.iter().map(step).collect(),
            jumps: game.geometry().jump_axes.iter().map(jump).collect(),
            within: within.into_iter().map(goose).collect(),
            onward: onward.into_iter().map(goose).collect(),
            chain: rules.chain,
            forced_chain: rules.forced_chain,
            missed_jump: match (rules.capture, rules.huff) {
                (Capture::Forced, _) => MissedJump::Forbidden,
                (Capture::Optional, Huff::None) => MissedJump::Allowed,
                (Capture::Optional, _) => MissedJump::Huffed,
            },
            stuck: rules.geese_stuck,
            home: word(game.geometry().fox_goal),
            fortress: word(game.geometry().fortress),
            foxes_fill: rules.fill_rule == FillRule::AnyPiece,
            fox_wins_below: rules.fox_wins_below,
            symmetries: Vec::new(),
        };
        let up = Vector { files: 0, ranks: 1 };
        let is_kept = |symmetry: &Symmetry| rules.onward.is_empty() || symmetry.vector(up) == up;
        let map = |symmetry: &Symmetry| {
            WordMap::new(all, |point| 1 << symmetry.point(Point(point.trailing_zeros() as u8)).index())
        };
        rules.symmetries = game.symmetries().iter().filter(|kept| is_kept(kept)).map(map).collect();
        Some(rules)
    }

    pub(super) fn points(&self) -> u32 {
        self.all.count_ones()
    }

    /// The points next to those of a set along lines of fox steps.
    #[inline(always)]
    pub(super) fn near(&self, set: u64) -> u64 {
        self.steps.iter().fold(0, |near, step| {
            near | (set & step.points).rotate_left(step.rotation) | (set.rotate_right(step.rotation) & step.points)
        })
    }

    /// The points of a rank.
    pub(super) fn rank(&self, rank: u32) -> u64 {
        self.all & (u64::MAX >> (64 - self.width)) << (rank * self.width)
    }

    /// The geese of a pattern between the two ends of a jump along an axis, where neither end has a goose.
    #[inline(always)]
    pub(super) fn open_middles(&self, axis: &Middles, pattern: u64) -> u64 {
        let empty = self.all & !pattern;
        let [upper, lower] = axis.rotations;
        pattern & axis.points & empty.rotate_left(upper) & empty.rotate_left(lower)
    }

    /// The points without a goose onto which some goose can step.
    pub(super) fn goose_targets(&self, pattern: u64) -> u64 {
        let moves = self.within.iter().chain(&self.onward);
        let targets = moves.fold(0, |all, shift| all | (pattern & shift.points).rotate_left(shift.rotation));
        targets & self.all & !pattern
    }
}
