//! The dialogue of a game in the terminal.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::engine::{GoRequest, Options, SearchSession, search_and_wait};
use crate::protocol::Flow;
use crate::rules::{Outcome, Seat, Turn};
use crate::search::PvLine;

const DICE_HELP: &str = "The dice: press Enter, or type a roll of your own, 6+3.";

const HELP: &str = "\
moves   list your legal moves
hint    let the engine suggest one
undo    take back your last move and the answer to it
board   draw the board again
help    this list
quit    leave the game";

/// A game between a person and the engine.
pub(super) struct TerminalGame<'a> {
    pub(super) session: Box<dyn SearchSession>,
    pub(super) options: Options,
    pub(super) person: Seat,
    pub(super) has_dice: bool,
    /// For every move of the engine.
    pub(super) time: Duration,
    pub(super) out: &'a mut dyn Write,
}

impl TerminalGame<'_> {
    pub(super) fn welcome(&mut self) -> io::Result<()> {
        let own = self.session.seat_name(self.person).to_owned();
        let name = self.session.ruleset().to_owned();
        let part = match self.session.seats() {
            1 => "alone".to_owned(),
            _ if own.ends_with(|last: char| last.is_ascii_digit()) => own,
            _ => format!("the {own}"),
        };
        writeln!(self.out, "{name}: you play {part}. Type a move, or 'help'.")
    }

    pub(super) fn play(&mut self, input: &mut dyn BufRead) -> anyhow::Result<()> {
        self.draw()?;
        loop {
            let flow = match self.session.turn() {
                Turn::Over(outcome) => return Ok(self.announce(outcome)?),
                Turn::Player(seat) if seat == self.person => self.ask(input)?,
                Turn::Chance if self.rolls_for_itself() => self.ask(input)?,
                Turn::Chance => self.roll()?,
                Turn::Player(_) => self.answer()?,
            };
            if flow == Flow::Quit {
                return Ok(());
            }
        }
    }

    /// Whether the dice are the person's; where a game does not say whose they are, the person rolls for all.
    fn rolls_for_itself(&self) -> bool {
        self.session.side_to_move().is_none_or(|seat| seat == self.person)
    }

    /// Shows the prompt and handles one line of the person.
    fn ask(&mut self, input: &mut dyn BufRead) -> anyhow::Result<Flow> {
        let due = if self.session.turn() == Turn::Chance { ", Enter rolls the dice" } else { "" };
        write!(self.out, "{}{due}> ", self.session.seat_name(self.person))?;
        self.out.flush()?;
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out, "\nGood-bye.")?;
            return Ok(Flow::Quit);
        }
        self.obey(String::from_utf8_lossy(&line).trim())
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Flow> {
        match line.to_ascii_lowercase().as_str() {
            "" | "roll" if self.session.turn() == Turn::Chance => return self.roll(),
            "" => {}
            "quit" | "exit" | "q" => return Ok(Flow::Quit),
            "help" | "?" => self.help()?,
            "moves" => writeln!(self.out, "{}", self.sorted_moves().join(" "))?,
            "board" | "d" => self.draw()?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            _ => self.try_move(line)?,
        }
        Ok(Flow::Continue)
    }

    fn sorted_moves(&self) -> Vec<String> {
        let mut moves = self.session.legal_moves();
        moves.sort();
        moves
    }

    fn help(&mut self) -> io::Result<()> {
        let example = self.sorted_moves().into_iter().next().unwrap_or_default();
        let legend = self.session.legend();
        let board = if legend.is_empty() { String::new() } else { format!(" On the board: {legend}.") };
        writeln!(self.out, "A move is typed as 'moves' lists it, for example {example}.{board}")?;
        if self.has_dice {
            writeln!(self.out, "{DICE_HELP}")?;
        }
        writeln!(self.out, "{HELP}")
    }

    fn try_move(&mut self, text: &str) -> anyhow::Result<()> {
        match self.session.play(text) {
            Ok(()) => self.draw()?,
            Err(error) => writeln!(self.out, "{error}. 'moves' lists what you can play.")?,
        }
        Ok(())
    }

    /// Back to the person's turn before, if there was one.
    fn undo(&mut self) -> anyhow::Result<()> {
        let played = self.session.moves();
        while self.session.undo() {
            if self.session.turn() == Turn::Player(self.person) {
                return self.draw();
            }
        }
        played.iter().try_for_each(|text| self.session.play(text))?;
        Ok(writeln!(self.out, "There is no move of yours to take back.")?)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.session.turn() == Turn::Chance {
            return Ok(writeln!(self.out, "The dice are to be rolled: press Enter.")?);
        }
        match self.think()? {
            Some((text, line)) => writeln!(self.out, "Try {text} ({})", self.opinion(line.as_ref()))?,
            None => writeln!(self.out, "There is nothing to suggest.")?,
        }
        Ok(())
    }

    /// Rolls the engine's dice.
    fn roll(&mut self) -> anyhow::Result<Flow> {
        let roller = self.session.side_to_move().map_or("The dice", |seat| self.session.seat_name(seat)).to_owned();
        let Some((roll, _)) = self.think()? else { anyhow::bail!("the dice gave no roll") };
        self.session.play(&roll)?;
        writeln!(self.out, "{roller}: {roll}")?;
        self.draw()?;
        Ok(Flow::Continue)
    }

    /// The turn of the engine, for whichever seat.
    fn answer(&mut self) -> anyhow::Result<Flow> {
        let name = self.engine_name();
        writeln!(self.out, "{name} thinks ...")?;
        self.out.flush()?;
        let Some((text, line)) = self.think()? else { anyhow::bail!("the engine found no move") };
        self.session.play(&text)?;
        writeln!(self.out, "{name} plays {text} ({})", self.opinion(line.as_ref()))?;
        self.draw()?;
        Ok(Flow::Continue)
    }

    /// Where several seats are the engine's, it is called by the one that is to move.
    fn engine_name(&self) -> String {
        match (self.session.turn(), self.session.seats()) {
            (Turn::Player(seat), 3..) => self.session.seat_name(seat).to_owned(),
            _ => "The engine".to_owned(),
        }
    }

    /// The engine's choice in the present position with what it thinks of it.
    fn think(&mut self) -> anyhow::Result<Option<(String, Option<PvLine<String>>)>> {
        let request = GoRequest::move_time(self.time);
        let (info, answer) = search_and_wait(&mut *self.session, &request, &self.options)?;
        let line = info.and_then(|info| info.lines.into_iter().next());
        Ok(answer.map(|answer| (answer.best, line)))
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        writeln!(self.out, "\n{}\n", self.session.draw().trim_end())?;
        self.out.flush()?;
        Ok(())
    }

    fn announce(&mut self, outcome: Outcome) -> io::Result<()> {
        let result = match outcome.winner {
            Some(Seat::P1) if self.session.seats() == 1 => return writeln!(self.out, "Solved."),
            _ if self.session.seats() == 1 => "Not solved".to_owned(),
            None => "The game is drawn".to_owned(),
            Some(seat) if seat == self.person => "You win".to_owned(),
            Some(seat) if self.session.seats() > 2 => format!("{} wins", self.session.seat_name(seat)),
            Some(_) => "You lose".to_owned(),
        };
        writeln!(self.out, "{result}: {}.", self.session.reason().unwrap_or_default())
    }

    /// A score in words, for the side that is to move. Where nobody or hardly anybody draws, a draw counts half.
    fn opinion(&self, line: Option<&PvLine<String>>) -> String {
        let Some(line) = line else { return "no opinion".to_owned() };
        let seats = self.session.seats();
        let [win, draw, loss] = line.wdl.0.map(|chance| (chance + 5) / 10);
        match line.score.plies_to_end() {
            Some(plies) if plies > 0 => format!("wins within {plies} plies"),
            Some(plies) => format!("lost within {} plies", -plies),
            None if line.score.is_loss() => "lost, by the tables".to_owned(),
            None if line.score.is_certain() => "won, by the tables".to_owned(),
            None if seats == 2 && !self.has_dice => {
                format!("its uncalibrated estimate: win {win} %, draw {draw} %, loss {loss} %")
            }
            None => format!("its uncalibrated estimate: {} % to win", (line.wdl.0[0] + line.wdl.0[1] / 2 + 5) / 10),
        }
    }
}
