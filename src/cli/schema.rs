//! `reynard schema`: JSON Schemas of the files that people write, for editors that check and complete, and the tables
//! of keys in their READMEs.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use reynard_engine::files;
use reynard_engine::rules::ruleset::schema;
use reynard_engine::session::registry;
use serde_json::{Value, json};

use super::exit::Status;
use super::params;
use crate::tournament::TournamentSpec;
use crate::tune::TuneSpec;

/// Print the JSON Schema (draft 2020-12) of a kind of file, by which editors complete keys and check values.
///
/// For a spec of a tournament: reynard schema tournament --out tournament.schema.json, and in the spec the key
/// "$schema": "tournament.schema.json"
#[derive(Args)]
pub(super) struct SchemaArgs {
    /// The kind of file
    #[arg(required_unless_present = "tables")]
    kind: Option<Kind>,
    /// Write the schema into a file, not to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Make the tables of keys in a Markdown file anew
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["kind", "out"])]
    tables: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// The spec of a tournament
    Tournament,
    /// The spec of a tuning run
    Tune,
    /// The rules of a game
    Ruleset,
    /// The parameters of the searchers and of the evaluation
    Params,
}

impl Kind {
    fn schema(self) -> Value {
        with_short_numbers(match self {
            Kind::Tournament => json!(schema::of::<TournamentSpec>()),
            Kind::Tune => json!(schema::of::<TuneSpec>()),
            Kind::Ruleset => registry::ruleset_schema(),
            Kind::Params => params::schema(),
        })
    }
}

/// The schema with numbers as people write them: 0.1, not the nearest single-precision number, and 80, not 80.0.
fn with_short_numbers(schema: Value) -> Value {
    match schema {
        Value::Number(number) if number.is_f64() => {
            let double = number.as_f64().unwrap_or_default();
            let single = double as f32;
            let text = if f64::from(single) == double { single.to_string() } else { double.to_string() };
            serde_json::from_str(&text).unwrap_or(Value::Number(number))
        }
        Value::Object(keys) => keys.into_iter().map(|(key, value)| (key, with_short_numbers(value))).collect(),
        Value::Array(items) => items.into_iter().map(with_short_numbers).collect(),
        other => other,
    }
}

pub(super) fn run(args: &SchemaArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let write = |path: &PathBuf, text: &str| {
        files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(path) = &args.tables {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        write(path, &with_tables(&text)?)?;
    }
    let Some(kind) = args.kind else { return Ok(Status::Done) };
    let text = format!("{:#}\n", kind.schema());
    match &args.out {
        Some(path) => write(path, &text)?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(Status::Done)
}

const BEGIN: &str = "<!-- keys: ";

/// A Markdown text with the tables behind its markers made anew. A marker such as `<!-- keys: tune.learn.targets -->` says
/// whose keys.
fn with_tables(text: &str) -> anyhow::Result<String> {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, path, after)) = marker(rest) {
        let table = table(path, text).with_context(|| format!("there are no keys {path}"))?;
        made += &format!("{before}{BEGIN}{path} -->\n{table}");
        rest = after.strip_prefix('\n').unwrap_or(after);
        while let Some((_, behind)) = rest.split_once('\n').filter(|(line, _)| line.starts_with('|')) {
            rest = behind;
        }
    }
    Ok(made + rest)
}

/// The text before the next marker, its path, and the text behind it.
fn marker(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once(BEGIN)?;
    let (path, after) = after.split_once(" -->")?;
    Some((before, path, after))
}

/// The keys at a path, a row each; `page` is the text that the table is for.
fn table(path: &str, page: &str) -> Option<String> {
    let mut steps = path.split('.');
    let root = Kind::from_str(steps.next()?, true).ok()?.schema();
    let place = steps.try_fold(&root, inside)?;
    let mut rows = String::from("| key | value | default | meaning |\n|---|---|---|---|\n");
    for object in objects(place) {
        let required = object["required"].as_array().map_or(&[][..], Vec::as_slice);
        for (key, schema) in object["properties"].as_object()? {
            let is_needed = required.iter().any(|needed| needed == key);
            if let (Some(kind), true) = (schema.get("const"), is_needed) {
                rows += &format!("| `\"{key}\": {kind}` | | | {} |\n", text(object, "description"));
                continue;
            }
            // What the families of games have in common has a table of its own.
            let is_common = objects(&root).iter().all(|other| other["properties"].get(key).is_some());
            if objects(&root).len() > 1 && is_common != (place == &root) {
                continue;
            }
            let name =
                anchor(page, &format!("{path}.{key}")).map_or(format!("`{key}`"), |it| format!("[`{key}`]({it})"));
            let default = if is_needed { "needed".to_owned() } else { default(schema) };
            let values = if place == &root && schema.get("const").is_some() {
                let families = objects(place).into_iter().map(|object| code(&object["properties"][key]["const"]));
                families.collect::<Vec<_>>().join(", ")
            } else {
                values(schema)
            };
            rows += &format!("| {name} | {values} | {default} | {} |\n", meaning(schema));
        }
        if place == &root {
            break;
        }
    }
    Some(rows)
}

