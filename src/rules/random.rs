//! Draws from random bits.

use rand::{Rng, RngExt};

use crate::geometry::{Point, PointSet, Word};

/// A number below `count` from 32 random bits; the bias is below count / 2^32 (Lemire 2019).
#[inline]
pub(crate) fn below<R: Rng>(count: u32, rng: &mut R) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(count)) >> 32) as u32
}

/// One of the outcomes, drawn with its probability; what rounding leaves over belongs to the last one.
pub(crate) fn draw<'a, T, R: Rng>(outcomes: &'a [(T, f64)], rng: &mut R) -> Option<&'a T> {
    let mut left: f64 = rng.random();
    let drawn = outcomes.iter().find(|(_, probability)| {
        left -= probability;
        left < 0.0
    });
    drawn.or(outcomes.last()).map(|(outcome, _)| outcome)
}

/// One of the points, each as likely as the others.
pub(crate) fn pick<W: Word, R: Rng>(set: PointSet<W>, rng: &mut R) -> Option<Point> {
    if set.is_empty() { None } else { set.nth(below(set.len(), rng)) }
}
