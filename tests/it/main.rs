//! The integration tests, one binary.

mod architecture;
mod cli;
mod contract;
mod fuzz;
#[cfg(unix)]
mod matches;
mod protocol;
mod ruleset_files;
mod statistics;
mod tactics;
#[cfg(unix)]
mod tournament_run;
mod vectors;
mod xboard;
