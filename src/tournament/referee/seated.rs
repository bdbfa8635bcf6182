//! The players of one game on their seats, and notes about what they said.

use crate::rules::Seat;
use crate::tournament::fixture::player_at;
use crate::tournament::player::{Failure, History, Player};

/// The seats of two players, and the first seat of each where they hold several.
pub(super) const SEATS: [Seat; 2] = [Seat::P1, Seat::P2];

/// The players with the names of their engines: two, or one at a puzzle.
pub(super) struct Seated<'a> {
    players: Vec<(&'a mut dyn Player, &'a str)>,
}

impl<'a> Seated<'a> {
    pub(super) fn new(players: Vec<(&'a mut dyn Player, &'a str)>) -> Self {
        Seated { players }
    }

    /// The first seat of each player.
    pub(super) fn seats(&self) -> &'static [Seat] {
        &SEATS[..self.players.len().min(SEATS.len())]
    }

    pub(super) fn player(&mut self, seat: Seat) -> &mut dyn Player {
        let index = self.index(seat);
        &mut *self.players[index].0
    }

    pub(super) fn name(&self, seat: Seat) -> &str {
        self.players[self.index(seat)].1
    }

    /// A puzzle has one player, whoever is asked for.
    fn index(&self, seat: Seat) -> usize {
        player_at(seat).min(self.players.len() - 1)
    }

    /// The answer of `seat` to a query, without blanks around it.
    ///
    /// # Errors
    /// The player broke down; it is named with the failure.
    pub(super) fn ask(&mut self, seat: Seat, history: History<'_>, query: &str) -> Result<String, (Seat, Failure)> {
        let answer = self.player(seat).ask(history, query);
        answer.map(|text| text.trim().to_owned()).map_err(|failure| (seat, failure))
    }
}

/// Most notes of one game; a player that is wrong once is wrong often.
const MOST_NOTES: usize = 20;
/// Longest note, characters.
const LONGEST_NOTE: usize = 300;

/// A bounded list of disagreements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Notes(Vec<String>);

impl Notes {
    /// Writes down what `who` said at `ply`.
    pub(super) fn add(&mut self, ply: usize, who: &str, what: &str) {
        match self.0.len() {
            MOST_NOTES => self.0.push("further disagreements are not listed".to_owned()),
            0..MOST_NOTES => self.0.push(clip(&format!("ply {ply}: {who}: {what}"), LONGEST_NOTE)),
            _ => {}
        }
    }

    pub(super) fn into_lines(self) -> Vec<String> {
        self.0
    }
}

/// At most so many characters of a text that somebody else wrote.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_bounded_in_number_and_length() {
        let mut notes = Notes::default();
        (0..100).for_each(|ply| notes.add(ply, "A", &"ü".repeat(1000)));
        let lines = notes.into_lines();
        assert_eq!(lines.len(), MOST_NOTES + 1);
        assert!(lines.iter().all(|line| line.chars().count() <= LONGEST_NOTE + 3), "{lines:?}");
    }
}
