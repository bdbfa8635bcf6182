//! One game: a move counts only when the judge allows it, and every way of not moving has a name.

mod clocks;
mod cross_check;
mod dice;
mod engines;
mod judge;
mod seated;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::adjudication::Adjudicator;
use super::arena::{Arena, Conditions, Watch};
use super::fixture::{Fixture, rival_seat};
use super::player::{Failure, GameSetup, Guard, History, Player};
use super::record::{
    Cause, DICE, Ending, EngineScore, FinishedGame, Forfeit, GameRecord, GameTimes, Opening, Opinion, PlayedMove,
};
use super::{spec, tables};
use crate::engine::{Options, Session};
use crate::rules::Seat;
use crate::tablebase::TableValue;
use clocks::Clocks;
use cross_check::CrossCheck;
use dice::Dice;
use engines::EnginesJudge;
use judge::{Judge, NoStanding, RecordJudge, Refusal, Roll, Standing};
use seated::{SEATS, Seated, clip};

/// The reason of a game that reached the spec's `max_plies`.
pub(crate) const PLY_LIMIT_REASON: &str = "ply limit reached";
/// Longest reason that quotes an engine, characters.
const LONGEST_REASON: usize = 300;

/// Our own board of one ruleset, with what must be known before the game is set up on it.
pub(crate) struct Board {
    session: Box<dyn Session>,
    start_key: u64,
    /// Where the session finds tables of perfect play, which end games.
    tables: Option<Options>,
}

impl Board {
    /// A session that stands at its ruleset's start position.
    pub(crate) fn new(session: Box<dyn Session>) -> Self {
        let start_key = session.key();
        Board { session, start_key, tables: None }
    }

    /// Games end on this board where tables in the folder know their value.
    pub(crate) fn with_tables(self, folder: &Path) -> Self {
        Board { tables: Some(tables::options(folder)), ..self }
    }

    /// Sets the opening up.
    fn set(&mut self, opening: &Opening) -> Result<(), String> {
        let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
        self.session.set_position(opening.start.as_deref(), &moves).map_err(|error| format!("the opening: {error}"))
    }
}

/// A fixture with its opening on the board, ready to be played or to be lost without a move.
pub(crate) struct Table<'a> {
    arena: &'a Arena,
    fixture: &'a Fixture,
    judge: Box<dyn Judge + 'a>,
    /// In canonical texts where the referee knows the rules.
    opening: Opening,
}

/// How a game went on its table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Played {
    Finished(Box<FinishedGame>),
    /// The run was stopped: there is nothing to tell of this game.
    Abandoned,
}

