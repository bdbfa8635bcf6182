//! The integration tests, one binary.

mod cli;
mod protocol;
mod vectors;
mod xboard;
