//! What came out, for the terminal and for the page.

use comfy_table::CellAlignment;

use crate::tournament::report::{TextTable, wrapped};
use crate::tournament::stats::{Sample, Trinomial};
use crate::tune::trace::{Trace, TraceRow};

/// Rows of a landscape that are shown, the best ones.
const SHOWN_POINTS: usize = 20;

/// What came out, as text of several lines; at most so many columns wide where words and the cells of tables allow it.
pub(crate) fn table(trace: &Trace, columns: usize) -> String {
    let [parameters, points] = [parameters(trace), points(trace)]
        .map(|table| table.map_or(String::new(), |table| format!("{}\n\n", table.markdown(columns))));
    let games = games(trace).map_or(String::new(), |games| wrapped(&games, columns) + "\n");
    let notes: String = notes(trace).iter().map(|note| wrapped(note, columns)).collect();
    // A tie is said of the points, right below them.
    let points = if tie(trace).is_some() { points.trim_end().to_owned() + "\n" } else { points };
    format!("{parameters}{games}{points}{notes}")
}

/// The tables of a trace.
pub(super) fn tables(trace: &Trace) -> Vec<TextTable> {
    [parameters(trace), points(trace)].into_iter().flatten().collect()
}

/// What there is to say besides.
pub(super) fn notes(trace: &Trace) -> Vec<String> {
    let losses = trace.rows.first().and_then(TraceRow::losses).zip(trace.rows.last().and_then(TraceRow::losses));
    let loss = |(first, last): ([f64; 2], [f64; 2])| {
        ["training", "validation"]
            .into_iter()
            .enumerate()
            .map(move |(index, name)| format!("{name} loss: {:.6} -> {:.6}", first[index], last[index]))
    };
    tie(trace).into_iter().chain(losses.into_iter().flat_map(loss)).chain(trace.remarks.iter().cloned()).collect()
}

/// What to think of a best point that has equals.
fn tie(trace: &Trace) -> Option<String> {
    if !trace.method.is_landscape() {
        return None;
    }
    let best = trace.best();
    let rate = best.first()?.score()?.total();
    (best.len() > 1).then(|| {
        format!("A tie: {} points have the best score, {}. The first of them is the result.", best.len(), percent(rate))
    })
}

/// The parameters, where there are any: learned weights are none.
fn parameters(trace: &Trace) -> Option<TextTable> {
    if trace.space.axes.is_empty() {
        return None;
    }
    let present = trace.tuned.clone().or_else(|| trace.present());
    let unrounded = trace.rows.last().filter(|_| !trace.method.is_landscape());
    let mut table = TextTable::new("Parameters", &["<parameter", "start", "tuned", "unrounded", "min", "max"]);
    for (index, axis) in trace.space.axes.iter().enumerate() {
        let tuned = present.as_ref().map_or(String::new(), |point| point[index].to_string());
        let exact = unrounded.map_or(String::new(), |row| format!("{:.2}", row.values[index]));
        let [start, min, max] = [axis.start, axis.min, axis.max].map(|value| value.to_string());
        table.rows.push(vec![axis.label(), start, tuned, exact, min, max]);
    }
    Some(table)
}

/// All games together, where there were any.
pub(super) fn games(trace: &Trace) -> Option<String> {
    trace.rows.iter().find(|row| row.score().is_some())?;
    let total = trace.total();
    let count = total.total();
    let sides = total
        .seat_rate()
        .map_or(String::new(), |rate| format!("; as {}, {:.1} % of the points were won", trace.roles[0], 100.0 * rate));
    let (games, wins, draws, losses) = (count.games(), count.wins, count.draws, count.losses);
    Some(format!("{games} games: {wins} won, {draws} drawn, {losses} lost by the first engine{sides}"))
}

/// `61.2 %`
fn percent(count: Trinomial) -> String {
    count.rate().map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// The best points of a landscape.
fn points(trace: &Trace) -> Option<TextTable> {
    let labels = trace.space.labels();
    let as_role = trace.roles.clone().map(|role| format!("as {role}"));
    let heads = labels.iter().map(String::as_str).chain(["score", "error"]).chain(as_role.iter().map(String::as_str));
    let mut table = TextTable::new("Points", &heads.collect::<Vec<_>>());
    table.names = Some(labels.len());
    table.columns[0].alignment = CellAlignment::Left;
    let rate = |row: &&TraceRow| row.score().and_then(|score| score.total().rate()).unwrap_or(0.0);
    let mut rows: Vec<&TraceRow> = trace.rows.iter().collect();
    rows.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    for (row, score) in rows.iter().filter_map(|row| Some((row, row.score()?))).take(SHOWN_POINTS) {
        let error = score.rate_error().map_or("-".to_owned(), |error| format!("±{:.1}", 100.0 * error));
        let values = row.values.iter().map(f64::to_string);
        let results = [percent(score.total()), error, percent(score.seats[0]), percent(score.seats[1])];
        table.rows.push(values.chain(results).collect());
    }
    trace.method.is_landscape().then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::meeting::MeetingScore;
    use crate::tune::space::{Axis, Space};
    use crate::tune::spec::TuneMethod;
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
        let tied = table(&grid(&[[0, 0], [1, 0], [0, 1]]), 80);
        assert!(tied.contains("A tie: 2 points have the best score, 75.0 %. The first of them"), "{tied}");
        let clear = table(&grid(&[[0, 0], [1, 0], [1, 1]]), 80);
        assert!(!clear.contains("tie"), "{clear}");
    }
}
