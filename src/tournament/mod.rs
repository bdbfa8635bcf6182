//! Tournaments between engine configurations and external programs, with statistics per side.
//!
//! The way of a game: a [`TournamentSpec`] says what is to be played; [`schedule`] turns it into [`Fixture`]s; the
//! [`runner`] hands fixtures to workers, where [`player`]s meet under a referee; each finished [`GameRecord`] goes into
//! the journal before it counts; [`stats`] and the standings judge what the journal holds; reports print it.

pub(crate) mod adjudication;
pub(crate) mod affinity;
pub(crate) mod arena;
pub(crate) mod canonical;
pub(crate) mod director;
pub(crate) mod events;
pub(crate) mod fixture;
pub(crate) mod header;
pub(crate) mod journal;
pub(crate) mod mistakes;
pub(crate) mod openings;
pub(crate) mod player;
pub(crate) mod record;
pub(crate) mod referee;
pub(crate) mod report;
mod resolve;
pub(crate) mod ruleset;
pub(crate) mod runner;
pub(crate) mod schedule;
pub(crate) mod spec;
pub(crate) mod standings;
pub(crate) mod stats;
pub(crate) mod tables;

pub use fixture::Fixture;
pub use record::GameRecord;
pub use spec::TournamentSpec;
