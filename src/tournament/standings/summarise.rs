//! From sums to a summary.

use std::collections::BTreeMap;

use super::account::{Account, mean, reason_counts};
use super::line::Line;
use super::puzzles::Attempts;
use super::summary::{
    EngineSummary, LengthCount, PairingSummary, PuzzleResults, RulesetSlice, RulesetSummary, Summary,
};
use super::{LineKey, Standings};
use crate::tournament::header::RulesetHeader;
use crate::tournament::stats::{Cell, Pentanomial, Ratings, Trinomial, bradley_terry, estimate};

/// The two seats' roles that the family's games have; the first is the favoured one.
const FOX: &str = "fox";

pub(super) fn summarise(standings: &Standings) -> Summary {
    let ledger = Ledger::of(standings);
    let ratings = rate(standings);
    let mut engines = ledger.engines(&ratings);
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
        unpaired_games: standings.games - standings.attempts() - 2 * standings.pairs(),
        attempts: standings.attempts(),
        engines,
        ranking,
        placing,
        rating_groups: ratings.groups,
        pairings: ledger.pairings(),
        rulesets: (0..standings.rulesets.len()).map(|ruleset| of_ruleset(standings, ruleset, &ratings)).collect(),
        puzzles: puzzles(standings),
        games_with_disagreements: standings.disagreements.games,
        disagreements: standings.disagreements.total,
        sprt: standings.sprt().map(|monitor| *monitor.spec()),
        sprt_verdict: standings.sprt().filter(|_| !standings.is_part).map(|monitor| monitor.verdict()),
    }
}

/// Lines and pairs added up by engine and by pairing; without ruleset for all of them together.
struct Ledger<'a> {
    standings: &'a Standings,
    engines: BTreeMap<(usize, Option<usize>), Account>,
    pairings: BTreeMap<(usize, usize, Option<usize>), Account>,
}

impl<'a> Ledger<'a> {
    fn of(standings: &'a Standings) -> Self {
        let mut ledger = Ledger { standings, engines: BTreeMap::new(), pairings: BTreeMap::new() };
        standings.lines.iter().for_each(|(key, line)| ledger.add_line(key, line));
        for (&(engine, _), attempts) in &standings.attempts {
            ledger.engines.entry((engine, None)).or_default().add_forfeits(&attempts.line);
        }
        for (key, &pairs) in &standings.pairs {
            for ruleset in [None, Some(key.ruleset)] {
                ledger.add_pairs(key.low, key.high, ruleset, pairs);
            }
        }
        ledger
    }

    fn add_line(&mut self, key: &LineKey, line: &Line) {
        let role = &role(&self.standings.rulesets[key.ruleset], key.seat);
        for ruleset in [None, Some(key.ruleset)] {
            self.engines.entry((key.engine, ruleset)).or_default().add_line(line, role);
            if key.engine < key.opponent {
                self.pairings.entry((key.engine, key.opponent, ruleset)).or_default().add_line(line, role);
            }
        }
    }

    fn add_pairs(&mut self, low: usize, high: usize, ruleset: Option<usize>, pairs: Pentanomial) {
        self.engines.entry((low, ruleset)).or_default().add_pairs(pairs);
        self.engines.entry((high, ruleset)).or_default().add_pairs(pairs.swapped());
        if low != high {
            self.pairings.entry((low, high, ruleset)).or_default().add_pairs(pairs);
        }
    }

    fn engines(&self, ratings: &Ratings) -> Vec<EngineSummary> {
        let nothing = Account::default();
        let summary = |engine: usize| EngineSummary {
            name: self.standings.engines[engine].clone(),
            rank: 0,
            rating: ratings.engines[engine],
            overall: self.engines.get(&(engine, None)).unwrap_or(&nothing).slice(&self.standings.reasons),
            by_ruleset: self.by_ruleset(|ruleset| self.engines.get(&(engine, Some(ruleset)))),
        };
        (0..self.standings.engines.len()).map(summary).collect()
    }