impl<'a> Table<'a> {
    /// `board` is missing for an external game.
    ///
    /// # Errors
    /// The opening is not one of this ruleset, or nobody can referee the game.
    pub(crate) fn set(arena: &'a Arena, fixture: &'a Fixture, board: Option<&'a mut Board>) -> Result<Self, String> {
        let mut opening = arena.openings.opening(fixture.ruleset, fixture.opening);
        let judge: Box<dyn Judge + 'a> = match (board, arena.conditions.referee) {
            (Some(board), spec::Referee::Record) => {
                board.set(&opening)?;
                opening.moves = board.session.moves();
                opening.start = opening.start.map(|_| board.session.start_text());
                let check = arena.conditions.cross_check.then(|| CrossCheck::new(board.start_key));
                Box::new(RecordJudge::new(&mut *board.session, check, board.tables.as_ref()))
            }
            (Some(board), spec::Referee::Engines) => {
                board.set(&opening)?;
                let side = |seat| (board.session.seat_name(seat).to_owned(), board.session.role(seat).to_owned());
                Box::new(EnginesJudge::new(SEATS.map(side), Some(&mut *board.session)))
            }
            (None, spec::Referee::Engines) => {
                Box::new(EnginesJudge::new(["p1", "p2"].map(|side| (side.to_owned(), side.to_owned())), None))
            }
            (None, spec::Referee::Record) => {
                let label = &arena.rulesets[fixture.ruleset].label;
                return Err(format!("{label}: this program does not know the game; it needs \"referee\": \"engines\""));
            }
        };
        Ok(Table { arena, fixture, judge, opening })
    }

    /// The game that is over before it began because of these failures, by player. It is the fault of nobody more than
    /// of the other when both have failed: then it has no winner, and both have forfeited it.
    pub(crate) fn forfeit(mut self, failures: &[Option<Failure>]) -> FinishedGame {
        let mut failed = failures.iter().zip(SEATS).filter_map(|(failure, seat)| Some((failure.as_ref()?, seat)));
        let ending = match (failed.next(), failed.next()) {
            (Some((first, _)), Some((second, _))) => {
                let reason = format!("neither began: {}; {}", first.message, second.message);
                let cause = Cause::Forfeit(first.kind);
                Ending { winner: None, cause, reason: clip(&reason, LONGEST_REASON) }
            }
            (Some((failure, seat)), None) => forfeit(seat, failure.kind, &failure.message),
            (None, _) => forfeit(Seat::P2, Forfeit::Start, "did not begin"),
        };
        let times = GameTimes { game: self.fixture.game, started_unix_ms: unix_ms(), move_us: Vec::new() };
        self.finish(Vec::new(), String::new(), ending, times)
    }

    /// Plays the game; `players` with the seeds of their random choices, in the order of their first seats.
    ///
    /// # Errors
    /// Nobody can referee the game.
    pub(crate) fn play(
        mut self,
        players: &mut [Box<dyn Player>],
        seeds: [u32; 2],
        guard: &Guard,
    ) -> Result<Played, String> {
        let engines: Vec<_> = self.fixture.seats.iter().map(|&engine| &self.arena.engines[engine]).collect();
        let limits: Vec<_> = engines.iter().map(|engine| engine.limits).collect();
        let named = players.iter_mut().zip(&engines);
        let named = named.map(|(player, engine)| (&mut **player as &mut dyn Player, engine.name.as_str())).collect();
        let conditions = &self.arena.conditions;
        let mut game = Game {
            conditions,
            watch: self.arena.watch.as_deref().map(|watch| (watch, self.fixture)),
            judge: &mut *self.judge,
            seated: Seated::new(named),
            guard,
            clocks: Clocks::new(&limits, conditions.time_margin),
            dice: Dice::new(self.arena.seed, self.fixture.pair),
            adjudicator: Adjudicator::new(&conditions.adjudication),
            verdict: None,
            start: self.opening.start.as_deref(),
            texts: self.opening.moves.clone(),
            played: Vec::new(),
            movers: String::new(),
            times: GameTimes { game: self.fixture.game, started_unix_ms: unix_ms(), move_us: Vec::new() },
        };
        match game.play(seeds) {
            End::Ending(ending) => {
                let (played, movers, times) = (game.played, game.movers, game.times);
                Ok(Played::Finished(Box::new(self.finish(played, movers, ending, times))))
            }
            End::Abandoned => Ok(Played::Abandoned),
            End::Setup(message) => Err(message),
        }
    }

    fn finish(&mut self, moves: Vec<PlayedMove>, movers: String, ending: Ending, times: GameTimes) -> FinishedGame {
        let record = GameRecord {
            fixture: self.fixture.clone(),
            opening: std::mem::take(&mut self.opening),
            moves,
            movers,
            ending,
            disagreements: self.judge.disagreements(),
        };
        FinishedGame { record, times }
    }
}

/// Why a game is not played on.
enum End {
    Ending(Ending),
    Abandoned,
    Setup(String),
}

/// What comes next.
enum Next {
    Move(Seat),
    Roll(Roll),
}

/// A game under way.
struct Game<'t> {
    conditions: &'t Conditions,
    watch: Option<(&'t dyn Watch, &'t Fixture)>,
    judge: &'t mut dyn Judge,
    seated: Seated<'t>,
    guard: &'t Guard,
    clocks: Clocks,
    dice: Dice,
    adjudicator: Adjudicator,
    /// What the scores of the last move have decided.
    verdict: Option<Ending>,
    start: Option<&'t str>,
    /// Every move, the opening's included.
    texts: Vec<String>,
    /// The moves that the players chose, and the rolls between them.
    played: Vec<PlayedMove>,
    /// The seats that made them, a digit each, or [`DICE`].
    movers: String,
    times: GameTimes,
}

