//! Sums over games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::summary::{ForfeitCount, ReasonCount};
use super::{half_points, plies};
use crate::tournament::mistakes::JudgedPlay;
use crate::tournament::record::{Cause, Ending, Forfeit, GameRecord, Opinion};
use crate::tournament::stats::{Pentanomial, Trinomial};

/// Sums over some games of one engine, from its point of view.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub games: Trinomial,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// By the reason of the end.
    pub reasons: BTreeMap<String, Trinomial>,
    /// The engine's own.
    pub forfeits: BTreeMap<Forfeit, u64>,
    /// Lengths of the games.
    pub plies: u64,
    pub work: SearchEffort,
    /// The engine's own; `None` while no moves were judged.
    pub judged: Option<JudgedPlay>,
}

/// What the engine spent, over its own moves. Written as means per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SearchEffort {
    pub moves: u64,
    #[serde(rename = "nodes_per_move", serialize_with = "KnownSum::write_mean")]
    pub nodes: KnownSum,
    #[serde(rename = "depth_per_move", serialize_with = "KnownSum::write_mean")]
    pub depth: KnownSum,
    #[serde(rename = "ms_per_move", serialize_with = "KnownSum::write_mean_ms")]
    pub time_us: KnownSum,
}

/// A sum over those moves for which the number is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownSum {
    pub sum: u64,
    pub moves: u64,
}

impl KnownSum {
    fn add(&mut self, number: Option<u64>) {
        if let Some(number) = number {
            self.sum = self.sum.saturating_add(number);
            self.moves += 1;
        }
    }

    fn absorb(&mut self, other: KnownSum) {
        self.sum = self.sum.saturating_add(other.sum);
        self.moves += other.moves;
    }

    /// `None` when it is known for no move.
    pub(crate) fn known(self) -> Option<u64> {
        (self.moves > 0).then_some(self.sum)
    }

    /// Per move; `None` when it is known for none.
    pub(crate) fn mean(self) -> Option<f64> {
        mean(self.sum, self.moves)
    }

    /// Milliseconds per move, where the sum is of microseconds.
    pub(crate) fn mean_ms(self) -> Option<f64> {
        self.mean().map(|us| us / 1000.0)
    }

    fn write_mean<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.mean().serialize(serializer)
    }

    fn write_mean_ms<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.mean_ms().serialize(serializer)
    }
}

impl SearchEffort {
    /// Adds a move.
    pub(crate) fn add(&mut self, opinion: &Opinion, time_us: Option<u64>) {
        self.moves += 1;
        self.nodes.add(opinion.nodes);
        self.depth.add(opinion.depth.map(u64::from));
        self.time_us.add(time_us);
    }

    pub(super) fn absorb(&mut self, other: SearchEffort) {
        self.moves += other.moves;
        self.nodes.absorb(other.nodes);
        self.depth.absorb(other.depth);
        self.time_us.absorb(other.time_us);
    }
}

impl Totals {
    /// Counts a game of the player of `seat`. `move_us` are the times of the game's moves.
    pub(super) fn add(&mut self, record: &GameRecord, move_us: &[u64], seat: usize) {
        let half_points = half_points(record, seat);
        self.games.add(half_points);
        self.with_reason(reason(&record.ending)).add(half_points);
        self.plies += u64::from(plies(record));
        // A game that both have forfeited has no winner.
        if let (Cause::Forfeit(kind), 0 | 1) = (&record.ending.cause, half_points) {
            *self.forfeits.entry(*kind).or_default() += 1;
        }
        for index in record.moves_of(seat) {
            self.work.add(&record.moves[index].opinion(), move_us.get(index).copied());
        }
    }

    pub(super) fn add_judged(&mut self, found: JudgedPlay) {
        self.judged.get_or_insert_default().absorb(found);
    }

    pub(super) fn absorb(&mut self, other: &Totals) {
        self.games = self.games.plus(other.games);
        self.pairs = self.pairs.plus(other.pairs);
        for (reason, &games) in &other.reasons {
            let sum = self.with_reason(reason);
            *sum = sum.plus(games);
        }
        for (&kind, games) in &other.forfeits {
            *self.forfeits.entry(kind).or_default() += games;
        }
        self.plies += other.plies;
        self.work.absorb(other.work);
        if let Some(found) = other.judged {
            self.add_judged(found);
        }
    }

    fn with_reason(&mut self, reason: &str) -> &mut Trinomial {
        self.reasons.entry(reason.to_owned()).or_default()
    }

    /// The most frequent first.
    pub(super) fn reason_counts(&self) -> Vec<ReasonCount> {
        let count = |(reason, &Trinomial { losses, draws, wins }): (&String, &Trinomial)| ReasonCount {
            reason: reason.clone(),
            wins,
            draws,
            losses,
        };
        let mut counts: Vec<ReasonCount> = self.reasons.iter().map(count).collect();
        // Those of equal frequency stay in the order of their names.
        counts.sort_by_key(|count| Reverse(count.games()));
        counts
    }

    pub(super) fn forfeit_counts(&self) -> Vec<ForfeitCount> {
        self.forfeits.iter().map(|(&kind, &games)| ForfeitCount { kind, games }).collect()
    }
}

/// A reason in which games can agree: words about one game alone are left out.
fn reason(ending: &Ending) -> &str {
    if ending.cause == Cause::Rules { &ending.reason } else { ending.cause.words().name }
}

/// `None` of nothing.
pub(super) fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
