//! Matches between two configurations of the engine: paired games, journaled and shared among processes.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::TuneError;
use super::journals::SharedResults;
use super::resolved::ResolvedTuneSpec;
use super::spec::Quorum;
use super::trace::Trace;
use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::journal::JournalError;
use crate::tournament::live::{self, LiveGames};
use crate::tournament::plan::{EngineConfig, Sinks};
use crate::tournament::record::FinishedGame;
use crate::tournament::runner::{self, Director, RunEnd, RunError, Stop};
use crate::tournament::schedule::Fixture;
use crate::tournament::stats::{Pentanomial, Sample, Trinomial, Z95, estimate};

/// What happens while a run goes on.
pub(crate) enum TuneEvent<'a> {
    /// Games have ended; `done` of `of` are known.
    Games { done: u64, of: u64 },
    /// These shards have still to play `missing` pairs of the present match; `done` of `of` games are known.
    Waiting { shards: &'a BTreeSet<u64>, missing: u64, done: u64, of: u64 },
    /// A fit of weights begins, which looks at no flag and can be broken off, or it has ended.
    Fit { is_over: bool },
    /// An iteration, a point or an epoch has been finished.
    Row(&'a Trace),
}

/// How the games of a run are played.
pub(crate) struct RunOptions<'a> {
    pub concurrency: usize,
    pub shard: Option<Shard>,
    /// Goes on with a journal that is there.
    pub resume: bool,
    pub stop: &'a Stop,
    /// Hears what happens.
    pub observer: &'a dyn Fn(TuneEvent<'_>),
}

/// Two configurations that play each other; matches of different pairs are independent.
#[derive(Clone)]
pub(crate) struct Match {
    /// Numbers of the pairs in the run.
    pub pairs: Range<u64>,
    /// Number of the opening of the first pair; those of the others follow it.
    pub opening: u64,
    /// Pairs that one shard plays in a row.
    pub block: u64,
    /// Index, among the engines of the run, of the first of the two; even, and the second follows it.
    pub engine: usize,
    pub configs: [EngineConfig; 2],
}

/// The result of a match from the point of view of its first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PairedScore {
    /// By the seat of the first engine.
    pub seats: [Trinomial; 2],
    pub pairs: Pentanomial,
    /// Games that the first and that the second engine lost by forfeit.
    pub forfeits: [u64; 2],
}

impl PairedScore {
    /// Counts a pair: the first engine in seat 0, then in seat 1; 1 is a win, -1 a loss.
    pub(crate) fn add_pair(&mut self, nets: [i64; 2]) {
        let half_points = nets.map(|net| (net.signum() + 1) as u8);
        self.seats.iter_mut().zip(half_points).for_each(|(seat, half_points)| seat.add(half_points));
        self.pairs.add(half_points[0] + half_points[1]);
    }

    pub(crate) fn add(&mut self, other: &PairedScore) {
        self.seats = [0, 1].map(|seat| self.seats[seat].plus(other.seats[seat]));
        self.pairs = self.pairs.plus(other.pairs);
        self.forfeits = [0, 1].map(|engine| self.forfeits[engine] + other.forfeits[engine]);
    }

    pub(crate) fn total(&self) -> Trinomial {
        self.seats[0].plus(self.seats[1])
    }

    /// Wins less losses.
    pub(crate) fn net(&self) -> i64 {
        let total = self.total();
        total.wins as i64 - total.losses as i64
    }

    /// Pairs that the first engine won, that were level, and that it lost.
    pub(crate) fn ended(&self) -> [u64; 3] {
        let Pentanomial([none, half, level, more, all]) = self.pairs;
        [more + all, level, none + half]
    }

    /// Half the width of the 95 % interval of the score, from the scatter of the pairs; `None` below two pairs or
    /// when all pairs ended alike.
    pub(crate) fn rate_error(&self) -> Option<f64> {
        estimate(&self.pairs).stderr.filter(|&stderr| stderr > 0.0).map(|stderr| Z95 * stderr)
    }

    /// The share of the points that seat 0 won; `None` without games.
    pub(crate) fn seat_rate(&self) -> Option<f64> {
        self.seats[0].plus(self.seats[1].swapped()).rate()
    }

    /// The share of drawn games; `None` without games.
    pub(crate) fn drawn(&self) -> Option<f64> {
        let total = self.total();
        (total.games() > 0).then(|| total.draws as f64 / total.games() as f64)
    }
}

/// Plays the matches of a run.
pub(crate) struct PairedGames<'a> {
    resolved: &'a mut ResolvedTuneSpec,
    options: &'a RunOptions<'a>,
    results: SharedResults,
    sinks: Sinks,
}

/// So many games without one that was played to its end are enough to give up.
const ENOUGH_FORFEITS: u64 = 16;

/// Between two looks at the journals of other shards.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

