//! Reads JSON objects in which the same key twice is an error.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

/// What is wrong with a doubled key.
pub(crate) const TWICE: &str = "this key is given twice";

/// For `deserialize_with`: the pairs of an object in their order, in any collection.
pub fn map<'de, V, M, D>(deserializer: D) -> Result<M, D::Error>
where
    V: Deserialize<'de>,
    M: FromIterator<(String, V)>,
    D: Deserializer<'de>,
{
    Ok(deserializer.deserialize_map(PairsVisitor(PhantomData))?.into_iter().collect())
}

/// The same for an object of objects.
pub fn map_of_maps<'de, D>(deserializer: D) -> Result<BTreeMap<String, Map<String, Value>>, D::Error>
where
    D: Deserializer<'de>,
{
    let maps: Vec<(String, Unique)> = map(deserializer)?;
    Ok(maps.into_iter().map(|(key, Unique(values))| (key, values)).collect())
}

/// An object without doubled keys.
#[derive(Deserialize)]
struct Unique(#[serde(deserialize_with = "map")] Map<String, Value>);

struct PairsVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for PairsVisitor<V> {
    type Value = Vec<(String, V)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs: Self::Value = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if pairs.iter().any(|(earlier, _)| *earlier == key) {
                // Refused in the place of its value, so that the path of the error ends with the key.
                map.next_value_seed(RefuseValue)?;
            } else {
                pairs.push((key, map.next_value()?));
            }
        }
        Ok(pairs)
    }
}

/// A value that must not be there.
struct RefuseValue;

impl<'de> DeserializeSeed<'de> for RefuseValue {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _deserializer: D) -> Result<(), D::Error> {
        Err(D::Error::custom(TWICE))
    }
}
