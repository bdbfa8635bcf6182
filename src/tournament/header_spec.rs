//! The spec in the header of a journal.

use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::spec::{Format, Limits, SprtSpec};

/// A spec as it was written, and what reports ask of it, read once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct HeaderSpec {
    value: Value,
    plan: Option<TournamentPlan>,
    limits: Vec<Option<Limits>>,
}

/// Which games a tournament has, and what they are to decide.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct TournamentPlan {
    pub format: Format,
    /// Of every pairing in every ruleset.
    pub pairs: Option<u64>,
    pub rounds: Option<u32>,
    pub sprt: Option<SprtSpec>,
}

/// A part of a spec says something, but not what it should.
#[derive(Debug, Error)]
#[error("its spec's {part} cannot be read: {error}")]
pub struct HeaderSpecError {
    part: String,
    error: serde_json::Error,
}

impl HeaderSpec {
    /// The plan of a tournament; `None` of anything else.
    pub fn plan(&self) -> Option<TournamentPlan> {
        self.plan
    }

    /// What an engine may spend, time odds included; `None` where that is not known.
    pub fn limits(&self, engine: usize) -> Option<Limits> {
        self.limits.get(engine).copied().flatten()
    }
}

impl TryFrom<Value> for HeaderSpec {
    type Error = HeaderSpecError;

    fn try_from(value: Value) -> Result<Self, HeaderSpecError> {
        // Only tournaments have a format.
        let plan = if value["format"].is_null() { None } else { Some(part(&value, || "plan".to_owned())?) };
        let engines = value["engines"].as_array().into_iter().flatten().enumerate();
        let limits = engines.map(|(index, engine)| part(&engine["limits"], || format!("engines[{index}].limits")));
        let limits = limits.collect::<Result<_, _>>()?;
        Ok(HeaderSpec { value, plan, limits })
    }
}

fn part<T: DeserializeOwned>(value: &Value, name: impl FnOnce() -> String) -> Result<T, HeaderSpecError> {
    T::deserialize(value).map_err(|error| HeaderSpecError { part: name(), error })
}

impl From<HeaderSpec> for Value {
    fn from(spec: HeaderSpec) -> Value {
        spec.value
    }
}

impl Deref for HeaderSpec {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn spec(value: Value) -> Result<HeaderSpec, String> {
        HeaderSpec::try_from(value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_plan_is_told_from_none_and_from_a_damaged_one() {
        assert_eq!(spec(json!({"format": "match", "pairs": 3})).unwrap().plan().unwrap().pairs, Some(3));
        assert_eq!(spec(json!({"method": "spsa"})).unwrap().plan(), None);
        assert_eq!(spec(Value::Null).unwrap().plan(), None);
        for damaged in [json!({"format": "madch"}), json!({"format": "match", "pairs": -1})] {
            let message = spec(damaged).unwrap_err();
            assert!(message.starts_with("its spec's plan cannot be read: "), "{message}");
        }
    }

    #[test]
    fn limits_are_those_of_the_engine() {
        let told = spec(json!({"engines": [{"name": "a"}, {"limits": {"nodes": 5}}]})).unwrap();
        assert_eq!([0, 1, 2].map(|engine| told.limits(engine).and_then(|limits| limits.nodes)), [None, Some(5), None]);
        let message = spec(json!({"engines": [{"limits": {}}, {"limits": {"nodes": "x"}}]})).unwrap_err();
        assert!(message.starts_with("its spec's engines[1].limits cannot be read: "), "{message}");
    }

    #[test]
    fn it_is_written_as_it_was_read() {
        let value = json!({"format": "match", "unknown": [1, null], "engines": [{"limits": {"nodes": 5}}]});
        let told = spec(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&told).unwrap(), value);
        assert_eq!(told["unknown"][0], 1);
    }
}
