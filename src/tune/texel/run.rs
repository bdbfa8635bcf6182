//! The regression, from journaled games to fitted weights.

use std::path::Path;

use super::fit::{LabelledSample, Problem, scale};
use super::labels::{Labels, labels};
use super::positions::take;
use super::weights::Probes;
use super::{Fit, TexelError};
use crate::engine::registry::{self, GameVisitor, RulesetChoice};
use crate::engine::{GameSupport, Options};
use crate::eval::Evaluator;
use crate::rules::Game;
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
    let visited = registry::visit(ruleset, Regression { resolved, spec });
    visited.map_err(|error| TexelError::Option(error.to_string()))?
}

/// A regression in the game that a ruleset stands for.
#[derive(Clone, Copy)]
struct Regression<'a> {
    resolved: &'a ResolvedTuneSpec,
    spec: &'a TexelSpec,
}

impl GameVisitor for Regression<'_> {
    type Output = Result<Fit, TexelError>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        let mut options = registry::default_options();
        for (name, value) in &self.resolved.base.options {
            options.set(name, Some(value)).map_err(|error| TexelError::Option(error.to_string()))?;
        }
        let probes = Probes::new(&self.resolved.space, &options, Options::parameters::<G::Linear>)?;
        let tables = self.resolved.spec.tables.as_ref().map(|folder| self.resolved.folder.join(folder));
        let labels = labels::<G>(&game, self.spec.labels, tables.as_deref())?;
        let collector = Collector { regression: self, game: &game, probes: &probes, labels: &labels };
        let [train, validation] = collector.collect()?;
        Ok(self.fit(&train, &validation))
    }
}

/// Reads games into samples.
struct Collector<'a, G: Game, E: Evaluator<G>> {
    regression: Regression<'a>,
    game: &'a G,
    probes: &'a Probes<G, E>,
    labels: &'a Labels<G>,
}

impl<G: GameSupport, E: Evaluator<G>> Collector<'_, G, E> {
    /// Training and validation positions.
    fn collect(&self) -> Result<[LabelledSample; 2], TexelError> {
        let weights = self.regression.resolved.space.axes.len();
        let mut samples = [LabelledSample::new(weights), LabelledSample::new(weights)];
        let mut number = 0;
        for dir in &self.regression.spec.games {
            for journal in shared_results::journal_dirs(&self.regression.resolved.folder.join(dir)) {
                self.read(&journal, &mut number, &mut samples)?;
            }
        }
        match samples[0].is_empty() {
            true => Err(TexelError::NoPositions { games: number, ruleset: self.game.name().to_owned() }),
            false => Ok(samples),
        }
    }

    fn read(&self, dir: &Path, number: &mut u64, samples: &mut [LabelledSample; 2]) -> Result<(), TexelError> {
        let (archive, seed) = (Archive::read(dir)?, self.regression.resolved.spec.seed);
        let fingerprint = format!("{:016x}", self.game.fingerprint());
        let is_ours = |ruleset: usize| {
            let found = archive.header.rulesets.get(ruleset).and_then(|ruleset| ruleset.fingerprint.as_ref());
            found == Some(&fingerprint)
        };
        for game in archive.games()? {
            let played = game?.record;
            if samples[0].len() + samples[1].len() >= self.regression.spec.positions {
                return Ok(());
            }
            if is_ours(played.fixture.ruleset) {
                let refuse = |message| TexelError::Game { dir: dir.to_path_buf(), game: played.fixture.game, message };
                let taken = take(self.game, self.regression.spec, seed, *number, &played).map_err(refuse)?;
                let sample = &mut samples[usize::from(taken.is_validation)];
                self.add(&taken.positions, taken.result, sample)?;
                *number += 1;
            }
        }
        Ok(())
    }

    fn add(&self, positions: &[G::Position], result: f32, sample: &mut LabelledSample) -> Result<(), TexelError> {
        for position in positions {
            if sample.len() < LINEARITY_POSITIONS {
                self.probes.check_linear(&self.regression.resolved.space, self.game, position)?;
            }
            if let Some(label) = self.labels.label(self.game, position, result)? {
                let features = self.probes.features(self.game, position);
                sample.push(self.probes.base(self.game, position), features, label);
            }
        }
        Ok(())
    }
}

impl Regression<'_> {
    fn fit(&self, train: &LabelledSample, validation: &LabelledSample) -> Fit {
        let (space, scale) = (&self.resolved.space, scale(train));
        let axes = &space.axes;
        let bounds = axes.iter().map(|axis| [axis.min - axis.start, axis.max - axis.start].map(|bound| bound as f64));
        let problem = Problem { sample: train, scale, l2: self.spec.l2, bounds: bounds.collect() };
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
}

/// The labels of parameters that change no evaluation: those of searchers, or of rules that are not in force.
fn without_influence(axes: &[Axis], train: &LabelledSample) -> Vec<String> {
    let is_dead = |index: &usize| train.features.iter().skip(*index).step_by(train.weights).all(|&value| value == 0.0);
    (0..axes.len()).filter(is_dead).map(|index| axes[index].label()).collect()
}
