//! The trace as one page without any network use.

use super::chart::{Chart, Marks, Series, escape};
use super::text::table;
use crate::tune::outcome::{Measure, Row, Trace};

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1000px;padding:0 1em;color:#222;background:#fff}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:1em}
svg{width:100%;border:1px solid #ddd;border-radius:4px}
svg text{font:10px system-ui,sans-serif;fill:#555}svg text.title{font-size:12px;font-weight:600;fill:#222}
.axis{stroke:#999}.level{stroke:#c60;stroke-dasharray:4 3}svg text.note{fill:#c60}
polyline{fill:none;stroke:#06c;stroke-width:1.4}polyline.second{stroke:#2a2}
circle{fill:#06c}.bar{stroke:#9bd}
pre{overflow-x:auto;background:#f6f6f6;padding:1em;border-radius:4px}
@media (prefers-color-scheme:dark){body{background:#181a1c;color:#ddd}svg{border-color:#444}svg text{fill:#aaa}
svg text.title{fill:#eee}pre{background:#222}polyline{stroke:#6ae}polyline.second{stroke:#6c6}circle{fill:#6ae}
.bar{stroke:#357}.level{stroke:#e93}svg text.note{fill:#e93}}";

/// The whole page.
pub(super) fn page(trace: &Trace) -> String {
    let name = if trace.name.is_empty() { "Tuning" } else { &trace.name };
    let title = escape(&format!("{name}: {}", trace.method.name()));
    let charts: String = charts(trace).iter().map(Chart::svg).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>\n{STYLE}\n</style></head><body>\n\
         <h1>{title}</h1>\n<p>{}</p>\n<pre>{}</pre>\n<div class=\"charts\">\n{charts}</div>\n</body></html>\n",
        escape(&progress(trace)),
        escape(&table(trace)),
    )
}

fn progress(trace: &Trace) -> String {
    let rows = trace.rows.len();
    match trace.method.row_name() {
        name if trace.expected > 0 && trace.tuned.is_none() => {
            format!("{rows} of {} {name}, not finished.", trace.expected)
        }
        name => format!("{rows} {name}."),
    }
}

fn charts(trace: &Trace) -> Vec<Chart> {
    let parameters = 0..trace.space.axes.len();
    match trace.method.is_landscape() {
        true => parameters.map(|index| scatter(trace, index)).collect(),
        false => parameters.map(|index| course(trace, index)).chain(measures(trace)).collect(),
    }
}

/// A parameter over the iterations.
fn course(trace: &Trace, index: usize) -> Chart {
    let axis = &trace.space.axes[index];
    let start = axis.start as f64;
    let begin = (trace.rows.first().map(|row| row.number) == Some(1)).then_some([0.0, start, 0.0]);
    let points = trace.rows.iter().map(|row| [row.number as f64, row.values[index], 0.0]);
    let series = vec![Series { marks: Marks::Line, points: begin.into_iter().chain(points).collect(), class: "line" }];
    let horizontal = trace.method.row_name().to_owned();
    Chart { title: axis.label(), horizontal, series, level: Some((start, format!("start {start}"))) }
}

/// The scores of a landscape over one parameter.
fn scatter(trace: &Trace, index: usize) -> Chart {
    let label = trace.space.axes[index].label();
    let dot = |row: &Row| {
        let score = row.score()?;
        Some([row.values[index], 100.0 * score.total().rate()?, 100.0 * score.rate_error().unwrap_or(0.0)])
    };
    let points = trace.rows.iter().filter_map(dot).collect();
    let series = vec![Series { marks: Marks::Dots, points, class: "dot" }];
    let level = Some((50.0, "start".to_owned()));
    Chart { title: format!("score in % over {label}"), horizontal: label, series, level }
}

/// What was measured, over the iterations.
fn measures(trace: &Trace) -> Vec<Chart> {
    let horizontal = trace.method.row_name().to_owned();
    let chart = |title: String, lines: Vec<Vec<[f64; 3]>>, level| {
        let classes = ["line", "second"];
        let series = lines.into_iter().zip(classes).map(|(points, class)| Series { marks: Marks::Line, points, class });
        Chart { title, horizontal: horizontal.clone(), series: series.collect(), level }
    };
    match trace.rows.first().map(|row| &row.measure) {
        None => Vec::new(),
        Some(Measure::Losses { .. }) => {
            vec![chart("loss in training (blue) and validation (green)".into(), losses(trace), None)]
        }
        Some(Measure::Match { .. }) => {
            let half = || Some((50.0, "50 %".to_owned()));
            let [net, score, side] = running(trace);
            let side_title = format!("points won as {} so far, %", trace.roles[0]);
            vec![
                chart("net wins of plus against minus so far".into(), vec![net], Some((0.0, String::new()))),
                chart("score of plus against minus so far, %".into(), vec![score], half()),
                chart(side_title, vec![side], half()),
            ]
        }
    }
}

fn losses(trace: &Trace) -> Vec<Vec<[f64; 3]>> {
    let line = |pick: fn(f64, f64) -> f64| {
        let point = |row: &Row| match row.measure {
            Measure::Losses { train, validation } => Some([row.number as f64, pick(train, validation), 0.0]),
            Measure::Match { .. } => None,
        };
        trace.rows.iter().filter_map(point).collect()
    };
    vec![line(|train, _| train), line(|_, validation| validation)]
}

/// Net wins, score, and share of the first seat, of all games up to each iteration.
fn running(trace: &Trace) -> [Vec<[f64; 3]>; 3] {
    let mut lines = [Vec::new(), Vec::new(), Vec::new()];
    let mut sum = super::super::objective::MeetingScore::default();
    for (row, score) in trace.rows.iter().filter_map(|row| Some((row, row.score()?))) {
        sum.add(score);
        let rates = [Some(sum.net() as f64), sum.total().rate().map(in_percent), sum.seat_rate().map(in_percent)];
        for (line, value) in lines.iter_mut().zip(rates) {
            line.extend(value.map(|value| [row.number as f64, value, 0.0]));
        }
    }
    lines
}

fn in_percent(rate: f64) -> f64 {
    100.0 * rate
}
