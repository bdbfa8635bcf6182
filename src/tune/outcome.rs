//! What a tuning run has found so far, the same shape for every method.

use super::landscape::{self, Visit};
use super::objective::MeetingScore;
use super::space::{Point, Space};
use super::spec::Method;
use super::spsa::Iteration;
use super::texel::{Fit, FitStep};

/// The trace of a run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Trace {
    pub name: String,
    pub method: Method,
    pub space: Space,
    /// The roles of seat 0 and seat 1.
    pub roles: [String; 2],
    pub rows: Vec<Row>,
    /// How many rows there will be; 0 when that is not known.
    pub expected: u64,
    /// The result; `None` before the end.
    pub tuned: Option<Point>,
    /// What people should know about the result, one sentence each.
    pub remarks: Vec<String>,
}

/// One iteration, point or step.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row {
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
    Match { first: Point, second: Point, score: MeetingScore },
    /// Cross-entropy in nats a position.
    Losses { train: f64, validation: f64 },
}

impl Row {
    pub(crate) fn of_iteration(iteration: &Iteration) -> Row {
        let (first, second) = (iteration.step.plus.clone(), iteration.step.minus.clone());
        let measure = Measure::Match { first, second, score: iteration.score };
        Row { number: iteration.step.iteration, values: iteration.theta.clone(), measure }
    }

    pub(crate) fn of_visit(visit: &Visit, start: &[i64]) -> Row {
        let values = visit.point.iter().map(|&value| value as f64).collect();
        let measure = Measure::Match { first: visit.point.clone(), second: start.to_vec(), score: visit.score };
        Row { number: visit.number, values, measure }
    }

    pub(crate) fn of_fit(step: &FitStep) -> Row {
        let measure = Measure::Losses { train: step.train, validation: step.validation };
        Row { number: step.number, values: step.weights.clone(), measure }
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
        self.rows.iter().filter_map(Row::score).for_each(|score| total.add(score));
        total
    }

    /// What the rows say by now: the place of SPSA and of a fit, the best point of a landscape.
    pub(crate) fn present(&self) -> Option<Point> {
        match self.method {
            Method::Spsa | Method::Texel => Some(self.space.nearest(&self.rows.last()?.values)),
            Method::Grid | Method::Random => {
                let visit = |row: &Row| {
                    let point = self.space.nearest(&row.values);
                    row.score().map(|&score| Visit { number: row.number, point, score })
                };
                let visits: Vec<Visit> = self.rows.iter().filter_map(visit).collect();
                landscape::best(&visits).map(|visit| visit.point.clone())
            }
        }
    }

    /// Takes over what a regression found: its weights, or the start values where the weights are no better on the
    /// validation positions, because then they have learned chance.
    pub(crate) fn take_fit(&mut self, fit: &Fit) {
        self.rows = fit.steps.iter().map(Row::of_fit).collect();
        let [train, validation] = fit.positions;
        self.remarks.push(format!("{train} positions for training, {validation} for validation."));
        self.remarks.push(format!("{:.1} hundredths of a piece multiply the odds of winning by e.", fit.scale));
        if !fit.without_influence.is_empty() {
            let names = fit.without_influence.join(", ");
            self.remarks.push(format!("No influence on any position, hence unchanged: {names}."));
        }
        let losses = self.rows.first().zip(self.rows.last()).map(|(first, last)| [first, last].map(validation_loss));
        self.tuned = match losses.filter(|_| validation > 0) {
            Some([before, after]) if after >= before => {
                self.remarks.push(format!(
                    "Tuning did not win: on the validation positions the fitted weights are no better than the start \
                     values (loss {after:.6} against {before:.6}). The result is the start values."
                ));
                Some(self.space.start())
            }
            _ => Some(fit.tuned.clone()),
        };
    }
}

fn validation_loss(row: &Row) -> f64 {
    match row.measure {
        Measure::Losses { validation, .. } => validation,
        Measure::Match { .. } => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::space::Axis;

    /// A fit that moved the one weight from 10 to 30 and changed the validation loss from 0.5.
    fn taken(validation_loss: f64, positions: [u64; 2]) -> Trace {
        let axis = Axis { name: "EvalFoxReach".to_owned(), role: None, start: 10, min: 0, max: 100 };
        let step = |number, weight, validation| FitStep { number, weights: vec![weight], train: 0.4, validation };
        let steps = vec![step(0, 10.0, 0.5), step(1, 29.6, validation_loss), step(2, 30.0, validation_loss)];
        let fit = Fit { scale: 100.0, positions, without_influence: vec![], steps, tuned: vec![30] };
        let mut trace = Trace {
            name: String::new(),
            method: Method::Texel,
            space: Space { axes: vec![axis] },
            roles: [String::new(), String::new()],
            rows: vec![],
            expected: 0,
            tuned: None,
            remarks: vec![],
        };
        trace.take_fit(&fit);
        trace
    }

    #[test]
    fn weights_that_have_learned_chance_are_not_the_result() {
        for loss in [0.5, 0.500001, 0.7] {
            let trace = taken(loss, [800, 200]);
            assert_eq!(trace.tuned, Some(vec![10]), "{loss}");
            assert!(trace.remarks.iter().any(|remark| remark.starts_with("Tuning did not win")), "{:?}", trace.remarks);
        }
        for (loss, positions) in [(0.499999, [800, 200]), (0.0, [1000, 0])] {
            let trace = taken(loss, positions);
            assert_eq!(trace.tuned, Some(vec![30]), "{loss}");
            assert!(trace.remarks.iter().all(|remark| !remark.contains("did not win")), "{:?}", trace.remarks);
        }
    }
}
