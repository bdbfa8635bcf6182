//! Which games a tournament has, in what order: from the spec, and in formats with rounds from earlier results.

mod block;
mod knockout;
mod matching;
mod placing;
mod swiss;

use std::collections::BTreeMap;

use block::Block;
pub(crate) use placing::{MeetingResult, Placing, RoundResult};
use thiserror::Error;

use super::fixture::{Fixture, Next};
use super::header::{JournalHeader, Shard};
use super::spec::Format;

/// The winning seats of finished games by number, none for a draw.
type WinnersByGame = BTreeMap<u64, Option<u8>>;

/// Why a journal's head has no schedule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ScheduleError {
    #[error("the head of the journal names no tournament")]
    NoTournament,
    #[error(
        "a tournament of format {0} cannot be divided into shards: who meets whom depends on the results of all \
         earlier games"
    )]
    Rounds(String),
    #[error("shard {0}: {1}")]
    Shard(Shard, String),
}

/// The numbered games of a tournament. The same spec and the same results give the same games, in whatever order the
/// results came in.
///
/// A game number is spent opening by opening, then pairing by pairing, then ruleset by ruleset, then on the two games
/// of a pair: games 2n and 2n + 1 swap the seats. Openings are numbered so that all pairings of a round meet in the
/// same ones and no pairing meets in one twice.
///
/// ```
/// use reynard::testing::tournament::{Next, Schedule};
/// use reynard::testing::tournament::spec::Format;
/// let mut schedule = Schedule::new(Format::Match, 2, 1, 1, 0);
/// let Next::Game(second) = schedule.fixture(1) else { panic!("a pair has two games") };
/// assert_eq!((second.pair, second.seats), (0, [1, 0]));
/// assert_eq!(schedule.fixture(2), Next::End);
/// ```
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    engines: usize,
    rulesets: usize,
    pairs: u64,
    rounds: u32,
    /// The parts of the tournament that are known, each drawn up once: results do not change.
    blocks: Vec<Block>,
    winners: WinnersByGame,
}

impl Schedule {
    /// The schedule of the tournament that a journal's head names, the games of other shards included.
    ///
    /// # Errors
    /// See [`ScheduleError`].
    pub fn of(header: &JournalHeader) -> Result<Schedule, ScheduleError> {
        let plan = header.played.tournament().ok_or(ScheduleError::NoTournament)?;
        let pairs = plan.pairs.ok_or(ScheduleError::NoTournament)?;
        if let Some(shard) = header.shard {
            Shard::new(shard.index, shard.count).map_err(|why| ScheduleError::Shard(shard, why))?;
            if plan.format.needs_results() {
                return Err(ScheduleError::Rounds(plan.format.name()));
            }
        }
        let (engines, rulesets) = (header.engines.len(), header.rulesets.len());
        Ok(Schedule::new(plan.format, engines, rulesets, pairs, plan.rounds.unwrap_or(0)))
    }

    /// The schedule of so many engines in so many rulesets; pairs as in the spec, rounds of a swiss tournament.
    pub fn new(format: Format, engines: usize, rulesets: usize, pairs: u64, rounds: u32) -> Schedule {
        let (blocks, winners) = (Vec::new(), WinnersByGame::new());
        Schedule { format, engines, rulesets, pairs, rounds, blocks, winners }
    }

    /// Who meets whom.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The number of the game of these engines on these seats, in this ruleset and from this opening; `None` where
    /// there is no such game, and in formats with rounds.
    pub(crate) fn number_of(&self, fixture: &Fixture) -> Option<u64> {
        let Ok(block) = self.step(&[]) else { return None };
        if self.format.needs_results() { None } else { block.number_of(fixture) }
    }

    /// How many games there are at most: `None` where results decide it. The test of `sprt` may end a run earlier.
    pub fn games(&self) -> Option<u64> {
        let meetings = match self.format {
            Format::Swiss => self.engines as u64 / 2 * u64::from(self.rounds),
            Format::Knockout => return None,
            _ => self.all_pairings().len() as u64,
        };
        Some(meetings * self.rulesets as u64 * self.pairs * 2)
    }

