//! The one implementation of [`Session`], generic over the game and its evaluator.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use super::clock::{self, Bounds};
use super::event::{Answer, Event, InfoLine, SearchInfo, Sink};
use super::job::{Job, Kind, Terms};
use super::options::Options;
use super::request::GoRequest;
use super::searchers::{Tool, ToolTag};
use super::session::{PlayError, Session, SetupError, StartError};
use super::{counting, reporting};
use crate::eval::Evaluator;
use crate::rules::{self, Game, MoveError, Outcome, PositionError, Record, Seat, Turn};
use crate::search::{Control, Score, Task};

/// Why a game ended that was lost by an illegal move.
pub const ILLEGAL_MOVE_REASON: &str = "illegal move";

/// A game of `G` with searchers that use an evaluator `E`.
pub struct GameSession<G: Game, E: Evaluator<G>> {
    game: Arc<G>,
    record: Record<G>,
    /// The texts that led here: a client sends the whole history before every question, most of it known.
    sent: Sent,
    /// Who lost the game by an illegal move after the last move of the record.
    forfeiter: Option<Seat>,
    make_evaluator: fn(&Options) -> E,
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

impl<G: Game, E: Evaluator<G>> GameSession<G, E> {
    /// A session at the start position; the evaluator is made anew when parameters change.
    pub fn new(game: G, make_evaluator: fn(&Options) -> E) -> Self {
        let record = Record::new(game.start());
        let game = Arc::new(game);
        let sent = Sent::default();
        GameSession { game, record, sent, forfeiter: None, make_evaluator, tool: None, is_stale: false, job: None }
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
        self.forfeiter = self.game.side_to_move(self.position());
        let loser = self.forfeiter.map_or("nobody", |seat| self.game.seat_name(seat)).to_owned();
        SetupError::IllegalMove { error, loser }
    }

    fn root_moves(&self, request: &GoRequest) -> Result<Vec<G::Move>, StartError> {
        let parse = |text: &String| self.game.parse_move(self.position(), text).map_err(StartError::RootMove);
        request.root_moves.iter().map(parse).collect()
    }

    /// Takes the searcher back from a job that has ended or was told to; false while one is at work.
    fn is_free(&mut self) -> bool {
        if self.job.as_ref().is_some_and(|job| !job.is_finished() && !job.is_stopping()) {
            return false;
        }
        self.wait();
        true
    }

    /// The searcher that the options ask for: the present one while they have not changed.
    fn take_tool(&mut self, options: &Options) -> Tool<G> {
        let tag = ToolTag::of(options);
        let kept = self.tool.take().filter(|tool| tool.tag == tag);
        let mut tool = kept.unwrap_or_else(|| Tool::build(tag, options, (self.make_evaluator)(options)));
        if std::mem::take(&mut self.is_stale) {
            tool.searcher.clear();
        }
        tool
    }

    fn bounds(&self, request: &GoRequest, seat: Seat, options: &Options) -> Option<Bounds> {
        let mut bounds = clock::bounds(&request.time, seat, options.move_overhead())?;
        // With nothing to choose the time is better kept for later.
        if request.time.move_time.is_none() && self.game.count_moves(self.position()) == 1 {
            bounds.soft = std::time::Duration::ZERO;
        }
        Some(bounds)
    }

    fn spawn_search(
        &mut self,
        request: &GoRequest,
        seat: Seat,
        options: &Options,
        sink: Sink,
    ) -> Result<(), StartError> {
        let root_moves = self.root_moves(request)?;
        let start = Instant::now();
        let terms = Terms {
            control: Control::new(move || start.elapsed()),
            mode: request.mode,
            bounds: self.bounds(request, seat, options),
            kind: Kind::Search { is_bounded: request.is_bounded(seat) },
        };
        let (game, record) = (Arc::clone(&self.game), self.record.clone());
        let (limits, config) = (request.limits, options.search_config());
        let mut tool = self.take_tool(options);
        let work = move |control: &Control, sink: &mut Sink| {
            let task = Task { game: &*game, record: &record, root_moves: &root_moves, limits, config };
            let mut report = |info: &crate::search::Info<G::Move>| sink(reporting::info(&*game, &record, info));
            let found = tool.searcher.search(&task, control, &mut report);
            (Some(tool), reporting::done(&*game, &record, found))
        };
        self.job = Some(Job::spawn(terms, sink, work).map_err(|error| StartError::Thread(error.to_string()))?);
        Ok(())
    }
}

/// The score of a finished game for the side to move.
fn final_score(outcome: Outcome, to_move: Option<Seat>) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if Some(winner) == to_move => Score::WIN,
        Some(_) => Score::LOSS,
    }
}

/// The report of a search that had nothing to search.
fn final_info(score: Score) -> SearchInfo {
    let wdl = if score == Score::DRAW { crate::search::Wdl([0, 1000, 0]) } else { score.wdl() };
    SearchInfo {
        depth: 0,
        seldepth: 0,
        nodes: 0,
        elapsed: std::time::Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        lines: vec![InfoLine { score, wdl, pv: Vec::new(), visits: None }],
    }
}

impl<G: Game, E: Evaluator<G>> Session for GameSession<G, E> {
    fn ruleset(&self) -> &str {
        self.game.name()
    }

    fn fingerprint(&self) -> u64 {
        self.game.fingerprint()
    }

    fn role(&self, seat: Seat) -> &'static str {
        self.game.role(seat)
    }

    fn seat_name(&self, seat: Seat) -> &str {
        self.game.seat_name(seat)
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
            Some(loser) => Turn::Over(Outcome { winner: Some(loser.other()), reason: ILLEGAL_MOVE_REASON }),
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

    fn canonical_move(&self, text: &str) -> Result<String, PlayError> {
        self.parse_move(text).map(|mv| self.game.move_text(self.position(), mv))
    }

    fn key(&self) -> u64 {
        self.game.key(self.position())
    }

    fn draw(&self) -> String {
        self.game.draw(self.position())
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
            None => (self.make_evaluator)(options).explain(&self.game, self.position()),
        }
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
            Turn::Chance => sink(Event::Done(Answer::default())),
            Turn::Over(outcome) => {
                sink(Event::Info(final_info(final_score(outcome, self.side_to_move()))));
                sink(Event::Done(Answer::default()));
            }
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
    }
}
