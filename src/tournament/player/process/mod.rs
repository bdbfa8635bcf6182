//! A player in a process of its own, spoken to in UGI or UCI and never trusted.

mod child;
mod compliance;
mod connection;
mod log;
mod options;
mod search_text;

use std::time::{Duration, Instant};

#[cfg(feature = "gui")]
pub(crate) use self::child::{describe, end_with_this_thread};
pub(crate) use self::compliance::{Examination, examine};
use self::connection::{Connection, after, complaint, quoted};
use self::options::{AnnouncedOption, OptionSync};
use super::{AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, OpenError, Player};
use crate::tournament::plan::{Conversations, EngineConfig, Plan};
use crate::tournament::record::{Forfeit, Opinion};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{ProgramSpec, ProtocolName};

/// How long a process may take to end by itself once it was told to.
const QUIT_GRACE: Duration = Duration::from_millis(500);
/// What a program may announce; all of it is kept.
const MAX_GREETING_BYTES: usize = 4 << 20;

/// A child process. A failure kills it at once; dropping it otherwise lets it quit first.
pub(super) struct ProcessPlayer {
    connection: Connection,
    protocol: ProtocolName,
    options: OptionSync,
    /// For an answer that needs no thinking.
    ping: Duration,
    /// For the answer of a search that was stopped.
    grace: Duration,
    is_broken: bool,
}

impl ProcessPlayer {
    /// Starts the program, greets it and checks the options; they are set before the first game.
    pub(super) fn open(
        plan: &Plan,
        conversations: &Conversations,
        engine: &EngineConfig,
        program: &ProgramSpec,
        ruleset: &Ruleset,
        abandoned: &AbandonFlag,
    ) -> Result<Self, OpenError> {
        let supervision = &plan.spec.supervision;
        let [start, ping, grace] =
            [supervision.start_ms, supervision.ping_ms, supervision.stop_ms].map(Duration::from_millis);
        let mut connection = Connection::start(supervision, conversations, &engine.name, program, abandoned)?;
        let options = greet(&mut connection, program.protocol, start)
            .and_then(|announced| OptionSync::new(announced, engine, ruleset))
            .inspect_err(|failure| connection.give_up(failure))?;
        Ok(ProcessPlayer { connection, protocol: program.protocol, options, ping, grace, is_broken: false })
    }

    /// After a failure nothing more is to be expected of the program.
    fn supervised<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let result = act(self);
        if let Err(failure) = &result {
            self.is_broken = true;
            self.connection.give_up(failure);
        }
        result
    }

    /// Sends the position. An answer that comes before this is settled belongs to the past.
    fn set_position(&mut self, history: MoveHistory<'_>) -> Result<(), Failure> {
        self.connection.send(&search_text::position(history));
        self.settle()
    }

    /// Waits until the program has done what it was sent, which needs no thinking.
    fn settle(&mut self) -> Result<(), Failure> {
        self.connection.send("isready");
        let mut complaint = None;
        let read = self.connection.read_until(Instant::now() + self.ping, |line| {
            complaint = complaint.take().or_else(|| self::complaint(line).map(str::to_owned));
            Ok(after(line, "readyok").map(|_| ()))
        })?;
        read.ok_or_else(|| self.silent(format!("no readyok within {} ms", self.ping.as_millis())))?;
        complaint.map_or(Ok(()), |message| Err(refused(&message)))
    }

    fn search(&mut self, request: &MoveRequest) -> Result<ChosenMove, Failure> {
        let [stop, give_up] = request.deadlines(self.grace);
        self.connection.send(&search_text::go(&request.go, self.protocol));
        let start = Instant::now();
        let mut opinion = Opinion::default();
        let mut answer = read_best_move(&mut self.connection, start + stop, &mut opinion)?;
        let is_overdue = answer.is_none();
        if is_overdue {
            self.connection.send("stop");
            answer = read_best_move(&mut self.connection, start + give_up, &mut opinion)?;
        }
        let spent = start.elapsed();
        let text = answer.ok_or_else(|| {
            let (all, after) = (give_up.as_millis(), self.grace.as_millis());
            self.silent(format!("no bestmove within {all} ms, the last {after} of them after stop"))
        })?;
        match is_overdue && !request.is_timed() {
            true => Err(Failure::stopped()),
            false => Ok(ChosenMove { text, opinion, spent }),
        }
    }

    /// The failure of a program that was waited for in vain, perhaps because it does not even listen.
    fn silent(&self, message: String) -> Failure {
        let unread = if self.connection.is_sending() { "; it does not read its input" } else { "" };
        Failure::new(Forfeit::Hang, message + unread)
    }
}

/// Reads up to `bestmove` and keeps the last report before it.
fn read_best_move(
    connection: &mut Connection,
    deadline: Instant,
    opinion: &mut Opinion,
) -> Result<Option<String>, Failure> {
    connection.read_until(deadline, |line| {
        if let Some(message) = complaint(line) {
            return Err(refused(message));
        }
        if let Some(report) = search_text::opinion(line) {
            *opinion = report;
        }
        after(line, "bestmove").map(search_text::best_move).transpose()
    })
}

/// The handshake; everything that goes wrong in it is a failure to start.
fn greet(
    connection: &mut Connection,
    protocol: ProtocolName,
    timeout: Duration,
) -> Result<Vec<AnnouncedOption>, Failure> {
    let (greeting, reply) = match protocol {
        ProtocolName::Ugi => ("ugi", "ugiok"),
        ProtocolName::Uci => ("uci", "uciok"),
    };
    connection.send(greeting);
    let mut announced = Vec::new();
    let mut bytes = 0;
    let read = connection.read_until(Instant::now() + timeout, |line| {
        announced.extend(after(line, "option").and_then(AnnouncedOption::parse));
        bytes += line.len();
        if bytes > MAX_GREETING_BYTES {
            return Err(Failure::new(Forfeit::Start, format!("more than {MAX_GREETING_BYTES} bytes of options")));
        }
        Ok(after(line, reply).map(|_| ()))
    });
    let why = match read {
        Ok(Some(())) => return Ok(announced),
        Ok(None) => format!("not within {} ms", timeout.as_millis()),
        Err(failure) => failure.message,
    };
    Err(Failure::new(Forfeit::Start, format!("no {reply} after {greeting}: {why}")))
}

fn refused(message: &str) -> Failure {
    Failure::new(Forfeit::Refused, format!("complained: {}", quoted(message)))
}

impl Player for ProcessPlayer {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        self.supervised(|player| {
            let commands = player.options.commands(&setup);
            commands.iter().for_each(|command| player.connection.send(command));
            player.connection.send(match player.protocol {
                ProtocolName::Ugi => "uginewgame",
                ProtocolName::Uci => "ucinewgame",
            });
            player.settle()
        })
    }

    fn choose(&mut self, history: MoveHistory<'_>, request: &MoveRequest) -> Result<ChosenMove, Failure> {
        self.supervised(|player| {
            player.set_position(history)?;
            player.search(request)
        })
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        if !self.is_broken {
            self.connection.end(QUIT_GRACE);
        }
    }
}
