//! The points of a grid, or drawn at random, that are to meet the start values.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::space::{Axis, ParameterPoint, Space};
use super::spec::Values;
use crate::tournament::spec::InvalidKey;

/// More points than this are refused: nobody waits for them.
pub(crate) const MAX_POINTS: usize = 100_000;

/// The values of one axis: those listed, or evenly spaced ones with both ends.
///
/// # Errors
/// A value out of range, or none at all.
pub(crate) fn coordinates(axis: &Axis, values: &Values, key: &str) -> Result<Vec<i64>, InvalidKey> {
    let refuse = |message: String| Err(InvalidKey::new(format!("{key}.values"), message));
    match values {
        Values::Count(count) if *count < 2 => refuse("expected at least 2 values".into()),
        Values::Count(count) if *count as usize > MAX_POINTS => refuse(format!("{count} are more than {MAX_POINTS}")),
        Values::Count(count) => {
            let spacing = (axis.max - axis.min) as f64 / f64::from(count - 1);
            let mut list: Vec<i64> =
                (0..*count).map(|n| axis.nearest(axis.min as f64 + spacing * f64::from(n))).collect();
            list.dedup();
            Ok(list)
        }
        Values::List(list) if list.is_empty() => refuse("expected at least one value".into()),
        Values::List(list) if list.len() > MAX_POINTS => {
            refuse(format!("{} values are more than {MAX_POINTS}", list.len()))
        }
        Values::List(list) => match list.iter().find(|value| !(axis.min..=axis.max).contains(value)) {
            Some(value) => refuse(format!("{value} is not between {} and {}", axis.min, axis.max)),
            None => match list.iter().enumerate().find(|(index, value)| list[..*index].contains(value)) {
                Some((_, value)) => refuse(format!("{value} is listed twice")),
                None => Ok(list.clone()),
            },
        },
    }
}

/// Every combination of the values, the last axis running fastest.
///
/// # Errors
/// There would be more than [`MAX_POINTS`].
pub(crate) fn grid(axes: &[Vec<i64>]) -> Result<Vec<ParameterPoint>, InvalidKey> {
    let count = axes.iter().try_fold(1usize, |count, values| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > MAX_POINTS) {
        return Err(InvalidKey::new("parameters", format!("the grid has more than {MAX_POINTS} points")));
    }
    let extend = |points: Vec<ParameterPoint>, values: &Vec<i64>| -> Vec<ParameterPoint> {
        let longer =
            |point: &ParameterPoint, value: i64| point.iter().copied().chain([value]).collect::<ParameterPoint>();
        points.iter().flat_map(|point| values.iter().map(move |&value| longer(point, value))).collect()
    };
    Ok(axes.iter().fold(vec![ParameterPoint::new()], extend))
}

/// `count` points, every integer point of the box equally likely; point n draws from stream n.
pub(crate) fn random(space: &Space, count: u64, seed: u64) -> Vec<ParameterPoint> {
    let draw = |number: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(POINT_STREAMS | number);
        space.axes.iter().map(|axis| rng.random_range(axis.min..=axis.max)).collect()
    };
    (0..count).map(draw).collect()
}

/// Apart from the streams of games, which begin at 0, and of openings, which begin at 1 << 63.
const POINT_STREAMS: u64 = 3 << 62;

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(min: i64, max: i64) -> Axis {
        Axis { name: "a".into(), role: None, start: min, min, max }
    }

    #[test]
    fn counts_are_spread_over_the_range() {
        assert_eq!(coordinates(&axis(0, 10), &Values::Count(3), "k").unwrap(), [0, 5, 10]);
        assert_eq!(coordinates(&axis(0, 2), &Values::Count(9), "k").unwrap(), [0, 1, 2]);
        assert_eq!(coordinates(&axis(0, 9), &Values::List(vec![7, 3]), "k").unwrap(), [7, 3]);
        let error = coordinates(&axis(0, 9), &Values::List(vec![10]), "parameters[0]").unwrap_err();
        assert_eq!(error.to_string(), "parameters[0].values: 10 is not between 0 and 9");
        assert!(coordinates(&axis(0, 9), &Values::Count(1), "k").is_err());
        let error = coordinates(&axis(0, 9), &Values::List(vec![3, 4, 3]), "k").unwrap_err();
        assert_eq!(error.to_string(), "k.values: 3 is listed twice");
        let error = coordinates(&axis(i64::MIN / 4, i64::MAX / 4), &Values::Count(4_000_000_000), "k").unwrap_err();
        assert!(error.to_string().contains("4000000000 are more than 100000"), "{error}");
    }

    #[test]
    fn a_grid_is_the_full_product() {
        let points = grid(&[vec![1, 2], vec![3, 4, 5]]).unwrap();
        assert_eq!(points, [[1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]]);
        assert!(grid(&vec![vec![0; 100]; 10]).is_err());
    }

    #[test]
    fn random_points_fill_the_box_and_repeat() {
        let space = Space { axes: vec![axis(-3, 3), axis(0, 100)] };
        let points = random(&space, 500, 9);
        assert_eq!(points[..20], random(&space, 20, 9));
        assert_ne!(points[..20], random(&space, 20, 10));
        for value in -3..=3 {
            assert!(points.iter().any(|point| point[0] == value), "{value} never drawn");
        }
        assert!(points.iter().all(|point| (0..=100).contains(&point[1])));
    }
}
