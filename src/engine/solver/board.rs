//! A board of holes as bit masks: jumps found a direction at a time.

use crate::geometry::{Word, bits};

/// A board as plain numbers: holes are 0 to `holes` - 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JumpGraph {
    pub holes: usize,
    /// Every jump as from, over, to.
    pub jumps: Vec<[u8; 3]>,
    /// The images of all holes under every way to turn or mirror the board; those that do not keep the jumps are
    /// ignored, and the identity may be left out.
    pub symmetries: Vec<Vec<u8>>,
}

/// All jumps whose holes lie at the same distances in the numbering.
#[derive(Clone, Debug)]
struct JumpDirection<W> {
    /// Rotations that bring the bit of the hole jumped over, and of the landing hole, to the bit of the origin.
    over: u32,
    to: u32,
    /// The three holes of a jump whose origin is hole 0.
    triple: W,
    /// The origins of such jumps.
    origins: W,
    /// The number of the jump by its origin.
    jumps: Vec<u16>,
}

impl<W: Word> JumpDirection<W> {
    /// The origins of the jumps from and over what is taken to what is not.
    #[inline(always)]
    fn openings(&self, taken: W) -> W {
        self.origins & taken & taken.rotate_left(self.over) & !taken.rotate_left(self.to)
    }
}

/// The same with masks, for positions that are sets of pegs in one word.
#[derive(Clone, Debug)]
pub(super) struct PegBoard<W: Word> {
    pub graph: JumpGraph,
    /// All holes.
    pub all: W,
    directions: Vec<JumpDirection<W>>,
}

pub(super) fn bit<W: Word>(hole: u8) -> W {
    W::ONE.rotate_left(u32::from(hole))
}

pub(super) fn set<W: Word>(holes: &[u8]) -> W {
    holes.iter().fold(W::ZERO, |set, &hole| set | bit(hole))
}

/// The holes of a set from low to high.
pub(super) fn holes<W: Word>(set: W) -> impl Iterator<Item = u8> {
    bits(set).map(|hole| hole as u8)
}

impl<W: Word> PegBoard<W> {
    pub(super) fn new(graph: &JumpGraph) -> Self {
        let mut board = PegBoard { graph: graph.clone(), all: W::ZERO, directions: Vec::new() };
        board.all = (0..graph.holes as u8).fold(W::ZERO, |all, hole| all | bit(hole));
        let keeps = |images: &Vec<u8>| {
            let image = |jump: &[u8; 3]| graph.jumps.contains(&jump.map(|hole| images[usize::from(hole)]));
            images.len() == graph.holes && graph.jumps.iter().all(image)
        };
        board.graph.symmetries.retain(keeps);
        for (number, jump) in graph.jumps.iter().enumerate() {
            board.add(number as u16, *jump);
        }
        board
    }

    fn add(&mut self, number: u16, [from, over, to]: [u8; 3]) {
        let distance = |hole: u8| (u32::from(hole) + W::BITS - u32::from(from)) % W::BITS;
        let back = |hole: u8| (W::BITS - distance(hole)) % W::BITS;
        let triple = W::ONE | W::ONE.rotate_left(distance(over)) | W::ONE.rotate_left(distance(to));
        let same = |direction: &JumpDirection<W>| direction.over == back(over) && direction.to == back(to);
        let at = self.directions.iter().position(same).unwrap_or_else(|| {
            let jumps = vec![0; self.graph.holes];
            self.directions.push(JumpDirection { over: back(over), to: back(to), triple, origins: W::ZERO, jumps });
            self.directions.len() - 1
        });
        let direction = &mut self.directions[at];
        direction.origins = direction.origins | bit(from);
        direction.jumps[usize::from(from)] = number;
    }

    /// The three holes of a jump.
    pub(super) fn triple(&self, jump: u16) -> W {
        set(&self.graph.jumps[usize::from(jump)])
    }

    /// Calls `see` with every jump that can be made and the pegs after it.
    #[inline(always)]
    pub(super) fn for_each_jump(&self, pegs: W, see: impl FnMut(u16, W)) {
        self.for_each(pegs, pegs, see);
    }

    /// Calls `see` with every jump that may have come last and the pegs before it.
    #[inline(always)]
    pub(super) fn for_each_unjump(&self, pegs: W, see: impl FnMut(u16, W)) {
        self.for_each(pegs, !pegs, see);
    }

    /// The jumps from and over `taken` to what is not taken.
    #[inline(always)]
    fn for_each(&self, pegs: W, taken: W, mut see: impl FnMut(u16, W)) {
        for direction in &self.directions {
            let mut origins = direction.openings(taken);
            while origins != W::ZERO {
                let from = origins.trailing_zeros();
                origins = origins.without_lowest();
                see(direction.jumps[from as usize], pegs ^ direction.triple.rotate_left(from));
            }
        }
    }
}