impl<'a> PairedGames<'a> {
    /// Opens the journal in `dir`.
    ///
    /// # Errors
    /// See [`SharedResults::open`].
    pub(crate) fn open(
        resolved: &'a mut ResolvedTuneSpec,
        dir: &Path,
        options: &'a RunOptions<'a>,
    ) -> Result<Self, JournalError> {
        let header = JournalHeader { shard: options.shard, ..resolved.tournament.header.clone() };
        let results = SharedResults::open(dir, &header, options.resume)?;
        let live = Some(LiveGames::new(live::path(dir, options.shard)));
        Ok(PairedGames { resolved, options, results, sinks: Sinks { live, ..Sinks::default() } })
    }

    pub(crate) fn resolved(&self) -> &ResolvedTuneSpec {
        self.resolved
    }

    /// Plays a match, together with the other shards. With a quorum some pairs of a match of the
    /// search may be missing.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub(crate) fn play(&mut self, game: &Match) -> Result<PairedScore, TuneError> {
        self.play_share(game)?;
        loop {
            if self.missing(game).next().is_some() {
                self.results.refresh()?;
            }
            let missing: Vec<u64> = self.missing(game).collect();
            if missing.is_empty() || self.goes_on_without(game, &missing) {
                return self.check_forfeits().map(|()| self.score(&game.pairs));
            }
            if self.options.stop.is_asked() {
                return Err(TuneError::Stopped);
            }
            let (shards, [done, of]) = (&self.players(game, &missing), self.progress());
            (self.options.observer)(TuneEvent::Waiting { shards, missing: missing.len() as u64, done, of });
            thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// Plays the share of this process in a match, as far as it is not journaled yet.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub(crate) fn play_share(&mut self, game: &Match) -> Result<(), TuneError> {
        let fixtures = self.fixtures(game);
        if fixtures.is_empty() {
            return Ok(());
        }
        let [_, of] = self.progress();
        let ResolvedTuneSpec { tournament, .. } = &mut *self.resolved;
        for (engine, config) in tournament.engines[game.engine..].iter_mut().zip(&game.configs) {
            // Name and limits are those of the part of the run.
            *engine = EngineConfig { name: engine.name.clone(), limits: engine.limits, ..config.clone() };
        }
        let RunOptions { concurrency, stop, observer, .. } = *self.options;
        let others = of - self.resolved.games();
        let mut director = MatchDirector { fixtures, results: &mut self.results, observer, others, of };
        match runner::run(&self.resolved.tournament, &self.sinks, concurrency, stop, &mut director) {
            Ok(RunEnd::Complete) => Ok(()),
            Ok(RunEnd::Stopped) => Err(TuneError::Stopped),
            Err(RunError::Director(error)) => Err(error.into()),
            Err(RunError::Setup(message)) => Err(TuneError::Run(message)),
            Err(RunError::Forfeit { engine, message }) => Err(TuneError::Run(format!("{engine}: {message}"))),
        }
    }

    /// Games whose results are known.
    pub(crate) fn known(&self) -> u64 {
        self.results.known().games()
    }

    /// How many games are known, and how many there will be, those of learning included.
    fn progress(&self) -> [u64; 2] {
        let others = self.resolved.learning_games();
        [self.known() + others, self.resolved.games() + others]
    }

    /// The pairs of a match of which a game is not known.
    fn missing(&self, game: &Match) -> impl Iterator<Item = u64> {
        let known = self.results.known();
        game.pairs.clone().filter(|pair| known.net(2 * pair).is_none() || known.net(2 * pair + 1).is_none())
    }

    /// The shards that play these pairs.
    fn players(&self, game: &Match, pairs: &[u64]) -> BTreeSet<u64> {
        let count = self.options.shard.map_or(1, |shard| shard.count);
        pairs.iter().map(|pair| pair / game.block % count).collect()
    }

    /// Whether the spec lets the run go on although these pairs are missing.
    fn goes_on_without(&self, game: &Match, missing: &[u64]) -> bool {
        let Some(quorum) = self.resolved.spec.quorum else { return false };
        // The final match is judged by the same pairs in every shard.
        if game.pairs.start >= self.resolved.search_pairs() {
            return false;
        }
        let of = game.pairs.end - game.pairs.start;
        let silences = self.players(game, missing).into_iter().map(|shard| self.results.silence(shard));
        quorum.is_met(of - missing.len() as u64, of, silences)
    }

    /// The result of the pairs of these numbers that are known by now.
    pub(crate) fn score(&self, pairs: &Range<u64>) -> PairedScore {
        let (mut score, known) = (PairedScore::default(), self.results.known());
        for pair in pairs.clone() {
            if let (Some(first), Some(second)) = (known.net(2 * pair), known.net(2 * pair + 1)) {
                score.add_pair([first, second]);
            }
        }
        score.forfeits = known.forfeits_of(&(2 * pairs.start..2 * pairs.end));
        score
    }

    /// Reads what other shards have added.
    ///
    /// # Errors
    /// A journal is damaged or that of another run.
    pub(crate) fn refresh(&mut self) -> Result<(), JournalError> {
        self.results.refresh()
    }

