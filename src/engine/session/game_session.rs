//! The one implementation of [`Session`], generic over the game.

mod searching;
mod tables;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use rand_chacha::ChaCha8Rng;

use self::searching::{ConfiguredSearcher, divide};
use self::tables::TableFolders;
use super::door::{Evaluation, PlayError, Session, SetupError};
use super::families::GameSupport;
use super::job::{Event, StartError, Work, WorkKind};
use super::options::Options;
use super::reporting;
use super::request::GoRequest;
use super::strength::{self, LevelScale};
use crate::chances::{Chances, ChancesOracle};
use crate::eval::{Evaluator, LearnedEvaluation};
use crate::rules::{self, Change, Game, GameInfo, MoveError, Outcome, Piece, Reason, Record, Seat, Turn};
use crate::search::{Score, Wdl};
use crate::solver::Puzzle;
use crate::tablebase::{Metric, TableError, TableValue};

/// The outcome after an illegal move of `loser`: the board wins in a game of one player, the other player in a game of
/// two, no player in a game of more.
fn forfeited(loser: Seat, seats: usize) -> Outcome {
    Outcome { winner: (seats <= 2).then_some(loser.other()), reason: Reason::IllegalMove(loser) }
}

/// The session of a game of type `G`: its record, its searcher and caches.
pub(crate) struct GameSession<G: Game> {
    game: Arc<G>,
    info: GameInfo,
    record: Record<G>,
    history: SentHistory,
    /// The seat that lost by an illegal move after the last move of the record.
    forfeiter: Option<Seat>,
    /// The oracle of the chances, which caches results; answers do not depend on that.
    chances: RefCell<Option<Box<dyn ChancesOracle<G>>>>,
    table_folders: RefCell<TableFolders<G>>,
    /// The learned weights that the ruleset names.
    weights: Option<Arc<LearnedEvaluation>>,
    /// The searcher; a running search takes it out and puts it back.
    searcher: Arc<Mutex<Option<ConfiguredSearcher<G>>>>,
    /// The seed that replaces seed 0 at a level of play until the next game.
    level_seed: u64,
    reuse: Reuse,
}

/// How the next search uses the searcher of the last search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reuse {
    /// The searcher keeps everything that it has learned.
    #[default]
    AsItIs,
    /// The searcher must forget first.
    Cleared,
    /// The searcher must be built anew.
    Rebuilt,
}

/// The texts from which a client's history was read. A client sends the whole history before every `go`; only new moves
/// are played.
#[derive(Default)]
struct SentHistory {
    /// The position text; `None` for the start position.
    position: Option<String>,
    /// The text of each move of the record.
    moves: Vec<String>,
}

impl SentHistory {
    /// The number of leading moves that a history shares with the record; `None` if the start positions differ.
    fn shared_moves(&self, position: Option<&str>, moves: &[&str]) -> Option<usize> {
        let shared = self.moves.iter().zip(moves).take_while(|(known, sent)| known == *sent).count();
        (self.position.as_deref() == position).then_some(shared)
    }
}

impl<G: GameSupport> GameSession<G> {
    /// A session at the start position; `weights` are those that the ruleset names.
    pub(crate) fn new(game: G, weights: Option<Arc<LearnedEvaluation>>) -> Self {
        GameSession {
            info: game.info(),
            record: Record::new(game.start()),
            history: SentHistory::default(),
            forfeiter: None,
            chances: RefCell::new(game.chances_oracle()),
            table_folders: RefCell::new(TableFolders::new(G::tables)),
            game: Arc::new(game),
            weights,
            level_seed: strength::fresh_seed(),
            searcher: Arc::default(),
            reuse: Reuse::default(),
        }
    }

    fn position(&self) -> &G::Position {
        self.record.position()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn().outcome()
    }

    fn text(&self, mv: G::Move) -> String {
        self.game.move_text(self.position(), mv)
    }

