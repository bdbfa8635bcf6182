//! One game: a move counts only when the judge allows it, and every way of not moving has a name.

mod clocks;
mod cross_check;
mod engines;
mod judge;
mod seated;

use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use super::adjudication::Adjudicator;
use super::arena::{Arena, Conditions, Watch};
use super::fixture::Fixture;
use super::player::{Choice, Failure, GameSetup, Guard, History, Player};
use super::record::{Cause, Ending, FinishedGame, Forfeit, GameRecord, GameTimes, Opening, PlayedMove};
use super::spec;
use crate::engine::Session;
use crate::rules::Seat;
use clocks::Clocks;
use cross_check::CrossCheck;
use engines::EnginesJudge;
use judge::{Judge, NoStanding, RecordJudge, Refusal, Standing};
use seated::{SEATS, Seated, clip};

/// The reason of a game that reached the spec's `max_plies`.
pub const PLY_LIMIT_REASON: &str = "ply limit reached";
/// Longest reason that quotes an engine, characters.
const LONGEST_REASON: usize = 300;

/// Our own board of one ruleset, with what must be known before the game is set up on it.
pub struct Board {
    session: Box<dyn Session>,
    start_key: u64,
}

impl Board {
    /// A session that stands at its ruleset's start position.
    pub fn new(session: Box<dyn Session>) -> Self {
        let start_key = session.key();
        Board { session, start_key }
    }

    /// Sets the opening up.
    fn set(&mut self, opening: &Opening) -> Result<(), String> {
        let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
        self.session.set_position(opening.start.as_deref(), &moves).map_err(|error| format!("the opening: {error}"))
    }
}

/// A fixture with its opening on the board, ready to be played or to be lost without a move.
pub struct Table<'a> {
    arena: &'a Arena,
    fixture: &'a Fixture,
    judge: Box<dyn Judge + 'a>,
    /// In canonical texts where the referee knows the rules.
    opening: Opening,
}

/// How a game went on its table.
#[derive(Clone, PartialEq, Debug)]
pub enum Played {
    Finished(Box<FinishedGame>),
    /// The run was stopped: there is nothing to tell of this game.
    Abandoned,
}

