//! The figures of a tournament at one moment, ready to be printed.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::json;

use super::{Contest, SearchEffort, Standings, Totals, favoured_seat, mean};
use crate::tournament::mistakes::{Conversion, JudgedPlay};
use crate::tournament::openings;
use crate::tournament::record::{Forfeit, GameRecord};
use crate::tournament::schedule::Fixture;
use crate::tournament::spec::SprtSpec;
use crate::tournament::stats::{
    Cell, Contrast, Estimate, Pentanomial, Rating, Ratings, Sample, SprtVerdict, Trinomial, bradley_terry, estimate,
    estimate_of_match,
};

/// The standings at one moment. Figures that do not exist are `None`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    pub games: u64,
    /// Those that ended by a forfeit.
    pub forfeited_games: u64,
    /// Those that are no repetition of another one: same engines, same seats, same moves.
    pub different_games: u64,
    /// Complete ones.
    pub pairs: u64,
    /// Games whose other game of the pair is missing.
    pub unpaired_games: u64,
    /// By index.
    pub engines: Vec<EngineSummary>,
    /// Indices of the engines, best first by rating.
    pub ranking: Vec<usize>,
    /// Ratings of engines in different groups cannot be compared.
    pub rating_groups: usize,
    /// Engines that have met, the lower index first.
    pub pairings: Vec<PairingSummary>,
    /// By index.
    pub rulesets: Vec<RulesetSummary>,
    /// Games that an engine had won by tables of perfect play and did not win; only where moves were judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unconverted: Option<Vec<UnconvertedGame>>,
    pub sprt: Option<SprtSpec>,
    /// `None` for a shard, whose pairs alone decide nothing.
    pub sprt_verdict: Option<SprtVerdict>,
}

/// Results from one engine's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MatchScore {
    #[serde(flatten, serialize_with = "counted")]
    pub games: Trinomial,
    /// LL, LD, DD and WL, WD, WW; complete pairs only.
    pub pairs: Pentanomial,
    /// Pairs won over pairs lost.
    pub pair_ratio: Option<f64>,
    /// The score is that of all games, the errors are those of the pairs where there are any.
    pub estimate: Estimate,
}

impl MatchScore {
    pub(super) fn new(games: Trinomial, pairs: Pentanomial) -> Self {
        MatchScore {
            games,
            pairs,
            pair_ratio: pairs.pair_ratio(),
            estimate: estimate_of_match(&games, &pairs).with_cautious_errors(),
        }
    }

    /// From the point of view of the other engine.
    pub(crate) fn swapped(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        MatchScore::new(self.games.swapped(), pairs)
    }
}

/// Writes results with their number and the points that they brought.
fn counted<S: Serializer>(games: &Trinomial, serializer: S) -> Result<S::Ok, S::Error> {
    let Trinomial { losses, draws, wins } = games;
    let (games, points) = (games.games(), games.points());
    json!({"games": games, "wins": wins, "draws": draws, "losses": losses, "points": points}).serialize(serializer)
}

/// What an engine did in some of the games, from its point of view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Slice {
    pub results: MatchScore,
    /// As fox, as geese; as p1, p2.
    pub roles: Vec<RoleResults>,
    pub reasons: Vec<ReasonCount>,
    /// The engine's own.
    pub forfeits: Vec<ForfeitCount>,
    /// Length of the games, openings included.
    pub average_plies: Option<f64>,
    /// The engine's own.
    #[serde(flatten)]
    pub work: SearchEffort,
    /// By tables of perfect play; only where moves were judged.
    #[serde(flatten)]
    pub judged: Option<JudgedPlay>,
}

/// Results in one role; no opening pair is played in one role only.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoleResults {
    /// `fox`, `geese`, `p1`, `p2`.
    pub role: String,
    #[serde(flatten, serialize_with = "counted")]
    pub games: Trinomial,
    pub estimate: Estimate,
    /// By tables of perfect play; only where moves were judged.
    #[serde(flatten)]
    pub judged: Option<JudgedPlay>,
}

/// How often games ended for a reason, from one player's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReasonCount {
    pub reason: String,
    #[serde(flatten)]
    pub games: Trinomial,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ForfeitCount {
    pub kind: Forfeit,
    pub games: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineSummary {
    pub name: String,
    /// From 1.
    pub rank: usize,
    pub rating: Rating,
    pub overall: Slice,
    /// Of the rulesets in which it has played.
    pub by_ruleset: Vec<RulesetSlice>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RulesetSlice {
    /// Index of the ruleset.
    pub ruleset: usize,
    pub label: String,
    pub slice: Slice,
}

/// A game that an engine had won by tables of perfect play and did not win. Plies count from 1, the opening's too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnconvertedGame {
    /// Its number.
    pub game: u64,
    /// Indices.
    pub ruleset: usize,
    pub engine: usize,
    pub role: String,
    /// `drawn` or `lost`.
    pub result: &'static str,
    /// The ply after which it was won for the first time, 0 for the start.
    pub won_after: usize,
    /// The engine's move that gave the win away for good, and its ply; none where no move did.
    pub ply: Option<usize>,
    #[serde(rename = "move")]
    pub mv: Option<String>,
}

impl UnconvertedGame {
    pub(super) fn new(record: &GameRecord, engine: usize, role: &str, conversion: Conversion) -> Self {
        let Fixture { game, ruleset, .. } = record.fixture;
        let Conversion { won_after, given_away: ply, .. } = conversion;
        let mv = ply.and_then(|ply| record.texts().nth(ply - 1)).map(str::to_owned);
        let (role, result) = (role.to_owned(), conversion.result());
        UnconvertedGame { game, ruleset, engine, role, result, won_after, ply, mv }
    }
}

/// Pairs of games that one side won twice, first for one engine and then for the other: whatever decided them, it was
/// not a difference between the engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SplitPairs {
    /// All complete pairs.
    pub pairs: u64,
    /// Both games won by the favoured seat.
    pub favoured: u64,
    /// Both games won by the other seat.
    pub other: u64,
}

