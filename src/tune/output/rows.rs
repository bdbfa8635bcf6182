//! The trace as data: one JSON object or one CSV line for every row.

use serde_json::{Map, Value, json};

use crate::tune::outcome::{Measure, Row, Trace};

/// `{"number":1,"values":{NAME:...},"first":{...},"second":{...},"wins":..,"draws":..,"losses":..,"score":..}`
pub(super) fn jsonl(trace: &Trace) -> String {
    let labels = trace.space.labels();
    trace.rows.iter().map(|row| format!("{}\n", object(&labels, row))).collect()
}

fn object(labels: &[String], row: &Row) -> Value {
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
            let seat = |count: &super::super::objective::Count| json!([count.wins, count.draws, count.losses]);
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
pub(super) fn csv(trace: &Trace) -> String {
    let measures = match trace.rows.first().map(|row| &row.measure) {
        Some(Measure::Losses { .. }) => "train_loss,validation_loss",
        _ => "wins,draws,losses,score,score_error",
    };
    let mut text = format!("number,{},{measures}\n", trace.space.labels().join(","));
    for row in &trace.rows {
        let values: Vec<String> = row.values.iter().map(f64::to_string).collect();
        text += &format!("{},{},{}\n", row.number, values.join(","), measured(&row.measure));
    }
    text
}

fn measured(measure: &Measure) -> String {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    match measure {
        Measure::Losses { train, validation } => format!("{train},{validation}"),
        Measure::Match { score, .. } => {
            let total = score.total();
            let (rate, error) = (number(total.rate()), number(score.rate_error()));
            format!("{},{},{},{rate},{error}", total.wins, total.draws, total.losses)
        }
    }
}
