//! XBoard and WinBoard: the Chess Engine Communication Protocol, version 2, with engine-defined variants.

mod clocks;
mod moves;
mod print;
mod sheet;

use std::collections::VecDeque;

use super::{Desk, Dialect, Flow};
use crate::engine::{Answer, Event, GoMode, GoRequest, PlayError, SearchInfo};
use crate::rules::{Seat, Turn};
use clocks::Clocks;
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

/// What the answer of a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Errand {
    Move,
    Hint,
    Analysis,
    /// The question has been withdrawn.
    Nothing,
}

/// A conversation with XBoard.
pub struct Xboard {
    mode: Mode,
    shows_thinking: bool,
    /// XBoard referees a game between two programs and believes no claim of a win that it cannot see itself; it does
    /// believe the loser.
    leaves_claims_to_loser: bool,
    clocks: Clocks,
    /// One for each search whose answer is still to come, oldest first.
    errands: VecDeque<Errand>,
    /// The last report of the running search.
    report: Option<SearchInfo>,
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

/// What a search for a hint may cost.
const HINT_NODES: u64 = 50_000;

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
            "memory" => set_option("Hash", rest, desk),
            "cores" => set_option("Threads", rest, desk),
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

    /// A ping is answered when everything before it is done, the engine's own move included.
    fn ping(&mut self, number: &str, desk: &mut Desk<'_>) {
        self.pings.push(format!("pong {number}"));
        if !self.is_on_move() {
            self.answer_pings(desk);
        }
    }

    fn answer_pings(&mut self, desk: &mut Desk<'_>) {
        self.pings.drain(..).for_each(|pong| desk.say(&pong));
    }

    fn option(&mut self, rest: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
        let rules = desk.engine.session().fingerprint();
        set_option(name.trim(), value.trim(), desk)?;
        if desk.engine.session().fingerprint() != rules {
            self.withdraw(desk);
        }
        Ok(())
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

    fn variant(&mut self, name: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        self.withdraw(desk);
        let tell = |message: String| format!("tellusererror {message}");
        desk.engine.set_option("Ruleset", Some(name)).map_err(|refusal| tell(refusal.to_string()))?;
        desk.engine.new_game();
        let sheet = Sheet::of(desk.engine.session()).map_err(tell)?;
        desk.say(&sheet.setup(desk.engine.session()));
        sheet.pieces().iter().for_each(|line| desk.say(line));
        Ok(())
    }

    fn set_board(&mut self, fen: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        self.withdraw(desk);
        let illegal = |message: String| format!("tellusererror Illegal position: {message}");
        let text = Sheet::of(desk.engine.session()).and_then(|sheet| sheet.position(fen)).map_err(illegal)?;
        desk.engine.session_mut().set_position(Some(&text), &[]).map_err(|refusal| illegal(refusal.to_string()))
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
        self.withdraw(desk);
        match (0..plies).all(|_| desk.engine.session_mut().undo()) {
            true => Ok(()),
            false => Err(error("command not legal now", "no move to take back")),
        }
    }

    /// Searches when the mode asks for it.
    fn carry_on(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let Turn::Player(seat) = desk.engine.session().turn() else { return Ok(()) };
        match self.mode {
            Mode::Playing(own) if own == seat && !self.is_on_move() => {
                let request = self.move_request(seat, desk);
                self.search(Errand::Move, &request, desk)
            }
            Mode::Analysing => {
                let request = GoRequest { mode: GoMode::Infinite, ..GoRequest::default() };
                self.search(Errand::Analysis, &request, desk)
            }
            _ => Ok(()),
        }
    }

    /// A search among the moves that XBoard can show.
    fn move_request(&self, seat: Seat, desk: &Desk<'_>) -> GoRequest {
        let session = desk.engine.session();
        let mut request = self.clocks.request(seat, session.moves().len());
        let legal = session.legal_moves();
        if !legal.iter().all(|text| moves::is_expressible(text)) {
            request.root_moves = legal.into_iter().filter(|text| moves::is_expressible(text)).collect();
        }
        request
    }

    fn search(&mut self, errand: Errand, request: &GoRequest, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        self.report = None;
        desk.start(request).map_err(|refusal| error(&refusal.to_string(), "go"))?;
        self.errands.push_back(errand);
        Ok(())
    }

    fn hint(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let is_idle = self.errands.iter().all(|&errand| errand == Errand::Nothing);
        match desk.engine.session().turn() {
            Turn::Player(_) if is_idle => self.search(Errand::Hint, &GoRequest::nodes(HINT_NODES), desk),
            _ => Ok(()),
        }
    }

    fn status(&self, desk: &mut Desk<'_>) {
        if self.errands.back() == Some(&Errand::Analysis) {
            let legal_moves = desk.engine.session().legal_moves().len();
            desk.say(&print::status(self.report.as_ref(), legal_moves));
        }
    }

    /// Whether the engine is about to make a move.
    fn is_on_move(&self) -> bool {
        self.errands.contains(&Errand::Move)
    }

    /// Ends every search; the answers go nowhere.
    fn withdraw(&mut self, desk: &mut Desk<'_>) {
        desk.engine.stop();
        self.errands.iter_mut().for_each(|errand| *errand = Errand::Nothing);
        self.answer_pings(desk);
    }

    fn show(&mut self, info: SearchInfo, desk: &mut Desk<'_>) {
        let is_wanted = matches!(self.errands.front(), Some(Errand::Move | Errand::Analysis));
        if is_wanted && self.shows_thinking {
            print::thinking(&info).iter().for_each(|line| desk.say(line));
        }
        if is_wanted {
            self.report = Some(info);
        }
    }

    fn deliver(&mut self, answer: &Answer, desk: &mut Desk<'_>) {
        let errand = self.errands.pop_front().unwrap_or(Errand::Nothing);
        let Some(best) = &answer.best else { return };
        match errand {
            Errand::Move => self.make_move(best, desk),
            Errand::Hint => desk.say(&format!("Hint: {}", moves::legs(best).join(","))),
            Errand::Analysis | Errand::Nothing => {}
        }
    }

    fn make_move(&mut self, text: &str, desk: &mut Desk<'_>) {
        // The search has found it in this very position, which nothing has changed since.
        if desk.engine.session_mut().play(text).is_ok() {
            moves::commands(text).iter().for_each(|line| desk.say(line));
            self.claim(desk);
        }
        self.answer_pings(desk);
    }

    /// Tells the result of a game that has just ended.
    fn claim(&self, desk: &mut Desk<'_>) {
        let Some(outcome) = desk.engine.session().turn().outcome() else { return };
        let is_winner = matches!(self.mode, Mode::Playing(own) if outcome.winner == Some(own));
        if !(is_winner && self.leaves_claims_to_loser) {
            desk.say(&print::result(outcome));
        }
    }
}

fn set_option(name: &str, value: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
    let is_check =
        desk.engine.options().spec(name).is_ok_and(|spec| matches!(spec.kind, crate::engine::OptionKind::Check { .. }));
    let value = match (is_check, value) {
        (true, "1") => "true",
        (true, "0") => "false",
        _ => value,
    };
    desk.engine.set_option(name, Some(value)).map_err(|refusal| error(&refusal.to_string(), name))
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
