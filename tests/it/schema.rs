//! `reynard schema`: every file of this repository is valid by its schema, and files with mistakes are not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

/// Whether a value is valid by a schema. Any keyword but these is an error, so that none is passed over.
fn is_valid(schema: &Value, value: &Value) -> bool {
    let Some(schema) = schema.as_object() else { return schema == &json!(true) };
    schema.iter().all(|(word, meaning)| holds(word, meaning, schema, value))
}

fn holds(word: &str, meaning: &Value, schema: &Map<String, Value>, value: &Value) -> bool {
    let all = |valid: &dyn Fn(&Value) -> bool| meaning.as_array().unwrap().iter().all(valid);
    let count = |meaning: &Value| meaning.as_array().unwrap().iter().filter(|way| is_valid(way, value)).count();
    let compare = |holds: &dyn Fn(f64, f64) -> bool| {
        value.as_f64().is_none_or(|number| holds(number, meaning.as_f64().expect("a bound")))
    };
    let length = |holds: &dyn Fn(usize, usize) -> bool| {
        value.as_array().is_none_or(|items| holds(items.len(), usize::try_from(meaning.as_u64().unwrap()).unwrap()))
    };
    match word {
        "$schema" | "title" | "description" | "default" => true,
        "type" => match meaning {
            Value::Array(kinds) => kinds.iter().any(|kind| is_a(kind, value)),
            kind => is_a(kind, value),
        },
        "const" => value == meaning,
        "enum" => meaning.as_array().unwrap().contains(value),
        "anyOf" => count(meaning) > 0,
        "oneOf" => count(meaning) == 1,
        "minimum" => compare(&|number, bound| number >= bound),
        "exclusiveMinimum" => compare(&|number, bound| number > bound),
        "maximum" => compare(&|number, bound| number <= bound),
        "exclusiveMaximum" => compare(&|number, bound| number < bound),
        "multipleOf" => compare(&|number, bound| number % bound == 0.0),
        "minItems" => length(&|items, bound| items >= bound),
        "maxItems" => length(&|items, bound| items <= bound),
        "uniqueItems" => {
            let items = value.as_array().map_or(&[][..], Vec::as_slice);
            items.iter().enumerate().all(|(index, item)| !items[..index].contains(item))
        }
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| is_valid(meaning, item))),
        "required" => value.as_object().is_none_or(|keys| all(&|key| keys.contains_key(key.as_str().unwrap()))),
        "properties" => value.as_object().is_none_or(|keys| {
            meaning.as_object().unwrap().iter().all(|(key, schema)| keys.get(key).is_none_or(|it| is_valid(schema, it)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|keys| {
            let is_other = |key: &String| schema.get("properties").is_none_or(|known| known.get(key).is_none());
            keys.iter().filter(|(key, _)| is_other(key)).all(|(_, it)| is_valid(meaning, it))
        }),
        "pattern" => value.as_str().is_none_or(|text| match meaning.as_str().unwrap() {
            "^[A-Za-z0-9._-]+$" => {
                !text.is_empty() && !text.contains(|c: char| !c.is_alphanumeric() && !"._-".contains(c))
            }
            r"^grid\([0-9]+,[0-9]+\)$" => text.starts_with("grid("),
            pattern => panic!("the pattern {pattern} has no check here"),
        }),
        word => panic!("the keyword {word} has no check here"),
    }
}

fn is_a(kind: &Value, value: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        kind => panic!("no type {kind}"),
    }
}

fn schema(kind: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_reynard")).args(["schema", kind]).output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn json_files(folder: &str) -> Vec<(PathBuf, Value)> {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let paths =
        files.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    paths.map(|path| (path.clone(), serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())).collect()
}

/// Sets the value at a pointer; the keys of the way there exist.
fn with(value: &Value, pointer: &str, new: Value) -> Value {
    let mut changed = value.clone();
    let (way, key) = pointer.rsplit_once('/').unwrap();
    match changed.pointer_mut(way).unwrap() {
        Value::Object(keys) => drop(keys.insert(key.to_owned(), new)),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = new,
        other => panic!("{other} has no keys"),
    }
    changed
}

#[test]
fn the_schema_of_rulesets_is_true() {
    let schema = schema("ruleset");
    for (path, ruleset) in json_files("src/engine/rules/catalog").iter().chain(&json_files("tournaments/examples")) {
        if ruleset.get("name").is_some() {
            assert!(is_valid(&schema, ruleset), "{}", path.display());
        }
    }
    let mine = json!({"$schema": "ruleset.schema.json", "name": "mine", "extends": "masters-15"});
    let goose = json!({"name": "mine", "family": "goose", "prison": 3, "exchange": false});
    for right in [&mine, &goose, &with(&mine, "/geese", json!(13)), &with(&mine, "/board", json!("grid(5,5)"))] {
        assert!(is_valid(&schema, right), "{right}");
    }
    let wrong = [
        with(&mine, "/gesse", json!(13)),
        with(&mine, "/geese", json!(14)),
        with(&mine, "/drops", json!(200)),
        with(&mine, "/chain", json!(1)),
        with(&mine, "/huff", json!("never")),
        with(&with(&mine, "/extends", json!("goose")), "/geese", json!(13)),
        with(&mine, "/extends", json!("masters")),
        with(&mine, "/family", json!("goose")),
        with(&mine, "/players", json!(3)),
        with(&goose, "/prison", json!(100)),
        json!({"name": "mine", "players": 3}),
        json!({"extends": "goose", "players": 3}),
    ];
    for wrong in wrong {
        assert!(!is_valid(&schema, &wrong), "{wrong}");
    }
}
