//! The last lines of a run, in the shape of cutechess-cli's, which tuning programs read.

use std::collections::BTreeMap;

use super::summary::{MatchScore, RoleResults, RulesetSummary, Summary, number};
use super::totals::mean;
use super::{Standings, Trinomial};
use crate::tournament::stats::{self, Estimate, Sample, SprtBounds, SprtDecision, SprtVerdict};

/// For whom numbers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// One that does not exist is `n/a`.
    Person,
    /// One that does not exist is what cutechess-cli writes: `inf`, `-inf` or `nan`, as C does.
    Program,
}

impl Reader {
    fn number(self, value: Option<f64>, decimals: usize) -> String {
        match value {
            Some(value) if self == Reader::Program && value.is_infinite() => value.to_string(),
            None if self == Reader::Program => "nan".to_owned(),
            _ => number(value, decimals),
        }
    }
}

/// For two engines the score of the first one, overall and by role, the Elo difference and the test; for more a
/// ranking.
pub(crate) fn score_lines(standings: &Standings, reader: Reader) -> Vec<String> {
    let summary = standings.summary();
    match &summary.engines[..] {
        [_, _] => match_lines(&summary, reader),
        _ => ranking_lines(&summary, reader),
    }
}

/// Who has won a tournament with rounds, when it is over.
fn winner_line(summary: &Summary) -> Option<String> {
    let winner = summary.engines.get(summary.placing.as_ref()?.winner?)?;
    Some(format!("Winner: {}", winner.name))
}

fn match_lines(summary: &Summary, reader: Reader) -> Vec<String> {
    let [first, second] = [0, 1].map(|engine| summary.engines[engine].name.as_str());
    let score = &summary.engines[0].overall.results;
    let mut lines = vec![score_line(first, second, score.games, reader)];
    let roles = summary.pairings.first().map_or(&[][..], |pairing| &pairing.overall.roles);
    lines.extend(roles.iter().map(|role| role_line(first, role, reader)));
    let sides = sides(&summary.rulesets);
    lines.extend(sides.iter().map(|(roles, games)| format!("...      {roles}: {}", score_text(*games, reader))));
    lines.extend((score.pairs.observations() > 0).then(|| format!("...      {}", pairs_line(score))));
    lines.push(elo_line(score, reader));
    lines.extend(winner_line(summary));
    lines.extend(summary.sprt_verdict.as_ref().map(sprt_line));
    lines
}

/// The score of the first of two engines after any game; `None` where there are more.
pub(crate) fn running_score(standings: &Standings) -> Option<String> {
    let [first, second] = standings.engines() else { return None };
    Some(score_line(first, second, standings.total(0).games, Reader::Program))
}

fn score_line(first: &str, second: &str, games: Trinomial, reader: Reader) -> String {
    format!("Score of {first} vs {second}: {}", score_text(games, reader))
}

/// `W - L - D  [score] games`.
fn score_text(games: Trinomial, reader: Reader) -> String {
    let Trinomial { losses, draws, wins } = games;
    format!("{wins} - {losses} - {draws}  [{}] {}", reader.number(games.rate(), 3), games.games())
}

/// The pairs of games by what they brought the first engine.
pub(crate) fn pairs_line(score: &MatchScore) -> String {
    format!("Ptnml(0-2): {}", pairs_text(score))
}

/// Pairs that brought 0, 1/2, 1, 3/2 and 2 points, as fastchess writes them.
fn pairs_text(score: &MatchScore) -> String {
    format!("{:?}", score.pairs.0)
}

fn role_line(engine: &str, role: &RoleResults, reader: Reader) -> String {
    format!("...      {engine} playing {}: {}", capitalised(&role.role), score_text(role.games, reader))
}

