//! Writes one HTML file that needs no network: results, charts, and every game on a board.

mod pack;

use std::io::Write;

use jiff::Timestamp;
use maud::{Markup, html};
pub(crate) use pack::Packer;
#[cfg(feature = "gui")]
pub(crate) use pack::{listed, said};
use reynard_engine::session::registry;
use serde_json::{Map, Value, json};

use super::charts::{Course, Moment, charts};
use super::lines::remarks;
use super::tables::{EXPERTS, tables};
use super::text_table::TextTable;
use super::{ReportError, extent, machine_texts, name, title};
use crate::page::OneFile;
use crate::tournament::header::{EngineHead, JournalHeader};
use crate::tournament::journal::Archive;
use crate::tournament::mistakes::Assessment;
use crate::tournament::record::{FinishedGame, GameTimes};
use crate::tournament::schedule::Schedule;
use crate::tournament::standings::{Standings, Summary};

/// Collects the games of a page, in the order of their numbers.
pub(super) struct Page<'a> {
    archive: &'a Archive,
    /// Games on the board: the first ones. The figures are those of all.
    most: usize,
    /// The standings that whoever played the games has; without them those of the course.
    known: Option<Standings>,
    course: Course,
    packer: Packer<'a>,
    played: Period,
}

impl<'a> Page<'a> {
    pub(super) fn new(archive: &'a Archive, known: Option<&Standings>, most: usize) -> Page<'a> {
        let header = &archive.header;
        Page {
            archive,
            most,
            known: known.cloned(),
            course: Course::new(header),
            packer: Packer::new(header),
            played: Period::default(),
        }
    }

    pub(super) fn add(&mut self, game: FinishedGame, assessment: Option<Assessment>) {
        self.course.add(&game.record, &game.times.move_us);
        if let Some(assessment) = &assessment {
            self.known.as_mut().unwrap_or(&mut self.course.standings).add_assessment(&game.record, assessment);
        }
        self.played.add(&game.times);
        if self.course.standings.games() <= self.most as u64 {
            self.packer.add(game, assessment);
        }
    }

    /// The figures of the games so far.
    pub(super) fn summary(&self) -> Summary {
        self.known.as_ref().unwrap_or(&self.course.standings).summary()
    }

    /// # Errors
    /// The output refuses.
    pub(super) fn write(self, summary: &Summary, out: &mut dyn Write) -> Result<(), ReportError> {
        let Page { archive, most, packer, course, played, .. } = self;
        let header = &archive.header;
        let (lines, mut facts) = packer.finish();
        facts["standings"] = json!(summary);
        facts["expected"] = json!(Schedule::of(header).ok().map(|schedule| schedule.games()));
        let head = html! {
            (head(header, &extent(header, summary), summary))
            (played.days())
            @if summary.games > most as u64 {
                p {
                    "The first " (most) " of " (summary.games) " games can be played through here; the figures are \
                    those of all. A page with all games: " code { "reynard tournament report DIR --format html" }
                }
            }
            noscript { p { "The games can be played through where scripts run; without them, reynard tournament replay shows them." } }
        };
        let conditions = html! { section id="conditions" { (conditions(archive, played)) } };
        let figures = html! {
            (figures(summary, &course.moments, Some(conditions)))
            p class="quiet" { "Written by " (header.program) "." }
        };
        let title = title(header, summary);
        let page = OneFile { title: &title, head, figures, facts: &facts, lines: &lines };
        Ok(out.write_all(page.text().as_bytes())?)
    }
}

/// What stands above all figures: what was played, as far as `played` says it, and what weakens the result.
pub(crate) fn head(header: &JournalHeader, played: &str, summary: &Summary) -> Markup {
    html! {
        h1 { (name(header, summary)) }
        p { (played) @if let Some(limits) = limits(header) { span { " · " } span { (limits) } } }
        @for remark in remarks(header, summary) { p { (remark) } }
    }
}

/// What every engine may think, where that is the same for all.
pub(crate) fn limits(header: &JournalHeader) -> Option<String> {
    let mut limits = header.played.games().engines.iter().map(|engine| engine.limits);
    let first = limits.next()??;
    limits.all(|other| other == Some(first)).then(|| first.to_string())
}

/// All charts and tables; what only experts want is folded away, with `conditions`.
pub(crate) fn figures(summary: &Summary, moments: &[Moment], conditions: Option<Markup>) -> Markup {
    let [results, play, experts] = tables(summary);
    html! {
        (drawings(&charts(summary, moments)))
        @for (title, tables) in [results, play].iter().filter(|(_, tables)| !tables.is_empty()) {
            h2 { (title) }
            @for table in tables { (table.html()) }
        }
        section {
            details {
                summary { h2 { (EXPERTS) } }
                @for table in experts.1 { (table.html()) }
                @if let Some(conditions) = conditions { (conditions) }
            }
        }
    }
}

/// Charts of a page, which may be folded.
pub(crate) fn drawings(charts: &[Markup]) -> Markup {
    html! {
        @if !charts.is_empty() {
            details open {
                summary { h2 { "Charts" } }
                div class="charts" { @for chart in charts { (chart) } }
            }
        }
    }
}

/// The beginnings of the first and the last game.
#[derive(Clone, Copy, Default)]
struct Period(Option<[u64; 2]>);

impl Period {
    fn add(&mut self, times: &GameTimes) {
        if let Some(ms) = times.started() {
            let [first, last] = self.0.unwrap_or([ms; 2]);
            self.0 = Some([first.min(ms), last.max(ms)]);
        }
    }

