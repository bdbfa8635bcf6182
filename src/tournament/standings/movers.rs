//! Which moves of a record are whose.

use crate::tournament::header::RulesetHeader;
use crate::tournament::record::GameRecord;

/// The seat that made the record's first move, the opening's moves left out.
///
/// A start text of the family ends its placement with `f` or `g` for the side to move; in other games seat 0 begins.
/// From there the sides alternate.
pub fn first_seat(record: &GameRecord, ruleset: &RulesetHeader) -> usize {
    let start = record.opening.start.as_deref().unwrap_or(&ruleset.start);
    let role = match start.split(' ').nth(1) {
        Some("f") => "fox",
        Some("g") => "geese",
        _ => "",
    };
    let begins = ruleset.seats.iter().position(|seat| seat.role == role).unwrap_or(0);
    (begins + record.opening.moves.len()) % 2
}

/// The indices of a seat's moves when `first` makes the first one.
pub fn moves_of(seat: usize, first: usize) -> impl Iterator<Item = usize> {
    (usize::from(seat != first)..).step_by(2)
}