    /// The legal moves, not as texts; none when the game is over.
    fn parsed_legal_moves(&self) -> Vec<G::Move> {
        if self.outcome().is_some() { Vec::new() } else { self.game.moves(self.position()) }
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, PlayError> {
        match self.reason() {
            Some(reason) => Err(PlayError::Over { text: text.to_owned(), reason }),
            None => Ok(self.game.parse_move(self.position(), text)?),
        }
    }

    /// Plays a move of a client's history; an illegal move loses the game.
    fn replay(&mut self, text: &str) -> Result<(), SetupError> {
        self.play(text).map_err(|refusal| match refusal {
            PlayError::Over { text, reason } => SetupError::AfterTheEnd { text, reason },
            PlayError::Move(error) => self.forfeit(error),
        })
    }

    fn forfeit(&mut self, error: MoveError) -> SetupError {
        if self.turn() == Turn::Chance {
            return SetupError::IllegalRoll(error);
        }
        self.forfeiter = self.game.side_to_move(self.position());
        let loser = self.forfeiter.map_or("nobody", |seat| self.info.seat_name(seat)).to_owned();
        SetupError::IllegalMove { error, loser }
    }
}

impl<G: GameSupport> Session for GameSession<G> {
    fn game(&self) -> &GameInfo {
        &self.info
    }

    fn highest_elo(&self) -> Option<u16> {
        G::LEVEL_SCALE.map(LevelScale::highest)
    }

    fn set_position(&mut self, position: Option<&str>, moves: &[&str]) -> Result<(), SetupError> {
        let shared = match self.history.shared_moves(position, moves) {
            Some(shared) => shared,
            None => {
                let start = position.map_or(Ok(self.game.start()), |text| self.game.parse_position(text))?;
                self.record = Record::new(start);
                self.history = SentHistory { position: position.map(str::to_owned), moves: Vec::new() };
                0
            }
        };
        self.forfeiter = None;
        while self.history.moves.len() > shared && self.undo() {}
        moves[shared..].iter().try_for_each(|text| self.replay(text))
    }

    fn play(&mut self, text: &str) -> Result<(), PlayError> {
        let mv = self.parse_move(text)?;
        self.record.play(&self.game, mv);
        self.history.moves.push(text.to_owned());
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.forfeiter.take().is_some() || (self.record.undo().is_some() && self.history.moves.pop().is_some())
    }

    fn turn(&self) -> Turn {
        match self.forfeiter {
            Some(loser) => Turn::Over(forfeited(loser, self.game.seats())),
            None => self.record.turn(&self.game),
        }
    }

    fn reason(&self) -> Option<String> {
        self.outcome().map(|outcome| self.info.reason_text(outcome.reason))
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
        self.parsed_legal_moves().into_iter().map(|mv| self.text(mv)).collect()
    }

    fn rolls(&self) -> Vec<(String, f64)> {
        let mut rolls = Vec::new();
        if self.turn() == Turn::Chance {
            self.game.chance_outcomes(self.position(), &mut rolls);
        }
        rolls.into_iter().map(|(roll, chance)| (self.text(roll), chance)).collect()
    }

    fn canonical_move(&self, text: &str) -> Result<String, PlayError> {
        self.parse_move(text).map(|mv| self.text(mv))
    }

    fn puzzle(&self) -> Option<Puzzle> {
        self.game.puzzle(self.position())
    }

    fn pieces(&self) -> Vec<Piece> {
        self.game.pieces(self.position())
    }

    fn played_changes(&self) -> Vec<Change> {
        let played = self.record.positions().iter().zip(self.record.moves());
        played.map(|(position, &mv)| self.game.change(position, mv)).collect()
    }

    fn legal_changes(&self) -> Vec<(String, Change)> {
        let change = |mv| (self.text(mv), self.game.change(self.position(), mv));
        self.parsed_legal_moves().into_iter().map(change).collect()
    }

    fn route(&self, text: &str) -> Result<Option<Vec<String>>, PlayError> {
        Ok(self.game.route(self.position(), self.parse_move(text)?))
    }

