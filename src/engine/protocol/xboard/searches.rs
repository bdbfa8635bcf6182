//! Searches on behalf of XBoard: the clocks that bound them, their purpose, the output while they run, and the use of
//! their answers.

use std::time::Duration;

use super::options::rules;
use super::{Mode, Refusal, Xboard, error, moves};
use crate::protocol::Server;
use crate::rules::{Outcome, Seat, Turn};
use crate::search::{BestMove, PvLine, SearchInfo, SearchLimits};
use crate::session::{Clock, GoMode, GoRequest, Session, Task, TimeControl, registry};

/// The purpose of a search, which decides what is done with its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Move,
    Hint,
    Analysis,
    /// A search that fills the searcher's memory while the opponent thinks; its answer is dropped.
    Pondering,
    /// A search that was withdrawn: its answer is dropped.
    Nothing,
}

/// The node limit of a search for a hint.
const HINT_NODES: u64 = 50_000;

const NO_GAME: &str = "tellusererror No game of reynard's is chosen: start XBoard with -variant masters-15 or another one, or \
                       choose one under File, New Variant";

fn endless() -> GoRequest {
    GoRequest { mode: GoMode::Infinite, ..GoRequest::default() }
}

/// The score that XBoard reads as "mate in 0".
const MATE: i64 = 100_000;

impl Xboard {
    /// Answers a ping once everything before it is done, the engine's own move included.
    pub(super) fn ping(&mut self, number: &str, server: &mut Server<'_>) {
        // The first ping follows the commands that set up a game; without a variant XBoard shows a chessboard.
        let is_chosen = self.is_game_chosen || rules(server.engine.options()) != rules(&registry::default_options());
        self.is_game_chosen = true;
        if !is_chosen {
            server.say(NO_GAME);
        }
        self.pings.push(format!("pong {number}").trim_end().to_owned());
        server.engine.make_ready();
        if !self.is_on_move() {
            self.answer_pings(server);
        }
    }

    fn answer_pings(&mut self, server: &mut Server<'_>) {
        self.pings.drain(..).for_each(|pong| server.say(&pong));
    }

    /// Starts the search that the mode asks for, if it asks for one.
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

    /// Switches thinking on the opponent's time on, from the engine's next move, or off, at once.
    pub(super) fn set_pondering(&mut self, ponders: bool, server: &mut Server<'_>) {
        self.ponders = ponders;
        if !ponders && self.is_pondering() {
            self.withdraw(server);
        }
    }

    /// Thinks until a command ends it, if it is the opponent's turn.
    fn ponder(&mut self, server: &mut Server<'_>) {
        let Turn::Player(seat) = server.engine.session().turn() else { return };
        if self.ponders && matches!(self.mode, Mode::Playing(own) if own != seat) {
            // The game also goes on without a thread for this search.
            let _ = self.search(Purpose::Pondering, &endless(), server);
        }
    }

    fn is_pondering(&self) -> bool {
        self.purposes.contains(&Purpose::Pondering)
    }

    /// The request for a search among the moves that XBoard can show.
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

    /// Answers the command `.` with the progress of an analysis or of thinking on the opponent's time.
    pub(super) fn status(&self, server: &mut Server<'_>) {
        if !matches!(self.purposes.back(), Some(Purpose::Analysis | Purpose::Pondering)) {
            return;
        }
        let session = server.engine.session_mut();
        let legal_moves = session.legal_moves().len();
        let status = match &self.report {
            None => format!("stat01: 0 0 0 {legal_moves} {legal_moves}"),
            Some(info) => {
                let pv = info.lines.first().map_or(&[][..], |line| &line.pv);
                let best = moves::line(session, &pv[..pv.len().min(1)]);
                let time = info.elapsed.as_millis() / 10;
                format!("stat01: {time} {} {} 0 {legal_moves} {best}", info.nodes, info.depth)
            }
        };
        server.say(status.trim_end());
    }

    /// Whether the engine is about to make a move.
    pub(super) fn is_on_move(&self) -> bool {
        self.purposes.contains(&Purpose::Move)
    }

    /// Ends every search; the answers are dropped.
    pub(super) fn withdraw(&mut self, server: &mut Server<'_>) {
        server.engine.stop();
        self.purposes.iter_mut().for_each(|purpose| *purpose = Purpose::Nothing);
        self.answer_pings(server);
    }

