//! The check before the first game that every engine can play what is to be played.
//!
//! An option that a program does not know, a ruleset that it refuses: these are mistakes in the spec, and a tournament
//! of nothing but forfeits would be a wrong answer to them. A program that does not get through its start is no mistake
//! of the spec: each of its games is a forfeit.

use reynard_engine::rules::Seat;
use thiserror::Error;

use super::{AbandonFlag, Failure, GameSetup, Player, open};
use crate::tournament::plan::{Conversations, Plan};
use crate::tournament::record::Forfeit;
use crate::tournament::ruleset::{Ruleset, SeatNames};

/// An engine that cannot play a ruleset at all.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{engine} cannot play {ruleset}: {message}")]
pub(crate) struct PreflightError {
    pub engine: String,
    pub ruleset: String,
    pub message: String,
}

/// Opens every engine once for every ruleset, one after the other, and sets it up for a game on either seat.
///
/// An engine that breaks down, at its start or later, passes: that is what the games are there to show.
///
/// # Errors
/// The first engine that refuses an option or the ruleset.
pub(crate) fn preflight(plan: &Plan, conversations: &Conversations) -> Result<(), PreflightError> {
    for (index, ruleset) in plan.rulesets().iter().enumerate() {
        for (engine, config) in plan.engines.iter().enumerate() {
            let opened = open(plan, conversations, engine, index, &AbandonFlag::default());
            let tried = opened.and_then(|player| try_out(player, ruleset));
            tried.or_else(unless_refused).map_err(|failure| PreflightError {
                engine: config.name.clone(),
                ruleset: ruleset.label.clone(),
                message: failure.message,
            })?;
        }
    }
    Ok(())
}

/// Sets a player up for a game on either seat, whose options may differ.
fn try_out(mut player: Box<dyn Player>, ruleset: &Ruleset) -> Result<(), Failure> {
    let mut seats = [Seat::P1, Seat::P2].into_iter().zip(&ruleset.seats);
    seats.try_for_each(|(seat, SeatNames { role, .. })| player.new_game(GameSetup { seed: 1, seat, role }))
}

fn unless_refused(failure: Failure) -> Result<(), Failure> {
    if failure.kind == Forfeit::Refused { Err(failure) } else { Ok(()) }
}
