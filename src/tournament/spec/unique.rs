//! Maps whose keys are a user's own: the same one twice is an error, not a matter of order.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::OptionValues;

/// For `deserialize_with`: a map without a key that stands there twice.
pub(crate) fn map<'de, D: Deserializer<'de>, M: Entries<'de>>(deserializer: D) -> Result<M, D::Error> {
    deserializer.deserialize_map(MapVisitor(PhantomData))
}

/// The same for maps of maps.
pub(crate) fn map_of_maps<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, OptionValues>, D::Error> {
    let maps: BTreeMap<String, Inner> = map(deserializer)?;
    Ok(maps.into_iter().map(|(name, Inner(values))| (name, values)).collect())
}

/// What a JSON object can be read into.
pub(crate) trait Entries<'de>: Default {
    type Value: Deserialize<'de>;

    fn has(&self, key: &str) -> bool;

    fn put(&mut self, key: String, value: Self::Value);
}

impl<'de> Entries<'de> for Map<String, Value> {
    type Value = Value;

    fn has(&self, key: &str) -> bool {
        self.contains_key(key)
    }

    fn put(&mut self, key: String, value: Value) {
        self.insert(key, value);
    }
}

impl<'de, V: Deserialize<'de>> Entries<'de> for BTreeMap<String, V> {
    type Value = V;

    fn has(&self, key: &str) -> bool {
        self.contains_key(key)
    }

    fn put(&mut self, key: String, value: V) {
        self.insert(key, value);
    }
}

#[derive(Deserialize)]
struct Inner(#[serde(deserialize_with = "map")] OptionValues);

struct MapVisitor<M>(PhantomData<M>);

impl<'de, M: Entries<'de>> Visitor<'de> for MapVisitor<M> {
    type Value = M;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<M, A::Error> {
        let mut entries = M::default();
        while let Some(key) = map.next_key::<String>()? {
            if entries.has(&key) {
                // Refused in the place of its value, so that the path of the error ends with the key.
                map.next_value_seed(Refusal)?;
            } else {
                entries.put(key, map.next_value()?);
            }
        }
        Ok(entries)
    }
}

/// A value that must not be there.
struct Refusal;

impl<'de> DeserializeSeed<'de> for Refusal {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _deserializer: D) -> Result<(), D::Error> {
        Err(D::Error::custom("this key is given twice"))
    }
}
