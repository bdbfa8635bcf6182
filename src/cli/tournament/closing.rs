//! Ends a run or a merge: writes the reports of its journal and prints the last lines.

use std::io::{self, Write};
use std::path::Path;

use super::results;
use super::run_args::quoted;
use crate::cli::exit::{announce, complain};
use crate::cli::output::lines_of_words;
use crate::tournament::journal::Archive;
use crate::tournament::mistakes::Assessments;
use crate::tournament::report::{self, LineStyle, Subject, forfeit_counts, score_lines, warnings};
use crate::tournament::standings::Summary;

/// Writes the reports of a journal that is as complete as it gets, and prints the last lines. A report that cannot be
/// written does not keep the result from being printed. Moves are judged by the tables in the folder, if there is one.
///
/// # Errors
/// The journal or a table cannot be read, a report cannot be written, or the output is closed.
pub(super) fn close(dir: &Path, tables: Option<&Path>, style: LineStyle, out: &mut dyn Write) -> anyhow::Result<()> {
    let archive = results::read(dir)?;
    tell_of_work(&archive);
    let assessments = tables.map(|folder| Assessments::of(&archive, folder)).transpose()?;
    let subject = Subject { archive: &archive, assessments: assessments.as_ref() };
    let (summary, written) = report::write_all(subject, report::MANY_GAMES)?;
    print(&summary, style, out)?;
    Ok(written?)
}

/// Says on standard error where the results are.
pub(super) fn tell_files(dir: &Path) {
    let there = |names: &[&str]| {
        let paths = names.iter().map(|name| dir.join(name)).filter(|path| path.exists());
        paths.map(|path| quoted(&path.display().to_string())).collect::<Vec<_>>().join("  ")
    };
    for (what, names) in
        [("Report: ", &["report.html"][..]), ("Games:  ", &["games.pgn"]), ("Journal:", &["journal.jsonl"])]
    {
        let paths = there(names);
        if !paths.is_empty() {
            announce(&format!("{what} {paths}"));
        }
    }
}

/// So many games take long enough to write that one should know what is going on.
const WORTH_A_WORD: usize = 5_000;

fn tell_of_work(archive: &Archive) {
    let (games, dir) = (archive.len(), archive.dir().display());
    if games > report::MANY_GAMES {
        let dir = quoted(&dir.to_string());
        complain(&format!(
            "writing the report of {games} games, the first {} playable. A file of all of them is written by\n\
             reynard tournament report {dir} --format pgn --output {dir}/games.pgn",
            report::MANY_GAMES
        ));
    } else if games > WORTH_A_WORD {
        complain(&format!("writing the reports of {games} games"));
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
