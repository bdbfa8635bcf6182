//! Takes moves back: the positions from which one move may lead to a given one of the same layer.
//!
//! A few more positions are shown: the caller looks at the moves of each candidate anyway, so that only a missing one
//! would be an error.

use super::scope::Scope;
use crate::geometry::{Point, PointSet, Word, subsets};
use crate::rules::hunt::{GeeseStuck, Huff, Hunt, Phase, Position, Side};
use crate::tablebase::Metric;

/// A jump that ends on a known point.
#[derive(Clone, Copy, Debug)]
struct JumpBack {
    over: Point,
    origin: Point,
}

/// Finds the positions before a position.
#[derive(Clone, Debug)]
pub(super) struct Predecessors<'a, W: Word> {
    game: &'a Hunt<W>,
    scope: Scope,
    /// By cell: the points from which a goose steps there.
    goose_origins: Vec<PointSet<W>>,
    /// By cell: the jumps that end there.
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

    /// Whether some move that can never be undone leads from a position of a layer to one of the same layer.
    pub(super) fn has_one_way_moves(&self) -> bool {
        self.game.ruleset().rules.huff == Huff::RemoveFox || self.scope.has_stock() || self.steps_are_final()
    }

    /// Whether a forward step of a goose is irreversible.
    fn steps_are_final(&self) -> bool {
        self.game.geese_never_retreat() && self.scope.loses_geese()
    }

    /// Shows the positions before `after`, and some more; only those by moves that can be undone in play where
    /// distances count to conversion.
    pub(super) fn show(&self, after: &Position<W>, counted: Metric, mut visit: impl FnMut(&Position<W>)) {
        match (after.turn, after.phase) {
            (Side::Fox, _) => self.goose_moves(after, counted, &mut visit),
            (Side::Geese, phase) => {
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

    /// Takes a goose step, a drop from the stock, or a pass back.
    fn goose_moves(&self, after: &Position<W>, counted: Metric, visit: &mut impl FnMut(&Position<W>)) {
        let (foxes, geese) = (after.foxes(), after.geese());
        let before = |geese: PointSet<W>, hand: u8, first: bool| Position {
            hand,
            first,
            ..Position::new(foxes, geese, Side::Geese)
        };
        let (board, rules) = (self.game.board(), &self.game.ruleset().rules);
        let keeps_final = counted == Metric::Conversion && self.steps_are_final();
        // After a step no first one is owed, and before it nothing was to be dropped.
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
        if rules.geese_stuck == GeeseStuck::Pass {
            visit(&before(geese, after.hand, after.first));
        }
    }

    fn empty(&self, position: &Position<W>) -> PointSet<W> {
        self.game.all() - position.occupied()
    }

    /// Takes a step of each of `foxes` back, those of `added` standing beside them.
    fn fox_steps(
        &self,
        after: &Position<W>,
        foxes: PointSet<W>,
        added: PointSet<W>,
        visit: &mut impl FnMut(&Position<W>),
    ) {
        for fox in foxes {
            for origin in (self.game.fox_steps(fox) & self.empty(after)) - added {
                visit(&fox_to_move(after, foxes.without(fox).with(origin) | added, after.geese(), after.hand));
            }
        }
    }

    /// Takes jumps of each fox back that captured geese now in hand.
    fn fox_jumps(&self, after: &Position<W>, visit: &mut impl FnMut(&Position<W>)) {
        for fox in after.foxes() {
            let others = after.foxes().without(fox);
            self.jumps_back(after, fox, others, after.geese(), after.hand, visit);
        }
    }

    /// Takes the last jump back of a fox that stands on `at`, and the ones before it.
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

    /// Takes back what settled a huff: a goose put back on the board, a fox taken off it, by choice or at once.
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
            // It stepped and was taken off, or another stepped.
            visit(&fox_to_move(after, foxes.with(fox), geese, after.hand));
            self.fox_steps(after, foxes, PointSet::of(fox), visit);
            if counted == Metric::End {
                self.removals(after, fox, visit);
            }
        }
    }

    /// Puts a fox back that was taken off by choice: any others may have been owed with it.
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
