//! Peg solitaire on any board of points and lines: pegs jump over others, which are removed, until the target stands.

mod notation;
mod ruleset;

use std::collections::BTreeMap;

use rand::Rng;
pub use ruleset::Ruleset;

use super::game::{Game, Outcome, Reason, SearchHints, Seat, Turn};
use super::jumps::{BoardJumps, JumpChain, JumpMove, Jumper, NO_PILES, Taken};
use super::random::{below, mix};
use crate::geometry::{Board, Point, PointSet, StraightJump, Vector, Word};

const SOLVED: Outcome = Outcome { winner: Some(Seat::P1), reason: Reason::PuzzleSolved };
/// The outcome when no peg can jump: the win goes to the second seat, which has no player and stands for the board.
const STUCK: Outcome = Outcome { winner: Some(Seat::P2), reason: Reason::NoJumpLeft };

/// A position: the set of pegs on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<W: Word> {
    /// The holes with a peg, all of them points of the board.
    pub pegs: PointSet<W>,
}

/// One peg's whole chain of jumps. Chains with equal ends and captures are equal moves, whatever way they go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<W: Word> {
    /// The points whose pegs are captured.
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
        Position { pegs: (position.pegs - self.captured - PointSet::of(self.from)) | PointSet::of(self.to) }
    }
}

impl<W: Word> JumpMove<W> for Move<W> {
    #[inline]
    fn jump(from: Point, to: Point, taken: Taken<W>) -> Self {
        Move { captured: taken.points, from, to }
    }

    #[inline]
    fn as_jump(self) -> Option<JumpChain<W>> {
        let taken = Taken { points: self.captured, again: NO_PILES };
        Some(JumpChain { from: self.from, to: self.to, taken })
    }
}

/// A game of the solitaire family, compiled for boards that fit the word `W`.
#[derive(Clone, Debug)]
pub struct Solitaire<W: Word> {
    ruleset: Ruleset,
    fingerprint: u64,
    /// The board without the lines along which no peg jumps.
    board: Board,
    /// All jumps by point.
    chains: BoardJumps<W>,
    /// All jumps by direction.
    directions: Vec<JumpDirection<W>>,
    start_pegs: PointSet<W>,
    /// The pegs that are to be left; `None` for a single one in whatever hole.
    target: Option<PointSet<W>>,
    /// Points that are never jumped over.
    corners: PointSet<W>,
}

impl<W: Word> Solitaire<W> {
    /// Compiles a ruleset; a board with more cells than `W` has bits gives wrong results (see `Rules::is_wide`).
    pub fn new(ruleset: &Ruleset) -> Self {
        let board = ruleset.jump_board();
        debug_assert!(board.cells() <= W::BITS as usize);
        let overs: PointSet<u128> = board.jumps().map(|jump| jump.over).collect();
        Solitaire {
            fingerprint: ruleset.fingerprint(),
            corners: PointSet::narrow(board.all() - overs),
            chains: BoardJumps::new(&board, PointSet::EMPTY, |pegs| pegs == 1),
            directions: JumpDirection::all_of(&board),
            start_pegs: PointSet::narrow(board.points_named(&ruleset.rules.start)),
            target: ruleset.target().map(PointSet::narrow),
            board,
            ruleset: ruleset.clone(),
        }
    }

    /// The holes and the lines along which pegs jump.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pegs at the start.
    pub fn start_pegs(&self) -> PointSet<W> {
        self.start_pegs
    }

    /// The sets of pegs one of which stands, with no others, when the game is won.
    pub fn targets(&self) -> Vec<PointSet<W>> {
        let single = || self.board().points().iter().map(|&point| PointSet::of(point)).collect();
        self.target.map_or_else(single, |target| vec![target])
    }

    /// The holes of the pegs that are to be left; none where any hole will do.
    #[inline]
    pub fn target(&self) -> PointSet<W> {
        self.target.unwrap_or(PointSet::EMPTY)
    }

