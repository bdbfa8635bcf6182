//! XBoard and WinBoard: the Chess Engine Communication Protocol, version 2, with engine-defined variants.
//!
//! `variant` shows a ruleset and `moves` a move the way XBoard sees them. [`Xboard`] here obeys the commands; `options`
//! and `searches` hold the rest of its methods, for settings and for searches, and so import it back.

mod moves;
mod options;
mod searches;
mod variant;

use std::collections::VecDeque;

use searches::{Purpose, XboardClocks};
use variant::Variant;

use super::{Dialect, Flow, Server, shortened};
use crate::rules::Seat;
use crate::search::SearchInfo;
use crate::session::{Event, PlayError};

/// What the engine does when a move arrives; at first it plays the second seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Force mode: the engine plays neither side.
    Watching,
    /// The engine answers when it is this seat's turn.
    Playing(Seat),
    Analysing,
}

impl Default for Mode {
    fn default() -> Self {
        Mode::Playing(Seat::P2)
    }
}

/// A conversation with XBoard.
#[derive(Default)]
pub(crate) struct Xboard {
    mode: Mode,
    /// Whether the client has chosen a game, or has got the message that it should.
    is_game_chosen: bool,
    /// Whether the engine thinks on the opponent's time too.
    ponders: bool,
    shows_thinking: bool,
    /// Whether claims are left to the loser: between two programs XBoard is the referee and believes no claim of a win
    /// that it cannot check itself, but it believes the loser.
    leaves_claims_to_loser: bool,
    clocks: XboardClocks,
    /// The purposes of the searches whose answers are still to come, oldest first.
    purposes: VecDeque<Purpose>,
    /// The last report of the running search.
    report: Option<SearchInfo<String>>,
    /// The arguments of pings that wait for the engine's move.
    pings: Vec<String>,
}

/// The line that tells the client why a command was not obeyed.
type Refusal = String;

impl Dialect for Xboard {
    fn line(&mut self, line: &str, server: &mut Server<'_>) -> Flow {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if command == "quit" {
            self.withdraw(server);
            return Flow::Quit;
        }
        if let Err(refusal) = self.command(command, rest.trim(), server) {
            server.say(&shortened(&refusal));
        }
        Flow::Continue
    }

    fn event(&mut self, event: Event, server: &mut Server<'_>) {
        match event {
            Event::Info(info) => self.show(info, server),
            Event::Done(answer) => self.deliver(answer, server),
            _ => {}
        }
    }

    fn refuse(&mut self, message: &str, server: &mut Server<'_>) {
        server.say(&format!("Error ({}): refused", shortened(message)));
    }
}

impl Xboard {
    fn command(&mut self, command: &str, rest: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        match command {
            "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "white" | "black" | "draw"
            | "pause" | "resume" | "egtpath" => {}
            "protover" => options::features(server.engine.options()).iter().for_each(|line| server.say(line)),
            "ping" => self.ping(rest, server),
            "computer" => self.leaves_claims_to_loser = true,
            "hard" | "easy" => self.set_pondering(command == "hard", server),
            "post" | "nopost" => self.shows_thinking = command == "post",
            "level" | "st" | "sd" | "time" | "otim" => self.set_clock(command, rest, server)?,
            "memory" => options::set("Hash", rest, server)?,
            "cores" => options::set("Threads", rest, server)?,
            "option" => self.option(rest, server)?,
            "hint" => self.hint(server)?,
            "bk" => server.say_lines(" There is no opening book.\n\n"),
            "." => self.status(server),
            "?" if self.is_on_move() => server.engine.stop(),
            "?" => {}
            _ => return self.game_command(command, rest, server),
        }
        Ok(())
    }

    /// Obeys a command that changes the game or who plays it; unless it is refused, it ends the running search.
    fn game_command(&mut self, command: &str, rest: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        match command {
            "new" => self.new_game(server),
            "variant" => self.variant(rest, server)?,
            "force" | "result" => self.leave(server),
            "go" => self.play(server.engine.session().side_to_move(), server),
            "playother" => self.play(server.engine.session().side_to_move().map(Seat::other), server),
            "usermove" => return self.user_move(rest, server),
            "setboard" => self.set_board(rest, server)?,
            "undo" => self.take_back(1, server)?,
            "remove" => self.take_back(2, server)?,
            "analyze" => {
                self.withdraw(server);
                self.mode = Mode::Analysing;
            }
            "exit" => self.leave(server),
            _ => return Err(error("unknown command", &format!("{command} {rest}"))),
        }
        self.carry_on(server)
    }

    fn set_clock(&mut self, command: &str, rest: &str, server: &Server<'_>) -> Result<(), Refusal> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let done = self.clocks.set(command, &words, server.engine.session().moves().len());
        done.ok_or_else(|| error("bad number", &format!("{command} {rest}")))
    }

    fn new_game(&mut self, server: &mut Server<'_>) {
        self.withdraw(server);
        server.engine.new_game();
        self.clocks.new_game();
        self.leaves_claims_to_loser = false;
        if self.mode != Mode::Analysing {
            self.mode = Mode::default();
        }
    }

    fn set_board(&mut self, fen: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let illegal = |message: String| format!("tellusererror Illegal position: {message}");
        let text = Variant::of(server.engine.session()).and_then(|variant| variant.position(fen)).map_err(illegal)?;
        server.engine.session_mut().set_position(Some(&text), &[]).map_err(|refusal| illegal(refusal.to_string()))?;
        self.withdraw(server);
        Ok(())
    }

    fn leave(&mut self, server: &mut Server<'_>) {
        self.withdraw(server);
        self.mode = Mode::Watching;
    }

    /// Makes the engine play this seat from now on.
    fn play(&mut self, seat: Option<Seat>, server: &mut Server<'_>) {
        self.withdraw(server);
        self.mode = seat.map_or(Mode::Watching, Mode::Playing);
    }

    fn user_move(&mut self, text: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let legal = moves::read(server.engine.session(), text).map_err(|refusal| illegal_move(&refusal, text))?;
        self.withdraw(server);
        server.engine.session_mut().play(&legal).map_err(|refusal| illegal_move(&refusal, text))?;
        self.claim(server);
        self.carry_on(server)
    }

    fn take_back(&mut self, plies: usize, server: &mut Server<'_>) -> Result<(), Refusal> {
        if server.engine.session().moves().len() < plies {
            return Err(error("command not legal now", "no move to take back"));
        }
        self.withdraw(server);
        (0..plies).for_each(|_| _ = server.engine.session_mut().undo());
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
