//! The integration tests, one binary.

mod cli;
#[cfg(unix)]
mod matches;
mod protocol;
mod vectors;
