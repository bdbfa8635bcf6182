//! Kinds of values that several families use.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::geometry::{Board, SHAPE_NAMES, shape};

/// A list that may be written as a single value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: DeserializeOwned"), try_from = "Value")]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T> std::ops::Deref for OneOrMany<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: DeserializeOwned> TryFrom<Value> for OneOrMany<T> {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let items = if let Value::Array(items) = value { items } else { vec![value] };
        let read = |item| serde_json::from_value(item).map_err(|error| error.to_string());
        items.into_iter().map(read).collect::<Result<_, _>>().map(OneOrMany)
    }
}

/// The board: a shape's name, or points and lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum BoardKey {
    Shape(String),
    Graph { points: Vec<String>, lines: Vec<[String; 2]> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Graph {
    points: Vec<String>,
    lines: Vec<[String; 2]>,
}

impl TryFrom<Value> for BoardKey {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        if let Value::String(name) = value {
            return Ok(BoardKey::Shape(name));
        }
        let graph: Graph = serde_json::from_value(value).map_err(|error| {
            format!("{error}; a board is a name or {{\"points\": [\"a1\", ...], \"lines\": [[\"a1\", \"b1\"], ...]}}")
        })?;
        Ok(BoardKey::Graph { points: graph.points, lines: graph.lines })
    }
}

impl BoardKey {
    /// The board that is meant.
    ///
    /// # Errors
    /// There is no such shape, or the points and lines are no board.
    pub fn board(&self) -> Result<Board, String> {
        match self {
            BoardKey::Shape(name) => shape(name).ok_or_else(|| {
                let allowed = SHAPE_NAMES.join(", ");
                format!(
                    "'{name}' is not a board; allowed are {allowed} (at most 128 cells), or an object with points and \
                     lines"
                )
            }),
            BoardKey::Graph { points, lines } => Board::from_names(points, lines).map_err(|error| error.to_string()),
        }
    }
}

/// A list of point names, or a single one.
pub(crate) fn point_names(value: Value) -> Result<Vec<String>, String> {
    OneOrMany::try_from(value).map(|names| names.0)
}
