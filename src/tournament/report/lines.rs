//! What is said of a tournament in lines and sentences.
//!
//! The lines of a run have the shape of cutechess-cli's, which tuning programs read: one about each finished game, and
//! the score at the end. The sentences stand above the tables of a report: its test, and what weakens the evidence.

use std::collections::BTreeMap;

use reynard_engine::rules::Seat;

use super::figures::{elo_bound, number, percent, ranked_bound};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::{Cause, GameRecord, written_name};
use crate::tournament::standings::{
    EngineSummary, MatchScore, RoleResults, RulesetSummary, SplitPairs, Standings, Summary,
};
use crate::tournament::stats::{self, Sample, SprtBounds, SprtDecision, SprtVerdict, Trinomial};

/// For whom the lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineStyle {
    /// For people: a number that does not exist is `n/a`, and warnings follow the score.
    Plain,
    /// For programs that read cutechess-cli: a number that does not exist is `inf`, `-inf` or `nan`, as C writes it.
    Cutechess,
}

impl LineStyle {
    fn number(self, value: Option<f64>, decimals: usize) -> String {
        match value {
            Some(value) if self == LineStyle::Cutechess && value.is_infinite() => value.to_string(),
            None if self == LineStyle::Cutechess => "nan".to_owned(),
            _ => number(value, decimals),
        }
    }

    fn percent(self, share: Option<f64>) -> String {
        self.number(share.map(|share| 100.0 * share), 1)
    }
}

/// For two engines the score of the first one, overall and by role, the Elo difference and the test; for more a
/// ranking.
pub(crate) fn score_lines(summary: &Summary, style: LineStyle) -> Vec<String> {
    let mut lines =
        if summary.engines.len() == 2 { match_lines(summary, style) } else { ranking_lines(summary, style) };
    if style == LineStyle::Plain {
        lines.extend(warnings(summary).iter().map(|warning| format!("Warning: {warning}")));
    }
    lines
}

fn match_lines(summary: &Summary, style: LineStyle) -> Vec<String> {
    let [first, second] = [0, 1].map(|engine| summary.engines[engine].name.as_str());
    let score = &summary.engines[0].overall.results;
    let mut lines = vec![score_line(first, second, score.games, style)];
    let roles = summary.pairings.first().map_or(&[][..], |pairing| &pairing.overall.roles);
    lines.extend(roles.iter().map(|role| role_line(first, role, style)));
    let sides = sides(&summary.rulesets);
    lines.extend(sides.iter().map(|(roles, games)| format!("...      {roles}: {}", score_text(*games, style))));
    lines.extend((score.pairs.observations() > 0).then(|| format!("...      Ptnml(0-2): {:?}", score.pairs.0)));
    lines.push(elo_line(score, style));
    lines.extend(summary.sprt_verdict.as_ref().map(sprt_line));
    lines
}

/// The score of the first of two engines after any game; `None` where there are more.
pub(crate) fn running_score(standings: &Standings) -> Option<String> {
    let [first, second] = standings.engines() else { return None };
    Some(score_line(first, second, standings.total(0).games, LineStyle::Cutechess))
}

fn score_line(first: &str, second: &str, games: Trinomial, style: LineStyle) -> String {
    format!("Score of {first} vs {second}: {}", score_text(games, style))
}

/// `W - L - D  [score] games`.
fn score_text(games: Trinomial, style: LineStyle) -> String {
    let Trinomial { losses, draws, wins } = games;
    format!("{wins} - {losses} - {draws}  [{}] {}", style.number(games.rate(), 3), games.games())
}

