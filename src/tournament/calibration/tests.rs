use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
        let [forecast, came] = [bin.predicted, bin.observed].map(points);
        assert!((forecast - came).abs() < 0.03, "{bin:?}");
    }
    assert_eq!(fit(&[]), None);
    // The other side's forecasts have the mirrored curve.
    let other = fit(&games.into_iter().map(Forecasts::mirrored).collect::<Vec<_>>()).unwrap().mirrored();
    assert!((other.won_from - found.won_from).abs() < 6.0 && (other.lost_below - found.lost_below).abs() < 6.0);
}

#[test]
fn scores_that_say_nothing_give_a_flat_curve() {
    let game =
        |number: i32| Forecasts { opening: 0, scores: vec![number / 3 % 600 - 300; 20], result: number as usize % 3 };
    let found = fit(&(0..5_400).map(game).collect::<Vec<_>>()).unwrap();
    assert!(found.scale <= MOST && found.won_from - found.lost_below <= 2.0 * MOST, "{found:?}");
    for score in [-300, 0, 300] {
        assert!(found.chances(score).iter().all(|chance| (chance - 1.0 / 3.0).abs() < 0.1), "{found:?}");
    }
}
