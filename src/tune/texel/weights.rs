//! Features of positions without knowing the evaluator: what a change of single weights does to it.

use std::marker::PhantomData;

use crate::engine::Options;
use crate::eval::Evaluator;
use crate::rules::Game;
use crate::tune::space::{Axis, Space};

use super::TexelError;

/// An evaluator with the start weights and, for every fitted weight, one with that weight changed by one.
pub(crate) struct Probes<G: Game, E: Evaluator<G>> {
    base: E,
    /// By weight: the changed evaluator and the sign of the change.
    changed: Vec<(E, f32)>,
    /// By weight: changed by so many units as the range allows, at least two, to see whether its effect is linear.
    far: Vec<(E, f64)>,
    /// All weights changed that far at once.
    joint: E,
    game: PhantomData<fn(&G)>,
}

/// How far a weight is changed to see whether its effect is in proportion.
const FAR: i64 = 37;

impl<G: Game, E: Evaluator<G>> Probes<G, E> {
    /// # Errors
    /// A parameter is no option that these options have.
    pub(crate) fn new(space: &Space, options: &Options, make_evaluator: fn(&Options) -> E) -> Result<Self, TexelError> {
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
        let [base, joint] = [&start, &joint].map(make_evaluator);
        Ok(Probes { base, changed, far, joint, game: PhantomData })
    }

    /// The evaluation with the start weights, from seat 0's point of view and without bounds.
    pub(crate) fn base(&self, game: &G, position: &G::Position) -> f32 {
        total(&self.base, game, position) as f32
    }

    /// The change of the evaluation for one unit more of each weight.
    pub(crate) fn features(&self, game: &G, position: &G::Position) -> Vec<f32> {
        let base = total(&self.base, game, position);
        let feature = |(evaluator, sign): &(E, f32)| sign * (total(evaluator, game, position) - base) as f32;
        self.changed.iter().map(feature).collect()
    }

    /// Looks at one position for an effect that is out of proportion, or that depends on another weight.
    ///
    /// # Errors
    /// Names the weight.
    pub(crate) fn check_linear(&self, space: &Space, game: &G, position: &G::Position) -> Result<(), TexelError> {
        let base = total(&self.base, game, position);
        let mut sum = 0.0;
        for ((feature, (evaluator, change)), axis) in
            self.features(game, position).into_iter().zip(&self.far).zip(&space.axes)
        {
            let moved = f64::from(total(evaluator, game, position) - base);
            let expected = f64::from(feature) * change;
            if moved != expected {
                let text = format!("{change} more of it change an evaluation by {moved} instead of {expected}");
                return Err(TexelError::NotLinear { name: axis.name.clone(), text });
            }
            sum += expected;
        }
        match f64::from(total(&self.joint, game, position) - base) == sum {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::registry;
    use crate::eval::Terms;
    use crate::rules::Seat;
    use crate::rules::hunt::{Hunt, Position, Ruleset};

    type Board = Hunt<u64>;

    /// Terms that are linear in one weight, bent in another, and a product of two.
    #[derive(Clone)]
    struct Odd {
        step: i32,
        jump: i32,
        tie: i32,
    }

    impl Evaluator<Board> for Odd {
        fn evaluate(&self, game: &Board, position: &Position<u64>, _seat: Seat) -> i32 {
            total(self, game, position)
        }

        fn explain(&self, _game: &Board, _position: &Position<u64>) -> Terms {
            let terms = [("step", 3 * self.step), ("jump", self.jump * self.jump), ("tie", self.tie * self.step)];
            terms.map(|(name, value)| (name.into(), value)).to_vec()
        }
    }

    fn odd(options: &Options) -> Odd {
        let number = |name: &str| options.value(name).parse().unwrap();
        Odd { step: number("EvalFoxStep"), jump: number("EvalFoxJump"), tie: number("EvalGooseTie") }
    }

    fn space(names: &[&str]) -> Space {
        let axis = |name: &&str| Axis { name: (*name).into(), role: None, start: 7, min: -50, max: 90 };
        Space { axes: names.iter().map(axis).collect() }
    }

    fn check(names: &[&str]) -> Result<Vec<f32>, TexelError> {
        let game = Board::new(&Ruleset::from_catalog("masters-15", &[]).unwrap());
        let (space, position) = (space(names), game.start());
        let probes: Probes<Board, Odd> = Probes::new(&space, &registry::default_options(), odd).unwrap();
        probes.check_linear(&space, &game, &position)?;
        Ok(probes.features(&game, &position))
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
