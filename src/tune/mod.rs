//! Parameter search on top of tournaments: SPSA, a look at the landscape, regression of evaluation weights.

pub mod landscape;
pub mod objective;
pub mod space;
pub mod spec;
pub mod spsa;
pub mod texel;
