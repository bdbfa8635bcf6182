//! Takes moves back: finds the positions from which a move may lead to a given position of the same layer.
//!
//! Some positions are listed from which no legal move leads there. That does no harm, as the caller looks at the legal
//! moves of each candidate; only a missing position would be an error.

use super::scope::Scope;
use crate::geometry::{Point, PointSet, Word, subsets};
use crate::rules::hunt::{Huff, Hunt, Phase, Position, Side, Stuck};
use crate::tablebase::Metric;

/// The origin of a jump, and the point jumped over, for a known landing.
#[derive(Clone, Copy, Debug)]
struct JumpBack {
    over: Point,
    origin: Point,
}

/// Finds the positions before a given one.
#[derive(Clone, Debug)]
pub(super) struct Predecessors<'a, W: Word> {
    game: &'a Hunt<W>,
    scope: Scope,
    /// By cell: the points from which a goose steps to it.
    goose_origins: Vec<PointSet<W>>,
    /// By cell: the jumps that end on it.
    jumps: Vec<Vec<JumpBack>>,
}

impl<'a, W: Word> Predecessors<'a, W> {
    pub(super) fn new(game: &'a Hunt<W>, scope: Scope) -> Self {
        let board = game.board();
        let mut goose_origins = vec![PointSet::EMPTY; board.cells()];
        let mut jumps = vec![Vec::new(); board.cells()];
        for &point in board.points() {
            goose_origins[point.index()] = game.goose_origins(point);
            jumps[point.index()] =
                board.jumps_from(point).map(|jump| JumpBack { over: jump.over, origin: jump.to }).collect();
        }
        Predecessors { game, scope, goose_origins, jumps }
    }

    /// Whether a move that can never be undone can lead from a position to one of the same layer.
    pub(super) fn has_one_way_moves(&self) -> bool {
        self.game.ruleset().rules.huff == Huff::RemoveFox || self.scope.has_stock() || self.steps_are_final()
    }

    /// Whether a forward step of a goose is irreversible.
    fn steps_are_final(&self) -> bool {
        self.game.geometry().geese_never_retreat && self.scope.loses_geese()
    }

    /// Calls `visit` with all positions before `after`, and some more; for distances to conversion only with those
    /// before moves that can be undone.
    pub(super) fn show(&self, after: &Position<W>, counted: Metric, mut visit: impl FnMut(&Position<W>)) {
        match (after.turn, after.phase) {
            (Side::Fox, _) => self.goose_moves(after, counted, &mut visit),
            (Side::Geese, phase) => {
                if phase == Phase::Normal && self.game.ruleset().rules.fox_stuck == Stuck::Pass {
                    visit(&fox_to_move(after, after.foxes(), after.geese(), after.hand));
                }
                self.fox_steps(after, after.foxes(), PointSet::EMPTY, &mut visit);
                if !self.scope.loses_geese() {
                    self.fox_jumps(after, &mut visit);
                }
                if phase == Phase::Normal {
                    self.settlements(after, counted, &mut visit);
                }
            }
        }
    }

    /// Takes back a goose's step, a drop from the stock, or a pass.
    fn goose_moves(&self, after: &Position<W>, counted: Metric, visit: &mut impl FnMut(&Position<W>)) {
        let (foxes, geese) = (after.foxes(), after.geese());
        let before = |geese: PointSet<W>, hand: u8, first: bool| Position {
            hand,
            first,
            ..Position::new(foxes, geese, Side::Geese)
        };
        let (board, rules) = (self.game.board(), &self.game.ruleset().rules);
        let keeps_final = counted == Metric::Conversion && self.steps_are_final();
        // After a step the first goose move is not owed, and before it there was nothing to drop.
        let drops = self.scope.has_stock() && after.hand > 0;
        let stepped = if after.first || drops { PointSet::EMPTY } else { geese };
        for goose in stepped {
            for origin in self.goose_origins[goose.index()] & self.empty(after) {
                if keeps_final && board.rank(origin) < board.rank(goose) {
                    continue;
                }
                let moved = geese.without(goose).with(origin);
                visit(&before(moved, after.hand, false));
                if rules.first_move_forward {
                    visit(&before(moved, after.hand, true));
                }
            }
        }
        if self.scope.has_stock() && counted == Metric::End {
            geese.iter().for_each(|goose| visit(&before(geese.without(goose), after.hand + 1, after.first)));
        }
        if rules.geese_stuck == Stuck::Pass {
            visit(&before(geese, after.hand, after.first));
        }
    }

