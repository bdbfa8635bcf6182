//! Checks step by step whether a program keeps to the protocol, UGI or UCI, as `fastchess --compliance` does for chess.

use std::fmt::Display;
use std::time::{Duration, Instant};

use reynard_engine::rules::Turn;
use reynard_engine::search::SearchLimits;
use reynard_engine::session::options::RULESET;
use reynard_engine::session::{Clock, GoRequest, OptionKind, Session, TimeControl};

use super::child::describe;
use super::connection::{Connection, after, complaint, quoted};
use super::options::AnnouncedOption;
use super::refused;
use super::search_text;
use crate::tournament::plan::Conversations;
use crate::tournament::player::{AbandonFlag, Failure, MoveHistory, OpenError};
use crate::tournament::record::{Forfeit, Variation};
use crate::tournament::spec::{ProgramSpec, ProtocolName, Supervision};

/// Plies that the program plays against itself after its first move.
const PLIES: usize = 4;
/// Limits that any program reaches at once.
const DEPTH: u32 = 2;
const NODES: u64 = 100;
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

fn or_wrong<T>(result: Result<T, impl Display>) -> Checked<T> {
    result.or_else(|error| wrong(error.to_string()))
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
            misled: None,
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
    /// The first variation that the rules do not allow.
    misled: Option<String>,
    is_sound: bool,
    is_broken: bool,
}

