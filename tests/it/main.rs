//! The integration tests, one binary.

mod architecture;
mod cli;
mod contract;
mod fuzz;
#[cfg(unix)]
mod matches;
mod protocol;
mod reports;
mod ruleset_files;
mod statistics;
mod tactics;
mod vectors;
mod xboard;
