//! Plays moves: their effect, the penalty for a missed jump, and who has won.

use super::Hunt;
use super::moves::Task;
use super::position::{Move, MoveKind, Phase, Position, Side};
use super::ruleset::{FillRule, GeeseStuck, Huff};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::Reason;

impl<W: Word> Hunt<W> {
    /// The winner by what stands on the board, whatever moves are legal.
    #[inline]
    pub(super) fn decided(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let foxes = position.foxes();
        let geese = position.geese();
        if foxes.is_empty() && position.phase != Phase::Place {
            return Some((Side::Geese, Reason::NoPieceLeft(self.seat(Side::Fox))));
        }
        let stock = if self.has_stock { position.hand() } else { 0 };
        if geese.len() + stock < self.ruleset.rules.fox_wins_below {
            return Some((Side::Fox, Reason::TooFewPieces(self.seat(Side::Geese))));
        }
        if self.has_region_goal { self.decided_by_region(position) } else { None }
    }

    fn decided_by_region(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        if position.turn == Side::Geese && !position.foxes().is_disjoint(self.geometry.fox_goal) {
            return Some((Side::Fox, Reason::FirstRowReached(self.seat(Side::Fox))));
        }
        let fillers = match self.ruleset.rules.fill_rule {
            FillRule::AttackersOnly => position.geese(),
            FillRule::AnyPiece => position.occupied(),
        };
        let filled = !self.geometry.fortress.is_empty() && self.geometry.fortress.is_subset(fillers);
        filled.then_some((Side::Geese, Reason::FortressOccupied))
    }

    /// Whether the side to move has no legal move, which loses.
    pub(super) fn is_stuck(&self, position: &Position<W>) -> bool {
        match self.task(position) {
            Task::Put => self.landing_zone(position).is_empty(),
            Task::TakeOff => false,
            Task::MoveFox => !self.fox_side_can_move(position),
            Task::MoveGoose => self.ruleset.rules.geese_stuck == GeeseStuck::Lose && !self.geese_can_step(position),
        }
    }

    pub(super) fn after_put(&self, position: &Position<W>, point: Point) -> Position<W> {
        let mut next = *position;
        next.pieces.toggle(position.turn, point);
        match position.phase {
            Phase::Place => {
                if next.foxes().len() >= self.ruleset.rules.foxes {
                    next.phase = Phase::Normal;
                    next.turn = self.first_side;
                }
            }
            // The goose put back is a ply of its own: the geese move again.
            Phase::Drop => {
                next.hand -= 1;
                next.phase = Phase::Normal;
            }
            _ => {
                next.hand -= 1;
                next.turn = Side::Fox;
            }
        }
        next
    }

    #[inline]
    pub(super) fn after_fox_move(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        // A chain may end where it began: the piece slides to its own point, which changes nothing.
        let pieces = position.pieces.slid(Side::Fox, mv.from, mv.to).without_geese(mv.captured);
        let caught = if self.returns_geese { mv.captured.len() as u8 } else { 0 };
        let next = Position { pieces, turn: Side::Geese, hand: position.hand.saturating_add(caught), ..*position };
        if self.ruleset.rules.huff == Huff::None || self.decided(&next).is_some() {
            next
        } else {
            self.huffed(position, mv, next)
        }
    }

    /// The position after a step or jump, with the penalty for a jump that was not made: settled, or noted as owed.
    fn huffed(&self, before: &Position<W>, mv: Move<W>, mut next: Position<W>) -> Position<W> {
        let guilty = self.huff_candidates(before, mv, &next);
        if guilty.is_empty() {
            return next;
        }
        if self.returns_geese {
            let possible = next.hand > 0 && !(self.empty(&next) & self.drop_zone).is_empty();
            next.phase = if possible { Phase::Drop } else { Phase::Normal };
        } else if guilty.len() == 1 {
            guilty.iter().for_each(|fox| next.pieces.toggle(Side::Fox, fox));
        } else {
            next.owed = guilty;
            next.phase = Phase::Remove;
        }
        next
    }

    /// The pieces that could have jumped, where they stand now.
    fn huff_candidates(&self, before: &Position<W>, mv: Move<W>, next: &Position<W>) -> PointSet<W> {
        if mv.kind == MoveKind::Jump {
            let rules = &self.ruleset.rules;
            let stopped_early = rules.huff_partial_chain && rules.chain && self.jumper(next, mv.to).can_jump();
            return if stopped_early { PointSet::of(mv.to) } else { PointSet::EMPTY };
        }
        let could = before.foxes().iter().filter(|&fox| self.jumper(before, fox).can_jump());
        could.map(|fox| if fox == mv.from { mv.to } else { fox }).collect()
    }

    pub(super) fn raises_rank(&self, mv: Move<W>) -> bool {
        self.geometry.ranks[mv.to.index()] > self.geometry.ranks[mv.from.index()]
    }
}
