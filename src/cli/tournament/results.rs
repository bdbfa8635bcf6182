//! Results directories: reads them with warnings of what is not as it should be, and writes at the end of a run or a
//! merge what people read.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use reynard_engine::files;

use super::run_args::program_name;
use crate::cli::exit::{Status, announce, complain};
use crate::cli::live::{LiveView, Unit};
use crate::cli::output::{lines_of_words, quoted};
use crate::tournament::journal::{Archive, JournalError, Layout};
use crate::tournament::mistakes::Assessor;
use crate::tournament::report::{
    self, LineStyle, MANY_GAMES, ReportError, Subject, forfeit_counts, score_lines, warnings,
};
use crate::tournament::spec::{self, Change};
use crate::tournament::standings::{Standings, Summary};
use crate::tournament::tables::TablesError;

/// See [`Archive::read`].
///
/// # Errors
/// Those of [`Archive::read`].
pub(in crate::cli) fn read(dir: &Path) -> Result<Archive, JournalError> {
    Archive::read(dir).inspect(warn)
}

/// See [`Archive::join`].
///
/// # Errors
/// Those of [`Archive::join`].
pub(super) fn join<'a>(first: &Path, others: impl IntoIterator<Item = &'a Path>) -> Result<Archive, JournalError> {
    Archive::join(first, others).inspect(warn)
}

/// Tells of a torn journal, whose last game does not count, and of times that cannot be read.
pub(super) fn warn(archive: &Archive) {
    for part in &archive.parts {
        if part.is_torn() {
            let path = part.layout.journal();
            complain(&format!(
                "warning: {}: the last line is incomplete and does not count; with --resume its game is played again",
                path.display()
            ));
        }
        if let Some(first) = part.damaged_times().first() {
            let (path, lines) = (part.layout.times(), part.damaged_times().len());
            complain(&format!(
                "warning: {}: {lines} damaged line(s), the first is line {first}; the times of those games are not known",
                path.display()
            ));
        }
    }
}

/// Keeps the spec as its author wrote it, for people; the journal has its own account of it.
///
/// # Errors
/// It cannot be read or written.
pub(super) fn keep_spec(spec: &Path, changes: &[Change], layout: &Layout) -> anyhow::Result<()> {
    let path = layout.spec();
    let text = spec::text(spec, changes)?;
    files::write(&path, text.as_bytes()).with_context(|| path.display().to_string())
}

/// Writes the reports of a journal that is as complete as it gets, and prints the last lines. A report that cannot be
/// written, or is given up, does not keep the result from being printed; the standings then have it. Where the files
/// are is said on standard error, unless `is_quiet`.
///
/// # Errors
/// The journal or a table cannot be read, a report cannot be written, or the output is closed.
pub(super) fn close(
    subject: Subject<'_>,
    standings: &Standings,
    style: LineStyle,
    is_quiet: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Status> {
    let archive = subject.archive;
    // Games beyond the decision of a test are in the standings alone.
    let known = Some(standings).filter(|standings| standings.games() == archive.len() as u64);
    let subject = Subject { known, ..subject };
    tell_of_work(archive);
    match report::write_all(subject, MANY_GAMES) {
        Ok((summary, written)) => {
            print(&summary, style, out)?;
            written?;
            if !is_quiet {
                files(archive.layout().dir(), archive.len()).iter().for_each(|line| announce(line));
            }
            Ok(Status::Done)
        }
        Err(ReportError::Stopped) => {
            print(&standings.summary(), style, out)?;
            tell_how_to_report(archive.layout().dir());
            Ok(Status::Negative)
        }
        Err(error) => {
            print(&standings.summary(), style, out)?;
            Err(error.into())
        }
    }
}

/// What a report is about: the games of an archive, judged by the tables in a folder if there is one. Shows on standard
/// error how many have been read, unless `is_quiet`, and gives up as soon as `is_stopped`.
///
/// # Errors
/// There are no such tables.
pub(in crate::cli) fn subject<'a>(
    archive: &'a Archive,
    tables: Option<&Path>,
    is_quiet: bool,
    is_stopped: impl Fn() -> bool + 'a,
) -> Result<Subject<'a>, TablesError> {
    let assessor = tables.map(|folder| Assessor::new(&archive.header, folder)).transpose()?;
    let mut view = LiveView::new(Unit::Games, Some(archive.len() as u64), 0, is_quiet);
    let goes_on = move |done| {
        view.advance(done, || "in the report".to_owned());
        !is_stopped()
    };
    Ok(Subject { archive, known: None, assessor, goes_on: Box::new(goes_on) })
}

