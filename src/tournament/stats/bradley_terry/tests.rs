use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::tournament::stats::estimate::score_of_elo;

fn cell(first: usize, second: usize, ruleset: usize, [wins, draws, losses]: [u64; 3]) -> Cell {
    Cell { first, second, ruleset, games: Trinomial { wins, draws, losses } }
}

/// How much stronger `first` is than `second`; `None` when they are in different groups.
fn difference(ratings: &Ratings, first: usize, second: usize) -> Option<Contrast> {
    let group = |engine: usize| ratings.engines.get(engine).map(|rating| rating.group);
    if group(first)? != group(second)? {
        return None;
    }
    let mut contrast = vec![0.0; ratings.estimate.len()];
    contrast[first] += 1.0;
    contrast[second] -= 1.0;
    Some(ratings.contrast(&contrast))
}

#[test]
fn known_ratings_are_found_within_their_errors() {
    let (truth, sides) = ([150.0, 40.0, -60.0, -130.0], [300.0, -80.0]);
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut outside, mut checked) = (0, 0);
    for _ in 0..100 {
        let mut cells = Vec::new();
        for (first, second) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            for (ruleset, side) in sides.iter().enumerate() {
                let score = score_of_elo(truth[first] - truth[second] + side);
                // A third of what the weaker one scores comes as draws.
                let draws = 2.0 * score.min(1.0 - score) / 3.0;
                let mut games = Trinomial::default();
                for _ in 0..100 {
                    let hit = rng.random::<f64>();
                    games.add(if hit < draws {
                        1
                    } else if hit < draws / 2.0 + score {
                        2
                    } else {
                        0
                    });
                }
                cells.push(Cell { first, second, ruleset, games });
            }
        }
        let ratings = bradley_terry(4, 2, &cells);
        assert_eq!(ratings.groups, 1);
        let engines = ratings.engines.iter().zip(truth).map(|(found, truth)| (found.elo, found.error, truth));
        let sides = ratings.sides.iter().zip(sides).map(|(found, truth)| (found.elo, found.error, truth));
        for (elo, error, truth) in engines.chain(sides) {
            checked += 1;
            outside += u32::from((elo.expect("finite") - truth).abs() > error.expect("finite"));
        }
    }
    // One in twenty of 600 is 30; the figures of one tournament hang together, hence the wide margin.
    assert!((10..=60).contains(&outside), "{outside} of {checked} outside their 95 % interval");
}

#[test]
fn ratings_have_mean_zero_and_differences_agree() {
    let ratings = bradley_terry(3, 1, &[cell(0, 1, 0, [6, 2, 2]), cell(1, 2, 0, [5, 0, 5]), cell(2, 0, 0, [3, 3, 4])]);
    let elo: Vec<f64> = ratings.engines.iter().map(|rating| rating.elo.expect("finite")).collect();
    assert!(elo.iter().sum::<f64>().abs() < 1e-6);
    let difference = difference(&ratings, 0, 2).expect("comparable");
    let (apart, error) = difference.elo.zip(difference.error).expect("finite");
    assert!((apart - (elo[0] - elo[2])).abs() < 1e-6 && error > 0.0);
}

#[test]
fn engines_that_never_met_are_not_compared() {
    let cells =
        [cell(0, 1, 0, [6, 0, 4]), cell(1, 0, 0, [5, 0, 5]), cell(2, 3, 0, [8, 0, 2]), cell(3, 2, 0, [5, 0, 5])];
    let ratings = bradley_terry(5, 1, &cells);
    assert_eq!(ratings.engines.iter().map(|rating| rating.group).collect::<Vec<_>>(), [0, 0, 1, 1, 2]);
    assert!(difference(&ratings, 0, 2).is_none() && difference(&ratings, 0, 1).is_some());
    assert_eq!(ratings.engines[4].elo, None);
    assert!(ratings.sides[0].elo.is_some());
}

#[test]
fn a_perfect_score_is_bounded_and_spares_the_others() {
    let level = [cell(0, 1, 0, [6, 2, 2]), cell(1, 0, 0, [5, 1, 4])];
    let beaten =
        [cell(0, 2, 0, [10, 0, 0]), cell(2, 0, 0, [0, 0, 10]), cell(1, 2, 0, [9, 0, 0]), cell(2, 1, 0, [0, 0, 9])];
    let alone = bradley_terry(2, 1, &level);
    let with = bradley_terry(3, 1, &[&level[..], &beaten[..]].concat());
    assert_eq!((with.engines[2].elo, with.engines[2].group), (None, 1));
    assert!(with.engines[2].bounded_elo < with.engines[0].bounded_elo.min(with.engines[1].bounded_elo));
    for engine in 0..2 {
        let [found, expected] = [&with, &alone].map(|ratings| ratings.engines[engine].elo.expect("finite"));
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}

#[test]
fn games_that_are_all_drawn_prove_the_more_the_more_there_are() {
    let errors = [10, 1000].map(|draws| {
        let ratings = bradley_terry(3, 1, &[(0, 1), (1, 0), (1, 2), (2, 1)].map(|(a, b)| cell(a, b, 0, [0, draws, 0])));
        let figures = ratings.engines.iter().map(|rating| (rating.elo, rating.error));
        let known = figures.chain([(ratings.sides[0].elo, ratings.sides[0].error)]);
        known.map(|(elo, error)| (elo.expect("finite"), error.expect("finite"))).collect::<Vec<_>>()
    });
    for (few, many) in errors[0].iter().zip(&errors[1]) {
        assert!(few.0.abs() < 1e-6 && few.1 > 50.0 && (few.1 / many.1 - 10.0).abs() < 1e-6, "{few:?} {many:?}");
    }
}

#[test]
fn a_perfect_score_within_a_circle_is_finite() {
    let cells =
        [cell(0, 1, 0, [10, 0, 0]), cell(1, 2, 0, [10, 0, 0]), cell(2, 0, 0, [10, 0, 0]), cell(1, 0, 0, [1, 0, 9])];
    let ratings = bradley_terry(3, 1, &cells);
    assert!(ratings.engines.iter().all(|rating| rating.bounded_elo.is_finite()));
}

#[test]
fn a_side_that_only_one_engine_had_is_not_told_from_strength() {
    let ratings = bradley_terry(2, 1, &[cell(0, 1, 0, [6, 2, 2])]);
    assert_eq!((ratings.sides[0].elo, ratings.engines[0].elo, ratings.groups), (None, None, 2));
}

#[test]
fn nothing_is_ever_infinite_or_not_a_number() {
    for (a, b) in (0..27u64).flat_map(|a| (0..27u64).map(move |b| (a, b))) {
        let counts = |code: u64| [code % 3, code / 3 % 3, code / 9];
        let ratings = bradley_terry(2, 1, &[cell(0, 1, 0, counts(a)), cell(1, 0, 0, counts(b))]);
        let side = ratings.sides[0];
        let figures = ratings.engines.iter().flat_map(|rating| [rating.elo, rating.error, Some(rating.bounded_elo)]);
        assert!(figures.chain([side.elo, side.error]).flatten().all(f64::is_finite), "{a} {b}: {ratings:?}");
    }
}
