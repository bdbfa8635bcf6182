//! Win rates as integers, so that sums do not depend on the order of threads or on a machine's rounding.

use crate::rules::Seat;
use crate::search::odds::{Odds, STEEPEST};
use crate::search::score::Score;

/// An expected result for seat 0 between 0 (lost) and [`Rate::ONE`] (won).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rate(pub u16);

impl Rate {
    pub(super) const ONE: u16 = u16::MAX;
    pub(super) const HALF: Rate = Rate(Rate::ONE / 2);

    /// The rate for seat 0 of what is worth `self` to `seat`, and the other way round.
    #[inline]
    pub(super) fn seen_by(self, seat: Seat) -> Rate {
        // The complement to the highest number flips every bit, which takes no branch.
        Rate(self.0 ^ if seat == Seat::P1 { 0 } else { Rate::ONE })
    }

    /// Between 0 and 1, for `seat`.
    #[inline]
    pub(super) fn of(self, seat: Seat) -> f32 {
        f32::from(self.seen_by(seat).0) * (1.0 / Rate::ONE as f32)
    }
}

/// The curve between evaluations and rates, as a table.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// Rates of the evaluations 0, 1, 2, ...
    rates: Vec<u16>,
}

impl Curve {
    pub(super) fn new() -> Curve {
        Curve { rates: Odds::new().chances().iter().map(|chance| (chance * f64::from(Rate::ONE)) as u16).collect() }
    }

    /// The rate for seat 0 of an evaluation from the point of view of seat 0.
    pub(super) fn rate(&self, evaluation: i32) -> Rate {
        let rate = self.rates[evaluation.unsigned_abs().min(STEEPEST as u32) as usize];
        Rate(if evaluation < 0 { Rate::ONE - rate } else { rate })
    }

    /// The same opinion after `idle` plies without progress: nearer to even, to a third at most. It counts half
    /// after `half_life` plies; 0 switches the fading off.
    pub(super) fn faded(rate: Rate, idle: u32, half_life: u32) -> Rate {
        if half_life == 0 {
            return rate;
        }
        let (even, part) = (i64::from(Rate::HALF.0), i64::from(half_life));
        let rest = (i64::from(rate.0) - even) * part / (part + i64::from(idle.min(2 * half_life)));
        Rate((even + rest) as u16)
    }

    /// The score whose expected result is `rate` (between 0 and 1).
    pub(super) fn score(&self, rate: f64) -> Score {
        let folded = rate.max(1.0 - rate) * f64::from(Rate::ONE);
        let hundredths = self.rates.partition_point(|&known| f64::from(known) < folded).min(STEEPEST as usize) as i32;
        Score(if rate < 0.5 { -hundredths } else { hundredths })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::WDL_SCALE;

    #[test]
    fn the_curve_agrees_with_the_scale_of_scores() {
        let curve = Curve::new();
        for evaluation in [-900, -150, -1, 0, 1, 40, 150, 700] {
            let exact = 1.0 / (1.0 + (-f64::from(evaluation) / WDL_SCALE).exp());
            assert!((f64::from(curve.rate(evaluation).of(Seat::P1)) - exact).abs() < 1e-4, "{evaluation}");
            assert!((curve.score(exact).0 - evaluation).abs() <= 2, "{evaluation}");
        }
    }

    #[test]
    fn opinions_fade_towards_even() {
        let rate = Rate(Rate::HALF.0 + 3000);
        assert_eq!(Curve::faded(rate, 0, 60), rate);
        assert_eq!(Curve::faded(rate, 60, 60), Rate(Rate::HALF.0 + 1500));
        assert_eq!(Curve::faded(rate, 9999, 60), Rate(Rate::HALF.0 + 1000));
        assert_eq!(Curve::faded(Rate(0), 9999, 0), Rate(0));
    }

    #[test]
    fn seats_see_complements() {
        assert_eq!(Rate(0).seen_by(Seat::P2), Rate(Rate::ONE));
        assert_eq!(Rate(1000).seen_by(Seat::P2).seen_by(Seat::P2), Rate(1000));
    }
}
