//! The dialogue of a game in the terminal: commands of the person, turns of the engine, dice, hints, a look back.

use std::io;
use std::path::Path;
use std::time::Duration;

use rand::Rng;
use reynard_engine::protocol::Flow;
use reynard_engine::rules::{Seat, Turn};
use reynard_engine::search::PvLine;
use reynard_engine::session::{GoRequest, Options, Searched, Session, search_and_wait};

use super::score::{Score, lots};
use super::screen::Screen;
use super::{moves, picture, saved, words};
use crate::cli::output::Escaped;
use crate::cli::rules;
use crate::tournament::judge::Judge;

/// The longest review of a whole game; a ply takes up to eleven times as long as the first look at it.
const REVIEW_TIME: Duration = Duration::from_secs(10);
const REVIEW_LOOKS: u32 = 11;
/// The worst moves that a review names.
const MOST_REVIEWED: usize = 3;

/// A game between a person and the engine.
pub(super) struct Dialogue {
    pub(super) session: Box<dyn Session>,
    pub(super) options: Options,
    pub(super) person: Seat,
    pub(super) has_dice: bool,
    /// The time for a move of the engine.
    pub(super) time: Duration,
    pub(super) screen: Screen,
    pub(super) has_resigned: bool,
    /// The end was announced.
    pub(super) has_ended: bool,
    /// The games before this one.
    pub(super) score: Score,
}

impl Dialogue {
    pub(super) fn welcome(&mut self) -> io::Result<()> {
        self.screen.print(&words::greeting(&*self.session, self.person))?;
        let rows = words::introduction(&*self.session, self.person);
        self.screen.print(rules::page(&rows).trim_end())
    }

    /// Draws the person's seat: by the highest throw where there are dice, whose thrower begins and chooses, else by a
    /// coin. Returns false at the end of input.
    pub(super) fn draw_lots(&mut self, rng: &mut impl Rng) -> io::Result<bool> {
        let seats = self.session.game().seats.len() as u8;
        let (words, seat) = lots(seats, self.has_dice, rng);
        self.person = seat;
        words.iter().try_for_each(|words| self.screen.print(words))?;
        let others = if seats == 2 { "p2".to_owned() } else { format!("one of p2 to p{seats}") };
        while self.has_dice && seat == Seat::P1 {
            let line = self.screen.ask(&format!("begin as p1, or be {others}? [p1] "))?;
            let Some(line) = line.filter(|line| line != "quit") else { return Ok(false) };
            let named = |seat: &u8| line.is_empty() && *seat == 0 || line == format!("p{}", seat + 1);
            if let Some(seat) = (0..seats).find(named) {
                self.person = Seat(seat);
                break;
            }
        }
        Ok(true)
    }

