//! Perft that can be stopped.

use super::event::Event;
use crate::rules::{self, Game, Notation};
use crate::search::Control;

/// Subtrees this deep are counted without a look at the stop flag; they take milliseconds.
const UNWATCHED_PLIES: u32 = 3;

/// Reports the leaves below every legal move and returns the last event.
pub(super) fn divide<G: Notation>(
    game: &G,
    position: &G::Position,
    depth: u32,
    control: &Control,
    sink: &mut dyn FnMut(Event),
) -> Event {
    let nodes = match depth {
        0 => Some(1),
        _ => sum(game, position, control, |mv, after| {
            let nodes = count(game, after, depth - 1, control)?;
            sink(Event::Count { part: game.move_text(position, mv), nodes });
            Some(nodes)
        }),
    };
    Event::Perft { nodes, elapsed: control.elapsed() }
}

/// Leaves at `depth` plies; `None` when stopped before the end.
fn count<G: Game>(game: &G, position: &G::Position, depth: u32, control: &Control) -> Option<u64> {
    match depth <= UNWATCHED_PLIES {
        true => Some(rules::perft(game, position, depth)),
        false => sum(game, position, control, |_, after| count(game, after, depth - 1, control)),
    }
}

/// Adds up `below` over the legal moves, unless stopped.
fn sum<G: Game>(
    game: &G,
    position: &G::Position,
    control: &Control,
    mut below: impl FnMut(G::Move, &G::Position) -> Option<u64>,
) -> Option<u64> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let mut total: u64 = 0;
    for mv in moves {
        if control.is_stopped() {
            return None;
        }
        total = total.wrapping_add(below(mv, &game.play_unchecked(position, mv))?);
    }
    Some(total)
}
