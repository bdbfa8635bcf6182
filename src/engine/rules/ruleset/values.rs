//! Values of keys that several families share: boards, lists, numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::geometry::{Board, SHAPE_NAMES, shape};

/// Declares enums whose variants are the words that a key may have as values.
macro_rules! key_enum {
    ($($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident),* $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
            schemars::JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant),* }
    )*};
}
pub(crate) use key_enum;

/// For `with`: values are written as they are, however they may be read.
pub(crate) trait Plain {
    fn serialize<T: Serialize + ?Sized, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

impl<With> Plain for With {}

/// For `with`: a number within bounds.
pub(crate) struct Number<const LEAST: u64, const MOST: u64>;

impl<const LEAST: u64, const MOST: u64> Number<LEAST, MOST> {
    pub(crate) fn deserialize<'de, T: TryFrom<u64>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let number = value.as_u64().filter(|number| (LEAST..=MOST).contains(number));
        let refuse = || D::Error::custom(format!("{value} is not allowed; a number from {LEAST} to {MOST} is"));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(refuse)
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for Number<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("Number{LEAST}To{MOST}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

/// For `with`: numbers within bounds by point.
pub(crate) struct NumberByPoint<const LEAST: u64, const MOST: u64>;

impl<const LEAST: u64, const MOST: u64> NumberByPoint<LEAST, MOST> {
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, u32>, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let Value::Object(numbers) = &value else {
            let allowed = format!("an object such as {{\"a1\": {LEAST}}} with numbers from {LEAST} to {MOST} is");
            return Err(D::Error::custom(format!("{value} is not allowed; {allowed}")));
        };
        let read = |(point, number): (&String, &Value)| {
            let read = Number::<LEAST, MOST>::deserialize(number);
            read.map(|number| (point.clone(), number)).map_err(|error| D::Error::custom(format!("{point}: {error}")))
        };
        numbers.iter().map(read).collect()
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for NumberByPoint<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("Number{LEAST}To{MOST}ByPoint").into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<Number<LEAST, MOST>>() })
    }
}

/// For `with`: a number from 1, or `auto`, which is read as 0 until other keys determine it.
pub(crate) struct NumberOrAuto;

impl NumberOrAuto {
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let number = if value == "auto" { Some(0) } else { value.as_u64().filter(|&number| number > 0) };
        let refuse =
            || D::Error::custom(format!("{value} is not allowed; 'auto' or a number from 1 to {} is", u32::MAX));
        number.and_then(|number| number.try_into().ok()).ok_or_else(refuse)
    }
}

impl JsonSchema for NumberOrAuto {
    fn schema_name() -> Cow<'static, str> {
        "NumberOrAuto".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": u32::MAX }, { "const": "auto" }] })
    }
}

/// For `with`: a list, which may be written as a single value.
pub(crate) struct OneOrMany<T>(PhantomData<T>);

impl<T: DeserializeOwned + Serialize> OneOrMany<T> {
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        let items = match Value::deserialize(deserializer)? {
            Value::Array(items) => items,
            item => vec![item],
        };
        items.into_iter().map(|item| T::deserialize(item).map_err(D::Error::custom)).collect()
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMany{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

/// For `with`: a list of points, each by its name or, on the 33-point cross, by its number; one may stand alone.
pub(crate) struct Points;

impl Points {
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        let name = |item: Value| match item {
            Value::String(name) => Ok(name),
            Value::Number(number) if number.is_u64() => Ok(number.to_string()),
            other => Err(D::Error::custom(format!(
                "{other} is not a point; allowed is a point such as \"d4\", its number on the 33-point cross, or a list"
            ))),
        };
        OneOrMany::deserialize(deserializer)?.into_iter().map(name).collect()
    }
}

impl JsonSchema for Points {
    fn schema_name() -> Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "string" }, point_number(), point_list()] })
    }
}

/// The schema of points where a number that stands alone has another meaning.
pub(crate) struct PointList;

impl JsonSchema for PointList {
    fn schema_name() -> Cow<'static, str> {
        "PointList".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "string" }, point_list()] })
    }
}

fn point_number() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": 33 })
}

fn point_list() -> Value {
    json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, point_number()] } })
}

/// A board as a ruleset gives it, by name or by its points and lines.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub struct RulesetBoard {
    /// The board as written: the name of a shape, or points and lines.
    written: Value,
    board: Board,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Graph {
    /// The names of the points: a file from a to z and a rank from 1 to 26.
    points: Vec<String>,
    /// The lines, each from a point to a neighbouring one. Two lines of the same direction go straight on, whatever
    /// their lengths, unless there are `paths`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<[String; 2]>>,
    /// Lines of several points each, which go straight on at every point, whatever way they bend; then nothing else
    /// goes straight on. A path that ends where it begins is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    paths: Option<Vec<Vec<String>>>,
}

impl JsonSchema for RulesetBoard {
    fn schema_name() -> Cow<'static, str> {
        "Board".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (grid, shapes) = SHAPE_NAMES.split_last().expect("there are shapes, grids the last of them");
        json_schema!({ "anyOf": [
            { "enum": shapes },
            { "type": "string", "pattern": "^grid\\([0-9]+,[0-9]+\\)$", "description": grid },
            generator.subschema_for::<Graph>(),
        ] })
    }
}

impl TryFrom<Value> for RulesetBoard {
    type Error = String;

    fn try_from(written: Value) -> Result<Self, String> {
        if let Value::String(name) = &written {
            let unknown = || {
                let allowed = SHAPE_NAMES.join(", ");
                let graph = "an object with points and lines or paths";
                format!("'{name}' is not a board; allowed are {allowed} (at most 128 cells), or {graph}")
            };
            let board = shape(name).ok_or_else(unknown)?;
            return Ok(RulesetBoard { written, board });
        }
        let refuse = |error: &dyn Display| {
            format!("{error}; a board is a name or {{\"points\": [\"a1\", ...], \"lines\": [[\"a1\", \"b1\"], ...]}}")
        };
        let graph: Graph = serde_path_to_error::deserialize(written).map_err(|error| refuse(&error))?;
        let Graph { points, lines, paths } = &graph;
        if lines.is_none() && paths.is_none() {
            return Err(refuse(&"`lines` or `paths` are missing"));
        }
        let (lines, paths) = (lines.as_deref().unwrap_or_default(), paths.as_deref().unwrap_or_default());
        let board = Board::from_names(points, lines, paths).map_err(|error| error.to_string())?;
        Ok(RulesetBoard { written: json!(graph), board })
    }
}

impl RulesetBoard {
    /// Whether the board is one of the named shapes.
    pub fn is_named(&self) -> bool {
        self.written.is_string()
    }
}

/// The default board is the 33-point cross.
impl Default for RulesetBoard {
    fn default() -> Self {
        RulesetBoard::try_from(json!("cross33")).unwrap_or_else(|_| unreachable!("the cross is a shape"))
    }
}

impl Deref for RulesetBoard {
    type Target = Board;

    fn deref(&self) -> &Board {
        &self.board
    }
}

impl Serialize for RulesetBoard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written.serialize(serializer)
    }
}