/// The schema of a key, or of the alternative of this title.
fn inside<'a>(schema: &'a Value, step: &str) -> Option<&'a Value> {
    let found = |object: &&'a Value| object["title"] == step || object["properties"].get(step).is_some();
    let object = objects(schema).into_iter().find(found)?;
    Some(object["properties"].get(step).unwrap_or(object))
}

/// The schemas of objects that a schema, or the items of its list, allows.
fn objects(schema: &Value) -> Vec<&Value> {
    if schema.get("properties").is_some() {
        return vec![schema];
    }
    alternatives(schema).chain(schema.get("items")).flat_map(objects).collect()
}

/// The link to the heading below which a page has the keys of a path.
fn anchor(page: &str, path: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("{BEGIN}{path} -->"))?;
    let heading = before.lines().rfind(|line| line.starts_with('#'))?.trim_start_matches(['#', ' ']).to_lowercase();
    let is_kept = |letter: &char| letter.is_alphanumeric() || "-_ ".contains(*letter);
    Some(format!("#{}", heading.chars().filter(is_kept).collect::<String>().replace(' ', "-")))
}

fn text<'a>(schema: &'a Value, word: &str) -> &'a str {
    schema[word].as_str().unwrap_or_default()
}

fn default(schema: &Value) -> String {
    match schema.get("default") {
        Some(Value::Object(keys)) if keys.len() > 1 => String::new(),
        Some(value) => code(value),
        None => String::new(),
    }
}

/// The values that a key may have.
fn values(schema: &Value) -> String {
    if let Some(words) = words(schema) {
        // The names of all rulesets, for example, have no room in a table.
        return if words.split(", ").count() > 9 { "text".to_owned() } else { words };
    }
    match kind(schema) {
        "string" => "text".to_owned(),
        "boolean" => "true, false".to_owned(),
        "array" => {
            let count = schema["maxItems"].as_u64().map_or(String::new(), |most| match &schema["minItems"] {
                least if *least == most => format!("{most} "),
                least => format!("{least} to {most} "),
            });
            let items = values(&schema["items"]);
            let items = if count.is_empty() { items } else { items.replacen("integer", "integers", 1) };
            format!("list of {count}{items}")
        }
        kind @ ("integer" | "number") => {
            let is_bound = |word: &&str| schema.get(word).is_some();
            let bounded = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].iter().any(is_bound);
            let range = if bounded { schema::range(schema) } else { kind.to_owned() };
            range.trim_start_matches("an ").trim_start_matches("a ").to_owned()
        }
        "null" => String::new(),
        "" => {
            let mut kinds: Vec<String> = alternatives(schema).map(values).filter(|kind| !kind.is_empty()).collect();
            kinds.dedup();
            kinds.join(", ")
        }
        kind => kind.to_owned(),
    }
}

/// The type of a value, if it is not null.
fn kind(schema: &Value) -> &str {
    schema["type"].as_str().or(schema["type"][0].as_str()).unwrap_or_default()
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array()).flatten()
}

/// The words that are allowed.
fn words(schema: &Value) -> Option<String> {
    let only = schema.get("const").map(std::slice::from_ref);
    let words = only.or(schema["enum"].as_array().map(Vec::as_slice))?;
    Some(words.iter().filter(|word| !word.is_null()).map(code).collect::<Vec<_>>().join(", "))
}

fn code(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() => format!("`{text}`"),
        value => format!("`{}`", value.to_string().replace(',', ", ").replace(':', ": ")),
    }
}

/// What a key is for, and what its words mean.
fn meaning(schema: &Value) -> String {
    let described = |way: &&Value| way.get("const").is_some() && way.get("description").is_some();
    let words = alternatives(schema.get("items").unwrap_or(schema)).filter(described);
    let words = words.map(|way| format!(" {}: {}", code(&way["const"]), text(way, "description")));
    format!("{}{}", text(schema, "description"), words.collect::<String>())
}
