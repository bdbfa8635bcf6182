//! Prints the tables for the terminal.

use std::fmt::Write as _;

use comfy_table::CellAlignment;

use super::tables::{Column, TextTable, remarks, tables};
use crate::svg::short;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::Archive;
use crate::tournament::standings::Summary;

/// Everything, at most so many columns of characters wide.
pub(super) fn render(archive: &Archive, summary: &Summary, columns: u16) -> String {
    let columns = usize::from(columns);
    let mut text = wrapped(&title(&archive.header, summary), columns);
    text += &wrapped(&format!("Program: {}", printable(&archive.header.program)), columns);
    for machine in machines(archive) {
        text += &wrapped(&format!("Machine: {}", printable(&machine)), columns);
    }
    for remark in remarks(summary) {
        text += &wrapped(&printable(&remark), columns);
    }
    for table in tables(summary) {
        let _ = write!(text, "\n{}\n{}", printable(&table.title), drawn(&table, columns));
        text += &table.note.map_or(String::new(), |note| wrapped(&note, columns));
    }
    text
}

/// Lines of whole words.
fn wrapped(text: &str, columns: usize) -> String {
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
    let format = header.spec.plan().map(|plan| format!("{}, ", plan.format.name())).unwrap_or_default();
    format!("{format}{} games in {} pairs{shard}", summary.games, summary.pairs)
}

/// Names and reasons come from outside: nothing in them may move the cursor.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Between two columns.
const GAP: usize = 2;
/// Words are not cut shorter than this.
const LEAST_WORDS: usize = 10;

/// One line a row. Where the table is too wide, long words are cut; columns that have no room even then stand in a part
/// of their own below, behind the names of the rows.
fn drawn(table: &TextTable, columns: usize) -> String {
    let head = table.columns.iter().map(|column| printable(&column.head)).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| printable(cell)).collect());
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let widths = widths(table, &rows, columns);
    let parts = parts(table, &widths, columns).into_iter().map(|part| {
        let width = part.iter().map(|&column| widths[column] + GAP).sum::<usize>() - GAP;
        let mut lines = rows.iter().map(|row| line(row, &part, &widths, &table.columns));
        let head = lines.next().unwrap_or_default();
        format!("{head}\n{}\n{}", "─".repeat(width), lines.map(|line| line + "\n").collect::<String>())
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// Of the columns, those of words cut as far as it helps.
fn widths(table: &TextTable, rows: &[Vec<String>], columns: usize) -> Vec<usize> {
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..table.columns.len()).map(widest).collect();
    loop {
        let excess = widths.iter().map(|width| width + GAP).sum::<usize>().saturating_sub(columns + GAP);
        let words = (0..widths.len()).filter(|&column| is_of_words(table, column) && widths[column] > LEAST_WORDS);
        let Some(longest) = words.max_by_key(|&column| widths[column]).filter(|_| excess > 0) else { return widths };
        widths[longest] = widths[longest].saturating_sub(excess).max(LEAST_WORDS);
    }
}

/// The columns of each part: those that name the rows, and as many others as there is room for.
fn parts(table: &TextTable, widths: &[usize], columns: usize) -> Vec<Vec<usize>> {
    let names = (0..widths.len()).skip_while(|&column| !is_of_words(table, column));
    let first = widths.len() - names.clone().count();
    let names: Vec<usize> = (0..first).chain(names.take_while(|&column| is_of_words(table, column))).collect();
    let width = |part: &[usize]| part.iter().map(|&column| widths[column] + GAP).sum::<usize>();
    let mut parts = vec![names.clone()];
    for (column, own) in widths.iter().enumerate().skip(names.len()) {
        let last = parts.last().filter(|part| part.len() == names.len() || width(part) + own <= columns);
        let mut part = last.is_none().then(|| names.clone()).or_else(|| parts.pop()).unwrap_or_default();
        part.push(column);
        parts.push(part);
    }
    parts
}

fn is_of_words(table: &TextTable, column: usize) -> bool {
    table.columns[column].alignment == CellAlignment::Left
}

/// One row of a part.
fn line(row: &[String], part: &[usize], widths: &[usize], columns: &[Column]) -> String {
    let cell = |&column: &usize| {
        let (text, width) = (short(&row[column], widths[column].max(1)), widths[column]);
        match columns[column].alignment {
            CellAlignment::Left => format!("{text:<width$}"),
            _ => format!("{text:>width$}"),
        }
    };
    part.iter().map(cell).collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
}
