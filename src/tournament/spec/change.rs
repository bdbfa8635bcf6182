//! Changes to a spec that the command line asks for.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

use super::error::InvalidKey;

/// A key of a spec and the value that it gets instead of its own, written `KEY=VALUE`.
///
/// The key is a path such as `limits.nodes` or `engines[0].options.Hash`; `engines[*]` is every engine, and all that
/// follows `options.` is the name of an option, dots included. The value is JSON, and a text where it is no JSON; `null`
/// takes the key away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    key: String,
    value: String,
}

impl Change {
    pub(crate) fn new(key: &str, value: &Value) -> Change {
        Change { key: key.to_owned(), value: value.to_string() }
    }

    /// Changes a spec. Objects on the way to the key are made where there are none.
    ///
    /// # Errors
    /// The path leads through something that has no such member.
    pub(super) fn apply(&self, spec: &mut Map<String, Value>) -> Result<(), InvalidKey> {
        let refuse = |message: String| InvalidKey::new(&self.key, message);
        let steps = steps(&self.key).map_err(refuse)?;
        let value = serde_json::from_str(&self.value).unwrap_or_else(|_| Value::from(self.value.as_str()));
        let mut whole = Value::Object(std::mem::take(spec));
        let is_set = set(&mut whole, &steps, &value);
        if let Value::Object(changed) = whole {
            *spec = changed;
        }
        is_set.map_err(refuse)
    }
}

impl FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Change, String> {
        let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE, for example limits.nodes=5000")?;
        steps(key)?;
        Ok(Change { key: key.to_owned(), value: value.to_owned() })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// A step of a path into a JSON value.
enum Step<'a> {
    Key(&'a str),
    Item(usize),
    EveryItem,
}

fn steps(path: &str) -> Result<Vec<Step<'_>>, String> {
    let refuse = || format!("'{path}' is no key; expected a path such as limits.nodes or engines[0].options.Hash");
    let (path, option) = path.split_once(".options.").map_or((path, None), |(owner, name)| (owner, Some(name)));
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, items) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() {
            return Err(refuse());
        }
        steps.push(Step::Key(key));
        for item in items.split_inclusive(']') {
            let item = item.strip_prefix('[').and_then(|item| item.strip_suffix(']')).ok_or_else(refuse)?;
            steps.push(match item {
                "*" => Step::EveryItem,
                number => Step::Item(number.parse().map_err(|_| refuse())?),
            });
        }
    }
    if let Some(name) = option {
        if name.is_empty() {
            return Err(refuse());
        }
        steps.extend([Step::Key("options"), Step::Key(name)]);
    }
    Ok(steps)
}

fn set(place: &mut Value, path: &[Step<'_>], value: &Value) -> Result<(), String> {
    let Some((step, rest)) = path.split_first() else {
        *place = value.clone();
        return Ok(());
    };
    if let (Step::Key(_), Value::Null) = (step, &*place) {
        *place = Value::Object(Map::new());
    }
    match (step, place) {
        (Step::Key(key), Value::Object(object)) if rest.is_empty() && value.is_null() => {
            object.remove(*key);
            Ok(())
        }
        (Step::Key(key), Value::Object(object)) => set(object.entry(*key).or_insert(Value::Null), rest, value),
        (Step::Key(key), _) => Err(format!("the spec has no object that could hold `{key}`")),
        (Step::EveryItem, Value::Array(items)) => items.iter_mut().try_for_each(|item| set(item, rest, value)),
        (Step::Item(index), Value::Array(items)) => match items.len() {
            count if *index >= count => Err(format!("the spec has {count} there, counted from 0")),
            _ => set(&mut items[*index], rest, value),
        },
        (Step::EveryItem | Step::Item(_), _) => Err("the spec has no list there".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(change: &str) -> Result<Value, String> {
        let Value::Object(mut spec) = json!({"name": "x", "engines": [{"name": "a"}, {"name": "b"}], "tables": "t"})
        else {
            unreachable!("an object");
        };
        let change: Change = change.parse()?;
        change.apply(&mut spec).map_err(|error| error.to_string())?;
        Ok(Value::Object(spec))
    }

    #[test]
    fn a_path_leads_to_the_value() {
        let value = |change: &str, pointer: &str| changed(change).expect("a change").pointer(pointer).cloned();
        assert_eq!(value("name=a b", "/name"), Some(json!("a b")));
        assert_eq!(value("pairs=5", "/pairs"), Some(json!(5)));
        assert_eq!((value("tables=null", "/tables"), value("limits=null", "/limits")), (None, None));
        assert_eq!(value("openings.balance.by=table", "/openings/balance/by"), Some(json!("table")));
        assert_eq!(value("engines[1].options.Skill Level=3", "/engines/1/options/Skill Level"), Some(json!(3)));
        assert_eq!(value("engines[0].options.Eval.Fox[2]=3", "/engines/0/options/Eval.Fox[2]"), Some(json!(3)));
        let every = "engines[*].limits={\"nodes\": 7}";
        assert_eq!(value(every, "/engines/0/limits/nodes"), Some(json!(7)));
        assert_eq!(value(every, "/engines/1/limits/nodes"), Some(json!(7)));
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused() {
        for (change, words) in [
            ("name", "expected KEY=VALUE"),
            ("=1", "is no key"),
            ("a..b=1", "is no key"),
            ("engines[0].options.=1", "is no key"),
            ("engines[x].name=1", "is no key"),
            ("engines[2.name=1", "is no key"),
            ("engines[2].name=c", "engines[2].name: the spec has 2 there"),
            ("engines.name=c", "no object that could hold `name`"),
            ("name[0]=c", "no list there"),
        ] {
            let error = changed(change).expect_err(change);
            assert!(error.contains(words), "{change}: {error}");
        }
    }
}
