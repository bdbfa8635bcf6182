//! `reynard params`: what a tuner may change.

use std::io::Write;

use clap::Args;
use reynard_engine::session::registry::PARAMETERS;
use serde_json::{Map, Value, json};

use super::exit::Status;
use super::output::number_table;

/// List the parameters of the searchers and of the evaluation.
///
/// Each is an integer option of the engine, which `setoption`, a tournament's `options` and `reynard tune` set.
#[derive(Args)]
pub(super) struct ParamsArgs {
    /// Print JSON for other programs: a list of groups, each with its parameters
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ParamsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    if args.json {
        writeln!(out, "{:#}", json!(PARAMETERS))?;
        return Ok(Status::Done);
    }
    let rows = PARAMETERS.iter().flat_map(|group| {
        group.parameters.iter().map(|parameter| {
            let numbers = [parameter.default, parameter.min, parameter.max].map(|number| number.to_string());
            [vec![parameter.name.to_owned(), group.name.to_owned()], numbers.to_vec()].concat()
        })
    });
    write!(out, "{}", number_table(2, ["parameter", "group", "default", "least", "most"], rows))?;
    Ok(Status::Done)
}

/// A JSON Schema with an alternative for each group: its parameters as keys.
pub(super) fn schema() -> Value {
    let groups = PARAMETERS.map(|group| {
        let keys = group.parameters.iter().map(|parameter| {
            let schema = json!({
                "type": "integer",
                "minimum": parameter.min,
                "maximum": parameter.max,
                "default": parameter.default,
                "description": parameter.about,
            });
            (parameter.name.to_owned(), schema)
        });
        let keys: Map<String, Value> = keys.collect();
        json!({"title": group.name, "description": group.effect, "type": "object", "properties": keys})
    });
    json!({"anyOf": groups})
}
