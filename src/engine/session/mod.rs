//! The engine between the searchers and the protocols: options, clock, sessions.
//!
//! - [`Session`] is the object-safe door to one game of one ruleset, [`SearchSession`] adds searches;
//!   [`GameSession`](game_session::GameSession) implements both once for every game.
//! - [`Engine`] is what a front end owns: the [`Options`] and the session that they ask for.
//! - [`registry`] is the one place that maps a ruleset to concrete types; [`GameSupport`] is what a game brings along.
//! - [`options_file`] reads and writes settings.
//! - [`clock`] turns clocks into search bounds; `strength` turns ratings into levels of play.
//!
//! A `go` comes in as a [`GoRequest`] to [`Engine::start`]; `game_session/searching` prepares the search, `job`
//! runs it on a thread, `searchers` builds the searcher, and `reporting` turns what it says into [`Event`]s. The steps
//! before and after are listed in [`search`](crate::search).

mod counting;
mod door;
mod event;
mod game_session;
mod host;
mod job;
mod measured_wdl;
pub mod options;
mod reporting;
mod request;
mod searchers;
mod strength;
mod support;

pub mod bench;
pub(crate) mod clock;
pub mod options_file;
pub mod registry;
pub mod table_report;

pub use door::{PlayError, STACK_BYTES, SearchSession, Session, SetupError, StartError, search_and_wait};
pub use event::Event;
pub(crate) use event::Sink;
pub use host::{Engine, Task, chosen, rules_options};
pub use measured_wdl::MeasuredWdl;
pub use options::{OptionError, OptionKind, OptionSpec, Options};
pub use options_file::OptionsFile;
pub(crate) use request::GoMode;
pub use request::{Clock, GoRequest, TimeControl};
pub use support::GameSupport;
