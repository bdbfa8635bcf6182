//! Maps whole positions by the turns and mirrors that keep a problem.

use super::board::{JumpGraph, bit, holes, set};
use crate::geometry::Word;

/// The square has eight turns and mirrors, and they fill one line of the cache.
const IMAGES: usize = 8;
/// Bits of a position looked up at once.
const CHUNK_BITS: usize = 8;

/// The symmetries of a board that also keep given sets of holes.
#[derive(Clone, Debug)]
pub(super) struct Symmetries<W: Word> {
    /// The identity first.
    count: usize,
    /// For every chunk of eight holes and every set of them its images; places beyond `count` repeat the identity.
    tables: Vec<[[W; IMAGES]; 1 << CHUNK_BITS]>,
    /// For every jump the images of its three holes.
    jumps: Vec<[W; IMAGES]>,
}

/// A position as every symmetry sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orbit<W>([W; IMAGES]);

impl<W: Word> Orbit<W> {
    /// The number of different images.
    pub(super) fn size(&self) -> usize {
        (0..IMAGES).filter(|&at| !self.0[..at].contains(&self.0[at])).count()
    }
}

impl<W: Word> Symmetries<W> {
    /// The symmetries of the board that map each of these sets to itself.
    pub(super) fn keeping(graph: &JumpGraph, kept: &[W]) -> Self {
        let identity: Vec<u8> = (0..graph.holes as u8).collect();
        let keeps = |images: &&Vec<u8>| {
            let image = |set: W| holes(set).fold(W::ZERO, |all, hole| all | bit(images[usize::from(hole)]));
            **images != identity && kept.iter().all(|&set| image(set) == set)
        };
        let others = graph.symmetries.iter().filter(keeps).take(IMAGES - 1);
        let maps: Vec<&Vec<u8>> = std::iter::once(&identity).chain(others).collect();
        let tables = (0..graph.holes).step_by(CHUNK_BITS).map(|first| table(&maps, first)).collect();
        let mut symmetries = Symmetries { count: maps.len(), tables, jumps: Vec::new() };
        symmetries.jumps = graph.jumps.iter().map(|jump| symmetries.images(set(jump))).collect();
        symmetries
    }

    #[inline(always)]
    pub(super) fn orbit(&self, pegs: W) -> Orbit<W> {
        Orbit(if self.count == 1 { [pegs; IMAGES] } else { self.images(pegs) })
    }

    /// The smallest image of the position that a jump, made or taken back, leads to. A jump changes three holes in
    /// every image, so the images need not be looked up again.
    #[inline(always)]
    pub(super) fn after(&self, Orbit(images): &Orbit<W>, jump: u16) -> W {
        let change = &self.jumps[usize::from(jump)];
        let image = |at: usize| images[at] ^ change[at];
        match self.count {
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
        let mut shift = 0;
        for table in &self.tables {
            let rest = pegs.rotate_left(W::BITS - shift).widen() as usize;
            let line = &table[rest % (1 << CHUNK_BITS)];
            for (image, part) in images.iter_mut().zip(line) {
                *image = *image | *part;
            }
            shift += CHUNK_BITS as u32;
        }
        images
    }

    /// The smallest of a position's images.
    #[inline(always)]
    pub(super) fn canonical(&self, pegs: W) -> W {
        if self.count == 1 { pegs } else { self.images(pegs).into_iter().fold(pegs, W::min) }
    }

    /// The smallest image of a position, and the places to which a peg of it may come there.
    #[inline(always)]
    pub(super) fn canonical_with(&self, pegs: W, peg: W) -> (W, W) {
        if self.count == 1 {
            return (pegs, peg);
        }
        let (images, places) = (self.images(pegs), self.images(peg));
        let least = images.into_iter().fold(pegs, W::min);
        let reached = images.iter().zip(places).filter(|&(&image, _)| image == least);
        (least, reached.fold(W::ZERO, |all, (_, place)| all | place))
    }

    /// Calls `see` with every map, the identity first.
    pub(super) fn for_each_map(&self, mut see: impl FnMut(&dyn Fn(W) -> W)) {
        for number in 0..self.count {
            see(&|pegs| self.images(pegs)[number]);
        }
    }
}

fn table<W: Word>(maps: &[&Vec<u8>], first: usize) -> [[W; IMAGES]; 1 << CHUNK_BITS] {
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
