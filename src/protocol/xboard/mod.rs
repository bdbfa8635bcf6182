//! XBoard and WinBoard: the Chess Engine Communication Protocol, version 2, with engine-defined variants.

mod clocks;
mod errands;
mod moves;
mod options;
mod print;
mod sheet;

use std::collections::VecDeque;

use super::{Desk, Dialect, Flow};
use crate::engine::{Event, PlayError};
use crate::rules::Seat;
use crate::search::SearchInfo;
use clocks::Clocks;
use errands::Errand;
use sheet::Sheet;

/// What the engine does when a move arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Force mode: it plays neither side.
    Watching,
    /// It answers when this seat is to move.
    Playing(Seat),
    Analysing,
}

/// A conversation with XBoard.
pub(crate) struct Xboard {
    mode: Mode,
    shows_thinking: bool,
    /// XBoard referees a game between two programs and believes no claim of a win that it cannot see itself; it does
    /// believe the loser.
    leaves_claims_to_loser: bool,
    clocks: Clocks,
    /// One for each search whose answer is still to come, oldest first.
    errands: VecDeque<Errand>,
    /// The last report of the running search.
    report: Option<SearchInfo<String>>,
    /// Pings that wait for the engine's move.
    pings: Vec<String>,
}

impl Default for Xboard {
    fn default() -> Self {
        Xboard {
            mode: Mode::Playing(Seat::P2),
            shows_thinking: false,
            leaves_claims_to_loser: false,
            clocks: Clocks::default(),
            errands: VecDeque::new(),
            report: None,
            pings: Vec::new(),
        }
    }
}

/// A command that could not be obeyed: the line for the client.
type Refusal = String;

/// Error texts quote what was sent, up to this many characters.
const MAX_ERROR_CHARS: usize = 400;

impl Dialect for Xboard {
    fn line(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if command == "quit" {
            self.withdraw(desk);
            return Flow::Quit;
        }
        if let Err(refusal) = self.command(command, rest.trim(), desk) {
            self.refuse(&refusal, desk);
        }
        Flow::Continue
    }

    fn event(&mut self, event: Event, desk: &mut Desk<'_>) {
        match event {
            Event::Info(info) => self.show(info, desk),
            Event::Done(answer) => self.deliver(&answer, desk),
            _ => {}
        }
    }

    fn refuse(&mut self, message: &str, desk: &mut Desk<'_>) {
        let short: String = message.chars().take(MAX_ERROR_CHARS).collect();
        let is_complete = ["Error (", "Illegal move", "tellusererror "].iter().any(|start| short.starts_with(start));
        desk.say(&if is_complete { short } else { format!("Error ({short}): refused") });
    }
}

impl Xboard {
    fn command(&mut self, command: &str, rest: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        match command {
            "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "name" | "rating" | "ics" | "white"
            | "black" | "draw" | "pause" | "resume" | "egtpath" => Ok(()),
            "protover" => {
                print::features(desk.engine.options()).iter().for_each(|line| desk.say(line));
                Ok(())
            }
            "ping" => {
                self.ping(rest, desk);
                Ok(())
            }
            "computer" => {
                self.leaves_claims_to_loser = true;
                Ok(())
            }
            "post" | "nopost" => {
                self.shows_thinking = command == "post";
                Ok(())
            }
            "level" | "st" | "sd" | "time" | "otim" => self.set_clock(command, rest, desk),
            "memory" => options::set("Hash", rest, desk),
            "cores" => options::set("Threads", rest, desk),
            "option" => self.option(rest, desk),
            "hint" => self.hint(desk),
            "bk" => {
                desk.say(" There is no opening book.");
                desk.say("");
                Ok(())
            }
            "." => {
                self.status(desk);
                Ok(())
            }
            "?" => {
                if self.is_on_move() {
                    desk.engine.stop();
                }
                Ok(())
            }
            _ => self.game_command(command, rest, desk),
        }
    }

    /// Commands that change the game or who plays it; all but a move of the opponent end a search.
    fn game_command(&mut self, command: &str, rest: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        match command {
            "new" => self.new_game(desk),
            "variant" => self.variant(rest, desk)?,
            "force" | "result" => self.leave(desk),
            "go" => self.go(desk),
            "playother" => self.play_other(desk),
            "usermove" => return self.user_move(rest, desk),
            "setboard" => self.set_board(rest, desk)?,
            "undo" => self.take_back(1, desk)?,
            "remove" => self.take_back(2, desk)?,
            "analyze" => {
                self.withdraw(desk);
                self.mode = Mode::Analysing;
            }
            "exit" => self.leave(desk),
            _ => return Err(error("unknown command", &format!("{command} {rest}"))),
        }
        self.carry_on(desk)
    }

    fn set_clock(&mut self, command: &str, rest: &str, desk: &Desk<'_>) -> Result<(), Refusal> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let done = match (command, words.as_slice()) {
            ("level", words) => self.clocks.level(words, desk.engine.session().moves().len()),
            ("st", [text]) => self.clocks.move_time(text),
            ("sd", [text]) => self.clocks.depth(text),
            ("time", [text]) => self.clocks.own(text),
            ("otim", [text]) => self.clocks.other(text),
            _ => None,
        };
        done.ok_or_else(|| error("bad number", &format!("{command} {rest}")))
    }

    fn new_game(&mut self, desk: &mut Desk<'_>) {
        self.withdraw(desk);
        desk.engine.new_game();
        self.clocks.new_game();
        self.leaves_claims_to_loser = false;
        if self.mode != Mode::Analysing {
            self.mode = Mode::Playing(Seat::P2);
        }
    }

    fn set_board(&mut self, fen: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let illegal = |message: String| format!("tellusererror Illegal position: {message}");
        let text = Sheet::of(desk.engine.session()).and_then(|sheet| sheet.position(fen)).map_err(illegal)?;
        desk.engine.session_mut().set_position(Some(&text), &[]).map_err(|refusal| illegal(refusal.to_string()))?;
        self.withdraw(desk);
        Ok(())
    }

    fn leave(&mut self, desk: &mut Desk<'_>) {
        self.withdraw(desk);
        self.mode = Mode::Watching;
    }

    fn go(&mut self, desk: &mut Desk<'_>) {
        self.withdraw(desk);
        self.mode = desk.engine.session().side_to_move().map_or(Mode::Watching, Mode::Playing);
    }

    fn play_other(&mut self, desk: &mut Desk<'_>) {
        self.withdraw(desk);
        let seat = desk.engine.session().side_to_move().map(Seat::other);
        self.mode = seat.map_or(Mode::Watching, Mode::Playing);
    }

    fn user_move(&mut self, text: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let legal = moves::read(desk.engine.session(), text).map_err(|refusal| illegal_move(&refusal, text))?;
        self.withdraw(desk);
        desk.engine.session_mut().play(&legal).map_err(|refusal| illegal_move(&refusal, text))?;
        self.claim(desk);
        self.carry_on(desk)
    }

    fn take_back(&mut self, plies: usize, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        if desk.engine.session().moves().len() < plies {
            return Err(error("command not legal now", "no move to take back"));
        }
        self.withdraw(desk);
        (0..plies).for_each(|_| _ = desk.engine.session_mut().undo());
        Ok(())
    }
}

fn error(kind: &str, command: &str) -> Refusal {
    format!("Error ({kind}): {}", command.trim_end())
}

fn illegal_move(refusal: &PlayError, text: &str) -> Refusal {
    match refusal {
        PlayError::Move(_) => format!("Illegal move: {text}"),
        PlayError::Over { reason, .. } => format!("Illegal move (the game is over, {reason}): {text}"),
    }
}
