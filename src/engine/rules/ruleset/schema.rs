//! JSON Schemas: that of ruleset files, and what a schema says of numbers and lists, checked.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::{Family, FamilyRules, Keys, RefusedKey};
use crate::rules::catalog;

/// The JSON Schema (draft 2020-12) of a type as it is read, without references.
pub fn of<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.with_transform(RecursiveTransform(tidy)).into_generator().into_root_schema_for::<T>();
    schema.as_object().cloned().unwrap_or_default()
}

fn tidy(schema: &mut Schema) {
    // The names of machine types say nothing that the bounds do not.
    schema.remove("format");
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        // Lines of a comment are not lines for an editor.
        *text = text.replace('\n', " ");
    }
}

/// The JSON Schema of a ruleset file of one family.
pub(super) fn of_files<R: FamilyRules>() -> Value {
    let mut schema = of::<Keys<R>>();
    let is_of_family = |name: &&str| {
        let text = catalog::text(name).unwrap_or_default();
        super::family(name, text).is_ok_and(|family| family == R::FAMILY)
    };
    schema.remove("$schema");
    schema.insert("title".into(), json!(R::FAMILY));
    schema.insert("required".into(), json!(["name"]));
    schema.insert("additionalProperties".into(), json!(false));
    if R::FAMILY != Family::default() {
        schema.insert("anyOf".into(), json!([{ "required": ["family"] }, { "required": ["extends"] }]));
    }
    let properties = schema["properties"].as_object_mut().expect("an object has properties");
    for (alias, name) in R::ALIASES {
        properties.insert((*alias).into(), properties[*name].clone());
    }
    properties["extends"]["enum"] = catalog::all_names().filter(is_of_family).collect();
    properties["family"] = json!({ "const": R::FAMILY, "description": properties["family"]["description"] });
    json!(schema)
}

/// Checks numbers and lists by the bounds of a schema, of a value that has the types of the schema.
///
/// # Errors
/// The path of the first value out of bounds, such as `engines[1].limits.depth`, and what is allowed.
pub fn check(schema: &Value, value: &Value) -> Result<(), RefusedKey> {
    visit(schema, value, "")
}

fn visit(schema: &Value, value: &Value, path: &str) -> Result<(), RefusedKey> {
    let ways = ["anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array()).flatten();
    let mut tried = ways.filter(|way| is_meant(way, value)).map(|way| visit(way, value, path));
    if let Some(Err(refused)) = tried.next()
        && !tried.any(|way| way.is_ok())
    {
        return Err(refused);
    }
    let refuse = |message: String| Err(RefusedKey::new(path, message));
    match value {
        Value::Number(number) => match bounds(schema, number.as_f64().unwrap_or(f64::NAN)) {
            Some(allowed) => refuse(format!("{number} is not allowed; expected {allowed}")),
            None => Ok(()),
        },
        Value::Array(items) => {
            let [least, most] = ["minItems", "maxItems"].map(|word| schema[word].as_u64());
            let count = items.len() as u64;
            if count < least.unwrap_or(0) || count > most.unwrap_or(u64::MAX) {
                let allowed = most.map_or("at least 1".to_owned(), |most| format!("{} to {most}", least.unwrap_or(0)));
                return refuse(format!("{count} are given; expected {allowed}"));
            }
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                if schema["uniqueItems"] == true && items[..index].contains(item) {
                    return Err(RefusedKey::new(&path, format!("{item} is listed twice")));
                }
                visit(&schema["items"], item, &path)?;
            }
            Ok(())
        }
        Value::Object(keys) => schema["properties"].as_object().into_iter().flatten().try_for_each(|(key, schema)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            keys.get(key).map_or(Ok(()), |value| visit(schema, value, &path))
        }),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// Whether an alternative is for values of this type, and of this kind where it has a key that says which.
fn is_meant(way: &Value, value: &Value) -> bool {
    let has_type = match value {
        Value::Null => way["type"] == "null",
        Value::Number(_) => way["type"] == "integer" || way["type"] == "number",
        Value::Array(_) => way["type"] == "array",
        Value::Object(_) => way["type"] == "object",
        Value::Bool(_) | Value::String(_) => true,
    };
    let mut keys = way["properties"].as_object().into_iter().flatten();
    has_type && keys.all(|(key, schema)| schema.get("const").is_none_or(|kind| value[key] == *kind))
}

/// The allowed range of numbers in words; `None` if this number is in it.
fn bounds(schema: &Value, number: f64) -> Option<String> {
    let bound = |word: &str| schema[word].as_f64();
    let is_inside = bound("minimum").is_none_or(|least| number >= least)
        && bound("exclusiveMinimum").is_none_or(|below| number > below)
        && bound("maximum").is_none_or(|most| number <= most)
        && bound("exclusiveMaximum").is_none_or(|above| number < above);
    (!is_inside).then(|| range(schema))
}

/// The numbers that a schema allows, in words such as `an integer from 1 to 256`.
pub fn range(schema: &Value) -> String {
    let is_integer = schema["type"] == "integer" || schema["type"][0] == "integer";
    let kind = if is_integer { "an integer" } else { "a number" };
    let [least, below, most, above] =
        ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].map(|word| schema.get(word));
    let low = least.map(|least| format!(" from {least}")).or(below.map(|below| format!(" above {below}")));
    let high = most.map(|most| format!("{} {most}", if least.is_some() { " to" } else { " at most" }));
    let high = high.or(above.map(|above| format!(" below {above}")));
    let and = if least.is_none() && low.is_some() && high.is_some() { " and" } else { "" };
    format!("{kind}{}{and}{}", low.unwrap_or_default(), high.unwrap_or_else(|| " up".to_owned()))
}
