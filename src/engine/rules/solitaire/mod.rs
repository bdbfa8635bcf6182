//! Peg solitaire on any board of points and lines: pegs jump over pegs, which are taken off, until the target stands.

mod moves;
mod notation;
mod ruleset;

use moves::JumpDirection;
use rand::Rng;
pub use ruleset::Ruleset;

use super::game::{Game, SearchHints, Turn};
use super::jumps::{BoardJumps, JumpMove};
use super::outcome::{Outcome, Reason, Seat};
use super::random::mix;
use crate::geometry::{Board, Point, PointSet, Symmetry, Word, symmetries};

const SOLVED: Outcome = Outcome { winner: Some(Seat::P1), reason: Reason::PuzzleSolved };
/// Nobody sits at the second seat: the board has won.
const STUCK: Outcome = Outcome { winner: Some(Seat::P2), reason: Reason::NoJumpLeft };

/// The pegs on the board; there is nothing else to know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<W: Word> {
    pegs: PointSet<W>,
}

impl<W: Word> Position<W> {
    /// The position with exactly these pegs, all of them on points of the board.
    #[inline]
    pub fn new(pegs: PointSet<W>) -> Self {
        Position { pegs }
    }

    /// The holes with a peg.
    #[inline]
    pub fn pegs(&self) -> PointSet<W> {
        self.pegs
    }
}

/// One peg's whole chain of jumps. Two ways to jump with equal ends and captures are equal moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<W: Word> {
    /// The points whose pegs are taken.
    pub captured: PointSet<W>,
    /// Where the chain begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}

impl<W: Word> Move<W> {
    /// The position after the move, which is legal there.
    #[inline]
    pub fn after(self, position: &Position<W>) -> Position<W> {
        // A chain may end where it began, so the origin is emptied first.
        Position::new((position.pegs() - self.captured - PointSet::of(self.from)) | PointSet::of(self.to))
    }
}

impl<W: Word> JumpMove<W> for Move<W> {
    #[inline]
    fn jump(from: Point, to: Point, captured: PointSet<W>) -> Self {
        Move { captured, from, to }
    }

    #[inline]
    fn as_jump(self) -> Option<(Point, Point, PointSet<W>)> {
        Some((self.from, self.to, self.captured))
    }
}

/// A single jump that the board allows, whatever stands on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PegJump {
    /// Where the peg was.
    pub from: Point,
    /// The point whose peg is taken.
    pub over: Point,
    /// Where it lands.
    pub to: Point,
}

/// A game of the solitaire family, compiled for boards that fit the word `W`.
#[derive(Clone, Debug)]
pub struct Solitaire<W: Word> {
    ruleset: Ruleset,
    fingerprint: u64,
    jumps: Vec<PegJump>,
    /// All jumps by point.
    chains: BoardJumps<W>,
    /// All jumps by direction.
    directions: Vec<JumpDirection<W>>,
    start_pegs: PointSet<W>,
    target: PointSet<W>,
    /// Points that are never jumped over.
    corners: PointSet<W>,
}

impl<W: Word> Solitaire<W> {
    /// Compiles a ruleset; a board with more cells than `W` has bits gives wrong results (see `Rules::is_wide`).
    pub fn new(ruleset: &Ruleset) -> Self {
        let board = &ruleset.board;
        debug_assert!(board.cells() <= W::BITS as usize);
        let vectors = board.vectors().into_iter().filter(|&vector| ruleset.may_jump(vector));
        let mut jumps: Vec<PegJump> = ruleset.jumps().collect();
        jumps.sort();
        let overs: PointSet<u128> = jumps.iter().map(|jump| jump.over).collect();
        Solitaire {
            fingerprint: ruleset.fingerprint(),
            corners: PointSet::narrow(board.all() - overs),
            jumps,
            chains: BoardJumps::new(board, |vector| ruleset.may_jump(vector)),
            directions: vectors.map(|vector| JumpDirection::new(board, vector)).collect(),
            start_pegs: PointSet::narrow(board.points_named(&ruleset.rules.start)),
            target: PointSet::narrow(board.points_named(&ruleset.rules.target)),
            ruleset: ruleset.clone(),
        }
    }

    /// The data from which this game was compiled.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The holes and the lines along which pegs jump.
    pub fn board(&self) -> &Board {
        &self.ruleset.board
    }

    /// Every jump of the board, by origin and destination; 76 on `cross33`.
    pub fn jumps(&self) -> &[PegJump] {
        &self.jumps
    }

    /// The pegs at the start.
    pub fn start_pegs(&self) -> PointSet<W> {
        self.start_pegs
    }

    /// The pegs, and no others, that stand when the game is won.
    pub fn target(&self) -> PointSet<W> {
        self.target
    }

    /// The turns and mirrors of the board that map jumps to jumps, the identity first. Start and target need not keep
    /// them.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let image = |symmetry: &Symmetry, jump: &PegJump| PegJump {
            from: symmetry.point(jump.from),
            over: symmetry.point(jump.over),
            to: symmetry.point(jump.to),
        };
        let keeps = |symmetry: &Symmetry| {
            self.jumps.iter().all(|jump| self.jumps.binary_search(&image(symmetry, jump)).is_ok())
        };
        symmetries(self.board()).into_iter().filter(keeps).collect()
    }

    /// Whether the pegs stand exactly on the target.
    #[inline]
    pub fn is_solved(&self, position: &Position<W>) -> bool {
        position.pegs() == self.target
    }
}

impl<W: Word> Game for Solitaire<W> {
    type Position = Position<W>;
    type Move = Move<W>;

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn seats(&self) -> usize {
        1
    }

    fn start(&self) -> Position<W> {
        Position::new(self.start_pegs)
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if self.is_solved(position) {
            Turn::Over(SOLVED)
        } else if self.can_jump(position.pegs()) {
            Turn::Player(Seat::P1)
        } else {
            Turn::Over(STUCK)
        }
    }

    #[inline]
    fn side_to_move(&self, _position: &Position<W>) -> Option<Seat> {
        Some(Seat::P1)
    }

    fn legal_moves(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        if !self.is_solved(position) {
            self.generate(position, moves);
        }
    }

    #[inline]
    fn count_moves(&self, position: &Position<W>) -> u64 {
        if self.is_solved(position) { 0 } else { self.count(position) }
    }

    #[inline]
    fn play_unchecked(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        mv.after(position)
    }

    /// On boards of at most 64 cells no two positions of a ruleset share a key.
    #[inline]
    fn key(&self, position: &Position<W>) -> u64 {
        let word = position.pegs().word().widen();
        let (low, high) = (word as u64, (word >> 64) as u64);
        let key = mix(low ^ self.fingerprint);
        if high == 0 { key } else { key ^ mix(high ^ key) }
    }

    fn is_irreversible(&self, _position: &Position<W>, _mv: Move<W>) -> bool {
        true
    }

    fn random_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        if self.is_solved(position) { None } else { self.draw_move(position, rng) }
    }
}

/// No move is tactical: as every one takes pegs, a search of such moves alone would be a search of everything without a
/// depth, and no position is quieter than another.
impl<W: Word> SearchHints for Solitaire<W> {
    fn tactical_moves(&self, _position: &Position<W>, _moves: &mut Vec<Move<W>>) {}

    #[inline]
    fn gain(&self, _position: &Position<W>, mv: Move<W>) -> u32 {
        mv.captured.len()
    }

    #[inline]
    fn move_slot(&self, mv: Move<W>) -> usize {
        mv.from.index() * self.board().cells() + mv.to.index()
    }

    fn move_slots(&self) -> usize {
        self.board().cells() * self.board().cells()
    }
}
