//! What single weights do to an evaluation, found by changing them: features without knowing the evaluator.

use std::marker::PhantomData;

use crate::engine::Options;
use crate::eval::Evaluator;
use crate::rules::Game;
use crate::tune::space::{Axis, Space};

use super::TexelError;

/// An evaluator with the start weights and, for every fitted weight, one with that weight changed by one.
pub struct Probes<G: Game, E: Evaluator<G>> {
    base: E,
    /// By weight: the changed evaluator and the sign of the change.
    changed: Vec<(E, f32)>,
    linearity: Linearity<E>,
    game: PhantomData<fn(&G)>,
}

/// Evaluators that show whether the evaluation is linear in its weights.
struct Linearity<E> {
    /// By weight: changed by so many units as the range allows, at least two.
    far: Vec<(E, f64)>,
    /// All weights changed that far at once.
    joint: E,
}

/// How far a weight is changed to see whether its effect is in proportion.
const FAR: i64 = 37;

impl<G: Game, E: Evaluator<G>> Probes<G, E> {
    /// # Errors
    /// A parameter is no option that these options have.
    pub fn new(space: &Space, options: &Options, make_evaluator: fn(&Options) -> E) -> Result<Self, TexelError> {
        let mut start = options.clone();
        for axis in &space.axes {
            set(&mut start, axis, axis.start)?;
        }
        let with = |axis: &Axis, change: i64| -> Result<E, TexelError> {
            let mut options = start.clone();
            set(&mut options, axis, axis.start + change)?;
            Ok(make_evaluator(&options))
        };
        let (mut changed, mut far, mut joint) = (Vec::new(), Vec::new(), start.clone());
        for axis in &space.axes {
            let change = far_change(axis)?;
            changed.push((with(axis, change.signum())?, change.signum() as f32));
            far.push((with(axis, change)?, change as f64));
            set(&mut joint, axis, axis.start + change)?;
        }
        let linearity = Linearity { far, joint: make_evaluator(&joint) };
        Ok(Probes { base: make_evaluator(&start), changed, linearity, game: PhantomData })
    }

    /// The evaluation with the start weights, from seat 0's point of view and without bounds.
    pub fn base(&self, game: &G, position: &G::Position) -> f32 {
        total(&self.base, game, position) as f32
    }

    /// The change of the evaluation for one unit more of each weight.
    pub fn features(&self, game: &G, position: &G::Position) -> Vec<f32> {
        let base = total(&self.base, game, position);
        let feature = |(evaluator, sign): &(E, f32)| sign * (total(evaluator, game, position) - base) as f32;
        self.changed.iter().map(feature).collect()
    }

    /// Looks at one position for an effect that is out of proportion, or that depends on another weight.
    ///
    /// # Errors
    /// Names the weight.
    pub fn check_linear(&self, space: &Space, game: &G, position: &G::Position) -> Result<(), TexelError> {
        let base = total(&self.base, game, position);
        let mut sum = 0.0;
        for ((feature, (evaluator, change)), axis) in
            self.features(game, position).into_iter().zip(&self.linearity.far).zip(&space.axes)
        {
            let moved = f64::from(total(evaluator, game, position) - base);
            let expected = f64::from(feature) * change;
            if moved != expected {
                let text = format!("{change} more of it change an evaluation by {moved} instead of {expected}");
                return Err(TexelError::NotLinear { name: axis.name.clone(), text });
            }
            sum += expected;
        }
        match f64::from(total(&self.linearity.joint, game, position) - base) == sum {
            true => Ok(()),
            false => Err(TexelError::NotLinear {
                name: space.labels().join(", "),
                text: "together they change an evaluation by something else than one after the other".into(),
            }),
        }
    }
}

fn set(options: &mut Options, axis: &Axis, value: i64) -> Result<(), TexelError> {
    options.set(&axis.name, Some(&value.to_string())).map_err(|error| TexelError::Option(error.to_string()))
}

fn total<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, position: &G::Position) -> i32 {
    evaluator.explain(game, position).iter().map(|(_, value)| value).sum()
}

/// The longer way that the range leaves open, at most [`FAR`].
fn far_change(axis: &Axis) -> Result<i64, TexelError> {
    let (up, down) = (axis.max - axis.start, axis.start - axis.min);
    let change = if up >= down { up.min(FAR) } else { -down.min(FAR) };
    match change.abs() {
        0 | 1 => Err(TexelError::Narrow { name: axis.name.clone(), min: axis.min, max: axis.max }),
        _ => Ok(change),
    }
}
