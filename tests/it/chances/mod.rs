//! The Game of the Goose: chances.

mod model;
