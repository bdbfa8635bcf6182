//! Words and numbers that the subcommands share.

use crate::rules::hunt::Side;
use crate::tablebase::atlas::Value;

/// `12,345,678`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `4-9, 11`: increasing numbers, neighbours joined.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let texts = runs.filter_map(|run| match (run.first()?, run.last()?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first}-{last}")),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// `1 ply`, `7 plies`.
pub(super) fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// What a side is called in every game of the family.
pub(super) fn side(side: Side) -> &'static str {
    match side {
        Side::Fox => "fox",
        Side::Geese => "geese",
    }
}

/// `geese win, 7 plies to conversion`.
pub(super) fn value(value: &Value) -> String {
    match value.winner {
        None => "draw".to_owned(),
        Some(Side::Fox) => format!("fox wins, {} to conversion", plies(value.plies)),
        Some(Side::Geese) => format!("geese win, {} to conversion", plies(value.plies)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(
            [grouped(0), grouped(999), grouped(1_000), grouped(12_345_678)],
            ["0", "999", "1,000", "12,345,678"]
        );
        assert_eq!([ranges(&[]), ranges(&[4]), ranges(&[4, 5, 6, 8, 10, 11])], ["", "4", "4-6, 8, 10-11"]);
        assert_eq!([plies(1), plies(7)], ["1 ply", "7 plies"]);
    }
}
