//! Making reported lines long enough: one move alone says nothing about the reply that is expected.

use crate::rules::{Game, Outcome, Record, Turn};

/// Extends a line of one move by a reply: the one that `suggest` gives as an index into the legal moves, or the first.
///
/// Returns the outcome when the line's first move ends the game. A line before a roll of the dice stays as it is.
pub(super) fn complete<G: Game>(
    game: &G,
    record: &Record<G>,
    pv: &mut Vec<G::Move>,
    suggest: impl Fn(&G::Position) -> Option<u16>,
) -> Option<Outcome> {
    let mut record = record.clone();
    record.play(game, *pv.first()?);
    match record.turn(game) {
        Turn::Over(outcome) => return Some(outcome),
        Turn::Player(_) if pv.len() == 1 => pv.extend(reply(game, record.position(), suggest)),
        _ => {}
    }
    None
}

fn reply<G: Game>(game: &G, position: &G::Position, suggest: impl Fn(&G::Position) -> Option<u16>) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let suggested = suggest(position).and_then(|index| moves.get(usize::from(index)));
    suggested.or(moves.first()).copied()
}
