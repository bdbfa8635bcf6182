//! One thread that plays game after game.

use std::any::Any;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Open;
use crate::tournament::affinity::pin;
use crate::tournament::fixture::Fixture;
use crate::tournament::plan::{Plan, Sinks};
use crate::tournament::player::{AbandonFlag, Failure, Player};
use crate::tournament::record::{Cause, FinishedGame, Forfeit};
use crate::tournament::referee::{RefereeBoard, RefereedGame};

/// A finished game, or why this run cannot go on. Abandoned games are not reported.
pub(super) type WorkerReport = Result<FinishedGame, String>;

/// A player, or why there is none.
type Opened = Result<Box<dyn Player>, Failure>;

/// Whoever ends this program often ends its engines a moment earlier; their end is no forfeit then.
const LAST_WORDS: Duration = Duration::from_millis(60);

/// Most players that one worker keeps idle. External programs are processes and searchers hold tables: more would
/// cost memory, fewer would start programs anew all the time.
pub(super) const MOST_IDLE: usize = 8;

/// Which engine plays which ruleset.
type PlayerKey = (usize, usize);

/// The boards and players of one thread.
pub(super) struct GameWorker<'a> {
    plan: &'a Plan,
    sinks: &'a Sinks,
    open: &'a Open<'a>,
    abandoned: AbandonFlag,
    /// By ruleset.
    boards: BTreeMap<usize, RefereeBoard>,
    /// Players that wait for their next game, the least recently used first. One that plays is not in it, so an engine
    /// can meet itself.
    idle: Vec<(PlayerKey, Box<dyn Player>)>,
}

impl<'a> GameWorker<'a> {
    pub(super) fn new(plan: &'a Plan, sinks: &'a Sinks, open: &'a Open<'a>, abandoned: AbandonFlag) -> Self {
        GameWorker { plan, sinks, open, abandoned, boards: BTreeMap::new(), idle: Vec::new() }
    }

    /// Plays until nothing more comes, the run is abandoned, or something is wrong with all of it.
    pub(super) fn work(mut self, index: usize, fixtures: &Receiver<Fixture>, reports: &Sender<WorkerReport>) {
        let processor = self.plan.spec.affinity.get(index % self.plan.spec.affinity.len().max(1));
        let mut outcome =
            processor.map_or(Ok(()), |&processor| pin(processor).map_err(|error| format!("affinity: {error}")));
        while outcome.is_ok() {
            let Ok(fixture) = fixtures.recv() else { return };
            // A worker that broke down is not used again, whatever state it is in.
            let played = catch_unwind(AssertUnwindSafe(|| self.game(&fixture)));
            match played.unwrap_or_else(|panic| Err(panic_text(fixture.game, &*panic))) {
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
        let keys: [PlayerKey; 2] = fixture.seats.map(|engine| (engine, fixture.ruleset));
        let opened: Vec<Opened> = keys.iter().map(|&key| self.player(key)).collect();
        if opened.iter().any(Result::is_err) {
            return self.unstarted(fixture, &keys, opened);
        }
        let mut players: Vec<Box<dyn Player>> = opened.into_iter().flatten().collect();
        let seeds = seeds(self.plan.spec.seed, fixture.game);
        let abandoned = Arc::clone(&self.abandoned);
        let played = self.set_up(fixture)?.play(&mut players, seeds, &abandoned)?;
        let broken = played.as_ref().and_then(forfeiter);
        for (index, (key, player)) in keys.into_iter().zip(players).enumerate() {
            if broken != Some(index) && !player.is_broken() {
                self.keep(key, player);
            }
        }
        Ok(played.and_then(|game| self.unless_abandoned(game)))
    }

    fn player(&mut self, key: PlayerKey) -> Opened {
        match self.idle.iter().rposition(|(known, _)| *known == key) {
            Some(index) => Ok(self.idle.remove(index).1),
            None => (self.open)(key.0, key.1, &self.abandoned),
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
        keys: &[PlayerKey],
        opened: Vec<Opened>,
    ) -> Result<Option<FinishedGame>, String> {
        let mut failures = Vec::new();
        for (&key, opened) in keys.iter().zip(opened) {
            failures.push(opened.map(|player| self.keep(key, player)).err());
        }
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
        RefereedGame::new(self.plan, self.sinks, fixture, board).map_err(about)
    }

    /// A finished game, unless the run was stopped: whoever ends it often ends its engines a moment earlier.
    fn unless_abandoned(&self, game: FinishedGame) -> Option<FinishedGame> {
        let is_sudden = |kind| matches!(kind, Forfeit::Start | Forfeit::Crash | Forfeit::ClosedPipe);
        if matches!(game.record.ending.cause, Cause::Forfeit(kind) if is_sudden(kind)) {
            thread::sleep(LAST_WORDS);
        }
        (!self.abandoned.load(Ordering::Relaxed)).then_some(game)
    }
}

/// Who forfeited, the first or the second of the players: this one is replaced, whatever it did.
fn forfeiter(game: &FinishedGame) -> Option<usize> {
    let is_forfeit = matches!(game.record.ending.cause, Cause::Forfeit(_));
    game.record.ending.winner().filter(|_| is_forfeit).map(|winner| winner.other().index())
}

/// The seeds of both players' random choices, by player: the first numbers of the game's own stream.
fn seeds(seed: u64, game: u64) -> [u32; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(game);
    [rng.next_u32(), rng.next_u32()]
}

fn panic_text(game: u64, panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("game {game}: its worker broke down: {text}")
}
