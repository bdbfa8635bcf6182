//! Win rates as integers, so that sums do not depend on the order of threads or on a machine's rounding.

use crate::rules::Seat;
use crate::search::score::{CHANCES, STEEPEST, Score};

/// An expected result for seat 0 between 0 (lost) and [`WinRate::ONE`] (won).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct WinRate(pub u16);

impl WinRate {
    pub(super) const ONE: u16 = u16::MAX;
    pub(super) const HALF: WinRate = WinRate(WinRate::ONE / 2);

    /// The rate for seat 0 of what is worth `self` to `seat`, and the other way round.
    #[inline]
    pub(super) fn seen_by(self, seat: Seat) -> WinRate {
        // The complement to the highest number flips every bit, which takes no branch.
        WinRate(self.0 ^ if seat == Seat::P1 { 0 } else { WinRate::ONE })
    }

    /// Between 0 and 1, for `seat`.
    #[inline]
    pub(super) fn of(self, seat: Seat) -> f32 {
        f32::from(self.seen_by(seat).0) * (1.0 / WinRate::ONE as f32)
    }

    /// The rate for seat 0 of an evaluation from the point of view of seat 0.
    pub(super) fn of_evaluation(evaluation: i32) -> WinRate {
        let rate = WinRate::of_chance(CHANCES[evaluation.unsigned_abs().min(STEEPEST as u32) as usize]);
        if evaluation < 0 { WinRate(WinRate::ONE - rate.0) } else { rate }
    }

    fn of_chance(chance: f64) -> WinRate {
        WinRate((chance * f64::from(WinRate::ONE)) as u16)
    }

    /// The same opinion after `idle` plies without progress: nearer to even, to a third at most. It counts half
    /// after `half_life` plies; 0 switches the fading off.
    pub(super) fn faded(self, idle: u32, half_life: u32) -> WinRate {
        if half_life == 0 {
            return self;
        }
        let (even, part) = (i64::from(WinRate::HALF.0), i64::from(half_life));
        let rest = (i64::from(self.0) - even) * part / (part + i64::from(idle.min(2 * half_life)));
        WinRate((even + rest) as u16)
    }
}

/// The score whose expected result is `rate` (between 0 and 1).
pub(super) fn score(rate: f64) -> Score {
    let folded = rate.max(1.0 - rate) * f64::from(WinRate::ONE);
    let is_below = |&chance: &f64| f64::from(WinRate::of_chance(chance).0) < folded;
    let hundredths = CHANCES.partition_point(is_below).min(STEEPEST as usize) as i32;
    Score(if rate < 0.5 { -hundredths } else { hundredths })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::WDL_SCALE;

    #[test]
    fn the_curve_agrees_with_the_scale_of_scores() {
        for evaluation in [-900, -150, -1, 0, 1, 40, 150, 700] {
            let exact = 1.0 / (1.0 + (-f64::from(evaluation) / WDL_SCALE).exp());
            assert!((f64::from(WinRate::of_evaluation(evaluation).of(Seat::P1)) - exact).abs() < 1e-4, "{evaluation}");
            assert!((score(exact).0 - evaluation).abs() <= 2, "{evaluation}");
        }
    }

    #[test]
    fn opinions_fade_towards_even() {
        let rate = WinRate(WinRate::HALF.0 + 3000);
        assert_eq!(rate.faded(0, 60), rate);
        assert_eq!(rate.faded(60, 60), WinRate(WinRate::HALF.0 + 1500));
        assert_eq!(rate.faded(9999, 60), WinRate(WinRate::HALF.0 + 1000));
        assert_eq!(WinRate(0).faded(9999, 0), WinRate(0));
    }

    #[test]
    fn seats_see_complements() {
        assert_eq!(WinRate(0).seen_by(Seat::P2), WinRate(WinRate::ONE));
        assert_eq!(WinRate(1000).seen_by(Seat::P2).seen_by(Seat::P2), WinRate(1000));
    }
}
