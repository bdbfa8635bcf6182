//! The integration tests of the engine's library, one binary.

mod chances;
mod contract;
mod fuzz;
mod goose;
mod hunt_keys;
mod levels;
mod protocol;
mod ruleset_files;
mod sessions;
mod solitaire;
mod tables;
mod tactics;
mod thegame;
mod vectors;
mod xboard;
