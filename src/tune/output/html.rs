//! The trace as one page without any network use.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::text::table;
use crate::svg::{self, Plot};
use crate::tune::meeting::MeetingScore;
use crate::tune::trace::{Measure, Trace, TraceRow};

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1000px;padding:0 1em}
body{color:var(--ink);background:var(--paper)}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:1em}
pre{overflow-x:auto;background:var(--panel);padding:1em;border-radius:4px}";

/// The whole page.
pub(super) fn page(trace: &Trace) -> String {
    let name = if trace.name.is_empty() { "Tuning" } else { &trace.name };
    let title = format!("{name}: {}", trace.method.name());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (title) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                style { (PreEscaped(svg::STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p { (progress(trace)) }
                pre { (table(trace)) }
                div class="charts" { @for chart in charts(trace) { (chart) } }
            }
        }
    };
    page.0
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

fn charts(trace: &Trace) -> Vec<Markup> {
    let parameters = 0..trace.space.axes.len();
    match trace.method.is_landscape() {
        true => parameters.map(|index| scatter(trace, index)).collect(),
        false => parameters.map(|index| course(trace, index)).chain(measures(trace)).collect(),
    }
}

/// A curve over the rows of a trace, with a line for comparison.
fn curve(trace: &Trace, caption: &str, points: &[[f64; 2]], level: f64, level_name: &str) -> Markup {
    let values = points.iter().map(|point| point[1]).chain([level]);
    let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), trace.method.row_name(), values);
    plot.level(level, level_name);
    plot.curve("curve", points);
    plot.figure(caption)
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::MAX, f64::MIN], |[low, high], value| [low.min(value), high.max(value)])
}

/// A parameter over the iterations.
fn course(trace: &Trace, index: usize) -> Markup {
    let axis = &trace.space.axes[index];
    let start = axis.start as f64;
    let begin = (trace.rows.first().map(|row| row.number) == Some(1)).then_some([0.0, start]);
    let points = begin.into_iter().chain(trace.rows.iter().map(|row| [row.number as f64, row.values[index]]));
    curve(trace, &axis.label(), &points.collect::<Vec<_>>(), start, &format!("start {start}"))
}

/// The scores of a landscape over one parameter.
fn scatter(trace: &Trace, index: usize) -> Markup {
    let label = trace.space.axes[index].label();
    let dot = |row: &TraceRow| {
        let score = row.score()?;
        Some([row.values[index], 100.0 * score.total().rate()?, 100.0 * score.rate_error().unwrap_or(0.0)])
    };
    let points: Vec<[f64; 3]> = trace.rows.iter().filter_map(dot).collect();
    let heights = points.iter().flat_map(|[_, score, error]| [score - error, score + error]);
    let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), &label, heights.chain([50.0]));
    plot.level(50.0, "start");
    plot.dots(&points);
    plot.figure(&format!("score in % over {label}"))
}

/// What was measured, over the iterations.
fn measures(trace: &Trace) -> Vec<Markup> {
    match trace.rows.first().map(|row| &row.measure) {
        None => Vec::new(),
        Some(Measure::Losses { .. }) => vec![losses(trace)],
        Some(Measure::Match { .. }) => {
            let [net, score, side] = running(trace);
            let side_title = format!("points won as {} so far, %", trace.roles[0]);
            vec![
                curve(trace, "net wins of plus against minus so far", &net, 0.0, ""),
                curve(trace, "score of plus against minus so far, %", &score, 50.0, "50 %"),
                curve(trace, &side_title, &side, 50.0, "50 %"),
            ]
        }
    }
}

fn losses(trace: &Trace) -> Markup {
    let point = |row: &TraceRow| row.losses().map(|[train, validation]| [row.number as f64, train, validation]);
    let points: Vec<[f64; 3]> = trace.rows.iter().filter_map(point).collect();
    let values = points.iter().flat_map(|&[_, train, validation]| [train, validation]);
    let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), trace.method.row_name(), values);
    for (class, column) in [("curve", 1), ("curve second", 2)] {
        plot.curve(class, &points.iter().map(|point| [point[0], point[column]]).collect::<Vec<_>>());
    }
    plot.figure("loss in training (strong) and validation (pale)")
}

/// Net wins, score, and share of the first seat, of all games up to each iteration.
fn running(trace: &Trace) -> [Vec<[f64; 2]>; 3] {
    let mut lines = [Vec::new(), Vec::new(), Vec::new()];
    let mut sum = MeetingScore::default();
    for (row, score) in trace.rows.iter().filter_map(|row| Some((row, row.score()?))) {
        sum.add(score);
        let percent = |rate: Option<f64>| rate.map(|rate| 100.0 * rate);
        let rates = [Some(sum.net() as f64), percent(sum.total().rate()), percent(sum.seat_rate())];
        for (line, value) in lines.iter_mut().zip(rates) {
            line.extend(value.map(|value| [row.number as f64, value]));
        }
    }
    lines
}
