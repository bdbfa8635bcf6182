//! Positions and moves of The Game.

use super::squares::Square;
use crate::rules::random::{mix, mixed};

/// The most pieces of one player, on the board and in hand. A game has five; positions that are set up may have more.
pub(crate) const MAX_PIECES: usize = 12;

/// The pieces of each player at the start, all in hand.
pub(super) const PIECES: u8 = 5;

/// The number of own turns in which pieces must enter; turns are counted up to this.
pub(super) const ENTRY_TURNS: u8 = 5;

/// The value of the Basis counter at which the own Basis must be left.
pub(super) const BASIS_LIMIT: u8 = 3;

/// A piece on the board as a number: twice its square, plus one when an enemy piece on top neutralises it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Piece(u16);

impl Piece {
    const NONE: Piece = Piece(u16::MAX);

    #[inline]
    pub(super) fn free(square: Square) -> Piece {
        Piece(u16::from(square.0) << 1)
    }

    #[inline]
    pub(super) fn under(square: Square) -> Piece {
        Piece(u16::from(square.0) << 1 | 1)
    }

    #[inline]
    pub(super) fn square(self) -> Square {
        Square((self.0 >> 1) as u8)
    }

    #[inline]
    pub(super) fn is_free(self) -> bool {
        self.0 & 1 == 0
    }

    /// The piece as an index below 512.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The pieces and counters of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Army {
    /// The pieces in rising order, so that equal armies are equal bytes; then [`Piece::NONE`].
    pieces: [Piece; MAX_PIECES],
    len: u8,
    /// Pieces that have not yet entered.
    pub hand: u8,
    /// Own turns made, at most [`ENTRY_TURNS`].
    pub turns: u8,
    /// The Basis counter, at most [`BASIS_LIMIT`].
    pub basis: u8,
}

impl Army {
    pub(super) fn new(hand: u8) -> Army {
        Army { pieces: [Piece::NONE; MAX_PIECES], len: 0, hand, turns: 0, basis: 0 }
    }

    #[inline]
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces[..usize::from(self.len)]
    }

    /// The squares of all pieces.
    #[inline]
    pub(super) fn squares(&self) -> impl Iterator<Item = Square> {
        self.pieces().iter().map(|piece| piece.square())
    }

    /// The squares of the pieces that are not neutralised.
    #[inline]
    pub(super) fn free_squares(&self) -> impl Iterator<Item = Square> {
        self.pieces().iter().filter(|piece| piece.is_free()).map(|piece| piece.square())
    }

    /// How many pieces stand on a square.
    #[inline]
    pub(super) fn count(&self, square: Square) -> usize {
        self.squares().filter(|&other| other == square).count()
    }

    #[inline]
    pub(super) fn holds(&self, square: Square) -> bool {
        self.squares().any(|other| other == square)
    }

    /// Adds a piece to fewer than [`MAX_PIECES`].
    #[inline]
    pub(super) fn add(&mut self, piece: Piece) {
        let mut at = usize::from(self.len);
        while at > 0 && self.pieces[at - 1] > piece {
            self.pieces[at] = self.pieces[at - 1];
            at -= 1;
        }
        self.pieces[at] = piece;
        self.len += 1;
    }

    /// Takes one piece off a square that holds one.
    #[inline]
    pub(super) fn remove(&mut self, square: Square) {
        let at = self.squares().position(|other| other == square);
        if let Some(at) = at {
            self.pieces.copy_within(at + 1.., at);
            self.pieces[MAX_PIECES - 1] = Piece::NONE;
            self.len -= 1;
        }
    }

    /// Neutralises or frees the piece on a square, if there is one; there must not be several.
    #[inline]
    pub(super) fn mark(&mut self, square: Square, piece: Piece) {
        let len = usize::from(self.len);
        if let Some(found) = self.pieces[..len].iter_mut().find(|found| found.square() == square) {
            *found = piece;
        }
    }

    /// Puts an arriving piece on a square and captures, neutralises or frees the pieces there accordingly.
    pub(super) fn arrive(&mut self, enemy: &mut Army, to: Square) {
        if enemy.holds(to) {
            if self.holds(to) {
                enemy.remove(to);
                self.mark(to, Piece::free(to));
            } else {
                enemy.mark(to, Piece::under(to));
            }
        }
        self.add(Piece::free(to));
    }

    /// The Basis counter of a player whose turn by `mv` led to `after`: one higher when its Basis was held throughout
    /// and no piece came or left.
    pub(super) fn basis_count(&self, after: &Army, basis: Square, mv: Move) -> u8 {
        let left = matches!(mv, Move::Go { from, .. } if from == basis);
        let arrived = mv.to() == Some(basis);
        let is_kept = self.holds(basis) && after.holds(basis) && !left && !arrived;
        if is_kept { (self.basis + 1).min(BASIS_LIMIT) } else { 0 }
    }
}

/// A position: the armies, whose turn it is, and the counters. It has no history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) armies: [Army; 2],
    /// The player to move: 0 for player 1, 1 for player 2.
    pub(super) turn: u8,
}

impl Position {
    #[inline]
    pub(super) fn own(&self) -> &Army {
        &self.armies[usize::from(self.turn)]
    }

    #[inline]
    pub(super) fn enemy(&self) -> &Army {
        &self.armies[usize::from(self.turn ^ 1)]
    }

    /// The hash key of everything in the position. Keys of pieces are added, so that two on one square do not cancel.
    #[inline]
    pub fn key(&self) -> u64 {
        let mut key = 0u64;
        for (side, army) in self.armies.iter().enumerate() {
            for piece in army.pieces() {
                key = key.wrapping_add(PIECE_KEYS[side][piece.index() % 512]);
            }
        }
        let [a, b] = &self.armies;
        let counters = [a.hand, b.hand, a.turns, b.turns, a.basis, b.basis, self.turn, 0x67];
        key ^ mix(u64::from_le_bytes(counters))
    }
}

/// A ply. Only its ends count, not the route between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A piece enters from the own Basis and ends on this square.
    Enter(Square),
    Go {
        from: Square,
        to: Square,
    },
    Pass,
}

impl Move {
    /// The square where the piece ends; `None` for a pass.
    #[inline]
    pub fn to(self) -> Option<Square> {
        match self {
            Move::Enter(to) | Move::Go { to, .. } => Some(to),
            Move::Pass => None,
        }
    }
}

static PIECE_KEYS: [[u64; 512]; 2] = [mixed(0x0041_0000), mixed(0x0042_0000)];