    pub(super) fn play(&mut self) -> anyhow::Result<()> {
        self.draw()?;
        loop {
            let flow = match self.session.turn() {
                _ if self.has_resigned => self.close()?,
                Turn::Over(_) => self.close()?,
                Turn::Player(seat) if seat == self.person => self.ask()?,
                Turn::Chance if self.rolls_for_itself() => self.ask()?,
                Turn::Chance => self.roll()?,
                Turn::Player(_) => self.answer()?,
            };
            if flow == Flow::Quit {
                self.book();
                let verdict = self.score.verdict(self.session.game().seats.len());
                return Ok(verdict.map_or(Ok(()), |verdict| self.screen.print(&verdict))?);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.has_resigned || self.session.turn().outcome().is_some()
    }

    /// Whether the dice are the person's; where a game does not say whose they are, the person rolls for all.
    fn rolls_for_itself(&self) -> bool {
        self.session.side_to_move().is_none_or(|seat| seat == self.person)
    }

    /// Announces the end once, and asks how to go on. Where nobody sits at a terminal, the end of input says that it
    /// was all.
    fn close(&mut self) -> anyhow::Result<Flow> {
        if !std::mem::replace(&mut self.has_ended, true) {
            let outcome = self.session.turn().outcome().filter(|_| !self.has_resigned);
            self.screen.print(&words::ending(&*self.session, self.person, outcome))?;
            if self.score.games() > 0 {
                let score = self.score.with(self.result()).words(self.session.game().seats.len());
                self.screen.print(&score)?;
            }
            if self.screen.view.is_terminal {
                self.screen.print(words::AFTER_THE_END)?;
            }
        }
        let prompt = if self.screen.view.is_terminal { "game over> " } else { "" };
        match self.screen.ask(prompt)? {
            Some(line) => self.obey(&line),
            None => Ok(Flow::Quit),
        }
    }

    /// Shows the prompt and handles one line of the person.
    fn ask(&mut self) -> anyhow::Result<Flow> {
        let due = if self.session.turn() == Turn::Chance { ", Enter rolls the dice" } else { "" };
        let prompt = format!("{}{due}> ", self.session.game().seat_name(self.person));
        self.screen.is_read = true;
        match self.screen.ask(&prompt)? {
            Some(line) => self.obey(&line),
            None => {
                self.screen.print("\nGood-bye.")?;
                Ok(Flow::Quit)
            }
        }
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Flow> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("quit" | "exit" | "q", "") => return Ok(Flow::Quit),
            ("help" | "?", "") => self.help()?,
            ("rules", "") => drop(rules::explain(&*self.session, &mut Escaped(io::stdout()))?),
            ("board" | "d", "") => self.draw()?,
            ("flip", "") => self.flip()?,
            ("undo", "") => self.undo()?,
            ("new", "") => self.begin(self.person)?,
            ("rematch", "") => self.begin(Seat((self.person.0 + 1) % self.session.game().seats.len() as u8))?,
            ("save" | "load", "") => self.screen.print(&format!("{word} needs the name of a file."))?,
            ("save", file) => self.save(file)?,
            ("load", file) => self.load(file)?,
            ("review", "") => self.review()?,
            ("", _) if self.is_over() => {}
            _ if self.is_over() => self.screen.print(&format!("The game is over: {}", words::AFTER_THE_END))?,
            ("" | "roll", "") if self.session.turn() == Turn::Chance => return self.roll(),
            ("", _) => {}
            ("resign", "") => self.has_resigned = true,
            ("moves", "") => self.list_moves()?,
            ("hint" | "eval", "") if self.session.turn() == Turn::Chance => {
                self.screen.print("The dice are to be rolled: press Enter.")?;
            }
            ("hint", "") => self.hint()?,
            ("eval", "") => self.eval()?,
            _ => self.try_move(line)?,
        }
        Ok(Flow::Continue)
    }

    fn sorted_moves(&self) -> Vec<String> {
        let mut moves = self.session.legal_moves();
        moves.sort();
        moves
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let moves = self.sorted_moves();
        let texts: Vec<String> = moves.iter().map(|text| words::move_words(text)).collect();
        self.screen.print(&texts.join(if texts == moves { " " } else { "\n" }))
    }

    fn help(&mut self) -> io::Result<()> {
        let example = self.sorted_moves().into_iter().next().unwrap_or_default();
        let legend = picture::legend(&*self.session, self.screen.view);
        let board = if legend.is_empty() { String::new() } else { format!(" On the board: {legend}.") };
        self.screen.print(&format!("A move is typed as 'moves' lists it, for example {example}.{board}"))?;
        if self.session.game().capabilities.pieces.iter().any(|kind| kind.letter.is_some()) {
            self.screen.print(words::POINTS_HELP)?;
        }
        if self.has_dice {
            self.screen.print(words::DICE_HELP)?;
        }
        self.screen.print(words::HELP)
    }

    fn try_move(&mut self, text: &str) -> anyhow::Result<()> {
        match moves::read(&*self.session, text) {
            Ok(text) => {
                self.session.play(&text)?;
                self.draw()
            }
            Err(reason) => Ok(self
                .screen
                .print(&format!("{reason}. 'moves' lists what you can play, 'help' what else there is."))?),
        }
    }

    fn flip(&mut self) -> anyhow::Result<()> {
        self.screen.view.is_flipped = !self.screen.view.is_flipped;
        self.draw()
    }

    /// Back to the person's turn before, if there was one.
    fn undo(&mut self) -> anyhow::Result<()> {
        if self.has_resigned {
            return self.go_on();
        }
        let played = self.session.moves();
        while self.session.undo() {
            if self.session.turn() == Turn::Player(self.person) {
                return self.go_on();
            }
        }
        played.iter().try_for_each(|text| self.session.play(text))?;
        Ok(self.screen.print("There is no move of yours to take back.")?)
    }

    /// The game is under way, perhaps again.
    fn go_on(&mut self) -> anyhow::Result<()> {
        (self.has_resigned, self.has_ended) = (false, false);
        self.draw()
    }

    /// Whether the person has won the game that is over; `None` in a draw.
    fn result(&self) -> Option<bool> {
        let outcome = self.session.turn().outcome().filter(|_| !self.has_resigned);
        outcome.map_or(Some(false), |outcome| outcome.winner.map(|winner| winner == self.person))
    }

    /// Adds the game to the score if it is over.
    fn book(&mut self) {
        if std::mem::take(&mut self.has_ended) {
            self.score = self.score.with(self.result());
        }
    }

    /// Another game from the start, with other dice.
    fn begin(&mut self, person: Seat) -> anyhow::Result<()> {
        self.book();
        let seed = self.options.search_config().seed as u32;
        self.options.set("Seed", Some(&seed.wrapping_add(1).to_string()))?;
        self.session.set_position(None, &[])?;
        self.session.clear_search();
        self.person = person;
        self.screen.announce(words::greeting(&*self.session, person))?;
        self.go_on()
    }

    fn save(&mut self, file: &str) -> anyhow::Result<()> {
        let answer = match saved::save(Path::new(file), &*self.session, self.person, self.has_resigned) {
            Ok(()) => format!("The game is in {file}; 'load {file}' goes on with it."),
            Err(error) => format!("{error:#}"),
        };
        Ok(self.screen.print(&answer)?)
    }

    fn load(&mut self, file: &str) -> anyhow::Result<()> {
        match saved::load(Path::new(file), &mut *self.session) {
            Ok((person, has_resigned)) => {
                self.person = person;
                self.screen.announce(words::greeting(&*self.session, person))?;
                self.go_on()?;
                self.has_resigned = has_resigned;
            }
            Err(error) => self.screen.print(&format!("{error:#}"))?,
        }
        Ok(())
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        self.screen.draw(&*self.session)?;
        if let Some(pegs) = words::pegs_left(&*self.session) {
            self.screen.print(&format!("{pegs}."))?;
        }
        Ok(())
    }

    fn review(&mut self) -> anyhow::Result<()> {
        if !self.is_over() {
            return Ok(self
                .screen
                .print("The game is not over yet: 'hint' and 'eval' help now, 'review' afterwards.")?);
        }
        if self.has_dice || self.session.game().seats.len() > 2 {
            return Ok(self.screen.print("Games with dice, or with more than two players, have no review.")?);
        }
        self.screen.print("The engine looks at every move, for ten seconds at most ...")?;
        let request = GoRequest::move_time(REVIEW_TIME / (REVIEW_LOOKS * self.session.moves().len() as u32 + 1));
        let judge = Judge::new(&self.options, request);
        let plies = judge.judge_game(&mut *self.session, |_, seat| seat == self.person)?;
        let own = plies.into_iter().filter(|ply| ply.mover == Some(self.person)).zip(1..);
        let mut bad: Vec<_> = own.filter_map(|(ply, number)| Some((ply.verdict?, ply.text, number))).collect();
        bad.retain(|(verdict, ..)| verdict.mark().is_some());
        bad.sort_by(|(one, ..), (other, ..)| other.loss().total_cmp(&one.loss()));
        if bad.is_empty() {
            self.screen.print("No move of yours cost much.")?;
        }
        for (verdict, played, number) in bad.iter().take(MOST_REVIEWED) {
            self.screen.print(&words::review(verdict, played, *number))?;
        }
        Ok(())
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let answer = match self.think()? {
            Some((text, line)) => format!("Try {} ({})", words::move_words(&text), self.opinion(line.as_ref())),
            None => "There is nothing to suggest.".to_owned(),
        };
        Ok(self.screen.print(&answer)?)
    }

    fn eval(&mut self) -> anyhow::Result<()> {
        let line = self.think()?.and_then(|(_, line)| line);
        let answer = format!("The engine on your side: {}.", self.opinion(line.as_ref()));
        Ok(self.screen.print(&answer)?)
    }

    /// Rolls the engine's dice.
    fn roll(&mut self) -> anyhow::Result<Flow> {
        let roller =
            self.session.side_to_move().map_or("The dice", |seat| self.session.game().seat_name(seat)).to_owned();
        let Some((roll, _)) = self.think()? else { anyhow::bail!("the dice gave no roll") };
        self.session.play(&roll)?;
        self.screen.announce(format!("{roller}: {roll}"))?;
        self.draw()?;
        Ok(Flow::Continue)
    }

    /// The turn of the engine, for whichever seat.
    fn answer(&mut self) -> anyhow::Result<Flow> {
        let name = self.engine_name();
        self.screen.print(&format!("{name} thinks ..."))?;
        let Some((text, line)) = self.think()? else { anyhow::bail!("the engine found no move") };
        let opinion = self.opinion(line.as_ref());
        self.session.play(&text)?;
        self.screen.announce(format!("{name} plays {} ({opinion})", words::move_words(&text)))?;
        self.draw()?;
        Ok(Flow::Continue)
    }

    /// The name of the engine: that of the seat to move where several seats are the engine's.
    fn engine_name(&self) -> String {
        match (self.session.turn(), self.session.game().seats.len()) {
            (Turn::Player(seat), 3..) => self.session.game().seat_name(seat).to_owned(),
            _ => "The engine".to_owned(),
        }
    }

    /// The engine's choice in the present position with what it thinks of it.
    fn think(&mut self) -> anyhow::Result<Option<(String, Option<PvLine<String>>)>> {
        let request = GoRequest::move_time(self.time);
        let Searched { report: info, answer } = search_and_wait(&mut *self.session, &request, &self.options)?;
        let line = info.and_then(|info| info.lines.into_iter().next());
        Ok(answer.map(|answer| (answer.best, line)))
    }

    fn opinion(&self, line: Option<&PvLine<String>>) -> String {
        words::opinion(&*self.session, line)
    }
}
