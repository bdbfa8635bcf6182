//! An engine for Fox & Geese and its family, and for the other games of the same old rule sheets, as a library.
//!
//! [`session::registry::open`] opens a game of the catalog or of a ruleset file as a [`Session`](session::Session): an
//! object-safe door that knows the rules, searches and evaluates, whatever the game. Moves and positions go through it
//! as texts. A game of the engine against itself:
//!
//! ```
//! use reynard_engine::rules::Turn;
//! use reynard_engine::session::registry::{self, RulesetChoice};
//! use reynard_engine::session::{GoRequest, Session, search_and_wait};
//!
//! let mut session = registry::open(&RulesetChoice::catalog("catch-the-hare"))?;
//! let mut options = registry::default_options();
//! options.set("Searcher", Some("mcts"))?;
//! let outcome = loop {
//!     match session.turn() {
//!         Turn::Over(outcome) => break outcome,
//!         Turn::Chance => unreachable!("no dice in this game"),
//!         Turn::Player(seat) => {
//!             let found = search_and_wait(&mut *session, &GoRequest::nodes(100), &options)?;
//!             let (score, best) = (found.report.unwrap().lines[0].score, found.answer.unwrap().best);
//!             println!("{} plays {best}, {}", session.game().seat_name(seat), score.0);
//!             session.play(&best)?;
//!         }
//!     }
//! };
//! println!("{}\n{}", session.draw(), session.reason().unwrap());
//! assert!(outcome.winner.is_none_or(|seat| seat.index() < session.game().seats.len()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Searches in the background, clocks, pondering and options by name: [`session::Engine`]. A conversation in text, in
//! UGI, UCI or XBoard, on any pair of streams: [`protocol::serve`]. A study that wants the game itself, generic and
//! fast, finds its traits in [`rules`] and compiles it from a ruleset, as [`Hunt::new`](rules::hunt::Hunt::new) does.
//!
//! # Rooms
//!
//! A room imports only from rooms above it in this list:
//!
//! - [`parallel`]: loops that run on all threads of a pool.
//! - [`files`]: guarded reads of files that users name, and writes that leave a whole file or none.
//! - [`geometry`]: points, point sets, board graphs, shapes, symmetries; knows no game.
//! - [`rules`]: what is legal and who has won: the [`Game`](rules::Game) trait, records with history, perft;
//!   `rules::ruleset` reads ruleset files, `rules::hunt`, `rules::solitaire`, `rules::thegame` and `rules::goose` turn
//!   them into games, `rules::catalog` holds those that have a name.
//! - [`eval`]: static evaluation of positions, by weights that can be tuned; for hunts by learned weights.
//! - [`tablebase`]: perfect play: tables of every position's value, solved, stored, verified and probed.
//! - [`search`]: limits, reports, the transposition table, `alphabeta` for one or two players, `mcts` for any number,
//!   `levels` that play weaker; `tb_root` for roots that tables cover.
//! - [`learning`]: weights of the learned evaluation, from games of the engine and from tables.
//! - [`solver`]: peg puzzles solved exactly: any solution, the shortest, the number of solutions, or a proof of none.
//! - [`chances`]: winning chances of games that dice alone decide, solved exactly or simulated.
//! - [`session`]: options, clock, session; `session::registry` alone maps a ruleset's family to concrete types.
//! - [`protocol`]: text to session and back (UGI, UCI, XBoard); `protocol.md` is the law.
//!
//! As a picture: an arrow points from a room to one that it imports. Imports that follow from others are left out: the
//! session, for one, imports `rules` itself too.
//!
//! ```text
//! protocol -> session -+-> solver ---+-> search -+-> eval --------+-> rules -> geometry
//!                      +-> learning -+           |                |
//!                      |                         +-> tablebase -+-+
//!                      |                                        +-> files, parallel
//!                      +-> chances -> rules
//! ```
//!
//! Three ways through the code, each described step by step in the room named here:
//!
//! - From `go` on standard input to `bestmove`: [`search`]; it begins in [`protocol::serve`] and `protocol::ugi`.
//! - A build of tables: [`tablebase`].
//! - A new family of games: [`session::registry`] lists the files that it touches, [`rules`] the parts of its folder.
//!
//! # Words that need explaining
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
//! - *conversion*: the next irreversible move, or the end of the game; tables count their distances to it or to the
//!   end.
//! - *table value*: who wins a position with best play, and that distance. A *layer* is the table of all
//!   positions with one number of geese, on the board and in hand.

#![warn(missing_docs, unreachable_pub)]
// The documentation is for maintainers: it is built with private items (`.ci/run`).
#![allow(rustdoc::private_intra_doc_links)]

#[cfg(panic = "abort")]
compile_error!("a panic in one engine must not end a tournament: build with panic = \"unwind\"");

pub mod chances;
pub mod eval;
pub mod files;
pub mod geometry;
pub mod learning;
mod parallel;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod session;
pub mod solver;
pub mod tablebase;
