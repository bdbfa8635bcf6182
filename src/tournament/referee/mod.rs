//! The referee plays one game from its opening to its end: it asks the players in turn for moves, charges their clocks,
//! and has every move accepted by its [`RefereeBoard`], which knows the rules. A player that fails in any way forfeits the
//! game.

mod board;
mod clocks;
mod dice;

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::Duration;

use board::Action;
pub(crate) use board::RefereeBoard;
use clocks::Clocks;
use dice::Dice;
use jiff::Timestamp;
use reynard_engine::rules::Seat;

use super::adjudication::Adjudicator;
use super::live::Showing;
use super::plan::{Plan, Sinks};
use super::player::{AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, Player};
use super::record::{
    Cause, DICE, Ending, FinishedGame, Forfeit, GameRecord, GameTimes, Opening, Opinion, PlayedMove, clip,
};
use super::schedule::Fixture;

/// The reason of a game that reached the spec's `max_plies`.
pub(crate) const PLY_LIMIT_REASON: &str = "ply limit reached";
/// Longest reason that quotes an engine, characters.
const LONGEST_REASON: usize = 300;
/// The seats of the two players.
const SEATS: [Seat; 2] = [Seat::P1, Seat::P2];

/// Why a game is not played on.
enum GameEnd {
    Over(Ending),
    /// The run was stopped: the game leaves no trace.
    Abandoned,
    /// The game cannot go on: the dice or the tables fail.
    Impossible(String),
}

/// A game with its opening on the board: ready to be played, or to be lost without a move.
pub(crate) struct RefereedGame<'a> {
    plan: &'a Plan,
    sinks: &'a Sinks,
    fixture: &'a Fixture,
    /// Stands where the game stands.
    board: &'a mut RefereeBoard,
    /// By seat.
    roles: [&'static str; 2],
    clocks: Clocks,
    dice: Dice,
    adjudicator: Adjudicator,
    /// What the scores of the last move have decided.
    adjudicated: Option<Ending>,
    /// In canonical texts.
    opening: Opening,
    /// Every move, the opening's included.
    history: Vec<String>,
    /// The moves that the players chose, and the rolls between them.
    moves: Vec<PlayedMove>,
    /// The seats that made them, a digit each, or [`DICE`].
    movers: String,
    times: GameTimes,
    /// What people see of it while it is played.
    showing: Option<Showing>,
}

impl<'a> RefereedGame<'a> {
    /// # Errors
    /// The opening is not one of this ruleset.
    pub(crate) fn new(
        plan: &'a Plan,
        sinks: &'a Sinks,
        fixture: &'a Fixture,
        board: &'a mut RefereeBoard,
        abandoned: &AbandonFlag,
    ) -> Result<Self, String> {
        let opening = plan.openings.opening(fixture.ruleset, fixture.opening, abandoned);
        let mut opening = opening.map_err(|error| error.to_string())?;
        board.set(&mut opening)?;
        let roles = SEATS.map(|seat| board.role(seat));
        let started_unix_ms = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or(0);
        let limits = fixture.seats.map(|engine| plan.engines[engine].limits);
        let margins = fixture.seats.map(|engine| plan.spec.margin_of(engine));
        let clocks = Clocks::new(limits, margins);
        Ok(RefereedGame {
            plan,
            sinks,
            fixture,
            board,
            roles,
            dice: Dice::new(plan.spec.seed, fixture.pair),
            adjudicator: Adjudicator::new(&plan.spec.adjudication),
            adjudicated: None,
            showing: sinks.live.as_ref().map(|live| live.begin(fixture, &opening, clocks.left_ms())),
            clocks,
            history: opening.moves.clone(),
            opening,
            moves: Vec::new(),
            movers: String::new(),
            times: GameTimes { game: fixture.game, started_unix_ms, move_us: Vec::new() },
        })
    }

    /// The game that is over before it began because of these failures, by player. It is the fault of nobody more than
    /// of the other when both have failed: then it has no winner, and both have forfeited it.
    pub(crate) fn forfeit(self, failures: &[Option<Failure>; 2]) -> FinishedGame {
        let ending = match failures {
            [Some(first), Some(second)] => {
                let reason = format!("neither began: {}; {}", first.message, second.message);
                Ending::new(None, Cause::Forfeit(first.kind), clip(&reason, LONGEST_REASON))
            }
            [Some(failure), None] => forfeit(Seat::P1, failure),
            [None, Some(failure)] => forfeit(Seat::P2, failure),
            [None, None] => forfeit(Seat::P2, &Failure::new(Forfeit::Start, "did not begin")),
        };
        self.finish(ending)
    }

