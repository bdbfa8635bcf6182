//! Which games a tournament has, in what order: a pure function of the journal's head, so that every shard and every
//! resumed run agrees on it.

use reynard_engine::rules::Seat;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::header::{JournalHeader, Shard};
use super::spec::Format;

/// Why a journal's head has no schedule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ScheduleError {
    #[error("the head of the journal names no tournament")]
    NoTournament,
    #[error("shard {0}: {1}")]
    Shard(Shard, String),
}

/// A game to be played: who meets whom, at what, from which opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fixture {
    /// From 0; also the stream of the seed from which the game draws.
    pub game: u64,
    /// Games of one pair share ruleset, opening and engines, with the seats swapped.
    pub pair: u64,
    /// Index into the rulesets of the head.
    pub ruleset: usize,
    /// Number of the opening in the ruleset's book.
    pub opening: u64,
    /// Index into the engines of the head, by seat.
    pub seats: [usize; 2],
}

impl Fixture {
    /// The engine that fails when the game is won by the other seat.
    pub fn loser(&self, winner: Seat) -> usize {
        self.seats[winner.other().index()]
    }
}

/// The numbered games of a tournament.
///
/// A game number is spent opening by opening, then pairing by pairing, then ruleset by ruleset, then on the two games
/// of a pair: games 2n and 2n + 1 swap the seats. All pairings meet in the same openings, and no pairing meets in one
/// twice.
///
/// ```
/// use reynard::testing::tournament::Schedule;
/// use reynard::testing::tournament::spec::Format;
/// let schedule = Schedule::new(Format::Match, 2, 1, 1);
/// let second = schedule.fixture(1).expect("a pair has two games");
/// assert_eq!((second.pair, second.seats), (0, [1, 0]));
/// assert_eq!(schedule.fixture(2), None);
/// ```
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rulesets: u64,
    /// Of every pairing in every ruleset, each with an opening of its own.
    pairs: u64,
    /// The part that is played here.
    shard: Option<Shard>,
}

impl Schedule {
    /// The schedule of the tournament that a journal's head names.
    ///
    /// # Errors
    /// See [`ScheduleError`].
    pub fn of(header: &JournalHeader) -> Result<Schedule, ScheduleError> {
        let plan = header.played.tournament().ok_or(ScheduleError::NoTournament)?;
        let pairs = plan.pairs.ok_or(ScheduleError::NoTournament)?;
        if let Some(shard) = header.shard {
            Shard::new(shard.index, shard.count).map_err(|why| ScheduleError::Shard(shard, why))?;
        }
        let whole = Schedule::new(plan.format, header.engines.len(), header.rulesets.len(), pairs);
        Ok(Schedule { shard: header.shard, ..whole })
    }

    /// The undivided schedule of this number of engines and rulesets; pairs as in the spec.
    pub fn new(format: Format, engines: usize, rulesets: usize, pairs: u64) -> Schedule {
        let after = |first: usize| (first + 1..engines).map(move |second| [first, second]);
        let pairings = match format {
            Format::RoundRobin => (0..engines).flat_map(after).collect(),
            Format::Gauntlet | Format::Match | Format::Sprt => after(0).collect(),
        };
        Schedule { pairings, rulesets: rulesets as u64, pairs, shard: None }
    }

    /// Who meets whom.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games of this shard. The test of `sprt` may end a run earlier.
    pub fn games(&self) -> u64 {
        let pairs = self.pairs.saturating_mul(self.pairs_abreast());
        let own = self.shard.map_or(pairs, |shard| pairs.saturating_sub(shard.index).div_ceil(shard.count));
        own.saturating_mul(2)
    }

    /// Whether a game is this shard's. The pairs are dealt out in turn: the two games of a pair stay together.
    pub fn has(&self, game: u64) -> bool {
        self.shard.is_none_or(|shard| shard.has(game / 2))
    }

