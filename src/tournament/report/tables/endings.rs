//! The games by themselves: sides, reasons, forfeits, lengths, and the sequential test.

use super::{TextTable, elo, number, percent, with_error};
use crate::tournament::record::written_name;
use crate::tournament::standings::{LengthCount, RulesetSummary, Summary};
use crate::tournament::stats::{Sample, SprtDecision};

fn played(summary: &Summary) -> impl Iterator<Item = &RulesetSummary> {
    summary.rulesets.iter().filter(|ruleset| ruleset.games > 0)
}

pub(super) fn side_advantage(summary: &Summary) -> TextTable {
    let heads = ["<Ruleset", "<Side", "Games", "W", "D", "L", "Score %", "Elo", "Advantage"];
    let mut table = TextTable::new("Side advantage", &heads);
    let row = |ruleset: &RulesetSummary| {
        let sides = ruleset.sides;
        vec![
            ruleset.label.clone(),
            ruleset.side_names()[0].clone(),
            sides.games().to_string(),
            sides.wins.to_string(),
            sides.draws.to_string(),
            sides.losses.to_string(),
            percent(ruleset.sides_estimate.score),
            elo(&ruleset.sides_estimate),
            with_error(ruleset.advantage.elo, ruleset.advantage.error),
        ]
    };
    table.rows = played(summary).filter(|ruleset| ruleset.seats.len() == 2).map(row).collect();
    table.with_note("Elo: as if all players were equal. Advantage: with the ratings of the players taken into account.")
}

pub(super) fn endings(summary: &Summary) -> TextTable {
    let mut table = TextTable::new("Endings", &["<Ruleset", "<Reason", "Games", "%", "<Won by"]);
    for ruleset in played(summary) {
        for count in &ruleset.reasons {
            let games = count.wins + count.draws + count.losses;
            table.rows.push(vec![
                ruleset.label.clone(),
                count.reason.clone(),
                games.to_string(),
                percent(Some(games as f64 / ruleset.games as f64)),
                winners(ruleset, [count.wins, count.draws, count.losses]),
            ]);
        }
    }
    table
}

/// `fox 12, drawn 3, geese 4`.
fn winners(ruleset: &RulesetSummary, [wins, draws, losses]: [u64; 3]) -> String {
    let [side, other] = ruleset.side_names();
    let parts = [(side.as_str(), wins), ("drawn", draws), (other.as_str(), losses)];
    let told = parts.iter().filter(|(_, games)| *games > 0).map(|(who, games)| format!("{who} {games}"));
    told.collect::<Vec<_>>().join(", ")
}

pub(super) fn forfeits(summary: &Summary) -> TextTable {
    let mut table = TextTable::new("Forfeits", &["<Engine", "<Kind", "Games"]);
    for engine in &summary.engines {
        for count in &engine.overall.forfeits {
            table.rows.push(vec![engine.name.clone(), written_name(count.kind), count.games.to_string()]);
        }
    }
    table
}

pub(super) fn lengths(summary: &Summary) -> TextTable {
    let heads = ["<Ruleset", "Mean", "Shortest", "Quarter", "Half", "Three quarters", "Longest"];
    let mut table = TextTable::new("Lengths in plies", &heads);
    let row = |ruleset: &RulesetSummary| {
        let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&ruleset.lengths, share));
        let mut cells = vec![ruleset.label.clone(), number(ruleset.average_plies, 1)];
        cells.extend(quantiles.map(|plies| plies.map_or("n/a".to_owned(), |plies| plies.to_string())));
        cells
    };
    table.rows = played(summary).map(row).collect();
    table
}

/// The least length that at least this share of the games does not exceed.
fn quantile(lengths: &[LengthCount], share: f64) -> Option<u32> {
    let total: u64 = lengths.iter().map(|length| length.games).sum();
    let wanted = ((share * total as f64).ceil() as u64).max(1);
    let mut seen = 0;
    lengths.iter().find_map(|length| {
        seen += length.games;
        (seen >= wanted).then_some(length.plies)
    })
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
