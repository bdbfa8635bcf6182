//! Legal moves: listing, counting, choosing one at random.

use rand::Rng;

use super::{Move, PegJump, Position, Solitaire};
use crate::geometry::{Board, Point, PointSet, Vector, Word};
use crate::rules::random::below;

/// All jumps in one direction at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpDirection<W: Word> {
    /// Where a jump in this direction begins.
    from: PointSet<W>,
    /// Rotations that bring the points jumped over, and the landing points, onto the beginnings.
    rotations: [u32; 2],
    distance: i32,
}

impl<W: Word> JumpDirection<W> {
    pub(super) fn new(board: &Board, vector: Vector) -> Self {
        let begins = |&point: &Point| board.jumps_from(point).any(|jump| jump.0 == vector);
        let distance = board.shift(vector);
        JumpDirection {
            from: board.points().iter().copied().filter(begins).collect(),
            rotations: [1, 2].map(|steps| PointSet::<W>::rotation(-distance * steps)),
            distance,
        }
    }

    /// The pegs that can jump this way.
    #[inline]
    fn movers(&self, pegs: PointSet<W>) -> PointSet<W> {
        let [over, landing] = self.rotations;
        (pegs & self.from & pegs.rotated(over)) - pegs.rotated(landing)
    }

    /// The pegs that have a peg next to them this way, where a jump is on the board.
    #[inline]
    pub(super) fn neighboured(&self, pegs: PointSet<W>) -> PointSet<W> {
        pegs & self.from & pegs.rotated(self.rotations[0])
    }

    #[inline]
    fn jump(&self, from: Point) -> PegJump {
        let end = |steps| Point((i32::from(from.0) + steps * self.distance) as u8);
        PegJump { from, over: end(1), to: end(2) }
    }
}

impl<W: Word> Solitaire<W> {
    /// The single jumps that are possible now.
    #[inline]
    pub fn open_jumps(&self, pegs: PointSet<W>) -> impl Iterator<Item = PegJump> + '_ {
        let along = move |direction: &JumpDirection<W>| {
            let direction = *direction;
            direction.movers(pegs).iter().map(move |from| direction.jump(from))
        };
        self.directions.iter().flat_map(along)
    }

    /// Whether any peg can jump.
    #[inline]
    pub fn can_jump(&self, pegs: PointSet<W>) -> bool {
        self.directions.iter().any(|direction| !direction.movers(pegs).is_empty())
    }

    /// The number of single jumps that are possible now.
    #[inline]
    pub fn count_jumps(&self, pegs: PointSet<W>) -> u32 {
        self.directions.iter().map(|direction| direction.movers(pegs).len()).sum()
    }

    /// The pegs that can jump.
    #[inline]
    pub fn movers(&self, pegs: PointSet<W>) -> PointSet<W> {
        self.directions.iter().fold(PointSet::EMPTY, |all, direction| all | direction.movers(pegs))
    }

    /// Pegs with no other peg beside them that they could jump over if the hole beyond were empty.
    #[inline]
    pub fn lonely(&self, pegs: PointSet<W>) -> PointSet<W> {
        self.directions.iter().fold(pegs, |lonely, direction| lonely - direction.neighboured(pegs))
    }

    /// The points over which no jump leads: a peg there must jump away by itself. The corners of the cross are such.
    #[inline]
    pub fn corners(&self) -> PointSet<W> {
        self.corners
    }

    /// Appends every chain of every peg.
    pub(super) fn generate(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        let pegs = position.pegs();
        for from in self.movers(pegs) {
            self.chains.jumper(from, pegs, PointSet::EMPTY).chains(moves);
        }
    }

    /// The number of chains: that of the single jumps as long as none of them goes on.
    pub(super) fn count(&self, position: &Position<W>) -> u64 {
        let pegs = position.pegs();
        let goes_on = |jump: PegJump| {
            let jumper = self.chains.jumper(jump.from, pegs, PointSet::EMPTY);
            jumper.can_go_on(jump.to, PointSet::of(jump.over))
        };
        if !self.open_jumps(pegs).any(goes_on) {
            return u64::from(self.count_jumps(pegs));
        }
        let mut moves = Vec::new();
        self.generate(position, &mut moves);
        moves.len() as u64
    }

    /// A random legal move: first one of the possible jumps, each as likely, then at every landing one of the ways to
    /// go on or the end of the chain.
    pub(super) fn draw_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        let pegs = position.pegs();
        let count = self.count_jumps(pegs);
        if count == 0 {
            return None;
        }
        let first = self.open_jumps(pegs).nth(below(count, rng) as usize)?;
        let jumper = self.chains.jumper(first.from, pegs, PointSet::EMPTY);
        Some(jumper.drawn_chain(first.to, PointSet::of(first.over), true, rng))
    }
}