impl SplitPairs {
    /// Counts a pair; `winner` is whether the favoured seat won both games, `None` where no seat did.
    pub(super) fn add(&mut self, winner: Option<bool>) {
        self.pairs += 1;
        self.favoured += u64::from(winner == Some(true));
        self.other += u64::from(winner == Some(false));
    }

    /// Both kinds.
    pub fn split(self) -> u64 {
        self.favoured + self.other
    }
}

/// Two engines, from the point of view of the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingSummary {
    /// Indices of the engines.
    pub first: usize,
    pub second: usize,
    pub overall: Slice,
    pub by_ruleset: Vec<RulesetSlice>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RulesetSummary {
    pub label: String,
    pub games: u64,
    /// By seat: role and what the ruleset calls the side.
    pub seats: [(String, String); 2],
    /// The seat from whose point of view the following are: that of the fox, else seat 0.
    pub favoured_seat: usize,
    /// `wins` are those of the favoured seat, whatever engine had it.
    pub sides: Trinomial,
    /// The same as Elo, taking all players for equals.
    pub sides_estimate: Estimate,
    /// What the favoured seat is worth, engines' ratings taken into account.
    pub advantage: Contrast,
    pub split_pairs: SplitPairs,
    /// What may be done where most pairs are split.
    #[serde(skip)]
    pub split_advice: String,
    /// `wins` are those of the favoured seat.
    pub reasons: Vec<ReasonCount>,
    pub average_plies: Option<f64>,
    /// Games by length, shortest first.
    pub lengths: Vec<LengthCount>,
}

