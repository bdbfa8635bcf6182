//! Writes one HTML file that needs no network: results, charts, and every game on a board.

mod pack;
mod plies;

use std::io::{self, Write};

use maud::{Markup, html};

use pack::Packer;

use super::Subject;
use super::charts::charts;
use super::series::Series;
use super::tables::{Alignment, Column, TextTable, remarks, tables};
use super::text::{extent, name, title};
use crate::svg;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::ArchivedGame;
use crate::tournament::standings::{Standings, Summary};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 2] = [include_str!("game.js"), include_str!("viewer.js")];

/// Collects games for a page.
pub(super) struct Page<'a> {
    subject: Subject<'a>,
    header: &'a JournalHeader,
    standings: Standings,
    series: Series,
    packer: Packer<'a>,
    /// Games on the board at most, and how many there are.
    most: usize,
    packed: usize,
}

impl<'a> Page<'a> {
    /// With at most so many of the games on the board, the first ones; the figures are those of all.
    pub(super) fn new(subject: Subject<'a>, most: usize) -> Self {
        let header = &subject.archive.header;
        Page {
            subject,
            header,
            standings: Standings::new(header),
            series: Series::new(),
            packer: Packer::new(header),
            most,
            packed: 0,
        }
    }

    /// Games come in the order of their numbers.
    pub(super) fn add(&mut self, game: ArchivedGame) {
        self.subject.count(&game, &mut self.standings);
        self.series.note(&self.standings);
        // Without its ruleset a game has no words for its seats.
        if self.packed == self.most || game.record.fixture.ruleset >= self.header.rulesets.len() {
            return;
        }
        self.packer.add(game);
        self.packed += 1;
    }

    /// # Errors
    /// The output cannot be written.
    pub(super) fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let summary = self.standings.summary();
        let moments = self.series.finish(&self.standings);
        let (mut lines, facts) = self.packer.finish();
        // In a script element, only this sequence could end it or start a comment.
        let mut facts = facts.to_string().replace('<', "\\u003c");
        let shown = self.packed as u64;
        // The template is cut at its marks before anything is filled in: no text from outside is looked at again.
        for piece in PAGE.split('%') {
            let text = match piece {
                "TITLE" => html! { (title(self.header, &summary)) }.0,
                "STYLE" => [svg::STYLE, STYLE].concat(),
                "HEAD" => head(self.header, &summary, shown).0,
                "TABLES" => tables(&summary).iter().map(|each| table(each).0).collect(),
                "CHARTS" => drawings(&charts(&summary, &moments)).0,
                "FOOT" => html! { "Written by " (self.header.program) "." }.0,
                "LINES" => std::mem::take(&mut lines),
                "FACTS" => std::mem::take(&mut facts),
                "GLYPHS" => svg::glyphs().0,
                "SCRIPT" => SCRIPTS.concat(),
                fixed => fixed.to_owned(),
            };
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

fn head(header: &JournalHeader, summary: &Summary, shown: u64) -> Markup {
    html! {
        h1 { (name(header)) }
        p { (extent(header, summary)) }
        @for remark in remarks(summary) { p { (remark) } }
        @if summary.games > shown {
            p {
                "The first " (shown) " of " (summary.games) " games can be played through here; the figures are those \
                of all. A page with all games: " code { "reynard tournament report DIR --format html" }
            }
        }
    }
}

fn table(table: &TextTable) -> Markup {
    let class = |column: &Column| (column.alignment == Alignment::Right).then_some("n");
    html! {
        h2 { (table.title) }
        div class="wide" tabindex="0" role="region" aria-label=(table.title) {
            table class="results" {
                thead { tr { @for column in &table.columns { th scope="col" class=[class(column)] { (column.head) } } } }
                tbody {
                    @for row in &table.rows {
                        tr { @for (cell, column) in row.iter().zip(&table.columns) { td class=[class(column)] { (cell) } } }
                    }
                }
            }
        }
        @if let Some(note) = &table.note { p class="quiet" { (note) } }
    }
}

fn drawings(charts: &[Markup]) -> Markup {
    html! {
        h2 { "Charts" }
        @for chart in charts { (chart) }
        @if charts.is_empty() { p { "No games yet." } }
    }
}
