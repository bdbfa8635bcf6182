//! UGI, the base of the protocol, and UCI as an alias layer over it.

mod console;
mod go;
mod print;
pub mod query;

use print::WdlField;

use super::{Dialect, Flow, Server};
use crate::rules::Capabilities;
use crate::session::options::{SHOW_WDL, is_rules_option};
use crate::session::{Event, Task};

/// Which of the two names the client uses; they differ in the handshake, in `bestmove`, and in who is told `wdl`.
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
    fn line(&mut self, line: &str, server: &mut Server<'_>) -> Flow {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Flow::Continue };
        let command = first.to_ascii_lowercase();
        if command == "quit" {
            return Flow::Quit;
        }
        if let Err(refusal) = self.command(&command, rest, server) {
            self.refuse(&refusal, server);
        }
        Flow::Continue
    }

    fn event(&mut self, event: Event, server: &mut Server<'_>) {
        match event {
            Event::Info(info) => {
                let wdl = self.wdl(server);
                print::info_lines(&info, wdl).iter().for_each(|line| server.say(line));
            }
            Event::Done(answer) => server.say(&print::best_move(answer.as_ref(), self.flavour)),
            Event::Count { part, nodes } => server.say(&format!("{part}: {nodes}")),
            Event::Perft { nodes, elapsed } => server.say_lines(&print::total("\nnodes", "perft", nodes, elapsed)),
            Event::BenchTotal { nodes, elapsed } => server.say_lines(&print::total("total", "bench", nodes, elapsed)),
        }
    }

    fn refuse(&mut self, message: &str, server: &mut Server<'_>) {
        remark(&format!("error {message}"), server);
    }
}

/// Tells the client something that no other line is for.
fn remark(message: &str, server: &mut Server<'_>) {
    let short: String = message.chars().take(MAX_REMARK_CHARS).collect();
    server.say(&format!("info string {short}"));
}

impl Ugi {
    fn command(&mut self, command: &str, rest: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
        match command {
            "ugi" => self.shake_hands(Flavour::Ugi, server),
            "uci" => self.shake_hands(Flavour::Uci, server),
            "isready" => server.say("readyok"),
            "setoption" => self.set_option(rest, server)?,
            "uginewgame" | "ucinewgame" => server.engine.new_game(),
            "position" => set_position(rest, server)?,
            "go" => start(rest, server)?,
            "stop" => server.engine.stop(),
            "ponderhit" => server.engine.ponder_hit(),
            "query" => {
                let response = query::answer(rest, server.engine.session(), server.engine.options());
                server.say(format!("response {response}").trim_end());
            }
            // Part of UCI without a meaning here.
            "debug" | "register" => {}
            _ => return console::command(command, rest, server),
        }
        Ok(())
    }

    fn shake_hands(&mut self, flavour: Flavour, server: &mut Server<'_>) {
        self.flavour = flavour;
        server.say(concat!("id name reynard ", env!("CARGO_PKG_VERSION")));
        server.say("id author the reynard authors");
        let options: Vec<String> = server.engine.options().specs().map(print::option).collect();
        options.iter().for_each(|line| server.say(line));
        self.remark_turns(server);
        server.say(match flavour {
            Flavour::Ugi => "ugiok",
            Flavour::Uci => "uciok",
        });
    }

    /// `name N... [value V...]`, the two key words in any case.
    fn set_option(&self, words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
        let rest = match words {
            [word, rest @ ..] if word.eq_ignore_ascii_case("name") && !rest.is_empty() => rest,
            _ => return Err("setoption: expected name N [value V]".to_owned()),
        };
        let mut parts = rest.splitn(2, |word| word.eq_ignore_ascii_case("value")).map(|words| words.join(" "));
        let (name, value) = (parts.next().unwrap_or_default(), parts.next());
        server.engine.set_option(&name, value.as_deref()).map_err(|error| error.to_string())?;
        if is_rules_option(&name) {
            self.remark_turns(server);
        }
        Ok(())
    }

    /// UCI clients count plies to know who moves: they are told where that goes wrong.
    fn remark_turns(&self, server: &mut Server<'_>) {
        let session = server.engine.session();
        let can = session.capabilities();
        let why = match can {
            _ if self.flavour == Flavour::Ugi || can.alternates || can.seats == 1 => return,
            Capabilities { has_dice: true, .. } => "the dice are plies too",
            Capabilities { has_huff: true, .. } => "after a huff one side moves twice running",
            _ => "one side places several pieces running",
        };
        let message = format!("{}: turns do not alternate: {why}; query turn says who acts", session.ruleset());
        remark(&message, server);
    }

    fn wdl(&self, server: &Server<'_>) -> WdlField {
        match self.flavour == Flavour::Ugi || server.engine.options().value(SHOW_WDL) == "true" {
            true => WdlField::Told,
            false => WdlField::LeftOut,
        }
    }
}

/// `startpos|fen TEXT [moves M...]`.
fn set_position(words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    let mut parts = words.splitn(2, |word| word.eq_ignore_ascii_case("moves"));
    let (setup, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let text = match setup {
        [word] if word.eq_ignore_ascii_case("startpos") => None,
        [word, text @ ..] if word.eq_ignore_ascii_case("fen") && !text.is_empty() => Some(text.join(" ")),
        _ => return Err("position: expected startpos or fen TEXT, then perhaps moves M...".to_owned()),
    };
    server.engine.session_mut().set_position(text.as_deref(), moves).map_err(|error| error.to_string())
}

fn start(words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    if let [word, rest @ ..] = words
        && word.eq_ignore_ascii_case("perft")
    {
        return console::command("perft", rest, server);
    }
    let go = go::parse(words)?;
    server.start(Task::Search(&go.request)).map_err(|error| error.to_string())?;
    go.remark().iter().for_each(|message| remark(message, server));
    Ok(())
}
