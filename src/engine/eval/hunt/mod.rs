//! The evaluation of the hunt family: learned where there are weights for the rules, else linear.
//!
//! `linear` weighs counts by numbers that are options. `pattern_model` says which entries of a table speak about a
//! position (`point_groups` are the sets of points whose geese it looks at, `group_lookup` numbers them), `weight_file`
//! stores what was learned for them, `shipped` holds what comes with the program, and `learned` sums it up; a
//! `listener` remembers positions that were evaluated.

mod group_lookup;
mod learned;
mod linear;
mod listener;
mod pattern_model;
mod point_groups;
mod shipped;
mod weight_file;

pub use learned::{LearnedEvaluation, LearnedHuntEvaluator};
pub use linear::HuntEvaluator;
pub use listener::Listener;
pub use pattern_model::PatternModel;
pub use point_groups::GroupKind;
pub use weight_file::{LearnedWeights, WeightsError};
