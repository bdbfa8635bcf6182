//! What the statistics promise, checked on drawn results.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::estimate::{Interval, elo_of_excess};
use super::*;

const ALPHA: f64 = 0.05;

/// Matches for each simulated error.
const MATCHES: u64 = 200;

/// The most errors that `trials` with the chance `chance` show but once in about thirty thousand (four standard
/// deviations of the binomial distribution).
fn most(trials: u64, chance: f64) -> u64 {
    let mean = trials as f64 * chance;
    (mean + 4.0 * (mean * (1.0 - chance)).sqrt()).ceil() as u64
}

/// Chances of the outcomes by quarters.
type Chances = [f64; 5];

fn draw(rng: &mut ChaCha8Rng, chances: &Chances) -> usize {
    let mut left = rng.random::<f64>();
    let hit = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    hit.unwrap_or(4)
}

fn mean(chances: &Chances) -> f64 {
    chances.iter().zip(0..).map(|(chance, quarters)| chance * f64::from(quarters) / 4.0).sum()
}

fn sigma(chances: &Chances) -> f64 {
    let mean = mean(chances);
    chances.iter().zip(0..).map(|(chance, q)| chance * (f64::from(q) / 4.0 - mean).powi(2)).sum::<f64>().sqrt()
}

/// A level distribution tilted until `measure` gives `target`.
fn tilted(level: &Chances, target: f64, measure: impl Fn(&Chances) -> f64) -> Chances {
    let at = |tilt: f64| {
        let weights: Vec<f64> = level.iter().zip(0..).map(|(c, q)| c * (tilt * f64::from(q)).exp()).collect();
        let sum: f64 = weights.iter().sum();
        std::array::from_fn(|outcome| weights[outcome] / sum)
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if measure(&at(middle)) < target { low = middle } else { high = middle }
    }
    at(low)
}

/// Tests until a decision.
fn decide<S: Sample>(rng: &mut ChaCha8Rng, chances: &Chances, spec: &SprtSpec, of: fn([u64; 5]) -> S) -> SprtDecision {
    let bounds = SprtBounds::new(spec.alpha, spec.beta);
    let mut counts = [0; 5];
    loop {
        counts[draw(rng, chances)] += 1;
        let llr = llr(&of(counts), spec.elo0, spec.elo1, spec.model).expect("there are games");
        if let Some(decision) = bounds.decide(llr) {
            return decision;
        }
    }
}

/// Wrong decisions where `elo0` and where `elo1` is true.
fn errors<S: Sample>(seed: u64, model: SprtModel, level: Chances, of: fn([u64; 5]) -> S) -> [u64; 2] {
    let spec = SprtSpec { elo0: 0.0, elo1: 200.0, alpha: ALPHA, beta: ALPHA, model };
    let nelo =
        |chances: &Chances| (mean(chances) - 0.5) / (sigma(chances) * (S::GAMES as f64).sqrt()) * 800.0 / 10f64.ln();
    let elo = |chances: &Chances| elo_of_excess(mean(chances) - 0.5).expect("not a perfect score");
    [(spec.elo0, SprtDecision::H1), (spec.elo1, SprtDecision::H0)].map(|(truth, wrong)| {
        let chances = match model {
            SprtModel::Logistic => tilted(&level, truth, elo),
            SprtModel::Normalized => tilted(&level, truth, nelo),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..MATCHES).filter(|_| decide(&mut rng, &chances, &spec, of) == wrong).count() as u64
    })
}

fn games([losses, _, draws, _, wins]: [u64; 5]) -> Trinomial {
    Trinomial { losses, draws, wins }
}

#[test]
fn the_test_errs_no_more_often_than_it_says() {
    for model in [SprtModel::Logistic, SprtModel::Normalized] {
        let found = [
            errors(1, model, [0.35, 0.0, 0.3, 0.0, 0.35], games),
            errors(2, model, [0.05, 0.2, 0.5, 0.2, 0.05], Pentanomial),
            errors(3, model, [0.2, 0.2, 0.2, 0.2, 0.2], Pentanomial),
        ];
        let (all, each, together) = (found.iter().flatten(), most(MATCHES, ALPHA), most(6 * MATCHES, ALPHA));
        assert!(all.clone().all(|&errors| errors <= each), "{model:?}: {found:?} of {MATCHES}, most {each}");
        assert!((20..=together).contains(&all.sum()), "{model:?}: {found:?}; a test that hardly errs is too slow");
    }
}

