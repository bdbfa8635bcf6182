//! The Game of the Goose: rules and texts.

mod fuzz;
mod rules;
