//! When the game is decided, and legal moves: which duties they have to meet, and where each piece can end.

use rand::{Rng, RngExt};

use super::TheGame;
use super::position::{Army, BASIS_LIMIT, ENTRY_TURNS, MAX_PIECES, Move, Position};
use super::ruleset::{BasisDuty, Entry, ReturnToBasis};
use super::squares::{Square, Squares};
use crate::rules::{Outcome, Reason, Seat};

/// The board as the routes of one player see it.
#[derive(Clone, Copy)]
pub(super) struct Scene<const N: usize> {
    /// Squares that a route may pass.
    pub passable: Squares<N>,
    /// Squares on which a piece may end.
    pub landable: Squares<N>,
}

/// What the side to move may do.
#[derive(Clone, Copy)]
struct Choice<const N: usize> {
    scene: Scene<N>,
    /// Where an entry may end.
    entries: Squares<N>,
    /// Squares with free pieces that may move.
    sources: Squares<N>,
}

/// The squares with at least one piece of an army, and those with at least two.
fn stacks<const N: usize>(army: &Army) -> (Squares<N>, Squares<N>) {
    army.pieces().iter().fold((Squares::EMPTY, Squares::EMPTY), |(once, twice), piece| {
        let square = Squares::of(piece.square());
        (once | square, twice | (once & square))
    })
}

impl<const N: usize> TheGame<N> {
    /// The outcome that the last ply has brought about, if any. Only the player who made that ply can have won.
    pub(super) fn decided(&self, position: &Position) -> Option<Outcome> {
        let winner = Some(Seat(position.turn ^ 1));
        let goal = self.basis[usize::from(position.turn)];
        if position.enemy().holds(goal) && !position.own().holds(goal) {
            return Some(Outcome { winner, reason: Reason::BasisTaken });
        }
        let lost = self.ruleset.rules.immobile_loses && self.is_immobile(position);
        lost.then_some(Outcome { winner, reason: Reason::AllNeutralised })
    }

    /// Whether the side to move has pieces on the board, all of them neutralised, and cannot bring in another.
    fn is_immobile(&self, position: &Position) -> bool {
        let side = usize::from(position.turn);
        let own = position.own();
        !own.pieces().is_empty()
            && own.free_squares().next().is_none()
            && self.entries(position, side, self.scene(position, side)).is_empty()
    }

    /// The squares that routes of `side` may pass and those where they may end.
    pub(super) fn scene(&self, position: &Position, side: usize) -> Scene<N> {
        let (own, enemy) = (&position.armies[side], &position.armies[side ^ 1]);
        let (enemies, enemy_pairs) = stacks(enemy);
        let (owns, _) = stacks(own);
        let passable = self.playable - (owns | enemies);
        let landable = self.playable - (enemy_pairs | self.closed(own, side));
        Scene { passable, landable }
    }

    /// The squares where a player may not end because of its own pieces.
    fn closed(&self, own: &Army, side: usize) -> Squares<N> {
        let rules = &self.ruleset.rules;
        let basis = self.basis[side];
        let is_full = |square: Square, limit: u8| limit > 0 && own.count(square) >= usize::from(limit);
        let barred = rules.return_to_basis == ReturnToBasis::UntilAllEntered && own.hand == 0;
        let mut closed = if barred || is_full(basis, rules.basis_limit) { Squares::of(basis) } else { Squares::EMPTY };
        if rules.stack_limit > 0 {
            let full = own.squares().filter(|&sq| is_full(sq, rules.stack_limit));
            closed = closed | Squares::from_iter(full);
        }
        closed
    }

    /// The squares where a piece of `side` that enters may end.
    pub(super) fn entries(&self, position: &Position, side: usize, scene: Scene<N>) -> Squares<N> {
        let basis = self.basis[side];
        if position.armies[side].hand == 0 || position.armies[side ^ 1].holds(basis) {
            return Squares::EMPTY;
        }
        self.ends_from(basis, scene)
    }

