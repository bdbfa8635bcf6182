//! The table of moves that gave away game value.

use super::{TextTable, number, percent, ranking};
use crate::tournament::mistakes::MistakeCount;
use crate::tournament::standings::Summary;

/// What every engine gave away as each side, by ruleset where there are several; nothing unless moves were judged.
pub(super) fn mistakes(summary: &Summary) -> TextTable {
    let mut rows = Vec::new();
    for engine in summary.ranked() {
        rows.extend(engine.overall.mistakes.iter().map(|found| (engine, "both".to_owned(), "all", found)));
        for part in &engine.by_ruleset {
            let judged = part.slice.roles.iter().filter_map(|role| Some((role, role.mistakes.as_ref()?)));
            let row = |(role, found)| (engine, ranking::side(summary, part.ruleset, role), part.label.as_str(), found);
            rows.extend(judged.map(row));
        }
    }
    let rate = |found: &MistakeCount| found.mistakes() as f64 / found.at_stake as f64;
    let table = TextTable::of(
        "Mistakes",
        rows,
        &[
            ("<Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("<Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
            ("Games", &|(.., found)| found.games.to_string()),
            ("Judged moves", &|(.., found)| found.judged.to_string()),
            ("At stake", &|(.., found)| found.at_stake.to_string()),
            ("Mistakes", &|(.., found)| found.mistakes().to_string()),
            ("Per game", &|(.., found)| number(found.per_game(), 2)),
            ("% at stake", &|(.., found)| percent(Some(rate(found)))),
            ("Win to draw", &|(.., found)| found.win_to_draw.to_string()),
            ("Win to loss", &|(.., found)| found.win_to_loss.to_string()),
            ("Draw to loss", &|(.., found)| found.draw_to_loss.to_string()),
        ],
    );
    table.with_note(
        "Moves that gave away game value by tables of perfect play, which ignore repetition. Judged: positions that the \
         tables cover; at stake: of these, positions that the mover had not lost already.",
    )
}
