//! The integration tests, one binary.

mod protocol;
mod vectors;