impl RulesetSummary {
    /// What the favoured side and the other one are called.
    pub fn side_names(&self) -> [String; 2] {
        [self.favoured_seat, 1 - self.favoured_seat].map(|seat| self.seats[seat].1.clone())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LengthCount {
    /// The opening's included.
    pub plies: u32,
    pub games: u64,
}

impl Summary {
    pub(super) fn of(standings: &Standings) -> Summary {
        let ratings = rate(standings);
        let engines = 0..standings.header.engines.len();
        let mut engines: Vec<EngineSummary> = engines.map(|engine| of_engine(standings, engine, &ratings)).collect();
        let ranking = by_rating(&engines);
        ranking.iter().zip(1..).for_each(|(&engine, rank)| engines[engine].rank = rank);
        let rulesets = 0..standings.header.rulesets.len();
        Summary {
            games: standings.games,
            forfeited_games: standings.forfeited,
            different_games: standings.different.len() as u64,
            pairs: standings.pairs,
            unpaired_games: standings.games - 2 * standings.pairs,
            engines,
            ranking,
            rating_groups: ratings.groups,
            pairings: pairings(standings),
            rulesets: rulesets.map(|ruleset| of_ruleset(standings, ruleset, &ratings)).collect(),
            unconverted: standings.unconverted(),
            sprt: standings.sprt().map(|monitor| *monitor.spec()),
            sprt_verdict: standings.sprt().filter(|_| standings.header.shard.is_none()).map(|test| test.verdict()),
        }
    }

    /// The engines, best first; none while there are no games.
    pub fn ranked(&self) -> impl Iterator<Item = &EngineSummary> {
        self.ranking.iter().filter(|_| self.games > 0).map(|&engine| &self.engines[engine])
    }

    /// Whether a table of all has ratings: there are more than two engines, and the joint fit rates all that have played.
    /// Two have the Elo of their pairs, which is the difference between them and not half of it.
    pub fn has_ratings(&self) -> bool {
        self.engines.len() > 2
            && self
                .engines
                .iter()
                .all(|engine| engine.rating.elo.is_some() || engine.overall.results.games.games() == 0)
    }

    /// The Elo of an engine in a table of all, and its error: the rating, or, between two and where the joint fit leaves
    /// an engine without one, for each engine that of its own games. Never both kinds, which look comparable.
    pub fn elo(&self, engine: &EngineSummary) -> (Option<f64>, Option<f64>) {
        let estimate = &engine.overall.results.estimate;
        if self.has_ratings() { (engine.rating.elo, engine.rating.error) } else { (estimate.elo, estimate.elo_error) }
    }
}

fn of_engine(standings: &Standings, engine: usize, ratings: &Ratings) -> EngineSummary {
    EngineSummary {
        name: standings.header.engines[engine].clone(),
        rank: 0,
        rating: ratings.engines[engine],
        overall: slice(standings, engine, |_| true),
        by_ruleset: by_ruleset(standings, engine, |_| true),
    }
}

/// Engines that have met, the lower index first.
fn pairings(standings: &Standings) -> Vec<PairingSummary> {
    let mut met: Vec<(usize, usize)> = standings.contests.keys().map(|key| (key.engine, key.opponent)).collect();
    met.dedup();
    let summary = |(first, second): (usize, usize)| {
        let is_meant = move |contest: &Contest| contest.opponent == second;
        let overall = slice(standings, first, is_meant);
        PairingSummary { first, second, overall, by_ruleset: by_ruleset(standings, first, is_meant) }
    };
    met.into_iter().filter(|(first, second)| first < second).map(summary).collect()
}

/// Of the rulesets at which the engine has contests of the kind that is meant.
fn by_ruleset(standings: &Standings, engine: usize, is_meant: impl Fn(&Contest) -> bool) -> Vec<RulesetSlice> {
    let of_ruleset = |ruleset: usize| {
        let is_here = |contest: &Contest| contest.ruleset == ruleset && is_meant(contest);
        standings.contests_of(engine).any(|(contest, _)| is_here(contest)).then(|| RulesetSlice {
            ruleset,
            label: standings.header.rulesets[ruleset].label.clone(),
            slice: slice(standings, engine, is_here),
        })
    };
    (0..standings.header.rulesets.len()).filter_map(of_ruleset).collect()
}

/// What an engine did in the contests that are meant.
fn slice(standings: &Standings, engine: usize, is_meant: impl Fn(&Contest) -> bool) -> Slice {
    let mut sum = Totals::default();
    let mut roles: BTreeMap<String, Totals> = BTreeMap::new();
    for (contest, totals) in standings.contests_of(engine).filter(|(contest, _)| is_meant(contest)) {
        sum.absorb(totals);
        let role = &standings.header.rulesets[contest.ruleset].seats[contest.seat].role;
        roles.entry(role.clone()).or_default().absorb(totals);
    }
    let result = |(role, Totals { games, judged, .. })| RoleResults {
        role,
        games,
        estimate: estimate(&games).with_cautious_errors(),
        judged,
    };
    // A pair alone, whose game from this seat is not known, is no role.
    let roles = roles.into_iter().map(result).filter(|result| result.games.games() > 0);
    Slice {
        results: MatchScore::new(sum.games, sum.pairs),
        roles: roles.collect(),
        reasons: sum.reason_counts(),
        forfeits: sum.forfeit_counts(),
        average_plies: mean(sum.plies, sum.games.games()),
        work: sum.work,
        judged: sum.judged,
    }
}

fn rate(standings: &Standings) -> Ratings {
    let cell = |(key, totals): (&Contest, &Totals)| {
        let is_favoured = favoured_seat(&standings.header.rulesets[key.ruleset]) == key.seat;
        let (first, second) = (key.engine, key.opponent);
        is_favoured.then_some(Cell { first, second, ruleset: key.ruleset, games: totals.games })
    };
    let cells: Vec<Cell> = standings.contests.iter().filter_map(cell).collect();
    bradley_terry(standings.header.engines.len(), standings.header.rulesets.len(), &cells)
}

/// The engines' indices by rating, then by score, then by index.
fn by_rating(engines: &[EngineSummary]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..engines.len()).collect();
    let strength = |engine: usize| engines[engine].rating.bounded_elo;
    let score = |engine: usize| engines[engine].overall.results.estimate.score.unwrap_or(0.0);
    ranking.sort_by(|&a, &b| {
        strength(b).total_cmp(&strength(a)).then_with(|| score(b).total_cmp(&score(a))).then(a.cmp(&b))
    });
    ranking
}

fn of_ruleset(standings: &Standings, ruleset: usize, ratings: &Ratings) -> RulesetSummary {
    let header = &standings.header.rulesets[ruleset];
    let favoured_seat = favoured_seat(header);
    let contests = standings.contests.iter().filter(|(key, _)| key.ruleset == ruleset && key.seat == favoured_seat);
    let mut sum = Totals::default();
    contests.for_each(|(_, totals)| sum.absorb(totals));
    let games = sum.games.games();
    RulesetSummary {
        label: header.label.clone(),
        games,
        seats: header.seats.each_ref().map(|seat| (seat.role.clone(), seat.name.clone())),
        favoured_seat,
        sides: sum.games,
        sides_estimate: estimate::<Trinomial>(&sum.games).with_cautious_errors(),
        advantage: ratings.sides[ruleset],
        split_pairs: standings.split_pairs[ruleset],
        split_advice: openings::advice(&standings.header.played.games().conditions, header),
        reasons: sum.reason_counts(),
        average_plies: mean(sum.plies, games),
        lengths: standings.lengths[ruleset].iter().map(|(&plies, &games)| LengthCount { plies, games }).collect(),
    }
}
