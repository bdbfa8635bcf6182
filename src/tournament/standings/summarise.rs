//! From sums to a summary.

use std::collections::BTreeMap;

use super::summary::{
    EngineSummary, LengthCount, MatchScore, PairingSummary, RoleResults, RulesetSlice, RulesetSummary, Slice, Summary,
};
use super::totals::{Totals, mean};
use super::{Contest, Standings};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::stats::{Cell, Ratings, Sample, Trinomial, bradley_terry, estimate};

/// The two seats' roles that the family's games have; the first is the favoured one.
const FOX: &str = "fox";

pub(super) fn summarise(standings: &Standings) -> Summary {
    let ratings = rate(standings);
    let engines = 0..standings.header.engines.len();
    let mut engines: Vec<EngineSummary> = engines.map(|engine| of_engine(standings, engine, &ratings)).collect();
    let placing = standings.placing();
    let ranking = match &placing {
        Some(placing) => placing.places.iter().map(|place| place.engine).collect(),
        None => by_rating(&engines),
    };
    ranking.iter().zip(1..).for_each(|(&engine, rank)| engines[engine].rank = rank);
    Summary {
        games: standings.games,
        different_games: standings.different.len() as u64,
        pairs: standings.pairs(),
        unpaired_games: standings.games - 2 * standings.pairs(),
        engines,
        ranking,
        placing,
        rating_groups: ratings.groups,
        pairings: pairings(standings),
        rulesets: (0..standings.header.rulesets.len())
            .map(|ruleset| of_ruleset(standings, ruleset, &ratings))
            .collect(),
        unconverted: standings.unconverted(),
        sprt: standings.sprt().map(|monitor| *monitor.spec()),
        sprt_verdict: standings.sprt().filter(|_| standings.header.shard.is_none()).map(|monitor| monitor.verdict()),
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
        roles.entry(role(&standings.header.rulesets[contest.ruleset], contest.seat)).or_default().absorb(totals);
    }
    let result = |(role, Totals { games, judged, .. })| RoleResults { role, games, estimate: estimate(&games), judged };
    // A pair alone, whose game from this seat is not known, is no role.
    let roles = roles.into_iter().map(result).filter(|result| result.games.games() > 0);
    Slice {
        results: MatchScore::new(sum.games, sum.pairs),
        roles: roles.collect(),
        reasons: standings.reasons.counts(&sum.reasons),
        forfeits: sum.forfeit_counts(),
        average_plies: mean(sum.plies, sum.games.games()),
        work: sum.work,
        judged: sum.judged,
    }
}

/// What an engine plays that holds this seat.
pub(super) fn role(ruleset: &Ruleset, seat: usize) -> String {
    ruleset.seats[seat].role.clone()
}

/// The seat whose advantage is rated.
fn favoured_seat(ruleset: &Ruleset) -> usize {
    ruleset.seats.iter().position(|seat| seat.role == FOX).unwrap_or(0)
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
        sides_estimate: estimate::<Trinomial>(&sum.games),
        advantage: ratings.sides[ruleset],
        reasons: standings.reasons.counts(&sum.reasons),
        average_plies: mean(sum.plies, games),
        lengths: standings.lengths[ruleset].iter().map(|(&plies, &games)| LengthCount { plies, games }).collect(),
    }
}
