//! Standings: counts results by engine, side, reason and pair, and what they cost.
//!
//! [`Standings`] takes games one by one, in any order, and keeps only sums; [`Standings::summary`] turns them into
//! everything that reports print.

mod puzzles;
mod score_lines;
mod seats;
mod summarise;
mod summary;
#[cfg(test)]
mod tests;
mod totals;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use puzzles::Attempts;
pub(crate) use score_lines::score_lines;
use seats::SeatCounts;
pub(crate) use summary::{
    EngineSummary, LengthCount, MatchScore, PairingSummary, ReasonCount, RoleResults, RulesetSummary, Summary, number,
};
pub(crate) use totals::SearchEffort;
use totals::{Reasons, Totals};

use super::fixture::player_at;
use super::header::{JournalHeader, RulesetHeader, Shard};
use super::mistakes::Assessment;
use super::record::{GameRecord, GameTimes};
use super::schedule::{Placing, Schedule};
use super::spec::Format;
use super::stats::{PairQueue, Pentanomial, SprtMonitor, Trinomial};
use crate::rules::Seat;

/// The sums of a tournament's results, and eight bytes of every game by which repeated ones are known.
#[derive(Clone, Debug)]
pub struct Standings {
    engines: Vec<String>,
    rulesets: Vec<RulesetHeader>,
    games: u64,
    contests: BTreeMap<Contest, Totals>,
    /// What each engine did at the puzzles, by engine and ruleset.
    attempts: BTreeMap<(usize, usize), Attempts>,
    seats: SeatCounts,
    reasons: Reasons,
    /// Complete ones.
    pairs: u64,
    /// The one game of each pair whose other game is not known yet.
    open_pairs: HashMap<u64, HalfPair>,
    /// By ruleset: games by length in plies, the opening's included.
    lengths: Vec<BTreeMap<u32, u64>>,
    disagreements: DisagreementCount,
    /// Digests of the games, see [`digest`].
    different: HashSet<u64>,
    test: Option<(SprtMonitor, PairQueue)>,
    /// Whether other shards have games that these standings do not know.
    is_part: bool,
    /// What places the engines in formats with rounds.
    rounds: Option<Schedule>,
}

/// The games of one engine against another at a ruleset from one seat, or from every other one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Contest {
    engine: usize,
    opponent: usize,
    ruleset: usize,
    /// The first seat that the engine held, 0 or 1.
    seat: usize,
}

/// A game whose pair is not complete.
#[derive(Clone, Copy, Debug)]
struct HalfPair {
    game: u64,
    ruleset: usize,
    /// Lower index first, and the half points of that engine, 0 to 2.
    engines: [usize; 2],
    half_points: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct DisagreementCount {
    games: u64,
    total: u64,
}

impl Standings {
    /// No games yet. A spec of the format `sprt` brings its test along.
    pub fn new(header: &JournalHeader) -> Self {
        let test = header.plan().filter(|plan| plan.format == Format::Sprt).and_then(|plan| plan.sprt);
        Standings {
            engines: header.engines.clone(),
            rulesets: header.rulesets.clone(),
            games: 0,
            contests: BTreeMap::new(),
            attempts: BTreeMap::new(),
            seats: SeatCounts::default(),
            reasons: Reasons::default(),
            pairs: 0,
            open_pairs: HashMap::new(),
            lengths: vec![BTreeMap::new(); header.rulesets.len()],
            disagreements: DisagreementCount::default(),
            different: HashSet::new(),
            test: test.map(|test| (SprtMonitor::new(test), pair_queue(header.shard))),
            is_part: header.shard.is_some(),
            rounds: Schedule::of(header).ok().filter(|schedule| schedule.format().needs_results()),
        }
    }

    /// Counts a game that has not been counted before. Games of engines or rulesets that the header does not have leave
    /// the standings as they were.
    pub fn add(&mut self, record: &GameRecord, times: Option<&GameTimes>) {
        let fixture = &record.fixture;
        let is_strange = fixture.seats.iter().any(|&engine| engine >= self.engines.len());
        if is_strange || fixture.ruleset >= self.rulesets.len() {
            return;
        }
        let reason = self.reasons.number(&record.ending);
        match fixture.seats[..] {
            [] => return,
            [engine] => self.attempts.entry((engine, fixture.ruleset)).or_default().add(record, times, reason),
            [first, second, ..] => {
                self.add_meeting(record, times, reason, [first, second]);
                self.pair_up(record, first, second);
            }
        }
        self.games += 1;
        if let Some(rounds) = &mut self.rounds {
            rounds.finish(fixture.game, record.ending.winner);
        }
        self.different.insert(digest(record));
        *self.lengths[fixture.ruleset].entry(plies(record)).or_default() += 1;
        self.disagreements.games += u64::from(!record.disagreements.is_empty());
        self.disagreements.total += record.disagreements.len() as u64;
    }

    /// A game of two engines, which sit alternately.
    fn add_meeting(&mut self, record: &GameRecord, times: Option<&GameTimes>, reason: usize, engines: [usize; 2]) {
        let fixture = &record.fixture;
        for (seat, [engine, opponent]) in [engines, [engines[1], engines[0]]].into_iter().enumerate() {
            let contest = Contest { engine, opponent, ruleset: fixture.ruleset, seat };
            let totals = self.contests.entry(contest).or_default();
            totals.add_result(record, seat, reason);
            totals.add_work(record, times, fixture.seats_of(seat).flat_map(|seat| record.moves_of(seat)));
        }
        self.seats.add(record);
    }