    /// The game of that number, in whatever shard; `None` where the tournament has no such game.
    pub fn fixture(&self, game: u64) -> Option<Fixture> {
        let (pair, abreast) = (game / 2, self.pairs_abreast());
        let opening = pair.checked_div(abreast).filter(|&opening| opening < self.pairs)?;
        let rest = pair % abreast;
        let [first, second] = self.pairings[(rest / self.rulesets) as usize];
        let seats = if game.is_multiple_of(2) { [first, second] } else { [second, first] };
        Some(Fixture { game, pair, ruleset: (rest % self.rulesets) as usize, opening, seats })
    }

    /// The number of the game of these engines on these seats, in this ruleset and from this opening; `None` where
    /// there is no such game.
    pub(crate) fn number_of(&self, fixture: &Fixture) -> Option<u64> {
        let [first, second] = fixture.seats;
        let is_met = |pairing: &[usize; 2]| *pairing == [first, second] || *pairing == [second, first];
        let pairing = self.pairings.iter().position(is_met)?;
        let pair = fixture.opening * self.pairs_abreast() + pairing as u64 * self.rulesets + fixture.ruleset as u64;
        let game = 2 * pair + u64::from(self.pairings[pairing] != [first, second]);
        let is_there = |found: &Fixture| (found.opening, found.ruleset) == (fixture.opening, fixture.ruleset);
        self.fixture(game).filter(is_there).map(|found| found.game)
    }

