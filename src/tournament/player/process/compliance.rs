//! Checks step by step whether a program keeps to the protocol, UGI or UCI, as `fastchess --compliance` does for chess.

use std::time::{Duration, Instant};

use reynard_engine::rules::Turn;
use reynard_engine::session::options::RULESET;
use reynard_engine::session::{Clock, GoRequest, OptionKind, Session, TimeControl};

use super::child::describe;
use super::connection::{Connection, after, complaint, quoted};
use super::options::AnnouncedOption;
use super::refused;
use super::search_text;
use crate::tournament::plan::Conversations;
use crate::tournament::player::{AbandonFlag, Failure, MoveHistory, OpenError};
use crate::tournament::record::Forfeit;
use crate::tournament::spec::{ProgramSpec, ProtocolName, Supervision};

/// Plies that the program plays against itself after its first move.
const PLIES: usize = 4;
/// What it may think about a move.
const MOVE_TIME: Duration = Duration::from_millis(100);
const CLOCK: Clock = Clock { left: Duration::from_secs(1), increment: Duration::from_millis(10) };
/// How long a search without limits goes on before it is told to stop.
const UNTIL_STOP: Duration = Duration::from_millis(100);

const BEST_MOVE: &str = "bestmove";
/// Most lines for one answer.
const MOST_LINES: u64 = 100_000;

/// What is checked, and by what.
pub(crate) struct Examination<'a> {
    pub program: &'a ProgramSpec,
    /// The rules by which its moves are judged: at their start position.
    pub rules: Option<Box<dyn Session>>,
    /// How late a move may be.
    pub margin: Duration,
    /// For an answer that needs no thinking.
    pub patience: Duration,
    pub conversations: Conversations,
    /// Takes the name of a check and its result.
    pub report: &'a mut dyn FnMut(&str, Result<(), &str>),
}

/// What is wrong with a program.
enum Fault {
    /// The next check can be made all the same.
    Wrong(String),
    /// There is nothing more to be expected of it.
    Failed(Failure),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Fault::Failed(failure)
    }
}

type Checked<T = ()> = Result<T, Fault>;

fn wrong<T>(message: impl Into<String>) -> Checked<T> {
    Err(Fault::Wrong(message.into()))
}

/// Checks a program; false where something is wrong with it. Checks that a broken program cannot be put to are left
/// out.
///
/// # Errors
/// The machine cannot start the program.
pub(crate) fn examine(examination: Examination<'_>) -> Result<bool, String> {
    let Examination { program, ref conversations, .. } = examination;
    let name = program.command.display().to_string();
    let supervision = Supervision { lines: MOST_LINES, ..Supervision::default() };
    match Connection::start(&supervision, conversations, &name, program, &AbandonFlag::default()) {
        Ok(connection) => Ok(Examiner {
            connection,
            examination,
            moves: Vec::new(),
            infos: Vec::new(),
            stray: None,
            misspelt: None,
            is_sound: true,
            is_broken: false,
        }
        .run()),
        Err(OpenError::Shortage(message)) => Err(message),
        Err(OpenError::Failed(failure)) => {
            (examination.report)("starts", Err(&failure.message));
            Ok(false)
        }
    }
}

/// A program in the middle of its examination.
struct Examiner<'a> {
    connection: Connection,
    examination: Examination<'a>,
    /// The moves since the start position.
    moves: Vec<String>,
    /// What the program printed before its last move.
    infos: Vec<String>,
    /// The first line that is no text, and the first answer that is not written as the protocol writes it.
    stray: Option<String>,
    misspelt: Option<String>,
    is_sound: bool,
    is_broken: bool,
}

