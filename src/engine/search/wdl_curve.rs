//! The logistic curve between scores and chances of winning, on which dice are averaged and shares of a win are
//! compared.

use super::score::{Score, WDL_SCALE};
use crate::eval::MAX_EVALUATION;

/// Opinions beyond this are hardly different from certainty.
pub(super) const STEEPEST: i32 = 1400;

/// Chances of winning by score, from 0 up to the steepest: the logistic curve behind [`Score::wdl`].
///
/// Hundredths of a piece do not add up: a roll that wins the game and one that loses a piece have to be averaged by
/// what they are worth in the end.
pub(super) static CHANCES: [f64; STEEPEST as usize + 1] = {
    // Only multiplication and division: the same bits on every machine, unlike a library's `exp`.
    let square = WDL_SCALE * WDL_SCALE;
    let step = 1.0 + 1.0 / WDL_SCALE + 0.5 / square + 1.0 / (6.0 * square * WDL_SCALE);
    let mut chances = [0.5; STEEPEST as usize + 1];
    let (mut odds, mut score) = (1.0, 0);
    while score < chances.len() {
        chances[score] = odds / (1.0 + odds);
        odds *= step;
        score += 1;
    }
    chances
};

/// The chance to win with this score: 0 or 1 exactly for a certain result.
pub(super) fn chance(score: Score) -> f64 {
    if score.is_certain() {
        return if score.0 > 0 { 1.0 } else { 0.0 };
    }
    let chance = CHANCES[score.0.unsigned_abs().min(STEEPEST as u32) as usize];
    if score.0 < 0 { 1.0 - chance } else { chance }
}

/// The opinion whose chance is nearest; certainty gives the steepest one.
pub(super) fn score(chance: f64) -> Score {
    let folded = chance.max(1.0 - chance);
    let above = CHANCES.partition_point(|&known| known < folded).min(STEEPEST as usize);
    let nearer = above > 0 && folded - CHANCES[above - 1] < CHANCES[above] - folded;
    let hundredths = above as i32 - i32::from(nearer);
    Score(if chance < 0.5 { -hundredths } else { hundredths })
}

/// The highest score that is worth at most `bound`; below every score if there is none.
pub(super) fn floor(bound: f64) -> Score {
    match bound {
        _ if bound < 0.0 => -Score::INFINITE,
        _ if bound >= 1.0 => Score::INFINITE,
        _ if bound < chance(Score(-STEEPEST)) => Score(-MAX_EVALUATION - 1),
        _ if bound >= chance(Score(STEEPEST)) => Score(MAX_EVALUATION),
        _ => {
            let near = score(bound);
            if chance(near) <= bound { near } else { Score(near.0 - 1) }
        }
    }
}

/// The lowest score that is worth at least `bound`; above every score if there is none.
pub(super) fn ceiling(bound: f64) -> Score {
    -floor(1.0 - bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_chances_are_two_sides_of_one_curve() {
        for opinion in -STEEPEST..=STEEPEST {
            assert_eq!(score(chance(Score(opinion))), Score(opinion));
        }
        assert_eq!((chance(Score::win_in(9)), chance(Score::loss_in(9))), (1.0, 0.0));
        assert_eq!(score(0.5), Score(0));
        assert!((chance(Score(150)) - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-4);
    }

    #[test]
    fn floors_and_ceilings_enclose_a_chance() {
        for step in 1..1000 {
            let bound = f64::from(step) / 1000.0;
            let (below, above) = (floor(bound), ceiling(bound));
            assert!(chance(below) <= bound && chance(Score(below.0 + 1)) > bound, "{bound}");
            assert!(chance(above) >= bound - 1e-12 && chance(Score(above.0 - 1)) < bound, "{bound}");
        }
        assert_eq!((floor(-0.1), ceiling(1.1)), (-Score::INFINITE, Score::INFINITE));
        assert_eq!(floor(0.0), Score(-MAX_EVALUATION - 1), "every proved loss is worth no more than nothing");
        assert_eq!(ceiling(1.0), Score(MAX_EVALUATION + 1));
    }
}
