//! Sentences about a tournament as a whole: its test, and what weakens the evidence.

use super::figures::{number, percent};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::written_name;
use crate::tournament::standings::{EngineSummary, RulesetSummary, SplitPairs, Summary};
use crate::tournament::stats::SprtDecision;

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

/// Forfeits by engine and kind: `a 4 (3 crash, 1 time); b 1 (1 hang)`; `None` without any.
pub(crate) fn forfeit_counts(summary: &Summary) -> Option<String> {
    let of_engine = |engine: &EngineSummary| {
        let kinds = &engine.overall.forfeits;
        let listed: Vec<String> =
            kinds.iter().map(|count| format!("{} {}", count.games, written_name(count.kind))).collect();
        let total: u64 = kinds.iter().map(|count| count.games).sum();
        (total > 0).then(|| format!("{} {total} ({})", engine.name, listed.join(", ")))
    };
    let engines: Vec<String> = summary.engines.iter().filter_map(of_engine).collect();
    (!engines.is_empty()).then(|| engines.join("; "))
}

/// Of fewer pairs than these it is chance that most were won by one side.
const FEWEST_PAIRS: u64 = 5;

fn split_warning(ruleset: &RulesetSummary) -> Option<String> {
    let SplitPairs { pairs, .. } = ruleset.split_pairs;
    (pairs >= FEWEST_PAIRS && 2 * ruleset.split_pairs.split() > pairs).then(|| {
        format!(
            "{}: the same side won both games of most of the {pairs} pairs ({}). That says little about the engines; {}.",
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