impl Examiner<'_> {
    fn run(mut self) -> bool {
        let (mut greeting, mut options) = (Vec::new(), Vec::new());
        let name = self.protocol_name();
        let by_the_rules = if self.examination.rules.is_some() { "moves in time and legally" } else { "moves in time" };
        self.check("answers the greeting", |program| program.greet().map(|lines| greeting = lines));
        self.check("has a name and an author", |_| check_identity(&greeting));
        self.check("announces its options", |_| announced(&greeting).map(|found| options = found));
        self.check("answers isready", Self::settle);
        self.check("takes its options", |program| program.set_options(&options));
        self.check("begins a game", |program| {
            program.connection.send(&format!("{name}newgame"));
            program.settle()
        });
        self.check("takes the start position", Self::set_position);
        self.check(by_the_rules, |program| program.search(false));
        self.check("answers each go once", Self::settle);
        self.check("reports its search", |program| check_infos(&program.infos));
        self.check("plays on", |program| (0..PLIES).try_for_each(|_| program.next_move(false)));
        self.check("moves by a clock", |program| program.next_move(true));
        self.check("searches until it is stopped", Self::stop);
        self.check("bears unknown commands", |program| {
            program.connection.send("reynard is no command");
            program.ping().map(drop)
        });
        self.check("prints text only", |program| program.stray.take().map_or(Ok(()), wrong));
        self.check("spells its answers as the protocol does", |program| program.misspelt.take().map_or(Ok(()), wrong));
        self.check("ends at quit", Self::quit);
        self.is_sound
    }

    fn check(&mut self, name: &str, check: impl FnOnce(&mut Self) -> Checked) {
        if self.is_broken {
            return;
        }
        let message = match check(self) {
            Ok(()) => return (self.examination.report)(name, Ok(())),
            Err(Fault::Wrong(message)) => message,
            Err(Fault::Failed(failure)) => {
                self.is_broken = true;
                failure.message
            }
        };
        self.is_sound = false;
        (self.examination.report)(name, Err(&message));
    }

    fn protocol_name(&self) -> &'static str {
        match self.examination.program.protocol {
            ProtocolName::Ugi => "ugi",
            ProtocolName::Uci => "uci",
        }
    }

    /// Reads up to a line that begins with `word`: the lines before it, and the rest of it; `None` when it is not there
    /// in time.
    fn read(&mut self, word: &str, within: Duration) -> Checked<Option<(Vec<String>, String)>> {
        let Examiner { connection, stray, misspelt, .. } = self;
        let mut lines = Vec::new();
        let rest = connection.read_until(Instant::now() + within, |line| {
            let is_text =
                |letter: char| letter == '\t' || !(letter.is_control() || letter == char::REPLACEMENT_CHARACTER);
            if !line.chars().all(is_text) {
                stray.get_or_insert_with(|| format!("printed {}", quoted(line)));
            }
            let Some(rest) = after(line, word) else {
                lines.push(line.to_owned());
                // There will be no move.
                let refusal = complaint(line).filter(|_| word == BEST_MOVE);
                return refusal.map_or(Ok(None), |message| Err(refused(message)));
            };
            if !line.trim_start().starts_with(word) {
                misspelt.get_or_insert_with(|| format!("printed {} for {word}", quoted(line)));
            }
            Ok(Some(rest.to_owned()))
        })?;
        Ok(rest.map(|rest| (lines, rest)))
    }

    /// The same from a program that would have to be given up without the line.
    fn await_line(&mut self, word: &str, within: Duration) -> Checked<(Vec<String>, String)> {
        let found = self.read(word, within)?;
        found.ok_or_else(|| {
            let unread = if self.connection.is_sending() { "; it does not read its input" } else { "" };
            Failure::new(Forfeit::Hang, format!("no {word} within {} ms{unread}", within.as_millis())).into()
        })
    }

    fn greet(&mut self) -> Checked<Vec<String>> {
        let name = self.protocol_name();
        self.connection.send(name);
        Ok(self.await_line(&format!("{name}ok"), self.examination.patience)?.0)
    }

    /// The lines before the answer.
    fn ping(&mut self) -> Checked<Vec<String>> {
        self.connection.send("isready");
        Ok(self.await_line("readyok", self.examination.patience)?.0)
    }

    /// Waits until the program has done what it was sent, without complaints and moves.
    fn settle(&mut self) -> Checked {
        for line in self.ping()? {
            if let Some(message) = complaint(&line) {
                return wrong(refused(message).message);
            }
            if after(&line, BEST_MOVE).is_some() {
                return wrong(format!("printed {} without being asked for it", quoted(&line)));
            }
        }
        Ok(())
    }

    /// Sets every option to its default, and chooses the game whose rules are known.
    fn set_options(&mut self, options: &[AnnouncedOption]) -> Checked {
        let variant = self.examination.rules.as_ref().map(|rules| rules.game().ruleset.clone());
        for option in options.iter().filter(|option| option.kind != OptionKind::Button) {
            let value = variant.as_ref().filter(|_| option.is(RULESET)).or(option.default.as_ref());
            if let Some(value) = value {
                self.connection.send(&option.command(value));
            }
        }
        self.settle()
    }

    /// Sends the game so far, or a new one when it is over.
    fn set_position(&mut self) -> Checked {
        if let Some(rules) = &mut self.examination.rules {
            if matches!(rules.turn(), Turn::Over(_)) {
                self.moves.clear();
                rules.set_position(None, &[]).or_else(|error| wrong(error.to_string()))?;
            }
            while let (Turn::Chance, Some((roll, _))) = (rules.turn(), rules.rolls().into_iter().next()) {
                rules.play(&roll).or_else(|error| wrong(error.to_string()))?;
                self.moves.push(roll);
            }
        }
        let position = search_text::position(MoveHistory { start: None, moves: &self.moves });
        self.connection.send(&position);
        self.settle()
    }

    fn next_move(&mut self, has_clock: bool) -> Checked {
        self.set_position()?;
        self.search(has_clock)
    }

    /// Lets the program search, and plays its move.
    fn search(&mut self, has_clock: bool) -> Checked {
        let clocks = TimeControl::of_clocks(&[Some(CLOCK), Some(CLOCK)]);
        let (go, allowed) = match has_clock {
            true => (GoRequest { time: clocks, ..GoRequest::default() }, CLOCK.left),
            false => (GoRequest::move_time(MOVE_TIME), MOVE_TIME),
        };
        self.connection.send(&search_text::go(&go, self.examination.program.protocol));
        let within = allowed + self.examination.margin;
        let Some((infos, answer)) = self.read(BEST_MOVE, within)? else {
            self.connection.send("stop");
            self.infos = self.await_line(BEST_MOVE, self.examination.patience)?.0;
            return wrong(format!("no bestmove within {} ms, but after stop", within.as_millis()));
        };
        self.infos = infos;
        let text = search_text::best_move(&answer).or_else(|failure| wrong(failure.message))?;
        self.moves.push(match &mut self.examination.rules {
            None => text,
            Some(rules) => {
                let canonical = rules.canonical_move(&text).or_else(|error| wrong(error.to_string()))?;
                rules.play(&canonical).or_else(|error| wrong(error.to_string()))?;
                if canonical != text {
                    self.misspelt.get_or_insert_with(|| format!("printed {} for {canonical}", quoted(&text)));
                }
                canonical
            }
        });
        Ok(())
    }

    /// Lets the program search without a limit.
    fn stop(&mut self) -> Checked {
        self.set_position()?;
        self.connection.send("go infinite");
        let is_early = self.read(BEST_MOVE, UNTIL_STOP)?.is_some();
        self.connection.send("stop");
        if is_early {
            return wrong("moved before it was told to stop");
        }
        self.await_line(BEST_MOVE, self.examination.patience).map(drop)
    }

    fn quit(&mut self) -> Checked {
        match self.connection.end(self.examination.patience) {
            None => wrong(format!("does not end within {} ms", self.examination.patience.as_millis())),
            Some(status) if !status.success() => wrong(describe(status)),
            Some(_) if self.connection.has_descendants() => wrong("leaves processes behind that it has started"),
            Some(_) => Ok(()),
        }
    }
}

