//! reynard: the program around [`reynard_engine`], which plays.
//!
//! The engine is a library of its own below `src/engine`; its front page draws its rooms and explains the words. The
//! program sees games through the engine's object-safe door alone, [`Session`](reynard_engine::session::Session), so
//! that nothing generic over games is compiled here. Its rooms; one imports only from those above it in this list:
//!
//! - [`svg`]: pictures: charts for reports, boards of any game.
//! - [`page`]: the page of the board, which reports are, too.
//! - [`tournament`]: tournaments between configurations and programs: spec, schedule, players, referee,
//!   journal, statistics per side, reports.
//! - [`tune`]: parameter search on top of tournaments: SPSA, grids, learned evaluations.
//! - [`gui`]: the board in the browser: a web page served locally that is a client of the text protocol.
//! - [`cli`]: the command line, one file per subcommand.
//!
//! A tournament game goes from its spec to a report as [`tournament`] tells step by step;
//! `cli::tournament::run` drives it.
//!
//! Words that need explaining, besides the engine's:
//!
//! - *pair*: two games from one opening with the seats swapped.
//! - *fixture*: a game to be played: engines, seats, ruleset and opening. A *shard* plays a part of the pairs.
//! - *forfeit*: a game lost by anything but the rules: time, an illegal move, a crash.

#![warn(missing_docs, unreachable_pub)]
// The documentation is for maintainers: it is built with private items (`.ci/run`).
#![allow(rustdoc::private_intra_doc_links)]

#[cfg(panic = "abort")]
compile_error!("a panic in one engine must not end a tournament: build with panic = \"unwind\"");

mod cli;
#[cfg(feature = "gui")]
mod gui;
mod page;
mod svg;
pub mod testing;
mod tournament;
mod tune;

pub use cli::run;
