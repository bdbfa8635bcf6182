//! Features of positions without knowing the evaluator: what a change of single weights does to it.

use reynard_engine::session::Options;
use reynard_engine::session::options::{EVAL_FILE, LINEAR};

use super::TexelError;
use crate::tune::space::{Axis, Space};

/// Says what a position is worth with these options, from seat 0's point of view and without bounds.
pub(crate) type Evaluate<'a> = &'a dyn Fn(&Options) -> f64;

/// Options with the start weights and, for every fitted weight, those with that weight changed by one.
pub(crate) struct Probes {
    base: Options,
    /// By weight: the changed options and the sign of the change.
    changed: Vec<(Options, f64)>,
    /// By weight: changed by so many units as the range allows, at least two, to see whether its effect is linear.
    far: Vec<(Options, f64)>,
    /// All weights changed that far at once.
    joint: Options,
}

/// How far a weight is changed to see whether its effect is in proportion.
const FAR: i64 = 37;

impl Probes {
    /// Nothing that was learned takes part in the evaluations.
    ///
    /// # Errors
    /// A parameter is no option that these options have.
    pub(crate) fn new(space: &Space, options: &Options) -> Result<Self, TexelError> {
        let mut base = options.clone();
        base.set(EVAL_FILE, Some(LINEAR)).map_err(|error| TexelError::Option(error.to_string()))?;
        for axis in &space.axes {
            set(&mut base, axis, axis.start)?;
        }
        let with = |axis: &Axis, change: i64| -> Result<Options, TexelError> {
            let mut options = base.clone();
            set(&mut options, axis, axis.start + change)?;
            Ok(options)
        };
        let (mut changed, mut far, mut joint) = (Vec::new(), Vec::new(), base.clone());
        for axis in &space.axes {
            let change = far_change(axis)?;
            changed.push((with(axis, change.signum())?, change.signum() as f64));
            far.push((with(axis, change)?, change as f64));
            set(&mut joint, axis, axis.start + change)?;
        }
        Ok(Probes { base, changed, far, joint })
    }

    /// The evaluation with the start weights.
    pub(crate) fn base(&self, evaluate: Evaluate<'_>) -> f64 {
        evaluate(&self.base)
    }

    /// The change of the evaluation for one unit more of each weight, from what it is with the start weights.
    pub(crate) fn features(&self, base: f64, evaluate: Evaluate<'_>) -> Vec<f32> {
        self.changed.iter().map(|(options, sign)| (sign * (evaluate(options) - base)) as f32).collect()
    }

    /// Looks at one position for an effect that is out of proportion, or that depends on another weight.
    ///
    /// # Errors
    /// Names the weight.
    pub(crate) fn check_linear(&self, space: &Space, evaluate: Evaluate<'_>) -> Result<(), TexelError> {
        let base = evaluate(&self.base);
        let mut sum = 0.0;
        for ((feature, (options, change)), axis) in
            self.features(base, evaluate).into_iter().zip(&self.far).zip(&space.axes)
        {
            let moved = evaluate(options) - base;
            let expected = f64::from(feature) * change;
            if moved != expected {
                let text = format!("{change} more of it change an evaluation by {moved} instead of {expected}");
                return Err(TexelError::NotLinear { name: axis.name.clone(), text });
            }
            sum += expected;
        }
        match evaluate(&self.joint) - base == sum {
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

/// The longer way that the range leaves open, at most [`FAR`].
fn far_change(axis: &Axis) -> Result<i64, TexelError> {
    let (up, down) = (axis.max - axis.start, axis.start - axis.min);
    let change = if up >= down { up.min(FAR) } else { -down.min(FAR) };
    match change.abs() {
        0 | 1 => Err(TexelError::Narrow { name: axis.name.clone(), min: axis.min, max: axis.max }),
        _ => Ok(change),
    }
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry;

    use super::*;

    /// Linear in one weight, bent in another, and with a product of two.
    fn odd(options: &Options) -> f64 {
        let number = |name: &str| f64::from(options.value(name).parse::<i32>().unwrap());
        let (step, jump, tie) = (number("EvalFoxStep"), number("EvalFoxJump"), number("EvalGooseTie"));
        3.0 * step + jump * jump + tie * step
    }

    fn space(names: &[&str]) -> Space {
        let axis = |name: &&str| Axis { name: (*name).into(), role: None, start: 7, min: -50, max: 90 };
        Space { axes: names.iter().map(axis).collect() }
    }

    fn check(names: &[&str]) -> Result<Vec<f32>, TexelError> {
        let space = space(names);
        let probes = Probes::new(&space, &registry::default_options()).unwrap();
        probes.check_linear(&space, &odd)?;
        Ok(probes.features(probes.base(&odd), &odd))
    }

    #[test]
    fn features_are_the_effects_of_single_weights() {
        // EvalGooseTie stands at its default, 4.
        assert_eq!(check(&["EvalFoxStep"]).unwrap(), [3.0 + 4.0]);
        assert_eq!(check(&["EvalFoxStep", "EvalFoxGap"]).unwrap(), [7.0, 0.0], "one without influence");
    }

    #[test]
    fn what_is_not_linear_is_refused_by_name() {
        let bent = check(&["EvalFoxStep", "EvalFoxJump"]).unwrap_err().to_string();
        assert!(bent.starts_with("EvalFoxJump: the evaluation is not linear"), "{bent}");
        let product = check(&["EvalFoxStep", "EvalGooseTie"]).unwrap_err().to_string();
        assert!(product.starts_with("EvalFoxStep, EvalGooseTie: "), "{product}");
    }
}
