//! Completes the line that is reported for a root move: a reply at least, and a score that clients read correctly.

use super::{PvLine, Score};
use crate::rules::{Game, Record, Turn};

/// The line for `pv`, which begins at the end of `record`, with a reply at least: the one that `suggest` gives as an
/// index into the legal moves, or else the first. Only before a roll of the dice a single move stays one.
///
/// Clients read a score of 0 with a single move as "this move draws the game", so that an opinion of 0 becomes 1 there.
pub(super) fn complete<G: Game>(
    game: &G,
    record: &Record<G>,
    score: Score,
    mut pv: Vec<G::Move>,
    suggest: impl Fn(&G::Position) -> Option<u16>,
) -> PvLine<G::Move> {
    let mut is_over = false;
    if let [only] = pv[..] {
        let mut record = record.clone();
        record.play(game, only);
        match record.turn(game) {
            Turn::Over(_) => is_over = true,
            Turn::Player(_) => {
                let mut moves = Vec::new();
                game.legal_moves(record.position(), &mut moves);
                let suggested = suggest(record.position()).and_then(|index| moves.get(usize::from(index)));
                pv.extend(suggested.or(moves.first()));
            }
            Turn::Chance => {}
        }
    }
    let is_told = score != Score::DRAW || is_over || pv.len() > 1;
    PvLine::new(game.seats(), if is_told { score } else { Score(1) }, pv)
}
