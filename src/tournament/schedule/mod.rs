//! Which games a tournament has, in what order: from the spec, and in formats with rounds from earlier results.

mod block;
mod knockout;
mod matching;
mod placing;
mod plan;
mod swiss;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::fixture::Fixture;
use super::spec::{Format, TournamentSpec};
use block::Block;
pub(crate) use placing::{MeetingResult, Placing, RoundResult};
pub use plan::Plan;
pub(crate) use plan::PlanError;

/// What is known of a game number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    Game(Fixture),
    /// Games with lower numbers must finish first.
    NeedsResults,
    /// There is no such game.
    End,
}

/// The finished games of a run; a game that is finished stays so, with the same result.
pub trait Results {
    /// `None` while the game is not finished, then the winning seat, or none for a draw.
    fn winner(&self, game: u64) -> Option<Option<u8>>;
}

/// Results by game number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Winners(pub BTreeMap<u64, Option<u8>>);

impl Results for Winners {
    fn winner(&self, game: u64) -> Option<Option<u8>> {
        self.0.get(&game).copied()
    }
}

/// The numbered games of a tournament. The same spec and the same results give the same games, in whatever order the
/// results came in.
///
/// A game number is spent opening by opening, then pairing by pairing, then ruleset by ruleset, then on the two games
/// of a pair: games 2n and 2n + 1 swap the seats, and at a puzzle the engines try it in turn. Openings are numbered so that all pairings of a round meet in the
/// same ones and no pairing meets in one twice.
#[derive(Debug)]
pub struct Schedule {
    format: Format,
    engines: usize,
    /// The seats of each ruleset.
    seats: Arc<[usize]>,
    pairs: u64,
    rounds: u32,
    /// The parts of the tournament that are known, each drawn up once: results do not change.
    blocks: Mutex<Vec<Block>>,
}

/// What follows the known blocks.
enum Step {
    Block(Block),
    NeedsResults,
    End,
}

impl Schedule {
    /// The schedule of a spec that was checked, as if all its games had two seats.
    pub fn new(spec: &TournamentSpec) -> Schedule {
        let (engines, rulesets) = (spec.engines.len(), spec.rulesets.len());
        Schedule::of(spec.format, engines, rulesets, spec.pair_count(), spec.rounds.unwrap_or(0))
    }

    /// The schedule of so many engines and rulesets of two seats each; pairs as in the spec, rounds of a swiss tournament.
    pub fn of(format: Format, engines: usize, rulesets: usize, pairs: u64, rounds: u32) -> Schedule {
        Schedule { format, engines, seats: vec![2; rulesets].into(), pairs, rounds, blocks: Mutex::default() }
    }

    /// The same games with the seats that the rulesets have.
    pub fn with_seats(self, seats: &[usize]) -> Schedule {
        Schedule { seats: seats.into(), ..self }
    }

    /// How many games there are at most: `None` where results decide it. The test of `sprt` may end a run earlier.
    pub fn games(&self) -> Option<u64> {
        let meetings = match self.format {
            Format::Swiss => self.engines as u64 / 2 * u64::from(self.rounds),
            Format::Knockout => return None,
            _ => self.all_pairings().len() as u64,
        };
        Some(meetings * self.seats.len() as u64 * self.pairs * 2)
    }

    /// The game of that number.
    pub fn fixture(&self, game: u64, results: &dyn Results) -> Planned {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let next = blocks.partition_point(|block| block.end() <= game);
            if let Some(block) = blocks.get(next) {
                return Planned::Game(block.fixture(game));
            }
            match self.step(&blocks, results) {
                Step::Block(block) => blocks.push(block),
                Step::NeedsResults => return Planned::NeedsResults,
                Step::End => return Planned::End,
            }
        }
    }

    /// Who is left of a knockout; `None` before it is decided and in other formats.
    pub fn champion(&self, results: &dyn Results) -> Option<usize> {
        match self.format {
            Format::Knockout => knockout::Bracket::new(self.engines).play(&self.known(results), results).champion(),
            _ => None,
        }
    }

    /// How a tournament with rounds stands; `None` in formats without rounds.
    pub fn placing(&self, results: &dyn Results) -> Option<Placing> {
        let blocks = self.known(results);
        match self.format {
            Format::Swiss => Some(placing::swiss(self.engines, self.rounds, &blocks, results)),
            Format::Knockout => {
                let champion = self.champion(results);
                Some(placing::knockout(self.engines, champion, &blocks, results))
            }
            _ => None,
        }
    }

    /// Every part that these results have made known.
    fn known(&self, results: &dyn Results) -> Vec<Block> {
        // No block reaches this number.
        self.fixture(u64::MAX, results);
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Who meets whom: in formats with rounds, in the first of them.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        /// Before anything has been played.
        struct Nothing;
        impl Results for Nothing {
            fn winner(&self, _game: u64) -> Option<Option<u8>> {
                None
            }
        }
        match self.step(&[], &Nothing) {
            Step::Block(block) => block.meetings,
            _ => Vec::new(),
        }
    }

    /// Who meets whom in formats without rounds.
    fn all_pairings(&self) -> Vec<[usize; 2]> {
        let after = |first: usize| (first + 1..self.engines).map(move |second| [first, second]);
        match self.format {
            Format::RoundRobin => (0..self.engines).flat_map(after).collect(),
            _ => after(0).collect(),
        }
    }

    fn step(&self, blocks: &[Block], results: &dyn Results) -> Step {
        let (round, pairs, meetings) = match self.format {
            Format::Swiss if blocks.len() == self.rounds as usize => return Step::End,
            Format::Swiss => match swiss::pairings(self.engines, blocks, results) {
                Some(meetings) => (Some(blocks.len() as u32), self.pairs, meetings),
                None => return Step::NeedsResults,
            },
            Format::Knockout => match knockout::Bracket::new(self.engines).play(blocks, results) {
                knockout::State::Meet { round, is_extra: false, meetings } => (Some(round), self.pairs, meetings),
                knockout::State::Meet { round, is_extra: true, meetings } => (Some(round), 1, meetings),
                knockout::State::NeedsResults => return Step::NeedsResults,
                knockout::State::Champion(_) => return Step::End,
            },
            _ if blocks.is_empty() => (None, self.pairs, self.all_pairings()),
            _ => return Step::End,
        };
        let (first_game, first_opening) = blocks.last().map_or((0, 0), |last| (last.end(), last.end_opening()));
        let seats = Arc::clone(&self.seats);
        match pairs == 0 || seats.is_empty() || meetings.is_empty() {
            true => Step::End,
            false => Step::Block(Block { round, first_game, first_opening, pairs, seats, meetings }),
        }
    }
}

#[cfg(test)]
mod tests;