/// `Fox vs Geese` with the favoured side's results, rulesets with the same roles together.
fn sides(rulesets: &[RulesetSummary]) -> BTreeMap<String, Trinomial> {
    let mut sides: BTreeMap<String, Trinomial> = BTreeMap::new();
    for ruleset in rulesets.iter().filter(|ruleset| ruleset.games > 0) {
        let roles = [ruleset.favoured_seat, 1 - ruleset.favoured_seat];
        let roles = roles.map(|seat| capitalised(&ruleset.seats[seat].0)).join(" vs ");
        let sum = sides.entry(roles).or_default();
        *sum = sum.plus(ruleset.sides);
    }
    sides
}

/// What the results say about the difference of the two engines.
pub(crate) fn elo_line(score: &MatchScore, reader: Reader) -> String {
    let Difference { elo, error, los } = match reader {
        Reader::Person => Difference::sure(&score.estimate),
        Reader::Program => Difference::of_cutechess(score),
    };
    let draws = mean(score.games.draws, score.games.games());
    let percent = |share: Option<f64>| reader.number(share.map(|share| 100.0 * share), 1);
    let (elo, error) = (reader.number(elo, 1), reader.number(error, 1));
    format!("Elo difference: {elo} +/- {error}, LOS: {} %, DrawRatio: {} %", percent(los), percent(draws))
}

/// In Elo, the last as a share.
struct Difference {
    elo: Option<f64>,
    error: Option<f64>,
    los: Option<f64>,
}

impl Difference {
    fn sure(estimate: &Estimate) -> Self {
        Difference { elo: estimate.elo, error: estimate.sure_elo_error(), los: estimate.los }
    }

    /// What the formulas of cutechess-cli's `elo.cpp` give: an infinite difference for a perfect score, the error of
    /// single games where the pairs were all alike, and 0 / 0 for the likelihood without a decided game.
    fn of_cutechess(MatchScore { games, estimate, .. }: &MatchScore) -> Self {
        Difference {
            elo: estimate.elo.or(estimate.score.map(|score| (score - 0.5) * f64::INFINITY)),
            error: estimate.sure_elo_error().or_else(|| stats::estimate(games).elo_error),
            los: estimate.los.filter(|_| games.wins + games.losses > 0),
        }
    }
}

/// How the test stands.
pub(crate) fn sprt_line(verdict: &SprtVerdict) -> String {
    let SprtBounds { lower, upper } = verdict.bounds;
    let decision = match verdict.decision {
        Some(SprtDecision::H0) => " - H0 was accepted",
        Some(SprtDecision::H1) => " - H1 was accepted",
        None => "",
    };
    let (llr, percent) = (number(verdict.llr, 2), number(verdict.percent(), 1));
    format!("SPRT: llr {llr} ({percent}%), lbound {lower:.2}, ubound {upper:.2}{decision}")
}

fn ranking_lines(summary: &Summary, reader: Reader) -> Vec<String> {
    let width = summary.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(4);
    let line = |cells: [String; 10]| {
        let [rank, name, elo, error, nelo, los, games, score, draws, pairs] = cells;
        format!(
            "{rank:>4} {name:<width$} {elo:>8} {error:>7} {nelo:>8} {los:>7} {games:>7} {score:>7} {draws:>7}  {pairs}"
        )
    };
    let cells = |&index: &usize| {
        let (engine, results) = (&summary.engines[index], &summary.engines[index].overall.results);
        let percent = |share: Option<f64>| reader.number(share.map(|share| 100.0 * share), 1) + "%";
        [
            engine.rank.to_string(),
            engine.name.clone(),
            reader.number(engine.rating.elo, 1),
            reader.number(engine.rating.error, 1),
            reader.number(results.estimate.nelo, 1),
            percent(results.estimate.los),
            results.games.games().to_string(),
            percent(results.games.rate()),
            percent(mean(results.games.draws, results.games.games())),
            pairs_text(results),
        ]
    };
    let head = ["Rank", "Name", "Elo", "+/-", "nElo", "LOS", "Games", "Score", "Draw", "Ptnml(0-2)"].map(str::to_owned);
    std::iter::once(head).chain(summary.ranking.iter().map(cells)).map(line).chain(winner_line(summary)).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
