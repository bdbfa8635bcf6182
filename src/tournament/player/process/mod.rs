//! A player in a process of its own, spoken to in UGI or UCI and never trusted.

mod announced;
mod child;
mod conversation;
mod log;
mod pipes;
mod search;
mod settings;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use self::announced::Announced;
use self::conversation::{Conversation, Line, Trouble, quoted};
use self::settings::Settings;
use super::patience::Patience;
use super::{Allowance, Choice, Failure, GameSetup, History, Player};
use crate::tournament::arena::{ArenaRuleset, EngineConfig, Program};
use crate::tournament::record::{Forfeit, Opinion};
use crate::tournament::spec::{ProtocolName, Supervision};

/// What an engine says of a query that it does not know; silence is taken for the same.
const UNKNOWN: &str = "unknown";
/// What a program may announce; all of it is kept.
const MAX_GREETING_BYTES: usize = 4 << 20;

/// A child process. A failure kills it at once; dropping it otherwise lets it quit first.
pub(super) struct ProcessPlayer {
    talk: Conversation,
    protocol: ProtocolName,
    settings: Settings,
    ping: Duration,
    stop: Duration,
    is_broken: bool,
}

impl ProcessPlayer {
    /// Starts the program, greets it and checks the options; they are set before the first game.
    pub(super) fn open(
        engine: &EngineConfig,
        program: &Program,
        ruleset: &ArenaRuleset,
        supervision: &Supervision,
        log_dir: Option<&Path>,
        abandon: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let start = Duration::from_millis(supervision.start_ms);
        let mut talk = Conversation::start(program, &engine.name, supervision, log_dir, abandon)?;
        let settings = greet(&mut talk, program.protocol, start)
            .and_then(|announced| Settings::new(announced, engine, ruleset))
            .inspect_err(|failure| talk.give_up(failure))?;
        Ok(ProcessPlayer {
            talk,
            protocol: program.protocol,
            settings,
            ping: Duration::from_millis(supervision.ping_ms),
            stop: Duration::from_millis(supervision.stop_ms),
            is_broken: false,
        })
    }

    /// After a failure nothing more is to be expected of the program.
    fn supervised<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let result = act(self);
        if let Err(failure) = &result {
            self.is_broken = true;
            self.talk.give_up(failure);
        }
        result
    }

    /// Waits until all that was said is done. Whatever comes before that belongs to the past.
    fn settle(&mut self) -> Result<(), Failure> {
        self.talk.say("isready");
        let mut complaint = None;
        self.await_reply("readyok", |line| {
            if let Some(message) = line.complaint() {
                complaint.get_or_insert_with(|| message.to_owned());
            }
            Ok(line.after("readyok").map(|_| ()))
        })?;
        match complaint {
            Some(message) => Err(refused(&message)),
            None => Ok(()),
        }
    }

    /// An answer that needs no thinking.
    fn await_reply<T>(
        &mut self,
        name: &str,
        mut wanted: impl FnMut(&Line) -> Result<Option<T>, Failure>,
    ) -> Result<T, Failure> {
        let heard = self.talk.hear_until(Instant::now() + self.ping, |line| {
            line.ensure_clean()?;
            wanted(line)
        });
        let silence = || format!("no {name} within {} ms{}", self.ping.as_millis(), unread(&self.talk));
        heard.map_err(|trouble| trouble.or_hang(silence))
    }

    fn search(&mut self, allowance: &Allowance) -> Result<Choice, Failure> {
        let patience = Patience::new(allowance, self.stop);
        self.talk.say(&search::go(allowance, self.protocol));
        let start = Instant::now();
        let mut opinion = Opinion::default();
        let mut answer = hear_best_move(&mut self.talk, start + patience.stop, &mut opinion);
        let is_overdue = matches!(answer, Err(Trouble::Late));
        if is_overdue {
            self.talk.say("stop");
            answer = hear_best_move(&mut self.talk, start + patience.give_up, &mut opinion);
        }
        let spent = start.elapsed();
        let silence = || {
            let (all, after) = (patience.give_up.as_millis(), self.stop.as_millis());
            format!("no bestmove within {all} ms, the last {after} of them after stop{}", unread(&self.talk))
        };
        let text = answer.map_err(|trouble| trouble.or_hang(silence))?;
        match is_overdue && !allowance.limits.is_timed() {
            true => Err(Failure::stopped()),
            false => Ok(Choice { text, opinion, spent }),
        }
    }
}