    /// Pairs with the same opening.
    fn pairs_abreast(&self) -> u64 {
        self.pairings.len() as u64 * self.rulesets
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::tournament::TournamentSpec;

    fn all(schedule: &Schedule) -> Vec<Fixture> {
        (0..).map_while(|game| schedule.fixture(game)).collect()
    }

    fn of_shard(schedule: &Schedule, index: u64, count: u64) -> Schedule {
        Schedule { shard: Some(Shard { index, count }), ..schedule.clone() }
    }

    /// What holds in every format.
    fn assert_sound(fixtures: &[Fixture], schedule: &Schedule) {
        assert_eq!(fixtures.len() as u64, schedule.games());
        let mut met = BTreeSet::new();
        for (index, fixture) in fixtures.iter().enumerate() {
            assert_eq!((fixture.game, fixture.pair), (index as u64, index as u64 / 2));
            assert_ne!(fixture.seats[0], fixture.seats[1]);
            let mut pairing = fixture.seats;
            pairing.sort_unstable();
            if index % 2 == 0 {
                assert!(met.insert((pairing, fixture.ruleset, fixture.opening)), "an opening comes back: {fixture:?}");
            } else {
                let mut swapped = fixtures[index - 1].clone();
                swapped.seats.reverse();
                assert_eq!(Fixture { game: fixture.game - 1, ..fixture.clone() }, swapped);
            }
        }
        assert!(fixtures.is_sorted_by_key(|fixture| fixture.opening), "openings are outermost");
    }

    fn pairings_of(fixtures: &[Fixture]) -> BTreeMap<[usize; 2], u64> {
        let mut count = BTreeMap::new();
        for fixture in fixtures {
            *count.entry(fixture.seats).or_insert(0) += 1;
        }
        count
    }

    #[test]
    fn the_order_is_opening_pairing_ruleset_game() {
        let games = all(&Schedule::new(Format::RoundRobin, 3, 2, 2));
        let row = |game: usize| {
            let Fixture { opening, ruleset, seats, .. } = &games[game];
            (*opening, *ruleset, *seats)
        };
        assert_eq!(games.len(), 3 * 2 * 2 * 2);
        assert_eq!(row(0), (0, 0, [0, 1]));
        assert_eq!(row(1), (0, 0, [1, 0]));
        assert_eq!(row(2), (0, 1, [0, 1]));
        assert_eq!(row(4), (0, 0, [0, 2]));
        assert_eq!(row(8), (0, 0, [1, 2]));
        assert_eq!(row(12), (1, 0, [0, 1]));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first_engine() {
        let games = all(&Schedule::new(Format::Gauntlet, 4, 1, 3));
        let expected: BTreeMap<_, _> = (1..4).flat_map(|other| [([0, other], 3), ([other, 0], 3)]).collect();
        assert_eq!(pairings_of(&games), expected);
    }

    #[test]
    fn counting_games_is_counting_pairs() {
        let engines: Vec<_> = ["a", "b"].map(|name| serde_json::json!({"name": name})).to_vec();
        let by_games = serde_json::json!({"rulesets": ["r"], "engines": engines, "format": "match", "games": 10});
        let by_games: TournamentSpec = serde_json::from_value(by_games).expect("a spec");
        let by_games = Schedule::new(by_games.format, 2, 1, by_games.pair_count());
        assert_eq!(all(&by_games), all(&Schedule::new(Format::Sprt, 2, 1, 5)));
    }

    #[test]
    fn any_game_of_a_huge_tournament_is_known_at_once() {
        let schedule = Schedule::new(Format::RoundRobin, 256, 256, 1_000_000_000);
        let games = schedule.games();
        assert_eq!(games, 32_640 * 256 * 2_000_000_000);
        assert!(schedule.fixture(games - 1).is_some_and(|game| game.opening == 999_999_999));
        assert_eq!(schedule.fixture(games), None);
    }

    #[test]
    fn a_head_that_asks_for_more_than_can_be_counted_breaks_nothing() {
        let endless = Schedule::new(Format::RoundRobin, 9, 9, u64::MAX);
        assert_eq!(endless.games(), u64::MAX);
        assert!(endless.fixture(u64::MAX).is_some());
        assert_eq!(Schedule::new(Format::Match, 2, 0, 9).fixture(0), None, "without rulesets");
        assert_eq!(Schedule::new(Format::Match, 1, 1, 9).fixture(0), None, "without opponents");
    }

    #[test]
    fn a_game_is_found_by_its_players_and_its_opening() {
        for format in [Format::Match, Format::Gauntlet, Format::RoundRobin] {
            let engines = if format == Format::Match { 2 } else { 4 };
            let schedule = Schedule::new(format, engines, 3, 5);
            let fixtures = all(&schedule);
            assert!(fixtures.iter().all(|fixture| schedule.number_of(fixture) == Some(fixture.game)), "{format:?}");
            let strangers = [
                Fixture { opening: 5, ..fixtures[0].clone() },
                Fixture { ruleset: 3, ..fixtures[0].clone() },
                Fixture { seats: [0, 9], ..fixtures[0].clone() },
            ];
            assert!(strangers.iter().all(|stranger| schedule.number_of(stranger).is_none()), "{format:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn everybody_is_seated_fairly(
            format in prop::sample::select(vec![Format::RoundRobin, Format::Gauntlet]),
            engines in 2_usize..7, rulesets in 1_usize..4, pairs in 1_u64..5,
        ) {
            let schedule = Schedule::new(format, engines, rulesets, pairs);
            let games = all(&schedule);
            assert_sound(&games, &schedule);
            let count = pairings_of(&games);
            prop_assert!(count.values().all(|&games| games == pairs * rulesets as u64));
            let expected = if format == Format::Gauntlet { 2 * (engines - 1) } else { engines * (engines - 1) };
            prop_assert_eq!(count.len(), expected);
        }

        #[test]
        fn shards_share_out_all_games(count in 1_u64..9, pairs in 1_u64..9) {
            let whole = Schedule::new(Format::RoundRobin, 4, 2, pairs);
            let shards: Vec<Schedule> = (0..count).map(|index| of_shard(&whole, index, count)).collect();
            for game in 0..whole.games() {
                prop_assert_eq!(shards.iter().filter(|shard| shard.has(game)).count(), 1);
            }
            for shard in &shards {
                prop_assert_eq!((0..whole.games()).filter(|&game| shard.has(game)).count() as u64, shard.games());
            }
        }
    }
}
