//! Players: sessions in this process and external programs, behind one trait.

#[cfg(unix)]
mod process;
mod session;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[cfg(unix)]
pub(crate) use process::{Examination, examine};
#[cfg(all(unix, feature = "gui"))]
pub(crate) use process::{describe, end_with_this_thread};
use reynard_engine::rules::{MAX_SEATS, Seat};
use reynard_engine::session::GoRequest;
use thiserror::Error;

use super::plan::{Conversations, Plan};
use super::record::{Forfeit, Opinion};
use super::ruleset::SeatNames;

/// A year: nobody waits longer, and every clock of the machine can add it.
const LONGEST: Duration = Duration::from_secs(365 * 86_400);

/// Set when nobody waits for the players of a run any more: every wait for them ends soon, with any answer or failure.
pub type AbandonFlag = Arc<AtomicBool>;

/// A game as it is sent to a player: always whole, from its start.
#[derive(Clone, Copy, Debug)]
pub struct MoveHistory<'a> {
    /// `None` for the start position of the ruleset.
    pub start: Option<&'a str>,
    /// Moves from that position on, those of the opening and rolls of the dice included.
    pub moves: &'a [String],
}

/// What a player gets before a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSetup<'a> {
    /// Drives every random choice of a player whose options set no seed of their own.
    pub seed: u32,
    /// The seat that it holds.
    pub seat: Seat,
    /// The role of that seat, for example `fox` or `geese`: options may differ by role.
    pub role: &'a str,
}

/// What may be spent on one move, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRequest {
    /// The seat that is to move, whose clock runs.
    pub seat: Seat,
    /// Clocks and limits, as they are sent to the player.
    pub go: GoRequest,
    /// A search that has not answered this long after it should have is given up.
    pub timeout: Duration,
}

impl MoveRequest {
    /// Whether a clock decides when the move is due.
    pub(super) fn is_timed(&self) -> bool {
        self.due().is_some()
    }

    /// When a late search is told to stop and when it is given up, counted from its start; `grace` lies between them.
    ///
    /// A search on the clock is told to stop so early that the rest of the timeout is the grace; one that no clock
    /// bounds has the whole timeout for searching.
    pub(super) fn deadlines(&self, grace: Duration) -> [Duration; 2] {
        let stop = match self.due() {
            Some(due) => due.saturating_add(self.timeout.saturating_sub(grace)),
            None => self.timeout,
        };
        [stop, stop.saturating_add(grace)].map(|moment| moment.min(LONGEST))
    }

    /// When the move is due; `None` when no clock decides.
    fn due(&self) -> Option<Duration> {
        let left = self.go.time.clocks[self.seat.index() % MAX_SEATS].map(|clock| clock.left);
        left.into_iter().chain(self.go.time.move_time).min()
    }
}

/// A move with the report of its search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// As the player wrote it; whether it is legal is for the referee to say.
    pub text: String,
    /// Score, depth and nodes as the player reported them.
    pub opinion: Opinion,
    /// From sending the request to reading the answer.
    pub spent: Duration,
}

/// Why a player did not do what was asked; it is unusable until it has been replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// How the player failed, as the journal names it.
    pub kind: Forfeit,
    /// In words, with the offending text.
    pub message: String,
}

impl Failure {
    /// A failure of this kind; `message` says in words what was wrong.
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

/// Why there is no player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenError {
    /// The player's own fault, which loses the game.
    Failed(Failure),
    /// The machine lacks what it takes to start it, which is no engine's fault: what, and what helps.
    Shortage(String),
}

impl From<Failure> for OpenError {
    fn from(failure: Failure) -> Self {
        OpenError::Failed(failure)
    }
}

/// A participant in games of one ruleset, with its options set.
///
/// ```
/// use reynard_engine::session::GoRequest;
/// use reynard_engine::rules::Seat;
/// use reynard::testing::tournament::player::{ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, Player};
/// use reynard::testing::tournament::Opinion;
///
/// /// Plays the moves of a list, one a ply.
/// struct Listed(Vec<String>);
///
/// impl Player for Listed {
///     fn new_game(&mut self, _: GameSetup<'_>) -> Result<(), Failure> {
///         Ok(())
///     }
///
///     fn choose(&mut self, history: MoveHistory<'_>, _: &MoveRequest) -> Result<ChosenMove, Failure> {
///         let text = self.0[history.moves.len()].clone();
///         Ok(ChosenMove { text, opinion: Opinion::default(), spent: Default::default() })
///     }
/// }
///
/// let request = MoveRequest { seat: Seat::P1, go: GoRequest::nodes(1), timeout: Default::default() };
/// let chosen = Listed(vec!["a4a5".to_owned()]).choose(MoveHistory { start: None, moves: &[] }, &request).unwrap();
/// assert_eq!(chosen.text, "a4a5");
/// ```
pub trait Player: Send {
    /// Forgets the game before.
    ///
    /// # Errors
    /// The player is not usable.
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure>;

