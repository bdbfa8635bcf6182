//! The integration tests, one binary.

mod architecture;
mod contract;
mod fuzz;
mod protocol;
mod ruleset_files;
mod vectors;
