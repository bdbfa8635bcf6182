//! Measures of a position for evaluators.

use super::TheGame;
use super::position::Position;
use super::squares::Squares;
use crate::rules::Seat;

/// How far moves are counted in [`Outlook::near`].
pub(super) const HORIZON: usize = 3;

/// One player's prospects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outlook {
    /// Pieces on the board and in hand.
    pub pieces: i32,
    pub hand: i32,
    /// Own pieces under an enemy.
    pub neutralised: i32,
    /// Free pieces that could stand on the enemy Basis after one, two, three moves if the others stood still.
    pub near: [i32; HORIZON],
    /// Whether an entry would do as well as such a piece.
    pub near_entry: [bool; HORIZON],
    /// No enemy piece stands on the enemy Basis.
    pub goal_open: bool,
    /// Enemy pieces on the own Basis.
    pub besiegers: i32,
    /// Own pieces on the own Basis.
    pub holders: i32,
    /// The counter of the own Basis.
    pub basis_count: i32,
    /// Squares on which some free piece can end.
    pub reach: i32,
    /// Single free enemy pieces on such squares.
    pub hits: i32,
    /// Enemy pieces that could be captured on such squares.
    pub prizes: i32,
}

impl<const N: usize> TheGame<N> {
    /// The prospects of a player, as if it were that player's turn.
    pub fn outlook(&self, position: &Position, seat: Seat) -> Outlook {
        let side = seat.index() % 2;
        let (own, enemy) = (&position.armies[side], &position.armies[side ^ 1]);
        let (home, goal) = (self.basis[side], self.basis[side ^ 1]);
        let scene = self.scene(position, side);
        let free = Squares::from_iter(own.free_squares());
        let reached = self.routes.ends(free, scene.passable) & scene.landable;
        let mut outlook = Outlook {
            pieces: (own.pieces().len() + usize::from(own.hand)) as i32,
            hand: i32::from(own.hand),
            neutralised: own.pieces().iter().filter(|piece| !piece.is_free()).count() as i32,
            goal_open: !enemy.holds(goal),
            besiegers: enemy.count(home) as i32,
            holders: own.count(home) as i32,
            basis_count: i32::from(own.basis),
            reach: reached.len() as i32,
            ..Outlook::default()
        };
        for piece in enemy.pieces() {
            let hit = i32::from(reached.has(piece.square()));
            if own.holds(piece.square()) {
                outlook.prizes += hit;
            } else {
                outlook.hits += hit;
            }
        }
        let mut targets = Squares::of(goal);
        let mut known = targets;
        for moves in 0..HORIZON {
            targets = self.routes.ends(targets, scene.passable - Squares::of(goal)) - known;
            known = known | targets;
            let pieces = own.pieces().iter().filter(|piece| piece.is_free() && targets.has(piece.square()));
            outlook.near[moves] = pieces.count() as i32;
            outlook.near_entry[moves] = own.hand > 0 && targets.has(home) && !enemy.holds(home);
            targets = targets & scene.passable;
        }
        outlook
    }
}
