//! Attempts at puzzles.

use super::{TextTable, number, percent};
use crate::tournament::standings::{PuzzleResults, Summary};

/// What every engine solved, and in how many moves.
pub(super) fn puzzles(summary: &Summary) -> TextTable {
    let heads = [
        "<Ruleset",
        "<Engine",
        "Attempts",
        "Solved",
        "%",
        "95 % from",
        "to",
        "Moves used",
        "Fewest",
        "Most",
        "Moves in vain",
        "Nodes",
        "ms",
    ];
    let mut table = TextTable::new("Puzzles", &heads);
    table.rows = summary.puzzles.iter().map(|results| row(summary, results)).collect();
    table.with_note(
        "Moves used: the mean over the attempts that solved it, the opening's moves not counted; in vain: over the others. \
         Nodes and ms are per move. Puzzles count for no rating.",
    )
}

fn row(summary: &Summary, results: &PuzzleResults) -> Vec<String> {
    let count = |moves: Option<u64>| moves.map_or("n/a".to_owned(), |moves| moves.to_string());
    vec![
        summary.rulesets[results.ruleset].label.clone(),
        summary.engines[results.engine].name.clone(),
        results.attempts.to_string(),
        results.solved.to_string(),
        percent(results.share),
        percent(results.wilson_low),
        percent(results.wilson_high),
        number(results.mean_moves, 1),
        count(results.fewest_moves),
        count(results.most_moves),
        number(results.mean_moves_unsolved, 1),
        number(results.nodes_per_move, 0),
        number(results.ms_per_move, 2),
    ]
}