    /// Plays the game; `players` with the seeds of their random choices, by seat. `None` when the run was stopped.
    ///
    /// # Errors
    /// The dice or the tables fail.
    pub(crate) fn play(
        mut self,
        mut players: [&mut dyn Player; 2],
        seeds: [u32; 2],
        abandoned: &AbandonFlag,
    ) -> Result<Option<FinishedGame>, String> {
        let Err(end) = self.play_to_end(&mut players, seeds, abandoned);
        let ending = match end {
            GameEnd::Over(ending) => ending,
            GameEnd::Abandoned => return Ok(None),
            GameEnd::Impossible(message) => return Err(message),
        };
        Ok(Some(self.finish(ending)))
    }

    fn play_to_end(
        &mut self,
        players: &mut [&mut dyn Player; 2],
        seeds: [u32; 2],
        abandoned: &AbandonFlag,
    ) -> Result<Infallible, GameEnd> {
        for (((player, seat), seed), role) in players.iter_mut().zip(SEATS).zip(seeds).zip(self.roles) {
            let ready = player.new_game(GameSetup { seed, seat, role });
            ready.map_err(|failure| GameEnd::Over(forfeit(seat, &failure)))?;
        }
        loop {
            if abandoned.load(Ordering::Relaxed) {
                return Err(GameEnd::Abandoned);
            }
            self.ply(players)?;
        }
    }

    fn ply(&mut self, players: &mut [&mut dyn Player; 2]) -> Result<(), GameEnd> {
        let action = self.next()?;
        let chosen = match &action {
            Action::Move(seat) => self.choose(players, *seat)?,
            Action::Roll(roll) => {
                let text = self.dice.roll(roll).to_owned();
                ChosenMove { text, opinion: Opinion::default(), spent: Duration::ZERO }
            }
        };
        let text = self.board.accept(&action, &chosen.text)?;
        self.write_down(&action, text, chosen);
        Ok(())
    }

    /// What comes next, unless the game is over. The rules and the tables go before the scores, and those before the
    /// ply limit.
    fn next(&mut self) -> Result<Action, GameEnd> {
        let action = self.board.next(self.asks_tables())?;
        if let Some(ending) = self.adjudicated.take() {
            return Err(GameEnd::Over(ending));
        }
        if self.plies() >= self.plan.spec.max_plies {
            return Err(GameEnd::Over(Ending::new(None, Cause::PlyLimit, PLY_LIMIT_REASON)));
        }
        Ok(action)
    }

    /// Whether it is late enough for tables to end the game.
    fn asks_tables(&self) -> bool {
        self.plies() >= self.plan.spec.adjudication.table_after_plies.unwrap_or(0)
    }

    /// A move of a player, in time.
    fn choose(&mut self, players: &mut [&mut dyn Player; 2], seat: Seat) -> Result<ChosenMove, GameEnd> {
        let request = self.clocks.request(seat, &self.plan.spec.supervision);
        let history = MoveHistory { start: self.opening.start.as_deref(), moves: &self.history };
        let chosen = players[seat.index()].choose(history, &request);
        let in_time = chosen.and_then(|chosen| {
            let charged = self.clocks.charge(seat, chosen.spent);
            charged.map(|()| chosen).map_err(|late| Failure::new(Forfeit::Time, late))
        });
        in_time.map_err(|failure| GameEnd::Over(forfeit(seat, &failure)))
    }

    fn write_down(&mut self, action: &Action, text: String, chosen: ChosenMove) {
        self.history.push(text.clone());
        let ChosenMove { mut opinion, spent, .. } = chosen;
        if let Some(showing) = &self.showing {
            showing.moved(PlayedMove::new(text.clone(), opinion.clone()), self.clocks.left_ms());
        }
        opinion.variation.take_if(|_| !self.plan.spec.pv);
        let score = opinion.score;
        let played = PlayedMove::new(text, opinion);
        if let Some(events) = &self.sinks.events {
            events.moved(self.fixture, self.history.len(), &played, spent);
        }
        self.moves.push(played);
        self.times.move_us.push(u64::try_from(spent.as_micros()).unwrap_or(u64::MAX));
        match *action {
            Action::Roll(_) => self.movers.push(DICE),
            Action::Move(seat) => {
                self.movers.push(char::from(b'0' + seat.0));
                self.adjudicated = self.adjudicator.add_score(seat, score, self.plies());
            }
        }
    }

    /// Plies so far, the opening's included.
    fn plies(&self) -> u32 {
        u32::try_from(self.history.len()).unwrap_or(u32::MAX)
    }

    fn finish(self, ending: Ending) -> FinishedGame {
        let record = GameRecord {
            fixture: self.fixture.clone(),
            opening: self.opening,
            moves: self.moves,
            movers: self.movers,
            ending,
        };
        FinishedGame { record, times: self.times }
    }
}

fn forfeit(loser: Seat, failure: &Failure) -> Ending {
    let reason = clip(&failure.message, LONGEST_REASON);
    Ending::new(Some(loser.other()), Cause::Forfeit(failure.kind), reason)
}

#[cfg(test)]
pub(crate) mod tests;
