//! Standings: counts results by engine, side, reason and pair, and what they cost.
//!
//! [`Standings`] takes games one by one, in any order, and keeps only sums; [`Standings::summary`] turns them into
//! everything that reports print.

mod summary;
#[cfg(test)]
mod tests;
mod totals;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(crate) use summary::{
    EngineSummary, LengthCount, MatchScore, PairingSummary, RoleResults, RulesetSummary, SplitPairs, Summary,
    UnconvertedGame,
};
pub(crate) use totals::SearchEffort;
use totals::Totals;

use super::header::JournalHeader;
use super::mistakes::Assessment;
use super::record::{Cause, GameRecord};
use super::ruleset::Ruleset;
use super::spec::Format;
use super::stats::{Pentanomial, SprtMonitor, Trinomial};

/// The sums of a tournament's results, and eight bytes of every game by which repeated ones are known.
#[derive(Clone, Debug)]
pub struct Standings {
    header: JournalHeader,
    games: u64,
    /// Those that ended by a forfeit.
    forfeited: u64,
    contests: BTreeMap<Contest, Totals>,
    /// `None` while no moves were judged.
    unconverted: Option<Vec<UnconvertedGame>>,
    /// Complete ones.
    pairs: u64,
    /// The first known game of each pair whose other game is not known yet.
    open_pairs: HashMap<PairKey, HalfPair>,
    /// By ruleset.
    split_pairs: Vec<SplitPairs>,
    /// By ruleset: games by length in plies, the opening's included.
    lengths: Vec<BTreeMap<u32, u64>>,
    /// Digests of the games, see [`digest`].
    different: HashSet<u64>,
    test: Option<SprtMonitor>,
}

/// The games of one engine against another at a ruleset from one seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Contest {
    engine: usize,
    opponent: usize,
    ruleset: usize,
    /// 0 or 1.
    seat: usize,
}

/// The number of a pair, its engines, lower index first, and its ruleset.
type PairKey = (u64, [usize; 2], usize);

/// One of the two games of a pair.
#[derive(Clone, Copy, Debug)]
struct HalfPair {
    game: u64,
    /// For the engine of the lower index.
    half_points: u8,
    /// Index of the engine on seat 0.
    first_seat: usize,
    /// The seat that won.
    winner: Option<u8>,
}

impl Standings {
    /// No games yet. A spec of the format `sprt` brings its test along.
    pub fn new(header: &JournalHeader) -> Self {
        let test = header.played.tournament().filter(|plan| plan.format == Format::Sprt).and_then(|plan| plan.sprt);
        let (due, step) = header.shard.map_or((0, 1), |shard| (shard.index, shard.count.max(1)));
        Standings {
            header: header.clone(),
            games: 0,
            forfeited: 0,
            contests: BTreeMap::new(),
            unconverted: None,
            pairs: 0,
            open_pairs: HashMap::new(),
            split_pairs: vec![SplitPairs::default(); header.rulesets.len()],
            lengths: vec![BTreeMap::new(); header.rulesets.len()],
            different: HashSet::new(),
            test: test.map(|test| SprtMonitor::new(test, due, step)),
        }
    }

    /// Counts a game that has not been counted before; `move_us` are the times of its moves as far as they are known.
    /// Games of engines or rulesets that the header does not have leave the standings as they were.
    pub fn add(&mut self, record: &GameRecord, move_us: &[u64]) {
        let fixture = &record.fixture;
        let is_strange = fixture.seats.iter().any(|&engine| engine >= self.header.engines.len());
        if is_strange || fixture.ruleset >= self.header.rulesets.len() {
            return;
        }
        for (seat, [engine, opponent]) in both_views(fixture.seats) {
            let contest = Contest { engine, opponent, ruleset: fixture.ruleset, seat };
            self.contests.entry(contest).or_default().add(record, move_us, seat);
        }
        self.pair_up(record);
        self.games += 1;
        self.forfeited += u64::from(matches!(record.ending.cause, Cause::Forfeit(_)));
        self.different.insert(digest(record));
        *self.lengths[fixture.ruleset].entry(plies(record)).or_default() += 1;
    }

