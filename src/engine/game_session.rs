//! The one implementation of [`Session`], generic over the game and its evaluator.

mod chances;
mod searching;
mod tables;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde_json::Value;

use self::tables::Shelf;
use super::counting;
use super::event::{Event, Sink};
use super::job::{Job, Terms};
use super::kit::Kit;
use super::options::Options;
use super::request::GoRequest;
use super::searchers::Tool;
use super::session::{PlayError, Session, SetupError, StartError, TableAnswer};
use crate::chances::{Chances, ChancesOracle};
use crate::eval::Evaluator;
use crate::rules::{
    self, Capabilities, Change, Game, MAX_SEATS, MoveError, Outcome, Piece, Playable, PositionError, Record, Seat, Turn,
};
use crate::search::Control;
use crate::tablebase::{TableError, TableValue};

/// Why a game ended that was lost by an illegal move.
pub(crate) const ILLEGAL_MOVE_REASON: &str = "illegal move";

/// The same at a table of more than two, by seat: nobody has won there, so that it has to be said who failed.
const ILLEGAL_MOVE_OF: [&str; MAX_SEATS] = [
    "illegal move of p1",
    "illegal move of p2",
    "illegal move of p3",
    "illegal move of p4",
    "illegal move of p5",
    "illegal move of p6",
    "illegal move of p7",
    "illegal move of p8",
];

/// How a game ends that `loser` has lost by an illegal move: of one player the board wins, of two the other one, of more
/// nobody.
fn forfeited(loser: Seat, seats: usize) -> Outcome {
    match seats {
        ..=2 => Outcome { winner: Some(loser.other()), reason: ILLEGAL_MOVE_REASON },
        _ => Outcome { winner: None, reason: ILLEGAL_MOVE_OF[loser.index()] },
    }
}

/// A game of `G` with what the kit `K` brings along.
pub(crate) struct GameSession<G: Game, K> {
    game: Arc<G>,
    record: Record<G>,
    /// The texts that led here: a client sends the whole history before every question, most of it known.
    sent: Sent,
    /// Who lost the game by an illegal move after the last move of the record.
    forfeiter: Option<Seat>,
    kit: PhantomData<fn() -> K>,
    /// Keeps what it has worked out; of no influence on anything else.
    odds: RefCell<Option<Box<dyn ChancesOracle<G>>>>,
    shelf: RefCell<Shelf<G>>,
    tool: Option<Tool<G>>,
    /// The tool must forget before its next search.
    is_stale: bool,
    job: Option<Job<Option<Tool<G>>>>,
}

/// What the record was made from.
#[derive(Default)]
struct Sent {
    /// `None` for the start position.
    position: Option<String>,
    /// As many as the record has moves.
    moves: Vec<String>,
}

impl Sent {
    /// How many moves of the record this history shares; `None` when it starts elsewhere.
    fn shared_moves(&self, position: Option<&str>, moves: &[&str]) -> Option<usize> {
        let shared = self.moves.iter().zip(moves).take_while(|(known, sent)| known == *sent).count();
        (self.position.as_deref() == position).then_some(shared)
    }
}

impl<G: Playable, K: Kit<G>> GameSession<G, K> {
    /// A session at the start position.
    pub(crate) fn new(game: G) -> Self {
        let record = Record::new(game.start());
        let game = Arc::new(game);
        GameSession {
            record,
            sent: Sent::default(),
            forfeiter: None,
            kit: PhantomData,
            odds: RefCell::new(K::odds(&game)),
            game,
            shelf: RefCell::new(Shelf::new()),
            tool: None,
            is_stale: false,
            job: None,
        }
    }

