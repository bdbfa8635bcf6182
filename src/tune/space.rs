//! The box of values that is searched, how a point of it becomes an engine, and the points of a grid or drawn at random.

use rand::RngExt;
use reynard_engine::eval::Parameter;
use reynard_engine::rules::random::stream;
use reynard_engine::session::registry;
use serde::{Deserialize, Serialize};

use super::spec::{BOTH, ParameterSpec, Values};
use crate::tournament::plan::{EngineConfig, OptionPairs};
use crate::tournament::spec::InvalidKey;

/// Values of the tuned parameters, in their order.
pub(crate) type ParameterPoint = Vec<i64>;

/// One tuned option with its range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Axis {
    pub name: String,
    /// `None` for every role.
    #[serde(rename = "as")]
    pub role: Option<String>,
    pub start: i64,
    pub min: i64,
    pub max: i64,
}

impl Axis {
    /// The name, with the role where it applies in one only, for example `TrapMoves@fox`.
    pub fn label(&self) -> String {
        match &self.role {
            Some(role) => format!("{}@{role}", self.name),
            None => self.name.clone(),
        }
    }

    /// What a parameter of this program weighs.
    pub fn about(&self) -> Option<&'static str> {
        registry::parameters().iter().find(|parameter| parameter.name == self.name).map(|parameter| parameter.about)
    }

    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min as f64, self.max as f64)
    }

    /// The nearest allowed integer.
    pub fn nearest(&self, value: f64) -> i64 {
        (value.round() as i64).clamp(self.min, self.max)
    }
}

/// Every tuned option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Space {
    pub axes: Vec<Axis>,
}

impl Space {
    /// Resolves the parameters of a spec against the engine that is tuned and the roles of its ruleset.
    ///
    /// # Errors
    /// A name, role or range that is not so; the message names it and what is allowed.
    pub(crate) fn new(
        parameters: &[ParameterSpec],
        base: &EngineConfig,
        roles: &[String],
    ) -> Result<Space, InvalidKey> {
        let mut axes: Vec<Axis> = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let key = format!("parameters[{index}]");
            let axis = axis(parameter, base, roles, &key)?;
            let clashes = |other: &Axis| {
                other.name.eq_ignore_ascii_case(&axis.name)
                    && (other.role == axis.role || other.role.is_none() || axis.role.is_none())
            };
            if axes.iter().any(clashes) {
                return Err(InvalidKey::new(key, format!("{} is tuned twice for the same role", axis.name)));
            }
            axes.push(axis);
        }
        Ok(Space { axes })
    }

    /// The values before tuning.
    pub fn start(&self) -> ParameterPoint {
        self.axes.iter().map(|axis| axis.start).collect()
    }

    pub fn labels(&self) -> Vec<String> {
        self.axes.iter().map(Axis::label).collect()
    }

    /// The nearest point with integer coordinates.
    pub fn nearest(&self, values: &[f64]) -> ParameterPoint {
        self.axes.iter().zip(values).map(|(axis, &value)| axis.nearest(value)).collect()
    }

    /// The engine `base` with the values of a point.
    pub fn configure(&self, base: &EngineConfig, point: &[i64]) -> EngineConfig {
        let mut engine = base.clone();
        for (axis, value) in self.axes.iter().zip(point) {
            let options = match &axis.role {
                Some(role) => engine.by_role.entry(role.clone()).or_default(),
                None => &mut engine.options,
            };
            options.retain(|(name, _)| !name.eq_ignore_ascii_case(&axis.name));
            options.push((axis.name.clone(), value.to_string()));
        }
        engine
    }
}

