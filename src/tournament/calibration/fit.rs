//! The curve under which the results of games are the most likely, given the scores on the way.

use std::collections::BTreeMap;

use reynard_engine::search::{Score, WdlModel};

use super::Forecasts;

/// A curve as the climber sees it: the score where wins are as likely as losses, half the distance between the scores
/// of half wins and half losses, and the scale.
type Shape = [f64; 3];

const START: Shape = [0.0, 50.0, 150.0];
/// Hundredths of a piece; the least a curve can be told apart by.
const FIRST_STEP: f64 = 64.0;
const LAST_STEP: f64 = 0.25;
/// No curve is wider, flatter or further away: where scores say nothing of results, flatter ones fit ever so little
/// better.
const MOST: f64 = 4096.0;
/// So much more likely, as a logarithm, a curve must make the results to be taken for better.
const LEAST_GAIN: f64 = 1e-3;
/// What is known without games: so many positions with as much as this are won, and as many with as little lost.
const KNOWN_POSITIONS: f64 = 20.0;
const KNOWN_SCORE: i32 = 2000;
/// So many more games, with the same scores, have ended as the curve for all games foretells: it keeps results that
/// never came in a few games from being impossible.
const PRIOR_GAMES: f64 = 2.0;
/// Chances below this cost no more.
const LEAST_CHANCE: f64 = 1e-6;

/// Fits a curve to games; `None` where they hold no forecast.
pub(crate) fn fit<'a>(games: impl IntoIterator<Item = &'a Forecasts>) -> Option<WdlModel> {
    let mut counts: BTreeMap<i32, [f64; 3]> = BTreeMap::new();
    let mut played = 0.0;
    for game in games {
        played += 1.0;
        game.scores.iter().for_each(|&score| counts.entry(score).or_default()[game.result] += 1.0);
    }
    if counts.is_empty() {
        return None;
    }
    for (&score, results) in &mut counts {
        let (seen, foretold) = (results.iter().sum::<f64>(), Score(score).wdl());
        let share_of = |thousandths: u16| PRIOR_GAMES / played * f64::from(thousandths) / 1000.0;
        results.iter_mut().zip(foretold.0).for_each(|(count, thousandths)| *count += seen * share_of(thousandths));
    }
    counts.entry(KNOWN_SCORE).or_default()[0] += KNOWN_POSITIONS;
    counts.entry(-KNOWN_SCORE).or_default()[2] += KNOWN_POSITIONS;
    let (mut best, mut step) = (START, FIRST_STEP);
    let mut least = cost(&counts, best);
    // Climbs by one coordinate at a time, as long as that helps, with ever smaller steps.
    while step >= LAST_STEP {
        let mut has_improved = false;
        for (place, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            let mut tried = best;
            tried[place] += sign * step;
            if tried[1] < 0.0 || tried[2] < 1.0 || tried[place].abs() > MOST {
                continue;
            }
            let found = cost(&counts, tried);
            if found < least - LEAST_GAIN {
                (best, least, has_improved) = (tried, found, true);
            }
        }
        if !has_improved {
            step /= 2.0;
        }
    }
    Some(model(best))
}

fn model([middle, half_width, scale]: Shape) -> WdlModel {
    WdlModel { won_from: middle + half_width, lost_below: middle - half_width, scale }
}

/// Minus the logarithm of the likelihood.
fn cost(counts: &BTreeMap<i32, [f64; 3]>, shape: Shape) -> f64 {
    let model = model(shape);
    let of_score = |(&score, results): (&i32, &[f64; 3])| {
        let chances = model.chances(score);
        (0..3).map(|result| -results[result] * chances[result].max(LEAST_CHANCE).ln()).sum::<f64>()
    };
    counts.iter().map(of_score).sum()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::{points, reliability};
    use super::*;

    #[test]
    fn a_curve_is_found_again_from_what_it_foretells() {
        let truth = WdlModel { won_from: 160.0, lost_below: -20.0, scale: 90.0 };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut game = |opening| {
            let score = rng.random_range(-600..600);
            let (draw, [win, _, loss]) = (rng.random_range(0.0..1.0), truth.chances(score));
            let result = if draw < win {
                0
            } else if draw > 1.0 - loss {
                2
            } else {
                1
            };
            Forecasts { opening, scores: vec![score], result }
        };
        let games: Vec<Forecasts> = (0..50_000).map(&mut game).collect();
        let found = fit(&games).unwrap();
        for (found, truth) in
            [(found.won_from, truth.won_from), (found.lost_below, truth.lost_below), (found.scale, truth.scale)]
        {
            assert!((found - truth).abs() < 6.0, "{found} for {truth}");
        }
        let bins = reliability(games.iter().map(|game| (game, |score| found.chances(score))));
        assert_eq!(bins.iter().map(|bin| bin.positions).sum::<u64>(), 50_000);
        for bin in bins {
            let [told, came] = [bin.predicted, bin.observed].map(points);
            assert!((told - came).abs() < 0.03, "{bin:?}");
        }
        assert_eq!(fit(&[]), None);
    }

    #[test]
    fn scores_that_say_nothing_give_a_flat_curve() {
        let game = |number: i32| Forecasts {
            opening: 0,
            scores: vec![number / 3 % 600 - 300; 20],
            result: number as usize % 3,
        };
        let found = fit(&(0..5_400).map(game).collect::<Vec<_>>()).unwrap();
        assert!(found.scale <= MOST && found.won_from - found.lost_below <= 2.0 * MOST, "{found:?}");
        for score in [-300, 0, 300] {
            assert!(found.chances(score).iter().all(|chance| (chance - 1.0 / 3.0).abs() < 0.1), "{found:?}");
        }
    }
}
