//! The Game of the Goose: rules, texts, chances.

mod chances;
mod fuzz;
mod model;
mod rules;