    fn pairings(&self) -> Vec<PairingSummary> {
        let overall = self.pairings.iter().filter(|((_, _, ruleset), _)| ruleset.is_none());
        let summary = |(&(first, second, _), account): (&(usize, usize, Option<usize>), &Account)| PairingSummary {
            first,
            second,
            overall: account.slice(&self.standings.reasons),
            by_ruleset: self.by_ruleset(|ruleset| self.pairings.get(&(first, second, Some(ruleset)))),
        };
        overall.map(summary).collect()
    }

    fn by_ruleset<'b>(&self, account: impl Fn(usize) -> Option<&'b Account>) -> Vec<RulesetSlice> {
        let slice = |(ruleset, header): (usize, &RulesetHeader)| {
            let slice = account(ruleset)?.slice(&self.standings.reasons);
            Some(RulesetSlice { ruleset, label: header.label.clone(), slice })
        };
        self.standings.rulesets.iter().enumerate().filter_map(slice).collect()
    }
}

/// What an engine plays that holds this seat, and with more than two seats every other one after it.
fn role(ruleset: &RulesetHeader, seat: usize) -> String {
    match ruleset.seats.len() {
        0 | 1 => ["p1", "p2"][seat.min(1)].to_owned(),
        2 => ruleset.seats[seat.min(1)].role.clone(),
        _ => ruleset.seats.iter().skip(seat).step_by(2).map(|seat| seat.role.as_str()).collect::<Vec<_>>().join(" "),
    }
}

fn puzzles(standings: &Standings) -> Vec<PuzzleResults> {
    let results = |(&(engine, ruleset), attempts): (&(usize, usize), &Attempts)| {
        attempts.results(engine, ruleset, &standings.reasons)
    };
    let mut puzzles: Vec<PuzzleResults> = standings.attempts.iter().map(results).collect();
    puzzles.sort_by_key(|results| (results.ruleset, results.engine));
    puzzles
}

/// The seat whose advantage is rated.
fn favoured_seat(ruleset: &RulesetHeader) -> usize {
    ruleset.seats.iter().position(|seat| seat.role == FOX).unwrap_or(0)
}

fn rate(standings: &Standings) -> Ratings {
    let of_line = |(key, line): (&LineKey, &Line)| {
        let is_favoured = favoured_seat(&standings.rulesets[key.ruleset]) == key.seat;
        let has_side = standings.rulesets[key.ruleset].seats.len() == 2;
        let (first, second) = (key.engine, key.opponent);
        is_favoured.then_some(Cell { first, second, ruleset: key.ruleset, has_side, games: line.games })
    };
    let cells: Vec<Cell> = standings.lines.iter().filter_map(of_line).collect();
    bradley_terry(standings.engines.len(), standings.rulesets.len(), &cells)
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
    let header = &standings.rulesets[ruleset];
    let favoured_seat = favoured_seat(header);
    let lines = standings.lines.iter().filter(|(key, _)| key.ruleset == ruleset && key.seat == favoured_seat);
    let mut sum = Line::default();
    lines.for_each(|(_, line)| sum.absorb(line));
    let attempts = standings.attempts.iter().filter(|((_, of), _)| *of == ruleset);
    attempts.for_each(|(_, attempts)| sum.absorb(&attempts.line));
    let games = sum.games.wins + sum.games.draws + sum.games.losses;
    RulesetSummary {
        label: header.label.clone(),
        games,
        seats: header.seats.iter().map(|seat| (seat.role.clone(), seat.name.clone())).collect(),
        favoured_seat,
        sides: sum.games,
        sides_estimate: estimate::<Trinomial>(&sum.games),
        advantage: ratings.sides[ruleset],
        by_seat: if header.seats.len() > 1 { standings.seats.results(ruleset, header) } else { Vec::new() },
        reasons: reason_counts(&sum.reasons, &standings.reasons),
        average_plies: mean(sum.plies, games),
        lengths: standings.lengths[ruleset].iter().map(|(&plies, &games)| LengthCount { plies, games }).collect(),
    }
}
