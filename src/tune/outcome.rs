//! What a tuning run has found so far, the same shape for every method.

use super::landscape::{self, Visit};
use super::objective::MeetingScore;
use super::space::{Point, Space};
use super::spec::Method;
use super::spsa::Iteration;
use super::texel::{Fit, FitStep};

/// The trace of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
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
pub struct Row {
    /// Iterations count from 1, points and steps of a fit from 0.
    pub number: u64,
    /// Where the parameters stand after it.
    pub values: Vec<f64>,
    pub measure: Measure,
}

/// How good values proved to be.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    /// The first point met the second.
    Match { first: Point, second: Point, score: MeetingScore },
    /// Cross-entropy in nats a position.
    Losses { train: f64, validation: f64 },
}

impl Row {
    pub fn of_iteration(iteration: &Iteration) -> Row {
        let (first, second) = (iteration.step.plus.clone(), iteration.step.minus.clone());
        let measure = Measure::Match { first, second, score: iteration.score };
        Row { number: iteration.step.iteration, values: iteration.theta.clone(), measure }
    }

    pub fn of_visit(visit: &Visit, start: &[i64]) -> Row {
        let values = visit.point.iter().map(|&value| value as f64).collect();
        let measure = Measure::Match { first: visit.point.clone(), second: start.to_vec(), score: visit.score };
        Row { number: visit.number, values, measure }
    }

    pub fn of_fit(step: &FitStep) -> Row {
        let measure = Measure::Losses { train: step.train, validation: step.validation };
        Row { number: step.number, values: step.weights.clone(), measure }
    }

    /// The result of the games; `None` for a fit.
    pub fn score(&self) -> Option<&MeetingScore> {
        match &self.measure {
            Measure::Match { score, .. } => Some(score),
            Measure::Losses { .. } => None,
        }
    }
}

impl Trace {
    /// All games of the run, from the point of view of the first engine.
    pub fn total(&self) -> MeetingScore {
        let mut total = MeetingScore::default();
        self.rows.iter().filter_map(Row::score).for_each(|score| total.add(score));
        total
    }

    /// What the rows say by now: the place of SPSA and of a fit, the best point of a landscape.
    pub fn present(&self) -> Option<Point> {
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

    /// Takes over what a regression found.
    pub fn take_fit(&mut self, fit: &Fit) {
        self.rows = fit.steps.iter().map(Row::of_fit).collect();
        self.tuned = Some(fit.tuned.clone());
        let [train, validation] = fit.positions;
        self.remarks.push(format!("{train} positions for training, {validation} for validation."));
        self.remarks.push(format!("{:.1} hundredths of a piece multiply the odds of winning by e.", fit.scale));
        if train > 0 && validation > 0 && self.rows.last().map(validation_loss) > self.rows.first().map(validation_loss)
        {
            self.remarks
                .push("The fit is worse on the validation positions: it has learned chance, do not use it.".into());
        }
        if !fit.without_influence.is_empty() {
            let names = fit.without_influence.join(", ");
            self.remarks.push(format!("No influence on any position, hence unchanged: {names}."));
        }
    }
}

fn validation_loss(row: &Row) -> f64 {
    match row.measure {
        Measure::Losses { validation, .. } => validation,
        Measure::Match { .. } => 0.0,
    }
}
