//! The integration tests, one binary.

mod vectors;
