//! Positions and moves of the hunt family.

use crate::geometry::{MAX_CELLS, Point, PointSet, Word};
use crate::rules::jumps::{JumpChain, JumpMove, NO_PILES, Piles, Taken};
use crate::rules::random::{mix, mixed};

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side of few pieces, which jump.
    Fox,
    /// The side of many pieces, which hem the foxes in.
    Geese,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        if self == Side::Fox { Side::Geese } else { Side::Fox }
    }

    /// The name of the side in options and reports, in every game of the family.
    pub fn role(self) -> &'static str {
        if self == Side::Fox { "fox" } else { "geese" }
    }
}

/// What kind of ply comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The side to move moves one of its pieces, or drops one where the rules say so.
    Normal,
    /// The fox side still places its pieces.
    Place,
    /// The geese side must first put a captured goose back on the board.
    Drop,
    /// One of the owed pieces must first be taken off: by the geese side a fox, by the fox side a goose of the opening.
    Remove,
}

/// The pieces on the board and their hash key; only this type changes them, always together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pieces<W: Word> {
    sets: [PointSet<W>; 2],
    key: u64,
}

impl<W: Word> Pieces<W> {
    /// Puts a piece of `side` on an empty point, or takes it off its point.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, point: Point) {
        self.sets[side as usize] ^= PointSet::of(point);
        self.key ^= piece_key(side, point);
    }

    /// The pieces after one of them has moved; a new value, not a change in place, keeps them in registers.
    #[inline]
    pub(super) fn slid(self, side: Side, from: Point, to: Point) -> Self {
        let [mut foxes, mut geese] = self.sets;
        let set = if side == Side::Fox { &mut foxes } else { &mut geese };
        *set ^= PointSet::of(from) ^ PointSet::of(to);
        Pieces { sets: [foxes, geese], key: self.key ^ piece_key(side, from) ^ piece_key(side, to) }
    }

    /// The pieces after these geese have been captured.
    #[inline]
    pub(super) fn without_geese(self, captured: PointSet<W>) -> Self {
        let [foxes, geese] = self.sets;
        let key = captured.iter().fold(self.key, |key, point| key ^ piece_key(Side::Geese, point));
        Pieces { sets: [foxes, geese - captured], key }
    }
}

/// A position: the board, whose turn it is, and penalties still owed. It has no history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<W: Word> {
    pub(crate) pieces: Pieces<W>,
    /// In phase `Remove` the pieces, one of which must be taken off; else empty.
    pub owed: PointSet<W>,
    /// Geese beyond one on the points of the ruleset's piles, in the order of the points.
    pub(crate) piles: Piles,
    /// Geese off the board: captured geese that huffing can bring back, or drops still to come.
    pub hand: u8,
    /// The side to move.
    pub turn: Side,
    /// The kind of the ply to come.
    pub phase: Phase,
    /// Whether the first goose move, which must be straight forward, is still to come.
    pub first: bool,
}

impl<W: Word> Position<W> {
    /// The position with these pieces and this side to move: normal phase, nothing in hand, no first move owed. The two
    /// sets must be disjoint and on the board.
    pub fn new(foxes: PointSet<W>, geese: PointSet<W>, turn: Side) -> Self {
        let mut pieces = Pieces { sets: [PointSet::EMPTY; 2], key: 0 };
        foxes.iter().for_each(|point| pieces.toggle(Side::Fox, point));
        geese.iter().for_each(|point| pieces.toggle(Side::Geese, point));
        Position { pieces, owed: PointSet::EMPTY, piles: NO_PILES, hand: 0, turn, phase: Phase::Normal, first: false }
    }

    /// This position with point sets of another word width, which must have a bit for every cell of the board.
    pub fn resized<V: Word>(&self) -> Position<V> {
        let resized = |set: PointSet<W>| PointSet::narrow(set.widen());
        let Position { pieces, owed, piles, hand, turn, phase, first } = *self;
        let pieces = Pieces { sets: pieces.sets.map(resized), key: pieces.key };
        Position { pieces, owed: resized(owed), piles, hand, turn, phase, first }
    }

