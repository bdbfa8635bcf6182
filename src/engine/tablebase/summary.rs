//! The summary of a layer in its header: how often each result occurs, and the longest wins.

use serde::{Deserialize, Serialize};

use super::TableEntry;
use crate::rules::hunt::Side;

/// How often each result occurs among the positions of a layer with one side to move: all placements on the board
/// counted, mirrored ones separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Won by the fox side.
    pub fox_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the geese side.
    pub geese_win: u64,
}

impl ResultCounts {
    /// All positions counted.
    pub fn total(&self) -> u64 {
        self.fox_wins + self.draws + self.geese_win
    }

    /// Counts `positions` more with this winner; `None` is a draw.
    pub fn count(&mut self, winner: Option<Side>, positions: u64) {
        match winner {
            None => self.draws += positions,
            Some(Side::Fox) => self.fox_wins += positions,
            Some(Side::Geese) => self.geese_win += positions,
        }
    }

    /// Adds the counts of other positions.
    pub fn add(&mut self, other: ResultCounts) {
        self.fox_wins += other.fox_wins;
        self.draws += other.draws;
        self.geese_win += other.geese_win;
    }
}

/// A position at the greatest distance that its side to move and winner have in a layer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LongestWin {
    /// `f` or `g`, the side to move.
    pub turn: char,
    /// `f` or `g`, the side that wins.
    pub winner: char,
    /// Its distance in plies.
    pub plies: u32,
    /// Its text.
    pub position: String,
}

impl LongestWin {
    /// The side to move and the one that wins.
    pub fn sides(&self) -> [Side; 2] {
        [self.turn, self.winner].map(|letter| if letter == 'f' { Side::Fox } else { Side::Geese })
    }
}

/// The header's account of a solved layer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayerSummary {
    /// Geese side to move: every position without anything owed, to be placed or to be settled.
    pub geese_to_move: ResultCounts,
    /// Fox side to move: every position without anything owed, to be placed or to be settled.
    pub fox_to_move: ResultCounts,
    /// The longest wins, at most one for each side to move and winner.
    pub longest: Vec<LongestWin>,
}

impl LayerSummary {
    /// Sums up a layer from the tallies with the geese and with the fox side to move. `text` writes the position at a
    /// place with a side to move.
    pub(crate) fn new<P: Copy>(tallies: &[Tally<P>; 2], text: impl Fn(P, Side) -> String) -> LayerSummary {
        let [geese_to_move, fox_to_move] = tallies.each_ref().map(|tally| tally.results);
        let mut longest = Vec::new();
        for (tally, turn) in tallies.iter().zip([Side::Geese, Side::Fox]) {
            for winner in [Side::Fox, Side::Geese] {
                // What is over already has no longest win.
                let Some((plies, place)) = tally.farthest[winner as usize].filter(|&(plies, _)| plies > 0) else {
                    continue;
                };
                let letter = |side| if side == Side::Fox { 'f' } else { 'g' };
                longest.push(LongestWin {
                    turn: letter(turn),
                    winner: letter(winner),
                    plies,
                    position: text(place, turn),
                });
            }
        }
        LayerSummary { geese_to_move, fox_to_move, longest }
    }
}

/// The results of positions with one side to move, and the places `P` of the longest wins among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally<P> {
    pub(crate) results: ResultCounts,
    /// By winner the greatest distance, and the first place that was found to have it.
    farthest: [Option<(u32, P)>; 2],
}

impl<P> Default for Tally<P> {
    fn default() -> Self {
        Tally { results: ResultCounts::default(), farthest: [None, None] }
    }
}

impl<P: Copy> Tally<P> {
    /// Counts an entry for `weight` positions.
    #[inline]
    pub(crate) fn count(&mut self, entry: TableEntry, weight: u64, place: P) {
        self.results.count(entry.winner(), weight);
        if let Some(winner) = entry.winner() {
            self.find(winner, entry.distance(), place);
        }
    }

    /// Notes a win at a place.
    #[inline]
    pub(crate) fn find(&mut self, winner: Side, plies: u32, place: P) {
        let farthest = &mut self.farthest[winner as usize];
        if farthest.is_none_or(|(most, _)| most < plies) {
            *farthest = Some((plies, place));
        }
    }

    /// Adds the tally of positions that follow.
    pub(crate) fn add(&mut self, next: &Tally<P>) {
        self.results.add(next.results);
        for winner in [Side::Fox, Side::Geese] {
            if let Some((plies, place)) = next.farthest[winner as usize] {
                self.find(winner, plies, place);
            }
        }
    }
}
