//! The trace of a tuning run, the same for every method: in memory, and as JSON with a line for every row.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::final_match::Verdict;
use super::games::PairedScore;
use super::resolved::ResolvedTuneSpec;
use super::space::{ParameterPoint, Space};
use super::spec::TuneMethod;
use crate::tournament::stats::Trinomial;

/// The trace of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Trace {
    pub name: String,
    pub method: TuneMethod,
    pub space: Space,
    /// What the ruleset calls seat 0 and seat 1.
    #[serde(alias = "roles")]
    pub sides: [String; 2],
    pub rows: Vec<TraceRow>,
    /// How many rows there will be.
    pub expected: u64,
    /// What the search found, and what is known of it; `None` before the end of the run.
    pub end: Option<(ParameterPoint, Verdict)>,
    /// What people should know about the result, one sentence each.
    pub remarks: Vec<String>,
    /// On which its first game began, UTC: `2026-11-28`.
    #[serde(default)]
    pub day: Option<String>,
    /// How many games the journal will have, and at the end has; unknown where others may decide.
    #[serde(default)]
    pub games: Option<u64>,
}

/// One iteration, point or epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct TraceRow {
    /// Iterations and epochs count from 1, points from 0.
    pub number: u64,
    /// Where the parameters stand after it.
    pub values: Vec<f64>,
    /// How far they would have wandered by chance alone, one standard deviation; empty but for SPSA.
    pub noise: Vec<f64>,
    pub measure: Measure,
}

/// How good values proved to be.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Measure {
    /// The first point met the second.
    Match { first: ParameterPoint, second: ParameterPoint, score: PairedScore },
    /// Cross-entropy in nats a position.
    Losses { train: f64, validation: f64 },
}

/// The way of a parameter of SPSA, compared with what chance alone would do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Drift {
    /// From the start to the last row.
    pub moved: f64,
    /// One standard deviation of a walk by chance alone.
    pub noise: f64,
}

/// Within so many standard deviations chance alone leaves a parameter in 95 % of runs: as wide is the noise that people
/// are shown.
pub(crate) const NOISE_WIDTH: f64 = 2.0;

impl Drift {
    /// How far chance alone moves the parameter at most, in 95 % of runs.
    pub(crate) fn reach(self) -> f64 {
        NOISE_WIDTH * self.noise
    }

    /// Whether chance alone would hardly have moved the parameter so far.
    pub(crate) fn is_evident(self) -> bool {
        self.noise > 0.0 && self.moved.abs() >= self.reach()
    }
}

impl TraceRow {
    /// The losses of a fit in training and validation; `None` for games.
    pub(crate) fn losses(&self) -> Option<[f64; 2]> {
        match self.measure {
            Measure::Losses { train, validation } => Some([train, validation]),
            Measure::Match { .. } => None,
        }
    }

    /// The result of the games; `None` for a fit.
    pub(crate) fn score(&self) -> Option<&PairedScore> {
        match &self.measure {
            Measure::Match { score, .. } => Some(score),
            Measure::Losses { .. } => None,
        }
    }

    /// `{"number":1,"values":{NAME:...},"first":{...},"second":{...},"wins":..,"draws":..,"losses":..}` and more.
    fn json(&self, labels: &[String]) -> Value {
        let mut object = json!({"number": self.number, "values": named(labels, &self.values)});
        if !self.noise.is_empty() {
            object["noise"] = named(labels, &self.noise);
        }
        match &self.measure {
            Measure::Match { first, second, score } => {
                object["first"] = named(labels, first);
                object["second"] = named(labels, second);
                let total = score.total();
                object["wins"] = json!(total.wins);
                object["draws"] = json!(total.draws);
                object["losses"] = json!(total.losses);
                // Who won between two perturbations of random signs says nothing about the values.
                if self.noise.is_empty() {
                    object["score"] = json!(total.rate());
                    object["score_error"] = json!(score.rate_error());
                }
                object["drawn"] = json!(score.drawn());
                object["pairs"] = json!(score.pairs);
                let seat = |count: &Trinomial| json!([count.wins, count.draws, count.losses]);
                object["seats"] = Value::Array(score.seats.iter().map(seat).collect());
            }
            Measure::Losses { train, validation } => {
                object["train_loss"] = json!(train);
                object["validation_loss"] = json!(validation);
            }
        }
        object
    }
}

fn named<T: Copy + Into<Value>>(labels: &[String], values: &[T]) -> Value {
    Value::Object(labels.iter().cloned().zip(values.iter().map(|&value| value.into())).collect::<Map<String, Value>>())
}

impl Trace {
    /// The trace of a run that has not begun.
    pub(crate) fn new(resolved: &ResolvedTuneSpec) -> Self {
        Trace {
            name: resolved.spec.name.clone(),
            method: resolved.spec.method,
            space: resolved.space.clone(),
            sides: resolved.tournament.header.rulesets[0].seats.each_ref().map(|seat| seat.name.clone()),
            rows: Vec::new(),
            expected: resolved.rows(),
            end: None,
            remarks: Vec::new(),
            day: None,
            games: (resolved.spec.method != TuneMethod::Learn).then(|| resolved.games()),
        }
    }

    /// Whether the search goes on.
    pub(super) fn is_open(&self) -> bool {
        self.end.is_none() && (self.rows.len() as u64) < self.expected
    }

