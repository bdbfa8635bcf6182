//! The Game of the Goose: chances.

mod chances;
mod model;