    /// Whether the pegs stand exactly on the target.
    #[inline]
    pub fn is_solved(&self, position: &Position<W>) -> bool {
        match self.target {
            Some(target) => position.pegs == target,
            None => position.pegs.len() == 1,
        }
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
        Position { pegs: self.start_pegs }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if self.is_solved(position) {
            Turn::Over(SOLVED)
        } else if self.can_jump(position.pegs) {
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

    /// The hash key; on boards of at most 64 cells no two positions of a ruleset share one.
    #[inline]
    fn key(&self, position: &Position<W>) -> u64 {
        let word = position.pegs.word().widen();
        let low = word as u64;
        let high = (word >> 64) as u64;
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

/// No move is tactical: every move captures pegs, so that a search of captures alone would be a full search without a
/// depth limit, and no position is quieter than another.
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

/// All jumps in one direction, with legs of the same lengths, at once.
#[derive(Clone, Copy, Debug)]
struct JumpDirection<W: Word> {
    /// The points from which the board allows such a jump.
    from: PointSet<W>,
    /// The rotations that move the points jumped over, and the landing points, onto the origins.
    rotations: [u32; 2],
    /// The index distances from the origins to the points jumped over and to the landing points.
    distances: [i32; 2],
}

impl<W: Word> JumpDirection<W> {
    fn all_of(board: &Board) -> Vec<Self> {
        let mut origins: BTreeMap<[Vector; 2], PointSet<W>> = BTreeMap::new();
        for jump in board.jumps() {
            let from = origins.entry(board.legs(jump)).or_insert(PointSet::EMPTY);
            *from = from.with(jump.from);
        }
        let direction = |(legs, from): ([Vector; 2], _)| {
            let [over, onward] = legs.map(|leg| board.shift(leg));
            let distances = [over, over + onward];
            JumpDirection { from, rotations: distances.map(|distance| PointSet::<W>::rotation(-distance)), distances }
        };
        origins.into_iter().map(direction).collect()
    }

    /// The pegs that can jump in this direction.
    #[inline]
    fn movers(&self, pegs: PointSet<W>) -> PointSet<W> {
        let [over, landing] = self.rotations;
        (pegs & self.from & pegs.rotated(over)) - pegs.rotated(landing)
    }

    /// The pegs that have a peg next to them in this direction, where the board allows a jump.
    #[inline]
    fn neighboured(&self, pegs: PointSet<W>) -> PointSet<W> {
        pegs & self.from & pegs.rotated(self.rotations[0])
    }

    #[inline]
    fn jump(&self, from: Point) -> StraightJump {
        let [over, to] = self.distances.map(|distance| Point((i32::from(from.0) + distance) as u8));
        StraightJump { from, to, over }
    }
}

impl<W: Word> Solitaire<W> {
    /// The single jumps that are possible with these pegs.
    #[inline]
    pub fn open_jumps(&self, pegs: PointSet<W>) -> impl Iterator<Item = StraightJump> + '_ {
        let along = move |direction: &JumpDirection<W>| {
            let direction = *direction;
            direction.movers(pegs).iter().map(move |from| direction.jump(from))
        };
        self.directions.iter().flat_map(along)
    }

    /// Whether any of these pegs can jump.
    #[inline]
    pub fn can_jump(&self, pegs: PointSet<W>) -> bool {
        self.directions.iter().any(|direction| !direction.movers(pegs).is_empty())
    }

    /// The number of single jumps that are possible with these pegs.
    #[inline]
    pub fn count_jumps(&self, pegs: PointSet<W>) -> u32 {
        self.directions.iter().map(|direction| direction.movers(pegs).len()).sum()
    }

    /// The pegs that can jump now.
    #[inline]
    pub fn movers(&self, pegs: PointSet<W>) -> PointSet<W> {
        self.directions.iter().fold(PointSet::EMPTY, |all, direction| all | direction.movers(pegs))
    }

    /// The pegs with no neighbour that they could jump over if the hole beyond were empty.
    #[inline]
    pub fn lonely(&self, pegs: PointSet<W>) -> PointSet<W> {
        self.directions.iter().fold(pegs, |lonely, direction| lonely - direction.neighboured(pegs))
    }

    /// The points over which no jump leads, such as the corners of the cross: a peg there is never captured.
    #[inline]
    pub fn corners(&self) -> PointSet<W> {
        self.corners
    }

    /// The peg on a point, as a piece that may jump over the others.
    #[inline]
    fn jumper(&self, pegs: PointSet<W>, from: Point) -> Jumper<'_, W> {
        self.chains.jumper(from, pegs, PointSet::EMPTY, NO_PILES)
    }

    /// Appends every chain of every peg.
    fn generate(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        let pegs = position.pegs;
        for from in self.movers(pegs) {
            self.jumper(pegs, from).chains(moves, false);
        }
    }

    /// The number of legal moves; equal to that of single jumps if no jump can be continued.
    fn count(&self, position: &Position<W>) -> u64 {
        let pegs = position.pegs;
        let goes_on = |jump: StraightJump| {
            let jumper = self.jumper(pegs, jump.from);
            jumper.can_go_on(jumper.first(jump.to, PointSet::of(jump.over)))
        };
        if !self.open_jumps(pegs).any(goes_on) {
            return u64::from(self.count_jumps(pegs));
        }
        let mut moves = Vec::new();
        self.generate(position, &mut moves);
        moves.len() as u64
    }

    /// A random legal move: first one of the possible jumps, all equally likely, then at every landing one of the
    /// continuations or the end of the chain.
    fn draw_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let pegs = position.pegs;
        let count = self.count_jumps(pegs);
        if count == 0 {
            return None;
        }
        let first = self.open_jumps(pegs).nth(below(count, rng) as usize)?;
        let jumper = self.jumper(pegs, first.from);
        Some(jumper.drawn_chain(jumper.first(first.to, PointSet::of(first.over)), true, rng))
    }
}
