//! Chances of a session's position.

use std::time::{Duration, Instant};

use super::GameSession;
use crate::chances::{Chances, ChancesOracle, SimulationLimits};
use crate::rules::Game;
use crate::search::SearchConfig;
use crate::session::options::Options;

/// Games of a simulation, if there is time for them.
const GAMES: u64 = 100_000;
/// Nobody waits longer for a simulation.
const MAX_TIME: Duration = Duration::from_secs(5);

impl<G: Game> GameSession<G> {
    /// Asks with the options `Seed` and `Threads`.
    pub(super) fn ask(&self, oracle: &mut dyn ChancesOracle<G>, options: &Options) -> Chances {
        let SearchConfig { seed, threads, .. } = options.search_config();
        let start = Instant::now();
        let is_enough = move || start.elapsed() > MAX_TIME;
        let effort = SimulationLimits { games: GAMES, seed, threads, is_enough: &is_enough };
        oracle.chances(&self.game, self.record.position(), effort)
    }

    /// Where the last move was made that ended the game; the present position when it was over from the start, or when
    /// an illegal move ended it.
    pub(super) fn position_before_end(&self) -> &G::Position {
        let before = match self.forfeiter {
            Some(_) => None,
            None => self.record.positions().iter().nth_back(1),
        };
        before.unwrap_or(self.record.position())
    }
}
