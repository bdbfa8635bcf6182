//! UGI, the base of the protocol, and UCI as an alias layer over it: commands, and the lines that answer them.

mod go;
pub mod query;

use std::time::Duration;

use super::{Dialect, Flow, NAME, Server, shortened};
use crate::rules::{Capabilities, MAX_PERFT_PLIES, Seat};
use crate::search::{BestMove, CurrentMove, PvLine, Score, SearchInfo};
use crate::session::options::{SHOW_WDL, is_rules_option};
use crate::session::{Evaluation, Event, OptionKind, OptionSpec, Session, Task};

/// Which of the two protocols the client speaks; they differ in the handshake, in `bestmove` and in the field `wdl`.
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
                info_lines(&info, wdl).iter().for_each(|line| server.say(line));
            }
            Event::Done(answer) => server.say(&best_move(answer.as_ref(), self.flavour)),
            Event::Count { part, nodes } => server.say(&format!("{part}: {nodes}")),
            Event::Perft { nodes, elapsed } => server.say_lines(&total("\nnodes", "perft", nodes, elapsed)),
            Event::BenchTotal { nodes, elapsed } => server.say_lines(&total("total", "bench", nodes, elapsed)),
        }
    }

    fn refuse(&mut self, message: &str, server: &mut Server<'_>) {
        remark(&format!("error {message}"), server);
    }
}

/// Sends the client a remark or an error.
fn remark(message: &str, server: &mut Server<'_>) {
    server.say(&format!("info string {}", shortened(message)));
}

impl Ugi {
    fn command(&mut self, command: &str, rest: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
        match command {
            "ugi" => self.shake_hands(Flavour::Ugi, server),
            "uci" => self.shake_hands(Flavour::Uci, server),
            "isready" => {
                server.engine.make_ready();
                server.say("readyok");
            }
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
            // Commands of UCI that mean nothing here.
            "debug" | "register" => {}
            _ => return people_command(command, rest, server),
        }
        Ok(())
    }

    fn shake_hands(&mut self, flavour: Flavour, server: &mut Server<'_>) {
        self.flavour = flavour;
        server.say(&format!("id name {NAME}"));
        server.say("id author the reynard authors");
        let options: Vec<String> = server.engine.options().specs().map(option_line).collect();
        options.iter().for_each(|line| server.say(line));
        self.remark_turns(server);
        server.say(if flavour == Flavour::Ugi { "ugiok" } else { "uciok" });
    }

    /// Obeys `setoption`: `name N... [value V...]`, the two key words in any case.
    fn set_option(&self, words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
        let rest = match words {
            [word, rest @ ..] if word.eq_ignore_ascii_case("name") && !rest.is_empty() => rest,
            _ => return Err("setoption: expected name N [value V]".to_owned()),
        };
        let mut parts = rest.splitn(2, |word| word.eq_ignore_ascii_case("value")).map(|words| words.join(" "));
        let name = parts.next().unwrap_or_default();
        let value = parts.next();
        server.engine.set_option(&name, value.as_deref()).map_err(|error| error.to_string())?;
        if is_rules_option(&name) {
            self.remark_turns(server);
        }
        server.engine.remark(&name).iter().for_each(|message| remark(message, server));
        Ok(())
    }

    /// Warns a UCI client, which counts plies to know who moves, if the sides of this game do not alternate.
    fn remark_turns(&self, server: &mut Server<'_>) {
        let session = server.engine.session();
        let can = &session.game().capabilities;
        let why = match can {
            _ if self.flavour == Flavour::Ugi || can.alternates || can.seats == 1 => return,
            Capabilities { has_dice: true, .. } => "the dice are plies too",
            Capabilities { has_huff: true, .. } => "after a huff one side moves twice running",
            _ => "one side places several pieces running",
        };
        let message = format!("{}: turns do not alternate: {why}; query turn says who acts", session.game().ruleset);
        remark(&message, server);
    }

    fn wdl(&self, server: &Server<'_>) -> WdlField {
        let is_shown = self.flavour == Flavour::Ugi || server.engine.options().value(SHOW_WDL) == "true";
        if is_shown { WdlField::Shown } else { WdlField::LeftOut }
    }
}

