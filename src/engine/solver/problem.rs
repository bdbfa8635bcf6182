//! A peg problem as bit masks, with jumps found a direction at a time and fast symmetries of whole positions.
//!
//! Holes are numbered from 0 in the order of the board's points, without the gaps of its bounding box: narrow positions
//! need fewer tables for their images.

use super::puzzle::Puzzle;
use super::sieve::WalkDirection;
use crate::geometry::{Point, PointSet, Symmetry, Word, bits};

/// All jumps whose three holes lie at the same distances in the numbering.
#[derive(Clone, Debug)]
struct JumpDirection<W> {
    /// Left rotations that bring the bit of the hole jumped over, and that of the landing hole, to the bit of the
    /// origin.
    over: u32,
    to: u32,
    /// The three holes of a jump of this direction with hole 0 as its origin.
    triple: W,
    /// The origins of the jumps.
    origins: W,
    /// By origin: the number of the jump.
    jumps: Vec<u16>,
}

impl<W: Word> JumpDirection<W> {
    /// The origins of jumps whose first two holes are in `taken` and whose landing hole is not.
    #[inline(always)]
    fn openings(&self, taken: W) -> W {
        self.origins & taken & taken.rotate_left(self.over) & !taken.rotate_left(self.to)
    }
}

/// The holes and jumps of a board; a set of pegs is a word.
#[derive(Clone, Debug)]
pub(super) struct PegBoard<W: Word> {
    /// The point of every hole, in the order of their numbers.
    pub points: Vec<Point>,
    /// Every jump as its holes from, over and to.
    pub jumps: Vec<[u8; 3]>,
    /// The set of all holes.
    pub all: W,
    directions: Vec<JumpDirection<W>>,
}

pub(super) fn bit<W: Word>(hole: u8) -> W {
    W::ONE.rotate_left(u32::from(hole))
}

/// The holes of a set, lowest first.
pub(super) fn holes<W: Word>(set: W) -> impl Iterator<Item = u8> {
    bits(set).map(|hole| hole as u8)
}

impl<W: Word> PegBoard<W> {
    pub(super) fn new(puzzle: &Puzzle) -> Self {
        let points = puzzle.board.points().to_vec();
        let mut board = PegBoard { points, jumps: Vec::new(), all: W::ZERO, directions: Vec::new() };
        board.all = (0..board.holes()).fold(W::ZERO, |all, hole| all | bit(hole as u8));
        for jump in puzzle.board.jumps() {
            board.add([jump.from, jump.over, jump.to].map(|point| board.hole(point)));
        }
        board
    }

    fn add(&mut self, [from, over, to]: [u8; 3]) {
        let distance = |hole: u8| (u32::from(hole) + W::BITS - u32::from(from)) % W::BITS;
        let back = |hole: u8| (W::BITS - distance(hole)) % W::BITS;
        let triple = W::ONE | W::ONE.rotate_left(distance(over)) | W::ONE.rotate_left(distance(to));
        let same = |direction: &JumpDirection<W>| direction.over == back(over) && direction.to == back(to);
        let at = self.directions.iter().position(same).unwrap_or_else(|| {
            let jumps = vec![0; self.holes()];
            self.directions.push(JumpDirection { over: back(over), to: back(to), triple, origins: W::ZERO, jumps });
            self.directions.len() - 1
        });
        let direction = &mut self.directions[at];
        direction.origins = direction.origins | bit(from);
        direction.jumps[usize::from(from)] = self.jumps.len() as u16;
        self.jumps.push([from, over, to]);
    }

    /// The number of holes.
    pub(super) fn holes(&self) -> usize {
        self.points.len()
    }

    /// The number of a point of the board.
    fn hole(&self, point: Point) -> u8 {
        self.points.partition_point(|&other| other < point) as u8
    }

    /// The point of a hole.
    pub(super) fn point(&self, hole: u8) -> Point {
        self.points[usize::from(hole)]
    }

    /// The holes of a set of points.
    pub(super) fn set(&self, points: PointSet<u128>) -> W {
        points.iter().fold(W::ZERO, |set, point| set | bit(self.hole(point)))
    }

