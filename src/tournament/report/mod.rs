//! Reports on a results directory: tables for the terminal, JSON, CSV, one HTML file, and game records.
//!
//! Every report is one pass over the games. The figures are those of [`standings`](super::standings); nothing is
//! counted here but what only a drawing needs.

mod charts;
mod csv;
mod figures;
mod html;
mod lines;
mod replay;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod text_table;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(feature = "gui")]
pub(crate) use charts::Course;
pub(crate) use figures::{elo as elo_text, number};
pub(crate) use html::{Packer, drawings, in_short};
#[cfg(feature = "gui")]
pub(crate) use html::{figures, head, limits, listed, said};
pub(crate) use lines::{LineStyle, finished_line, forfeit_counts, running_score, score_lines, sprt_line, warnings};
pub(crate) use replay::{Replay, Replays};
use reynard_engine::files::NewFile;
use serde::Serialize;
pub(crate) use text_table::{Cells, TextTable, short, wrapped};
use thiserror::Error;

use super::header::{JournalHeader, Played, Shard};
use super::journal::{Archive, JournalError, OutputError};
use super::machine::Machine;
use super::mistakes::{Assessment, Assessor, MistakesError};
use super::pgn;
use super::record::{FinishedGame, printable};
use super::standings::{Standings, Summary};

/// What a report looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    /// Tables for a terminal of this width.
    Text {
        columns: usize,
    },
    Json,
    /// One line a game.
    Csv,
    /// One file with everything in it, games included.
    Html,
    /// The games for people and chess programs.
    Pgn,
}

/// Why there is no report.
#[derive(Debug, Error)]
pub(crate) enum ReportError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    File(#[from] OutputError),
    /// The output that the caller gave.
    #[error("{0}")]
    Output(#[from] io::Error),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Tables(#[from] MistakesError),
    #[error("stopped before the report was written")]
    Stopped,
}

impl ReportError {
    /// Whether another directory or file would do, as opposed to a failure of the system.
    pub(crate) fn is_usage(&self) -> bool {
        match self {
            ReportError::Journal(error) => error.is_usage(),
            ReportError::File(error) => error.is_usage(),
            ReportError::Tables(error) => error.is_usage(),
            ReportError::Output(_) | ReportError::Json(_) | ReportError::Stopped => false,
        }
    }
}

/// What a report is about.
pub(crate) struct Subject<'a> {
    pub archive: &'a Archive,
    /// The standings that whoever played the games has, so that a page need not count them.
    pub known: Option<&'a Standings>,
    /// Judges the moves, where there are tables.
    pub assessor: Option<Assessor>,
    /// Called before every game with the number of those before it; false gives up the report.
    pub goes_on: Box<dyn FnMut(u64) -> bool + 'a>,
}

impl Subject<'_> {
    /// Shows the games in the order of their numbers, each with what its moves were worth where tables know.
    fn each(
        mut self,
        mut show: impl FnMut(FinishedGame, Option<Assessment>) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        for (game, done) in self.archive.games().zip(0..) {
            if !(self.goes_on)(done) {
                return Err(ReportError::Stopped);
            }
            let game = game?;
            let assessment = self.assessor.as_mut().map(|assessor| assessor.assess(&game.record)).transpose()?;
            show(game, assessment.flatten())?;
        }
        Ok(())
    }

    /// The sums of all games.
    fn standings(self) -> Result<Standings, ReportError> {
        let mut standings = Standings::new(&self.archive.header);
        self.each(|game, assessment| {
            standings.add(&game.record, &game.times.move_us);
            assessment.iter().for_each(|assessment| standings.add_assessment(&game.record, assessment));
            Ok(())
        })?;
        Ok(standings)
    }
}

/// Writes a report into a file, which is replaced only when the report is complete.
///
/// # Errors
/// The journal cannot be read or the file not be written.
pub(crate) fn write_file(subject: Subject<'_>, format: ReportFormat, path: &Path) -> Result<(), ReportError> {
    let mut file = ReportFile::create(subject.archive, path)?;
    file.write(|out| write(subject, format, out))?;
    file.commit()
}

