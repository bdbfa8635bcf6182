//! Tables about games: sides, reasons, forfeits, lengths, and the sequential test.

use super::{TextTable, elo, number, percent, whole, with_error};
use crate::tournament::record::written_name;
use crate::tournament::standings::{LengthCount, ReasonCount, RulesetSummary, Summary};
use crate::tournament::stats::{Sample, SprtDecision};

fn played(summary: &Summary) -> impl Iterator<Item = &RulesetSummary> {
    summary.rulesets.iter().filter(|ruleset| ruleset.games > 0)
}

pub(super) fn side_advantage(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Side advantage",
        played(summary),
        &[
            ("<Ruleset", &|ruleset| ruleset.label.clone()),
            ("<Side", &|ruleset| ruleset.side_names()[0].clone()),
            ("Games", &|ruleset| ruleset.sides.games().to_string()),
            ("W", &|ruleset| ruleset.sides.wins.to_string()),
            ("D", &|ruleset| ruleset.sides.draws.to_string()),
            ("L", &|ruleset| ruleset.sides.losses.to_string()),
            ("Score %", &|ruleset| percent(ruleset.sides_estimate.score)),
            ("Elo", &|ruleset| elo(&ruleset.sides_estimate)),
            ("Advantage", &|ruleset| with_error(ruleset.advantage.elo, ruleset.advantage.error)),
        ],
    );
    table.with_note("Elo: as if all players were equal. Advantage: with the ratings of the players taken into account.")
}

pub(super) fn endings(summary: &Summary) -> TextTable {
    let games = |count: &ReasonCount| count.wins + count.draws + count.losses;
    TextTable::of(
        "Endings",
        played(summary).flat_map(|ruleset| ruleset.reasons.iter().map(move |count| (ruleset, count))),
        &[
            ("<Ruleset", &|(ruleset, _)| ruleset.label.clone()),
            ("<Reason", &|(_, count)| count.reason.clone()),
            ("Games", &|(_, count)| games(count).to_string()),
            ("%", &|(ruleset, count)| percent(Some(games(count) as f64 / ruleset.games as f64))),
            ("<Won by", &|(ruleset, count)| winners(ruleset, [count.wins, count.draws, count.losses])),
        ],
    )
}

/// `fox 12, drawn 3, geese 4`.
fn winners(ruleset: &RulesetSummary, [wins, draws, losses]: [u64; 3]) -> String {
    let [side, other] = ruleset.side_names();
    let parts = [(side.as_str(), wins), ("drawn", draws), (other.as_str(), losses)];
    let told = parts.iter().filter(|(_, games)| *games > 0).map(|(who, games)| format!("{who} {games}"));
    told.collect::<Vec<_>>().join(", ")
}

pub(super) fn forfeits(summary: &Summary) -> TextTable {
    TextTable::of(
        "Forfeits",
        summary.engines.iter().flat_map(|engine| engine.overall.forfeits.iter().map(move |count| (engine, count))),
        &[
            ("<Engine", &|(engine, _)| engine.name.clone()),
            ("<Kind", &|(_, count)| written_name(count.kind)),
            ("Games", &|(_, count)| count.games.to_string()),
        ],
    )
}

pub(super) fn lengths(summary: &Summary) -> TextTable {
    TextTable::of(
        "Lengths in plies",
        played(summary),
        &[
            ("<Ruleset", &|ruleset| ruleset.label.clone()),
            ("Mean", &|ruleset| number(ruleset.average_plies, 1)),
            ("Shortest", &|ruleset| quantile(&ruleset.lengths, 0.0)),
            ("Quarter", &|ruleset| quantile(&ruleset.lengths, 0.25)),
            ("Half", &|ruleset| quantile(&ruleset.lengths, 0.5)),
            ("Three quarters", &|ruleset| quantile(&ruleset.lengths, 0.75)),
            ("Longest", &|ruleset| quantile(&ruleset.lengths, 1.0)),
        ],
    )
}

/// The least length that at least this share of the games does not exceed.
fn quantile(lengths: &[LengthCount], share: f64) -> String {
    let total: u64 = lengths.iter().map(|length| length.games).sum();
    let wanted = ((share * total as f64).ceil() as u64).max(1);
    let mut seen = 0;
    let found = lengths.iter().find(|length| {
        seen += length.games;
        seen >= wanted
    });
    whole(found.map(|length| u64::from(length.plies)))
}

/// How the test of the tournament stands.
pub(super) fn sprt(summary: &Summary) -> Option<String> {
    let spec = summary.sprt?;
    let Some(verdict) = summary.sprt_verdict else {
        return Some("SPRT: one shard decides nothing; \"reynard tournament merge\" of all shards does.".to_owned());
    };
    let decision = match verdict.decision {
        Some(SprtDecision::H0) => format!("H0 accepted (elo {})", spec.elo0),
        Some(SprtDecision::H1) => format!("H1 accepted (elo {})", spec.elo1),
        None => "undecided".to_owned(),
    };
    let model = written_name(spec.model);
    Some(format!(
        "SPRT ({model}, elo {} against {}, alpha {}, beta {}): LLR {} [{}, {}] after {} pairs, {decision}.",
        spec.elo0,
        spec.elo1,
        spec.alpha,
        spec.beta,
        number(verdict.llr, 2),
        number(Some(verdict.bounds.lower), 2),
        number(Some(verdict.bounds.upper), 2),
        verdict.pairs,
    ))
}
