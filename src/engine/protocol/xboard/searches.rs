//! Searches on behalf of XBoard: what they are for, what is shown of them, and what becomes of their answers.

use super::options::rules;
use super::{Mode, Refusal, Xboard, error, moves};
use crate::protocol::Server;
use crate::rules::{Outcome, Seat, Turn};
use crate::search::{BestMove, PvLine, SearchInfo};
use crate::session::{GoMode, GoRequest, Session, Task, registry};

/// The purpose of a search, which decides what becomes of its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Move,
    Hint,
    Analysis,
    /// It fills the searcher's memory while the opponent thinks; its answer is dropped.
    Pondering,
    /// The search was withdrawn: its answer is dropped.
    Nothing,
}

/// Nodes of a search for a hint.
const HINT_NODES: u64 = 50_000;

const NO_GAME: &str = "tellusererror No game of reynard's is chosen: start XBoard with -variant masters-15 or another one, or \
                       choose one under File, New Variant";

fn endless() -> GoRequest {
    GoRequest { mode: GoMode::Infinite, ..GoRequest::default() }
}

/// The score that stands for "mate in 0".
const MATE: i64 = 100_000;

impl Xboard {
    /// Answers a ping when everything before it is done, the engine's own move included.
    pub(super) fn ping(&mut self, number: &str, server: &mut Server<'_>) {
        // The first ping follows the commands that set up a game; without a variant XBoard shows a chessboard.
        let is_chosen = self.is_game_chosen || rules(server.engine.options()) != rules(&registry::default_options());
        self.is_game_chosen = true;
        if !is_chosen {
            server.say(NO_GAME);
        }
        self.pings.push(format!("pong {number}").trim_end().to_owned());
        if !self.is_on_move() {
            self.answer_pings(server);
        }
    }

    fn answer_pings(&mut self, server: &mut Server<'_>) {
        self.pings.drain(..).for_each(|pong| server.say(&pong));
    }

    /// Searches when the mode asks for it.
    pub(super) fn carry_on(&mut self, server: &mut Server<'_>) -> Result<(), Refusal> {
        let Turn::Player(seat) = server.engine.session().turn() else { return Ok(()) };
        match self.mode {
            Mode::Playing(own) if own == seat && !self.is_on_move() => {
                let request = self.move_request(seat, server);
                self.search(Purpose::Move, &request, server)
            }
            Mode::Analysing => self.search(Purpose::Analysis, &endless(), server),
            _ => Ok(()),
        }
    }

    /// Switches thinking on the opponent's time: on from the next own move, off at once.
    pub(super) fn set_pondering(&mut self, ponders: bool, server: &mut Server<'_>) {
        self.ponders = ponders;
        if !ponders && self.is_pondering() {
            self.withdraw(server);
        }
    }

    /// Thinks until a command ends it, when it is the opponent's turn.
    fn ponder(&mut self, server: &mut Server<'_>) {
        let Turn::Player(seat) = server.engine.session().turn() else { return };
        if self.ponders && matches!(self.mode, Mode::Playing(own) if own != seat) {
            // Without a thread for it the game goes on as well.
            let _ = self.search(Purpose::Pondering, &endless(), server);
        }
    }

    fn is_pondering(&self) -> bool {
        self.purposes.contains(&Purpose::Pondering)
    }

    /// A search among the moves that XBoard can show.
    fn move_request(&self, seat: Seat, server: &Server<'_>) -> GoRequest {
        let session = server.engine.session();
        let request = self.clocks.request(seat, session.moves().len());
        GoRequest { root_moves: moves::expressible(session), ..request }
    }

    fn search(&mut self, purpose: Purpose, request: &GoRequest, server: &mut Server<'_>) -> Result<(), Refusal> {
        self.report = None;
        server.start(Task::Search(request)).map_err(|refusal| error(&refusal.to_string(), "go"))?;
        self.purposes.push_back(purpose);
        Ok(())
    }

    pub(super) fn hint(&mut self, server: &mut Server<'_>) -> Result<(), Refusal> {
        if self.is_pondering() {
            self.withdraw(server);
        }
        let is_idle = self.purposes.iter().all(|&purpose| purpose == Purpose::Nothing);
        match server.engine.session().turn() {
            Turn::Player(_) if is_idle => self.search(Purpose::Hint, &GoRequest::nodes(HINT_NODES), server),
            _ => Ok(()),
        }
    }

