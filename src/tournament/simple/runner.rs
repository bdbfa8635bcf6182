//! Playing all games of a match, several at a time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use super::openings::random_opening;
use super::player::{Player, PlayerError};
use super::process_player::ProcessPlayer;
use super::referee::{Ending, GameResult, play_game};
use super::session_player::SessionPlayer;
use super::spec::{MatchError, MatchSpec, Seating, Venue, letter};
use super::tally::Tally;
use crate::engine::{Session, registry};

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameReport {
    /// From 0.
    pub index: u32,
    pub seating: Seating,
    pub result: GameResult,
}

/// Plays the match and tells of every game as it ends, in no particular order.
///
/// # Errors
/// The ruleset cannot be opened, or a player cannot be set up.
pub fn run(spec: &MatchSpec, mut on_game: impl FnMut(&GameReport)) -> Result<Tally, MatchError> {
    let side_names = names(&*registry::open(&spec.ruleset)?);
    let workers = spec.concurrency.clamp(1, spec.games.max(1) as usize);
    let tables = (0..workers).map(|_| Table::new(spec)).collect::<Result<Vec<_>, _>>()?;
    let next = AtomicU32::new(0);
    let (sender, reports) = unbounded();
    let mut tally = Tally::new(side_names);
    thread::scope(|scope| {
        for table in tables {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || table.work(next, &sender));
        }
        drop(sender);
        for report in reports {
            let report: Result<GameReport, MatchError> = report;
            let report = report?;
            tally.add(&report);
            on_game(&report);
        }
        Ok(tally)
    })
}

fn names(session: &dyn Session) -> [String; 2] {
    [crate::rules::Seat::P1, crate::rules::Seat::P2].map(|seat| session.seat_name(seat).to_owned())
}

/// A referee's board with two players, for one game after the other.
struct Table<'a> {
    spec: &'a MatchSpec,
    session: Box<dyn Session>,
    players: [Box<dyn Player>; 2],
}

impl<'a> Table<'a> {
    fn new(spec: &'a MatchSpec) -> Result<Self, MatchError> {
        let players = [player(spec, 0)?, player(spec, 1)?];
        Ok(Table { spec, session: registry::open(&spec.ruleset)?, players })
    }

    fn work(mut self, next: &AtomicU32, reports: &Sender<Result<GameReport, MatchError>>) {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.spec.games {
                return;
            }
            let report = self.game(index);
            let is_end = report.is_err();
            if reports.send(report).is_err() || is_end {
                return;
            }
        }
    }

    fn game(&mut self, index: u32) -> Result<GameReport, MatchError> {
        let spec = self.spec;
        for (contestant, player) in self.players.iter_mut().enumerate() {
            let seed = spec.seed.wrapping_add(u64::from(index)) & u64::from(u32::MAX);
            player.new_game(seed).map_err(|error| failed(contestant, error))?;
        }
        random_opening(&mut *self.session, spec.opening_plies, spec.seed, index / 2);
        let seating = Seating::of_game(index);
        let [a, b] = &mut self.players;
        let mut seated: [&mut dyn Player; 2] = [&mut **a, &mut **b];
        let mut paces = spec.paces;
        if index % 2 == 1 {
            seated.reverse();
            paces.reverse();
        }
        let result = play_game(&mut *self.session, seated, paces, spec.max_plies);
        self.replace_broken(seating, &result)?;
        Ok(GameReport { index, seating, result })
    }

    /// A player that did not answer gets a fresh start.
    fn replace_broken(&mut self, seating: Seating, result: &GameResult) -> Result<(), MatchError> {
        let (Some(winner), Ending::Failure(_) | Ending::TimeForfeit) = (result.winner, &result.ending) else {
            return Ok(());
        };
        let loser = seating.contestant(winner.other());
        self.players[loser] = player(self.spec, loser)?;
        Ok(())
    }
}

fn player(spec: &MatchSpec, contestant: usize) -> Result<Box<dyn Player>, MatchError> {
    let configuration = &spec.contestants[contestant];
    Ok(match &spec.venue {
        Venue::Session => Box::new(SessionPlayer::new(&spec.ruleset, configuration, letter(contestant))?),
        Venue::Process(program) => {
            let started = ProcessPlayer::start(program, &spec.ruleset, configuration);
            Box::new(started.map_err(|error| failed(contestant, error))?)
        }
    })
}

fn failed(contestant: usize, error: PlayerError) -> MatchError {
    MatchError::Player { name: letter(contestant), error }
}