/// Whether there are lines `id name ...` and `id author ...`.
fn check_identity(greeting: &[String]) -> Checked {
    let is_given = |what: &str| {
        let ids = greeting.iter().filter_map(|line| after(line, "id"));
        ids.filter_map(|id| after(id, what)).any(|value| !value.is_empty())
    };
    match ["name", "author"].into_iter().find(|what| !is_given(what)) {
        Some(missing) => wrong(format!("no 'id {missing} ...'")),
        None => Ok(()),
    }
}

/// The options, whose defaults have to be allowed.
fn announced(greeting: &[String]) -> Checked<Vec<AnnouncedOption>> {
    let option = |line: &String| {
        let text = after(line, "option")?;
        let Some(option) = AnnouncedOption::parse(text) else {
            return Some(wrong(format!("cannot be read: {}", quoted(line))));
        };
        let is_fine = option.default.as_ref().is_none_or(|default| option.canonical(default).is_some());
        Some(if is_fine { Ok(option) } else { wrong(format!("the default is not allowed: {}", quoted(line))) })
    };
    greeting.iter().filter_map(option).collect()
}

/// Whether there is a report with a score, and all numbers in reports are numbers.
fn check_infos(lines: &[String]) -> Checked {
    for line in lines {
        let Some(info) = after(line, "info") else { continue };
        let mut words = info.split_whitespace();
        while let Some(word) = words.next() {
            let is_number = |text: Option<&str>| text.is_some_and(|text| text.parse::<i64>().is_ok());
            let is_fine = match word {
                "string" | "pv" | "refutation" | "currline" => break,
                "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "time" | "hashfull" | "tbhits" => {
                    is_number(words.next())
                }
                "score" => matches!(words.next(), Some("cp" | "mate")) && is_number(words.next()),
                _ => true,
            };
            if !is_fine {
                return wrong(format!("'{word}' without its value: {}", quoted(line)));
            }
        }
    }
    match lines.iter().any(|line| search_text::opinion(line).is_some()) {
        true => Ok(()),
        false => wrong("no info line with a score before bestmove"),
    }
}
