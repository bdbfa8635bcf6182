//! reynard: an engine for Fox & Geese and its family, and for the other games of the same old rule sheets.
//!
//! The crate is a list of rooms; a room imports only from rooms above it in this list:
//!
//! - [`files`]: guarded reads of text files, and writes that leave a whole file or none.
//! - [`geometry`]: points, point sets, board graphs, shapes, symmetries; knows no game.
//! - [`rules`]: what is legal and who has won: the [`Game`](rules::Game) trait, records with history, perft;
//!   `rules::ruleset` reads ruleset files, `rules::hunt`, `rules::solitaire`, `rules::thegame` and `rules::goose` turn
//!   them into games, `rules::catalog` holds those that have a name.
//! - [`eval`]: static evaluation of positions, by weights that can be tuned, for hunts by weights that were learned.
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
//! - [`tune`]: parameter search on top of tournaments: SPSA, grids, regression of evaluation weights,
//!   learned evaluations.
//! - [`gui`]: the board in the browser: a web page served locally that is a client of the text protocol.
//! - [`cli`]: the command line, one file per subcommand.
//!
//! The same as a picture: an arrow points from a room to one that it imports. Arrows that follow from others are left
//! out: the engine, for one, imports `rules` itself too.
//!
//! ```text
//! cli -> gui -> tune -> tournament -+-> protocol -+-> engine -+-> solver -> search -+-> eval --------+-> rules -> geometry
//!                                   |             |           |                     |                |
//!                                   +-> svg ------+           |                     +-> tablebase -+-+
//!                                                             |                                    +-> files
//!                                                             +-> chances -> rules
//! ```
//!
//! Four ways through it, each told step by step where it is followed:
//!
//! - From `go` on standard input to `bestmove`: [`search`]; it begins in [`protocol::serve`] and `protocol::ugi`.
//! - A tournament game from its spec to a report: [`tournament`]; `cli::tournament::run` drives it.
//! - A build of tables: [`tablebase`]; `cli::table::build` drives it.
//! - A new family of games: [`engine::registry`] lists what it touches, [`rules`] says what its folder holds.
//!
//! Words that need explaining:
//!
//! - *family*: games compiled by one module from rulesets with the same keys: hunt, solitaire, goose, The Game.
//! - *ruleset*: one game as JSON data; a *switch* sets one of its keys; its *fingerprint* is a hash of all rules.
//! - *fox side*, *geese side*: the few who capture and the many who hem them in, whatever a ruleset calls them.
//! - *point*: a place on a board for a piece; a *cell* is its number in the bounding box, where boards have gaps.
//! - *seat*: a player of a game by number; seat 0, `p1`, acts first. A *role* is what a seat stands for in every game
//!   of its family: `fox`, `geese`; elsewhere the name of the seat.
//! - *move*: a whole turn, a chain of jumps included; a *ply* is one move, one placement or one roll of the dice.
//! - *huff*: the penalty for a capture that the fox side missed: a goose comes back, or the fox is taken away.
//! - *hand*, *drop*: geese that are not on the board and may come, and the move that puts one there.
//! - *record*: a game as it was played, with the history that repetition and lack of progress need.
//! - *progress*: a move after which the count of plies to a draw by lack of progress begins anew.
//! - *irreversible*: said of a move after which no position before it can occur again.
//! - *conversion*: the next irreversible move, or the end of the game; tables count their distances to it or to the end.
//! - *table value*: who wins a position with best play, and that distance. A *layer* is the table of all
//!   positions with one number of geese, on the board and in hand.
//! - *pair*: two games from one opening with the seats swapped; a *meeting* is all games of two engines in a round.
//! - *fixture*: a game to be played: engines, seats, ruleset and opening. A *shard* plays a part of the pairs.
//! - *forfeit*: a game lost by anything but the rules: time, an illegal move, a crash.

#![warn(missing_docs, unreachable_pub)]
// The documentation is for maintainers: it is built with private items (`.ci/run`).
#![allow(rustdoc::private_intra_doc_links)]

#[cfg(panic = "abort")]
compile_error!("a panic in one engine must not end a tournament: build with panic = \"unwind\"");

pub mod api;
mod chances;
mod cli;
mod engine;
mod eval;
mod files;
mod geometry;
#[cfg(feature = "gui")]
mod gui;
mod protocol;
mod rules;
mod search;
mod solver;
mod svg;
mod tablebase;
mod tournament;
mod tune;

pub use cli::run;