/// Obeys `position`: `startpos|fen TEXT [moves M...]`.
fn set_position(words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    let mut parts = words.splitn(2, |word| word.eq_ignore_ascii_case("moves"));
    let setup = parts.next().unwrap_or_default();
    let moves = parts.next().unwrap_or_default();
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
        return perft(rest, server);
    }
    let go = go::parse(words)?;
    server.start(Task::Search(&go.request)).map_err(|error| error.to_string())?;
    go.remark().iter().for_each(|message| remark(message, server));
    Ok(())
}

const HELP: &str = "\
d                          draw the board
moves                      list the legal moves
play M ...                 play moves
undo                       take the last move back
go movetime 1000           search for a second; also go depth 8, go nodes 100000, go infinite with stop
eval                       explain the static evaluation
position startpos|fen TEXT [moves M ...]
setoption name UCI_Variant value NAME    choose a ruleset; uci lists them and every other option
query gameover|result|reason|players|turn|p1turn|p1name|fen|legalmoves|islegal M|hash
      board|rules|game|pieces|moves|table|chances
                           (p2turn, p2name and so on for every player)
perft N                    count the leaves of the game tree at N plies
bench                      the reproducible node count of every ruleset
isready, uginewgame, quit
The whole protocol is described in protocol.md.";

/// Runs a command for people at a terminal, or refuses an unknown one.
fn people_command(command: &str, rest: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    match command {
        "d" => server.say_lines(&drawing(server.engine.session())),
        "eval" => server.say_lines(&evaluation(server)),
        "moves" => server.say(&server.engine.session().legal_moves().join(" ")),
        "play" => play(rest, server)?,
        "undo" => undo(server)?,
        "perft" => perft(rest, server)?,
        "bench" => server.start(Task::Bench).map_err(|error| error.to_string())?,
        "help" => server.say_lines(HELP),
        _ => return Err(format!("unknown command '{command}'; help lists them")),
    }
    Ok(())
}

fn drawing(session: &dyn Session) -> String {
    let state = query::situation(session);
    let board = session.draw();
    format!(
        "{}\n\nruleset {}\nfen {}\nhash {:016x}\n{state}",
        board.trim_end(),
        session.game().ruleset,
        session.position_text(),
        session.key()
    )
}

fn evaluation(server: &Server<'_>) -> String {
    let session = server.engine.session();
    let Some(Evaluation { terms, by_seat }) = session.evaluation(&server.engine.options_to_move()) else {
        return query::verdict(session).unwrap_or_default();
    };
    let total: i32 = terms.iter().map(|&(_, value)| value).sum();
    let lines: String = terms.iter().map(|(name, value)| format!("{name:<24} {value:>7}\n")).collect();
    let owner = session.game().seat_name(Seat::P1);
    let options = server.engine.options_to_move();
    let weights = session
        .weights(&options)
        .map_or("the weights of the options".to_owned(), |of| format!("learned weights of {of}"));
    let mut text = format!(
        "{weights}\n{lines}{:<24} {total:>7} hundredths of a piece, from the point of view of p1 ({owner})",
        "total"
    );
    if by_seat.len() > 2 {
        for (seat, value) in (0..).map(Seat).zip(by_seat) {
            text += &format!("\n{:<24} {value:>7} as {} sees it", seat.name(), session.game().seat_name(seat));
        }
    }
    text
}

fn play(texts: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    if texts.is_empty() {
        return Err("play: a move is missing".to_owned());
    }
    texts.iter().try_for_each(|text| server.engine.session_mut().play(text)).map_err(|error| error.to_string())
}

fn undo(server: &mut Server<'_>) -> Result<(), Refusal> {
    if server.engine.session_mut().undo() { Ok(()) } else { Err("undo: no move to take back".to_owned()) }
}

fn perft(words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    let depth = match words {
        [text] => text
            .parse()
            .ok()
            .filter(|&depth| depth <= MAX_PERFT_PLIES)
            .ok_or_else(|| format!("perft: '{text}' is not a number of plies from 0 to {MAX_PERFT_PLIES}"))?,
        _ => return Err("perft: expected a number of plies".to_owned()),
    };
    server.start(Task::Perft(depth)).map_err(|error| error.to_string())
}