impl<'a> Table<'a> {
    /// `board` is missing for an external game.
    ///
    /// # Errors
    /// The opening is not one of this ruleset, or nobody can referee the game.
    pub fn set(arena: &'a Arena, fixture: &'a Fixture, board: Option<&'a mut Board>) -> Result<Self, String> {
        let mut opening = arena.openings.opening(fixture.ruleset, fixture.opening);
        let judge: Box<dyn Judge + 'a> = match (board, arena.conditions.referee) {
            (Some(board), spec::Referee::Record) => {
                board.set(&opening)?;
                opening.moves = board.session.moves();
                opening.start = opening.start.map(|_| board.session.start_text());
                let check = arena.conditions.cross_check.then(|| CrossCheck::new(board.start_key));
                Box::new(RecordJudge::new(&mut *board.session, check))
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

    /// The game that is over before it began because of these failures, by seat. It is the fault of nobody more than
    /// of the other when both have failed: then it has no winner, and both have forfeited it.
    pub fn forfeit(mut self, failures: [Option<Failure>; 2]) -> FinishedGame {
        let ending = match failures {
            [Some(first), Some(second)] => {
                let reason = format!("neither began: {}; {}", first.message, second.message);
                let cause = Cause::Forfeit(first.kind);
                Ending { winner: None, cause, reason: clip(&reason, LONGEST_REASON) }
            }
            [Some(failure), None] => forfeit(Seat::P1, failure.kind, &failure.message),
            [None, failure] => {
                let failure = failure.unwrap_or_else(|| Failure::new(Forfeit::Start, "did not begin"));
                forfeit(Seat::P2, failure.kind, &failure.message)
            }
        };
        let times = GameTimes { game: self.fixture.game, started_unix_ms: unix_ms(), move_us: Vec::new() };
        self.finish(Vec::new(), String::new(), ending, times)
    }

    /// Plays the game; `players` and the `seeds` of their random choices by seat.
    ///
    /// # Errors
    /// Nobody can referee the game.
    pub fn play(mut self, players: [&mut dyn Player; 2], seeds: [u32; 2], guard: &Guard) -> Result<Played, String> {
        let [p1, p2] = players;
        let seats = [self.fixture.seats[0], self.fixture.seats[1]];
        let engines = seats.map(|engine| &self.arena.engines[engine]);
        let conditions = &self.arena.conditions;
        let mut game = Game {
            conditions,
            watch: self.arena.watch.as_deref().map(|watch| (watch, self.fixture)),
            judge: &mut *self.judge,
            seated: Seated::new([p1, p2], engines.map(|engine| engine.name.as_str())),
            guard,
            clocks: Clocks::new(engines.map(|engine| engine.limits), conditions.time_margin),
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

/// A game under way.
struct Game<'t> {
    conditions: &'t Conditions,
    watch: Option<(&'t dyn Watch, &'t Fixture)>,
    judge: &'t mut dyn Judge,
    seated: Seated<'t>,
    guard: &'t Guard,
    clocks: Clocks,
    adjudicator: Adjudicator,
    /// What the scores of the last move have decided.
    verdict: Option<Ending>,
    start: Option<&'t str>,
    /// Every move, the opening's included.
    texts: Vec<String>,
    /// The moves that the players chose.
    played: Vec<PlayedMove>,
    /// The seats that made them, a digit each.
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
        for (seat, seed) in SEATS.into_iter().zip(seeds) {
            let role = self.judge.role(seat);
            let ready = self.seated.player(seat).new_game(GameSetup { seed, seat, role: &role });
            self.heed(seat, ready)?;
        }
        ControlFlow::Continue(())
    }

    fn ply(&mut self) -> ControlFlow<End> {
        let seat = self.mover()?;
        let allowance = self.clocks.allowance(seat, &self.conditions.supervision);
        let history = History { start: self.start, moves: &self.texts };
        let choice = self.seated.player(seat).choose(history, &allowance);
        let choice = self.heed(seat, choice)?;
        if let Err(late) = self.clocks.charge(seat, choice.spent) {
            return lose(seat, Forfeit::Time, late.text());
        }
        match self.judge.accept(seat, &choice.text) {
            Ok(text) => self.write_down(seat, text, &choice),
            Err(Refusal::Illegal(message)) => return lose(seat, Forfeit::IllegalMove, &message),
            Err(Refusal::Undecided(ending)) => return end(ending),
        }
        ControlFlow::Continue(())
    }

    /// Whose move it is, unless the game is over. The rules go before the scores, these before the ply limit.
    fn mover(&mut self) -> ControlFlow<End, Seat> {
        if self.guard.is_abandoned() {
            return ControlFlow::Break(End::Abandoned);
        }
        let history = History { start: self.start, moves: &self.texts };
        let seat = match self.judge.standing(&mut self.seated, history) {
            Ok(Standing::ToMove(seat)) => seat,
            Ok(Standing::Over(ending)) => return end(ending),
            Err(NoStanding::Lost(seat, failure)) => return self.heed(seat, Err(failure)),
            Err(NoStanding::Setup(message)) => return ControlFlow::Break(End::Setup(message)),
        };
        if let Some(ending) = self.verdict.take() {
            return end(ending);
        }
        if self.plies() >= self.conditions.max_plies {
            return end(Ending { winner: None, cause: Cause::PlyLimit, reason: PLY_LIMIT_REASON.to_owned() });
        }
        ControlFlow::Continue(seat)
    }

    /// What a player gave, or the end of the game. Players that break down when the run is stopped have not lost.
    fn heed<T>(&self, seat: Seat, answer: Result<T, Failure>) -> ControlFlow<End, T> {
        match answer {
            Ok(answer) => ControlFlow::Continue(answer),
            Err(_) if self.guard.is_abandoned() => ControlFlow::Break(End::Abandoned),
            Err(failure) => lose(seat, failure.kind, &failure.message),
        }
    }

    fn write_down(&mut self, seat: Seat, text: String, choice: &Choice) {
        self.texts.push(text.clone());
        let played = PlayedMove::new(text, choice.opinion);
        if let Some((watch, fixture)) = self.watch {
            watch.moved(fixture, self.texts.len(), &played, choice.spent);
        }
        self.played.push(played);
        self.movers.push(char::from(b'0' + seat.0));
        self.times.move_us.push(u64::try_from(choice.spent.as_micros()).unwrap_or(u64::MAX));
        let verdict = self.adjudicator.hear(seat, choice.opinion.score, self.plies());
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
    Ending { winner: Some(loser.other().0), cause: Cause::Forfeit(kind), reason: clip(message, LONGEST_REASON) }
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
