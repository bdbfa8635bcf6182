//! Parameter search on top of tournaments.
//!
//! The way of a run: a [`TuneSpec`] says what is looked for; [`Plan`] resolves it; [`spsa`] and [`landscape`] let points
//! of the [`space`] meet through an [`objective`], in real runs the journaled [`games`] that all shards share;
//! [`texel`] fits evaluation weights to journaled games instead; [`output`] writes the trace and the result.

pub(crate) mod games;
pub(crate) mod landscape;
pub(crate) mod ledger;
pub(crate) mod objective;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod plan;
mod run;
pub(crate) mod space;
pub(crate) mod spec;
pub(crate) mod spsa;
mod tail;
pub(crate) mod texel;

pub(crate) use games::{GamesError, Manner, Watch};
pub(crate) use ledger::Start;
pub(crate) use outcome::Trace;
pub use plan::Plan;
pub(crate) use run::{TuneError, run};
pub use spec::TuneSpec;
