//! Writes one HTML file that needs no network: results, charts, and every game on a board.

mod conditions;
mod pack;
mod plies;

use std::io::Write;

use conditions::Period;
use maud::{Markup, html};
use pack::Packer;

use super::charts::charts;
use super::series::Moment;
use super::tables::{remarks, tables};
use super::text::{extent, name, title};
use super::text_table::SORT_SCRIPT;
use super::{ReportError, Subject};
use crate::svg;
use crate::tournament::header::JournalHeader;
use crate::tournament::standings::{Standings, Summary};

const PAGE: &str = include_str!("page.html");
const SCRIPTS: [&str; 3] = [include_str!("game.js"), include_str!("viewer.js"), SORT_SCRIPT];

/// Writes a page with at most so many of the games on its board, the first ones; the figures are those of all.
///
/// # Errors
/// The games cannot be read or the output not be written.
pub(super) fn write(subject: Subject<'_>, most: usize, out: &mut dyn Write) -> Result<(), ReportError> {
    let (archive, header) = (subject.archive, &subject.archive.header);
    let (mut standings, mut packer, mut moments) =
        (Standings::new(header), Packer::new(header, subject.assessments), Vec::new());
    let mut played = Period::default();
    for (index, game) in archive.games()?.enumerate() {
        let game = game?;
        subject.count(&game, &mut standings);
        played.add(&game.times);
        if (index + 1).is_multiple_of(archive.len().div_ceil(MOST_MOMENTS)) || index + 1 == archive.len() {
            moments.push(Moment::of(&standings));
        }
        if index < most {
            packer.add(game);
        }
    }
    let summary = standings.summary();
    let (mut lines, facts) = packer.finish();
    // In a script element, only this sequence could end it or start a comment.
    let mut facts = facts.to_string().replace('<', "\\u003c");
    // The template is cut at its marks before anything is filled in: no text from outside is looked at again.
    for piece in PAGE.split('%') {
        let text = match piece {
            "TITLE" => html! { (title(header, &summary)) }.0,
            "STYLE" => svg::STYLE.to_owned(),
            "HEAD" => head(header, &summary, most as u64).0,
            "TABLES" => tables(&summary).iter().map(|each| each.html().0).collect(),
            "CONDITIONS" => conditions::conditions(archive, played).0,
            "CHARTS" => drawings(&charts(&summary, &moments)).0,
            "FOOT" => html! { "Written by " (header.program) "." }.0,
            "LINES" => std::mem::take(&mut lines),
            "FACTS" => std::mem::take(&mut facts),
            "GLYPHS" => svg::glyphs().0,
            "SCRIPT" => svg::board_script() + &SCRIPTS.concat(),
            fixed => fixed.to_owned(),
        };
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// At most so many moments are drawn, at equal distances.
const MOST_MOMENTS: usize = 400;

fn head(header: &JournalHeader, summary: &Summary, shown: u64) -> Markup {
    html! {
        h1 { (name(header)) }
        p { (extent(header, summary)) }
        @for remark in remarks(header, summary) { p { (remark) } }
        @if summary.games > shown {
            p {
                "The first " (shown) " of " (summary.games) " games can be played through here; the figures are those \
                of all. A page with all games: " code { "reynard tournament report DIR --format html" }
            }
        }
    }
}

fn drawings(charts: &[Markup]) -> Markup {
    html! {
        details open {
            summary { h2 { "Charts" } }
            div class="charts" { @for chart in charts { (chart) } }
            @if charts.is_empty() { p { "No games yet." } }
        }
    }
}
