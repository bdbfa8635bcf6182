//! Legal moves: what must be done, and where each piece can end.

use rand::{Rng, RngExt};

use super::TheGame;
use super::keys::{BasisDuty, Entry, ReturnToBasis};
use super::position::{Army, BASIS_LIMIT, ENTRY_TURNS, MAX_PIECES, Move, Position};
use super::squares::{Square, Squares};

/// The board as the routes of one player see it.
#[derive(Clone, Copy)]
pub(super) struct Scene<S> {
    /// Squares that a route may pass.
    pub passable: S,
    /// Squares on which a piece may end.
    pub landable: S,
}

/// What the side to move may do.
#[derive(Clone, Copy)]
struct Choice<S> {
    scene: Scene<S>,
    /// Where an entry may end.
    entries: S,
    /// Squares with free pieces that may move.
    sources: S,
}

/// Squares with at least one and with at least two of some pieces.
fn stacks<S: Squares>(army: &Army) -> (S, S) {
    army.pieces().iter().fold((S::EMPTY, S::EMPTY), |(once, twice), piece| {
        let square = S::of(piece.square());
        (once | square, twice | once & square)
    })
}

impl<S: Squares> TheGame<S> {
    /// What routes of `side` may pass and where they may end.
    pub(super) fn scene(&self, position: &Position, side: usize) -> Scene<S> {
        let (own, enemy) = (&position.armies[side], &position.armies[side ^ 1]);
        let (enemies, enemy_pairs) = stacks::<S>(enemy);
        let (owns, _) = stacks::<S>(own);
        let passable = self.playable.minus(owns | enemies);
        let landable = self.playable.minus(enemy_pairs | self.closed(own, side));
        Scene { passable, landable }
    }

    /// Squares on which a player may not end because of its own pieces.
    fn closed(&self, own: &Army, side: usize) -> S {
        let rules = &self.ruleset.rules;
        let basis = self.basis[side];
        let is_full = |square: Square, limit: u8| limit > 0 && own.count(square) >= usize::from(limit);
        let barred = rules.return_to_basis == ReturnToBasis::UntilAllEntered && own.hand == 0;
        let mut closed = if barred || is_full(basis, rules.basis_limit) { S::of(basis) } else { S::EMPTY };
        if rules.stack_limit > 0 {
            let full = own.pieces().iter().map(|piece| piece.square()).filter(|&sq| is_full(sq, rules.stack_limit));
            closed = closed | S::collect(full);
        }
        closed
    }

    /// Where an entry of `side` may end.
    pub(super) fn entries(&self, position: &Position, side: usize, scene: Scene<S>) -> S {
        let basis = self.basis[side];
        if position.armies[side].hand == 0 || position.armies[side ^ 1].holds(basis) {
            return S::EMPTY;
        }
        self.ends_from(basis, scene)
    }

    /// Where a piece that starts on a square may end.
    #[inline]
    pub(super) fn ends_from(&self, start: Square, scene: Scene<S>) -> S {
        let start = S::of(start);
        self.routes.ends(start, scene.passable.minus(start)) & scene.landable.minus(start)
    }

    /// The squares of a route of the side to move with as few changes of direction as can be, its ends included.
    pub(super) fn route_between(&self, position: &Position, from: Square, to: Square) -> Option<Vec<Square>> {
        let (start, scene) = (S::of(from), self.scene(position, usize::from(position.turn)));
        let route = self.routes.route(start, scene.passable.minus(start), S::of(to))?;
        Some(route.into_iter().map(S::first).collect())
    }

    fn choice(&self, position: &Position) -> Choice<S> {
        let side = usize::from(position.turn);
        let (own, rules) = (position.own(), &self.ruleset.rules);
        let scene = self.scene(position, side);
        let entries = self.entries(position, side, scene);
        let free = S::collect(own.pieces().iter().filter(|piece| piece.is_free()).map(|piece| piece.square()));
        let entry_due = own.turns < ENTRY_TURNS && !entries.is_empty();
        let leaving = own.basis >= BASIS_LIMIT && (!entry_due || rules.basis_duty == BasisDuty::LeavingFirst);
        let basis = self.basis[side];
        if leaving && free.has(basis) && !self.ends_from(basis, scene).is_empty() {
            return Choice { scene, entries: S::EMPTY, sources: S::of(basis) };
        }
        let must_enter = entry_due && rules.entry == Entry::FirstTurns;
        Choice { scene, entries, sources: if must_enter { S::EMPTY } else { free } }
    }