/// The score in centipawns that stands for "the side to move has already won".
const ALREADY_WON_CP: i32 = 30_000;

/// The line that announces an option to the client.
fn option_line(spec: &OptionSpec) -> String {
    let default = &spec.default;
    let kind = match &spec.kind {
        OptionKind::Check => format!("check default {default}"),
        OptionKind::Spin { min, max } => format!("spin default {default} min {min} max {max}"),
        OptionKind::Combo(choices) => format!("combo default {default} var {}", choices.join(" var ")),
        OptionKind::Text if default.is_empty() => "string default <empty>".to_owned(),
        OptionKind::Text => format!("string default {default}"),
        OptionKind::Button => "button".to_owned(),
    };
    format!("option name {} type {kind}", spec.name)
}

/// Whether reports have the field `wdl`, the chances of a win, a draw and a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WdlField {
    Shown,
    LeftOut,
}

/// The lines of a report: the current move, the result of a finished game, or one line for each line of play; then the
/// remark, if there is one.
fn info_lines(info: &SearchInfo<String>, wdl: WdlField) -> Vec<String> {
    let mut texts = match (&info.current, info.lines.first()) {
        (Some(CurrentMove { mv, number }), _) => {
            vec![format!("info depth {} currmove {mv} currmovenumber {number}", info.depth + 1)]
        }
        (None, Some(line)) if info.depth == 0 => vec![result_line(line, wdl)],
        _ => info.lines.iter().zip(1..).map(|(line, rank)| info_line(info, line, rank, wdl)).collect(),
    };
    texts.extend(info.remark.iter().map(|remark| format!("info string {remark}")));
    texts
}

/// The line that reports a finished game: won, lost or drawn for the side to move.
fn result_line(line: &PvLine<String>, wdl: WdlField) -> String {
    let score = match line.mate {
        Some(_) if line.score > Score::DRAW => format!("cp {ALREADY_WON_CP}"),
        Some(_) => "mate 0".to_owned(),
        None => "cp 0".to_owned(),
    };
    format!("info depth 0 score {score}{} nodes 0 nps 0 time 0 hashfull 0 tbhits 0", wdl.text(line))
}

impl WdlField {
    /// The field `wdl` for a line, with a blank before it.
    fn text(self, line: &PvLine<String>) -> String {
        let [win, draw, loss] = line.wdl.0;
        match self {
            WdlField::Shown => format!(" wdl {win} {draw} {loss}"),
            WdlField::LeftOut => String::new(),
        }
    }
}

fn info_line(info: &SearchInfo<String>, line: &PvLine<String>, rank: usize, wdl: WdlField) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {rank} score {}{} nodes {} nps {} time {} hashfull {} tbhits {}",
        info.depth,
        info.seldepth,
        score(line),
        wdl.text(line),
        info.nodes,
        per_second(info.nodes, info.elapsed),
        info.elapsed.as_millis(),
        info.hashfull,
        info.tbhits,
    );
    if let Some(visits) = line.visits {
        text += &format!(" visits {visits}");
    }
    if !line.pv.is_empty() {
        text += " pv ";
        text += &line.pv.join(" ");
    }
    text
}

fn score(line: &PvLine<String>) -> String {
    match line.mate {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", line.score.0),
    }
}

/// Nodes per second; the time counts as at least a millisecond.
fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1000);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// The line `bestmove`, with the expected reply only where the protocol allows it.
fn best_move(answer: Option<&BestMove<String>>, flavour: Flavour) -> String {
    match (answer, flavour) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(BestMove { best, ponder: Some(ponder) }), Flavour::Uci) => format!("bestmove {best} ponder {ponder}"),
        (Some(BestMove { best, .. }), _) => format!("bestmove {best}"),
    }
}

/// The last line of a perft or a benchmark: its total.
fn total(label: &str, work: &str, nodes: Option<u64>, elapsed: Duration) -> String {
    match nodes {
        Some(nodes) => format!("{label} {nodes}\ntime {}\nnps {}", elapsed.as_millis(), per_second(nodes, elapsed)),
        None => format!("info string {work} stopped"),
    }
}
