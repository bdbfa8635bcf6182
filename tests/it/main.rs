//! The integration tests, one binary.

mod architecture;
mod cli;
mod contract;
mod fuzz;
mod protocol;
mod ruleset_files;
mod vectors;
