//! Wins by seat.

use std::collections::BTreeMap;

use super::summary::SeatResults;
use super::totals::mean;
use crate::tournament::header::RulesetHeader;
use crate::tournament::record::{Cause, GameRecord};
use crate::tournament::stats::{Sample, Trinomial, wilson};

/// Games by ruleset, seat and the engine that held it. A forfeit is the failure of an engine and says nothing of a seat:
/// such games do not count here.
#[derive(Clone, Debug, Default)]
pub(super) struct SeatCounts(BTreeMap<(usize, usize, usize), Trinomial>);

impl SeatCounts {
    pub(super) fn add(&mut self, record: &GameRecord) {
        if matches!(record.ending.cause, Cause::Forfeit(_)) {
            return;
        }
        let fixture = &record.fixture;
        for (seat, &engine) in fixture.seats.iter().enumerate() {
            let half_points = record.ending.winner.map_or(1, |winner| 2 * u8::from(usize::from(winner) == seat));
            self.0.entry((fixture.ruleset, seat, engine)).or_default().add(half_points);
        }
    }

    /// Seat by seat, each first for all engines together and then for every engine.
    pub(super) fn results(&self, ruleset: usize, header: &RulesetHeader) -> Vec<SeatResults> {
        (0..header.seats.len()).flat_map(|seat| self.of_seat(ruleset, seat, header)).collect()
    }

    fn of_seat(&self, ruleset: usize, seat: usize, header: &RulesetHeader) -> Vec<SeatResults> {
        let own = || self.0.range((ruleset, seat, 0)..=(ruleset, seat, usize::MAX));
        let all = own().fold(Trinomial::default(), |sum, (_, &count)| sum.plus(count));
        let of_all = (all.games() > 0).then_some((None, all));
        let of_each = own().map(|(&(_, _, engine), &count)| (Some(engine), count));
        let result = |(engine, count): (Option<usize>, Trinomial)| {
            let (games, Trinomial { draws, wins, .. }) = (count.games(), count);
            let bounds = wilson(wins as f64, games as f64);
            SeatResults {
                seat,
                role: header.seats[seat].role.clone(),
                engine,
                games,
                wins,
                draws,
                share: mean(wins, games),
                wilson_low: bounds.map(|bounds| bounds.low),
                wilson_high: bounds.map(|bounds| bounds.high),
            }
        };
        of_all.into_iter().chain(of_each).map(result).collect()
    }
}
