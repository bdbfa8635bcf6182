//! What a move does, what a missed jump costs, and who has won.

use crate::geometry::{Point, PointSet, Word};
use crate::rules::{Outcome, Turn};

use super::Hunt;
use super::keys::{FillRule, GeeseStuck, Huff};
use super::position::{Move, MoveKind, Phase, Pieces, Position, Side};

pub(super) const NO_FOX: &str = "no fox left";
pub(super) const FEW_GEESE: &str = "too few geese left";
pub(super) const FOX_HOME: &str = "fox reached the geese's first row";
pub(super) const FORTRESS: &str = "fortress occupied";
pub(super) const FOX_STUCK: &str = "fox side has no legal move";
pub(super) const GEESE_STUCK: &str = "geese side has no legal move";

impl<W: Word> Hunt<W> {
    pub(super) fn start_position(&self) -> Position<W> {
        let mut pieces = Pieces::empty();
        self.tables.start_geese.iter().for_each(|point| pieces.toggle(Side::Geese, point));
        self.tables.start_foxes.iter().for_each(|point| pieces.toggle(Side::Fox, point));
        let placing = self.tables.start_foxes.is_empty();
        Position {
            pieces,
            owed: PointSet::EMPTY,
            hand: self.ruleset.rules.drops as u8,
            turn: if placing { Side::Fox } else { self.first_side },
            phase: if placing { Phase::Place } else { Phase::Normal },
            first: self.ruleset.rules.first_move_forward,
        }
    }

    /// The position with these pieces, nothing being owed, in hand or still to be placed.
    pub fn position_of(&self, foxes: PointSet<W>, geese: PointSet<W>, turn: Side) -> Position<W> {
        let mut pieces = Pieces::empty();
        foxes.iter().for_each(|point| pieces.toggle(Side::Fox, point));
        geese.iter().for_each(|point| pieces.toggle(Side::Geese, point));
        Position { pieces, owed: PointSet::EMPTY, hand: 0, turn, phase: Phase::Normal, first: false }
    }

    /// The winner by what stands on the board, before any question of legal moves.
    #[inline]
    pub(super) fn decided(&self, position: &Position<W>) -> Option<(Side, &'static str)> {
        let (foxes, geese) = (position.foxes(), position.geese());
        if foxes.is_empty() && position.phase != Phase::Place {
            return Some((Side::Geese, NO_FOX));
        }
        let stock = if self.has_stock { position.hand() } else { 0 };
        if geese.len() + stock < self.ruleset.rules.fox_wins_below {
            return Some((Side::Fox, FEW_GEESE));
        }
        if self.has_region_goal { self.decided_by_region(position) } else { None }
    }

    fn decided_by_region(&self, position: &Position<W>) -> Option<(Side, &'static str)> {
        let rules = &self.ruleset.rules;
        if rules.fox_home_wins && position.turn == Side::Geese && !position.foxes().is_disjoint(self.tables.lowest_rank)
        {
            return Some((Side::Fox, FOX_HOME));
        }
        let fillers = match rules.fill_rule {
            FillRule::AttackersOnly => position.geese(),
            FillRule::AnyPiece => position.occupied(),
        };
        let filled = !self.tables.fortress.is_empty() && self.tables.fortress.is_subset(fillers);
        filled.then_some((Side::Geese, FORTRESS))
    }

    /// The side that has won because the one to move cannot; `None` when it can.
    fn stuck(&self, position: &Position<W>) -> Option<(Side, &'static str)> {
        match (position.phase, position.turn) {
            (Phase::Remove, _) => None,
            (Phase::Normal, Side::Fox) => (!self.fox_side_can_move(position)).then_some((Side::Geese, FOX_STUCK)),
            (Phase::Normal, Side::Geese) if !self.is_stock_drop(position) => {
                let stuck = self.ruleset.rules.geese_stuck == GeeseStuck::Lose && !self.geese_can_step(position);
                stuck.then_some((Side::Fox, GEESE_STUCK))
            }
            (_, side) => {
                let reason = if side == Side::Fox { FOX_STUCK } else { GEESE_STUCK };
                self.landing_zone(position).is_empty().then_some((side.other(), reason))
            }
        }
    }

    #[inline]
    pub(super) fn turn_of(&self, position: &Position<W>) -> Turn {
        match self.decided(position).or_else(|| self.stuck(position)) {
            Some((winner, reason)) => Turn::Over(Outcome { winner: Some(self.seat(winner)), reason }),
            None => Turn::Player(self.seat(position.turn)),
        }
    }

    #[inline(always)]
    pub(super) fn after(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        match mv.kind {
            MoveKind::Step if position.turn == Side::Geese => Position {
                pieces: position.pieces.slid(Side::Geese, mv.from, mv.to),
                first: false,
                turn: Side::Fox,
                ..*position
            },
            MoveKind::Step | MoveKind::Jump => self.after_fox_move(position, mv),
            MoveKind::Put => self.after_put(position, mv.to),
            MoveKind::TakeOff => after_take_off(position, mv.to),
            MoveKind::Pass => Position { turn: position.turn.other(), ..*position },
        }
    }

    fn after_put(&self, position: &Position<W>, point: Point) -> Position<W> {
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
    fn after_fox_move(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
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

    /// Settles or notes the penalty for a jump that was not made.
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
        let can_jump = |position: &Position<W>, fox: Point| {
            self.tables.jumps.can_jump(fox, position.geese(), position.foxes().without(fox))
        };
        if mv.kind == MoveKind::Jump {
            let rules = &self.ruleset.rules;
            let stopped_early = rules.huff_partial_chain && rules.chain && can_jump(next, mv.to);
            return if stopped_early { PointSet::of(mv.to) } else { PointSet::EMPTY };
        }
        let could = before.foxes().iter().filter(|&fox| can_jump(before, fox));
        could.map(|fox| if fox == mv.from { mv.to } else { fox }).collect()
    }

    pub(super) fn raises_rank(&self, mv: Move<W>) -> bool {
        self.tables.ranks[mv.to.index()] > self.tables.ranks[mv.from.index()]
    }
}

fn after_take_off<W: Word>(position: &Position<W>, point: Point) -> Position<W> {
    let mut next = Position { owed: PointSet::EMPTY, phase: Phase::Normal, ..*position };
    next.pieces.toggle(Side::Fox, point);
    next
}
