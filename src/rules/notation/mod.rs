//! What the texts of all board games have in common: blank-separated fields, placements, paths of points.

mod path;
mod placement;

pub use path::{Path, read_path};
pub use placement::{read_placement, write_placement};

use super::game::PositionError;

/// A word of a position text and the column where it begins, counted in characters from 1.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    pub column: usize,
    pub text: &'a str,
}

/// Splits at blanks and keeps the columns.
pub fn fields(text: &str) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut column = 1;
    for piece in text.split(' ') {
        if !piece.is_empty() {
            fields.push(Field { column, text: piece });
        }
        column += piece.chars().count() + 1;
    }
    fields
}

/// The error of a position text that is refused.
pub fn refuse<T>(column: usize, message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { column, message: message.into() })
}
