//! Checks that journaled games are fixtures of the schedule that the journal's header decides.

use crate::tournament::header::JournalHeader;
use crate::tournament::record::GameRecord;
use crate::tournament::schedule::Schedule;

pub(super) struct Verifier<'a> {
    header: &'a JournalHeader,
    /// `None` for a journal that is no tournament's, such as that of a tuning run.
    schedule: Option<Schedule>,
}

impl<'a> Verifier<'a> {
    pub(super) fn new(header: &'a JournalHeader) -> Self {
        Verifier { header, schedule: Schedule::of(header).ok() }
    }

    /// # Errors
    /// What is wrong with the game.
    pub(super) fn verify(&self, record: &GameRecord) -> Result<(), String> {
        let fixture = &record.fixture;
        let game = fixture.game;
        let (engines, ruleset, rulesets) = (self.header.engines.len(), fixture.ruleset, self.header.rulesets.len());
        if let Some(stranger) = fixture.seats.iter().find(|&&engine| engine >= engines) {
            return Err(format!("game {game} names engine {stranger}, but there are {engines} engines"));
        }
        if ruleset >= rulesets {
            return Err(format!("game {game} names ruleset {ruleset}, but there are {rulesets} rulesets"));
        }
        if let Some(winner) = record.ending.winner.filter(|&winner| winner > 1) {
            return Err(format!("game {game} was won by seat {winner}, which it does not have"));
        }
        let Some(schedule) = &self.schedule else { return Ok(()) };
        if !schedule.has(game) {
            return Err(format!("game {game} belongs to another shard"));
        }
        match schedule.fixture(game) {
            None => Err(format!("there is no game {game} in this tournament")),
            Some(planned) if planned == *fixture => Ok(()),
            Some(_) => {
                Err(format!("game {game} has other players, another ruleset or another opening than the schedule"))
            }
        }
    }
}
