//! The rulesets of a spec.

use std::fmt;
use std::path::PathBuf;

use reynard_engine::rules::ruleset::unique;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A ruleset of the catalog by name, or with switches, or from a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum RulesetSpec {
    Name(String),
    Choice(RulesetObject),
}

/// Exactly one of `name` and `file`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesetObject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Relative to the spec's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Switches; lists may be written as JSON lists or comma-separated.
    #[serde(default, skip_serializing_if = "Map::is_empty", deserialize_with = "unique::map")]
    pub set: Map<String, Value>,
}

impl RulesetSpec {
    /// The long form of either way to write it.
    pub fn object(&self) -> RulesetObject {
        match self {
            RulesetSpec::Name(name) => RulesetObject { name: Some(name.clone()), ..RulesetObject::default() },
            RulesetSpec::Choice(object) => object.clone(),
        }
    }
}

/// Written out because a derived one forgets which key was wrong.
impl<'de> Deserialize<'de> for RulesetSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RulesetVisitor)
    }
}

struct RulesetVisitor;

impl<'de> Visitor<'de> for RulesetVisitor {
    type Value = RulesetSpec;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a ruleset, or an object with name or file, and set")
    }

    fn visit_str<E>(self, name: &str) -> Result<RulesetSpec, E> {
        Ok(RulesetSpec::Name(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RulesetSpec, A::Error> {
        RulesetObject::deserialize(MapAccessDeserializer::new(map)).map(RulesetSpec::Choice)
    }
}
