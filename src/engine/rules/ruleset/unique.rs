//! JSON objects in which no key may occur twice: readers that refuse the second one, and the places of the keys.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::Place;

/// The message about a key that occurs twice.
pub(crate) const TWICE: &str = "this key is given twice";

/// For `deserialize_with`: an object as pairs in their order, collected into any collection.
pub fn map<'de, V, M, D>(deserializer: D) -> Result<M, D::Error>
where
    V: Deserialize<'de>,
    M: FromIterator<(String, V)>,
    D: Deserializer<'de>,
{
    Ok(deserializer.deserialize_map(PairsVisitor(PhantomData))?.into_iter().collect())
}

/// For `deserialize_with`: an object of objects, in each of which no key may occur twice.
pub fn map_of_maps<'de, D>(deserializer: D) -> Result<BTreeMap<String, Map<String, Value>>, D::Error>
where
    D: Deserializer<'de>,
{
    let maps: Vec<(String, Unique)> = map(deserializer)?;
    Ok(maps.into_iter().map(|(key, Unique(values))| (key, values)).collect())
}

/// An object in which no key may occur twice.
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
                // The error is raised at the value, so that its path ends with the key.
                map.next_value_seed(RefuseValue)?;
            } else {
                pairs.push((key, map.next_value()?));
            }
        }
        Ok(pairs)
    }
}

/// Refuses any value.
struct RefuseValue;

impl<'de> DeserializeSeed<'de> for RefuseValue {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _deserializer: D) -> Result<(), D::Error> {
        Err(D::Error::custom(TWICE))
    }
}

/// The top-level keys of a JSON object in the order of its text, each with its place.
pub(super) fn places(text: &str) -> Vec<(String, Place)> {
    let mut at = 0;
    let next = || {
        let begin = at + text[at..].find('"')?;
        let mut names = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<String>();
        let name = names.next()?.ok()?;
        let colon = begin + names.byte_offset();
        let value = colon + text[colon..].find(':')? + 1;
        let mut values = serde_json::Deserializer::from_str(&text[value..]).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        at = value + values.byte_offset();
        let line_start = text[..begin].rfind('\n').map_or(0, |end| end + 1);
        let line = text[..begin].matches('\n').count() + 1;
        Some((name, Place { line, column: text[line_start..begin].chars().count() + 1 }))
    };
    std::iter::from_fn(next).collect()
}