    /// The points with a fox.
    #[inline]
    pub fn foxes(&self) -> PointSet<W> {
        self.pieces.sets[Side::Fox as usize]
    }

    /// The points with a goose.
    #[inline]
    pub fn geese(&self) -> PointSet<W> {
        self.pieces.sets[Side::Geese as usize]
    }

    /// The points with a piece.
    #[inline]
    pub fn occupied(&self) -> PointSet<W> {
        self.foxes() | self.geese()
    }

    /// Whether the pieces and the side to move are the whole position: normal phase, nothing in hand, no piles, no
    /// first move owed.
    pub fn is_plain(&self) -> bool {
        self.phase == Phase::Normal && !self.first && self.hand == 0 && self.piles == NO_PILES
    }

    /// The hash key of everything in the position.
    #[inline]
    pub fn key(&self) -> u64 {
        let state = self.turn as usize | (self.phase as usize) << 1 | usize::from(self.first) << 3;
        let mut key = self.pieces.key ^ STATE_KEYS[state];
        if self.hand != 0 {
            key ^= mix(0x6861_6e64_0000 + u64::from(self.hand));
        }
        if self.piles != NO_PILES {
            key ^= mix(0x7069_6c65_0000_0000 + u64::from(u32::from_le_bytes(self.piles)));
        }
        for point in self.owed {
            key ^= mix(0x6f77_6564_0000 + u64::from(point.0));
        }
        key
    }
}

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    Step,
    /// One or more jumps.
    Jump,
    /// A piece is put on the board: a fox placed, a goose dropped.
    Put,
    /// A huffed fox, or a goose of the opening, is taken off the board.
    TakeOff,
    Pass,
}

/// A whole turn of one piece. Chains of jumps with equal ends and captures are equal moves, whatever way they go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<W: Word> {
    /// The points from which geese are captured.
    pub captured: PointSet<W>,
    /// Further geese captured from the points of piles.
    pub(crate) again: Piles,
    pub kind: MoveKind,
    /// The origin; equal to `to` when a piece is put on or taken off.
    pub from: Point,
    pub to: Point,
}

impl<W: Word> Move<W> {
    #[inline]
    fn quiet(kind: MoveKind, from: Point, to: Point) -> Self {
        Move { captured: PointSet::EMPTY, again: NO_PILES, kind, from, to }
    }

    #[inline]
    pub fn step(from: Point, to: Point) -> Self {
        Move::quiet(MoveKind::Step, from, to)
    }

    pub fn put(point: Point) -> Self {
        Move::quiet(MoveKind::Put, point, point)
    }

    pub fn take_off(point: Point) -> Self {
        Move::quiet(MoveKind::TakeOff, point, point)
    }

    pub fn pass() -> Self {
        Move::quiet(MoveKind::Pass, Point(0), Point(0))
    }

    /// The number of geese that the move captures.
    #[inline]
    pub(super) fn captures(self) -> u32 {
        self.captured.len() + self.again.into_iter().map(u32::from).sum::<u32>()
    }
}

impl<W: Word> JumpMove<W> for Move<W> {
    #[inline]
    fn jump(from: Point, to: Point, taken: Taken<W>) -> Self {
        Move { captured: taken.points, again: taken.again, kind: MoveKind::Jump, from, to }
    }

    #[inline]
    fn as_jump(self) -> Option<JumpChain<W>> {
        let Move { captured, again, kind, from, to } = self;
        (kind == MoveKind::Jump).then_some(JumpChain { from, to, taken: Taken { points: captured, again } })
    }
}

static PIECE_KEYS: [[u64; MAX_CELLS]; 2] = [mixed(0x666f_7800), mixed(0x6765_6573_6500)];
static STATE_KEYS: [u64; 16] = mixed(0x0073_7461_7465_0000);

#[inline]
fn piece_key(side: Side, point: Point) -> u64 {
    PIECE_KEYS[side as usize][point.index() % MAX_CELLS]
}
