//! reynard: an engine for Fox & Geese and its family, and for the other games of the same old rule sheets.
//!
//! The house has floors; a room imports only from rooms above it in this list:
//!
//! - [`files`]: guarded reads of text files, and writes that leave a whole file or none.
//! - [`geometry`]: points, point sets, board graphs, shapes, symmetries; knows no game.
//! - [`rules`]: what is legal and who has won: the [`Game`](rules::Game) trait, records with history, perft;
//!   `rules::ruleset` reads ruleset files, `rules::hunt`, `rules::solitaire`, `rules::thegame` and `rules::goose` turn
//!   them into games, `rules::catalog` holds those that have a name.
//! - [`eval`]: static evaluation of positions, by weights that can be tuned.
//! - [`tablebase`]: perfect play: tables of every position's value, solved, stored, verified and probed.
//! - [`search`]: limits, reports, the transposition table, `alphabeta`, `maxn` for more than two players, `mcts`,
//!   `baseline` without looking ahead; `tb_root` for roots that tables cover.
//! - [`solver`]: peg puzzles solved exactly: any solution, the shortest, the number of solutions, or a proof of none.
//! - [`chances`]: winning chances of games that dice alone decide, solved exactly or simulated.
//! - [`engine`]: options, clock, session; `engine::registry` alone maps a ruleset's family to concrete types.
//! - [`svg`]: pictures: charts for reports, boards of any game, what a terminal shows.
//! - [`protocol`]: text to session and back (UGI, UCI, XBoard); `protocol.md` is the law.
//! - [`tournament`]: tournaments between configurations and programs: spec, schedule, players, referee, journal,
//!   statistics per side, reports.
//! - [`tune`]: parameter search on top of tournaments: SPSA, grids, regression of evaluation weights.
//! - [`cli`]: the command line, one file per subcommand.

#![warn(unreachable_pub)]

#[cfg(panic = "abort")]
compile_error!("a panic in one engine must not end a tournament: build with panic = \"unwind\"");

pub mod api;
mod chances;
mod cli;
mod engine;
mod eval;
mod files;
mod geometry;
mod protocol;
mod rules;
mod search;
mod solver;
mod svg;
mod tablebase;
mod tournament;
mod tune;

pub use cli::run;
