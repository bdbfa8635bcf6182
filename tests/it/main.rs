//! The integration tests of the program, one binary; those of its library are in `tests/engine`.

mod analyse;
mod architecture;
mod calculator;
mod calibration;
mod chances;
mod cli;
#[allow(dead_code, reason = "some of it serves the tests of the engine alone")]
#[path = "../engine/protocol/client.rs"]
mod client;
#[cfg(unix)]
mod compliance;
#[cfg(unix)]
mod cutechess;
#[cfg(unix)]
mod files;
#[cfg(all(target_os = "linux", feature = "gui"))]
mod gui;
#[cfg(unix)]
mod honesty;
#[cfg(unix)]
mod learn;
mod old_journal;
mod play;
#[cfg(unix)]
mod players;
mod process;
mod reports;
mod rule_texts;
#[cfg(unix)]
mod runs;
mod schema;
mod solve;
mod spec;
mod statistics;
mod tables;
#[cfg(unix)]
mod tournament_dice;
#[cfg(unix)]
mod tournament_ends;
#[cfg(unix)]
mod tournament_perfect;
#[cfg(unix)]
mod tournament_run;
#[cfg(unix)]
mod tune;
