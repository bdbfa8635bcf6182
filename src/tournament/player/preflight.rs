//! The check before the first game that every engine can play what is to be played.
//!
//! An option that a program does not know, a ruleset that it refuses: these are mistakes in the spec, and a tournament
//! of nothing but forfeits would be a wrong answer to them. A program that does not get through its start is no mistake
//! of the spec: each of its games is a forfeit.

use reynard_engine::rules::Seat;
use reynard_engine::session::registry;
use thiserror::Error;

use super::{AbandonFlag, Failure, GameSetup, open};
use crate::tournament::record::Forfeit;
use crate::tournament::resolved::{PlayableRuleset, ResolvedSpec};

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
pub(crate) fn preflight(resolved: &ResolvedSpec) -> Result<(), PreflightError> {
    for (ruleset, shape) in resolved.rulesets.iter().enumerate() {
        let roles = roles(shape);
        for (engine, config) in resolved.engines.iter().enumerate() {
            try_out(resolved, engine, ruleset, &roles).map_err(|failure| PreflightError {
                engine: config.name.clone(),
                ruleset: shape.label.clone(),
                message: failure.message,
            })?;
        }
    }
    Ok(())
}

/// The roles of both seats, by which options may differ.
fn roles(ruleset: &PlayableRuleset) -> [(Seat, &'static str); 2] {
    let session = registry::open(&ruleset.choice).ok();
    let role = |seat: Seat| session.as_ref().map_or(seat.name(), |session| session.game().role(seat));
    [Seat::P1, Seat::P2].map(|seat| (seat, role(seat)))
}

fn try_out(resolved: &ResolvedSpec, engine: usize, ruleset: usize, roles: &[(Seat, &str)]) -> Result<(), Failure> {
    let tried = open(resolved, engine, ruleset, &AbandonFlag::default()).and_then(|mut player| {
        roles.iter().try_for_each(|&(seat, role)| player.new_game(GameSetup { seed: 1, seat, role }))
    });
    match tried {
        Err(failure) if failure.kind == Forfeit::Refused => Err(failure),
        _ => Ok(()),
    }
}