/// A report on its way into a file, which is replaced by [`commit`](ReportFile::commit) alone. Errors name the file.
struct ReportFile {
    path: PathBuf,
    draft: NewFile,
}

impl ReportFile {
    fn create(archive: &Archive, path: &Path) -> Result<ReportFile, ReportError> {
        archive.check_output(path)?;
        Ok(ReportFile { path: path.to_owned(), draft: NewFile::create(path).map_err(OutputError::at(path))? })
    }

    fn write(&mut self, write: impl FnOnce(&mut NewFile) -> Result<(), ReportError>) -> Result<(), ReportError> {
        write(&mut self.draft).map_err(|error| match error {
            ReportError::Output(error) => OutputError::at(&self.path)(error).into(),
            other => other,
        })
    }

    fn commit(self) -> Result<(), ReportError> {
        Ok(self.draft.commit().map_err(OutputError::at(&self.path))?)
    }
}

/// Writes the figures of a run, as tables or as JSON in one line; `machines` are those on which it was played.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn write_figures(
    header: &JournalHeader,
    summary: &Summary,
    machines: &[Machine],
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match columns {
        Some(columns) => out.write_all(text(header, summary, machines, columns).as_bytes()),
        None => writeln!(out, "{}", serde_json::to_string(&JsonReport::new(header, summary, machines))?),
    }
}

