//! The texts that all board games share: blank-separated fields, placements, paths of points.

mod path;
mod placement;

use std::ops::RangeInclusive;

pub(super) use path::{Path, path_text, read_path};
pub(super) use placement::{read_pieces, read_placement, write_pieces, write_placement};

use super::game::PositionError;

/// A word of a position text and the column where it begins, counted in characters from 1.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub column: usize,
    pub text: &'a str,
}

impl<'a> Field<'a> {
    /// The column behind the last character.
    pub(super) fn end(self) -> usize {
        self.column + self.text.chars().count()
    }

    /// The parts between separators, empty ones included.
    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Field<'a>> {
        let mut column = self.column;
        self.text.split(separator).map(move |text| {
            let field = Field { column, text };
            column = field.end() + 1;
            field
        })
    }

    /// The parts before and after the first separator.
    pub(super) fn split_once(self, separator: char) -> Option<(Field<'a>, Field<'a>)> {
        let (before, after) = self.text.split_once(separator)?;
        let before = Field { text: before, ..self };
        Some((before, Field { column: before.end() + 1, text: after }))
    }

    /// Splits `key=value`.
    pub(super) fn key_value(self) -> Result<(Field<'a>, Field<'a>), PositionError> {
        match self.split_once('=') {
            Some(parts) => Ok(parts),
            None => refuse(self.column, format!("'{}' is not of the form key=value", self.shown())),
        }
    }

    /// A number written in digits alone, behind a minus sign perhaps.
    pub(super) fn number(self) -> Option<i64> {
        let digits = self.text.strip_prefix('-').unwrap_or(self.text);
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain { self.text.parse().ok() } else { None }
    }

    /// Such a number within a range.
    pub(super) fn number_in<T: TryFrom<i64> + PartialOrd>(self, range: RangeInclusive<T>) -> Option<T> {
        self.number().and_then(|number| T::try_from(number).ok()).filter(|number| range.contains(number))
    }

    /// Why a position text is refused because of this word.
    pub(super) fn error(self, message: impl Into<String>) -> PositionError {
        PositionError { column: self.column, message: message.into() }
    }

    /// The beginning of the text, for messages.
    pub(super) fn shown(self) -> String {
        self.text.chars().take(40).collect()
    }
}

/// Splits at blanks and keeps the columns.
pub(super) fn fields(text: &str) -> Vec<Field<'_>> {
    Field { column: 1, text }.split(' ').filter(|field| !field.text.is_empty()).collect()
}

/// Splits words of the form `key=value`, each key at most once.
pub(super) fn pairs<'a>(words: &[Field<'a>]) -> Result<Vec<(Field<'a>, Field<'a>)>, PositionError> {
    let pairs = words.iter().map(|word| word.key_value()).collect::<Result<Vec<_>, _>>()?;
    let is_known = |index: usize| pairs[..index].iter().any(|(key, _)| key.text == pairs[index].0.text);
    match (0..pairs.len()).find(|&index| is_known(index)).map(|index| pairs[index].0) {
        Some(key) => Err(key.error(format!("key '{}' stands twice", key.shown()))),
        None => Ok(pairs),
    }
}

/// The error of a position text that is refused.
pub(super) fn refuse<T>(column: usize, message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { column, message: message.into() })
}
