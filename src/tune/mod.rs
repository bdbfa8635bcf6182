//! Parameter search on top of tournaments.
//!
//! The way of a run: a [`TuneSpec`] says what is looked for; [`Plan`] resolves it; [`spsa`] and [`landscape`] let points
//! of the [`space`] meet through an [`objective`], in real runs the journaled [`games`] that all shards share;
//! [`texel`] fits evaluation weights to journaled games instead; [`output`] writes the trace and the result.

pub mod games;
pub mod landscape;
pub mod ledger;
pub mod objective;
pub mod outcome;
pub mod output;
pub mod plan;
mod run;
pub mod space;
pub mod spec;
pub mod spsa;
mod tail;
pub mod texel;

pub use games::{GamesError, Manner, Watch};
pub use ledger::Start;
pub use outcome::Trace;
pub use plan::Plan;
pub use run::{TuneError, run};
pub use spec::{TuneSpec, TuneSpecError};
