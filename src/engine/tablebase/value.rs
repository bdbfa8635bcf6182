//! The value of a position with best play: its metric, its form as a file's entry, and its counts in a layer.

use serde::{Deserialize, Serialize};

use crate::rules::Seat;
use crate::rules::hunt::Side;

/// The event to which the distances of a table count plies, with the winner hurrying and the loser delaying.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The next irreversible move, or the end of the game if that comes first (depth to conversion).
    #[default]
    Conversion,
    /// The end of the game (depth to mate).
    End,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Metric; 2] = [Metric::Conversion, Metric::End];

    /// Whether the count of plies begins anew after a move, which is `irreversible` or not.
    #[inline]
    pub(crate) fn restarts(self, irreversible: bool) -> bool {
        irreversible && self == Metric::Conversion
    }

    /// The extension of the files of tables with this metric.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Metric::Conversion => "table",
            Metric::End => "ends",
        }
    }

    /// A remark to follow the name of a game, to tell tables of this metric; empty for conversion.
    pub fn remark(self) -> &'static str {
        match self {
            Metric::Conversion => "",
            Metric::End => " (distances to the end)",
        }
    }

    /// The event to which plies are counted, as words for messages.
    pub fn goal(self) -> &'static str {
        match self {
            Metric::Conversion => "to conversion",
            Metric::End => "to the end",
        }
    }
}

/// The value of a position with best play on both sides; the players are seats, or the sides of a hunt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableValue<P = Seat> {
    /// The player who wins; `None` is a draw.
    pub winner: Option<P>,
    /// Plies to the event that the table's metric counts to; 0 when the game is over, and for draws.
    pub distance: u32,
}

impl<P: PartialEq> TableValue<P> {
    /// Neither side can force a win; the distance is 0.
    pub const DRAW: Self = TableValue { winner: None, distance: 0 };

    /// The value of a position that is over.
    pub fn of_end(winner: Option<P>) -> Self {
        TableValue { winner, distance: 0 }
    }

    /// The value of the position before, if a move to this position is best there; `irreversible` moves begin a new
    /// count.
    pub fn before(self, irreversible: bool) -> Self {
        match self.winner {
            None => Self::DRAW,
            Some(_) if irreversible => TableValue { distance: 1, ..self },
            Some(_) => TableValue { distance: self.distance + 1, ..self },
        }
    }

    /// A number that orders values from bad to good for `player`: soon lost, late lost, drawn, late won, soon won.
    pub fn rank(self, player: P) -> i64 {
        let distance = i64::from(self.distance);
        match self.winner {
            None => 0,
            Some(winner) if winner == player => i64::from(u32::MAX) + 1 - distance,
            Some(_) => distance - i64::from(u32::MAX) - 1,
        }
    }

    /// The value with the players translated by `name`.
    pub fn map<Q>(self, name: impl FnOnce(P) -> Q) -> TableValue<Q> {
        TableValue { winner: self.winner.map(name), distance: self.distance }
    }
}

/// The value of a position as a number in a file: 0 is a draw, `1 + 2d` a win of the fox side, `2 + 2d` a win of the
/// geese side, with the distance `d` in plies by the table's metric.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TableEntry(pub u16);

impl TableEntry {
    /// Neither side can force a win.
    pub const DRAW: TableEntry = TableEntry(0);
    /// The greatest distance that an entry can hold, in plies.
    pub const MAX_DISTANCE: u32 = (u16::MAX as u32 - 2) / 2;

    /// The entry of a win; `distance` is at most [`MAX_DISTANCE`](TableEntry::MAX_DISTANCE).
    pub fn won(winner: Side, distance: u32) -> TableEntry {
        debug_assert!(distance <= TableEntry::MAX_DISTANCE);
        let first = if winner == Side::Fox { 1 } else { 2 };
        TableEntry((first + 2 * distance) as u16)
    }

    /// The side that wins; `None` is a draw.
    pub fn winner(self) -> Option<Side> {
        match self.0 {
            0 => None,
            code if code % 2 == 1 => Some(Side::Fox),
            _ => Some(Side::Geese),
        }
    }

    /// The distance in plies; 0 for draws.
    pub fn distance(self) -> u32 {
        u32::from(self.0.saturating_sub(1) / 2)
    }

    /// The winner and the distance in plies.
    pub fn value(self) -> TableValue<Side> {
        TableValue { winner: self.winner(), distance: self.distance() }
    }
}