impl Game<'_> {
    fn play(&mut self, seeds: [u32; 2]) -> End {
        if let ControlFlow::Break(end) = self.begin(seeds) {
            return end;
        }
        loop {
            if let ControlFlow::Break(end) = self.ply() {
                return end;
            }
        }
    }

    fn begin(&mut self, seeds: [u32; 2]) -> ControlFlow<End> {
        for (&seat, seed) in self.seated.seats().iter().zip(seeds) {
            let role = self.judge.role(seat);
            let ready = self.seated.player(seat).new_game(GameSetup { seed, seat, role: &role });
            self.heed(seat, ready)?;
        }
        ControlFlow::Continue(())
    }

    fn ply(&mut self) -> ControlFlow<End> {
        let seat = match self.turn()? {
            Next::Roll(roll) => return self.roll(&roll),
            Next::Move(seat) => seat,
        };
        let allowance = self.clocks.allowance(seat, &self.conditions.supervision);
        let history = History { start: self.start, moves: &self.texts };
        let choice = self.seated.player(seat).choose(history, &allowance);
        let choice = self.heed(seat, choice)?;
        if let Err(late) = self.clocks.charge(seat, choice.spent) {
            return lose(seat, Forfeit::Time, late.text());
        }
        match self.judge.accept(seat, &choice.text) {
            Ok(text) => {
                self.write_down(char::from(b'0' + seat.0), text, choice.opinion, choice.spent);
                self.hear(seat, choice.opinion.score);
            }
            Err(Refusal::Illegal(message)) => return lose(seat, Forfeit::IllegalMove, &message),
            Err(Refusal::Undecided(ending)) => return end(ending),
        }
        ControlFlow::Continue(())
    }

    /// Throws the dice for whoever they are.
    fn roll(&mut self, roll: &Roll) -> ControlFlow<End> {
        match self.judge.accept_roll(self.dice.throw(roll)) {
            Ok(text) => self.write_down(DICE, text, Opinion::default(), Duration::ZERO),
            Err(Refusal::Undecided(ending)) => return end(ending),
            Err(Refusal::Illegal(message)) => return ControlFlow::Break(End::Setup(message)),
        }
        ControlFlow::Continue(())
    }

    /// Whose move it is, unless the game is over. The rules go before the tables, these before the scores, and those
    /// before the ply limit.
    fn turn(&mut self) -> ControlFlow<End, Next> {
        if self.guard.is_abandoned() {
            return ControlFlow::Break(End::Abandoned);
        }
        let history = History { start: self.start, moves: &self.texts };
        let next = match self.judge.standing(&mut self.seated, history) {
            Ok(Standing::ToMove(seat)) => Next::Move(seat),
            Ok(Standing::ToRoll(roll)) => Next::Roll(roll),
            Ok(Standing::Over(ending)) => return end(ending),
            Err(NoStanding::Lost(seat, failure)) => return self.heed(seat, Err(failure)),
            Err(NoStanding::Setup(message)) => return ControlFlow::Break(End::Setup(message)),
        };
        if let Some(ending) = self.by_table()?.or_else(|| self.verdict.take()) {
            return end(ending);
        }
        if self.plies() >= self.conditions.max_plies {
            // A puzzle that is not solved by then is not solved.
            let winner = (self.seated.seats().len() == 1).then_some(Seat::P2.0);
            return end(Ending { winner, cause: Cause::PlyLimit, reason: PLY_LIMIT_REASON.to_owned() });
        }
        ControlFlow::Continue(next)
    }

    /// How the game ends if the tables know its value, and it is late enough for them to be asked.
    fn by_table(&mut self) -> ControlFlow<End, Option<Ending>> {
        if self.plies() < self.conditions.adjudication.table_after_plies.unwrap_or(0) {
            return ControlFlow::Continue(None);
        }
        match self.judge.table_verdict() {
            Ok(verdict) => ControlFlow::Continue(verdict.map(table_ending)),
            Err(error) => ControlFlow::Break(End::Setup(error.to_string())),
        }
    }

    /// What a player gave, or the end of the game. Players that break down when the run is stopped have not lost.
    fn heed<T>(&self, seat: Seat, answer: Result<T, Failure>) -> ControlFlow<End, T> {
        match answer {
            Ok(answer) => ControlFlow::Continue(answer),
            Err(_) if self.guard.is_abandoned() => ControlFlow::Break(End::Abandoned),
            Err(failure) => lose(seat, failure.kind, &failure.message),
        }
    }

    fn write_down(&mut self, mover: char, text: String, opinion: Opinion, spent: Duration) {
        self.texts.push(text.clone());
        let played = PlayedMove::new(text, opinion);
        if let Some((watch, fixture)) = self.watch {
            watch.moved(fixture, self.texts.len(), &played, spent);
        }
        self.played.push(played);
        self.movers.push(mover);
        self.times.move_us.push(u64::try_from(spent.as_micros()).unwrap_or(u64::MAX));
    }

    /// What a mover's score decides, if anything.
    fn hear(&mut self, seat: Seat, score: Option<EngineScore>) {
        let verdict = self.adjudicator.hear(seat, score, self.plies());
        self.verdict = verdict.map(|verdict| Ending {
            winner: verdict.winner().map(|seat| seat.0),
            cause: verdict.cause(),
            reason: verdict.reason().to_owned(),
        });
    }

    /// Plies so far, the opening's included.
    fn plies(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }
}

fn end<T>(ending: Ending) -> ControlFlow<End, T> {
    ControlFlow::Break(End::Ending(ending))
}

fn lose<T>(seat: Seat, kind: Forfeit, message: &str) -> ControlFlow<End, T> {
    end(forfeit(seat, kind, message))
}

fn forfeit(loser: Seat, kind: Forfeit, message: &str) -> Ending {
    Ending { winner: Some(rival_seat(loser).0), cause: Cause::Forfeit(kind), reason: clip(message, LONGEST_REASON) }
}

fn table_ending(verdict: TableValue) -> Ending {
    let reason = if verdict.winner.is_some() { "won by table" } else { "drawn by table" };
    let winner = verdict.winner.map(|seat| seat.0);
    Ending { winner, cause: Cause::TableAdjudication, reason: reason.to_owned() }
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