/// Writes a report about everything that a journal holds.
///
/// # Errors
/// The journal cannot be read or the output not be written.
pub(crate) fn write(subject: Subject<'_>, format: ReportFormat, out: &mut dyn Write) -> Result<(), ReportError> {
    let (archive, is_judged) = (subject.archive, subject.assessor.is_some());
    match format {
        ReportFormat::Text { columns } => {
            let summary = subject.standings()?.summary();
            out.write_all(text(&archive.header, &summary, &archive.machines, columns).as_bytes())?;
        }
        ReportFormat::Json => {
            let summary = subject.standings()?.summary();
            serde_json::to_writer_pretty(&mut *out, &JsonReport::new(&archive.header, &summary, &archive.machines))?;
            writeln!(out)?;
        }
        ReportFormat::Csv => {
            csv::write_head(is_judged, out)?;
            subject
                .each(|game, found| Ok(csv::write_game(&archive.header, is_judged.then_some(found), &game, out)?))?;
        }
        ReportFormat::Pgn => {
            let mut replays = Replays::new(&archive.header);
            subject.each(|game, _| Ok(pgn::write_game(&mut replays, &game, out)?))?;
        }
        ReportFormat::Html => {
            let mut page = html::Page::new(archive, subject.known, usize::MAX);
            subject.each(|game, assessment| {
                page.add(game, assessment);
                Ok(())
            })?;
            let summary = page.summary();
            page.write(&summary, out)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// For [`write_all`]: of more games than these it writes only a page, with the first ones on its board: the files of
/// all games would be hundreds of megabytes that nobody has asked for.
pub(crate) const MANY_GAMES: usize = 20_000;

/// Writes `report.html` and `games.pgn` into the results directory of an archive, in one pass over its games, and gives
/// their figures, with what became of the files. Of more than `most` games it writes only the page.
///
/// # Errors
/// The journal or a table cannot be read, or the report was given up. A file that cannot be written keeps neither the
/// other one nor the figures back.
pub(crate) fn write_all(subject: Subject<'_>, most: usize) -> Result<(Summary, Result<(), ReportError>), ReportError> {
    let archive = subject.archive;
    let create = |name| ReportFile::create(archive, &archive.layout().dir().join(name));
    let mut page = html::Page::new(archive, subject.known, most);
    let mut replays = Replays::new(&archive.header);
    let mut pgn = (archive.len() <= most).then(|| create("games.pgn"));
    subject.each(|game, assessment| {
        if let Some(Ok(file)) = &mut pgn
            && let Err(error) = file.write(|out| Ok(pgn::write_game(&mut replays, &game, out)?))
        {
            pgn = Some(Err(error));
        }
        page.add(game, assessment);
        Ok(())
    })?;
    let summary = page.summary();
    let pgn = pgn.map_or(Ok(()), |file| file?.commit());
    let page = create("report.html").and_then(|mut file| {
        file.write(|out| page.write(&summary, out))?;
        file.commit()
    });
    Ok((summary, page.and(pgn)))
}

/// The tables for a terminal of this width.
fn text(header: &JournalHeader, summary: &Summary, machines: &[Machine], columns: usize) -> String {
    let mut text = wrapped(&title(header, summary), columns);
    text += &wrapped(&format!("Program: {}", printable(&header.program)), columns);
    for machine in machine_texts(machines) {
        text += &wrapped(&format!("Machine: {}", printable(&machine)), columns);
    }
    for remark in lines::remarks(header, summary) {
        text += &wrapped(&printable(&remark), columns);
    }
    for table in tables::tables(summary).into_iter().flat_map(|(_, tables)| tables) {
        let _ = write!(text, "\n{}\n{}", printable(&table.title), table.drawn(columns));
        text += &table.note.map_or(String::new(), |note| wrapped(&note, columns));
    }
    text
}

/// The machines on which games were played.
fn machine_texts(machines: &[Machine]) -> impl Iterator<Item = String> {
    let none = machines.is_empty().then(|| "not recorded".to_owned());
    machines.iter().map(ToString::to_string).chain(none)
}

/// One line about the whole tournament.
fn title(header: &JournalHeader, summary: &Summary) -> String {
    format!("{}: {}", name(header, summary), extent(header, summary))
}

/// What the tournament is called; where that is its engines, the best of them comes first.
fn name(header: &JournalHeader, summary: &Summary) -> String {
    let name = header.name().unwrap_or("Tournament");
    let ranked =
        || summary.ranking.iter().map(|&engine| &*summary.engines[engine].name).collect::<Vec<_>>().join(VERSUS);
    printable(&if name == header.engines.join(VERSUS) { ranked() } else { name.to_owned() })
}

/// Between the names of engines.
const VERSUS: &str = " – ";

/// Format, games and part.
fn extent(header: &JournalHeader, summary: &Summary) -> String {
    let shard = header.shard.map(|shard| format!(", shard {} of {}", shard.index, shard.count)).unwrap_or_default();
    let format = format_name(header).map(|format| format!("{format}, ")).unwrap_or_default();
    format!("{format}{} games in {} pairs{shard}", summary.games, summary.pairs)
}

/// That of a tournament.
pub(crate) fn format_name(header: &JournalHeader) -> Option<String> {
    Some(header.played.tournament()?.format.name())
}

/// The JSON report; `tournaments/README.md` documents the keys.
#[derive(Serialize)]
struct JsonReport<'a> {
    /// Of this format; a new one means that a key has changed its meaning.
    version: u32,
    program: &'a str,
    name: &'a str,
    shard: Option<Shard>,
    machines: &'a [Machine],
    /// In words, what weakens the results.
    warnings: Vec<String>,
    #[serde(flatten)]
    summary: &'a Summary,
    /// As the journal's head has it.
    spec: &'a Played,
}

/// Version 1 had keys about puzzles, games of more than two, and disagreements of engines.
const JSON_VERSION: u32 = 2;

impl<'a> JsonReport<'a> {
    fn new(header: &'a JournalHeader, summary: &'a Summary, machines: &'a [Machine]) -> Self {
        JsonReport {
            version: JSON_VERSION,
            program: &header.program,
            name: header.name().unwrap_or(""),
            shard: header.shard,
            machines,
            warnings: warnings(summary),
            summary,
            spec: &header.played,
        }
    }
}