    /// Counts what the moves of a game that has been counted were worth.
    pub fn add_assessment(&mut self, record: &GameRecord, assessment: &Assessment) {
        let fixture = &record.fixture;
        for (seat, [engine, opponent]) in both_views(fixture.seats) {
            let contest = Contest { engine, opponent, ruleset: fixture.ruleset, seat };
            let Some(totals) = self.contests.get_mut(&contest) else { continue };
            totals.add_judged(assessment.play(seat));
            let role = &self.header.rulesets[fixture.ruleset].seats[seat].role;
            let wasted = assessment.conversions[seat].filter(|conversion| conversion.half_points < 2);
            let wasted = wasted.map(|conversion| UnconvertedGame::new(record, engine, role, conversion));
            self.unconverted.get_or_insert_default().extend(wasted);
        }
    }

    fn pair_up(&mut self, record: &GameRecord) {
        let fixture = &record.fixture;
        let [first, second] = fixture.seats;
        let half_points = half_points(record, usize::from(first > second));
        if let Some(test) = &mut self.test {
            test.add(fixture.game, half_points);
        }
        let engines = [first.min(second), first.max(second)];
        let key = (fixture.pair, engines, fixture.ruleset);
        let half = HalfPair { game: fixture.game, half_points, first_seat: first, winner: record.ending.winner };
        match self.open_pairs.remove(&key) {
            Some(other) if other.game != half.game => {
                self.add_pair(engines, fixture.ruleset, half_points + other.half_points);
                let has_swapped = other.first_seat != half.first_seat;
                let winner = half.winner.filter(|_| has_swapped && half.winner == other.winner);
                let favoured = favoured_seat(&self.header.rulesets[fixture.ruleset]);
                self.split_pairs[fixture.ruleset].add(winner.map(|seat| usize::from(seat) == favoured));
            }
            _ => drop(self.open_pairs.insert(key, half)),
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

    /// How many games have been counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Names, by index.
    pub fn engines(&self) -> &[String] {
        &self.header.engines
    }

    /// Complete pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The test of a tournament of the format `sprt`, fed with the pairs in the order of their numbers as far as
    /// none is missing.
    pub fn sprt(&self) -> Option<&SprtMonitor> {
        self.test.as_ref()
    }

    /// What an engine did against everybody, from its own point of view; cheap enough for every game.
    pub fn total(&self, engine: usize) -> MatchScore {
        let (mut games, mut pairs) = (Trinomial::default(), Pentanomial::default());
        for (_, totals) in self.contests_of(engine) {
            (games, pairs) = (games.plus(totals.games), pairs.plus(totals.pairs));
        }
        MatchScore::new(games, pairs)
    }

    /// Pairs up to the one that decided the test; `None` before that, and in a shard, whose pairs alone decide nothing.
    pub fn decided_pairs(&self) -> Option<u64> {
        let verdict = self.sprt().filter(|_| self.header.shard.is_none())?.verdict();
        verdict.decision.map(|_| verdict.pairs)
    }

    /// In the order of the games.
    fn unconverted(&self) -> Option<Vec<UnconvertedGame>> {
        let mut games = self.unconverted.clone()?;
        games.sort_by_key(|game| game.game);
        Some(games)
    }

    /// Everything there is to print.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }
}

/// Each seat with its engine and the opponent.
fn both_views([first, second]: [usize; 2]) -> [(usize, [usize; 2]); 2] {
    [(0, [first, second]), (1, [second, first])]
}

/// The seat from whose point of view the sides of a ruleset are compared: the fox's, else seat 0.
fn favoured_seat(ruleset: &Ruleset) -> usize {
    ruleset.seats.iter().position(|seat| seat.role == "fox").unwrap_or(0)
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

/// What the game brought the player of a seat: 0, 1 or 2.
pub(super) fn half_points(record: &GameRecord, seat: usize) -> u8 {
    match record.ending.winner {
        None => 1,
        Some(winner) if usize::from(winner) == seat => 2,
        Some(_) => 0,
    }
}