fn role_line(engine: &str, role: &RoleResults, style: LineStyle) -> String {
    format!("...      {engine} playing {}: {}", capitalised(&role.role), score_text(role.games, style))
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

/// The difference of the two engines by their results.
fn elo_line(score: &MatchScore, style: LineStyle) -> String {
    let MatchScore { games, pairs, estimate, .. } = score;
    let is_plain = style == LineStyle::Plain;
    let (elo, error, los) = if is_plain {
        (estimate.elo, estimate.elo_error, estimate.los)
    } else {
        // As the formulas of cutechess-cli's `elo.cpp` have it: an infinite difference for a perfect score, the error of
        // single games where the pairs were all alike, and 0 / 0 for the likelihood without a decided game.
        let normal = stats::estimate_of_match(games, pairs);
        let error = normal.elo_error.filter(|_| normal.is_scattered());
        (
            normal.elo.or(normal.score.map(|score| (score - 0.5) * f64::INFINITY)),
            error.or_else(|| stats::estimate(games).elo_error),
            normal.los.filter(|_| games.wins + games.losses > 0),
        )
    };
    let difference = elo_bound(estimate)
        .filter(|_| is_plain)
        .unwrap_or_else(|| format!("{} +/- {}", style.number(elo, 1), style.number(error, 1)));
    let [los, draws] = [los, draw_share(*games)].map(|share| style.percent(share));
    format!("Elo difference: {difference}, LOS: {los} %, DrawRatio: {draws} %")
}

/// The share of drawn games; `None` without games.
fn draw_share(games: Trinomial) -> Option<f64> {
    (games.games() > 0).then(|| games.draws as f64 / games.games() as f64)
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

fn ranking_lines(summary: &Summary, style: LineStyle) -> Vec<String> {
    let width = summary.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(4);
    let line = |cells: [String; 10]| {
        let [rank, name, elo, error, nelo, los, games, score, draws, pairs] = cells;
        format!(
            "{rank:>4} {name:<width$} {elo:>8} {error:>7} {nelo:>8} {los:>7} {games:>7} {score:>7} {draws:>7}  {pairs}"
        )
    };
    let cells = |&index: &usize| {
        let (engine, results) = (&summary.engines[index], &summary.engines[index].overall.results);
        let (elo, error) = summary.elo(engine);
        let (elo, error) = match ranked_bound(summary, engine).filter(|_| style == LineStyle::Plain) {
            Some(bound) => (bound, String::new()),
            None => (style.number(elo, 1), style.number(error, 1)),
        };
        let percent = |share: Option<f64>| {
            let number = style.percent(share);
            if share.is_none() && style == LineStyle::Plain { number } else { number + "%" }
        };
        [
            engine.rank.to_string(),
            engine.name.clone(),
            elo,
            error,
            style.number(results.estimate.nelo, 1),
            percent(results.estimate.los),
            results.games.games().to_string(),
            percent(results.games.rate()),
            percent(draw_share(results.games)),
            format!("{:?}", results.pairs.0),
        ]
    };
    let head = ["Rank", "Name", "Elo", "+/-", "nElo", "LOS", "Games", "Score", "Draw", "Ptnml(0-2)"].map(str::to_owned);
    std::iter::once(head).chain(summary.ranking.iter().map(cells)).map(line).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `Finished game 3 (A vs B): 1-0 {Black loses on time}`, the engine of the first seat first.
pub(crate) fn finished_line(record: &GameRecord, engines: &[String]) -> String {
    let fixture = &record.fixture;
    let players = fixture.seats.map(|engine| engines.get(engine).map_or("?", String::as_str));
    let (number, players, result) = (fixture.game + 1, players.join(" vs "), record.result_text());
    // Some readers know one byte a letter only.
    let plain = |letter: char| if letter.is_ascii() && !letter.is_ascii_control() { letter } else { '?' };
    let reason: String = reason(record).chars().map(plain).collect();
    format!("Finished game {number} ({players}): {result} {{{reason}}}")
}

/// In the words of cutechess-cli where it has any: White sits first, Black second.
fn reason(record: &GameRecord) -> String {
    let ending = &record.ending;
    let colour = |seat: Seat| if seat == Seat::P1 { "White" } else { "Black" };
    let result = ending.winner().map_or("Draw".to_owned(), |winner| format!("{} wins", colour(winner)));
    // Both engines can forfeit a game, which is drawn then.
    let cause =
        if ending.winner().is_none() && ending.cause != Cause::Rules { &Cause::PlyLimit } else { &ending.cause };
    let loser = ending.winner().map_or("", |winner| colour(winner.other()));
    let words = cause.words().cutechess.replace("{loser}", loser).replace("{result}", &result);
    words.replace("{reason}", &capitalised(&ending.reason))
}

/// What stands above the tables of a report, a paragraph each.
pub(super) fn remarks(header: &JournalHeader, summary: &Summary) -> Vec<String> {
    let mut remarks: Vec<String> = sprt(summary).into_iter().collect();
    remarks.extend(warnings(summary));
    if summary.different_games < summary.games {
        remarks.push(format!(
            "Only {} of {} games are different; a repeated game is no new evidence, and the errors below do not know it.",
            summary.different_games, summary.games
        ));
    }
    if summary.unpaired_games > 0 {
        remarks.push(format!("Games whose other game of the pair is missing: {}.", summary.unpaired_games));
    }
    if header.played.games().has_disagreements() {
        remarks
            .push("Notes of the engines' disagreements stand in the journal and are not reported any more.".to_owned());
    }
    remarks
}

/// What weakens a verdict and belongs beside it, a sentence or two each.
pub(crate) fn warnings(summary: &Summary) -> Vec<String> {
    let forfeits = forfeit_warning(summary).into_iter();
    forfeits.chain(summary.rulesets.iter().filter_map(split_warning)).collect()
}

/// A warning begins at more than one forfeit in this number of games.
const GAMES_PER_FORFEIT: u64 = 100;

fn forfeit_warning(summary: &Summary) -> Option<String> {
    let Summary { games, forfeited_games: forfeited, .. } = *summary;
    let share = percent(Some(forfeited as f64 / games as f64));
    let by = forfeit_counts(summary).unwrap_or_default();
    (forfeited * GAMES_PER_FORFEIT > games).then(|| {
        format!(
            "Forfeits ended {forfeited} of {games} games ({share} %): {by}. The result is not one of playing strength \
             alone."
        )
    })
}

/// Forfeits by engine and kind: `a 4 (3 crash, 1 time); b 1 (1 no answer)`; `None` without any.
pub(crate) fn forfeit_counts(summary: &Summary) -> Option<String> {
    let of_engine = |engine: &EngineSummary| {
        let kinds = &engine.overall.forfeits;
        let listed: Vec<String> = kinds.iter().map(|count| format!("{} {}", count.games, count.kind.name())).collect();
        let total: u64 = kinds.iter().map(|count| count.games).sum();
        (total > 0).then(|| format!("{} {total} ({})", engine.name, listed.join(", ")))
    };
    let engines: Vec<String> = summary.engines.iter().filter_map(of_engine).collect();
    (!engines.is_empty()).then(|| engines.join("; "))
}

/// Of fewer pairs than these it is chance that most were won by one side.
const FEWEST_PAIRS: u64 = 5;

fn split_warning(ruleset: &RulesetSummary) -> Option<String> {
    let (SplitPairs { pairs, .. }, split) = (ruleset.split_pairs, ruleset.split_pairs.split());
    let which = if split == pairs { "all" } else { "most of the" };
    (pairs >= FEWEST_PAIRS && 2 * split > pairs).then(|| {
        format!(
            "{}: the same side won both games of {which} {pairs} pairs ({}). Those say nothing about the engines; {}.",
            ruleset.label,
            split_counts(ruleset),
            ruleset.split_advice
        )
    })
}

/// Pairs of which one side won both games, by side: `17 geese, 1 fox`.
pub(super) fn split_counts(ruleset: &RulesetSummary) -> String {
    let SplitPairs { favoured, other, .. } = ruleset.split_pairs;
    let mut counts: Vec<(String, u64)> = ruleset.side_names().into_iter().zip([favoured, other]).collect();
    counts.retain(|(_, pairs)| *pairs > 0);
    counts.sort_by_key(|(_, pairs)| std::cmp::Reverse(*pairs));
    counts.iter().map(|(side, pairs)| format!("{pairs} {side}")).collect::<Vec<_>>().join(", ")
}

/// How the test of the tournament stands.
fn sprt(summary: &Summary) -> Option<String> {
    let spec = summary.sprt?;
    let Some(verdict) = summary.sprt_verdict else {
        return Some("SPRT: one shard decides nothing; \"reynard tournament merge\" of all shards does.".to_owned());
    };
    let decision = match verdict.decision {
        Some(SprtDecision::H0) => format!("H0 accepted (elo {})", spec.elo0),
        Some(SprtDecision::H1) => format!("H1 accepted (elo {})", spec.elo1),
        None => "undecided".to_owned(),
    };
    let (model, bounds) = (written_name(spec.model), verdict.bounds);
    let [llr, lower, upper] = [verdict.llr, Some(bounds.lower), Some(bounds.upper)].map(|ratio| number(ratio, 2));
    Some(format!(
        "SPRT ({model}, elo {} against {}, alpha {}, beta {}): LLR {llr} [{lower}, {upper}] after {} pairs, {decision}.",
        spec.elo0, spec.elo1, spec.alpha, spec.beta, verdict.pairs,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::{Ending, Forfeit};
    use crate::tournament::schedule::Fixture;

    fn result_of(winner: Option<Seat>, cause: Cause, reason: &str) -> String {
        let fixture = Fixture { game: 6, pair: 3, ruleset: 0, opening: 3, seats: [1, 0] };
        let ending = Ending::new(winner, cause, reason);
        let record = GameRecord::without_moves(fixture, ending);
        let line = finished_line(&record, &["A".to_owned(), "B".to_owned()]);
        line.strip_prefix("Finished game 7 (B vs A): ").expect("the first seat first").to_owned()
    }

    #[test]
    fn reasons_are_spelled_as_cutechess_spells_them() {
        let forfeit = |kind| result_of(Some(Seat::P2), Cause::Forfeit(kind), "late by 3 ms");
        assert_eq!(forfeit(Forfeit::Time), "0-1 {White loses on time}");
        assert_eq!(forfeit(Forfeit::Hang), "0-1 {White's connection stalls}");
        assert_eq!(forfeit(Forfeit::Crash), "0-1 {White disconnects}");
        assert_eq!(
            result_of(Some(Seat::P1), Cause::Forfeit(Forfeit::IllegalMove), "move 'd4\u{e9}\n'"),
            "1-0 {Black makes an illegal move: Move 'd4??'}"
        );
        assert_eq!(
            result_of(Some(Seat::P1), Cause::Rules, "fox side has no legal move"),
            "1-0 {Fox side has no legal move}"
        );
        assert_eq!(
            result_of(Some(Seat::P1), Cause::ResignAdjudication, "resigned by score"),
            "1-0 {White wins by adjudication: Resigned by score}"
        );
        assert_eq!(result_of(None, Cause::PlyLimit, "400 plies"), "1/2-1/2 {Draw by adjudication: 400 plies}");
    }
}
