//! One thread that plays game after game.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use rand::Rng;
use reynard_engine::rules::random::stream;

use super::Stop;
use crate::tournament::machine::pin;
use crate::tournament::plan::{Plan, Sinks};
use crate::tournament::player::{self, AbandonFlag, Failure, OpenError, Player};
use crate::tournament::record::{Cause, FinishedGame, Forfeit};
use crate::tournament::referee::{RefereeBoard, RefereedGame};
use crate::tournament::schedule::Fixture;

/// A finished game, or why this run cannot go on. Abandoned games are not reported.
pub(super) type WorkerReport = Result<FinishedGame, String>;

/// How long a sudden end of an engine waits for a stop: who ends this program often ends its engines a moment earlier,
/// and their end is no forfeit then.
const STOP_DELAY: Duration = Duration::from_millis(60);

/// Most players that one worker keeps idle. External programs are processes and searchers hold tables: more would
/// cost memory, fewer would start programs anew all the time.
pub(super) const MOST_IDLE: usize = 8;

/// Which engine plays which ruleset.
type PlayerKey = (usize, usize);

/// The boards and players of one thread.
pub(super) struct GameWorker<'a> {
    plan: &'a Plan,
    sinks: &'a Sinks,
    abandoned: AbandonFlag,
    stop: &'a Stop,
    /// By ruleset.
    boards: BTreeMap<usize, RefereeBoard>,
    /// Players that wait for their next game, the least recently used first. One that plays is not in it, so an engine
    /// can meet itself.
    idle: Vec<(PlayerKey, Box<dyn Player>)>,
}

impl<'a> GameWorker<'a> {
    pub(super) fn new(plan: &'a Plan, sinks: &'a Sinks, abandoned: AbandonFlag, stop: &'a Stop) -> Self {
        GameWorker { plan, sinks, abandoned, stop, boards: BTreeMap::new(), idle: Vec::new() }
    }

    /// Plays until nothing more comes, the run is abandoned, or something is wrong with all of it.
    pub(super) fn work(mut self, index: usize, fixtures: &Receiver<Fixture>, reports: &Sender<WorkerReport>) {
        let processor = self.plan.spec.affinity.get(index % self.plan.spec.affinity.len().max(1));
        let mut outcome =
            processor.map_or(Ok(()), |&processor| pin(processor).map_err(|error| format!("affinity: {error}")));
        while outcome.is_ok() {
            let Ok(fixture) = fixtures.recv() else { return };
            match guarded(fixture.game, || self.game(&fixture)) {
                // The receiver is gone only when the run is over.
                Ok(Some(game)) => drop(reports.send(Ok(game))),
                Ok(None) => return,
                Err(message) => outcome = Err(message),
            }
        }
        if let Err(message) = outcome {
            let _ = reports.send(Err(message));
        }
    }

    /// Plays a game; `None` when the run was stopped.
    fn game(&mut self, fixture: &Fixture) -> Result<Option<FinishedGame>, String> {
        if let Some(events) = &self.sinks.events {
            events.started(fixture);
        }
        let keys: [PlayerKey; 2] = fixture.seats.map(|engine| (engine, fixture.ruleset));
        let mut players = match [self.player(keys[0])?, self.player(keys[1])?] {
            [Ok(first), Ok(second)] => [first, second],
            opened => return self.unstarted(fixture, keys, opened),
        };
        let seeds = seeds(self.plan.spec.seed, fixture.game);
        let abandoned = Arc::clone(&self.abandoned);
        let [first, second] = &mut players;
        let played = self.set_up(fixture)?.play([&mut **first, &mut **second], seeds, &abandoned)?;
        let forfeiter = played.as_ref().and_then(forfeiter);
        for (index, (key, player)) in keys.into_iter().zip(players).enumerate() {
            if forfeiter != Some(index) {
                self.keep(key, player);
            }
        }
        Ok(played.and_then(|game| self.unless_abandoned(game)))
    }

    /// A player, or its failure to start.
    ///
    /// # Errors
    /// The machine lacks what it takes.
    fn player(&mut self, key: PlayerKey) -> Result<Result<Box<dyn Player>, Failure>, String> {
        if let Some(index) = self.idle.iter().rposition(|(known, _)| *known == key) {
            return Ok(Ok(self.idle.remove(index).1));
        }
        match player::open(self.plan, &self.sinks.conversations, key.0, key.1, &self.abandoned) {
            Ok(player) => Ok(Ok(player)),
            Err(OpenError::Failed(failure)) => Ok(Err(failure)),
            Err(OpenError::Shortage(message)) => Err(message),
        }
    }