fn axis(spec: &ParameterSpec, base: &EngineConfig, roles: &[String], key: &str) -> Result<Axis, InvalidKey> {
    let role = role(spec, base, roles, key)?;
    let option = base.program.is_none().then(|| parameter(&spec.name, key)).transpose()?;
    let missing = |what: &str| InvalidKey::new(format!("{key}.{what}"), "missing; an external program needs it");
    let [default, lowest, highest] =
        [option.map(|option| option.default), option.map(|option| option.min), option.map(|option| option.max)]
            .map(|number| number.map(i64::from));
    let axis = Axis {
        start: spec.start.or(present(base, role.as_deref(), &spec.name)).or(default).ok_or(missing("start"))?,
        min: spec.min.or(lowest).ok_or(missing("min"))?,
        max: spec.max.or(highest).ok_or(missing("max"))?,
        name: option.map_or(spec.name.as_str(), |option| option.name).to_owned(),
        role,
    };
    check_range(&axis, lowest, highest, key)?;
    Ok(axis)
}

fn role(spec: &ParameterSpec, base: &EngineConfig, roles: &[String], key: &str) -> Result<Option<String>, InvalidKey> {
    if spec.role != BOTH {
        let known = roles.contains(&spec.role).then(|| Some(spec.role.clone()));
        let allowed = || format!("'{}' is no role of this game; expected both, {}", spec.role, roles.join(", "));
        return known.ok_or_else(|| InvalidKey::new(format!("{key}.as"), allowed()));
    }
    let overriding = base.by_role.iter().find(|(_, options)| value_in(options, &spec.name).is_some());
    match overriding {
        None => Ok(None),
        Some((role, _)) => {
            let message = format!("the engine sets {} as {role}, so it has to be tuned with \"as\"", spec.name);
            Err(InvalidKey::new(format!("{key}.as"), message))
        }
    }
}

/// The engine's own parameter of that name.
fn parameter(name: &str, key: &str) -> Result<Parameter, InvalidKey> {
    let parameters = registry::parameters();
    let found = parameters.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
        let message = format!("'{name}' is no number to be tuned; expected one of {}", names.join(", "));
        InvalidKey::new(format!("{key}.name"), message)
    })
}

/// The value that the engine has now, as far as its options say.
fn present(base: &EngineConfig, role: Option<&str>, name: &str) -> Option<i64> {
    let in_role = role.and_then(|role| base.by_role.get(role)).and_then(|options| value_in(options, name));
    in_role.or_else(|| value_in(&base.options, name)).and_then(|value| value.parse().ok())
}

fn value_in<'a>(options: &'a OptionPairs, name: &str) -> Option<&'a str> {
    let named = options.iter().rev().find(|(option, _)| option.eq_ignore_ascii_case(name));
    named.map(|(_, value)| value.as_str())
}

fn check_range(axis: &Axis, lowest: Option<i64>, highest: Option<i64>, key: &str) -> Result<(), InvalidKey> {
    let Axis { start, min, max, .. } = *axis;
    let refuse = |what: &str, message: String| Err(InvalidKey::new(format!("{key}.{what}"), message));
    match (lowest, highest) {
        (Some(lowest), _) if min < lowest => refuse("min", format!("{min} is below {lowest}, the least allowed")),
        (_, Some(highest)) if max > highest => refuse("max", format!("{max} is above {highest}, the most allowed")),
        _ if min >= max => refuse("min", format!("the range from {min} to {max} has nothing to choose")),
        _ if !(min..=max).contains(&start) => refuse("start", format!("{start} is not between {min} and {max}")),
        _ => Ok(()),
    }
}

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
        let mut rng = stream(seed, POINT_STREAMS | number);
        space.axes.iter().map(|axis| rng.random_range(axis.min..=axis.max)).collect()
    };
    (0..count).map(draw).collect()
}