    pub(super) fn status(&self, server: &mut Server<'_>) {
        if matches!(self.purposes.back(), Some(Purpose::Analysis | Purpose::Pondering)) {
            let status = status(self.report.as_ref(), server.engine.session_mut());
            server.say(&status);
        }
    }

    /// Whether the engine is about to make a move.
    pub(super) fn is_on_move(&self) -> bool {
        self.purposes.contains(&Purpose::Move)
    }

    /// Ends every search; the answers go nowhere.
    pub(super) fn withdraw(&mut self, server: &mut Server<'_>) {
        server.engine.stop();
        self.purposes.iter_mut().for_each(|purpose| *purpose = Purpose::Nothing);
        self.answer_pings(server);
    }

    pub(super) fn show(&mut self, info: SearchInfo<String>, server: &mut Server<'_>) {
        // A comment of the protocol: XBoard keeps it in its log.
        info.remark.iter().for_each(|remark| server.say(&format!("# {remark}")));
        let purpose = self.purposes.front();
        if matches!(purpose, Some(Purpose::Move | Purpose::Analysis)) && self.shows_thinking {
            thinking(&info, server.engine.session_mut()).iter().for_each(|line| server.say(line));
        }
        if matches!(purpose, Some(Purpose::Move | Purpose::Analysis | Purpose::Pondering)) {
            self.report = Some(info);
        }
    }

    pub(super) fn deliver(&mut self, answer: Option<BestMove<String>>, server: &mut Server<'_>) {
        let purpose = self.purposes.pop_front().unwrap_or(Purpose::Nothing);
        let Some(BestMove { best, .. }) = answer else { return };
        match purpose {
            Purpose::Move => self.make_move(&best, server),
            Purpose::Hint => {
                let hint = moves::line(server.engine.session_mut(), &[best]);
                server.say(&format!("Hint: {hint}"));
                self.ponder(server);
            }
            Purpose::Analysis | Purpose::Pondering | Purpose::Nothing => {}
        }
    }

    fn make_move(&mut self, text: &str, server: &mut Server<'_>) {
        // The search has found it in this very position, which nothing has changed since.
        if server.engine.session_mut().play(text).is_ok() {
            let change = server.engine.session().played_changes().pop().unwrap_or_default();
            moves::commands(text, &change).iter().for_each(|line| server.say(line));
            self.claim(server);
            self.ponder(server);
        }
        self.answer_pings(server);
    }

    /// Claims the result of a game that has just ended.
    pub(super) fn claim(&self, server: &mut Server<'_>) {
        let Some(outcome) = server.engine.session().turn().outcome() else { return };
        let is_winner = matches!(self.mode, Mode::Playing(own) if outcome.winner == Some(own));
        if !(is_winner && self.leaves_claims_to_loser) {
            server.say(&result(outcome, &server.engine.session().reason().unwrap_or_default()));
        }
    }
}

/// One line of thinking output for each line of play; nothing for a finished game, nor where no line is new.
fn thinking(info: &SearchInfo<String>, session: &mut dyn Session) -> Vec<String> {
    let time = info.elapsed.as_millis() / 10;
    let mut text = |line: &PvLine<String>| {
        format!("{} {} {time} {} {}", info.depth, score(line), info.nodes, moves::line(session, &line.pv))
    };
    info.lines.iter().filter(|_| info.depth > 0 && info.current.is_none()).map(&mut text).collect()
}

fn score(line: &PvLine<String>) -> i64 {
    match line.mate {
        Some(moves) if moves > 0 => MATE + i64::from(moves),
        Some(moves) => i64::from(moves) - MATE,
        None => i64::from(line.score.0),
    }
}

/// The claim that ends a game.
fn result(outcome: Outcome, reason: &str) -> String {
    let result = match outcome.winner {
        None => "1/2-1/2",
        Some(Seat::P1) => "1-0",
        Some(_) => "0-1",
    };
    format!("{result} {{{reason}}}")
}

/// The answer to `.` during an analysis, also before its first report.
fn status(report: Option<&SearchInfo<String>>, session: &mut dyn Session) -> String {
    let legal_moves = session.legal_moves().len();
    let Some(info) = report else { return format!("stat01: 0 0 0 {legal_moves} {legal_moves}") };
    let pv = info.lines.first().map_or(&[][..], |line| &line.pv);
    let best = moves::line(session, &pv[..pv.len().min(1)]);
    let time = info.elapsed.as_millis() / 10;
    format!("stat01: {time} {} {} 0 {legal_moves} {best}", info.nodes, info.depth).trim_end().to_owned()
}
