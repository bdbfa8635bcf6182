//! The engine between the searchers and the protocols: options, clock, sessions.
//!
//! - [`Session`] is the object-safe door to one game of one ruleset; `game_session` implements it once for every game.
//! - [`Engine`] is what a front end owns: the [`Options`] and the session that they ask for.
//! - [`registry`] is the one place that maps a ruleset to concrete types; `families` says what a game brings along.
//! - [`options_file`] reads settings; `searchers` builds the searcher that they ask for, of a method and a `strength`.
//! - `counts` has perft and the benchmark, [`table_report`] the tables' values of a position by name.
//!
//! A `go` comes in as a [`GoRequest`] to [`Engine::start`]. `game_session/searching` prepares the search, with the
//! bounds in time that the clocks of the `request` set; `job` runs it on a thread that its stop flag ends, and
//! `reporting` turns what the searcher says into [`Event`]s. The steps before and after are listed in
//! [`search`](crate::search).

mod counts;
mod door;
mod engine;
mod families;
mod game_session;
mod job;
mod reporting;
mod request;
mod searchers;
mod strength;

pub mod options;
pub mod options_file;
pub mod registry;
pub mod table_report;

pub use counts::bench;
pub use door::{Evaluation, PlayError, Searched, Session, SetupError, search_and_wait};
pub use engine::{Engine, Task, chosen, rules_options};
pub use job::{Event, STACK_BYTES, StartError};
pub use options::{OptionError, OptionKind, OptionSpec, Options};
pub use options_file::OptionsFile;
pub use reporting::MeasuredWdl;
pub(crate) use request::GoMode;
pub use request::{Clock, GoRequest, TimeControl};
