//! The table of attempts at puzzles.

use super::{TextTable, number, percent, whole};
use crate::tournament::standings::Summary;

/// What every engine solved, and in how many moves.
pub(super) fn puzzles(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Puzzles",
        &summary.puzzles,
        &[
            ("<Ruleset", &|results| summary.rulesets[results.ruleset].label.clone()),
            ("<Engine", &|results| summary.engines[results.engine].name.clone()),
            ("Attempts", &|results| results.attempts.to_string()),
            ("Solved", &|results| results.solved.to_string()),
            ("%", &|results| percent(results.share)),
            ("95 % from", &|results| percent(results.wilson_low)),
            ("to", &|results| percent(results.wilson_high)),
            ("Moves used", &|results| number(results.mean_moves, 1)),
            ("Fewest", &|results| whole(results.fewest_moves)),
            ("Most", &|results| whole(results.most_moves)),
            ("Moves in vain", &|results| number(results.mean_moves_unsolved, 1)),
            ("Nodes", &|results| number(results.work.nodes.mean(), 0)),
            ("ms", &|results| number(results.work.time_us.mean_ms(), 2)),
        ],
    );
    table.with_note(
        "Moves used: the mean over the attempts that solved it, the opening's moves not counted; in vain: over the others. \
         Nodes and ms are per move. Puzzles count for no rating.",
    )
}
