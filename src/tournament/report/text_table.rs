//! Tables of words and numbers, one line a row, and paragraphs, for a window of any width and for pages.

use maud::{Markup, html};

use super::figures::UNKNOWN;
use crate::tournament::record::printable;

/// Between two columns.
const GAP: &str = "  ";
const BAR: &str = " | ";
/// Words are not cut shorter than this.
const LEAST_WORDS: usize = 10;

/// A table with a title; every row has as many cells as there are columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TextTable {
    pub title: String,
    /// What the figures mean; a sentence about one column begins with its head.
    pub note: Option<String>,
    /// The number of first columns that name a row; without it, those up to the first of numbers after words.
    pub names: Option<usize>,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
}

/// The head of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    pub head: String,
    pub cells: Cells,
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cells {
    /// They stand at the right and are not cut.
    Numbers,
    Words,
    /// Words that are the same in every language, as people or files give them.
    Names,
    /// Names of rulesets, for which a page puts their titles.
    Rulesets,
}

impl Column {
    /// Of words where the head begins with `<`, of names where it begins with `@`, of rulesets at `^`, else of numbers.
    fn new(head: &str) -> Column {
        let cells = match head.as_bytes().first() {
            Some(b'<') => Cells::Words,
            Some(b'@') => Cells::Names,
            Some(b'^') => Cells::Rulesets,
            _ => Cells::Numbers,
        };
        Column { head: head.trim_start_matches(['<', '@', '^']).to_owned(), cells }
    }

    fn is_of_words(&self) -> bool {
        self.cells != Cells::Numbers
    }
}

/// Heads as in [`Column::new`], and what stands below them.
type Columns<'a, T> = [(&'a str, &'a dyn Fn(&T) -> String)];

impl TextTable {
    /// Without rows; heads as in [`Column::new`].
    pub(crate) fn new(title: &str, heads: &[&str]) -> TextTable {
        let columns = heads.iter().map(|head| Column::new(head)).collect();
        TextTable { title: title.to_owned(), note: None, names: None, columns, rows: Vec::new() }
    }

