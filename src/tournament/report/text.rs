//! Prints the tables for the terminal.

use std::fmt::Write as _;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Cell, ContentArrangement};

use super::tables::{Column, TextTable, remarks, tables};
use crate::tournament::header::JournalHeader;
use crate::tournament::standings::Summary;

/// Everything, in tables of at most so many columns of characters where their words can be wrapped that far.
pub(super) fn render(header: &JournalHeader, summary: &Summary, columns: u16) -> String {
    let mut text = format!("{}\n", title(header, summary));
    for remark in remarks(summary) {
        let _ = writeln!(text, "{remark}");
    }
    for table in tables(summary) {
        let _ = write!(text, "\n{}\n{}\n", printable(&table.title), drawn(&table, columns));
        if let Some(note) = &table.note {
            let _ = writeln!(text, "{note}");
        }
    }
    text
}

/// One line about the whole tournament.
pub(super) fn title(header: &JournalHeader, summary: &Summary) -> String {
    format!("{}: {}", name(header), extent(header, summary))
}

/// What the tournament is called.
pub(super) fn name(header: &JournalHeader) -> String {
    printable(header.name().unwrap_or("Tournament"))
}

/// Format, games and part.
pub(super) fn extent(header: &JournalHeader, summary: &Summary) -> String {
    let shard = header.shard.map(|shard| format!(", shard {} of {}", shard.index, shard.count)).unwrap_or_default();
    let format = header.plan().map(|plan| format!("{}, ", plan.format.name())).unwrap_or_default();
    format!("{format}{} games in {} pairs{shard}", summary.games, summary.pairs)
}

/// Names and reasons come from outside: nothing in them may move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn drawn(table: &TextTable, columns: u16) -> String {
    let cell = |(text, column): (&String, &Column)| Cell::new(printable(text)).set_alignment(column.alignment);
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    drawn.set_header(table.columns.iter().map(|column| cell((&column.head, column))));
    drawn.add_rows(table.rows.iter().map(|cells| cells.iter().zip(&table.columns).map(cell)));
    drawn.to_string()
}
