//! Lines added up to a slice of the standings.

use std::collections::BTreeMap;

use super::line::{Line, Reasons};
use super::summary::{ForfeitCount, ReasonCount, RoleResults, Slice, Tally};
use crate::tournament::mistakes::MistakeCount;
use crate::tournament::stats::{Pentanomial, Sample, Trinomial, estimate};

/// The sum of lines of one engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    sum: Line,
    roles: BTreeMap<String, RoleSum>,
    pairs: Pentanomial,
}

/// What is told of each role.
#[derive(Clone, Copy, Debug, Default)]
struct RoleSum {
    games: Trinomial,
    mistakes: Option<MistakeCount>,
}

impl Account {
    pub(super) fn add_line(&mut self, line: &Line, role: &str) {
        self.sum.absorb(line);
        let sum = self.roles.entry(role.to_owned()).or_default();
        sum.games = sum.games.plus(line.games);
        if let Some(found) = line.mistakes {
            sum.mistakes.get_or_insert_default().absorb(found);
        }
    }

    /// What was lost by failures in games that are no part of the account.
    pub(super) fn add_forfeits(&mut self, line: &Line) {
        for (&kind, games) in &line.forfeits {
            *self.sum.forfeits.entry(kind).or_default() += games;
        }
    }

    /// From the account's point of view.
    pub(super) fn add_pairs(&mut self, pairs: Pentanomial) {
        self.pairs = self.pairs.plus(pairs);
    }

    pub(super) fn slice(&self, reasons: &Reasons) -> Slice {
        let Line { games, plies, work, mistakes, .. } = self.sum;
        Slice {
            results: Tally::new(games, self.pairs),
            roles: self.roles.iter().map(|(role, &sum)| role_results(role, sum)).collect(),
            reasons: reason_counts(&self.sum.reasons, reasons),
            forfeits: self.sum.forfeits.iter().map(|(&kind, &games)| ForfeitCount { kind, games }).collect(),
            average_plies: mean(plies, games.games()),
            moves: work.moves,
            nodes_per_move: work.nodes.mean(),
            depth_per_move: work.depth.mean(),
            ms_per_move: work.time_us.mean().map(|us| us / 1000.0),
            mistakes: mistakes.map(|found| found.results()),
        }
    }
}

impl Line {
    pub(super) fn absorb(&mut self, other: &Line) {
        self.games = self.games.plus(other.games);
        for (&reason, &games) in &other.reasons {
            let sum = self.reasons.entry(reason).or_default();
            *sum = sum.plus(games);
        }
        for (&kind, games) in &other.forfeits {
            *self.forfeits.entry(kind).or_default() += games;
        }
        self.plies += other.plies;
        self.work.absorb(other.work);
        if let Some(found) = other.mistakes {
            self.add_mistakes(found);
        }
    }
}

fn role_results(role: &str, RoleSum { games, mistakes }: RoleSum) -> RoleResults {
    RoleResults {
        role: role.to_owned(),
        games: games.games(),
        wins: games.wins,
        draws: games.draws,
        losses: games.losses,
        points: games.points(),
        estimate: estimate(&games),
        mistakes: mistakes.map(|found| found.results()),
    }
}

/// The most frequent first.
pub(super) fn reason_counts(counts: &BTreeMap<usize, Trinomial>, reasons: &Reasons) -> Vec<ReasonCount> {
    let named = |(&number, games): (&usize, &Trinomial)| ReasonCount {
        reason: reasons.name(number).to_owned(),
        wins: games.wins,
        draws: games.draws,
        losses: games.losses,
    };
    let mut named: Vec<ReasonCount> = counts.iter().map(named).collect();
    let games = |count: &ReasonCount| count.wins + count.draws + count.losses;
    named.sort_by(|a, b| games(b).cmp(&games(a)).then_with(|| a.reason.cmp(&b.reason)));
    named
}

/// `None` of nothing.
pub(super) fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
