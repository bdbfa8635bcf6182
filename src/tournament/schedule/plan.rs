//! What a journal's head says about the games to be played.

use serde::Deserialize;
use thiserror::Error;

use super::Schedule;
use crate::tournament::header::{Header, Shard};
use crate::tournament::spec::Format;

/// Why the games of a tournament cannot be directed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlanError {
    #[error("the head of the journal names no tournament: {0}")]
    Head(String),
    #[error(
        "a tournament of format {0} cannot be divided into shards: who meets whom depends on the results of all \
         earlier games"
    )]
    Rounds(String),
    #[error("shard {index}/{count}: shards count from 0, so the last of {count} is {}/{count}", count.saturating_sub(1))]
    Shard { index: u64, count: u64 },
}

/// The part of a spec that decides which games there are.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Plan {
    pub format: Format,
    pub pairs: u64,
    #[serde(default)]
    pub rounds: Option<u32>,
    #[serde(skip)]
    engines: usize,
    /// Of each ruleset.
    #[serde(skip)]
    seats: Vec<usize>,
}

impl Plan {
    /// Reads it from a journal's head.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn of(header: &Header) -> Result<Plan, PlanError> {
        let plan: Plan = Plan::deserialize(&header.spec).map_err(|error| PlanError::Head(error.to_string()))?;
        let plan = Plan { engines: header.engines.len(), seats: header.seats(), ..plan };
        plan.check_shard(header.shard)?;
        Ok(plan)
    }

    fn check_shard(&self, shard: Option<Shard>) -> Result<(), PlanError> {
        let Some(Shard { index, count }) = shard else { return Ok(()) };
        if index >= count {
            return Err(PlanError::Shard { index, count });
        }
        match self.format {
            Format::Swiss => Err(PlanError::Rounds("swiss".to_owned())),
            Format::Knockout => Err(PlanError::Rounds("knockout".to_owned())),
            _ => Ok(()),
        }
    }

    pub fn schedule(&self) -> Schedule {
        let (rulesets, rounds) = (self.seats.len(), self.rounds.unwrap_or(0));
        Schedule::of(self.format, self.engines, rulesets, self.pairs, rounds).with_seats(&self.seats)
    }
}
