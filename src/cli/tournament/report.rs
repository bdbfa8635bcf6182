//! `reynard tournament report`: what a results directory says.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::results;
use crate::cli::exit::Status;
use crate::cli::output;
use crate::tournament::mistakes::Assessments;
use crate::tournament::report::{self, ReportError, ReportFormat, Subject};

/// Show the results of a tournament, finished or not.
///
/// The journal is only read, so that this works while the games are played.
#[derive(Args)]
pub(super) struct ReportArgs {
    /// Directory of the results
    #[arg(value_name = "DIR")]
    dir: PathBuf,
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
    let archive = results::read(&args.dir)?;
    let assessments = args.tables.as_ref().map(|folder| Assessments::of(&archive, folder)).transpose()?;
    let subject = Subject { archive: &archive, assessments: assessments.as_ref() };
    match &args.output {
        None => report::write(subject, args.format.format(output::columns()), out).map_err(output_error)?,
        Some(path) => report::write_file(subject, args.format.format(output::PIPED_COLUMNS), path)?,
    }
    Ok(Status::Done)
}

/// Whoever closed our output is told apart from a failure by the type of the error.
fn output_error(error: ReportError) -> anyhow::Error {
    match error {
        ReportError::Output(error) => error.into(),
        ReportError::Json(error) => io::Error::from(error).into(),
        other => other.into(),
    }
}