    /// Shows `visit` where the pieces of the side to move can end: first those that enter, then those of each square.
    #[inline]
    fn each_source(&self, position: &Position, mut visit: impl FnMut(Option<Square>, S)) {
        let choice = self.choice(position);
        if !choice.entries.is_empty() {
            visit(None, choice.entries);
        }
        for from in choice.sources.iter() {
            visit(Some(from), self.ends_from(from, choice.scene));
        }
    }

    /// Every legal move of a position that is not decided that ends on one of `targets`; a pass, which ends nowhere, only
    /// when every square is one.
    pub(super) fn generate(&self, position: &Position, targets: S, moves: &mut Vec<Move>) {
        let mut any = false;
        self.each_source(position, |from, ends| {
            any |= !ends.is_empty();
            moves.extend((ends & targets).iter().map(|to| joined(from, to)));
        });
        if !any && targets == self.playable {
            moves.push(Move::Pass);
        }
    }

    pub(super) fn count(&self, position: &Position) -> u64 {
        let mut count = 0;
        self.each_source(position, |_, ends| count += u64::from(ends.len()));
        count.max(1)
    }

    /// Whether a position that is not decided has at most so many legal moves.
    pub(super) fn counts_at_most(&self, position: &Position, most: u64) -> bool {
        let choice = self.choice(position);
        let mut count = u64::from(choice.entries.len());
        for from in choice.sources.iter() {
            if count > most {
                return false;
            }
            count += u64::from(self.ends_from(from, choice.scene).len());
        }
        count.max(1) <= most
    }

    /// Whether some piece may be able to end on one of the targets; sometimes true when none is.
    pub(super) fn can_reach(&self, position: &Position, targets: S) -> bool {
        if targets.is_empty() {
            return false;
        }
        let (own, enemy) = (position.own(), position.enemy());
        let occupied = S::collect(own.pieces().iter().chain(enemy.pieces()).map(|piece| piece.square()));
        let starts = S::collect(own.pieces().iter().filter(|piece| piece.is_free()).map(|piece| piece.square()));
        let entry = if own.hand > 0 { S::of(self.basis[usize::from(position.turn)]) } else { S::EMPTY };
        !(self.routes.ends(starts | entry, self.playable.minus(occupied)) & targets).is_empty()
    }

    /// A legal move of a position that is not decided, all with equal chances.
    pub(super) fn draw_move<R: Rng>(&self, position: &Position, rng: &mut R) -> Move {
        let mut sources = [(None, S::EMPTY); MAX_PIECES + 1];
        let (mut used, mut count) = (0, 0);
        self.each_source(position, |from, ends| {
            count += ends.len();
            sources[used] = (from, ends);
            used += 1;
        });
        if count == 0 {
            return Move::Pass;
        }
        let mut left = rng.random_range(0..count);
        for &(from, ends) in &sources[..used] {
            match left.checked_sub(ends.len()) {
                None => return joined(from, ends.nth(left)),
                Some(rest) => left = rest,
            }
        }
        Move::Pass
    }

    /// Squares on which the next own piece to arrive captures an enemy, and the enemy Basis where it wins at once.
    pub(super) fn prizes(&self, position: &Position) -> S {
        let (own, enemy) = (position.own(), position.enemy());
        let mixed = enemy.pieces().iter().map(|piece| piece.square()).filter(|&square| own.holds(square));
        let goal = self.goal(position);
        let open = if enemy.holds(goal) { S::EMPTY } else { S::of(goal) };
        S::collect(mixed) | open
    }
}

#[inline]
fn joined(from: Option<Square>, to: Square) -> Move {
    match from {
        Some(from) => Move::Go { from, to },
        None => Move::Enter(to),
    }
}
