//! Plays the games of a match and tells of each as soon as it is over.

use std::fs::File;
use std::io::Write;

use super::report;
use crate::cli::live::write_finished;
use crate::tournament::director::decided_pairs;
use crate::tournament::fixture::Next;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::Journal;
use crate::tournament::mistakes::Assessor;
use crate::tournament::record::FinishedGame;
use crate::tournament::report::{LineStyle, Replays, write_pgn_game};
use crate::tournament::runner::Director;
use crate::tournament::standings::Standings;

pub(super) struct MatchDirector<'a, F> {
    pub(super) header: &'a JournalHeader,
    pub(super) fixtures: F,
    pub(super) standings: Standings,
    /// Counts mistakes.
    pub(super) assessor: Option<Assessor>,
    pub(super) journal: Option<Journal>,
    pub(super) pgn: Option<(File, Replays<'a>)>,
    pub(super) game_lines: Option<LineStyle>,
    pub(super) out: &'a mut dyn Write,
}

impl<F: Iterator<Item = Next>> Director for MatchDirector<'_, F> {
    type Error = anyhow::Error;

    fn next(&mut self) -> Next {
        match decided_pairs(&self.standings, self.header) {
            Some(_) => Next::End,
            None => self.fixtures.next().unwrap_or(Next::End),
        }
    }

    fn finished(&mut self, games: Vec<FinishedGame>) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.append(&games)?;
        }
        games.iter().try_for_each(|game| self.take(game))
    }
}

impl<F> MatchDirector<'_, F> {
    fn take(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let record = &game.record;
        self.standings.add(record, &game.times.move_us);
        let assessment = self.assessor.as_mut().map(|assessor| assessor.assess(record)).transpose()?.flatten();
        if let Some(assessment) = assessment {
            self.standings.add_assessment(record, &assessment);
        }
        if let Some((file, replays)) = &mut self.pgn {
            let mut text = Vec::new();
            write_pgn_game(replays, game, &mut text)?;
            file.write_all(&text)?;
        }
        match self.game_lines {
            None => {}
            Some(LineStyle::Plain) => report::tell(record, self.standings.engines(), self.out)?,
            Some(LineStyle::Cutechess) => write_finished(record, &self.standings, self.out)?,
        }
        Ok(())
    }
}