/// How often each result occurs among the positions of a layer with one side to move: all placements on the board,
/// mirrored ones counted separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Positions that the fox side wins.
    pub fox_wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions that the geese side wins.
    pub geese_win: u64,
}

impl ResultCounts {
    /// All positions counted.
    pub fn total(&self) -> u64 {
        self.fox_wins + self.draws + self.geese_win
    }

    /// Adds `positions` with this winner; `None` is a draw.
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
    /// The distance in plies.
    pub plies: u32,
    /// The text of the position.
    pub position: String,
}

impl LongestWin {
    /// The side to move, then the side that wins.
    pub fn sides(&self) -> [Side; 2] {
        [self.turn, self.winner].map(|letter| if letter == 'f' { Side::Fox } else { Side::Geese })
    }
}

/// The summary of a solved layer in the header of its file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayerSummary {
    /// Results with the geese side to move, of every position in the normal phase with nothing owed.
    pub geese_to_move: ResultCounts,
    /// Results with the fox side to move, of every position in the normal phase with nothing owed.
    pub fox_to_move: ResultCounts,
    /// The longest wins, at most one for each side to move and winner.
    pub longest: Vec<LongestWin>,
}

impl LayerSummary {
    /// Sums up a layer from its tallies, that with the geese to move first. `text` formats the position at a place with
    /// a side to move.
    pub(crate) fn new<P: Copy>(tallies: &[Tally<P>; 2], text: impl Fn(P, Side) -> String) -> LayerSummary {
        let [geese_to_move, fox_to_move] = tallies.each_ref().map(|tally| tally.results);
        let mut longest = Vec::new();
        for (tally, turn) in tallies.iter().zip([Side::Geese, Side::Fox]) {
            for winner in [Side::Fox, Side::Geese] {
                // Positions that are over are no longest wins.
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

/// Results of positions with one side to move, and the places `P` of the longest wins among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally<P> {
    pub(crate) results: ResultCounts,
    /// By winner: the greatest distance, and the first place found to have it.
    farthest: [Option<(u32, P)>; 2],
}

impl<P> Default for Tally<P> {
    fn default() -> Self {
        Tally { results: ResultCounts::default(), farthest: [None, None] }
    }
}

impl<P: Copy> Tally<P> {
    /// Counts an entry for `weight` positions, the first of which is at `place`.
    #[inline]
    pub(crate) fn count(&mut self, entry: TableEntry, weight: u64, place: P) {
        self.results.count(entry.winner(), weight);
        if let Some(winner) = entry.winner() {
            self.find(winner, entry.distance(), place);
        }
    }

    /// Notes a win at a place, in case it is the longest.
    #[inline]
    pub(crate) fn find(&mut self, winner: Side, plies: u32, place: P) {
        let farthest = &mut self.farthest[winner as usize];
        if farthest.is_none_or(|(most, _)| most < plies) {
            *farthest = Some((plies, place));
        }
    }

    /// Adds the tally of positions that come after the present ones.
    pub(crate) fn add(&mut self, next: &Tally<P>) {
        self.results.add(next.results);
        for winner in [Side::Fox, Side::Geese] {
            if let Some((plies, place)) = next.farthest[winner as usize] {
                self.find(winner, plies, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soon_won_is_liked_best_and_soon_lost_least() {
        let value = |winner, distance| TableValue { winner, distance };
        let (won, lost) = (Some(Seat::P1), Some(Seat::P2));
        let values = [value(lost, 1), value(lost, 9), TableValue::DRAW, value(won, 9), value(won, 1)];
        assert!(values.is_sorted_by(|one, next| one.rank(Seat::P1) < next.rank(Seat::P1)));
        assert_eq!((value(won, 9).before(false), value(won, 9).before(true)), (value(won, 10), value(won, 1)));
    }

    #[test]
    fn entries_keep_winner_and_distance() {
        for distance in [0, 1, 2, 77, TableEntry::MAX_DISTANCE] {
            for side in [Side::Fox, Side::Geese] {
                let entry = TableEntry::won(side, distance);
                assert_eq!((entry.winner(), entry.distance()), (Some(side), distance));
            }
        }
        assert_eq!((TableEntry::DRAW.winner(), TableEntry::DRAW.distance()), (None, 0));
    }
}