    /// The game of that number; [`Next::Wait`] where games with lower numbers must finish first.
    pub fn fixture(&mut self, game: u64) -> Next {
        loop {
            let next = self.blocks.partition_point(|block| block.end() <= game);
            if let Some(block) = self.blocks.get(next) {
                return Next::Game(block.fixture(game));
            }
            match self.step(&self.blocks) {
                Ok(block) => self.blocks.push(block),
                Err(next) => return next,
            }
        }
    }

    /// Takes the result of a game: the winning seat, or none for a draw.
    pub fn finish(&mut self, game: u64, winner: Option<u8>) {
        self.winners.insert(game, winner);
    }

    /// Whether the result of that game was taken.
    pub fn is_finished(&self, game: u64) -> bool {
        self.winners.contains_key(&game)
    }

    /// Games whose results were taken.
    pub fn finished_games(&self) -> u64 {
        self.winners.len() as u64
    }

    /// The games that are known by now: all of a format without rounds, else those of the rounds so far.
    pub(crate) fn known_games(&mut self) -> u64 {
        // No block reaches this number: every part that the results have made known is drawn up.
        self.fixture(u64::MAX);
        self.blocks.last().map_or(0, Block::end)
    }

    /// How a tournament with rounds stands; `None` in formats without rounds.
    pub fn placing(&mut self) -> Option<Placing> {
        self.known_games();
        let (blocks, winners) = (&self.blocks, &self.winners);
        match self.format {
            Format::Swiss => Some(placing::swiss(self.engines, self.rounds, blocks, winners)),
            Format::Knockout => {
                let (rounds, state) = knockout::play(self.engines, blocks, winners);
                let champion = if let knockout::State::Champion(engine) = state { Some(engine) } else { None };
                Some(placing::knockout(self.engines, champion, rounds))
            }
            _ => None,
        }
    }

    /// Who meets whom: in formats with rounds, in the first of them.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        self.step(&[]).map_or(Vec::new(), |block| block.meetings)
    }

    /// Who meets whom in formats without rounds.
    fn all_pairings(&self) -> Vec<[usize; 2]> {
        let after = |first: usize| (first + 1..self.engines).map(move |second| [first, second]);
        match self.format {
            Format::RoundRobin => (0..self.engines).flat_map(after).collect(),
            _ => after(0).collect(),
        }
    }

    /// The block after these; where there is none yet, or never, what comes instead of its games.
    fn step(&self, blocks: &[Block]) -> Result<Block, Next> {
        let winners = &self.winners;
        let (round, pairs, meetings) = match self.format {
            Format::Swiss if blocks.len() == self.rounds as usize => return Err(Next::End),
            Format::Swiss => {
                let so_far = placing::swiss(self.engines, self.rounds, blocks, winners);
                let Some(meetings) = swiss::pairings(self.engines, &so_far) else { return Err(Next::Wait) };
                (Some(blocks.len() as u32), self.pairs, meetings)
            }
            Format::Knockout => match knockout::play(self.engines, blocks, winners).1 {
                knockout::State::Meet { round, is_extra, meetings } => {
                    (Some(round), if is_extra { 1 } else { self.pairs }, meetings)
                }
                knockout::State::Wait => return Err(Next::Wait),
                knockout::State::Champion(_) => return Err(Next::End),
            },
            _ if blocks.is_empty() => (None, self.pairs, self.all_pairings()),
            _ => return Err(Next::End),
        };
        let (first_game, first_opening) = blocks.last().map_or((0, 0), |last| (last.end(), last.end_opening()));
        let rulesets = self.rulesets as u64;
        if pairs == 0 || rulesets == 0 || meetings.is_empty() {
            return Err(Next::End);
        }
        Ok(Block { round, first_game, first_opening, pairs, rulesets, meetings })
    }
}

#[cfg(test)]
mod tests;
