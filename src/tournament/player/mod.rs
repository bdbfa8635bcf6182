//! Players: sessions in this process and external programs, behind one trait.

mod preflight;
#[cfg(unix)]
mod process;
mod request;
mod session;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) use preflight::{PreflightError, preflight};
#[cfg(all(unix, feature = "gui"))]
pub(crate) use process::{describe, end_with_this_thread};
pub use request::MoveRequest;
use reynard_engine::rules::Seat;

use super::plan::{Conversations, Plan};
use super::record::{Forfeit, Opinion};

/// Set when nobody waits for the players of a run any more: every wait for them ends soon, with any answer or failure.
pub type AbandonFlag = Arc<AtomicBool>;

/// A game as a player is told it: always whole, from its start.
#[derive(Clone, Copy, Debug)]
pub struct MoveHistory<'a> {
    /// `None` for the start position of the ruleset.
    pub start: Option<&'a str>,
    /// Moves from that position on, those of the opening and rolls of the dice included.
    pub moves: &'a [String],
}

/// What a player is told before a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSetup<'a> {
    /// Drives every random choice of a player whose options set no seed of their own.
    pub seed: u32,
    /// The seat that it holds.
    pub seat: Seat,
    /// The role of that seat, for example `fox` or `geese`: options may differ by role.
    pub role: &'a str,
}

/// A move with what was said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMove {
    /// As the player wrote it; whether it is legal is for the referee to say.
    pub text: String,
    /// Score, depth and nodes as the player told them.
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
/// out of its range ([`Forfeit::Refused`]).
pub fn open(
    plan: &Plan,
    conversations: &Conversations,
    engine: usize,
    ruleset: usize,
    abandoned: &AbandonFlag,
) -> Result<Box<dyn Player>, Failure> {
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
            Err(Failure::new(Forfeit::Start, message))
        }
    }
}
