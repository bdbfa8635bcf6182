//! `reynard play`: a game against the engine in the terminal.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use clap::Args;
use crossbeam_channel::unbounded;

use super::exit::{UsageError, Verdict};
use super::ruleset::RulesetArgs;
use crate::engine::{Event, GoRequest, InfoLine, Options, Session, registry};
use crate::rules::{Outcome, Seat, Turn};

/// Play a game against the engine in the terminal.
///
/// Type a move as two points, d4d5, or as the numbers of the old rule sheets, 17-10; type `help` to see what else
/// there is. Without --side you play the side that acts first.
#[derive(Args)]
pub struct PlayArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Your side: fox or geese (or what the game calls them, such as officers and attackers)
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Seconds that the engine thinks about a move
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    time: Duration,
    /// An option of the engine, for example --option Searcher=mcts; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
}

const HELP: &str = "\
moves   list your legal moves
hint    let the engine suggest one
undo    take back your last move and the answer to it
board   draw the board again
help    this list
quit    leave the game";

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let refuse = || "expected seconds, more than 0 and at most 86400, for example 0.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| refuse())?;
    if seconds > 0.0 && seconds <= 86_400.0 { Ok(Duration::from_secs_f64(seconds)) } else { Err(refuse()) }
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, for example Searcher=mcts")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let session = args.ruleset.open()?;
    let mut options = registry::default_options();
    for (name, value) in &args.option {
        options.set(name, Some(value))?;
    }
    let person = seat_of(&*session, args.side.as_deref())?;
    let mut game = Parlour { session, options, person, time: args.time, out };
    game.welcome()?;
    game.play(&mut io::stdin().lock())?;
    Ok(Verdict::Done)
}

/// The seat that a person's word for a side means.
fn seat_of(session: &dyn Session, side: Option<&str>) -> Result<Seat, UsageError> {
    let Some(side) = side else { return Ok(Seat::P1) };
    let seats = || (0..session.seats()).map(|seat| Seat(seat as u8));
    let is_meant = |seat: &Seat| {
        [session.seat_name(*seat), session.role(*seat)].iter().any(|name| name.eq_ignore_ascii_case(side))
    };
    seats().find(is_meant).ok_or_else(|| {
        let names: Vec<&str> = seats().map(|seat| session.seat_name(seat)).collect();
        UsageError(format!("--side '{side}': expected {}", names.join(" or ")))
    })
}

/// What to do after a line.
#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// A person at the board.
struct Parlour<'a> {
    session: Box<dyn Session>,
    options: Options,
    person: Seat,
    /// For every move of the engine.
    time: Duration,
    out: &'a mut dyn Write,
}

impl Parlour<'_> {
    fn welcome(&mut self) -> io::Result<()> {
        let own = self.session.seat_name(self.person).to_owned();
        let name = self.session.ruleset().to_owned();
        let part = if self.session.seats() == 1 { "alone".to_owned() } else { format!("the {own}") };
        writeln!(self.out, "{name}: you play {part}. Type a move, or 'help'.")
    }

    fn play(&mut self, input: &mut dyn BufRead) -> anyhow::Result<()> {
        self.draw()?;
        loop {
            match self.session.turn() {
                Turn::Over(outcome) => return Ok(self.announce(outcome)?),
                Turn::Player(seat) if seat == self.person => {
                    if self.ask(input)? == Flow::Quit {
                        return Ok(());
                    }
                }
                _ => self.answer()?,
            }
        }
    }

    /// Shows the prompt and handles one line of the person.
    fn ask(&mut self, input: &mut dyn BufRead) -> anyhow::Result<Flow> {
        write!(self.out, "{}> ", self.session.seat_name(self.person))?;
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
        writeln!(self.out, "A move is typed as 'moves' lists it, for example {example}.{board}\n{HELP}")
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
        match self.think()? {
            Some((text, line)) => writeln!(self.out, "Try {text} ({})", opinion(line.as_ref()))?,
            None => writeln!(self.out, "There is nothing to suggest.")?,
        }
        Ok(())
    }

    /// The engine's turn.
    fn answer(&mut self) -> anyhow::Result<()> {
        writeln!(self.out, "The engine thinks ...")?;
        self.out.flush()?;
        let Some((text, line)) = self.think()? else { anyhow::bail!("the engine found no move") };
        self.session.play(&text)?;
        writeln!(self.out, "The engine plays {text} ({})", opinion(line.as_ref()))?;
        self.draw()
    }

    /// The engine's choice in the present position with what it thinks of it.
    fn think(&mut self) -> anyhow::Result<Option<(String, Option<InfoLine>)>> {
        let (sender, events) = unbounded();
        let sink = Box::new(move |event| {
            // The receiver lives until the search is over.
            let _ = sender.send(event);
        });
        self.session.start(&GoRequest::move_time(self.time), &self.options, sink)?;
        let mut last = None;
        for event in events {
            match event {
                Event::Info(info) => last = info.lines.into_iter().next(),
                Event::Done(answer) => {
                    self.session.wait();
                    return Ok(answer.best.map(|text| (text, last)));
                }
                _ => {}
            }
        }
        anyhow::bail!("the search ended without an answer")
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        writeln!(self.out, "\n{}\n", self.session.draw().trim_end())?;
        self.out.flush()?;
        Ok(())
    }

    fn announce(&mut self, outcome: Outcome) -> io::Result<()> {
        let result = match outcome.winner {
            None => "The game is drawn".to_owned(),
            Some(seat) if seat == self.person => "You win".to_owned(),
            Some(_) => "You lose".to_owned(),
        };
        writeln!(self.out, "{result}: {}.", outcome.reason)
    }
}

/// A score in words, for the side that is to move.
fn opinion(line: Option<&InfoLine>) -> String {
    let Some(line) = line else { return "no opinion".to_owned() };
    match line.score.plies_to_end() {
        Some(plies) if plies > 0 => format!("wins within {plies} plies"),
        Some(plies) => format!("lost within {} plies", -plies),
        None => {
            let [win, draw, loss] = line.wdl.0.map(|chance| (chance + 5) / 10);
            format!("its uncalibrated estimate: win {win} %, draw {draw} %, loss {loss} %")
        }
    }
}