    /// A row for every item, with a cell of each column.
    pub(crate) fn of<T>(title: &str, items: impl IntoIterator<Item = T>, columns: &Columns<'_, T>) -> TextTable {
        let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).collect();
        let row = |item: T| columns.iter().map(|(_, cell)| cell(&item)).collect();
        TextTable { rows: items.into_iter().map(row).collect(), ..TextTable::new(title, &heads) }
    }

    /// One more column of numbers, with a cell for every row that is there.
    pub(super) fn with_column(mut self, head: &str, cells: Vec<String>) -> TextTable {
        self.columns.push(Column::new(head));
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        self
    }

    pub(crate) fn with_note(mut self, note: &str) -> TextTable {
        self.note = Some(note.to_owned());
        self
    }

    /// One line a row below a line. Where the table is wider than `columns`, long words are cut; columns that have no
    /// room even then stand in a part of their own below, behind the names of the rows.
    pub(super) fn drawn(&self, columns: usize) -> String {
        let part = |rows: Vec<Vec<String>>| {
            let lines: Vec<String> = rows.iter().map(|cells| cells.join(GAP)).collect();
            let rule = "─".repeat(lines[0].chars().count());
            let rows: String = lines[1..].iter().map(|line| format!("{}\n", line.trim_end())).collect();
            format!("{}\n{rule}\n{rows}", lines[0].trim_end())
        };
        self.parts(GAP.len(), columns + GAP.len()).into_iter().map(part).collect::<Vec<_>>().join("\n")
    }

    /// The same with bars between the columns, as Markdown has them.
    pub(crate) fn markdown(&self, columns: usize) -> String {
        let part = |rows: Vec<Vec<String>>| {
            let mut lines: Vec<String> = rows.iter().map(|cells| format!("| {} |", cells.join(BAR))).collect();
            let rule: Vec<String> = rows[0].iter().map(|cell| "-".repeat(cell.chars().count() + 2)).collect();
            lines.insert(1, format!("|{}|", rule.join("|")));
            lines.join("\n")
        };
        self.parts(BAR.len(), columns.saturating_sub(1)).into_iter().map(part).collect::<Vec<_>>().join("\n\n")
    }

    /// For a page, folded; `game-list.js` lets its rows be sorted.
    pub(crate) fn html(&self) -> Markup {
        let fixed = |column: &Column| matches!(column.cells, Cells::Names | Cells::Rulesets).then_some("no");
        let class = |column: &Column| match column.cells {
            Cells::Numbers => Some("n"),
            Cells::Rulesets => Some("ruleset"),
            Cells::Words | Cells::Names => None,
        };
        // What is known of no row takes no room, and no word about it.
        let is_known = |index: &usize| !self.rows.iter().all(|row| row[*index] == UNKNOWN);
        let (known, unknown): (Vec<usize>, Vec<usize>) = (0..self.columns.len()).partition(is_known);
        let is_of = |sentence: &str, head: &str| sentence.starts_with(&format!("{}: ", head.trim_end_matches(" %")));
        let sentences = self.note.iter().flat_map(|note| note.split_inclusive(". ")).map(str::trim_end);
        let said = sentences.filter(|note| !unknown.iter().any(|&index| is_of(note, &self.columns[index].head)));
        html! {
            details {
                summary { h2 { (self.title) } }
                div class="wide" tabindex="0" role="region" aria-label=(self.title) {
                    table class="grid sorted" {
                        thead {
                            tr { @for column in known.iter().map(|&index| &self.columns[index]) { th scope="col" class=[class(column)] { (column.head) } } }
                        }
                        tbody {
                            @for row in &self.rows {
                                tr {
                                    @for (cell, column) in known.iter().map(|&index| (&row[index], &self.columns[index])) {
                                        td class=[class(column)] translate=[fixed(column)] { (cell) }
                                    }
                                }
                            }
                        }
                    }
                }
                @if self.note.is_some() { p class="quiet" { @for sentence in said { span { (sentence) } " " } } }
            }
        }
    }

    /// The head and the rows as they can be printed.
    fn lines(&self) -> Vec<Vec<String>> {
        let head = self.columns.iter().map(|column| printable(&column.head)).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| printable(cell)).collect());
        std::iter::once(head).chain(rows).collect()
    }

    /// Of the columns, those of words cut as far as it helps to bring all with their gaps into the room.
    fn widths(&self, rows: &[Vec<String>], gap: usize, room: usize) -> Vec<usize> {
        let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..self.columns.len()).map(widest).collect();
        loop {
            let excess = widths.iter().map(|width| width + gap).sum::<usize>().saturating_sub(room);
            let words =
                (0..widths.len()).filter(|&column| self.columns[column].is_of_words() && widths[column] > LEAST_WORDS);
            let Some(longest) = words.max_by_key(|&column| widths[column]).filter(|_| excess > 0) else {
                return widths;
            };
            widths[longest] = widths[longest].saturating_sub(excess).max(LEAST_WORDS);
        }
    }

    /// The rows of every part, the head first, with cells as wide as their columns.
    fn parts(&self, gap: usize, room: usize) -> Vec<Vec<Vec<String>>> {
        let rows = self.lines();
        let widths = self.widths(&rows, gap, room);
        let cell = |row: &[String], column: usize| {
            let (width, text) = (widths[column], short(&row[column], widths[column].max(1)));
            if self.columns[column].is_of_words() { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        let line = |row: &Vec<String>, part: &[usize]| part.iter().map(|&column| cell(row, column)).collect();
        let lines = |part: Vec<usize>| rows.iter().map(|row| line(row, &part)).collect();
        self.split(&widths, gap, room).into_iter().map(lines).collect()
    }

    /// The columns of each part: those that name the rows, and as many others as there is room for.
    fn split(&self, widths: &[usize], gap: usize, room: usize) -> Vec<Vec<usize>> {
        let is_number = |&column: &usize| !self.columns[column].is_of_words();
        let found = || {
            let numbers = (0..widths.len()).take_while(is_number).count();
            numbers + (numbers..widths.len()).take_while(|&column| self.columns[column].is_of_words()).count()
        };
        let names: Vec<usize> = (0..self.names.unwrap_or_else(found)).collect();
        let width = |part: &[usize]| part.iter().map(|&column| widths[column] + gap).sum::<usize>();
        let mut parts = vec![names.clone()];
        for (column, own) in widths.iter().enumerate().skip(names.len()) {
            let last = parts.last().filter(|part| part.len() == names.len() || width(part) + own + gap <= room);
            let mut part = last.is_none().then(|| names.clone()).or_else(|| parts.pop()).unwrap_or_default();
            part.push(column);
            parts.push(part);
        }
        parts
    }
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

/// The beginning of a name, as long as there is room for.
pub(crate) fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    name.chars().take(letters - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let mut table = TextTable::new("", &["<parameter", "start", "tuned", "unrounded"]);
        table.rows = vec![["EvalGooseMobility (geese)", "10", "12345678", "0.25"].map(str::to_owned).to_vec()];
        table
    }

    #[test]
    fn a_page_explains_only_the_columns_that_it_shows() {
        let mut table = TextTable::new("Pairs", &["@Pairing", "Ratio", "LOS %"]);
        table.rows = vec![["a – b", UNKNOWN, "97.0"].map(str::to_owned).to_vec()];
        let table = table.with_note("Pairs of games. Ratio: won over lost. LOS: how likely it is.");
        let page = table.html().0;
        assert!(!page.contains("Ratio") && page.contains("<span>LOS: how likely it is.</span>"), "{page}");
        assert!(table.note.is_some_and(|note| note.contains("Ratio")), "the terminal shows every column");
    }

    #[test]
    fn a_table_has_the_width_of_its_window() {
        let whole = table().markdown(usize::from(u16::MAX));
        assert_eq!(whole.lines().count(), 3, "{whole}");
        for columns in 46..60 {
            let cut = table().markdown(columns);
            assert!(cut.lines().all(|line| line.chars().count() <= columns), "{cut}");
            assert!(cut.contains('…') && cut.contains("| 12345678 |") && cut.contains("0.25 |"), "{cut}");
            assert!(!cut.lines().any(|line| line.contains("12345678…")), "{cut}");
        }
        let parts = table().markdown(36);
        assert_eq!(parts.matches("| EvalGoose… |").count(), 2, "{parts}");
        assert!(parts.lines().all(|line| line.chars().count() <= 36), "{parts}");
        let mut numbers = table();
        numbers.columns[0].cells = Cells::Numbers;
        numbers.names = Some(1);
        assert!(numbers.markdown(50).contains("EvalGooseMobility (geese)"), "numbers are not cut");
    }
}
