//! `reynard play`, through a pipe and in a terminal.

mod pipe;
#[cfg(unix)]
mod terminal;