    /// Counts what the moves of a game that has been counted were worth.
    pub fn add_assessment(&mut self, record: &GameRecord, assessment: &Assessment) {
        let fixture = &record.fixture;
        let [first, second, ..] = fixture.seats[..] else { return };
        for (seat, [engine, opponent]) in [[first, second], [second, first]].into_iter().enumerate() {
            let contest = Contest { engine, opponent, ruleset: fixture.ruleset, seat };
            if let Some(totals) = self.contests.get_mut(&contest) {
                totals.add_mistakes(assessment[seat]);
            }
        }
    }

    fn pair_up(&mut self, record: &GameRecord, first: usize, second: usize) {
        let fixture = &record.fixture;
        let half_points = half_points(record, usize::from(first > second));
        if let Some((monitor, queue)) = &mut self.test {
            queue.add(fixture.game, half_points).into_iter().for_each(|pair| {
                monitor.add(pair);
            });
        }
        let engines = [first.min(second), first.max(second)];
        let half = HalfPair { game: fixture.game, ruleset: fixture.ruleset, engines, half_points };
        match self.open_pairs.remove(&fixture.pair) {
            Some(other) if (other.engines, other.ruleset) == (engines, half.ruleset) && other.game != half.game => {
                self.add_pair(engines, half.ruleset, half_points + other.half_points);
            }
            _ => {
                self.open_pairs.insert(fixture.pair, half);
            }
        }
    }

    /// Counts a pair for both engines, whatever their seats.
    fn add_pair(&mut self, [low, high]: [usize; 2], ruleset: usize, half_points: u8) {
        self.pairs += 1;
        for (engine, opponent, half_points) in [(low, high, half_points), (high, low, 4 - half_points)] {
            let contest = Contest { engine, opponent, ruleset, seat: 0 };
            self.contests.entry(contest).or_default().pairs.add(half_points);
        }
    }

    fn contests_of(&self, engine: usize) -> impl Iterator<Item = (&Contest, &Totals)> {
        let first = |engine| Contest { engine, opponent: 0, ruleset: 0, seat: 0 };
        self.contests.range(first(engine)..first(engine + 1))
    }

    /// Attempts at puzzles included.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games with one player.
    pub fn attempts(&self) -> u64 {
        self.attempts.values().map(Attempts::count).sum()
    }

    /// Names, by index.
    pub fn engines(&self) -> &[String] {
        &self.engines
    }

    /// Complete pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The test of a tournament of the format `sprt`, fed with the pairs in the order of their numbers as far as
    /// none is missing.
    pub fn sprt(&self) -> Option<&SprtMonitor> {
        self.test.as_ref().map(|(monitor, _)| monitor)
    }

    /// What `engine` did against `opponent`, from its own point of view; cheap enough for every game.
    pub fn meeting(&self, engine: usize, opponent: usize) -> MatchScore {
        self.score(engine, |contest| contest.opponent == opponent)
    }

    /// What an engine did against everybody, from its own point of view.
    pub fn total(&self, engine: usize) -> MatchScore {
        self.score(engine, |_| true)
    }

    fn score(&self, engine: usize, is_meant: impl Fn(&Contest) -> bool) -> MatchScore {
        let mut sums = (Trinomial::default(), Pentanomial::default());
        for (_, totals) in self.contests_of(engine).filter(|(contest, _)| is_meant(contest)) {
            sums = (sums.0.plus(totals.games), sums.1.plus(totals.pairs));
        }
        MatchScore::new(sums.0, sums.1)
    }

    /// How a tournament with rounds stands; `None` in formats without rounds.
    pub fn placing(&self) -> Option<Placing> {
        self.rounds.clone()?.placing()
    }

    /// Everything there is to print.
    pub fn summary(&self) -> Summary {
        summarise::summarise(self)
    }
}

/// Expects the pairs of a shard, or all pairs.
fn pair_queue(shard: Option<Shard>) -> PairQueue {
    shard.map_or(PairQueue::new(0, 1), |shard| PairQueue::new(shard.index, shard.count.max(1)))
}

/// The same for games of the same engines on the same seats with the same moves.
fn digest(record: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    (record.fixture.ruleset, &record.fixture.seats, &record.opening.start).hash(&mut hasher);
    let moves = record.opening.moves.iter().map(String::as_str).chain(record.moves.iter().map(|mv| mv.text()));
    moves.for_each(|mv| mv.hash(&mut hasher));
    hasher.finish()
}

/// The length of the whole game.
fn plies(record: &GameRecord) -> u32 {
    u32::try_from(record.opening.moves.len() + record.moves.len()).unwrap_or(u32::MAX)
}

/// What the game brought the first or the second player: 0, 1 or 2.
fn half_points(record: &GameRecord, player: usize) -> u8 {
    match record.ending.winner {
        None => 1,
        Some(winner) if player_at(Seat(winner)) == player => 2,
        Some(_) => 0,
    }
}
