//! What is done when a journal is as complete as it gets: the table, the reports, the last lines.

use std::io::{self, Write};
use std::path::Path;

use crate::tournament::header::Header;
use crate::tournament::journal::{Archive, JournalError};
use crate::tournament::standings::{Standings, score_lines};

/// Counts a journal from its beginning.
///
/// # Errors
/// The journal cannot be read.
pub fn standings_of(archive: &Archive) -> Result<Standings, JournalError> {
    let mut standings = Standings::new(&archive.header);
    for game in archive.games()? {
        let game = game?;
        standings.add(&game.record, game.times.as_ref());
    }
    Ok(standings)
}

/// Prints the last lines of a run or a merger, from what is in the journal.
///
/// # Errors
/// The journal cannot be read, or the output is closed.
pub fn close(dir: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let archive = Archive::read(dir)?;
    let standings = standings_of(&archive)?;
    print(&standings, &archive.header, out)?;
    Ok(())
}

/// The test of a shard is not told: the shards decide it together.
pub fn print(standings: &Standings, header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let test = standings.sprt().filter(|_| header.shard.is_none()).map(|test| test.spec());
    for line in score_lines(standings, test) {
        writeln!(out, "{line}")?;
    }
    out.flush()
}
