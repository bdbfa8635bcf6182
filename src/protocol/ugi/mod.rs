//! UGI, the base of the protocol, and UCI as an alias layer over it.

mod go;
mod people;
mod print;
pub(crate) mod query;

use super::{Desk, Dialect, Flow};
use crate::engine::{Event, StartError};

/// Which of the two names the client uses; they differ in the handshake and in `bestmove`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Flavour {
    #[default]
    Ugi,
    Uci,
}

/// A conversation in UGI or UCI.
#[derive(Default)]
pub(crate) struct Ugi {
    flavour: Flavour,
}

/// Why a command was refused; the client gets it as `info string error ...`.
type Refusal = String;

/// Errors and remarks quote what was sent, up to this many characters.
const MAX_REMARK_CHARS: usize = 400;

impl Dialect for Ugi {
    fn line(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Flow::Continue };
        let command = first.to_ascii_lowercase();
        if command == "quit" {
            return Flow::Quit;
        }
        if let Err(refusal) = self.command(&command, rest, desk) {
            self.refuse(&refusal, desk);
        }
        Flow::Continue
    }

    fn event(&mut self, event: Event, desk: &mut Desk<'_>) {
        match event {
            Event::Info(info) => print::info_lines(&info).iter().for_each(|line| desk.say(line)),
            Event::Done(answer) => desk.say(&print::best_move(&answer, self.flavour)),
            Event::Divide { text, nodes } => desk.say(&format!("{text}: {nodes}")),
            Event::Perft { nodes, elapsed } => desk.say_lines(&print::perft(nodes, elapsed)),
            Event::Bench { ruleset, nodes } => desk.say(&format!("{ruleset}: {nodes}")),
            Event::BenchTotal { nodes, elapsed } => desk.say_lines(&print::bench(nodes, elapsed)),
        }
    }

    fn refuse(&mut self, message: &str, desk: &mut Desk<'_>) {
        remark(&format!("error {message}"), desk);
    }
}

/// Tells the client something that no other line is for.
fn remark(message: &str, desk: &mut Desk<'_>) {
    let short: String = message.chars().take(MAX_REMARK_CHARS).collect();
    desk.say(&format!("info string {short}"));
}

impl Ugi {
    fn command(&mut self, command: &str, rest: &[&str], desk: &mut Desk<'_>) -> Result<(), Refusal> {
        match command {
            "ugi" => self.shake_hands(Flavour::Ugi, desk),
            "uci" => self.shake_hands(Flavour::Uci, desk),
            "isready" => desk.say("readyok"),
            "setoption" => set_option(rest, desk)?,
            "uginewgame" | "ucinewgame" => desk.engine.new_game(),
            "position" => set_position(rest, desk)?,
            "go" => start(rest, desk)?,
            "stop" => desk.engine.stop(),
            "ponderhit" => desk.engine.session_mut().ponder_hit(),
            "query" => {
                let response = query::answer(rest, desk.engine.session(), desk.engine.options());
                desk.say(format!("response {response}").trim_end());
            }
            // Part of UCI without a meaning here.
            "debug" | "register" => {}
            _ => return people::command(command, rest, desk),
        }
        Ok(())
    }

    fn shake_hands(&mut self, flavour: Flavour, desk: &mut Desk<'_>) {
        self.flavour = flavour;
        desk.say(concat!("id name reynard ", env!("CARGO_PKG_VERSION")));
        desk.say("id author the reynard authors");
        let options: Vec<String> = desk.engine.options().specs().map(print::option).collect();
        options.iter().for_each(|line| desk.say(line));
        desk.say(match flavour {
            Flavour::Ugi => "ugiok",
            Flavour::Uci => "uciok",
        });
    }
}

/// `name N... [value V...]`, the two key words in any case.
fn set_option(words: &[&str], desk: &mut Desk<'_>) -> Result<(), Refusal> {
    let [name_word, rest @ ..] = words else { return Err("setoption: expected name N [value V]".to_owned()) };
    if !name_word.eq_ignore_ascii_case("name") || rest.is_empty() {
        return Err("setoption: expected name N [value V]".to_owned());
    }
    let (name, value) = match rest.iter().position(|word| word.eq_ignore_ascii_case("value")) {
        Some(at) => (rest[..at].join(" "), Some(rest[at + 1..].join(" "))),
        None => (rest.join(" "), None),
    };
    desk.engine.set_option(&name, value.as_deref()).map_err(|error| error.to_string())
}

/// `startpos|fen TEXT [moves M...]`.
fn set_position(words: &[&str], desk: &mut Desk<'_>) -> Result<(), Refusal> {
    let expected = || "position: expected startpos or fen TEXT, then perhaps moves M...".to_owned();
    let moves_at = words.iter().position(|word| word.eq_ignore_ascii_case("moves"));
    let (setup, moves) = match moves_at {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let text = match setup {
        [word] if word.eq_ignore_ascii_case("startpos") => None,
        [word, text @ ..] if word.eq_ignore_ascii_case("fen") && !text.is_empty() => Some(text.join(" ")),
        _ => return Err(expected()),
    };
    desk.engine.session_mut().set_position(text.as_deref(), moves).map_err(|error| error.to_string())
}

fn start(words: &[&str], desk: &mut Desk<'_>) -> Result<(), Refusal> {
    if let [word, rest @ ..] = words
        && word.eq_ignore_ascii_case("perft")
    {
        return people::command("perft", rest, desk);
    }
    let go = go::parse(words)?;
    desk.start(&go.request).map_err(|error: StartError| error.to_string())?;
    go.remark().iter().for_each(|message| remark(message, desk));
    Ok(())
}