/// Apart from the streams of games, which begin at 0, and of openings, which begin at 1 << 63.
const POINT_STREAMS: u64 = 3 << 62;

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::tournament::spec::Limits;

    pub(crate) fn engine(options: &[(&str, &str)]) -> EngineConfig {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        EngineConfig {
            name: "base".into(),
            program: None,
            options: options.iter().map(own).collect(),
            by_role: BTreeMap::new(),
            limits: Limits::default(),
        }
    }

    fn roles() -> Vec<String> {
        vec!["geese".into(), "fox".into()]
    }

    fn spec(json: serde_json::Value) -> ParameterSpec {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn ranges_and_start_come_from_the_option_and_the_engine() {
        let base = engine(&[("trapmoves", "5")]);
        let space = Space::new(&[spec(serde_json::json!({"name": "TRAPMOVES", "max": 6}))], &base, &roles());
        let expected = Axis { name: "TrapMoves".into(), role: None, start: 5, min: 0, max: 6 };
        assert_eq!(space.unwrap().axes, [expected]);
    }

    #[test]
    fn a_role_has_values_of_its_own() {
        let base = engine(&[("Searcher", "mcts"), ("TrapMoves", "5")]);
        let both = ["fox", "geese"].map(|role| spec(serde_json::json!({"name": "TrapMoves", "as": role})));
        let space = Space::new(&both, &base, &roles()).unwrap();
        assert_eq!(space.labels(), ["TrapMoves@fox", "TrapMoves@geese"]);
        assert_eq!(space.start(), [5, 5]);
        let engine = space.configure(&base, &[3, 4]);
        assert_eq!(engine.by_role["fox"], [("TrapMoves".to_owned(), "3".to_owned())]);
        assert_eq!(engine.by_role["geese"], [("TrapMoves".to_owned(), "4".to_owned())]);
        assert_eq!(space.configure(&engine, &[1, 2]).by_role["fox"].len(), 1, "the old value is replaced");
    }

    #[test]
    fn what_cannot_be_is_named() {
        let base = engine(&[]);
        let refused = |parameters: &[serde_json::Value]| {
            let parameters: Vec<ParameterSpec> = parameters.iter().cloned().map(spec).collect();
            Space::new(&parameters, &base, &roles()).unwrap_err().to_string()
        };
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert!(refused(&[json(r#"{"name": "Hash"}"#)]).contains("parameters[0].name: 'Hash'"));
        assert!(refused(&[json(r#"{"name": "TrapMoves", "as": "hound"}"#)]).contains("expected both, geese, fox"));
        assert!(refused(&[json(r#"{"name": "TrapMoves", "max": 9}"#)]).contains("8, the most allowed"));
        assert!(refused(&[json(r#"{"name": "TrapMoves", "start": 7, "max": 6}"#)]).contains("not between 0 and 6"));
        let twice = [json(r#"{"name": "TrapMoves", "as": "fox"}"#), json(r#"{"name": "TrapMoves"}"#)];
        assert!(refused(&twice).contains("tuned twice"));
    }

    fn one(min: i64, max: i64) -> Axis {
        Axis { name: "a".into(), role: None, start: min, min, max }
    }

    #[test]
    fn counts_are_spread_over_the_range() {
        assert_eq!(coordinates(&one(0, 10), &Values::Count(3), "k").unwrap(), [0, 5, 10]);
        assert_eq!(coordinates(&one(0, 2), &Values::Count(9), "k").unwrap(), [0, 1, 2]);
        assert_eq!(coordinates(&one(0, 9), &Values::List(vec![7, 3]), "k").unwrap(), [7, 3]);
        let error = coordinates(&one(0, 9), &Values::List(vec![10]), "parameters[0]").unwrap_err();
        assert_eq!(error.to_string(), "parameters[0].values: 10 is not between 0 and 9");
        assert!(coordinates(&one(0, 9), &Values::Count(1), "k").is_err());
        let error = coordinates(&one(0, 9), &Values::List(vec![3, 4, 3]), "k").unwrap_err();
        assert_eq!(error.to_string(), "k.values: 3 is listed twice");
        let error = coordinates(&one(i64::MIN / 4, i64::MAX / 4), &Values::Count(4_000_000_000), "k").unwrap_err();
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
        let space = Space { axes: vec![one(-3, 3), one(0, 100)] };
        let points = random(&space, 500, 9);
        assert_eq!(points[..20], random(&space, 20, 9));
        assert_ne!(points[..20], random(&space, 20, 10));
        for value in -3..=3 {
            assert!(points.iter().any(|point| point[0] == value), "{value} never drawn");
        }
        assert!(points.iter().all(|point| (0..=100).contains(&point[1])));
    }
}
