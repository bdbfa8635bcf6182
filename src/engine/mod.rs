//! The engine between the searchers and the protocols: options, clock, sessions.
//!
//! - [`Session`] is the object-safe door to one game of one ruleset: position, questions, searches.
//!   [`GameSession`] implements it once for every game.
//! - [`Engine`] is what a front end owns: the [`Options`] and the session that they ask for.
//! - [`registry`] is the one place that maps a ruleset to concrete types; a [`Kit`] is what a game brings along.
//! - [`options_file`] reads and writes settings.
//! - [`clock`] turns clocks into search bounds.

mod counting;
mod event;
mod game_session;
mod host;
mod job;
mod kit;
mod options;
mod reporting;
mod request;
mod searchers;
mod session;

pub mod bench;
pub mod clock;
pub mod options_file;
pub mod registry;

pub use event::{Answer, Event, InfoLine, SearchInfo, Sink};
pub use game_session::{GameSession, ILLEGAL_MOVE_REASON};
pub use host::{Engine, chosen};
pub use kit::Kit;
pub use options::{OptionError, OptionKind, OptionSpec, Options, SearcherKind};
pub use request::{Clock, GoMode, GoRequest, TimeControl};
pub use session::{PlayError, STACK_BYTES, Session, SetupError, StartError, TableAnswer};
