//! Moves that gave away game value.

use super::{TextTable, number, percent, ranking};
use crate::tournament::mistakes::MistakeResults;
use crate::tournament::standings::Summary;

/// What every engine gave away as each side, by ruleset where there are several; nothing unless moves were judged.
pub(super) fn mistakes(summary: &Summary) -> TextTable {
    let heads = [
        "<Engine",
        "<As",
        "<Ruleset",
        "Games",
        "Judged moves",
        "At stake",
        "Mistakes",
        "Per game",
        "% at stake",
        "Win to draw",
        "Win to loss",
        "Draw to loss",
    ];
    let mut table = TextTable::new("Mistakes", &heads);
    for &engine in &summary.ranking {
        let engine = &summary.engines[engine];
        let all = engine.overall.mistakes.iter().map(|found| row(&engine.name, "both", "all", found));
        table.rows.extend(all);
        for slice in &engine.by_ruleset {
            for role in &slice.slice.roles {
                let side = ranking::side(summary, slice.ruleset, role);
                table.rows.extend(role.mistakes.iter().map(|found| row(&engine.name, &side, &slice.label, found)));
            }
        }
    }
    table.with_note(
        "Moves that gave away game value by tables of perfect play, which ignore repetition. Judged: positions that the \
         tables cover; at stake: of these, positions that the mover had not lost already.",
    )
}

fn row(engine: &str, side: &str, ruleset: &str, found: &MistakeResults) -> Vec<String> {
    let rate = (found.at_stake > 0).then(|| found.mistakes as f64 / found.at_stake as f64);
    let words = [engine, side, ruleset].map(str::to_owned);
    let numbers = [
        found.games.to_string(),
        found.judged.to_string(),
        found.at_stake.to_string(),
        found.mistakes.to_string(),
        number(found.per_game, 2),
        percent(rate),
        found.win_to_draw.to_string(),
        found.win_to_loss.to_string(),
        found.draw_to_loss.to_string(),
    ];
    words.into_iter().chain(numbers).collect()
}
