//! What moves do: the position after a move, the penalty for a missed jump, and who has won.

use super::Hunt;
use super::position::{Move, MoveKind, Phase, Position, Side};
use super::ruleset::{DropsRule, FillRule, FoxGoal, Huff, HuffStock, Placing};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::Reason;
use crate::rules::jumps::{NO_PILES, Piles};

impl<W: Word> Hunt<W> {
    /// The winner and the reason if the pieces on the board decide the game, whatever moves are legal.
    #[inline(always)]
    pub(super) fn decided(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let foxes = position.foxes();
        if foxes.is_empty() && position.phase == Phase::Normal {
            return Some((Side::Geese, Reason::NoPieceLeft(self.seat(Side::Fox))));
        }
        if self.geese_left(position) < self.ruleset.rules.fox_wins_below {
            return Some((Side::Fox, Reason::TooFewPieces(self.seat(Side::Geese))));
        }
        if self.has_region_goal { self.decided_by_region(position) } else { None }
    }

    /// The geese on the board and those still to be dropped.
    #[inline(always)]
    pub(crate) fn geese_left(&self, position: &Position<W>) -> u32 {
        let further = || {
            let stock = if self.ruleset.rules.drops > 0 { u32::from(position.hand) } else { 0 };
            position.piles.into_iter().map(u32::from).sum::<u32>() + stock
        };
        position.geese().len() + if self.has_further_geese { further() } else { 0 }
    }

    #[inline(never)]
    fn decided_by_region(&self, position: &Position<W>) -> Option<(Side, Reason)> {
        let rules = &self.ruleset.rules;
        let is_past = || rules.fox_goal == FoxGoal::PastGeese && self.is_past_geese(position);
        if position.turn == Side::Geese && (!position.foxes().is_disjoint(self.geometry.fox_goal) || is_past()) {
            let seat = self.seat(Side::Fox);
            let reason = if rules.fox_home_wins { Reason::FirstRowReached(seat) } else { Reason::GoalReached(seat) };
            return Some((Side::Fox, reason));
        }
        if self.is_penned(position) {
            return Some((Side::Geese, Reason::GoalReached(self.seat(Side::Geese))));
        }
        let fillers = match rules.fill_rule {
            FillRule::AttackersOnly => position.geese(),
            FillRule::AnyPiece => position.occupied(),
        };
        let filled = !self.geometry.fortress.is_empty() && self.geometry.fortress.is_subset(fillers);
        filled.then_some((Side::Geese, Reason::FortressOccupied))
    }

    /// Whether all foxes stand in the pen in their turn and no move leads one of them off it.
    fn is_penned(&self, position: &Position<W>) -> bool {
        let pen = self.geometry.pen;
        let are_inside = position.foxes().is_subset(pen) && position.phase == Phase::Normal;
        are_inside && position.turn == Side::Fox && {
            let mut moves = Vec::new();
            self.generate_fox_side(position, &mut moves);
            moves.iter().all(|mv| pen.has(mv.to))
        }
    }

    /// Whether all foxes stand and no goose is on a lower rank than one of them.
    fn is_past_geese(&self, position: &Position<W>) -> bool {
        let rank = |point: Point| self.geometry.ranks[point.index()];
        let highest = position.foxes().iter().map(rank).max();
        position.phase != Phase::Place && position.geese().iter().all(|goose| highest <= Some(rank(goose)))
    }

    /// Whether the side to move has no legal move and does not pass, which ends the game.
    pub(super) fn is_stuck(&self, position: &Position<W>) -> bool {
        let (points, pieces_move) = self.choices(position);
        let can_move = || match position.turn {
            Side::Fox => {
                self.fox_targets(position).any(|(_, targets)| !targets.is_empty()) || self.fox_side_can_jump(position)
            }
            Side::Geese => self.goose_targets(position).any(|(_, targets)| !targets.is_empty()),
        };
        let is_stuck = points.is_empty() && !(pieces_move && can_move());
        is_stuck && !self.may_pass(position)
    }

    /// The position after one of the owed pieces has been taken off.
    pub(super) fn after_removal(&self, position: &Position<W>, point: Point) -> Position<W> {
        let mut next = Position { owed: PointSet::EMPTY, phase: Phase::Normal, ..*position };
        next.pieces.toggle(position.turn.other(), point);
        if position.turn == Side::Fox {
            match self.still_to_remove(&next) {
                0 if self.ruleset.rules.places_foxes() => next.phase = Phase::Place,
                0 => next.turn = self.first_side,
                _ => (next.phase, next.owed) = (Phase::Remove, next.geese()),
            }
        }
        next
    }

    /// The geese that the fox side has still to take off in the opening.
    pub(crate) fn still_to_remove(&self, position: &Position<W>) -> u32 {
        let removed = self.geometry.start_geese.len().saturating_sub(position.geese().len());
        self.ruleset.rules.opening_removals.saturating_sub(removed)
    }