    /// What should be known about forfeits, if there were any.
    pub(crate) fn remark_on_forfeits(&self) -> Option<String> {
        let games = self.results.known().forfeits();
        let remark = || format!("{games} of the games were forfeits, whose results say nothing about the parameters.");
        (games > 0).then(remark)
    }

    /// Refuses to go on when there was nothing but forfeits: there is nothing to be learned from them.
    fn check_forfeits(&self) -> Result<(), TuneError> {
        let (known, games) = (self.results.known(), self.results.known().games());
        if games >= ENOUGH_FORFEITS.min(self.resolved.games()) && known.forfeits() == games {
            return Err(TuneError::AllForfeits { games, example: known.example.clone() });
        }
        Ok(())
    }

    /// The games of a match that this process has to play still.
    fn fixtures(&self, game: &Match) -> VecDeque<Fixture> {
        let is_own = |pair: &u64| self.options.shard.is_none_or(|shard| shard.has(pair / game.block));
        let fixtures = game.pairs.clone().filter(is_own).flat_map(|pair| game.fixtures(pair));
        fixtures.filter(|fixture| self.results.known().net(fixture.game).is_none()).collect()
    }

    /// Ends the run: puts the journal in order.
    ///
    /// # Errors
    /// The journal cannot be rewritten.
    pub(crate) fn complete(mut self) -> Result<(), JournalError> {
        self.results.complete()
    }
}

impl Match {
    /// The games of a pair: the first engine has seat 0, then seat 1.
    fn fixtures(&self, pair: u64) -> [Fixture; 2] {
        let opening = self.opening + pair - self.pairs.start;
        [0, 1].map(|turn: usize| {
            let seats = [self.engine + turn, self.engine + 1 - turn];
            Fixture { game: 2 * pair + turn as u64, pair, ruleset: 0, opening, seats }
        })
    }
}

impl Quorum {
    /// Whether `known` of `of` pairs are enough, when the shards of the others have been silent for this long.
    fn is_met(self, known: u64, of: u64, mut silences: impl Iterator<Item = Duration>) -> bool {
        known as f64 >= self.share * of as f64 && silences.all(|silence| silence.as_secs_f64() >= self.patience_s)
    }
}

/// The games of one match on their way through the runner.
struct MatchDirector<'a> {
    fixtures: VecDeque<Fixture>,
    results: &'a mut SharedResults,
    observer: &'a dyn Fn(TuneEvent<'_>),
    /// Games that were played before, in no match.
    others: u64,
    of: u64,
}

impl Director for MatchDirector<'_> {
    type Error = JournalError;

    fn next(&mut self) -> Option<Fixture> {
        self.fixtures.pop_front()
    }

    /// One trip to the disk for all of them.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), JournalError> {
        self.results.append(&games)?;
        (self.observer)(TuneEvent::Games { done: self.others + self.results.known().games(), of: self.of });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_seat_and_by_points() {
        let mut score = PairedScore::default();
        for nets in [[1, -1], [1, 1], [0, -1]] {
            score.add_pair(nets);
        }
        assert_eq!(score.pairs, Pentanomial([0, 1, 1, 0, 1]));
        assert_eq!(score.seats[0], Trinomial { wins: 2, draws: 1, losses: 0 });
        assert_eq!(score.seats[1], Trinomial { wins: 1, draws: 0, losses: 2 });
        assert_eq!(score.net(), 1);
        assert_eq!(score.total().rate(), Some(3.5 / 6.0));
        assert_eq!(score.seat_rate(), Some(4.5 / 6.0));
        assert_eq!(score.drawn(), Some(1.0 / 6.0));
    }

    #[test]
    fn the_error_is_that_of_the_pairs() {
        let score = PairedScore {
            seats: [Trinomial { wins: 50, draws: 0, losses: 50 }; 2],
            pairs: Pentanomial([50, 0, 0, 0, 50]),
            forfeits: [0; 2],
        };
        assert!((score.rate_error().unwrap() - 1.959_964 * 0.05).abs() < 1e-6);
        let alike = PairedScore {
            seats: [Trinomial { wins: 100, draws: 0, losses: 0 }; 2],
            pairs: Pentanomial([0, 0, 0, 0, 100]),
            forfeits: [0; 2],
        };
        assert_eq!(alike.rate_error(), None);
        assert_eq!(PairedScore::default().rate_error(), None);
    }

    #[test]
    fn a_quorum_is_a_share_and_a_patience_with_every_shard_that_is_waited_for() {
        let quorum = Quorum { share: 0.75, patience_s: 60.0 };
        let is_met = |known, silences: &[u64]| {
            quorum.is_met(known, 8, silences.iter().map(|&seconds| Duration::from_secs(seconds)))
        };
        assert!(is_met(6, &[60, 600]));
        assert!(!is_met(5, &[600]), "too few pairs");
        assert!(!is_met(7, &[600, 59]), "a shard that still plays");
    }
}