    pub(super) fn show(&mut self, info: SearchInfo<String>, server: &mut Server<'_>) {
        // A line that begins with `#` is a comment, which XBoard keeps in its log.
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
        // The search found the move in this very position, which nothing has changed since.
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

/// The lines of thinking output, one for each line of play; none for a finished game or where no line is new.
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

/// The time control and the two clocks.
pub(super) struct XboardClocks {
    control: ClockMode,
    own: Duration,
    other: Duration,
    depth: Option<u32>,
}

enum ClockMode {
    /// `level`: after `moves` (0: never) the time is given again; `increment` is gained with every move.
    Session { moves: u32, increment: Duration, plies_before: usize },
    /// `st`: the time for every move.
    Fixed(Duration),
}

impl Default for XboardClocks {
    /// The default of XBoard itself: 40 moves in 5 minutes.
    fn default() -> Self {
        let base = Duration::from_secs(300);
        let control = ClockMode::Session { moves: 40, increment: Duration::ZERO, plies_before: 0 };
        XboardClocks { control, own: base, other: base, depth: None }
    }
}

impl XboardClocks {
    /// Obeys a command about time; `plies` is the length of the game so far. Returns `None` and changes nothing for
    /// another command or a bad number.
    ///
    /// - `level MOVES BASE INCREMENT`, BASE in minutes or `minutes:seconds`, INCREMENT in seconds.
    /// - `st SECONDS` for every move, `sd PLIES`.
    /// - `time` and `otim`, the engine's clock and the other one in centiseconds, below zero when the flag has fallen.
    pub(super) fn set(&mut self, command: &str, words: &[&str], plies: usize) -> Option<()> {
        match (command, words) {
            ("level", [moves, base, increment]) => {
                let moves = moves.parse().ok()?;
                let base = base_time(base)?;
                let increment = seconds(increment)?;
                self.control = ClockMode::Session { moves, increment, plies_before: plies };
                self.own = base;
                self.other = base;
            }
            ("st", [text]) => self.control = ClockMode::Fixed(seconds(text)?),
            ("sd", [text]) => self.depth = Some(text.parse().ok().filter(|&depth| depth > 0)?),
            ("time", [text]) => self.own = centiseconds(text)?,
            ("otim", [text]) => self.other = centiseconds(text)?,
            _ => return None,
        }
        Some(())
    }

    /// Begins a new game, which has no depth limit.
    pub(super) fn new_game(&mut self) {
        self.depth = None;
        if let ClockMode::Session { plies_before, .. } = &mut self.control {
            *plies_before = 0;
        }
    }

    /// The request for a move of `seat`; `plies` is the length of the game so far.
    pub(super) fn request(&self, seat: Seat, plies: usize) -> GoRequest {
        let time = match self.control {
            ClockMode::Fixed(time) => TimeControl { move_time: Some(time), ..TimeControl::default() },
            ClockMode::Session { moves, increment, plies_before } => {
                let mut clocks = [Some(Clock { left: self.other, increment }); 2];
                clocks[seat.index()] = Some(Clock { left: self.own, increment });
                let made = u32::try_from(plies.saturating_sub(plies_before) / 2).unwrap_or(u32::MAX);
                let moves_to_go = made.checked_rem(moves).map(|made| moves - made);
                TimeControl { moves_to_go, ..TimeControl::of_clocks(&clocks) }
            }
        };
        GoRequest {
            time,
            limits: SearchLimits { depth: self.depth, ..SearchLimits::default() },
            ..GoRequest::default()
        }
    }
}

/// Reads a base time such as `5` or `0:30`; text after the seconds is reserved for later versions of the protocol.
fn base_time(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    let digits = |text: &str| text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse::<u32>().ok();
    Some(Duration::from_secs(u64::from(digits(minutes)?) * 60 + u64::from(digits(seconds)?)))
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn centiseconds(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(u64::try_from(number).unwrap_or(0).saturating_mul(10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_counts_the_moves_to_go() {
        let mut clocks = XboardClocks::default();
        clocks.set("level", &["40", "0:30", "0"], 0).unwrap();
        clocks.set("time", &["1234"], 0).unwrap();
        clocks.set("otim", &["-5"], 0).unwrap();
        let time = clocks.request(Seat::P2, 83).time;
        assert_eq!(time.moves_to_go, Some(39));
        assert_eq!(time.clocks[1].unwrap().left, Duration::from_millis(12_340));
        assert_eq!(time.clocks[0].unwrap().left, Duration::ZERO);
    }

    #[test]
    fn a_whole_game_has_no_moves_to_go() {
        let mut clocks = XboardClocks::default();
        clocks.set("level", &["0", "2", "12"], 0).unwrap();
        let time = clocks.request(Seat::P1, 7).time;
        assert_eq!((time.moves_to_go, time.clocks[0].unwrap().increment), (None, Duration::from_secs(12)));
    }

    #[test]
    fn nonsense_changes_nothing() {
        let mut clocks = XboardClocks::default();
        clocks.set("st", &["0.5"], 0).unwrap();
        for bad in [&["40", "5"][..], &["x", "5", "0"], &["40", ":", "0"], &["40", "5", "-1"], &["40", "\u{e9}", "0"]] {
            assert!(clocks.set("level", bad, 0).is_none(), "{bad:?}");
        }
        for (command, bad) in [("st", "nan"), ("sd", "0"), ("time", "x")] {
            assert!(clocks.set(command, &[bad], 0).is_none(), "{command}");
        }
        assert_eq!(clocks.request(Seat::P1, 0).time.move_time, Some(Duration::from_millis(500)));
    }
}