#[test]
fn equals_are_found_equal() {
    const TRIALS: u64 = 2000;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let outside = |estimate: Estimate, times: f64| {
        estimate.nelo.zip(estimate.nelo_error).is_some_and(|(nelo, error)| nelo.abs() > times * error)
    };
    let (mut beyond_one, mut beyond_two) = (0, 0);
    for _ in 0..TRIALS {
        let mut counts = [0; 5];
        (0..200).for_each(|_| counts[draw(&mut rng, &[0.1, 0.2, 0.4, 0.2, 0.1])] += 1);
        let found = estimate(&Pentanomial(counts));
        beyond_one += u64::from(outside(found, 1.0));
        beyond_two += u64::from(outside(found, 2.0));
    }
    assert!(beyond_one <= most(TRIALS, 0.05) && beyond_one > 50, "{beyond_one} of {TRIALS} outside the 95 % interval");
    assert!(beyond_two <= 2, "{beyond_two} of {TRIALS} beyond twice the error, which has a chance of 9 in 100,000");
}

/// Every sample of so few observations, and some that are huge.
fn samples() -> Vec<[u64; 5]> {
    let small = (0..243u64).map(|code| std::array::from_fn(|at| code / 3u64.pow(at as u32) % 3));
    let huge = (0..5).flat_map(|at| {
        [1_000_000, 1_000_000_000_000_000].map(|count| {
            let mut counts = [0, 1, 0, 2, 0];
            counts[at] = count;
            counts
        })
    });
    small.chain(huge).collect()
}

fn figures(found: &Estimate) -> [Option<f64>; 12] {
    let Estimate {
        score,
        variance,
        stderr,
        elo,
        elo_low,
        elo_high,
        elo_error,
        nelo,
        nelo_error,
        los,
        wilson_low,
        wilson_high,
        ..
    } = *found;
    [score, variance, stderr, elo, elo_low, elo_high, elo_error, nelo, nelo_error, los, wilson_low, wilson_high]
}

#[test]
fn nothing_is_ever_infinite_or_not_a_number() {
    for counts in samples() {
        for found in [
            estimate(&Pentanomial(counts)),
            estimate(&games(counts)),
            estimate_of_match(&games(counts), &Pentanomial(counts)),
        ] {
            assert!(figures(&found).iter().flatten().all(|figure| figure.is_finite()), "{counts:?}: {found:?}");
        }
        let is_empty = counts == [0; 5];
        for model in [SprtModel::Logistic, SprtModel::Normalized] {
            for (elo0, elo1) in [(0.0, 5.0), (-50.0, 50.0), (-300.0, 300.0)] {
                let found = llr(&Pentanomial(counts), elo0, elo1, model);
                assert_eq!(found.is_none(), is_empty, "{counts:?} {model:?} {elo0} {elo1}");
                assert!(found.is_none_or(f64::is_finite), "{counts:?} {found:?}");
            }
        }
    }
}

#[test]
fn players_that_change_places_change_signs() {
    for counts in samples() {
        let pairs = Pentanomial(counts);
        let [ll, ld, even, wd, ww] = counts;
        let swapped = Pentanomial([ww, wd, even, ld, ll]);
        let (here, there) = (estimate(&pairs), estimate(&swapped));
        let opposite = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a + b).abs() <= 1e-9 * a.abs().max(1.0),
            (a, b) => a == b,
        };
        assert!(opposite(here.elo, there.elo) && opposite(here.nelo, there.nelo), "{counts:?}");
        let complement = |los: f64| Some(los - 1.0);
        assert!(opposite(here.los, there.los.and_then(complement)), "{counts:?}");
        for model in [SprtModel::Logistic, SprtModel::Normalized] {
            let (here, there) = (llr(&pairs, -5.0, 20.0, model), llr(&swapped, -20.0, 5.0, model));
            let tolerance = 1e-6 * here.unwrap_or(1.0).abs().max(1.0);
            let sum = here.zip(there).map_or(0.0, |(here, there)| here + there);
            assert!(sum.abs() <= tolerance, "{counts:?} {model:?}: {here:?} {there:?}");
        }
    }
}

