//! Standings: counts results by engine, side, reason and pair, and what they cost.
//!
//! [`Standings`] takes games one by one, in any order, and keeps only sums; [`Standings::summary`] turns them into
//! everything that reports print.

mod summary;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(crate) use summary::{
    EngineSummary, LengthCount, MatchScore, PairingSummary, RoleResults, RulesetSummary, SplitPairs, Summary,
    UnconvertedGame,
};

use serde::{Serialize, Serializer};
use summary::{ForfeitCount, ReasonCount};

use super::header::JournalHeader;
use super::mistakes::{Assessment, JudgedPlay};
use super::record::{Cause, Ending, Forfeit, GameRecord};
use super::ruleset::Ruleset;
use super::spec::Format;
use super::stats::{Pentanomial, Sample, SprtMonitor, Trinomial};

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
        *self.lengths[fixture.ruleset].entry(record.plies() as u32).or_default() += 1;
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
        let half_points = record.half_points(usize::from(first > second));
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
    record.texts().for_each(|mv| mv.hash(&mut hasher));
    hasher.finish()
}

/// Sums over some games of one engine, from its point of view.
#[derive(Clone, Debug, Default)]
struct Totals {
    pub games: Trinomial,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// By the reason of the end.
    pub reasons: BTreeMap<String, Trinomial>,
    /// The engine's own.
    pub forfeits: BTreeMap<Forfeit, u64>,
    /// Lengths of the games.
    pub plies: u64,
    pub work: SearchEffort,
    /// The engine's own; `None` while no moves were judged.
    pub judged: Option<JudgedPlay>,
}

/// What the engine spent, over its own moves. Written as means per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SearchEffort {
    pub moves: u64,
    #[serde(rename = "nodes_per_move", serialize_with = "KnownSum::write_mean")]
    pub nodes: KnownSum,
    #[serde(rename = "depth_per_move", serialize_with = "KnownSum::write_mean")]
    pub depth: KnownSum,
    #[serde(rename = "ms_per_move", serialize_with = "KnownSum::write_mean_ms")]
    pub time_us: KnownSum,
}

/// A sum over those moves for which the number is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownSum {
    pub sum: u64,
    pub moves: u64,
}

impl KnownSum {
    fn add(&mut self, number: Option<u64>) {
        if let Some(number) = number {
            self.sum = self.sum.saturating_add(number);
            self.moves += 1;
        }
    }

    fn absorb(&mut self, other: KnownSum) {
        self.sum = self.sum.saturating_add(other.sum);
        self.moves += other.moves;
    }

    /// `None` when it is known for no move.
    pub(crate) fn known(self) -> Option<u64> {
        (self.moves > 0).then_some(self.sum)
    }

    /// Per move; `None` when it is known for none.
    pub(crate) fn mean(self) -> Option<f64> {
        mean(self.sum, self.moves)
    }

    /// Milliseconds per move, where the sum is of microseconds.
    pub(crate) fn mean_ms(self) -> Option<f64> {
        self.mean().map(|us| us / 1000.0)
    }

    fn write_mean<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.mean().serialize(serializer)
    }

    fn write_mean_ms<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.mean_ms().serialize(serializer)
    }
}

impl SearchEffort {
    /// That of the player of a seat in a game; `move_us` are the times of the game's moves as far as they are known.
    pub(crate) fn of(record: &GameRecord, move_us: &[u64], seat: usize) -> SearchEffort {
        let mut effort = SearchEffort::default();
        for index in record.moves_of(seat) {
            let opinion = record.moves[index].opinion();
            effort.moves += 1;
            effort.nodes.add(opinion.nodes);
            effort.depth.add(opinion.depth.map(u64::from));
            effort.time_us.add(move_us.get(index).copied());
        }
        effort
    }

    fn absorb(&mut self, other: SearchEffort) {
        self.moves += other.moves;
        self.nodes.absorb(other.nodes);
        self.depth.absorb(other.depth);
        self.time_us.absorb(other.time_us);
    }
}

impl Totals {
    /// Counts a game of the player of `seat`. `move_us` are the times of the game's moves.
    fn add(&mut self, record: &GameRecord, move_us: &[u64], seat: usize) {
        let half_points = record.half_points(seat);
        self.games.add(half_points);
        self.with_reason(reason(&record.ending)).add(half_points);
        self.plies += record.plies() as u64;
        // A game that both have forfeited has no winner.
        if let (Cause::Forfeit(kind), 0 | 1) = (&record.ending.cause, half_points) {
            *self.forfeits.entry(*kind).or_default() += 1;
        }
        self.work.absorb(SearchEffort::of(record, move_us, seat));
    }

    fn add_judged(&mut self, found: JudgedPlay) {
        self.judged.get_or_insert_default().absorb(found);
    }

    fn absorb(&mut self, other: &Totals) {
        self.games = self.games.plus(other.games);
        self.pairs = self.pairs.plus(other.pairs);
        for (reason, &games) in &other.reasons {
            let sum = self.with_reason(reason);
            *sum = sum.plus(games);
        }
        for (&kind, games) in &other.forfeits {
            *self.forfeits.entry(kind).or_default() += games;
        }
        self.plies += other.plies;
        self.work.absorb(other.work);
        if let Some(found) = other.judged {
            self.add_judged(found);
        }
    }

    fn with_reason(&mut self, reason: &str) -> &mut Trinomial {
        self.reasons.entry(reason.to_owned()).or_default()
    }

    /// The most frequent first.
    fn reason_counts(&self) -> Vec<ReasonCount> {
        let count = |(reason, &games): (&String, &Trinomial)| ReasonCount { reason: reason.clone(), games };
        let mut counts: Vec<ReasonCount> = self.reasons.iter().map(count).collect();
        // Those of equal frequency stay in the order of their names.
        counts.sort_by_key(|count| Reverse(count.games.games()));
        counts
    }

    fn forfeit_counts(&self) -> Vec<ForfeitCount> {
        self.forfeits.iter().map(|(&kind, &games)| ForfeitCount { kind, games }).collect()
    }
}

/// A reason in which games can agree: words about one game alone are left out.
fn reason(ending: &Ending) -> &str {
    if ending.cause == Cause::Rules { &ending.reason } else { ending.cause.words().name }
}

/// `None` of nothing.
fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
