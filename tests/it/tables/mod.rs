//! `reynard table`, through the real program.

mod commands;
#[cfg(unix)]
mod killing;
