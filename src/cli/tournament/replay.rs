//! `reynard tournament replay`: a game of a journal, ply by ply.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;

use super::results;
use crate::cli::exit::{Status, UsageError};
use crate::tournament::journal::Archive;
use crate::tournament::pgn::tags;
use crate::tournament::record::{FinishedGame, PlayedMove, Variation};
use crate::tournament::report::Replay;

/// Show a game ply by ply: the board after each move and what the engine said.
///
/// Games count from 0, as in the journal and in all reports. At a terminal Enter goes on, b goes back, a number goes to
/// that ply and q ends; otherwise the whole game is printed.
#[derive(Args)]
pub(super) struct ReplayArgs {
    /// Directory of the results
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of the game, from 0
    #[arg(value_name = "GAME")]
    game: u64,
    /// Begin after this ply; without a terminal show only this one
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
}

pub(super) fn run(args: &ReplayArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let archive = results::read(&args.dir)?;
    let game = find(&archive, args.game)?;
    let mut viewer = GameViewer::new(&archive, &game);
    let plies = viewer.texts.len();
    if let Some(ply) = args.ply.filter(|&ply| ply > plies) {
        return Err(UsageError(format!("--ply {ply}: game {} has {plies} plies", args.game)).into());
    }
    for (name, value) in tags(&archive.header, &game) {
        writeln!(out, "{name:<14} {value}")?;
    }
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        viewer.step_through(args.ply.unwrap_or(0), &mut io::stdin().lock(), out)?;
    } else {
        let wanted = args.ply.map_or(0..=plies, |ply| ply..=ply);
        wanted.into_iter().try_for_each(|ply| viewer.show(ply, out))?;
    }
    Ok(Status::Done)
}

/// # Errors
/// There is no such game, or it cannot be read.
pub(in crate::cli) fn find(archive: &Archive, number: u64) -> anyhow::Result<FinishedGame> {
    if let Some(game) = archive.game(number)? {
        return Ok(game);
    }
    let (first, last) = (archive.numbers().next(), archive.numbers().last());
    let known = match first.zip(last) {
        Some((first, last)) => format!("it has {} games with numbers from {first} to {last}", archive.len()),
        None => "it has no games yet".to_owned(),
    };
    Err(UsageError(format!("game {number} is not in the journal; {known}")).into())
}

/// A game and the board on which it is shown.
struct GameViewer<'a> {
    game: &'a FinishedGame,
    texts: Vec<&'a str>,
    /// The ruleset's name of the side that made each move.
    sides: Vec<String>,
    replay: Option<Replay>,
}

impl<'a> GameViewer<'a> {
    fn new(archive: &Archive, game: &'a FinishedGame) -> Self {
        let ruleset = archive.header.rulesets.get(game.record.fixture.ruleset);
        let mut replay = ruleset.map(Replay::new);
        let movers = replay.as_mut().map(|replay| replay.movers(&game.record)).unwrap_or_default();
        let side = |&seat: &Option<u8>| {
            let Some(seat) = seat else { return "dice".to_owned() };
            let known = ruleset.and_then(|ruleset| ruleset.seats.get(usize::from(seat)));
            known.map_or_else(|| format!("p{}", seat + 1), |seat| seat.name.clone())
        };
        GameViewer { game, texts: game.record.texts().collect(), sides: movers.iter().map(side).collect(), replay }
    }

    fn show(&mut self, ply: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{}", self.caption(ply))?;
        match self.board(ply) {
            Some(board) => writeln!(out, "{board}")?,
            None if ply == 0 => writeln!(out, "(no board: the rules of this game are not in the journal)")?,
            None => {}
        }
        if ply == self.texts.len() {
            writeln!(out, "End: {}", self.game.record.ending.reason)?;
        }
        Ok(())
    }

    /// `Ply 12: geese a4a5  score +0.31  depth 8  nodes 1024  0.012 s`.
    fn caption(&self, ply: usize) -> String {
        let Some(index) = ply.checked_sub(1) else { return "Ply 0: the start".to_owned() };
        let side = self.sides.get(index).map_or("", String::as_str);
        let head = format!("Ply {ply}: {side} {}", self.texts[index]);
        match index.checked_sub(self.game.record.opening.moves.len()) {
            None => head + "  (opening)",
            Some(played) => head + &self.opinion(played, &self.game.record.moves[played]),
        }
    }

    fn opinion(&self, played: usize, mv: &PlayedMove) -> String {
        let opinion = mv.opinion();
        let us = self.game.times.move_us.get(played);
        let parts = [
            opinion.score.map(|score| format!("score {score}")),
            opinion.depth.map(|depth| format!("depth {depth}")),
            opinion.nodes.map(|nodes| format!("nodes {nodes}")),
            us.map(|&us| format!("{:.3} s", us as f64 / 1e6)),
            mv.variation().map(|Variation(_, pv)| format!("pv {pv}")),
        ];
        parts.into_iter().flatten().map(|part| format!("  {part}")).collect()
    }

    fn board(&mut self, ply: usize) -> Option<String> {
        let session = self.replay.as_mut()?.after(&self.game.record, &self.texts[..ply])?;
        Some(format!("\n{}\n\n{}", session.draw().trim_end(), session.position_text()))
    }

    fn step_through(&mut self, from: usize, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let mut ply = from;
        loop {
            self.show(ply, out)?;
            write!(out, "[{ply}/{}] Enter: on, b: back, a number, q: end > ", self.texts.len())?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return writeln!(out);
            }
            ply = match line.trim() {
                "q" => return Ok(()),
                "" if ply == self.texts.len() => return Ok(()),
                "" => ply + 1,
                "b" => ply.saturating_sub(1),
                word => word.parse().ok().filter(|&wanted| wanted <= self.texts.len()).unwrap_or(ply),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::report::tests::samples;

    #[test]
    fn enter_goes_on_b_goes_back_and_q_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        samples::write(folder.path(), &["masters-15"], 2);
        let archive = Archive::read(folder.path()).expect("a journal");
        let game = archive.game(0).expect("a readable game").expect("game 0");
        let mut viewer = GameViewer::new(&archive, &game);
        let mut out = Vec::new();
        viewer.step_through(0, &mut "\n\nb\n3\nnonsense\nq\nnever read".as_bytes(), &mut out).expect("steps");
        let text = String::from_utf8(out).expect("text");
        let seen: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Ply ")?.split(':').next()).collect();
        assert_eq!(seen, ["0", "1", "2", "1", "3", "3"]);
    }
}
