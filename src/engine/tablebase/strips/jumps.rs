//! The jumps from the patterns of a strip, and where in the layer below stands what they lead to.

use super::foxes::{Foxes, Jump};
use super::layer::{LayerPatterns, Strip};
use super::numbering::{NO_GROUP, PatternNumbering};
use super::tail_moves::TailLists;
use crate::geometry::singles;

/// A goose on the middle of a jump in one pattern of a strip.
pub(super) struct JumpedGoose<'j> {
    /// The number of the pattern in its strip.
    pub number: usize,
    pub pattern: u64,
    /// The level of the pattern without the goose in the layer below, and its number there.
    pub level: usize,
    pub landed: usize,
    /// The points that are empty then. Like the number it is that of the image which is kept.
    pub empty: u64,
    /// The symmetry that maps that image back.
    pub back: usize,
    jumps: &'j [Jump],
    /// The images of the points where the jumps end.
    ends: &'j [u64],
}

impl JumpedGoose<'_> {
    /// The jumps over the goose from an empty point to another one, with the image of the latter.
    #[inline(always)]
    pub(super) fn jumps(&self) -> impl Iterator<Item = (&Jump, u64)> {
        let jumps = self.jumps.iter().zip(self.ends.iter().copied());
        jumps.filter(|(jump, _)| self.pattern & (jump.from | jump.to) == 0)
    }
}

/// Shows the geese on the middle of a jump in the patterns of a strip, with what they leave in those levels of the
/// layer `below` that are `wanted`.
#[inline(always)]
pub(super) fn visit_jumped<F: Foxes>(
    (foxes, numbering, lists): (&F, &PatternNumbering, &TailLists),
    strip: &Strip,
    below: &LayerPatterns,
    wanted: impl Fn(usize) -> bool,
    mut visit: impl FnMut(&JumpedGoose<'_>),
) {
    let (rules, of_strip) = (foxes.rules(), lists.of(strip.tails));
    let middles = rules.jumps.iter().fold(0, |all, axis| all | axis.middles);
    // All patterns without one of the geese stand in one strip.
    for over in singles(middles & (strip.head | numbering.tail)) {
        let point = lists.index(over);
        let is_head = over & strip.head != 0;
        let at = numbering.head_place(strip.head & !over);
        let tails = if is_head { strip.tails } else { of_strip.fewer[point] };
        let group = if tails == NO_GROUP { None } else { below.group(at.group, tails) };
        let Some(group) = group.filter(|group| wanted(group.level as usize)) else { continue };
        let symmetry = usize::from(at.symmetry);
        let (map, back) = (&numbering.symmetries[symmetry], usize::from(numbering.inverses[symmetry]));
        let (level, first) = (group.level as usize, group.range(at.number).start);
        let tails_of = |group: u32| &numbering.tail_groups[group as usize].tails[..];
        let (before, after) = (tails_of(strip.tails), tails_of(tails));
        let kept_head = numbering.head_groups[at.group as usize][at.number as usize].0;
        let jumps = jumps_over(foxes, over);
        let ends: Vec<u64> = jumps.iter().map(|jump| map.apply(jump.to)).collect();
        let mut show = |number: u32, landed: u32| {
            let (number, landed) = (number as usize, landed as usize);
            let (pattern, empty) = (strip.head | before[number], rules.all & !(kept_head | after[landed]));
            let landed = first + landed;
            visit(&JumpedGoose { number, pattern, level, landed, empty, back, jumps: &jumps, ends: &ends });
        };
        if is_head {
            let images = &of_strip.images[symmetry];
            (0..).zip(images).for_each(|(number, &landed)| show(number, landed));
        } else {
            lists.of(tails).links[point].iter().for_each(|&[without, with]| show(with, without));
        }
    }
}

fn jumps_over<F: Foxes>(foxes: &F, over: u64) -> Vec<Jump> {
    let axes = foxes.rules().jumps.iter().filter(|axis| axis.middles & over != 0);
    axes.flat_map(|axis| {
        let (up, down) = axis.ends(over);
        [Jump { from: down, to: up }, Jump { from: up, to: down }]
    })
    .collect()
}