    fn key(&self) -> u64 {
        self.game.key(self.position())
    }

    fn draw(&self) -> String {
        self.game.draw(self.position())
    }

    fn wdl(&self, score: Score, seat: Seat, options: &Options) -> Wdl {
        reporting::wdl(&*self.game, score, score.wdl(), self.measured_wdl(options, seat))
    }

    fn table_value(&self, options: &Options, metric: Metric) -> Result<Option<TableValue>, TableError> {
        self.probe(options, self.position(), metric)
    }

    fn move_table_values(
        &self,
        options: &Options,
        metric: Metric,
    ) -> Result<Vec<(String, Option<TableValue>)>, TableError> {
        let value = |mv| {
            let after = self.probe(options, &self.game.play_unchecked(self.position(), mv), metric)?;
            let restarts = metric.restarts(self.game.is_irreversible(self.position(), mv));
            Ok(after.map(|value| value.before(restarts)))
        };
        self.parsed_legal_moves().into_iter().map(|mv| Ok((self.text(mv), value(mv)?))).collect()
    }

    fn make_ready(&mut self, options: &Options) {
        self.open_tables(options);
        let searcher = self.take_searcher(options);
        *self.searcher.lock().unwrap_or_else(PoisonError::into_inner) = Some(searcher);
        // The first question reads the curves.
        self.measured_wdl(options, Seat::P1);
    }

    fn prepare(&mut self, request: &GoRequest, options: &Options) -> Result<Work, StartError> {
        match self.turn() {
            Turn::Player(seat) => self.search(seat, request, options),
            Turn::Chance => Ok(Work::known(Vec::new(), Event::Done(self.roll(request, options)?))),
            Turn::Over(outcome) => Ok(Work::known(vec![Event::Info(self.final_info(outcome))], Event::Done(None))),
        }
    }

    fn prepare_perft(&self, depth: u32) -> Work {
        let game = Arc::clone(&self.game);
        let position = *self.position();
        Work::new(WorkKind::Perft, move |control, sink| divide(&*game, &position, depth, control, sink))
    }

    fn check_evaluation(&mut self, options: &Options) -> Result<bool, String> {
        let learned = self.learned(options)?;
        self.reuse = Reuse::Rebuilt;
        Ok(learned.is_some())
    }

    fn weights(&self, options: &Options) -> Option<String> {
        self.learned(options).ok().flatten().map(|learned| learned.source().to_owned())
    }

    fn clear_search(&mut self) {
        if self.reuse == Reuse::AsItIs {
            self.reuse = Reuse::Cleared;
        }
        self.level_seed = strength::fresh_seed();
        self.table_folders.get_mut().look_again();
    }

    fn evaluation(&self, options: &Options) -> Option<Evaluation> {
        if self.outcome().is_some() {
            return None;
        }
        let (evaluator, _) = self.evaluator(options);
        let value = |seat| evaluator.evaluate(&self.game, self.position(), Seat(seat));
        Some(Evaluation {
            terms: evaluator.explain(&self.game, self.position()),
            by_seat: (0..self.game.seats() as u8).map(value).collect(),
        })
    }

    fn chances(&self, options: &Options) -> Option<Chances> {
        let mut oracle = self.chances.borrow_mut();
        let oracle = oracle.as_mut()?;
        Some(match self.outcome() {
            Some(outcome) => {
                Chances::decided(outcome, self.game.seats(), oracle.pot(&self.game, self.position_before_end()))
            }
            None => self.ask(&mut **oracle, options),
        })
    }

    fn perft(&self, depth: u32) -> u64 {
        rules::perft(&*self.game, self.position(), depth)
    }

    fn random_playouts(&self, games: u32, most_plies: u64, rng: &mut ChaCha8Rng) -> u64 {
        (0..games).map(|_| rules::random_playout(&*self.game, most_plies, rng)).sum()
    }
}