    fn position(&self) -> &G::Position {
        self.record.position()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn().outcome()
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, PlayError> {
        match self.outcome() {
            Some(outcome) => Err(PlayError::Over { text: text.to_owned(), reason: outcome.reason }),
            None => Ok(self.game.parse_move(self.position(), text)?),
        }
    }

    fn parse_start(&self, position: Option<&str>) -> Result<G::Position, PositionError> {
        match position {
            Some(text) => self.game.parse_position(text),
            None => Ok(self.game.start()),
        }
    }

    fn play_parsed(&mut self, mv: G::Move, text: &str) {
        self.record.play(&self.game, mv);
        self.sent.moves.push(text.to_owned());
    }

    /// Plays a move of a history that somebody else wrote.
    fn replay(&mut self, text: &str) -> Result<(), SetupError> {
        match self.parse_move(text) {
            Ok(mv) => {
                self.play_parsed(mv, text);
                Ok(())
            }
            Err(PlayError::Over { text, reason }) => Err(SetupError::AfterTheEnd { text, reason }),
            Err(PlayError::Move(error)) => Err(self.forfeit(error)),
        }
    }

    fn forfeit(&mut self, error: MoveError) -> SetupError {
        if self.turn() == Turn::Chance {
            return SetupError::IllegalRoll(error);
        }
        self.forfeiter = self.game.side_to_move(self.position());
        let loser = self.forfeiter.map_or("nobody", |seat| self.game.seat_name(seat)).to_owned();
        SetupError::IllegalMove { error, loser }
    }
}

impl<G: Playable, K: Kit<G>> Session for GameSession<G, K> {
    fn ruleset(&self) -> &str {
        self.game.name()
    }

    fn fingerprint(&self) -> u64 {
        self.game.fingerprint()
    }

    fn role(&self, seat: Seat) -> &'static str {
        self.game.role(seat)
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn chances(&self, options: &Options) -> Option<Chances> {
        let mut odds = self.odds.borrow_mut();
        let odds = odds.as_mut()?;
        Some(match self.outcome() {
            Some(outcome) => Chances::decided(outcome, self.seats(), odds.pot(&self.game, self.position_before_end())),
            None => chances::told(&mut **odds, &self.game, self.position(), options),
        })
    }

    fn seat_name(&self, seat: Seat) -> &str {
        self.game.seat_name(seat)
    }

    fn probe_tables(&self, options: &Options) -> Result<Option<TableAnswer>, TableError> {
        self.table_answer(options)
    }

    fn table_verdict(&self, options: &Options) -> Result<Option<TableValue>, TableError> {
        let tables = self.asked_tables(options)?;
        tables.map_or(Ok(None), |open| open.tables().probe(&self.game, self.position()))
    }

    fn set_position(&mut self, position: Option<&str>, moves: &[&str]) -> Result<(), SetupError> {
        let shared = match self.sent.shared_moves(position, moves) {
            Some(shared) => shared,
            None => {
                self.record = Record::new(self.parse_start(position)?);
                self.sent = Sent { position: position.map(str::to_owned), moves: Vec::new() };
                0
            }
        };
        self.forfeiter = None;
        while self.sent.moves.len() > shared && self.undo() {}
        moves[shared..].iter().try_for_each(|text| self.replay(text))
    }

    fn play(&mut self, text: &str) -> Result<(), PlayError> {
        let mv = self.parse_move(text)?;
        self.play_parsed(mv, text);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.forfeiter.take().is_some() || (self.record.undo().is_some() && self.sent.moves.pop().is_some())
    }

    fn turn(&self) -> Turn {
        match self.forfeiter {
            Some(loser) => Turn::Over(forfeited(loser, self.game.seats())),
            None => self.record.turn(&self.game),
        }
    }

    fn side_to_move(&self) -> Option<Seat> {
        self.game.side_to_move(self.position())
    }

    fn position_text(&self) -> String {
        self.game.position_text(self.position())
    }

    fn start_text(&self) -> String {
        self.game.position_text(self.record.start())
    }

    fn moves(&self) -> Vec<String> {
        let played = self.record.positions().iter().zip(self.record.moves());
        played.map(|(position, &mv)| self.game.move_text(position, mv)).collect()
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.game.legal_moves(self.position(), &mut moves);
        }
        moves.into_iter().map(|mv| self.game.move_text(self.position(), mv)).collect()
    }

    fn rolls(&self) -> Vec<(String, f64)> {
        let mut rolls = Vec::new();
        if self.turn() == Turn::Chance {
            self.game.chance_outcomes(self.position(), &mut rolls);
        }
        rolls.into_iter().map(|(roll, chance)| (self.game.move_text(self.position(), roll), chance)).collect()
    }

    fn canonical_move(&self, text: &str) -> Result<String, PlayError> {
        self.parse_move(text).map(|mv| self.game.move_text(self.position(), mv))
    }