/// Says on standard error which command writes the reports of a results directory that has none.
pub(in crate::cli) fn tell_how_to_report(dir: &Path) {
    complain(&"the games are journaled, the report is not written; this writes it:");
    announce(&report_command(dir, "html", "report.html"));
}

/// The command that writes a report of this format into a results directory.
fn report_command(dir: &Path, format: &str, name: &str) -> String {
    let [dir, file] = [dir.to_owned(), dir.join(name)].map(|path| quoted(&path.display().to_string()));
    format!("{} tournament report {dir} --format {format} --output {file}", quoted(&program_name()))
}

/// Where the results of so many games are.
fn files(dir: &Path, games: usize) -> Vec<String> {
    let files = [("Report: ", "report.html"), ("Games:  ", "games.pgn"), ("Journal:", "journal.jsonl")];
    // Of many games none is written: what is there is older.
    let is_ours = |name| name != "games.pgn" || games <= MANY_GAMES;
    let files = files.into_iter().filter(|&(_, name)| is_ours(name)).map(|(what, name)| (what, dir.join(name)));
    let there = files.filter(|(_, path)| path.exists());
    there.map(|(what, path)| format!("{what} {}", quoted(&path.display().to_string()))).collect()
}

fn tell_of_work(archive: &Archive) {
    let games = archive.len();
    if games > MANY_GAMES {
        complain(&format!(
            "writing the report of {games} games, the first {MANY_GAMES} playable. A file of all of them is written by\n{}",
            report_command(archive.layout().dir(), "pgn", "games.pgn")
        ));
    }
}

/// Prints the last lines; on standard error how many games were forfeited and, where programs read the lines, the
/// warnings. The test of a shard is left out: the shards decide it together.
pub(super) fn print(summary: &Summary, style: LineStyle, out: &mut dyn Write) -> io::Result<()> {
    for line in score_lines(summary, style) {
        write!(out, "{}", lines_of_words(&line))?;
    }
    if style == LineStyle::Cutechess {
        warnings(summary).iter().for_each(|warning| complain(&format!("warning: {warning}")));
    }
    if let Some(counts) = forfeit_counts(summary) {
        complain(&format!("forfeits: {counts}"));
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::report::tests::samples;

    #[test]
    fn a_run_that_is_stopped_while_it_closes_prints_its_result_and_leaves_no_report() {
        let folder = tempfile::tempdir().expect("a folder");
        samples::write(folder.path(), &["masters-15"], 4);
        let archive = Archive::read(folder.path()).expect("a journal");
        let mut standings = Standings::new(&archive.header);
        archive.games().for_each(|game| standings.add(&game.expect("a game").record, &[]));
        let close = |is_stopped| {
            let (mut out, style) = (Vec::new(), LineStyle::Plain);
            let subject = subject(&archive, None, true, move || is_stopped).expect("no tables");
            let status = close(subject, &standings, style, true, &mut out).expect("a result");
            (status, String::from_utf8(out).expect("text"))
        };
        let (status, stopped) = close(true);
        assert!(status == Status::Negative && !folder.path().join("report.html").exists());
        let (status, closed) = close(false);
        assert!(status == Status::Done && folder.path().join("report.html").exists());
        assert!(stopped == closed && closed.starts_with("Score of "), "{stopped}\n{closed}");
        let [few, many] = [MANY_GAMES, MANY_GAMES + 1].map(|games| files(folder.path(), games).join(" "));
        assert!(few.contains("games.pgn") && !many.contains("games.pgn") && many.contains("report.html"), "{many}");
        // What stands in the journal is not what was read: there is no report, but a result.
        std::fs::write(archive.layout().journal(), "").expect("a journal");
        let (mut out, subject) = (Vec::new(), subject(&archive, None, true, || false).expect("no tables"));
        assert!(super::close(subject, &standings, LineStyle::Plain, true, &mut out).is_err());
        assert_eq!(String::from_utf8(out).expect("text"), closed);
    }
}
