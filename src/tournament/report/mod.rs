//! Reports on a results directory: tables for the terminal, JSON, CSV, one HTML file, and game records.
//!
//! Every report is one pass over the games. The figures are those of [`standings`](super::standings); nothing is
//! counted here but what only a drawing needs.

mod charts;
mod csv;
mod cutechess;
mod html;
mod json;
mod pgn;
mod replay;
#[cfg(test)]
pub(crate) mod samples;
mod series;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod text_table;

use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::thread;

pub(crate) use csv::write_row as write_csv_row;
pub(crate) use cutechess::finished_line;
pub(crate) use pgn::{Movetext, score_text, tags, write_game as write_pgn_game, write_tags};
pub(crate) use replay::{Replay, Replays, texts};
use reynard_engine::files::NewFile;
#[cfg(feature = "gui")]
pub(crate) use series::Moment;
pub(crate) use text::wrapped;
pub(crate) use text_table::{SORT_SCRIPT, TextTable};
use thiserror::Error;

use super::journal::{Archive, JournalError, Layout, OutputError};
use super::mistakes::Assessments;
use super::record::{FinishedGame, GameRecord};
use super::standings::Standings;

/// What a report looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    /// Tables for a terminal of so many columns.
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
}

/// What a report is about: games, and what their moves were worth if they were judged.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub archive: &'a Archive,
    pub assessments: Option<&'a Assessments>,
}

impl Subject<'_> {
    /// Adds a game of the archive to standings.
    fn count(self, game: &FinishedGame, standings: &mut Standings) {
        standings.add(&game.record, &game.times.move_us);
        let found = self.assessments.and_then(|assessments| assessments.game(game.record.fixture.game));
        if let Some(assessment) = found {
            standings.add_assessment(&game.record, assessment);
        }
    }
}

/// Counts the games of an archive.
///
/// # Errors
/// A game cannot be read.
pub(crate) fn standings(subject: Subject<'_>) -> Result<Standings, JournalError> {
    let mut standings = Standings::new(&subject.archive.header);
    for game in subject.archive.games()? {
        subject.count(&game?, &mut standings);
    }
    Ok(standings)
}

/// Writes a report into a file, which is replaced only when the report is complete.
///
/// # Errors
/// The journal cannot be read or the file not be written.
pub(crate) fn write_file(subject: Subject<'_>, format: ReportFormat, path: &Path) -> Result<(), ReportError> {
    write_into(&subject.archive.layout, path, |out| write(subject, format, out))
}

fn write_into(
    layout: &Layout,
    path: &Path,
    write: impl FnOnce(&mut NewFile) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let mut file = layout.open_output(path, NewFile::create)?;
    let written = write(&mut file).and_then(|()| Ok(file.commit()?));
    written.map_err(|error| match error {
        ReportError::Output(error) => OutputError::at(path)(error).into(),
        other => other,
    })
}

/// Writes a report about everything that a journal holds.
///
/// # Errors
/// The journal cannot be read or the output not be written.
pub(crate) fn write(subject: Subject<'_>, format: ReportFormat, out: &mut dyn Write) -> Result<(), ReportError> {
    let Subject { archive, assessments } = subject;
    match format {
        ReportFormat::Text { columns } => {
            out.write_all(text::render(archive, &standings(subject)?.summary(), columns).as_bytes())?;
        }
        ReportFormat::Json => json::write(archive, &standings(subject)?.summary(), out)?,
        ReportFormat::Csv => {
            csv::write_head(assessments, out)?;
            each_game(archive, |replays, game| csv::write_game(replays, assessments, game, out))?;
        }
        ReportFormat::Pgn => each_game(archive, |replays, game| pgn::write_game(replays, game, out))?,
        ReportFormat::Html => html::write(subject, usize::MAX, out)?,
    }
    out.flush()?;
    Ok(())
}

/// For [`write_all`]: of more games than these it writes only a page, with the first ones on its board: the files of
/// all games would be hundreds of megabytes that nobody has asked for.
pub(crate) const MANY_GAMES: usize = 20_000;

/// Writes `report.html` and `games.pgn` into the results directory of an archive, side by side; of more than `most`
/// games only the page.
///
/// # Errors
/// The journal cannot be read or a file not be written; the other files are written all the same.
pub(crate) fn write_all(subject: Subject<'_>, most: usize) -> Result<(), ReportError> {
    let archive = subject.archive;
    if archive.len() > most {
        return write_into(&archive.layout, &archive.dir().join("report.html"), |out| html::write(subject, most, out));
    }
    let files = [("report.html", ReportFormat::Html), ("games.pgn", ReportFormat::Pgn)];
    let write_one = |(name, format)| write_file(subject, format, &archive.dir().join(name));
    thread::scope(|scope| {
        let writers = files.map(|file| scope.spawn(move || write_one(file)));
        let written = writers.map(|writer| writer.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        written.into_iter().collect()
    })
}

fn each_game(
    archive: &Archive,
    mut write: impl FnMut(&mut Replays<'_>, &FinishedGame) -> io::Result<()>,
) -> Result<(), ReportError> {
    let mut replays = Replays::new(&archive.header);
    for game in archive.games()? {
        write(&mut replays, &game?)?;
    }
    Ok(())
}

/// The points of both seats as PGN writes them, seat 0 first: `1-0`, `0-1`, `1/2-1/2`.
fn result_text(record: &GameRecord) -> &'static str {
    match record.ending.winner {
        None => "1/2-1/2",
        Some(0) => "1-0",
        Some(_) => "0-1",
    }
}