    /// Calls `see` with the number of every possible jump and the pegs after it.
    #[inline(always)]
    pub(super) fn for_each_jump(&self, pegs: W, see: impl FnMut(u16, W)) {
        self.for_each(pegs, pegs, see);
    }

    /// Calls `see` with the number of every jump that may have been the last, and the pegs before it.
    #[inline(always)]
    pub(super) fn for_each_unjump(&self, pegs: W, see: impl FnMut(u16, W)) {
        self.for_each(pegs, !pegs, see);
    }

    /// Calls `see` with every jump whose first two holes are in `taken` and whose landing hole is not, and `pegs` with
    /// the three holes flipped.
    #[inline(always)]
    fn for_each(&self, pegs: W, taken: W, mut see: impl FnMut(u16, W)) {
        for direction in &self.directions {
            for from in bits(direction.openings(taken)) {
                see(direction.jumps[from], pegs ^ direction.triple.rotate_left(from as u32));
            }
        }
    }
}

/// A start and a target on a board, with the symmetries that keep both of them.
#[derive(Clone, Debug)]
pub(super) struct PegProblem<W: Word> {
    pub board: PegBoard<W>,
    pub start: W,
    pub target: W,
    pub symmetries: Symmetries<W>,
}

impl<W: Word> PegProblem<W> {
    /// The problem of a puzzle with one of its targets.
    pub(super) fn new(puzzle: &Puzzle, target: PointSet<u128>) -> Self {
        let board = PegBoard::new(puzzle);
        let keeps = |symmetry: &&Symmetry| [puzzle.start, target].iter().all(|&set| symmetry.set(set) == set);
        let images =
            |symmetry: &Symmetry| board.points.iter().map(|&point| board.hole(symmetry.point(point))).collect();
        let maps = puzzle.symmetries.iter().filter(keeps).map(images).collect();
        PegProblem {
            start: board.set(puzzle.start),
            target: board.set(target),
            symmetries: Symmetries::new(maps, &board.jumps),
            board,
        }
    }

    /// The number of jumps of every solution; `None` if the start has fewer pegs than the target.
    pub(super) fn jumps(&self) -> Option<usize> {
        self.start.count_ones().checked_sub(self.target.count_ones()).map(|jumps| jumps as usize)
    }

    /// The position with pegs and holes exchanged.
    #[inline(always)]
    pub(super) fn complement(&self, pegs: W) -> W {
        !pegs & self.board.all
    }

    /// Whether the target is the complement of the start and the number of jumps is odd, so that the second half of all
    /// solutions mirrors the first.
    pub(super) fn mirrors_itself(&self) -> bool {
        self.complement(self.start) == self.target && self.jumps().is_some_and(|jumps| jumps % 2 == 1)
    }

    /// The position where a walk begins, then the one that it wants to reach.
    pub(super) fn ends(&self, way: WalkDirection) -> (W, W) {
        match way {
            WalkDirection::Forward => (self.start, self.target),
            WalkDirection::Backward => (self.target, self.start),
        }
    }

    /// Calls `see` with every jump possible in this direction, and the position that it leads to.
    #[inline(always)]
    pub(super) fn for_each_step(&self, way: WalkDirection, pegs: W, see: impl FnMut(u16, W)) {
        match way {
            WalkDirection::Forward => self.board.for_each_jump(pegs, see),
            WalkDirection::Backward => self.board.for_each_unjump(pegs, see),
        }
    }
}

/// The most images of a position: a square has eight symmetries. Eight words of 64 bits fill a cache line.
const IMAGES: usize = 8;
/// Bits of a position looked up at once.
const CHUNK_BITS: usize = 8;

/// The symmetries of a problem, as tables that give the images of whole positions.
#[derive(Clone, Debug)]
pub(super) struct Symmetries<W: Word> {
    /// By symmetry: the image of every hole; the identity is the first.
    pub maps: Vec<Vec<u8>>,
    /// By chunk of eight holes, then set of these holes: the images of the set. Unused places repeat the identity.
    tables: Vec<[[W; IMAGES]; 1 << CHUNK_BITS]>,
    /// By jump: the images of its three holes.
    jumps: Vec<[W; IMAGES]>,
}

