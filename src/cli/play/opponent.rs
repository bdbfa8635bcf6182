//! The engine's part in a game: its turns, the dice, hints, opinions, a look back.

use reynard_engine::protocol::Flow;
use reynard_engine::rules::Turn;
use reynard_engine::search::PvLine;
use reynard_engine::session::{GoRequest, Searched, search_and_wait};

use super::dialogue::Dialogue;
use super::{review, words};

impl Dialogue {
    pub(super) fn review(&mut self) -> anyhow::Result<()> {
        if !self.is_over() {
            return Ok(self
                .screen
                .say("The game is not over yet: 'hint' and 'eval' help now, 'review' afterwards.")?);
        }
        if self.has_dice || self.session.game().seats.len() > 2 {
            return Ok(self.screen.say("Games with dice, or with more than two players, have no review.")?);
        }
        self.screen.say("The engine looks at every move, for ten seconds at most ...")?;
        let slips = review::slips(&mut *self.session, &self.options, self.person)?;
        if slips.is_empty() {
            self.screen.say("No move of yours cost much.")?;
        }
        slips.iter().try_for_each(|slip| self.screen.say(&slip.words()))?;
        Ok(())
    }

    pub(super) fn hint(&mut self) -> anyhow::Result<()> {
        if self.session.turn() == Turn::Chance {
            return Ok(self.screen.say("The dice are to be rolled: press Enter.")?);
        }
        let told = match self.think()? {
            Some((text, line)) => format!("Try {} ({})", words::move_words(&text), self.opinion(line.as_ref())),
            None => "There is nothing to suggest.".to_owned(),
        };
        Ok(self.screen.say(&told)?)
    }

    pub(super) fn eval(&mut self) -> anyhow::Result<()> {
        if self.session.turn() == Turn::Chance {
            return Ok(self.screen.say("The dice are to be rolled: press Enter.")?);
        }
        let line = self.think()?.and_then(|(_, line)| line);
        let told = format!("The engine on your side: {}.", self.opinion(line.as_ref()));
        Ok(self.screen.say(&told)?)
    }

    /// Rolls the engine's dice.
    pub(super) fn roll(&mut self) -> anyhow::Result<Flow> {
        let roller =
            self.session.side_to_move().map_or("The dice", |seat| self.session.game().seat_name(seat)).to_owned();
        let Some((roll, _)) = self.think()? else { anyhow::bail!("the dice gave no roll") };
        self.session.play(&roll)?;
        self.screen.tell(format!("{roller}: {roll}"))?;
        self.draw()?;
        Ok(Flow::Continue)
    }

    /// The turn of the engine, for whichever seat.
    pub(super) fn answer(&mut self) -> anyhow::Result<Flow> {
        let name = self.engine_name();
        self.screen.say(&format!("{name} thinks ..."))?;
        let Some((text, line)) = self.think()? else { anyhow::bail!("the engine found no move") };
        let opinion = self.opinion(line.as_ref());
        self.session.play(&text)?;
        self.screen.tell(format!("{name} plays {} ({opinion})", words::move_words(&text)))?;
        self.draw()?;
        Ok(Flow::Continue)
    }

    /// Where several seats are the engine's, it is called by the one that is to move.
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
