//! The tables that subcommands print: some columns of words, then numbers.

use comfy_table::{CellAlignment, Row, Table, presets};

/// A table with rows below a header; all but the first columns, so many of `words`, stand at the right.
pub(super) fn number_table<'a, R: Into<Row>>(
    words: usize,
    header: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header).add_rows(rows);
    table.column_iter_mut().skip(words).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}
