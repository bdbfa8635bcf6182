//! From the result of a subcommand to the exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use reynard_engine::session::options_file::OptionsFileError;
use reynard_engine::session::registry::OpenError;
use reynard_engine::session::{OptionError, SetupError};
use reynard_engine::tablebase::TableError;
use thiserror::Error;

use super::output::escaped;
use crate::tournament::director::DirectorError;
use crate::tournament::journal::{JournalError, OutputError};
use crate::tournament::mistakes::MistakesError;
use crate::tournament::player::PreflightError;
use crate::tournament::report::ReportError;
use crate::tournament::ruleset::RulesetError;
use crate::tournament::runner::RunError;
use crate::tournament::schedule::ScheduleError;
use crate::tournament::spec::SpecError;
use crate::tournament::tables::TablesError;

const NEGATIVE: u8 = 1;
pub(super) const USAGE: u8 = 2;
const INTERNAL: u8 = 3;

/// The answer of a subcommand that worked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Done,
    /// The question was understood and the answer is no.
    Negative,
}

/// Something that the caller has to write differently.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UsageError(pub String);

/// Reports an error on standard error and picks the exit code.
pub(super) fn code(result: anyhow::Result<Status>) -> ExitCode {
    match result {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Negative) => ExitCode::from(NEGATIVE),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(if is_usage(&error) {
                USAGE
            } else if error.downcast_ref().is_some_and(TableError::is_of_table)
                || matches!(error.downcast_ref(), Some(ReportError::Stopped))
            {
                NEGATIVE
            } else {
                INTERNAL
            })
        }
    }
}

/// The error behind the end of a run, by which the exit code is chosen.
pub(super) fn of_run(error: RunError<DirectorError>) -> anyhow::Error {
    match error {
        RunError::Director(DirectorError::Journal(error)) => error.into(),
        RunError::Director(DirectorError::Output(error)) => error.into(),
        RunError::Director(DirectorError::Tables(error)) => error.into(),
        other => anyhow::Error::msg(other.to_string()),
    }
}

/// An error or a warning on standard error.
pub(super) fn complain(error: &dyn Display) {
    announce(&format!("reynard: {}", escaped(&format!("{error:#}"))));
}

/// Writes a line on standard error, if it is open. It goes out in one piece: other threads may write to the same pipe.
pub(super) fn announce(line: &str) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Whether the reader of our output has gone away, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<UsageError>()
        || error.is::<OpenError>()
        || error.is::<OptionError>()
        || error.is::<OptionsFileError>()
        || error.is::<RulesetError>()
        || error.is::<ScheduleError>()
        || error.is::<SetupError>()
        || error.is::<SpecError>()
        || error.downcast_ref().is_some_and(JournalError::is_usage)
        || error.downcast_ref().is_some_and(OutputError::is_usage)
        || error.downcast_ref().is_some_and(ReportError::is_usage)
        || error.downcast_ref().is_some_and(MistakesError::is_usage)
        || error.downcast_ref().is_some_and(TablesError::is_usage)
        || matches!(error.downcast_ref(), Some(PreflightError::Refused { .. }))
        || matches!(error.downcast_ref(), Some(TableError::Refused(_) | TableError::NoFolder(_)))
}
