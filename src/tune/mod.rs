//! Parameter search on top of tournaments.
//!
//! The way of a run: a [`TuneSpec`] says what is looked for; [`ResolvedTuneSpec`] has its names looked up and its files
//! read; [`spsa`] and [`landscape`] choose points of the [`space`] that meet in journaled [`games`], which all shards
//! share; [`learn`] learns an
//! evaluation from positions that tables know instead; [`output`] writes the trace and the result.

mod error;
pub(crate) mod games;
pub(crate) mod landscape;
pub(crate) mod learn;
pub(crate) mod meeting;
pub(crate) mod output;
pub(crate) mod resolved;
mod run;
pub(crate) mod shared_results;
pub(crate) mod space;
pub(crate) mod spec;
pub(crate) mod spsa;
pub(crate) mod trace;

pub(crate) use error::TuneError;
pub(crate) use games::{RunOptions, TuneEvent};
#[cfg(feature = "gui")]
pub use resolved::ResolvedTuneSpec;
pub(crate) use run::run;
pub use spec::TuneSpec;
pub(crate) use trace::Trace;
