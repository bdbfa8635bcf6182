//! Prints the tables for the terminal.

use std::fmt::Write as _;

use super::tables::{remarks, tables};
use super::text_table::printable;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::Archive;
use crate::tournament::standings::Summary;

/// Everything, at most so many columns of characters wide.
pub(super) fn render(archive: &Archive, summary: &Summary, columns: usize) -> String {
    let mut text = wrapped(&title(&archive.header, summary), columns);
    text += &wrapped(&format!("Program: {}", printable(&archive.header.program)), columns);
    for machine in machines(archive) {
        text += &wrapped(&format!("Machine: {}", printable(&machine)), columns);
    }
    for remark in remarks(&archive.header, summary) {
        text += &wrapped(&printable(&remark), columns);
    }
    for table in tables(summary) {
        let _ = write!(text, "\n{}\n{}", printable(&table.title), table.drawn(columns));
        text += &table.note.map_or(String::new(), |note| wrapped(&note, columns));
    }
    text
}

/// Lines of whole words, with an end of line.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        let letters = word.chars().count();
        if width > 0 {
            let fits = width + 1 + letters <= columns;
            lines.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        lines += word;
        width += letters;
    }
    lines + "\n"
}

/// On which games were played.
pub(super) fn machines(archive: &Archive) -> impl Iterator<Item = String> {
    let none = archive.machines.is_empty().then(|| "not recorded".to_owned());
    archive.machines.iter().map(ToString::to_string).chain(none)
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
    let format = header.played.tournament().map(|plan| format!("{}, ", plan.format.name())).unwrap_or_default();
    format!("{format}{} games in {} pairs{shard}", summary.games, summary.pairs)
}
