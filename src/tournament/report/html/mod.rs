//! One file that a browser shows without any network: results, drawings, and every game on a board.

mod pack;

use std::fmt::Write as _;
use std::io::{self, Write};

use pack::Packer;

use super::Subject;
use super::charts::{Chart, charts, escaped};
use super::ground::Ground;
use super::series::Series;
use super::tables::{Alignment, Table, remarks, tables};
use super::text::{extent, name, title};
use crate::tournament::header::Header;
use crate::tournament::journal::ArchivedGame;
use crate::tournament::standings::{Standings, Summary};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 2] = [include_str!("game.js"), include_str!("viewer.js")];

/// Collects games for a page.
pub(super) struct Page<'a> {
    subject: Subject<'a>,
    header: &'a Header,
    grounds: Vec<Ground>,
    standings: Standings,
    series: Series,
    packer: Packer,
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
            grounds: header.rulesets.iter().map(Ground::new).collect(),
            standings: Standings::new(header),
            series: Series::new(),
            packer: Packer::new(header.rulesets.len()),
            most,
            packed: 0,
        }
    }

    /// Games come in the order of their numbers.
    pub(super) fn add(&mut self, game: &ArchivedGame) {
        self.subject.count(game, &mut self.standings);
        self.series.note(&self.standings);
        if self.packed == self.most {
            return;
        }
        // Without its ruleset a game has no words for its seats.
        if let Some(ground) = self.grounds.get_mut(game.record.fixture.ruleset) {
            let corrections = ground.corrections(&game.record);
            let movers = if ground.has_board() { Vec::new() } else { ground.movers(&game.record) };
            self.packer.add(&game.record, game.times.as_ref(), &corrections, &movers);
            self.packed += 1;
        }
    }

    /// # Errors
    /// The output cannot be written.
    pub(super) fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let summary = self.standings.summary();
        let moments = self.series.finish(&self.standings);
        // In a script element, only this sequence could end it or start a comment.
        let facts = self.packer.facts(self.header, &self.grounds).to_string().replace('<', "\\u003c");
        let title = escaped(&title(self.header, &summary));
        // The template is cut at its marks before anything is filled in: no text from outside is looked at again.
        for piece in PAGE.split('%') {
            match piece {
                "TITLE" => out.write_all(title.as_bytes())?,
                "STYLE" => out.write_all(STYLE.as_bytes())?,
                "HEAD" => {
                    out.write_all(head(self.header, &summary).as_bytes())?;
                    if summary.games > self.packed as u64 {
                        writeln!(
                            out,
                            "<p>The first {} of {} games can be played through here; the figures are those of all. \
                            A page with all games: <code>reynard tournament report DIR --format html</code></p>",
                            self.packed, summary.games
                        )?;
                    }
                }
                "TABLES" => out.write_all(results(&summary).as_bytes())?,
                "CHARTS" => out.write_all(drawings(&charts(&summary, &moments)).as_bytes())?,
                "FOOT" => write!(out, "Written by {}.", escaped(&self.header.program))?,
                "LINES" => out.write_all(self.packer.lines().as_bytes())?,
                "FACTS" => out.write_all(facts.as_bytes())?,
                "SCRIPT" => SCRIPTS.iter().try_for_each(|script| out.write_all(script.as_bytes()))?,
                fixed => out.write_all(fixed.as_bytes())?,
            }
        }
        Ok(())
    }
}

fn head(header: &Header, summary: &Summary) -> String {
    let [name, extent] = [name(header), extent(header, summary)].map(|text| escaped(&text));
    let mut text = format!("<h1>{name}</h1>\n<p>{extent}</p>\n");
    for remark in remarks(summary) {
        let _ = writeln!(text, "<p>{}</p>", escaped(&remark));
    }
    text
}

fn results(summary: &Summary) -> String {
    tables(summary).iter().map(table).collect()
}

fn table(table: &Table) -> String {
    let cell = |(alignment, text): (Alignment, &String), tag: &str| {
        let class = if alignment == Alignment::Right { " class=\"n\"" } else { "" };
        format!("<{tag}{class}>{}</{tag}>", escaped(text))
    };
    let heads = table.columns.iter().map(|column| cell((column.alignment, &column.head), "th scope=\"col\""));
    let heads: String = heads.collect::<String>().replace("</th scope=\"col\">", "</th>");
    let title = escaped(&table.title);
    let mut text =
        format!("<h2>{title}</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">");
    let _ = writeln!(text, "<table class=\"results\"><thead><tr>{heads}</tr></thead><tbody>");
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns).map(|(text, column)| cell((column.alignment, text), "td"));
        let _ = writeln!(text, "<tr>{}</tr>", cells.collect::<String>());
    }
    text.push_str("</tbody></table></div>\n");
    if let Some(note) = &table.note {
        let _ = writeln!(text, "<p class=\"quiet\">{}</p>", escaped(note));
    }
    text
}

fn drawings(charts: &[Chart]) -> String {
    let drawing =
        |chart: &Chart| format!("<figure><figcaption>{}</figcaption>{}</figure>\n", escaped(&chart.caption), chart.svg);
    let drawings: String = charts.iter().map(drawing).collect();
    if drawings.is_empty() {
        "<h2>Charts</h2><p>No games yet.</p>".to_owned()
    } else {
        format!("<h2>Charts</h2>\n{drawings}")
    }
}
