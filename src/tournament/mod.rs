//! Tournaments between engine configurations and external programs, with statistics per side.
//!
//! The way of a game: a [`TournamentSpec`] says what is to be played; [`schedule`] turns it into [`Fixture`]s; the
//! [`runner`] hands fixtures to workers, where [`player`]s meet under a referee; each finished [`GameRecord`] goes into
//! the journal before it counts; [`stats`] and the standings judge what the journal holds; reports print it.

pub mod adjudication;
pub mod affinity;
pub mod arena;
pub mod director;
pub mod events;
pub mod fixture;
pub mod header;
pub mod journal;
pub mod mistakes;
pub mod openings;
pub mod player;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod standings;
pub mod stats;
pub mod tables;

pub use fixture::Fixture;
pub use record::GameRecord;
pub use spec::TournamentSpec;
