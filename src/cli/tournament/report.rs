//! `reynard tournament report`: what a results directory says.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::results;
use crate::cli::exit::Status;
use crate::cli::{interrupt, output};
use crate::tournament::report::{self, ReportError, ReportFormat};

/// Show the results of a tournament, finished or not.
///
/// The journal is only read, so that this works while the games are played.
#[derive(Args)]
pub(super) struct ReportArgs {
    /// Directory of the results; of several, which hold parts of one tournament, the report is that of the whole
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t = FormatName::Text)]
    format: FormatName,
    /// A file for the report instead of standard output; it is replaced only when the report is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Folder of tables of perfect play, by which mistakes and conversions are counted
    ///
    /// Text, JSON and HTML then have the moves that gave away game value and what became of won games, by engine and
    /// side; CSV has them by game.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FormatName {
    /// Tables for the terminal
    Text,
    /// All figures as one JSON object
    Json,
    /// A line for every game
    Csv,
    /// One file for the browser, every game playable on a board
    Html,
    /// The games with tags and comments
    Pgn,
}

impl FormatName {
    fn format(self, columns: usize) -> ReportFormat {
        match self {
            FormatName::Text => ReportFormat::Text { columns },
            FormatName::Json => ReportFormat::Json,
            FormatName::Csv => ReportFormat::Csv,
            FormatName::Html => ReportFormat::Html,
            FormatName::Pgn => ReportFormat::Pgn,
        }
    }
}

pub(super) fn run(args: &ReportArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let stop = interrupt::flag()?;
    let (first, others) = args.dirs.split_first().context("no results directory")?;
    let archive = match others {
        [] => results::read(first)?,
        others => results::join(first, others.iter().map(PathBuf::as_path))?,
    };
    let is_streamed = !matches!(args.format, FormatName::Text | FormatName::Json) && args.output.is_none();
    let is_quiet = is_streamed && io::stdout().is_terminal();
    let subject = results::subject(&archive, args.tables.as_deref(), is_quiet, || stop.load(Ordering::Relaxed))?;
    match &args.output {
        None => report::write(subject, args.format.format(output::columns()), out).map_err(output_error)?,
        Some(path) => report::write_file(subject, args.format.format(output::PIPED_COLUMNS), path)?,
    }
    Ok(Status::Done)
}

/// A closed output is told from a failure by the type of the error.
fn output_error(error: ReportError) -> anyhow::Error {
    match error {
        ReportError::Output(error) => error.into(),
        ReportError::Json(error) => io::Error::from(error).into(),
        other => other.into(),
    }
}