/// Reads up to `bestmove` and keeps the last report before it.
fn hear_best_move(talk: &mut Conversation, deadline: Instant, opinion: &mut Opinion) -> Result<String, Trouble> {
    talk.hear_until(deadline, |line| {
        line.ensure_clean()?;
        if let Some(message) = line.complaint() {
            return Err(refused(message));
        }
        if let Some(report) = search::opinion(line) {
            *opinion = report;
        }
        line.after("bestmove").map(search::best_move).transpose()
    })
}

/// The handshake; everything that goes wrong in it is a failure to start.
fn greet(talk: &mut Conversation, protocol: ProtocolName, patience: Duration) -> Result<Vec<Announced>, Failure> {
    let (greeting, reply) = match protocol {
        ProtocolName::Ugi => ("ugi", "ugiok"),
        ProtocolName::Uci => ("uci", "uciok"),
    };
    talk.say(greeting);
    let mut announced = Vec::new();
    let mut bytes = 0;
    let heard = talk.hear_until(Instant::now() + patience, |line| {
        announced.extend(line.after("option").and_then(Announced::parse));
        bytes += line.text.len();
        if bytes > MAX_GREETING_BYTES {
            return Err(Failure::new(Forfeit::Start, format!("more than {MAX_GREETING_BYTES} bytes of options")));
        }
        Ok(line.after(reply).map(|_| ()))
    });
    match heard {
        Ok(()) => Ok(announced),
        Err(trouble) => {
            let failure = trouble.or_hang(|| format!("not within {} ms", patience.as_millis()));
            Err(Failure::new(Forfeit::Start, format!("no {reply} after {greeting}: {}", failure.message)))
        }
    }
}

fn refused(message: &str) -> Failure {
    Failure::new(Forfeit::Refused, format!("complained: {}", quoted(message)))
}

/// What is to be added when a program is silent because it does not even listen.
fn unread(talk: &Conversation) -> &'static str {
    if talk.is_sending() { "; it does not read its input" } else { "" }
}

impl Player for ProcessPlayer {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        self.supervised(|player| {
            let commands = player.settings.commands(&setup);
            commands.iter().for_each(|command| player.talk.say(command));
            player.talk.say(match player.protocol {
                ProtocolName::Ugi => "uginewgame",
                ProtocolName::Uci => "ucinewgame",
            });
            player.settle()
        })
    }

    fn choose(&mut self, history: History<'_>, allowance: &Allowance) -> Result<Choice, Failure> {
        self.supervised(|player| {
            player.talk.say(&search::position(history));
            // An answer that comes before this is settled belongs to an earlier search.
            player.settle()?;
            player.search(allowance)
        })
    }

    fn ask(&mut self, history: History<'_>, query: &str) -> Result<String, Failure> {
        self.supervised(|player| {
            player.talk.say(&search::position(history));
            player.settle()?;
            player.talk.say(&format!("query {query}"));
            player.talk.say("isready");
            let mut response = None;
            player.await_reply("readyok", |line| {
                if response.is_none() {
                    response = line.after("response").map(str::to_owned);
                }
                Ok(line.after("readyok").map(|_| ()))
            })?;
            Ok(response.unwrap_or_else(|| UNKNOWN.to_owned()))
        })
    }

    fn is_broken(&self) -> bool {
        self.is_broken
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        if !self.is_broken {
            self.talk.end();
        }
    }
}
