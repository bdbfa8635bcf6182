//! What one engine did from one seat, or from every other seat, of one ruleset against one opponent.

use std::collections::BTreeMap;

use super::{half_points, plies};
use crate::tournament::mistakes::MistakeCount;
use crate::tournament::record::{Cause, Ending, Forfeit, GameRecord, GameTimes};
use crate::tournament::stats::Trinomial;

/// Sums over games, from the engine's point of view.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub games: Trinomial,
    /// By the number of the reason in [`Reasons`].
    pub reasons: BTreeMap<usize, Trinomial>,
    /// The engine's own.
    pub forfeits: BTreeMap<Forfeit, u64>,
    /// Lengths of the games.
    pub plies: u64,
    pub work: Work,
    /// The engine's own; `None` while no moves were judged.
    pub mistakes: Option<MistakeCount>,
}

/// What the engine spent and told, over its own moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Work {
    pub moves: u64,
    pub nodes: Share,
    pub depth: Share,
    pub time_us: Share,
}

/// A sum over those moves for which the number is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Share {
    pub sum: u64,
    pub moves: u64,
}

impl Share {
    fn add(&mut self, number: Option<u64>) {
        if let Some(number) = number {
            self.sum = self.sum.saturating_add(number);
            self.moves += 1;
        }
    }

    fn absorb(&mut self, other: Share) {
        self.sum = self.sum.saturating_add(other.sum);
        self.moves += other.moves;
    }

    /// Per move; `None` when it is known for none.
    pub(super) fn mean(self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum as f64 / self.moves as f64)
    }
}

impl Work {
    pub(super) fn absorb(&mut self, other: Work) {
        self.moves += other.moves;
        self.nodes.absorb(other.nodes);
        self.depth.absorb(other.depth);
        self.time_us.absorb(other.time_us);
    }
}

impl Line {
    /// `player` is 0 or 1, by whoever holds the first seat.
    pub(super) fn add_result(&mut self, record: &GameRecord, player: usize, reason: usize) {
        let half_points = half_points(record, player);
        self.games.add(half_points);
        self.reasons.entry(reason).or_default().add(half_points);
        self.plies += u64::from(plies(record));
        // A game that both have forfeited has no winner.
        if let (Cause::Forfeit(kind), 0 | 1) = (&record.ending.cause, half_points) {
            *self.forfeits.entry(*kind).or_default() += 1;
        }
    }

    pub(super) fn add_mistakes(&mut self, found: MistakeCount) {
        self.mistakes.get_or_insert_default().absorb(found);
    }

    /// `moves` are the indices of the engine's own moves in the record.
    pub(super) fn add_work(
        &mut self,
        record: &GameRecord,
        times: Option<&GameTimes>,
        moves: impl Iterator<Item = usize>,
    ) {
        for index in moves {
            let opinion = record.moves[index].opinion();
            self.work.moves += 1;
            self.work.nodes.add(opinion.nodes);
            self.work.depth.add(opinion.depth.map(u64::from));
            self.work.time_us.add(times.and_then(|times| times.move_us.get(index).copied()));
        }
    }
}

/// The reasons that have occurred, each with a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Reasons {
    names: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

/// An engine that judges its own games may invent a reason for each; those beyond so many are counted together.
const MOST_REASONS: usize = 1000;

impl Reasons {
    pub(super) fn id(&mut self, ending: &Ending) -> usize {
        let name = name(ending);
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let name = if self.names.len() < MOST_REASONS { name } else { "other reasons" };
        let next = self.names.len();
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        number
    }

    pub(super) fn name(&self, number: usize) -> &str {
        &self.names[number]
    }
}

/// A reason without what differs from game to game.
fn name(ending: &Ending) -> &str {
    match &ending.cause {
        Cause::Rules => &ending.reason,
        Cause::PlyLimit => "limit of plies reached",
        Cause::DrawAdjudication => "adjudicated draw",
        Cause::ResignAdjudication => "adjudicated resignation",
        Cause::TableAdjudication => "adjudicated by table",
        Cause::Forfeit(kind) => forfeit_name(*kind),
    }
}

fn forfeit_name(kind: Forfeit) -> &'static str {
    match kind {
        Forfeit::Start => "forfeit: did not start",
        Forfeit::Crash => "forfeit: crash",
        Forfeit::ClosedPipe => "forfeit: closed pipe",
        Forfeit::Hang => "forfeit: no answer",
        Forfeit::Time => "forfeit: time",
        Forfeit::IllegalMove => "forfeit: illegal move",
        Forfeit::NoMove => "forfeit: no move",
        Forfeit::Garbage => "forfeit: garbage",
        Forfeit::HugeLine => "forfeit: huge line",
        Forfeit::Flood => "forfeit: flood of output",
        Forfeit::Refused => "forfeit: refused a request",
    }
}