    /// Finds a move. Players in this process search on the calling thread, which should have a stack of
    /// [`STACK_BYTES`](reynard_engine::session::STACK_BYTES).
    ///
    /// # Errors
    /// No usable answer came.
    fn choose(&mut self, history: MoveHistory<'_>, request: &MoveRequest) -> Result<ChosenMove, Failure>;
}

/// Opens the engine of that index for the ruleset of that index.
///
/// An external program is started, greeted and given its options. With a log folder its conversation goes into the file
/// `ENGINE.THREAD.log` there, `THREAD` being the name of the calling thread, and its error output into
/// `ENGINE.THREAD.stderr`.
///
/// # Errors
/// The program does not start or finish its handshake ([`Forfeit::Start`]), or an option is unknown to the engine or
/// out of its range ([`Forfeit::Refused`]); or the machine has no more files, processes or memory.
pub fn open(
    plan: &Plan,
    conversations: &Conversations,
    engine: usize,
    ruleset: usize,
    abandoned: &AbandonFlag,
) -> Result<Box<dyn Player>, OpenError> {
    let (engine, ruleset) = (&plan.engines[engine], &plan.rulesets()[ruleset]);
    match &engine.program {
        None => {
            let grace = Duration::from_millis(plan.spec.supervision.stop_ms);
            Ok(Box::new(session::SessionPlayer::open(engine, ruleset, grace, abandoned)?))
        }
        #[cfg(unix)]
        Some(program) => {
            let player = process::ProcessPlayer::open(plan, conversations, engine, program, ruleset, abandoned)?;
            Ok(Box::new(player))
        }
        #[cfg(not(unix))]
        Some(_) => {
            let message = format!("{}: external programs are supervised on Unix systems only", engine.name);
            Err(Failure::new(Forfeit::Start, message).into())
        }
    }
}

/// Why a tournament cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum PreflightError {
    /// An engine cannot play a ruleset at all.
    #[error("{engine} cannot play {ruleset}: {message}")]
    Refused { engine: String, ruleset: String, message: String },
    /// The machine lacks what it takes to start an engine.
    #[error("{0}")]
    Shortage(String),
}

/// Checks before the first game that every engine can play what is to be played: opens each once for every ruleset,
/// one after the other, and sets it up for a game on either seat.
///
/// An option that a program does not know, a ruleset that it refuses: these are mistakes in the spec, and a tournament
/// of nothing but forfeits would be a wrong answer to them. An engine that breaks down, at its start or later, passes:
/// that is what the games are there to show.
///
/// # Errors
/// The first engine that refuses an option or the ruleset; or the machine cannot start one.
pub(crate) fn preflight(plan: &Plan, conversations: &Conversations) -> Result<(), PreflightError> {
    for (index, ruleset) in plan.rulesets().iter().enumerate() {
        for (engine, config) in plan.engines.iter().enumerate() {
            let opened = open(plan, conversations, engine, index, &AbandonFlag::default());
            match opened.and_then(|mut player| Ok(try_out(&mut *player, &ruleset.seats)?)) {
                Err(OpenError::Failed(Failure { kind: Forfeit::Refused, message })) => {
                    let (engine, ruleset) = (config.name.clone(), ruleset.label.clone());
                    return Err(PreflightError::Refused { engine, ruleset, message });
                }
                Err(OpenError::Shortage(message)) => return Err(PreflightError::Shortage(message)),
                Ok(()) | Err(OpenError::Failed(_)) => {}
            }
        }
    }
    Ok(())
}

/// Sets a player up for a game on either seat, whose options may differ.
fn try_out(player: &mut dyn Player, seats: &[SeatNames; 2]) -> Result<(), Failure> {
    let mut seats = [Seat::P1, Seat::P2].into_iter().zip(seats);
    seats.try_for_each(|(seat, SeatNames { role, .. })| player.new_game(GameSetup { seed: 1, seat, role }))
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::{Clock, TimeControl};

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn moments(move_time: Option<u64>, left: Option<u64>, timeout: u64) -> [Duration; 2] {
        let clock = left.map(|left| Clock { left: MS(left), increment: Duration::ZERO });
        let clocks = TimeControl::of_clocks(&[Some(Clock::default()), clock]);
        let time = TimeControl { move_time: move_time.map(MS), ..clocks };
        let go = GoRequest { time, ..GoRequest::nodes(100) };
        MoveRequest { seat: Seat::P2, go, timeout: MS(timeout) }.deadlines(MS(50))
    }

    #[test]
    fn a_clock_leaves_the_margin_and_then_the_time_to_stop() {
        assert_eq!(moments(Some(100), None, 80), [MS(130), MS(180)]);
        assert_eq!(moments(Some(100), Some(40), 80), [MS(70), MS(120)]);
        assert_eq!(moments(None, Some(40), 20), [MS(40), MS(90)]);
    }

    #[test]
    fn without_a_clock_the_timeout_bounds_the_search() {
        assert_eq!(moments(None, None, 700), [MS(700), MS(750)]);
    }
}
