//! The integration tests, one binary.

mod architecture;
mod calculator;
mod calibration;
mod chances;
mod cli;
mod contract;
#[cfg(unix)]
mod cutechess;
#[cfg(unix)]
mod files;
mod fuzz;
mod goose;
#[cfg(all(target_os = "linux", feature = "gui"))]
mod gui;
#[cfg(unix)]
mod honesty;
#[cfg(unix)]
mod learn;
mod levels;
mod old_journal;
mod play;
#[cfg(unix)]
mod players;
mod protocol;
mod reports;
mod rule_texts;
mod ruleset_files;
#[cfg(unix)]
mod runs;
mod sessions;
mod solitaire;
mod solve;
mod spec;
mod statistics;
mod tables;
mod tactics;
mod thegame;
#[cfg(unix)]
mod tournament_ends;
#[cfg(unix)]
mod tournament_perfect;
#[cfg(unix)]
mod tournament_run;
#[cfg(unix)]
mod tournament_tables;
#[cfg(unix)]
mod tune;
mod vectors;
mod xboard;