    /// Keeps a sound player, unless every game is to have its own; the one that has been idle longest may have to go.
    fn keep(&mut self, key: PlayerKey, player: Box<dyn Player>) {
        let program = self.plan.engines.get(key.0).and_then(|engine| engine.program.as_ref());
        if program.is_some_and(|program| program.restart) {
            return;
        }
        self.idle.push((key, player));
        if self.idle.len() > MOST_IDLE {
            self.idle.remove(0);
        }
    }

    /// The game that is not played because one of the players is not there, or neither.
    fn unstarted(
        &mut self,
        fixture: &Fixture,
        keys: [PlayerKey; 2],
        opened: [Result<Box<dyn Player>, Failure>; 2],
    ) -> Result<Option<FinishedGame>, String> {
        let [first, second] = opened;
        let failures = [(keys[0], first), (keys[1], second)].map(|(key, opened)| match opened {
            Ok(player) => {
                self.keep(key, player);
                None
            }
            Err(failure) => Some(failure),
        });
        let game = self.set_up(fixture)?.forfeit(&failures);
        Ok(self.unless_abandoned(game))
    }

    /// The game of a fixture with its opening on the board.
    fn set_up<'t>(&'t mut self, fixture: &'t Fixture) -> Result<RefereedGame<'t>, String> {
        let about = |message: String| format!("game {}: {message}", fixture.game);
        let ruleset = self.plan.rulesets().get(fixture.ruleset).ok_or_else(|| about("no such ruleset".to_owned()))?;
        let board = match self.boards.entry(fixture.ruleset) {
            Entry::Occupied(place) => place.into_mut(),
            Entry::Vacant(place) => {
                let session = ruleset.session().map_err(|error| format!("{}: {error}", ruleset.label))?;
                let tables = self.plan.tables.as_deref().filter(|_| self.plan.spec.adjudication.table);
                place.insert(RefereeBoard::new(session, tables))
            }
        };
        RefereedGame::new(self.plan, self.sinks, fixture, board, &self.abandoned).map_err(about)
    }

    /// A finished game, unless the run was stopped.
    fn unless_abandoned(&self, game: FinishedGame) -> Option<FinishedGame> {
        let is_sudden = |kind| matches!(kind, Forfeit::Start | Forfeit::Crash | Forfeit::ClosedPipe);
        if matches!(game.record.ending.cause, Cause::Forfeit(kind) if is_sudden(kind)) {
            thread::sleep(STOP_DELAY);
        }
        // The dispatcher may be waiting for the disk and not have heard of it yet.
        let is_abandoned = self.abandoned.load(Ordering::Relaxed) || self.stop.gives_up();
        (!is_abandoned).then_some(game)
    }
}

/// Who forfeited, the first or the second of the players: this one is replaced, whatever it did.
fn forfeiter(game: &FinishedGame) -> Option<usize> {
    let is_forfeit = matches!(game.record.ending.cause, Cause::Forfeit(_));
    game.record.ending.winner().filter(|_| is_forfeit).map(|winner| winner.other().index())
}

/// The seeds of both players' random choices, by player: the first numbers of the game's own stream.
fn seeds(seed: u64, game: u64) -> [u32; 2] {
    let mut rng = stream(seed, game);
    [rng.next_u32(), rng.next_u32()]
}

/// What `play` makes of a game; a panic in it is a reason why the run cannot go on. A worker that broke down is not
/// used again, whatever state it is in.
fn guarded<T>(game: u64, play: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(format!("game {game}: its worker broke down: {text}"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_panic_is_a_reason_to_end_the_run() {
        let error = guarded(7, || -> Result<(), String> { panic!("on {}", "purpose") }).expect_err("a panic");
        assert_eq!(error, "game 7: its worker broke down: on purpose");
        assert_eq!(guarded(7, || Ok(3)), Ok(3));
    }

    #[test]
    fn each_game_and_seat_has_seeds_of_its_own() {
        let all: BTreeSet<u32> = (0..4).flat_map(|game| seeds(5, game)).collect();
        assert_eq!(all.len(), 8);
        assert_eq!(seeds(5, 3), seeds(5, 3), "the same again");
        assert_ne!(seeds(5, 3), seeds(6, 3));
    }
}
