//! The regression, from journaled games to fitted weights.

use std::path::Path;

use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, RulesetChoice};

use super::fit::{LabelledSample, Problem, scale};
use super::labels::Labels;
use super::positions::take;
use super::weights::Probes;
use super::{Fit, TexelError};
use crate::tournament::journal::Archive;
use crate::tune::resolved::ResolvedTuneSpec;
use crate::tune::shared_results;
use crate::tune::space::Axis;
use crate::tune::spec::TexelSpec;
use crate::tune::trace::{Measure, TraceRow};

/// So many positions are looked at for effects that are not linear.
const LINEARITY_POSITIONS: usize = 500;

/// Fits the weights of the space.
///
/// # Errors
/// No usable games, or parameters that are no weights.
pub(crate) fn fit(resolved: &ResolvedTuneSpec, spec: &TexelSpec, ruleset: &RulesetChoice) -> Result<Fit, TexelError> {
    let ruleset = registry::read(ruleset).map_err(|error| TexelError::Option(error.to_string()))?;
    let mut options = registry::default_options();
    for (name, value) in &resolved.base.options {
        options.set(name, Some(value)).map_err(|error| TexelError::Option(error.to_string()))?;
    }
    let probes = Probes::new(&resolved.space, &options)?;
    let tables = resolved.spec.tables.as_ref().map(|folder| resolved.folder.join(folder));
    let labels = Labels::new(&ruleset, spec.labels, tables.as_deref())?;
    let [train, validation] = Collector { resolved, spec, session: ruleset.open(), probes, labels }.collect()?;
    Ok(regression(resolved, spec, &train, &validation))
}

/// Reads games into samples.
struct Collector<'a> {
    resolved: &'a ResolvedTuneSpec,
    spec: &'a TexelSpec,
    session: Box<dyn Session>,
    probes: Probes,
    labels: Labels,
}

impl Collector<'_> {
    /// Training and validation positions.
    fn collect(&mut self) -> Result<[LabelledSample; 2], TexelError> {
        let weights = self.resolved.space.axes.len();
        let mut samples = [LabelledSample::new(weights), LabelledSample::new(weights)];
        let mut number = 0;
        for dir in &self.spec.games {
            for journal in shared_results::journal_dirs(&self.resolved.folder.join(dir)) {
                self.read(&journal, &mut number, &mut samples)?;
            }
        }
        match samples[0].is_empty() {
            true => Err(TexelError::NoPositions { games: number, ruleset: self.session.game().ruleset.clone() }),
            false => Ok(samples),
        }
    }

    fn read(&mut self, dir: &Path, number: &mut u64, samples: &mut [LabelledSample; 2]) -> Result<(), TexelError> {
        let (archive, seed) = (Archive::read(dir)?, self.resolved.spec.seed);
        let fingerprint = format!("{:016x}", self.session.game().fingerprint);
        let is_ours = |ruleset: usize| {
            let found = archive.header.rulesets.get(ruleset).and_then(|ruleset| ruleset.fingerprint.as_ref());
            found == Some(&fingerprint)
        };
        for game in archive.games()? {
            let played = game?.record;
            if samples[0].len() + samples[1].len() >= self.spec.positions {
                return Ok(());
            }
            if is_ours(played.fixture.ruleset) {
                let refuse = |message| TexelError::Game { dir: dir.to_path_buf(), game: played.fixture.game, message };
                let taken = take(&mut *self.session, self.spec, seed, *number, &played).map_err(&refuse)?;
                let sample = &mut samples[usize::from(taken.is_validation)];
                for position in &taken.positions {
                    let set = self.session.set_position(Some(position), &[]);
                    set.map_err(|error| refuse(error.to_string()))?;
                    self.add(taken.result, sample)?;
                }
                *number += 1;
            }
        }
        Ok(())
    }

    /// Adds the position of the session.
    fn add(&self, result: f32, sample: &mut LabelledSample) -> Result<(), TexelError> {
        let evaluate = |options: &_| {
            let terms = self.session.evaluation(options).map_or(Vec::new(), |evaluation| evaluation.terms);
            terms.iter().map(|(_, value)| f64::from(*value)).sum::<f64>()
        };
        if sample.len() < LINEARITY_POSITIONS {
            self.probes.check_linear(&self.resolved.space, &evaluate)?;
        }
        if let Some(label) = self.labels.label(&*self.session, result)? {
            let base = self.probes.base(&evaluate);
            sample.push(base as f32, self.probes.features(base, &evaluate), label);
        }
        Ok(())
    }
}

fn regression(
    resolved: &ResolvedTuneSpec,
    spec: &TexelSpec,
    train: &LabelledSample,
    validation: &LabelledSample,
) -> Fit {
    let (space, scale) = (&resolved.space, scale(train));
    let axes = &space.axes;
    let bounds = axes.iter().map(|axis| [axis.min - axis.start, axis.max - axis.start].map(|bound| bound as f64));
    let problem = Problem { sample: train, scale, l2: spec.l2, bounds: bounds.collect() };
    let moved =
        |delta: &[f64]| -> Vec<f64> { axes.iter().zip(delta).map(|(a, delta)| a.start as f64 + delta).collect() };
    let row = |number: usize, delta: &[f64]| {
        let [train, validation] = [train, validation].map(|sample| sample.loss(delta, scale));
        TraceRow { number: number as u64, values: moved(delta), measure: Measure::Losses { train, validation } }
    };
    let mut steps = Vec::new();
    let delta = problem.solve(|number, delta| steps.push(row(number, delta)));
    let tuned = space.nearest(&moved(&delta));
    let rounded: Vec<f64> = tuned.iter().zip(axes).map(|(value, axis)| (value - axis.start) as f64).collect();
    steps.push(row(steps.len(), &rounded));
    let positions = [train.len() as u64, validation.len() as u64];
    Fit { scale, positions, without_influence: without_influence(axes, train), steps, tuned }
}

/// The labels of parameters that change no evaluation: those of searchers, or of rules that are not in force.
fn without_influence(axes: &[Axis], train: &LabelledSample) -> Vec<String> {
    let is_dead = |index: &usize| train.features.iter().skip(*index).step_by(train.weights).all(|&value| value == 0.0);
    (0..axes.len()).filter(is_dead).map(|index| axes[index].label()).collect()
}