    fn pieces(&self) -> Vec<Piece> {
        self.game.pieces(self.position())
    }

    fn played_changes(&self) -> Vec<Change> {
        let played = self.record.positions().iter().zip(self.record.moves());
        played.map(|(position, &mv)| self.game.change(position, mv)).collect()
    }

    fn legal_changes(&self) -> Vec<(String, Change)> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.game.legal_moves(self.position(), &mut moves);
        }
        let position = self.position();
        moves.into_iter().map(|mv| (self.game.move_text(position, mv), self.game.change(position, mv))).collect()
    }

    fn capabilities(&self) -> Capabilities {
        self.game.capabilities()
    }

    fn key(&self) -> u64 {
        self.game.key(self.position())
    }

    fn draw(&self) -> String {
        self.game.draw(self.position())
    }

    fn legend(&self) -> String {
        self.game.legend()
    }

    fn board_json(&self) -> Value {
        self.game.board_json()
    }

    fn rules_json(&self) -> Value {
        self.game.rules_json()
    }

    fn explain(&self, options: &Options) -> Vec<(&'static str, i32)> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => K::evaluator(options).explain(&self.game, self.position()),
        }
    }

    fn evaluations(&self, options: &Options) -> Vec<i32> {
        let seats = if self.outcome().is_some() { 0 } else { self.game.seats() as u8 };
        let evaluator = K::evaluator(options);
        (0..seats).map(|seat| evaluator.evaluate(&self.game, self.position(), Seat(seat))).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        rules::perft(&*self.game, self.position(), depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let divided = rules::divide(&*self.game, self.position(), depth);
        divided.into_iter().map(|(mv, nodes)| (self.game.move_text(self.position(), mv), nodes)).collect()
    }

    fn start(&mut self, request: &GoRequest, options: &Options, mut sink: Sink) -> Result<(), StartError> {
        if !self.is_free() {
            return Err(StartError::Busy);
        }
        match self.turn() {
            Turn::Player(seat) => self.spawn_search(request, seat, options, sink)?,
            Turn::Chance => sink(Event::Done(self.roll(options))),
            Turn::Over(outcome) => self.tell_the_end(outcome, &mut *sink),
        }
        Ok(())
    }

    fn search(
        &mut self,
        request: &GoRequest,
        options: &Options,
        stop: &Arc<AtomicBool>,
        sink: &mut dyn FnMut(Event),
    ) -> Result<(), StartError> {
        if !self.is_free() {
            return Err(StartError::Busy);
        }
        match self.turn() {
            Turn::Player(seat) => self.search_here(request, seat, options, stop, sink)?,
            Turn::Chance => sink(Event::Done(self.roll(options))),
            Turn::Over(outcome) => self.tell_the_end(outcome, sink),
        }
        Ok(())
    }

    fn start_perft(&mut self, depth: u32, sink: Sink) -> Result<(), StartError> {
        if !self.is_free() {
            return Err(StartError::Busy);
        }
        let start = Instant::now();
        let control = Control::new(move || start.elapsed());
        let terms = Terms::count(control);
        let (game, position) = (Arc::clone(&self.game), *self.position());
        let mut kept = self.tool.take();
        let work = move |control: &Control, sink: &mut Sink| {
            (kept.take(), counting::divide(&*game, &position, depth, control, sink))
        };
        self.job = Some(Job::spawn(terms, sink, work).map_err(|error| StartError::Thread(error.to_string()))?);
        Ok(())
    }

    fn stop(&mut self) {
        self.job.iter().for_each(Job::stop);
    }

    fn stop_search(&mut self) {
        self.job.iter().for_each(Job::stop_search);
    }

    fn ponder_hit(&mut self) {
        self.job.iter_mut().for_each(Job::ponder_hit);
    }

    fn is_busy(&self) -> bool {
        self.job.as_ref().is_some_and(|job| !job.is_finished())
    }

    fn ends_by_itself(&self) -> bool {
        self.job.as_ref().is_none_or(|job| job.is_finished() || job.ends_by_itself())
    }

    fn wait(&mut self) {
        if let Some(job) = self.job.take() {
            self.tool = job.join().flatten();
        }
    }

    fn clear_search(&mut self) {
        self.is_stale = true;
        self.shelf.get_mut().look_again();
    }
}
