//! What the texts of all board games have in common: blank-separated fields, placements, paths of points.

mod path;
mod placement;

pub(super) use path::{Path, read_path};
pub(super) use placement::{read_placement, write_placement};

use super::game::PositionError;

/// A word of a position text and the column where it begins, counted in characters from 1.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub column: usize,
    pub text: &'a str,
}

impl<'a> Field<'a> {
    /// The parts between separators, empty ones included.
    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Field<'a>> {
        let mut column = self.column;
        self.text.split(separator).map(move |text| {
            let field = Field { column, text };
            column += text.chars().count() + 1;
            field
        })
    }

    /// The parts before and after the first separator.
    pub(super) fn split_once(self, separator: char) -> Option<(Field<'a>, Field<'a>)> {
        let (before, after) = self.text.split_once(separator)?;
        let column = self.column + before.chars().count() + 1;
        Some((Field { text: before, ..self }, Field { column, text: after }))
    }

    /// A number written in digits alone, behind a minus sign perhaps.
    pub(super) fn number(self) -> Option<i64> {
        let digits = self.text.strip_prefix('-').unwrap_or(self.text);
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain { self.text.parse().ok() } else { None }
    }
}

/// Splits at blanks and keeps the columns.
pub(super) fn fields(text: &str) -> Vec<Field<'_>> {
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
pub(super) fn refuse<T>(column: usize, message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { column, message: message.into() })
}
