//! The final table for the terminal.

use comfy_table::{CellAlignment, Table, presets};

use crate::tournament::stats::{Sample, Trinomial};
use crate::tune::meeting::MeetingScore;
use crate::tune::spec::TuneMethod;
use crate::tune::trace::{Trace, TraceRow};

/// Rows of a landscape that are shown, the best ones.
const SHOWN_POINTS: usize = 20;

/// What came out, as text of several lines.
pub(crate) fn table(trace: &Trace) -> String {
    let mut text = format!("{}\n", parameters(trace));
    let total = trace.total();
    if trace.rows.iter().any(|row| row.score().is_some()) {
        text += &format!("\n{}\n", games(trace, &total));
    }
    if trace.method.is_landscape() {
        text += &format!("\n{}\n", points(trace));
        text += &tie(trace).map_or(String::new(), |tie| format!("{tie}\n"));
    }
    if let (Some(first), Some(last)) =
        (trace.rows.first().and_then(TraceRow::losses), trace.rows.last().and_then(TraceRow::losses))
    {
        let line = |name: &str, index: usize| format!("{name} loss: {:.6} -> {:.6}\n", first[index], last[index]);
        text += &format!("\n{}{}", line("training", 0), line("validation", 1));
    }
    trace.remarks.iter().for_each(|remark| text += &format!("{remark}\n"));
    text
}

/// What to think of a best point that has equals.
fn tie(trace: &Trace) -> Option<String> {
    let best = trace.best();
    let rate = best.first()?.score()?.total();
    (best.len() > 1).then(|| {
        format!("A tie: {} points have the best score, {}. The first of them is the result.", best.len(), percent(rate))
    })
}

fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    table
}

fn align_right(table: &mut Table) {
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
}

fn parameters(trace: &Trace) -> Table {
    let mut table = new_table(&["parameter", "start", "tuned", "unrounded", "min", "max"]);
    let present = trace.tuned.clone().or_else(|| trace.present());
    // The last row of a fit has the rounded weights.
    let back = usize::from(trace.method == TuneMethod::Texel);
    let unrounded = trace.rows.iter().rev().nth(back).filter(|_| !trace.method.is_landscape());
    for (index, axis) in trace.space.axes.iter().enumerate() {
        let tuned = present.as_ref().map_or(String::new(), |point| point[index].to_string());
        let exact = unrounded.map_or(String::new(), |row| format!("{:.2}", row.values[index]));
        let ends = [axis.min.to_string(), axis.max.to_string()];
        table.add_row([axis.label(), axis.start.to_string(), tuned, exact, ends[0].clone(), ends[1].clone()]);
    }
    align_right(&mut table);
    table
}

fn games(trace: &Trace, total: &MeetingScore) -> String {
    let count = total.total();
    let sides = total
        .seat_rate()
        .map_or(String::new(), |rate| format!("; as {}, {:.1} % of the points were won", trace.roles[0], 100.0 * rate));
    format!(
        "{} games: {} won, {} drawn, {} lost by the first engine{sides}",
        count.games(),
        count.wins,
        count.draws,
        count.losses
    )
}

/// `61.2 %`
fn percent(count: Trinomial) -> String {
    count.rate().map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}

fn points(trace: &Trace) -> Table {
    let labels = trace.space.labels();
    let as_role = trace.roles.clone().map(|role| format!("as {role}"));
    let names = labels.iter().map(String::as_str).chain(["score", "error"]);
    let mut table = new_table(&names.chain(as_role.iter().map(String::as_str)).collect::<Vec<_>>());
    let rate = |row: &&TraceRow| row.score().and_then(|score| score.total().rate()).unwrap_or(0.0);
    let mut rows: Vec<&TraceRow> = trace.rows.iter().collect();
    rows.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    for (row, score) in rows.iter().filter_map(|row| Some((row, row.score()?))).take(SHOWN_POINTS) {
        let error = score.rate_error().map_or("-".to_owned(), |error| format!("±{:.1}", 100.0 * error));
        let values = row.values.iter().map(f64::to_string);
        let results = [percent(score.total()), error, percent(score.seats[0]), percent(score.seats[1])];
        table.add_row(values.chain(results));
    }
    align_right(&mut table);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::space::{Axis, Space};
    use crate::tune::trace::Measure;

    /// A grid of one parameter with the results of one pair for each of its points.
    fn grid(nets: &[[i64; 2]]) -> Trace {
        let axis = Axis { name: "EvalFoxReach".to_owned(), role: None, start: 10, min: 0, max: 100 };
        let row = |(number, &nets): (usize, &[i64; 2])| {
            let mut score = MeetingScore::default();
            score.add_pair(nets);
            let measure = Measure::Match { first: vec![], second: vec![], score };
            TraceRow { number: number as u64, values: vec![10.0 * number as f64], measure }
        };
        Trace {
            name: String::new(),
            method: TuneMethod::Grid,
            space: Space { axes: vec![axis] },
            roles: ["fox", "geese"].map(str::to_owned),
            rows: nets.iter().enumerate().map(row).collect(),
            expected: 3,
            tuned: None,
            remarks: vec![],
        }
    }

    #[test]
    fn a_tie_is_called_a_tie() {
        let tied = table(&grid(&[[0, 0], [1, 0], [0, 1]]));
        assert!(tied.contains("A tie: 2 points have the best score, 75.0 %. The first of them"), "{tied}");
        let clear = table(&grid(&[[0, 0], [1, 0], [1, 1]]));
        assert!(!clear.contains("tie"), "{clear}");
    }
}
