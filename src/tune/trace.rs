//! The trace of a tuning run, the same shape for every method.

use super::meeting::MeetingScore;
use super::space::{ParameterPoint, Space};
use super::spec::TuneMethod;

/// The trace of a run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Trace {
    pub name: String,
    pub method: TuneMethod,
    pub space: Space,
    /// The roles of seat 0 and seat 1.
    pub roles: [String; 2],
    pub rows: Vec<TraceRow>,
    /// How many rows there will be; 0 when that is not known.
    pub expected: u64,
    /// The result; `None` before the end.
    pub tuned: Option<ParameterPoint>,
    /// What people should know about the result, one sentence each.
    pub remarks: Vec<String>,
}

/// One iteration, point or step.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TraceRow {
    /// Iterations count from 1, points and steps of a fit from 0.
    pub number: u64,
    /// Where the parameters stand after it.
    pub values: Vec<f64>,
    pub measure: Measure,
}

/// How good values proved to be.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Measure {
    /// The first point met the second.
    Match { first: ParameterPoint, second: ParameterPoint, score: MeetingScore },
    /// Cross-entropy in nats a position.
    Losses { train: f64, validation: f64 },
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
    pub(crate) fn score(&self) -> Option<&MeetingScore> {
        match &self.measure {
            Measure::Match { score, .. } => Some(score),
            Measure::Losses { .. } => None,
        }
    }
}

impl Trace {
    /// All games of the run, from the point of view of the first engine.
    pub(crate) fn total(&self) -> MeetingScore {
        let mut total = MeetingScore::default();
        self.rows.iter().filter_map(TraceRow::score).for_each(|score| total.add(score));
        total
    }

    /// What the rows say by now: the place of SPSA and of a fit, the best point of a landscape.
    pub(crate) fn present(&self) -> Option<ParameterPoint> {
        let row = if self.method.is_landscape() { self.best().first().copied() } else { self.rows.last() };
        row.map(|row| self.space.nearest(&row.values))
    }

    /// The rows with the best score, the earliest first: several where there is a tie.
    pub(crate) fn best(&self) -> Vec<&TraceRow> {
        let rate = |row: &&TraceRow| row.score().and_then(|score| score.total().rate());
        let best = self.rows.iter().filter_map(|row| rate(&row)).max_by(f64::total_cmp);
        self.rows.iter().filter(|row| best.is_some() && rate(row) == best).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_of_the_highest_score_are_best_the_earliest_first() {
        let row = |number: u64, nets: [i64; 2]| {
            let mut score = MeetingScore::default();
            score.add_pair(nets);
            TraceRow { number, values: vec![], measure: Measure::Match { first: vec![], second: vec![], score } }
        };
        let best = |rows: &[TraceRow]| {
            let trace = Trace {
                name: String::new(),
                method: TuneMethod::Grid,
                space: Space { axes: vec![] },
                roles: [String::new(), String::new()],
                rows: rows.to_vec(),
                expected: 3,
                tuned: None,
                remarks: vec![],
            };
            trace.best().iter().map(|row| row.number).collect::<Vec<_>>()
        };
        assert_eq!(best(&[row(0, [1, -1]), row(1, [1, 0]), row(2, [0, 1])]), [1, 2]);
        assert!(best(&[]).is_empty());
    }
}