/// The images of a position under all symmetries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orbit<W>([W; IMAGES]);

impl<W: Word> Orbit<W> {
    /// The number of different images.
    pub(super) fn size(&self) -> usize {
        (0..IMAGES).filter(|&at| !self.0[..at].contains(&self.0[at])).count()
    }
}

impl<W: Word> Symmetries<W> {
    /// The symmetries with these maps of the holes: at most eight, the identity first.
    fn new(maps: Vec<Vec<u8>>, jumps: &[[u8; 3]]) -> Self {
        let tables = (0..maps[0].len()).step_by(CHUNK_BITS).map(|first| table(&maps, first)).collect();
        let mut symmetries = Symmetries { maps, tables, jumps: Vec::new() };
        let triple = |jump: &[u8; 3]| jump.iter().fold(W::ZERO, |set, &hole| set | bit(hole));
        symmetries.jumps = jumps.iter().map(|jump| symmetries.images(triple(jump))).collect();
        symmetries
    }

    /// All images of a position, for [`after`](Symmetries::after).
    #[inline(always)]
    pub(super) fn orbit(&self, pegs: W) -> Orbit<W> {
        Orbit(if self.maps.len() == 1 { [pegs; IMAGES] } else { self.images(pegs) })
    }

    /// The smallest image of the position after a jump, made or taken back. A jump flips three holes in every image, so
    /// that the images need not be looked up again.
    #[inline(always)]
    pub(super) fn after(&self, Orbit(images): &Orbit<W>, jump: u16) -> W {
        let change = &self.jumps[usize::from(jump)];
        let image = |at: usize| images[at] ^ change[at];
        match self.maps.len() {
            1 => image(0),
            2 => image(0).min(image(1)),
            _ => {
                let pair: [W; IMAGES / 2] = std::array::from_fn(|at| image(at).min(image(at + IMAGES / 2)));
                pair[0].min(pair[2]).min(pair[1].min(pair[3]))
            }
        }
    }

    #[inline(always)]
    fn images(&self, pegs: W) -> [W; IMAGES] {
        let mut images = [W::ZERO; IMAGES];
        for (chunk, table) in self.tables.iter().enumerate() {
            for (image, part) in images.iter_mut().zip(&table[usize::from(pegs.byte(chunk))]) {
                *image = *image | *part;
            }
        }
        images
    }

    /// The smallest image of a position.
    #[inline(always)]
    pub(super) fn canonical(&self, pegs: W) -> W {
        if self.maps.len() == 1 { pegs } else { self.images(pegs).into_iter().fold(pegs, W::min) }
    }

    /// The smallest image of a position, and the set of holes to which the symmetries that lead there map `peg`.
    #[inline(always)]
    pub(super) fn canonical_with(&self, pegs: W, peg: W) -> (W, W) {
        if self.maps.len() == 1 {
            return (pegs, peg);
        }
        let images = self.images(pegs);
        let places = self.images(peg);
        let least = images.into_iter().fold(pegs, W::min);
        let reached = images.iter().zip(places).filter(|&(&image, _)| image == least);
        (least, reached.fold(W::ZERO, |all, (_, place)| all | place))
    }
}

/// The images of every set of the eight holes from number `first` on.
fn table<W: Word>(maps: &[Vec<u8>], first: usize) -> [[W; IMAGES]; 1 << CHUNK_BITS] {
    let mut table = [[W::ZERO; IMAGES]; 1 << CHUNK_BITS];
    for entry in 1..table.len() {
        let hole = first + entry.trailing_zeros() as usize;
        let others = table[entry & (entry - 1)];
        for (image, (slot, rest)) in table[entry].iter_mut().zip(others).enumerate() {
            let map = maps.get(image).unwrap_or(&maps[0]);
            *slot = rest | map.get(hole).map_or(W::ZERO, |&moved| bit(moved));
        }
    }
    table
}
