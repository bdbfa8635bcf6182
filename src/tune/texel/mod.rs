//! Evaluation weights fitted by logistic regression on labelled positions.

mod fit;
mod linear;

pub use fit::{Problem, Sample, scale};
