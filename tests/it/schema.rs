//! `reynard schema`: every file of this repository is valid by its schema, and files with mistakes are not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reynard::testing::tournament::TournamentSpec;
use reynard_engine::session::OptionKind;
use reynard_engine::session::registry::default_options;
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
        "$schema" | "title" | "description" | "default" | "writeOnly" => true,
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
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= meaning.as_u64().unwrap()),
        "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= meaning.as_u64().unwrap()),
        "dependentRequired" => meaning.as_object().unwrap().iter().all(|(key, needed)| {
            let has = |key: &str| value.get(key).is_some();
            !has(key) || needed.as_array().unwrap().iter().all(|other| has(other.as_str().unwrap()))
        }),
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

fn reynard(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reynard")).args(arguments).output().expect("the program runs")
}

fn schema(kind: &str) -> Value {
    let output = reynard(&["schema", kind]);
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether a command that reads a file of this content takes it.
fn is_taken(command: &[&str], content: &Value) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), content.to_string()).unwrap();
    reynard(&[command, &[file.path().to_str().unwrap()]].concat()).status.success()
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
    let numbers = with(&with(&mine, "/geese", json!([31, 32, "c2"])), "/fox_start", json!(10));
    for right in [&mine, &goose, &numbers, &with(&mine, "/geese", json!(13))] {
        assert!(is_valid(&schema, right) && is_taken(&["rules", "check"], right), "{right}");
    }
    assert!(is_valid(&schema, &with(&mine, "/board", json!("grid(5,5)"))));
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
        assert!(!is_valid(&schema, &wrong) && !is_taken(&["rules", "check"], &wrong), "{wrong}");
    }
}

#[test]
fn the_schemas_of_specs_are_true() {
    let (tournament, tune) = (schema("tournament"), schema("tune"));
    let mut specs = 0;
    for folder in ["tournaments", "tournaments/laboratory"] {
        for (path, spec) in json_files(folder) {
            let schema = if spec.get("method").is_some() { &tune } else { &tournament };
            assert!(is_valid(schema, &spec), "{}", path.display());
            specs += 1;
        }
    }
    assert!(specs > 10, "{specs} specs");
    let spec = json!({
        "$schema": "tournament.schema.json", "rulesets": ["masters-15", {"name": "bell-13", "set": {"chain": false}}],
        "engines": [{"name": "a", "options": {"Hash": 1}}, {"name": "b", "as": {"fox": {"Searcher": "mcts"}}}],
        "format": "match", "pairs": 2, "limits": {"nodes": 100},
        "openings": {"kind": "random", "plies": 2, "balance": {"by": "evaluation", "max_cp": 20}},
    });
    assert!(is_valid(&tournament, &spec) && is_taken(&["tournament", "check"], &spec));
    let wrong = [
        ("/pair", json!(5)),
        ("/pairs", json!("5")),
        ("/pairs", json!(0)),
        ("/games", json!(4)),
        ("/format", json!("league")),
        ("/seed", json!(-1)),
        ("/rulesets", json!([])),
        ("/rulesets/0", json!("masters")),
        ("/rulesets/0", json!({"set": {}})),
        ("/engines/0/name", json!("")),
        ("/engines/0/options/Hash", json!([1])),
        ("/engines/0/limit", json!({})),
        ("/engines/0/program", json!({"command": "x", "protocol": "xboard"})),
        ("/engines/0/time_odds", json!(0)),
        ("/limits/depth", json!(10_001)),
        ("/limits/increment_ms", json!(5)),
        ("/openings/plies", json!(201)),
        ("/openings/path", json!("book")),
        ("/openings/balance/max_cp", json!(-1)),
        ("/adjudication", json!({"draw": {"plies": 1, "score_cp": 10}})),
        ("/affinity", json!([1, 1])),
        ("/concurrency", json!(257)),
        ("/supervision", json!({"line_bytes": 1})),
    ];
    for (pointer, new) in wrong {
        let wrong = with(&spec, pointer, new);
        assert!(!is_valid(&tournament, &wrong), "by its schema right: {wrong}");
        assert!(!is_taken(&["tournament", "check"], &wrong), "by the program right: {wrong}");
    }
    let spsa = json!({
        "method": "spsa", "ruleset": "bell-13", "parameters": [{"name": "EvalFoxReach"}], "iterations": 5, "pairs": 1,
        "limits": {"nodes": 5},
    });
    assert!(is_valid(&tune, &spsa));
    for (pointer, new) in [
        ("/method", json!("newton")),
        ("/iterations", json!(0)),
        ("/alpha", json!(1.5)),
        ("/parameters/0/r_end", json!(1001)),
        ("/parameters/0/from", json!(1)),
        ("/learn", json!({"rate": 0})),
        ("/quorum", json!({"patience_s": 5})),
    ] {
        assert!(!is_valid(&tune, &with(&spsa, pointer, new.clone())), "{pointer}: {new}");
    }
}

#[test]
fn the_schema_that_a_file_names_changes_nothing() {
    let spec = json!({"rulesets": ["masters-15"], "engines": [], "format": "match", "pairs": 2});
    let read = |spec: &Value| serde_json::from_value::<TournamentSpec>(spec.clone()).unwrap();
    let written = |spec: &Value| serde_json::to_string(&read(spec)).unwrap();
    assert_eq!(written(&with(&spec, "/$schema", json!("a.json"))), written(&spec));
    let shown = |rules: &Value| {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), rules.to_string()).unwrap();
        reynard(&["rules", "show", "--rules", file.path().to_str().unwrap()]).stdout
    };
    let rules = json!({"name": "mine", "extends": "bell-13"});
    assert!(!shown(&rules).is_empty());
    assert_eq!(shown(&with(&rules, "/$schema", json!("a.json"))), shown(&rules));
}

#[test]
fn the_tables_of_keys_are_those_of_the_schemas() {
    for readme in ["tournaments/README.md", "src/engine/rules/catalog/README.md"] {
        let written = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(readme)).unwrap();
        let copy = tempfile::NamedTempFile::new().unwrap();
        fs::write(copy.path(), &written).unwrap();
        let output = reynard(&["schema", "--tables", copy.path().to_str().unwrap()]);
        assert!(output.status.success(), "{readme}: {}", String::from_utf8_lossy(&output.stderr));
        let made = fs::read_to_string(copy.path()).unwrap();
        assert!(made == written, "the tables of {readme} are old: run `reynard schema --tables {readme}`");
    }
}

#[test]
fn the_parameters_are_the_numbers_that_the_engine_announces() {
    let output = reynard(&["params", "--json"]);
    assert!(output.status.success());
    let groups: Value = serde_json::from_slice(&output.stdout).unwrap();
    let announced = default_options();
    let mut count = 0;
    for parameter in groups.as_array().unwrap().iter().flat_map(|group| group["parameters"].as_array().unwrap()) {
        let name = parameter["name"].as_str().unwrap();
        let spec = announced.specs().find(|spec| spec.name == name).unwrap();
        let [min, max] = ["min", "max"].map(|key| parameter[key].as_i64().unwrap());
        assert_eq!(spec.kind, OptionKind::Spin { min, max }, "{name}");
        assert_eq!(spec.default, parameter["default"].to_string(), "{name}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}