    pub(super) fn after_put(&self, position: &Position<W>, point: Point) -> Position<W> {
        let mut next = *position;
        next.pieces.toggle(position.turn, point);
        if position.turn == Side::Fox {
            let all_stand = next.foxes().len() >= self.ruleset.rules.foxes;
            next.phase = if all_stand { Phase::Normal } else { Phase::Place };
            next.turn = match self.ruleset.rules.placing {
                Placing::Alternate => Side::Geese,
                _ if !all_stand => Side::Fox,
                Placing::FoxThenGeese => Side::Geese,
                Placing::FoxFirst | Placing::GeeseThenFox => self.first_side,
            };
            return next;
        }
        if self.ruleset.rules.huff_stock == HuffStock::Captured {
            next.hand -= 1;
        }
        match position.phase {
            // To put the goose back is a ply of its own: the geese move again.
            Phase::Drop => next.phase = Phase::Normal,
            _ => next.turn = self.turn_after_drop(next.hand.into()),
        }
        next
    }

    /// The side that acts after a goose has been dropped, which leaves this number in hand.
    fn turn_after_drop(&self, hand: u32) -> Side {
        let rules = &self.ruleset.rules;
        match rules.placing {
            _ if rules.drops_rule == DropsRule::Refill => Side::Geese,
            _ if hand > rules.drops.saturating_sub(rules.first_drops) => Side::Geese,
            Placing::FoxThenGeese | Placing::GeeseThenFox if hand > 0 => Side::Geese,
            Placing::FoxThenGeese => self.first_side,
            Placing::FoxFirst | Placing::Alternate | Placing::GeeseThenFox => Side::Fox,
        }
    }

    #[inline(always)]
    pub(super) fn after_goose_step(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        if self.geometry.piles.is_empty() {
            let pieces = position.pieces.slid(Side::Geese, mv.from, mv.to);
            Position { pieces, first: false, turn: Side::Fox, ..*position }
        } else {
            self.with_goose_carried(position, mv)
        }
    }

    /// The position after one goose has been taken off its point or pile and put onto another.
    #[cold]
    fn with_goose_carried(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        let next = Position { first: false, turn: Side::Fox, ..*position };
        let mut next = self.without_piled(next, PointSet::of(mv.from), NO_PILES);
        match self.geometry.piles.iter().position(|pile| pile == mv.to) {
            Some(pile) if next.geese().has(mv.to) => next.piles[pile] += 1,
            _ => next.pieces.toggle(Side::Geese, mv.to),
        }
        next
    }

    /// The position without one goose of each of these points, and without further ones of piles.
    #[cold]
    fn without_piled(&self, mut position: Position<W>, mut points: PointSet<W>, again: Piles) -> Position<W> {
        for (pile, (further, again)) in self.geometry.piles.iter().zip(position.piles.iter_mut().zip(again)) {
            if points.has(pile) && *further > again {
                points = points.without(pile);
                *further -= 1;
            }
            *further -= again;
        }
        position.pieces = position.pieces.without_geese(points);
        position
    }

    #[inline]
    pub(super) fn after_fox_move(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        // Without huffs the position is built where the caller wants it: a copy would wait for its single bytes.
        if self.ruleset.rules.huff == Huff::None { self.moved_fox(position, mv) } else { self.huffed(position, mv) }
    }

    /// The position after a step or jump, without the penalty for a missed jump.
    #[inline(always)]
    fn moved_fox(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        // A chain may end where it began: the piece slides to its own point, which changes nothing.
        let pieces = position.pieces.slid(Side::Fox, mv.from, mv.to);
        let caught = if self.keeps_captured { mv.captures() as u8 } else { 0 };
        let hand = position.hand.saturating_add(caught);
        if self.geometry.piles.is_empty() {
            let pieces = pieces.without_geese(mv.captured);
            Position { pieces, turn: Side::Geese, hand, ..*position }
        } else {
            self.without_piled(Position { pieces, turn: Side::Geese, hand, ..*position }, mv.captured, mv.again)
        }
    }

    /// The position after a step or jump, with the penalty for a missed jump carried out or noted as owed.
    #[inline(never)]
    fn huffed(&self, before: &Position<W>, mv: Move<W>) -> Position<W> {
        let mut next = self.moved_fox(before, mv);
        if self.decided(&next).is_some() {
            return next;
        }
        let guilty = self.huff_candidates(before, mv, &next);
        if guilty.is_empty() {
            return next;
        }
        if self.ruleset.rules.returns_geese() {
            let possible = self.has_goose_to_return(&next) && !self.landing_zone(&next).is_empty();
            next.phase = if possible { Phase::Drop } else { Phase::Normal };
        } else if guilty.len() == 1 {
            guilty.iter().for_each(|fox| next.pieces.toggle(Side::Fox, fox));
        } else {
            next.owed = guilty;
            next.phase = Phase::Remove;
        }
        next
    }

    /// Whether a huff that puts a goose on the board finds one.
    pub(super) fn has_goose_to_return(&self, position: &Position<W>) -> bool {
        position.hand > 0 || self.ruleset.rules.huff_stock == HuffStock::Unlimited
    }

    /// The pieces that could have jumped and did not, on their present points.
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
