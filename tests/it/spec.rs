//! Tournament specs: the examples, the document, and what is said about wrong ones.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use reynard::testing::tournament::Schedule;
use reynard::testing::tournament::spec::{self, Change, SpecError};
use reynard::testing::tune::{ResolvedTuneSpec, TuneSpec};
use serde_json::{Value, json};
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments")
}

fn examples() -> Vec<PathBuf> {
    let folders = [folder(), folder().join("laboratory")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut examples: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    examples.sort();
    examples
}

/// Whether a spec is one of `reynard tune`.
fn is_for_tuning(path: &Path) -> bool {
    fs::read_to_string(path).unwrap().contains("\"method\"")
}

fn base() -> Value {
    json!({
        "rulesets": ["masters-15"],
        "engines": [{"name": "a"}, {"name": "b"}],
        "format": "match",
        "pairs": 2,
        "limits": {"nodes": 100},
    })
}

/// The base spec with the value at a JSON pointer replaced or, for null, removed.
fn with(pointer: &str, value: Value) -> Value {
    let mut spec = base();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match spec.pointer_mut(parent).unwrap() {
        Value::Object(object) if value.is_null() => drop(object.remove(key)),
        Value::Object(object) => drop(object.insert(key.to_owned(), value)),
        Value::Array(items) => items.insert(key.parse().unwrap(), value),
        other => panic!("{other} holds nothing"),
    }
    spec
}

fn refusal(directory: &Path, text: &str) -> String {
    let path = directory.join("spec.json");
    fs::write(&path, text).unwrap();
    let error: SpecError = match spec::load(&path, &[]).and_then(|loaded| loaded.resolve().map(drop)) {
        Ok(()) => panic!("accepted: {text}"),
        Err(error) => error,
    };
    assert!(error.to_string().contains("spec.json"), "{error}");
    error.to_string()
}

/// A spec that wants tables, in a folder beside small ones, with openings that these know.
fn with_tables(path: &Path, place: &TempDir) -> PathBuf {
    let mut spec: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    if spec["tables"].is_null() {
        return path.to_path_buf();
    }
    let ruleset = spec["ruleset"].as_str().or(spec["rulesets"][0].as_str()).unwrap().to_owned();
    spec["openings"].as_object_mut().unwrap().remove("balance");
    let copy = place.path().join("specs").join(path.file_name().unwrap());
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    spec["tables"] = json!("../tables");
    fs::write(&copy, spec.to_string()).unwrap();
    let build = ["table", "build", &ruleset, "--geese", "4", "--dir", "tables"];
    Command::cargo_bin("reynard").unwrap().current_dir(place.path()).args(build).assert().success();
    copy
}

#[test]
fn every_example_loads_resolves_and_has_games() {
    let place = TempDir::new().unwrap();
    let (tuning, examples): (Vec<PathBuf>, Vec<PathBuf>) = examples().into_iter().partition(|path| is_for_tuning(path));
    assert!(tuning.len() >= 5 && examples.len() >= 15, "{tuning:?} {examples:?}");
    for path in tuning.iter().map(|path| with_tables(path, &place)) {
        let plan = ResolvedTuneSpec::load(&path, &[], &|_, _| ())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(plan.space.labels().is_empty(), plan.spec.learn.is_some());
    }
    for path in examples.iter().map(|path| with_tables(path, &place)) {
        let loaded = spec::load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let resolved = loaded.resolve().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(resolved.engines.len(), resolved.header.engines.len());
        assert!(!Schedule::of(&resolved.header).unwrap().pairings().is_empty());
        assert!(resolved.rulesets().iter().all(|ruleset| ruleset.fingerprint.is_some() && !ruleset.seats.is_empty()));
    }
}

/// The keys of the objects that a schema allows, at any depth, each with what it is for.
fn keys(schema: &Value) -> Vec<(&str, &str)> {
    let own = schema["properties"].as_object().into_iter().flatten();
    let own = own.map(|(key, schema)| (key.as_str(), schema["description"].as_str().unwrap_or_default()));
    let parts: Vec<&Value> = match schema {
        Value::Object(words) => words.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    own.chain(parts.into_iter().flat_map(keys)).collect()
}

#[test]
fn the_document_names_every_key() {
    let document = fs::read_to_string(folder().join("README.md")).unwrap();
    let mut missing = Vec::new();
    for kind in ["tournament", "tune", "params"] {
        let output = Command::cargo_bin("reynard").unwrap().args(["schema", kind]).output().unwrap();
        let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
        let keys = keys(&schema);
        assert!(keys.len() > 50, "{kind}: {keys:?}");
        for (key, meaning) in keys {
            let names = [format!("| `{key}` |"), format!("| [`{key}`]("), format!("| `\"{key}\": ")];
            let is_row = |line: &&str| names.iter().any(|name| line.starts_with(name)) && line.contains(meaning);
            if !document.lines().any(|line| is_row(&line)) {
                missing.push(format!("{kind}: {key}: {meaning}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn wrong_values_are_named_with_key_and_what_is_allowed() {
    let directory = TempDir::new().unwrap();
    let cases = [
        ("/colour", json!(1), &["unknown field `colour`", "`rulesets`"][..]),
        ("/pairs", json!(0), &["pairs: 0", "1 to"]),
        ("/pairs", json!(null), &["exactly one of `pairs` and `games`"]),
        ("/games", json!(4), &["games", "exactly one"]),
        ("/format", json!("cup"), &["format", "`round-robin`", "`sprt`"]),
        ("/format", json!("swiss"), &["format: `swiss` is gone", "`round-robin`"]),
        ("/format", json!("knockout"), &["format: `knockout` is gone"]),
        ("/format", json!("sprt"), &["sprt: is missing"]),
        ("/rounds", json!(3), &["unknown field `rounds`"]),
        ("/rulesets", json!([]), &["rulesets: 0"]),
        ("/rulesets/1", json!("masters-15"), &["rulesets[1]", "same rules as rulesets[0]"]),
        ("/rulesets/1", json!("nobody"), &["rulesets[1]", "nobody", "bell-13"]),
        ("/rulesets/1", json!({"name": "bell-13", "colour": 1}), &["rulesets[1]", "`colour`", "`set`"]),
        ("/rulesets/1", json!({"name": "bell-13", "set": {"chain": 7}}), &["rulesets[1].set.chain"]),
        ("/rulesets/1", json!({"name": "bell-13", "set": {"chain": null}}), &["rulesets[1].set.chain", "null"]),
        ("/rulesets/1", json!({"name": "sher-bakar", "set": {"piles": {"a1": 2}}}), &["rulesets[1].set.piles", "a1"]),
        ("/rulesets/1", json!({"file": "none.json"}), &["rulesets[1]", "none.json"]),
        ("/rulesets/1", json!({"set": {"chain": false}}), &["rulesets[1]", "exactly one of `name` and `file`"]),
        ("/engines/2", json!({"name": "c"}), &["engines: 3", "exactly 2"]),
        ("/engines/0/name", json!("b"), &["engines[1].name", "engines[0]"]),
        ("/engines/0/name", json!("a\nb"), &["engines[0].name", "line breaks"]),
        ("/engines/0/options", json!({"Hash": 0}), &["engines[0].options.Hash", "from 1 to"]),
        ("/engines/0/options", json!({"Hsah": 1}), &["engines[0].options.Hsah", "known are"]),
        ("/engines/0/options", json!({"Hash": [1]}), &["engines[0].options.Hash", "a number"]),
        ("/engines/0/options", json!({"Hash": 1, "hash": 2}), &["engines[0].options.hash", "twice"]),
        ("/engines/0/options", json!({"Ponder": true}), &["engines[0].options.Ponder", "pondering is off"]),
        ("/engines/0/options", json!({"RuleSwitches": "chain=false"}), &["RuleSwitches", "`rulesets`"]),
        ("/engines/0/as", json!({"hound": {}}), &["engines[0].as.hound", "geese"]),
        ("/engines/0/limits", json!({}), &["engines[0].limits", "nothing bounds"]),
        ("/engines/0/limits", json!({"increment_ms": 5, "nodes": 5}), &["limits.increment_ms", "clock_ms"]),
        ("/engines/0/time_odds", json!(0), &["engines[0].time_odds"]),
        ("/engines/0/options_file", json!("none.json"), &["engines[0].options_file", "none.json"]),
        ("/engines/0/program", json!({"command": "./none"}), &["engines[0].program.command", "none"]),
        ("/engines/0/program", json!({"command": "no-such-program-here"}), &["engines[0].program.command", "path"]),
        ("/limits/nodes", json!("many"), &["limits.nodes", "many"]),
        ("/openings", json!({"kind": "random"}), &["openings", "`plies`"]),
        ("/openings", json!({"kind": "none", "plies": 3}), &["openings", "`plies`", "`random`"]),
        ("/openings", json!({"kind": "file", "path": "none.txt"}), &["openings", "none.txt"]),
        (
            "/openings",
            json!({"kind": "random", "plies": 3, "balance": {"by": "table"}}),
            &["openings.balance", "tables"],
        ),
        ("/adjudication", json!({"table": true}), &["adjudication.table", "`tables`"]),
        ("/adjudication", json!({"table_after_plies": 9}), &["adjudication.table_after_plies", "true"]),
        ("/tables", json!("nowhere"), &["tables", "nowhere", "no such folder"]),
        ("/tables", json!("."), &["tables", "holds no tables of"]),
        ("/max_plies", json!(0), &["max_plies", "1 to"]),
        ("/concurrency", json!(257), &["concurrency", "256"]),
        ("/sprt", json!({"elo0": 0, "elo1": 5}), &["sprt", "only"]),
        ("/supervision", json!({"lines": 0}), &["supervision.lines"]),
    ];
    for (pointer, value, words) in cases {
        let error = refusal(directory.path(), &with(pointer, value.clone()).to_string());
        for word in words {
            assert!(error.contains(word), "{pointer} {value}: '{word}' is missing in: {error}");
        }
    }
}

#[test]
fn errors_in_the_text_have_line_and_key() {
    let directory = TempDir::new().unwrap();
    let text = "{\n  \"rulesets\": [\"masters-15\"],\n  \"engines\": [{\"name\": \"a\", \"limits\": {\"node\": 5}}]\n}";
    let error = refusal(directory.path(), text);
    assert!(error.contains("spec.json:3:") && error.contains("engines[0].limits"), "{error}");
    assert!(refusal(directory.path(), "{").contains("spec.json:1:"));
    assert!(refusal(directory.path(), &format!("{} x", base())).contains("trailing"));
}

#[test]
fn this_program_referees_every_game() {
    let directory = TempDir::new().unwrap();
    for (key, value) in [("referee", json!("engines")), ("cross_check", json!(true))] {
        let mut spec = base();
        spec[key] = value;
        let error = refusal(directory.path(), &spec.to_string());
        assert!(error.contains(&format!("{key}: gone: this program referees every game")), "{error}");
    }
    let program = json!({"command": "x", "translate": {"squares": {"d8": "e1"}}});
    let error = refusal(directory.path(), &with("/engines/1/program", program).to_string());
    assert!(error.contains("engines[1].program.translate: gone: a proxy does it"), "{error}");
    let error = refusal(directory.path(), &with("/rulesets", json!(["chess"])).to_string());
    assert!(error.contains("rulesets[0]") && error.contains("unknown ruleset 'chess'"), "{error}");
}

/// As `reynard tune` wrote it when a spec could name another referee.
const OLD_SPRT: &str = r#"{"name": "tuned", "about": "", "rulesets": ["masters-15"],
    "engines": [{"name": "tuned", "options": {"Hash": 32}}, {"name": "base"}], "format": "sprt", "pairs": 100,
    "sprt": {"elo0": 0.0, "elo1": 5.0}, "openings": {"kind": "random", "plies": 4}, "limits": {"nodes": 100},
    "time_margin_ms": 0, "seed": 1, "max_plies": 400, "adjudication": {"table": false}, "referee": "record",
    "cross_check": false, "on_forfeit": "continue", "supervision": {"start_ms": 10000}, "concurrency": 1}"#;

#[test]
fn a_spec_that_an_earlier_version_wrote_is_read() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("sprt.json");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        spec::load(&path, &[])
    };
    let old = read(OLD_SPRT).unwrap();
    let mut today: Value = serde_json::from_str(OLD_SPRT).unwrap();
    today.as_object_mut().unwrap().retain(|key, _| key != "referee" && key != "cross_check");
    assert_eq!(old, read(&today.to_string()).unwrap());
    assert!(old.resolve().is_ok());
    let error =
        read(&OLD_SPRT.replace("\"Hash\": 32}", "\"Hash\": 32}, \"limits\": {\"node\": 5}")).unwrap_err().to_string();
    assert!(error.contains("sprt.json: engines[0].limits") && error.contains("node"), "{error}");
}

#[test]
fn the_head_holds_what_can_change_a_game_and_nothing_else() {
    let directory = TempDir::new().unwrap();
    let head = |spec: Value| {
        let path = directory.path().join("spec.json");
        fs::write(&path, spec.to_string()).unwrap();
        spec::load(&path, &[]).unwrap().resolve().unwrap().header.played
    };
    let plain = head(base());
    for (key, value) in
        [("about", json!("x")), ("concurrency", json!(9)), ("affinity", json!([0])), ("events", json!(["end"]))]
    {
        assert_eq!(head(with(&format!("/{key}"), value)), plain, "{key}");
    }
    let mut by_games = with("/pairs", json!(null));
    by_games["games"] = json!(4);
    assert_eq!(head(by_games), plain);
    assert_eq!(head(with("/engines/0/limits", json!({"nodes": 100}))), plain);
    for (pointer, value) in [
        ("/seed", json!(2)),
        ("/limits/nodes", json!(101)),
        ("/engines/0/options", json!({"Hash": 17})),
        ("/rulesets/1", json!("bell-13")),
        ("/max_plies", json!(100)),
    ] {
        assert_ne!(head(with(pointer, value)), plain, "{pointer}");
    }
    fs::write(directory.path().join("book.txt"), "moves a4a5\n").unwrap();
    let book = with("/openings", json!({"kind": "file", "path": "book.txt"}));
    let first = head(book.clone());
    fs::write(directory.path().join("book.txt"), "# the same\nmoves a4-a5\n").unwrap();
    assert_eq!(head(book.clone()), first);
    fs::write(directory.path().join("book.txt"), "moves g4g5\n").unwrap();
    assert_ne!(head(book), first);
}

#[test]
fn an_options_file_may_name_the_rules_that_are_played() {
    let directory = TempDir::new().unwrap();
    fs::write(
        directory.path().join("options.json"),
        r#"{"options": {"UCI_Variant": "bell-13", "RuleSwitches": "geese=15", "Hash": 3}}"#,
    )
    .unwrap();
    let mut spec = with("/engines/0/options_file", json!("options.json"));
    let error = refusal(directory.path(), &spec.to_string());
    for words in
        ["engines[0].options_file", "options.json", "it is for bell-13 geese=15, but the tournament plays masters-15"]
    {
        assert!(error.contains(words), "'{words}' is missing in: {error}");
    }
    let path = directory.path().join("spec.json");
    spec["rulesets"] = json!([{"name": "bell-13", "set": {"geese": 15}}]);
    fs::write(&path, spec.to_string()).unwrap();
    let resolved = spec::load(&path, &[]).unwrap().resolve().unwrap();
    assert_eq!(resolved.engines[0].options, [("Hash".to_owned(), "3".to_owned())]);
    // Holes by their numbers, as a rule sheet has them.
    let mut holes = with("/rulesets", json!([{"name": "two-foxes-24", "set": {"fox_start": [9, 10]}}]));
    holes["engines"].as_array_mut().unwrap().iter_mut().for_each(|engine| engine["options"] = json!({}));
    fs::write(&path, holes.to_string()).unwrap();
    assert!(spec::load(&path, &[]).unwrap().resolve().is_ok());
}

#[test]
fn time_odds_multiply_times() {
    let directory = TempDir::new().unwrap();
    let mut spec = with("/limits", json!({"clock_ms": 1000, "increment_ms": 11}));
    spec["engines"][1]["time_odds"] = json!(0.5);
    let path = directory.path().join("spec.json");
    fs::write(&path, spec.to_string()).unwrap();
    let resolved = spec::load(&path, &[]).unwrap().resolve().unwrap();
    let times =
        |engine: usize| (resolved.engines[engine].limits.clock_ms, resolved.engines[engine].limits.increment_ms);
    assert_eq!((times(0), times(1)), ((Some(1000), Some(11)), (Some(500), Some(6))));
}

fn check(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.args(["tournament", "check"]).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn check_shows_what_would_be_played() {
    let first = folder().join("first.json").display().to_string();
    let (code, out, error) = check(&[&first]);
    assert_eq!((code, error.as_str()), (0, ""));
    for words in [
        "games     40",
        "deep: in this process; 20,000 nodes a move",
        "Searcher=alphabeta",
        "deep - shallow",
        "2: moves ",
    ] {
        assert!(out.contains(words), "'{words}' is missing in:\n{out}");
    }
    let (code, out, _) = check(&[&first, "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["games"], &answer["pairings"]), (0, &json!(40), &json!([["deep", "shallow"]])));
}

#[test]
fn the_command_line_changes_a_spec() {
    let first = folder().join("first.json").display().to_string();
    let changes = ["--ruleset", "bell-13", "--set", "pairs=3", "--set", "engines[*].limits={\"depth\": 2}"];
    let (code, out, _) = check(&[&[first.as_str(), "--json"], &changes[..]].concat());
    let answer: Value = serde_json::from_str(&out).unwrap();
    let labels: Vec<&Value> = answer["rulesets"].as_array().unwrap().iter().map(|ruleset| &ruleset["label"]).collect();
    assert_eq!((code, labels, &answer["games"]), (0, vec![&json!("bell-13")], &json!(6)));
    for engine in answer["engines"].as_array().unwrap() {
        assert_eq!((&engine["limits"]["depth"], &engine["limits"]["nodes"]), (&json!(2), &Value::Null));
    }
    for (change, words) in [
        ("--set=limts.nodes=5", "first.json: limts: unknown field"),
        ("--set=pairs=many", "first.json: pairs: invalid type"),
        ("--set=engines[7].name=x", "first.json: engines[7].name: the spec has 2 there"),
        ("--set=pairs", "expected KEY=VALUE"),
        ("--ruleset=chess", "rulesets[0]"),
    ] {
        let (code, out, error) = check(&[&first, change]);
        assert!(code == 2 && out.is_empty() && error.contains(words), "{change}: {error}");
    }
    // A template lacks what the command line gives.
    let place = TempDir::new().unwrap();
    let template = place.path().join("template.json").display().to_string();
    let mut spec = base();
    spec.as_object_mut().unwrap().remove("rulesets");
    fs::write(&template, spec.to_string()).unwrap();
    assert_eq!(check(&[&template, "--ruleset=bell-13"]).0, 0);
    let (code, _, error) = check(&[&template, "--set=seed=2"]);
    assert!(code == 2 && error.contains("missing field `rulesets`"), "{error}");
}

#[test]
fn a_changed_spec_is_another_tournament() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("spec.json"), base().to_string()).unwrap();
    let run = |spec: &str, more: &[&str]| {
        let arguments = ["tournament", "run", spec, "--out", "out", "--quiet"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
        let output = command.current_dir(place.path()).args(arguments).args(more).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let changes = ["--ruleset", "bell-13", "--set", "limits.nodes=20"];
    assert_eq!(run("spec.json", &changes).0, Some(0));
    let (code, error) = run("spec.json", &["--resume"]);
    assert!(code == Some(2) && error.contains("rulesets"), "{error}");
    let (code, error) = run("spec.json", &["--resume", "--ruleset", "bell-13"]);
    assert!(code == Some(2) && error.contains("nodes: 20 there, 100 here"), "{error}");
    assert_eq!(run("spec.json", &[&["--resume"], &changes[..]].concat()).0, Some(0));
    // The directory keeps the spec that was played.
    assert_eq!(run("out/spec.json", &["--resume"]).0, Some(0));
}

/// The specs that a text names, each with the changes of the command there.
fn named_specs(text: &str) -> Vec<(PathBuf, Vec<Change>)> {
    let mut specs = Vec::new();
    let words = text.split_whitespace().map(|word| word.trim_matches(|c| "`'()|,.;:\\".contains(c)));
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let Some((_, name)) = word.split_once("tournaments/").filter(|(_, name)| name.ends_with(".json")) else {
            continue;
        };
        let path = folder().join(name);
        assert!(path.exists(), "{word}");
        let mut changes = Vec::new();
        while let Some(argument) = words.next_if(|word| ["--ruleset", "--set"].contains(word)) {
            let value = words.next().unwrap();
            let change = match argument {
                "--set" => value.to_owned(),
                _ if is_for_tuning(&path) => format!("ruleset={value}"),
                _ => format!("rulesets=[\"{value}\"]"),
            };
            changes.push(change.parse().unwrap());
        }
        specs.push((path, changes));
    }
    specs
}

#[test]
fn the_specs_that_documents_name_exist_and_can_be_changed_so() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut changed = 0;
    for document in ["README.md", "protocol.md", "tournaments/README.md", "tests/bench/README.md"] {
        for (path, changes) in named_specs(&fs::read_to_string(root.join(document)).unwrap()) {
            changed += usize::from(!changes.is_empty());
            if is_for_tuning(&path) {
                TuneSpec::load(&path, &changes).unwrap_or_else(|error| panic!("{document}: {error}"));
            } else if path.parent() != Some(&folder().join("laboratory/tuned")) {
                spec::load(&path, &changes).unwrap_or_else(|error| panic!("{document}: {error}"));
            }
        }
    }
    assert!(changed > 1, "only {changed}");
}

#[test]
fn check_refuses_a_wrong_spec_with_one_error() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("spec.json");
    fs::write(&path, with("/seed", json!(-1)).to_string()).unwrap();
    let (code, out, error) = check(&[path.to_str().unwrap()]);
    assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1));
    assert!(error.contains("seed"), "{error}");
    assert_eq!(check(&["/nowhere/spec.json"]).0, 2);
    let learning = folder().join("laboratory/learn.json").display().to_string();
    let (code, _, error) = check(&[&learning]);
    assert!(code == 2 && error.contains("`reynard tune` takes"), "{error}");
}
