//! Prints the games as CSV, one line each, for spreadsheets and data frames.

use std::io::{self, Write};

use crate::tournament::header::JournalHeader;
use crate::tournament::mistakes::{Assessment, Conversion};
use crate::tournament::record::{Cause, FinishedGame, GameRecord};
use crate::tournament::standings::SearchEffort;

/// The head of the table. A player's numbers are sums over its own moves; empty where nothing is known.
const COLUMNS: &str = "game,pair,ruleset,opening,p1,p2,p1_side,p2_side,result,winner,winner_side,cause,reason,\
                       opening_plies,plies,p1_nodes,p2_nodes,p1_time_ms,p2_time_ms,p1_mean_depth,p2_mean_depth,\
                       started_unix_ms";

/// What stands behind it for each player where moves were judged; empty in games of rulesets without tables.
const JUDGED: [&str; 5] = ["judged", "mistakes", "conversion", "given_away_ply", "given_away_move"];

/// Writes the head of the table.
pub(super) fn write_head(is_judged: bool, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{COLUMNS}")?;
    if is_judged {
        ["p1", "p2"]
            .iter()
            .try_for_each(|player| JUDGED.iter().try_for_each(|name| write!(out, ",{player}_{name}")))?;
    }
    writeln!(out)
}

/// Writes the row of a game, with what its moves were worth where games are judged.
pub(super) fn write_game(
    header: &JournalHeader,
    judgement: Option<Option<Assessment>>,
    game: &FinishedGame,
    out: &mut dyn Write,
) -> io::Result<()> {
    let found = judgement.map(|found| [0, 1].map(|player| judged(&game.record, found.as_ref(), player)));
    write_row(cells(header, game).into_iter().chain(found.into_iter().flatten().flatten()), out)
}

/// The cells below [`JUDGED`].
fn judged(record: &GameRecord, found: Option<&Assessment>, player: usize) -> [String; 5] {
    let count = found.map(|found| found.counts[player]);
    let conversion = found.and_then(|found| found.conversions[player]);
    let ply = conversion.and_then(|conversion| conversion.given_away);
    [
        known(count.map(|count| count.judged())),
        known(count.map(|count| count.mistakes())),
        known(conversion.map(Conversion::result)),
        known(ply),
        known(ply.and_then(|ply| record.texts().nth(ply - 1))),
    ]
}

fn cells(header: &JournalHeader, game: &FinishedGame) -> Vec<String> {
    let record = &game.record;
    let [first, second] = [0, 1].map(|seat| SearchEffort::of(record, &game.times.move_us, seat));
    let fixture = &record.fixture;
    let ruleset = &header.rulesets[fixture.ruleset];
    let engine = |seat: usize| header.engines[fixture.seats[seat]].clone();
    let side = |seat: usize| ruleset.seats[seat].name.clone();
    let winner = record.ending.winner.map(usize::from);
    vec![
        fixture.game.to_string(),
        fixture.pair.to_string(),
        ruleset.label.clone(),
        fixture.opening.to_string(),
        engine(0),
        engine(1),
        side(0),
        side(1),
        record.result_text().to_owned(),
        winner.map(engine).unwrap_or_default(),
        winner.map(side).unwrap_or_default(),
        cause_name(&record.ending.cause),
        record.ending.reason.clone(),
        record.opening.moves.len().to_string(),
        record.plies().to_string(),
        known(first.nodes.known()),
        known(second.nodes.known()),
        known(first.time_us.known().map(|us| us as f64 / 1000.0)),
        known(second.time_us.known().map(|us| us as f64 / 1000.0)),
        known(first.depth.mean().map(|depth| format!("{depth:.2}"))),
        known(second.depth.mean().map(|depth| format!("{depth:.2}"))),
        known(game.times.started()),
    ]
}

fn known(number: Option<impl ToString>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

/// As in the journal: `rules`, `ply_limit`, `forfeit:crash`.
pub(super) fn cause_name(cause: &Cause) -> String {
    let value = serde_json::to_value(cause).unwrap_or_default();
    let kind = value["kind"].as_str().unwrap_or_default().to_owned();
    value["by"].as_str().map_or(kind.clone(), |by| format!("{kind}:{by}"))
}

/// Writes one row after RFC 4180, with a plain line feed. A text that a spreadsheet would take for a formula has `'` in
/// front, which spreadsheets do not show; numbers stay numbers.
///
/// # Errors
/// The output refuses.
pub(crate) fn write_row(cells: impl IntoIterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    let mut row = csv::WriterBuilder::new().buffer_capacity(512).from_writer(out);
    row.write_record(cells.into_iter().map(|cell| guarded(cell).into_bytes()))?;
    row.flush()
}

fn guarded(cell: String) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    if is_formula { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::write_row;

    #[test]
    fn a_cell_that_would_break_the_row_is_quoted() {
        let quoted = |cell: &str| {
            let mut row = Vec::new();
            write_row(["x".to_owned(), cell.to_owned()], &mut row).expect("a row");
            String::from_utf8(row)
                .expect("text")
                .strip_prefix("x,")
                .expect("cells")
                .strip_suffix('\n')
                .map(str::to_owned)
        };
        for plain in ["", "A", "two words", "it's", "a;b", "+1.5", "-3", "-0.25", "1-0", "a=b", "-1e-7"] {
            assert_eq!(quoted(plain).as_deref(), Some(plain));
        }
        for formula in ["=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "-", "\t=1"] {
            assert_eq!(quoted(formula), Some(format!("'{formula}")));
        }
        assert_eq!(quoted("=HYPERLINK(\"x\",1)").as_deref(), Some("\"'=HYPERLINK(\"\"x\"\",1)\""));
        assert_eq!(quoted("a,b").as_deref(), Some("\"a,b\""));
        assert_eq!(quoted("say \"no\"").as_deref(), Some("\"say \"\"no\"\"\""));
        assert_eq!(quoted("one\ntwo").as_deref(), Some("\"one\ntwo\""));
        assert_eq!(quoted("one\r").as_deref(), Some("\"one\r\""));
    }
}
