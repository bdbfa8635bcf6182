//! Chances: games of pure dice with known answers, and the Game of the Goose read a second time.

mod model;
mod solutions;
mod toys;
mod transitions;