    /// Whether every point has a value for each parameter, and each parameter a range.
    #[cfg(feature = "gui")]
    pub(super) fn is_sound(&self) -> bool {
        let axes = &self.space.axes;
        let found = self.end.as_ref().map_or(axes.len(), |(found, _)| found.len());
        let has_all = |row: &TraceRow| row.values.len() == axes.len();
        axes.iter().all(|axis| axis.min <= axis.max) && found == axes.len() && self.rows.iter().all(has_all)
    }

    /// All games of the search, from the point of view of the first engine.
    pub(crate) fn total(&self) -> PairedScore {
        let mut total = PairedScore::default();
        self.rows.iter().filter_map(TraceRow::score).for_each(|score| total.add(score));
        total
    }

    /// What the rows say by now: where SPSA stands, the best point of a landscape; none of learned weights.
    pub(crate) fn present(&self) -> Option<ParameterPoint> {
        let row = if self.method.is_landscape() { self.best().first().copied() } else { self.rows.last() };
        row.map(|row| self.space.nearest(&row.values))
    }

    /// The result: what was found, or the start values where nothing shows that it is better.
    pub(crate) fn tuned(&self) -> Option<ParameterPoint> {
        let (found, verdict) = self.end.as_ref()?;
        Some(if verdict.keeps_found() { found.clone() } else { self.space.start() })
    }

    /// The rows with the best score, the earliest first: several where there is a tie.
    pub(crate) fn best(&self) -> Vec<&TraceRow> {
        let rate = |row: &&TraceRow| row.score().and_then(|score| score.total().rate());
        let best = self.rows.iter().filter_map(|row| rate(&row)).max_by(f64::total_cmp);
        self.rows.iter().filter(|row| best.is_some() && rate(row) == best).collect()
    }

    /// The drift of the parameter of this index; `None` but for SPSA.
    pub(crate) fn drift(&self, index: usize) -> Option<Drift> {
        let last = self.rows.last()?;
        let noise = *last.noise.get(index)?;
        Some(Drift { moved: last.values[index] - self.space.axes[index].start as f64, noise })
    }

    /// The rows as JSON, one object a line.
    pub(crate) fn jsonl(&self) -> String {
        let labels = self.space.labels();
        self.rows.iter().map(|row| format!("{}\n", row.json(&labels))).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tune::space::Axis;

    /// A trace of rows with the results of some pairs each, of parameters that start at 10.
    pub(in crate::tune) fn trace(method: TuneMethod, parameters: usize, rows: &[&[[i64; 2]]]) -> Trace {
        let axis = |index: usize| Axis { name: format!("P{index}"), role: None, start: 10, min: 0, max: 100 };
        let row = |(number, nets): (usize, &&[[i64; 2]])| {
            let mut score = PairedScore::default();
            nets.iter().for_each(|&nets| score.add_pair(nets));
            let measure = Measure::Match { first: vec![10; parameters], second: vec![10; parameters], score };
            let noise = if method == TuneMethod::Spsa { vec![3.0; parameters] } else { Vec::new() };
            TraceRow { number: number as u64, values: vec![10.0 * number as f64; parameters], noise, measure }
        };
        Trace {
            name: String::new(),
            method,
            space: Space { axes: (0..parameters).map(axis).collect() },
            sides: ["fox", "geese"].map(str::to_owned),
            rows: rows.iter().enumerate().map(row).collect(),
            expected: rows.len() as u64,
            end: None,
            remarks: vec![],
            day: None,
            games: None,
        }
    }

    #[test]
    fn all_points_of_the_highest_score_are_best_the_earliest_first() {
        let best = |rows: &[&[[i64; 2]]]| {
            trace(TuneMethod::Grid, 0, rows).best().iter().map(|row| row.number).collect::<Vec<_>>()
        };
        assert_eq!(best(&[&[[1, -1]], &[[1, 0]], &[[0, 1]]]), [1, 2]);
        assert!(best(&[]).is_empty());
    }

    #[test]
    fn the_result_is_what_was_found_only_where_it_is_better() {
        let mut trace = trace(TuneMethod::Grid, 1, &[&[[1, 1]]]);
        assert_eq!(trace.tuned(), None);
        for (verdict, tuned) in [(Verdict::Unmoved, 10), (Verdict::Untested, 30)] {
            trace.end = Some((vec![30], verdict.clone()));
            assert_eq!(trace.tuned(), Some(vec![tuned]), "{verdict:?}");
        }
    }

    #[test]
    fn a_way_within_the_noise_is_no_evidence() {
        let drift = |moved, noise| Drift { moved, noise }.is_evident();
        assert!(!drift(2.8, 3.0) && !drift(-2.8, 3.0) && drift(-9.0, 3.0));
        assert!(!drift(0.0, 0.0), "no decisive game at all");
    }

    #[test]
    fn rows_of_spsa_have_noise_and_no_score() {
        let spsa = trace(TuneMethod::Spsa, 1, &[&[[1, 0], [0, 0]]]);
        let row: Value = serde_json::from_str(&spsa.jsonl()).unwrap();
        assert_eq!((&row["noise"]["P0"], &row["drawn"]), (&json!(3.0), &json!(0.75)), "{row}");
        assert!(row.get("score").is_none(), "{row}");
        let grid = trace(TuneMethod::Grid, 1, &[&[[1, 0], [0, 0]]]);
        assert!(grid.jsonl().contains("\"score\":0.625"), "{}", grid.jsonl());
    }
}
