//! Tournaments between engine configurations and external programs, with statistics per side.
//!
//! The way of a game, each step a type of its own:
//!
//! ```text
//! spec.json -> TournamentSpec          spec: what people write, checked
//!                 |  resolve           files read, names looked up, rulesets compiled
//!               Plan                   plan: what workers need; its header is the journal's first line
//!                 |  Schedule::of      schedule: the header alone decides which games there are
//!              Fixture                 who meets whom, at what, from which opening
//!                 |  runner, referee   workers seat players and play it
//!            FinishedGame              record: the game, and apart from it what the clock measured
//!                 |  journal           durable before it counts; read again as an Archive
//!             Standings                standings: the sums, judged by stats
//!                 |  report            tables, JSON, CSV, PGN, pages
//! ```

pub(crate) mod adjudication;
pub(crate) mod calibration;
pub(crate) mod director;
pub(crate) mod events;
pub(crate) mod header;
pub(crate) mod journal;
pub(crate) mod judge;
pub(crate) mod live;
pub(crate) mod machine;
pub(crate) mod mistakes;
pub(crate) mod openings;
pub(crate) mod pgn;
pub(crate) mod plan;
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

pub use record::GameRecord;
pub use schedule::Fixture;
pub use spec::TournamentSpec;
