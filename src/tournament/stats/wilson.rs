//! The score interval of Wilson (1927).

use super::elo::Z95;

/// Bounds of a 95 % interval of a score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The interval of a score of `points` in `games`, never outside [0, 1] and never empty; `None` without games.
///
/// Draws count as half a win and half a loss, which makes the interval wider than it needs to be.
pub fn wilson(points: f64, games: f64) -> Option<Interval> {
    if games.is_nan() || games <= 0.0 || !(0.0..=games).contains(&points) {
        return None;
    }
    Some(Interval { low: lower(points, games), high: 1.0 - lower(games - points, games) })
}

/// The lower bound in the form that loses no digits near 0; the upper one is its mirror image.
fn lower(points: f64, games: f64) -> f64 {
    let score = points / games;
    let spread = Z95 * Z95 / games;
    let root = (score * (1.0 - score) * spread + spread * spread / 4.0).sqrt();
    score * score / (score + spread / 2.0 + root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stay_inside_and_around_the_score() {
        for (points, games) in [(0.0, 1.0), (1.0, 1.0), (0.5, 1.0), (3.5, 9.0), (1e12, 1e12), (0.0, 1e12), (1.0, 1e15)]
        {
            let Interval { low, high } = wilson(points, games).expect("games were played");
            let score = points / games;
            assert!(0.0 <= low && low <= score && score <= high && high <= 1.0, "{points}/{games}: {low} {high}");
            assert!(low < high);
        }
        assert_eq!(wilson(0.0, 7.0).map(|interval| interval.low), Some(0.0));
        assert_eq!(wilson(7.0, 7.0).map(|interval| interval.high), Some(1.0));
    }

    #[test]
    fn nothing_can_be_said_without_games() {
        for (points, games) in [(0.0, 0.0), (1.0, 0.0), (f64::NAN, 1.0), (1.0, f64::NAN), (2.0, 1.0), (-1.0, 1.0)] {
            assert_eq!(wilson(points, games), None);
        }
    }
}
