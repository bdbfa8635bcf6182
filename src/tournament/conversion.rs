//! Conversion: what became of the games that a player had won by tables of perfect play.
//!
//! A game counts for a player from the first position on that the tables cover and call won for it; between perfect
//! players it would be won. Tables ignore history: a player that repeats positions, or moves until the limit of plies
//! comes, gives nothing away and wins nothing either.

use serde::{Serialize, Serializer};
use serde_json::json;

use super::stats::{Sample, Trinomial};

/// What became of one game that a player had won. Plies count from 1, those of the opening too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// The ply after which it was won for the first time, 0 for the start.
    pub won_after: usize,
    /// What it brought the player: 0, 1 or 2.
    pub half_points: u8,
    /// The player's own move that gave the win away for good. None where the game was won, and where no move did: then
    /// the win was there as long as the tables knew.
    pub given_away: Option<usize>,
}

impl Conversion {
    /// In a word.
    pub(crate) fn result(self) -> &'static str {
        ["lost", "drawn", "won"][usize::from(self.half_points.min(2))]
    }
}

/// Where a player had a win during a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldWin {
    first: usize,
    last: usize,
}

impl HeldWin {
    /// Notes that the position after `ply` is won, too.
    pub(super) fn note(held: &mut Option<HeldWin>, ply: usize) {
        held.get_or_insert(HeldWin { first: ply, last: ply }).last = ply;
    }

    /// What became of it, by the plies of the mistakes in the game and its result.
    pub(super) fn conversion(self, mistakes: &[usize], half_points: u8) -> Conversion {
        let next = self.last + 1;
        let given_away = (half_points < 2 && mistakes.contains(&next)).then_some(next);
        Conversion { won_after: self.first, half_points, given_away }
    }
}

/// Games that a player had won at some moment, by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConversionCount {
    /// As the player sees them.
    pub games: Trinomial,
    /// Those drawn or lost though no move gave the win away: by repetition, by a limit of plies, by a forfeit.
    pub not_given_away: u64,
}

impl ConversionCount {
    /// Adds the counts of other games.
    pub fn absorb(&mut self, other: ConversionCount) {
        self.games = self.games.plus(other.games);
        self.not_given_away += other.not_given_away;
    }

    /// The part of the games that were won; `None` where none could be.
    pub fn share(&self) -> Option<f64> {
        let games = self.games.games();
        (games > 0).then(|| self.games.wins as f64 / games as f64)
    }
}

impl From<Option<Conversion>> for ConversionCount {
    fn from(conversion: Option<Conversion>) -> Self {
        let mut count = ConversionCount::default();
        if let Some(Conversion { half_points, given_away, .. }) = conversion {
            count.games.add(half_points);
            count.not_given_away = u64::from(half_points < 2 && given_away.is_none());
        }
        count
    }
}

/// The counts with what follows from them.
impl Serialize for ConversionCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Trinomial { losses, draws, wins } = self.games;
        let figures = json!({
            "games": self.games.games(), "won": wins, "drawn": draws, "lost": losses, "share": self.share(),
            "not_given_away": self.not_given_away,
        });
        figures.serialize(serializer)
    }
}