    fn empty(&self, position: &Position<W>) -> PointSet<W> {
        self.game.all() - position.occupied()
    }

    /// Takes back a step of each of `foxes`; the foxes in `added` also stand on the board before it.
    fn fox_steps(
        &self,
        after: &Position<W>,
        foxes: PointSet<W>,
        added: PointSet<W>,
        visit: &mut impl FnMut(&Position<W>),
    ) {
        for fox in foxes {
            // A line of empty points can be walked either way.
            for origin in self.game.steps_onto(fox, self.empty(after) - added) {
                visit(&fox_to_move(after, foxes.without(fox).with(origin) | added, after.geese(), after.hand));
            }
        }
    }

    /// Takes back the jumps of each fox, whose captured geese are now in hand.
    fn fox_jumps(&self, after: &Position<W>, visit: &mut impl FnMut(&Position<W>)) {
        for fox in after.foxes() {
            let others = after.foxes().without(fox);
            self.jumps_back(after, fox, others, after.geese(), after.hand, visit);
        }
    }

    /// Takes back the last jump of a fox that stands on `at`, and then the jumps of its chain before it.
    fn jumps_back(
        &self,
        after: &Position<W>,
        at: Point,
        others: PointSet<W>,
        geese: PointSet<W>,
        hand: u8,
        visit: &mut impl FnMut(&Position<W>),
    ) {
        let taken = geese | others;
        if hand == 0 {
            return;
        }
        for &JumpBack { over, origin } in &self.jumps[at.index()] {
            if taken.has(over) || taken.has(origin) {
                continue;
            }
            let geese = geese.with(over);
            visit(&fox_to_move(after, others.with(origin), geese, hand - 1));
            if self.game.ruleset().rules.chain {
                self.jumps_back(after, origin, others, geese, hand - 1, visit);
            }
        }
    }

    /// Takes back the settlement of a huff: a goose put on the board, or a fox taken off by choice or at once.
    fn settlements(&self, after: &Position<W>, counted: Metric, visit: &mut impl FnMut(&Position<W>)) {
        let (foxes, geese) = (after.foxes(), after.geese());
        if !self.scope.loses_geese() {
            for goose in geese {
                visit(&Position {
                    hand: after.hand + 1,
                    phase: Phase::Drop,
                    first: after.first,
                    ..Position::new(foxes, geese.without(goose), Side::Geese)
                });
            }
        }
        if foxes.len() >= self.scope.most_foxes || !self.scope.removes() {
            return;
        }
        for fox in self.empty(after) {
            // Either this fox stepped and was taken off, or another fox stepped.
            visit(&fox_to_move(after, foxes.with(fox), geese, after.hand));
            self.fox_steps(after, foxes, PointSet::of(fox), visit);
            if counted == Metric::End {
                self.removals(after, fox, visit);
            }
        }
    }

    /// Puts back a fox that was taken off by choice: any of the others may have been owed with it.
    fn removals(&self, after: &Position<W>, fox: Point, visit: &mut impl FnMut(&Position<W>)) {
        let before = Position {
            hand: after.hand,
            phase: Phase::Remove,
            first: after.first,
            ..Position::new(after.foxes().with(fox), after.geese(), Side::Geese)
        };
        for others in subsets(after.foxes().word()).skip(1) {
            visit(&Position { owed: PointSet::from_word(others).with(fox), ..before });
        }
    }
}

fn fox_to_move<W: Word>(after: &Position<W>, foxes: PointSet<W>, geese: PointSet<W>, hand: u8) -> Position<W> {
    Position { hand, first: after.first, ..Position::new(foxes, geese, Side::Fox) }
}
