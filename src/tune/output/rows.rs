//! The trace as data: one JSON object or one CSV line for every row.

use std::io;

use serde_json::{Map, Value, json};

use crate::tournament::report::write_csv_row;
use crate::tune::trace::{Measure, Trace, TraceRow};

/// `{"number":1,"values":{NAME:...},"first":{...},"second":{...},"wins":..,"draws":..,"losses":..,"score":..}`
pub(super) fn jsonl(trace: &Trace) -> String {
    let labels = trace.space.labels();
    trace.rows.iter().map(|row| format!("{}\n", object(&labels, row))).collect()
}

fn object(labels: &[String], row: &TraceRow) -> Value {
    let mut object =
        json!({"number": row.number, "values": named(labels, row.values.iter().map(|&value| json!(value)))});
    match &row.measure {
        Measure::Match { first, second, score } => {
            object["first"] = named(labels, first.iter().map(|&value| json!(value)));
            object["second"] = named(labels, second.iter().map(|&value| json!(value)));
            let total = score.total();
            object["wins"] = json!(total.wins);
            object["draws"] = json!(total.draws);
            object["losses"] = json!(total.losses);
            object["score"] = json!(total.rate());
            object["score_error"] = json!(score.rate_error());
            object["pairs"] = json!(score.pairs);
            let seat = |count: &crate::tournament::stats::Trinomial| json!([count.wins, count.draws, count.losses]);
            object["seats"] = Value::Array(score.seats.iter().map(seat).collect());
        }
        Measure::Losses { train, validation } => {
            object["train_loss"] = json!(train);
            object["validation_loss"] = json!(validation);
        }
    }
    object
}

fn named(labels: &[String], values: impl Iterator<Item = Value>) -> Value {
    Value::Object(labels.iter().cloned().zip(values).collect::<Map<String, Value>>())
}

/// One line for every row under a line of names.
///
/// # Errors
/// The output refuses.
pub(super) fn csv(trace: &Trace) -> io::Result<String> {
    let measures: &[&str] = match trace.rows.first().map(|row| &row.measure) {
        Some(Measure::Losses { .. }) => &["train_loss", "validation_loss"],
        _ => &["wins", "draws", "losses", "score", "score_error"],
    };
    let measures = measures.iter().map(|&name| name.to_owned());
    let mut text = Vec::new();
    write_csv_row(["number".to_owned()].into_iter().chain(trace.space.labels()).chain(measures), &mut text)?;
    for row in &trace.rows {
        let values = row.values.iter().map(f64::to_string);
        write_csv_row([row.number.to_string()].into_iter().chain(values).chain(measured(&row.measure)), &mut text)?;
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn measured(measure: &Measure) -> Vec<String> {
    match measure {
        Measure::Losses { train, validation } => vec![train.to_string(), validation.to_string()],
        Measure::Match { score, .. } => {
            let total = score.total();
            let rates =
                [total.rate(), score.rate_error()].map(|rate| rate.map_or(String::new(), |rate| rate.to_string()));
            [total.wins, total.draws, total.losses].map(|count| count.to_string()).into_iter().chain(rates).collect()
        }
    }
}
