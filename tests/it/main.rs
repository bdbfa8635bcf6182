//! The integration tests, one binary.

mod architecture;
mod cli;
mod contract;
mod fuzz;
#[cfg(unix)]
mod matches;
mod protocol;
mod ruleset_files;
mod tactics;
#[cfg(unix)]
mod tune;
mod vectors;
mod xboard;