    /// The squares where a piece that starts on `start` may end.
    #[inline]
    pub(super) fn ends_from(&self, start: Square, scene: Scene<N>) -> Squares<N> {
        let start = Squares::of(start);
        self.routes.ends(start, scene.passable - start) & (scene.landable - start)
    }

    /// A route of the side to move with the fewest changes of direction, both ends included; `None` without any.
    pub(super) fn route_between(&self, position: &Position, from: Square, to: Square) -> Option<Vec<Square>> {
        let start = Squares::of(from);
        let scene = self.scene(position, usize::from(position.turn));
        let route = self.routes.route(start, scene.passable - start, Squares::of(to))?;
        Some(route.into_iter().map(Squares::first).collect())
    }

    fn choice(&self, position: &Position) -> Choice<N> {
        let side = usize::from(position.turn);
        let own = position.own();
        let rules = &self.ruleset.rules;
        let scene = self.scene(position, side);
        let entries = self.entries(position, side, scene);
        let free = Squares::from_iter(own.free_squares());
        let entry_due = own.turns < ENTRY_TURNS && !entries.is_empty();
        let leaving = own.basis >= BASIS_LIMIT && (!entry_due || rules.basis_duty == BasisDuty::LeavingFirst);
        let basis = self.basis[side];
        if leaving && free.has(basis) && !self.ends_from(basis, scene).is_empty() {
            return Choice { scene, entries: Squares::EMPTY, sources: Squares::of(basis) };
        }
        let must_enter = entry_due && rules.entry == Entry::FirstTurns;
        Choice { scene, entries, sources: if must_enter { Squares::EMPTY } else { free } }
    }

    /// Calls `visit` with the squares where pieces of the side to move can end: entering ones first, then by square.
    #[inline]
    fn each_source(&self, position: &Position, mut visit: impl FnMut(Option<Square>, Squares<N>)) {
        let choice = self.choice(position);
        if !choice.entries.is_empty() {
            visit(None, choice.entries);
        }
        for from in choice.sources.iter() {
            visit(Some(from), self.ends_from(from, choice.scene));
        }
    }

    /// Appends the legal moves of a position that is not decided that end on one of `targets`; a pass, which ends on no
    /// square, only when every square is a target.
    pub(super) fn generate(&self, position: &Position, targets: Squares<N>, moves: &mut Vec<Move>) {
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

    /// Whether a position that is not decided has at most `most` legal moves.
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

    /// Whether some piece may be able to end on one of the targets; sometimes true when none can.
    pub(super) fn can_reach(&self, position: &Position, targets: Squares<N>) -> bool {
        if targets.is_empty() {
            return false;
        }
        let (own, enemy) = (position.own(), position.enemy());
        let occupied = Squares::from_iter(own.squares().chain(enemy.squares()));
        let starts = Squares::from_iter(own.free_squares());
        let entry = if own.hand > 0 { Squares::of(self.basis[usize::from(position.turn)]) } else { Squares::EMPTY };
        !(self.routes.ends(starts | entry, self.playable - occupied) & targets).is_empty()
    }

    /// A random legal move of a position that is not decided, all equally likely.
    pub(super) fn draw_move<R: Rng>(&self, position: &Position, rng: &mut R) -> Move {
        let mut sources = [(None, Squares::EMPTY); MAX_PIECES + 1];
        let mut used = 0;
        let mut count = 0;
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
                None => return ends.iter().nth(left as usize).map_or(Move::Pass, |to| joined(from, to)),
                Some(rest) => left = rest,
            }
        }
        Move::Pass
    }

    /// The squares where the next piece to arrive captures an enemy, and the enemy Basis if it would win there at once.
    pub(super) fn prizes(&self, position: &Position) -> Squares<N> {
        let (own, enemy) = (position.own(), position.enemy());
        let mixed = enemy.squares().filter(|&square| own.holds(square));
        let goal = self.goal(position);
        let open = if enemy.holds(goal) { Squares::EMPTY } else { Squares::of(goal) };
        Squares::from_iter(mixed) | open
    }
}

#[inline]
fn joined(from: Option<Square>, to: Square) -> Move {
    match from {
        Some(from) => Move::Go { from, to },
        None => Move::Enter(to),
    }
}