impl Examiner<'_> {
    fn run(mut self) -> bool {
        let (mut greeting, mut options) = (Vec::new(), Vec::new());
        let has_rules = self.examination.rules.is_some();
        self.check("answers the greeting", |program| program.greet().map(|lines| greeting = lines));
        self.check("has a name and an author", |_| check_identity(&greeting));
        self.check("announces its options", |_| announced(&greeting).map(|found| options = found));
        self.check("answers isready", Self::settle);
        self.check("takes its options", |program| program.set_options(&options));
        self.check("begins a game", Self::begin_game);
        self.check("takes the start position", Self::set_position);
        let in_time = if has_rules { "moves in time and legally" } else { "moves in time" };
        self.check(in_time, |program| program.search(&GoRequest::move_time(MOVE_TIME), MOVE_TIME));
        self.check("answers each go once", Self::settle);
        self.check("reports its search", |program| check_infos(&program.infos));
        self.check("plays on", |program| {
            (0..PLIES).try_for_each(|_| program.next_move(&GoRequest::move_time(MOVE_TIME), MOVE_TIME))
        });
        let time = TimeControl::of_clocks(&[Some(CLOCK), Some(CLOCK)]);
        let clock = GoRequest { time, ..GoRequest::default() };
        self.check("moves by a clock", |program| program.next_move(&clock, CLOCK.left));
        self.check("begins another game at once", |program| {
            program.begin_game()?;
            program.begin_game()
        });
        // These take no time to speak of, but no clock bounds them.
        let patience = self.examination.patience;
        let limits = SearchLimits { depth: Some(DEPTH), ..SearchLimits::default() };
        let depth = GoRequest { limits, ..GoRequest::default() };
        self.check("searches to a depth", |program| program.next_move(&depth, patience));
        self.check("searches a number of nodes", |program| program.next_move(&GoRequest::nodes(NODES), patience));
        self.check("searches until it is stopped", |program| {
            match program.search_during(|program| Ok(program.read(BEST_MOVE, UNTIL_STOP)?.is_some()))? {
                true => wrong("moved before it was told to stop"),
                false => Ok(()),
            }
        });
        self.check("answers isready while it searches", |program| {
            let is_move = |line: &String| after(line, BEST_MOVE).is_some();
            program.search_during(|program| Ok(program.ping()?.iter().any(is_move))).map(drop)
        });
        self.check("stops as soon as it has begun", |program| program.search_during(|_| Ok(false)).map(drop));
        self.check("bears unknown commands", |program| {
            program.connection.send("reynard is no command");
            program.ping().map(drop)
        });
        if has_rules {
            self.check("reports legal variations", |program| program.misled.take().map_or(Ok(()), wrong));
        }
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
        let Examiner { connection, stray, misspelt, examination, .. } = self;
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
                let refusal = complaint(line).filter(|_| word == BEST_MOVE).map(refused);
                return refusal.map_or(Ok(None), |failure| Err(hinted(failure, examination.rules.is_some())));
            };
            if !line.trim_start().starts_with(word) {
                misspelt.get_or_insert_with(|| format!("printed {} for {word}", quoted(line)));
            }
            Ok(Some(rest.to_owned()))
        })?;
        Ok(rest.map(|rest| (lines, rest)))
    }

    /// Reads up to a line without which the program has to be given up.
    fn await_line(&mut self, word: &str) -> Checked<(Vec<String>, String)> {
        let within = self.examination.patience;
        let found = self.read(word, within)?;
        found.ok_or_else(|| {
            let unread = if self.connection.is_sending() { "; it does not read its input" } else { "" };
            Failure::new(Forfeit::Hang, format!("no {word} within {} ms{unread}", within.as_millis())).into()
        })
    }

    fn greet(&mut self) -> Checked<Vec<String>> {
        let name = self.protocol_name();
        self.connection.send(name);
        Ok(self.await_line(&format!("{name}ok"))?.0)
    }

    /// The lines before the answer.
    fn ping(&mut self) -> Checked<Vec<String>> {
        self.connection.send("isready");
        Ok(self.await_line("readyok")?.0)
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

    fn begin_game(&mut self) -> Checked {
        self.reset()?;
        self.connection.send(&format!("{}newgame", self.protocol_name()));
        self.settle()
    }

    fn reset(&mut self) -> Checked {
        self.moves.clear();
        let rules = self.examination.rules.as_mut();
        rules.map_or(Ok(()), |rules| or_wrong(rules.set_position(None, &[])))
    }

    /// Sends the game so far, or a new one when it is over.
    fn set_position(&mut self) -> Checked {
        if self.examination.rules.as_ref().is_some_and(|rules| rules.turn().outcome().is_some()) {
            self.reset()?;
        }
        if let Some(rules) = &mut self.examination.rules {
            while let (Turn::Chance, Some((roll, _))) = (rules.turn(), rules.rolls().into_iter().next()) {
                or_wrong(rules.play(&roll))?;
                self.moves.push(roll);
            }
        }
        let position = search_text::position(MoveHistory { start: None, moves: &self.moves });
        self.connection.send(&position);
        self.settle()
    }

    fn next_move(&mut self, go: &GoRequest, allowed: Duration) -> Checked {
        self.set_position()?;
        self.search(go, allowed)
    }

    /// Lets the program search, and plays its move.
    fn search(&mut self, go: &GoRequest, allowed: Duration) -> Checked {
        self.connection.send(&search_text::go(go, self.examination.program.protocol));
        let within = allowed + self.examination.margin;
        if let Some(answer) = self.read(BEST_MOVE, within)? {
            return self.play(answer);
        }
        self.connection.send("stop");
        self.infos = self.await_line(BEST_MOVE)?.0;
        wrong(format!("no bestmove within {} ms, but after stop", within.as_millis()))
    }

    /// Plays the move that came after these lines.
    fn play(&mut self, (infos, answer): (Vec<String>, String)) -> Checked {
        let text = search_text::best_move(&answer)
            .or_else(|failure| wrong(hinted(failure, self.examination.rules.is_some()).message))?;
        self.infos = infos;
        self.moves.push(match &mut self.examination.rules {
            None => text,
            Some(rules) => {
                let opinions = self.infos.iter().filter_map(|line| search_text::opinion(line));
                let mut variations = opinions.filter_map(|opinion| opinion.variation);
                let checked = variations.try_for_each(|Variation(_, moves)| check_variation(&mut **rules, &moves));
                self.misled = self.misled.take().or(checked.err());
                let canonical = or_wrong(rules.canonical_move(&text))?;
                or_wrong(rules.play(&canonical))?;
                if canonical != text {
                    self.misspelt.get_or_insert_with(|| format!("printed {} for {canonical}", quoted(&text)));
                }
                canonical
            }
        });
        Ok(())
    }

    /// Lets the program search without a limit, and plays the move that it has after `stop`; whether it moved before.
    fn search_during(&mut self, pause: impl FnOnce(&mut Self) -> Checked<bool>) -> Checked<bool> {
        self.set_position()?;
        self.connection.send("go infinite");
        let has_moved = pause(self)?;
        self.connection.send("stop");
        if !has_moved {
            let answer = self.await_line(BEST_MOVE)?;
            self.play(answer)?;
            self.settle()?;
        }
        Ok(has_moved)
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

/// A failure to move, with what may explain it where the rules are not known.
fn hinted(mut failure: Failure, has_rules: bool) -> Failure {
    if !has_rules {
        failure.message += "; a game that begins with dice needs --ruleset";
    }
    failure
}

/// Whether the rules allow a variation, up to the first roll of the dice.
fn check_variation(rules: &mut dyn Session, variation: &str) -> Result<(), String> {
    let played = rules.moves().len();
    let result = variation.split_whitespace().try_for_each(|text| match rules.turn() {
        Turn::Chance => Ok(()),
        _ => rules.play(text).map_err(|error| format!("{error} in pv {}", quoted(variation))),
    });
    while rules.moves().len() > played && rules.undo() {}
    result
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

/// Whether there is a report with a depth and a score, and all numbers in reports are numbers.
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
    let has_depth = |line: &String| search_text::opinion(line).is_some_and(|opinion| opinion.depth.is_some());
    match lines.iter().any(has_depth) {
        true => Ok(()),
        false => wrong("no info line with a depth and a score before bestmove"),
    }
}