    /// Both as UTC; `None` where the games have no times.
    fn dates(self) -> Option<[Timestamp; 2]> {
        let [first, last] = self.0?.map(|ms| Timestamp::from_millisecond(i64::try_from(ms).ok()?).ok());
        Some([first?, last?])
    }

    /// The day, or the first and the last one; the page writes them as the reader does.
    fn days(self) -> Markup {
        let Some(dates) = self.dates() else { return html! {} };
        let [first, last] = dates.map(|date| {
            let day = date.strftime("%-d %b %Y").to_string();
            html! { time translate="no" datetime=(date) title=(format!("{date:.0}")) { (day) } }
        });
        let is_one_day = dates[0].strftime("%F").to_string() == dates[1].strftime("%F").to_string();
        html! { p class="quiet" { span { "Played:" } " " (first) @if !is_one_day { " – " (last) } } }
    }

    /// To the second; `None` where the games have no times.
    fn text(self) -> Option<String> {
        let [first, last] = self.dates()?;
        Some(format!("{first:.0} to {last:.0}, when the first and the last game began"))
    }
}

/// The spec with its engines, version and dates, and the spec itself as the journal has it.
fn conditions(archive: &Archive, played: Period) -> Markup {
    let header = &archive.header;
    html! {
        (general(archive, played).html())
        (engines(header).html())
        details {
            summary { h2 { "Spec as JSON" } }
            pre { (format!("{:#}", json!(header.played))) }
        }
    }
}

/// Every key of the spec but the engines.
fn general(archive: &Archive, played: Period) -> TextTable {
    let header = &archive.header;
    let mut rows = vec![("program", header.program.clone())];
    rows.extend(machine_texts(&archive.machines).map(|machine| ("machine", machine)));
    rows.extend(played.text().map(|text| ("played", text)));
    let played = json!(header.played);
    // The name is the title of the page, engines have a table of their own.
    let keys = played.as_object().into_iter().flatten().filter(|(key, _)| !["name", "engines"].contains(&key.as_str()));
    rows.extend(keys.map(|(key, value)| (key.as_str(), text(value))));
    let what = |(key, _): &(&str, String)| words(key);
    let note = "As the head of the journal has them; machines are all on which games were played.";
    TextTable::of("Settings and machines", rows, &[("<Setting", &what), ("<Value", &|(_, value)| value.clone())])
        .with_note(note)
}

fn engines(header: &JournalHeader) -> TextTable {
    TextTable::of(
        "Engines",
        &header.played.games().engines,
        &[
            ("@Engine", &|engine| engine.name.clone()),
            ("<Program", &|engine| {
                engine.program.as_ref().map_or("in this process".to_owned(), |program| text(&json!(program)))
            }),
            ("<Limits", &|engine| engine.limits.map_or("n/a".to_owned(), |limits| limits.to_string())),
            ("@Options", &|engine| changed(engine)),
        ],
    )
    .with_note("Of engines of this program the options that differ from their defaults, of others all that were set.")
}

/// An engine in short: `reynard (mcts)`.
pub(crate) fn in_short(engine: &EngineHead) -> String {
    let program = engine.program.as_ref().and_then(|program| program["command"].as_str()).unwrap_or("reynard");
    match changed(engine).replace("Searcher=", "") {
        none if none.is_empty() => program.to_owned(),
        options => format!("{program} ({options})"),
    }
}

/// The options that differ from their defaults; all of them where these are not known.
fn changed(engine: &EngineHead) -> String {
    let known = engine.program.is_none().then(registry::default_options);
    let is_changed =
        |name: &str, value: &Value| known.as_ref().is_none_or(|known| Some(known.value(name)) != value.as_str());
    let pairs = |options: &Map<String, Value>| -> Vec<String> {
        let changed = options.iter().filter(|(name, value)| is_changed(name, value));
        changed.map(|(name, value)| format!("{name}={}", text(value))).collect()
    };
    let mut all = pairs(&engine.options);
    for (role, options) in &engine.by_role {
        all.extend(options.as_object().map(pairs).unwrap_or_default().iter().map(|pair| format!("as {role}: {pair}")));
    }
    all.join(", ")
}

/// JSON for people: no quotation marks around a text, no braces around a list of keys.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::Object(keys) => {
            let said = |(key, value): (&String, &Value)| match value {
                Value::Bool(false) => format!("no {}", words(key)),
                Value::Bool(true) => words(key),
                other => format!("{} {}", words(key), text(other)),
            };
            keys.iter().map(said).collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}

/// A key of the spec for people.
fn words(key: &str) -> String {
    match key {
        "adjudication" => "games ended early by".to_owned(),
        "table" => "tables of perfect play".to_owned(),
        _ => key.replace('_', " "),
    }
}
