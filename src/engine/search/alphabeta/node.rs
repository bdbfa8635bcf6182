//! The nodes of an alpha-beta search.

use crate::rules::{Game, Record, Seat};
use crate::search::Score;

/// A position within the search that is not over.
pub(super) struct Node<G: Game> {
    pub(super) position: G::Position,
    /// The seat to move, or before a roll of the dice the seat that moved last.
    pub(super) seat: Seat,
    pub(super) key: u64,
    pub(super) ply: usize,
    /// Plies since the last irreversible move, the game before the root included.
    pub(super) reversible: u32,
    /// Plies without progress, likewise.
    pub(super) idle: u32,
}

/// What a move leads to.
pub(super) enum Child<G: Game> {
    /// An ending, scored for the seat that moved.
    Settled(Score),
    Open(Node<G>),
    /// A roll of the dice comes next.
    Chance(Node<G>),
}

impl<G: Game> Node<G> {
    /// The node of a record's last position.
    pub(super) fn root(game: &G, record: &Record<G>) -> Self {
        Node {
            position: *record.position(),
            seat: record.turn(game).seat().unwrap_or(Seat::P1),
            key: game.key(record.position()),
            ply: 0,
            reversible: record.reversible_plies(),
            idle: record.idle_plies(),
        }
    }
}
