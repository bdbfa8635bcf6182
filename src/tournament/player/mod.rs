//! Whoever finds moves: sessions in this process and external programs, behind one seam.

mod guard;
mod patience;
mod preflight;
#[cfg(unix)]
mod process;
mod session;

use std::time::Duration;

pub(crate) use preflight::{PreflightError, preflight};

use super::arena::{Arena, ArenaRuleset, EngineConfig, Program};
use super::record::{Forfeit, Opinion};
use super::spec::Limits;
use crate::engine::{Clock, GoRequest, TimeControl};
use crate::rules::{MAX_SEATS, Seat};
pub(crate) use guard::Guard;

/// A game as a player is told it: always whole, from its start.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    /// `None` for the start position of the ruleset.
    pub start: Option<&'a str>,
    pub moves: &'a [String],
}

/// What a player is told before a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSetup<'a> {
    /// Drives every random choice of a player whose options set no seed of their own.
    pub seed: u32,
    /// The first of the seats that it holds.
    pub seat: Seat,
    /// The role of that seat, for example `fox` or `geese`: options may differ by role.
    pub role: &'a str,
}

/// What may be spent on one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allowance {
    pub limits: Limits,
    pub seat: Seat,
    /// The clocks by seat; `None` for a seat without one.
    pub clocks: [Option<Clock>; MAX_SEATS],
    /// Own moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// A search that has not answered this long after it should have is given up.
    pub patience: Duration,
}

impl Allowance {
    /// The same as a request to a session.
    pub fn request(&self) -> GoRequest {
        let time = TimeControl {
            clocks: self.clocks,
            moves_to_go: self.moves_to_go,
            move_time: self.limits.movetime_ms.map(Duration::from_millis),
        };
        let limits =
            crate::search::SearchLimits { depth: self.limits.depth, nodes: self.limits.nodes, ..Default::default() };
        GoRequest { time, limits, ..GoRequest::default() }
    }
}

/// A move with what was said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// As the player wrote it; whether it is legal is for the referee to say.
    pub text: String,
    pub opinion: Opinion,
    /// From sending the request to reading the answer.
    pub spent: Duration,
}

/// Why a player did not do what was asked; it is unusable until it has been replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub kind: Forfeit,
    /// In words, with the offending text.
    pub message: String,
}

impl Failure {
    pub fn new(kind: Forfeit, message: impl Into<String>) -> Self {
        Failure { kind, message: message.into() }
    }

    /// A search that no clock bounds had to be stopped.
    ///
    /// How long it took is left out: with node limits a record does not depend on the clock of the machine.
    fn stopped() -> Self {
        Failure::new(Forfeit::Time, "moved only when stopped")
    }
}

/// A participant, already set to its ruleset and options.
pub trait Player: Send {
    /// Forgets the game before.
    ///
    /// # Errors
    /// The player is not usable.
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure>;

    /// Finds a move. Players in this process search on the calling thread, which should have a stack of
    /// [`STACK_BYTES`](crate::engine::STACK_BYTES).
    ///
    /// # Errors
    /// No usable answer came.
    fn choose(&mut self, history: History<'_>, allowance: &Allowance) -> Result<Choice, Failure>;

    /// The answer to `query WORDS` at the end of the history, without the leading `response`; `unknown` from an engine
    /// that does not know the query.
    ///
    /// # Errors
    /// No usable answer came.
    fn ask(&mut self, history: History<'_>, query: &str) -> Result<String, Failure>;

    /// Whether it has failed and is of no use any more.
    fn is_broken(&self) -> bool {
        false
    }
}

/// Opens the engine of that index for the ruleset of that index.
///
/// An external program is started, greeted and given its options. With a log folder its conversation goes into the file
/// `ENGINE.THREAD.log` there, `THREAD` being the name of the calling thread, and its error output into
/// `ENGINE.THREAD.stderr`.
///
/// # Errors
/// The program does not start or finish its handshake ([`Forfeit::Start`]), or an option is unknown to the engine or out
/// of its range ([`Forfeit::Refused`]).
pub fn open(arena: &Arena, engine: usize, ruleset: usize) -> Result<Box<dyn Player>, Failure> {
    open_under(arena, engine, ruleset, &Guard::default())
}

/// The same for one of the players of a run.
///
/// # Errors
/// See [`open`].
pub(crate) fn open_under(
    arena: &Arena,
    engine: usize,
    ruleset: usize,
    guard: &Guard,
) -> Result<Box<dyn Player>, Failure> {
    let (engine, ruleset) = (&arena.engines[engine], &arena.rulesets[ruleset]);
    match &engine.program {
        None => Ok(Box::new(session::SessionPlayer::open(engine, ruleset, &arena.conditions.supervision, guard)?)),
        Some(program) => open_process(arena, engine, program, ruleset, guard),
    }
}

#[cfg(unix)]
fn open_process(
    arena: &Arena,
    engine: &EngineConfig,
    program: &Program,
    ruleset: &ArenaRuleset,
    guard: &Guard,
) -> Result<Box<dyn Player>, Failure> {
    let (supervision, log_dir) = (&arena.conditions.supervision, arena.log_dir.as_deref());
    Ok(Box::new(process::ProcessPlayer::open(engine, program, ruleset, supervision, log_dir, guard.flag())?))
}

#[cfg(not(unix))]
fn open_process(
    _: &Arena,
    engine: &EngineConfig,
    _: &Program,
    _: &ArenaRuleset,
    _: &Guard,
) -> Result<Box<dyn Player>, Failure> {
    let message = format!("{}: external programs are supervised on Unix systems only", engine.name);
    Err(Failure::new(Forfeit::Start, message))
}
