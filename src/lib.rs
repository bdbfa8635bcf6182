//! reynard: an engine for Fox & Geese and its family.
//!
//! The house has floors; a room imports only from rooms above it in this list:
//!
//! - [`geometry`]: points, point sets, board graphs, shapes, symmetries; knows no game.
//! - [`rules`]: what is legal and who has won: the [`Game`](rules::Game) trait, records with history, perft;
//!   `rules::hunt` turns ruleset data into the Fox & Geese family, `rules::catalog` holds that data.
//! - [`eval`]: opinions about positions and their tunable parameters.
//! - [`search`]: limits, reports, the transposition table, `alphabeta`, `mcts`, `random`.
//! - [`engine`]: options, clock, session; `engine::registry` alone maps a ruleset's family to concrete types.
//! - [`protocol`]: text to session and back (UGI, UCI, XBoard); `protocol.md` is the law.
//! - [`tournament`]: tournaments between configurations and programs: spec, schedule, players, referee, journal,
//!   statistics per side, reports.
//! - [`tune`]: parameter search on top of tournaments: SPSA, grids, regression of evaluation weights.
//! - [`cli`]: the command line, one file per subcommand.

pub mod cli;
pub mod engine;
pub mod eval;
pub mod geometry;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tournament;
pub mod tune;
