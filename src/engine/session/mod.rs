//! The engine between the searchers and the protocols: options, clock, sessions.
//!
//! Files in the order of their dependence:
//!
//! - `strength` has the methods of search and the levels of play that [`options`] can ask for.
//! - `request` is what a `go` asks for, a [`GoRequest`], and the bounds in time that its clocks set; `job` runs work on
//!   a thread that its stop flag ends and reports [`Event`]s.
//! - `families` says what a game brings along. [`Session`] in `door` is the object-safe door to one game of one
//!   ruleset.
//! - `reporting` turns reports of searchers into events, and the tables' values of a position into a [`TableReport`].
//! - `game_session` implements the door once for every game. `searching` and `tables` below it hold parts of it: all
//!   three are methods of one type.
//! - [`registry`] is the one place that maps a ruleset to concrete types. [`options_file`] reads settings.
//! - `bench` searches every ruleset. [`Engine`] is what a front end owns: [`Options`] and the session they ask for.
//!
//! A `go` goes to [`Engine::start`], which has `game_session/searching` prepare the search and `job` run it. The steps
//! before and after are listed in [`search`](crate::search).

mod bench;
mod door;
mod engine;
mod families;
mod game_session;
mod job;
mod reporting;
mod request;
mod strength;

pub mod options;
pub mod options_file;
pub mod registry;

pub use bench::bench;
pub use door::{Evaluation, PlayError, Searched, Session, SetupError, search_and_wait};
pub use engine::{Engine, Task, chosen, rules_options};
pub use job::{Event, STACK_BYTES, StartError};
pub use options::{OptionError, OptionKind, OptionSpec, Options};
pub use options_file::OptionsFile;
pub use reporting::{MeasuredWdl, NamedValue, TableGap, TableReport};
pub(crate) use request::GoMode;
pub use request::{Clock, GoRequest, TimeControl};
