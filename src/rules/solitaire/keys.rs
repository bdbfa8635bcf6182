//! The keys of a solitaire ruleset and their values.

use serde::Deserialize;
use serde_json::Value;

use crate::rules::ruleset::{BoardKey, Family, FamilyKeys};

/// Holes by name or by number.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(super) struct Holes(pub Vec<String>);

impl TryFrom<Value> for Holes {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let items = if let Value::Array(items) = value { items } else { vec![value] };
        let name = |item: Value| match item {
            Value::String(name) => Ok(name),
            Value::Number(number) => Ok(number.to_string()),
            other => Err(format!("{other} is not a hole")),
        };
        items.into_iter().map(name).collect::<Result<_, _>>().map(Holes)
    }
}

/// What a file says, before defaults and checks.
#[derive(Clone, PartialEq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub board: Option<BoardKey>,
    pub vacancy: Option<Holes>,
    pub start: Option<Holes>,
    pub target: Option<Holes>,
}

impl FamilyKeys for Keys {
    const FAMILY: Family = Family::Solitaire;

    fn merge(&mut self, other: Keys) {
        macro_rules! take {
            ($($key:ident)*) => {$( if other.$key.is_some() { self.$key = other.$key; } )*};
        }
        take!(board vacancy start target);
    }

    fn allowed(key: &str) -> Option<&'static str> {
        match key {
            "vacancy" | "start" | "target" => Some("a hole such as \"d4\", its number on the 33-hole cross, or a list"),
            _ => None,
        }
    }
}
