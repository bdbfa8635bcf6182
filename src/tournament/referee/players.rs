//! The players of one game by seat, and the list of what they said that was not so.

use reynard_engine::rules::Seat;

use super::GameEnd;
use crate::tournament::fixture::player_at;
use crate::tournament::player::{MoveHistory, Player};

/// The seats of two players, and the first seat of each where they hold several.
pub(super) const SEATS: [Seat; 2] = [Seat::P1, Seat::P2];

/// The players with the names of their engines, two, or one at a puzzle; and what they said that was not so.
pub(super) struct SeatedPlayers<'a> {
    pub players: &'a mut [Box<dyn Player>],
    /// By player.
    pub names: [&'a str; 2],
    pub disagreements: Disagreements,
    /// What could not be compared with what they said.
    pub not_comparable: Vec<String>,
}

impl<'a> SeatedPlayers<'a> {
    /// The first seat of each player.
    pub(super) fn seats(&self) -> &'static [Seat] {
        &SEATS[..self.players.len().min(SEATS.len())]
    }

    /// A puzzle has one player, whoever is asked for.
    pub(super) fn player(&mut self, seat: Seat) -> &mut dyn Player {
        let index = player_at(seat).min(self.players.len() - 1);
        &mut *self.players[index]
    }

    pub(super) fn name(&self, seat: Seat) -> &'a str {
        self.names[player_at(seat)]
    }

    /// Writes down what `seat` said at `ply`.
    pub(super) fn disagree(&mut self, ply: usize, seat: Seat, what: &str) {
        self.disagreements.add(ply, self.name(seat), what);
    }

    /// Writes down what `seat` cannot be asked at `ply`, once each.
    pub(super) fn cannot_compare(&mut self, ply: usize, seat: Seat, why: &str) {
        self.not_comparable.push(line(ply, self.name(seat), why));
    }

    /// The answer of `seat` to a query, without blanks around it.
    ///
    /// # Errors
    /// The player broke down.
    pub(super) fn ask(&mut self, seat: Seat, history: MoveHistory<'_>, query: &str) -> Result<String, GameEnd> {
        let answer = self.player(seat).ask(history, query);
        answer.map(|text| text.trim().to_owned()).map_err(|failure| GameEnd::Failed(seat, failure))
    }
}

/// Most disagreements of one game; a player that is wrong once is wrong often.
const MOST_LISTED: usize = 20;
/// Longest disagreement, characters.
const LONGEST_LISTED: usize = 300;

/// A bounded list of disagreements.
#[derive(Default)]
pub(super) struct Disagreements(Vec<String>);

impl Disagreements {
    /// Writes down what `who` said at `ply`.
    pub(super) fn add(&mut self, ply: usize, who: &str, what: &str) {
        match self.0.len() {
            MOST_LISTED => self.0.push("further disagreements are not listed".to_owned()),
            0..MOST_LISTED => self.0.push(line(ply, who, what)),
            _ => {}
        }
    }

    pub(super) fn into_lines(self) -> Vec<String> {
        self.0
    }
}

fn line(ply: usize, who: &str, what: &str) -> String {
    clip(&format!("ply {ply}: {who}: {what}"), LONGEST_LISTED)
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
    fn disagreements_are_bounded_in_number_and_length() {
        let mut list = Disagreements::default();
        (0..100).for_each(|ply| list.add(ply, "A", &"ü".repeat(1000)));
        let lines = list.into_lines();
        assert_eq!(lines.len(), MOST_LISTED + 1);
        assert!(lines.iter().all(|line| line.chars().count() <= LONGEST_LISTED + 3), "{lines:?}");
    }
}