#[test]
fn more_wins_raise_every_figure() {
    let at = |wins: u64| Trinomial { losses: 100, draws: 50, wins };
    for wins in 50..200 {
        let (less, more) = (estimate(&at(wins)), estimate(&at(wins + 1)));
        for (less, more) in
            [(less.elo, more.elo), (less.nelo, more.nelo), (less.los, more.los), (less.wilson_low, more.wilson_low)]
        {
            assert!(less.zip(more).is_some_and(|(less, more)| less < more), "{wins}");
        }
        for model in [SprtModel::Logistic, SprtModel::Normalized] {
            let ratio = |wins| llr(&at(wins), 0.0, 10.0, model).expect("a ratio");
            assert!(ratio(wins) < ratio(wins + 1), "{wins} {model:?}");
        }
    }
}

#[test]
fn twice_the_games_have_twice_the_ratio() {
    for model in [SprtModel::Logistic, SprtModel::Normalized] {
        let of = |factor: u64| {
            let sample = Trinomial { losses: 300 * factor, draws: 400 * factor, wins: 350 * factor };
            llr(&sample, 0.0, 10.0, model).expect("a ratio")
        };
        assert!((of(2) - 2.0 * of(1)).abs() < 1e-9 && (of(1_000_000) / of(1) - 1e6).abs() < 1e-3);
    }
}

#[test]
fn the_monitor_stays_at_its_first_crossing_whatever_the_order_of_finish() {
    let spec = SprtSpec { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized };
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let results: Vec<u8> = (0..4000).map(|_| draw(&mut rng, &[0.2, 0.0, 0.3, 0.0, 0.5]) as u8 / 2).collect();
    let run = |order: &dyn Fn(u64) -> u64| {
        let mut monitor = SprtMonitor::new(spec, 0, 1);
        for game in (0..4000).map(order) {
            monitor.add(game, results[game as usize]);
        }
        monitor.verdict()
    };
    let in_order = run(&|game| game);
    assert_eq!(in_order.decision, Some(SprtDecision::H1));
    assert!(in_order.pairs < 1000);
    assert_eq!(run(&|game| 3999 - game), in_order);
    assert_eq!(run(&|game| game ^ 7), in_order);
}

#[test]
fn bounds_stay_inside_and_around_the_score() {
    for (points, games) in [(0.0, 1.0), (1.0, 1.0), (0.5, 1.0), (3.5, 9.0), (1e12, 1e12), (0.0, 1e12), (1.0, 1e15)] {
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

#[test]
fn observations_that_are_all_alike_make_nobody_superior() {
    for counts in [[0, 0, 0, 1, 0], [0, 0, 10, 0, 0], [0, 40, 0, 0, 0], [0, 0, 0, 0, 3]] {
        let pairs = Pentanomial(counts);
        let [losses, draws, wins] =
            [2 * counts[0] + counts[1], counts[1] + 2 * counts[2] + counts[3], counts[3] + 2 * counts[4]];
        let games = Trinomial { losses, draws, wins };
        for found in [estimate(&pairs), estimate_of_match(&games, &pairs)].map(Estimate::with_known_errors) {
            assert_eq!(found.los, None, "{counts:?}");
            assert_eq!(found.elo_error.is_some_and(|error| error > 10.0), counts[4] == 0, "{counts:?}: {found:?}");
        }
    }
    let mixed = estimate(&Pentanomial([1, 2, 5, 4, 2]));
    assert_eq!(mixed.with_known_errors(), mixed);
}

#[test]
fn few_decided_pairs_make_nobody_certain() {
    let known = |counts| estimate(&Pentanomial(counts)).with_cautious_errors();
    let [few, more, level] = [[0, 0, 2, 1, 0], [0, 0, 19, 1, 0], [0, 0, 20, 0, 0]].map(known);
    assert!((0.6..0.75).contains(&few.los.unwrap()) && few.elo_error > Some(150.0), "{few:?}");
    assert!((0.6..0.75).contains(&more.los.unwrap()), "{more:?}");
    let ratio = more.elo_error.unwrap() / level.elo_error.unwrap();
    assert!((1.0..1.3).contains(&ratio), "one decided pair of twenty adds little to the error: {ratio}");
    let errors = (1..40).map(|pairs| known([0, 1, pairs, 1, 0]).elo_error.unwrap());
    assert!(errors.is_sorted_by(|one, next| one > next), "every pair makes it smaller");
    let one_sided = [[0, 0, 0, 2, 1], [0, 0, 0, 3, 1], [0, 0, 0, 3, 2]].map(|counts| known(counts).elo_error);
    assert!(one_sided.iter().all(|error| *error > Some(250.0)), "{one_sided:?}");
}
