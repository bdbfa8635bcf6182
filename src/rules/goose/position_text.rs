//! Reads positions: `p1=12 p2=19:1 turn=p2`, keys only where they differ from their default.

use crate::rules::notation::{Field, fields, refuse};
use crate::rules::{Game, MAX_SEATS, PositionError};

use super::Goose;
use super::keys::NineRule;
use super::position::{HELD, MAX_COUNTERS, MAX_MONEY, Phase, Position, Roll, bit};
use super::track::{FINISH, START};

impl Goose {
    pub(super) fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        // Keys and their values are read in any case.
        let lower = text.to_ascii_lowercase();
        let mut reader = Reader { game: self, position: self.start(), seen: Vec::new(), dice: None };
        reader.position.fresh = 0;
        for word in fields(&lower) {
            reader.word(word)?;
        }
        reader.finish(text.chars().count() + 1)
    }
}

/// A position while its text is read.
struct Reader<'a, 't> {
    game: &'a Goose,
    position: Position,
    /// Keys with their columns.
    seen: Vec<Field<'t>>,
    /// Dice to use, with their column.
    dice: Option<(usize, [u8; 2])>,
}

impl<'t> Reader<'_, 't> {
    fn word(&mut self, word: Field<'t>) -> Result<(), PositionError> {
        let (key, value) = word.key_value()?;
        if self.seen.iter().any(|seen| seen.text == key.text) {
            return refuse(key.column, format!("key '{}' stands twice", key.shown()));
        }
        self.key(key, value)?;
        self.seen.push(key);
        Ok(())
    }

    fn key(&mut self, key: Field<'t>, value: Field<'t>) -> Result<(), PositionError> {
        if let Some(seat) = self.player(key.text) {
            return self.counters(seat, value);
        }
        match key.text {
            "turn" => self.position.seat = self.named_player(value)?,
            "dice" => self.dice = Some((value.column, self.dice(value)?)),
            "thrown" => self.thrown(value)?,
            "pot" => match value.number() {
                Some(pot) if (0..=i64::from(MAX_MONEY)).contains(&pot) => self.position.pot = pot as i32,
                _ => {
                    return refuse(value.column, format!("pot '{}' is not a number up to {MAX_MONEY}", value.shown()));
                }
            },
            "accounts" => self.accounts(value)?,
            _ => {
                let message = format!(
                    "unknown key '{}'; allowed are p1 to p{}, turn, dice, thrown, pot and accounts",
                    key.shown(),
                    self.game.ruleset.rules.players
                );
                return refuse(key.column, message);
            }
        }
        Ok(())
    }

    /// The seat with a name like `p2`.
    fn player(&self, name: &str) -> Option<u8> {
        self.game.seats().find(|seat| name.strip_prefix('p') == Some((seat + 1).to_string().as_str()))
    }

    fn named_player(&self, value: Field<'_>) -> Result<u8, PositionError> {
        match self.player(value.text) {
            Some(seat) => Ok(seat),
            None => {
                let players = self.game.ruleset.rules.players;
                refuse(value.column, format!("'{}' is no player; allowed are p1 to p{players}", value.shown()))
            }
        }
    }

    fn counters(&mut self, seat: u8, value: Field<'_>) -> Result<(), PositionError> {
        let counters = self.game.counters_of(seat);
        let given = value.text.split(',').count();
        if given != counters.len() {
            let message = format!("{given} fields are given, but every player has {} counter(s)", counters.len());
            return refuse(value.column, message);
        }
        for (counter, field) in counters.zip(value.split(',')) {
            self.counter(counter, field)?;
        }
        Ok(())
    }

    fn counter(&mut self, counter: usize, text: Field<'_>) -> Result<(), PositionError> {
        let (number, wait) = text.split_once(':').map_or((text, None), |(number, wait)| (number, Some(wait)));
        let field = number.number().and_then(|number| u8::try_from(number).ok()).filter(|&field| field <= FINISH);
        let Some(field) = field else {
            return refuse(number.column, format!("'{}' is not a field from 0 to {FINISH}", number.shown()));
        };
        self.position.fields[counter] = field;
        self.position.waits[counter] = match wait {
            Some(wait) => self.wait(field, wait)?,
            None if self.game.holds(field) => HELD,
            None => 0,
        };
        Ok(())
    }

    fn wait(&self, field: u8, text: Field<'_>) -> Result<u8, PositionError> {
        let longest = self.game.longest_wait(field);
        let wait = text.number().and_then(|wait| u8::try_from(wait).ok()).filter(|wait| (1..=longest).contains(wait));
        match wait {
            Some(wait) => Ok(wait),
            None if longest == 0 => {
                refuse(text.column, format!("no counter misses a given number of turns on field {field}"))
            }
            None => refuse(text.column, format!("'{}' is not a number of turns from 1 to {longest}", text.shown())),
        }
    }

    fn dice(&self, value: Field<'_>) -> Result<[u8; 2], PositionError> {
        let die = |text: Field<'_>| match text.number() {
            Some(die @ 1..=6) => Ok(die as u8),
            _ => refuse(text.column, format!("'{}' is not a die from 1 to 6", text.shown())),
        };
        if !self.game.ruleset.rules.team {
            return refuse(value.column, "dice are left to be used in the team game only");
        }
        match value.split_once('+') {
            Some((one, other)) => Ok(Roll::new(die(one)?, die(other)?).dice()),
            None => Ok([die(value)?, 0]),
        }
    }

    fn thrown(&mut self, value: Field<'_>) -> Result<(), PositionError> {
        if self.game.ruleset.rules.nine_rule != NineRule::FirstThrow {
            return refuse(value.column, "the first throw makes no difference in this ruleset");
        }
        for name in value.split(',') {
            let seat = self.named_player(name)?;
            if self.position.fresh & bit(seat) != 0 {
                return refuse(name.column, format!("p{} is listed twice", seat + 1));
            }
            // Until the end of the text the bits mean the opposite.
            self.position.fresh |= bit(seat);
        }
        Ok(())
    }

    fn accounts(&mut self, value: Field<'_>) -> Result<(), PositionError> {
        let players = usize::from(self.game.ruleset.rules.players);
        let given = value.text.split(',').count();
        if given != players {
            return refuse(value.column, format!("{given} accounts are given for {players} players"));
        }
        for (account, text) in self.position.accounts.iter_mut().zip(value.split(',')) {
            *account = match text.number() {
                Some(number) if number.abs() <= i64::from(MAX_MONEY) => number as i32,
                _ => return refuse(text.column, format!("'{}' is not a number up to {MAX_MONEY}", text.shown())),
            };
        }
        Ok(())
    }

    /// Checks the whole and finds what comes next.
    fn finish(mut self, end: usize) -> Result<Position, PositionError> {
        for seat in self.game.seats() {
            if !self.seen.iter().any(|key| self.player(key.text) == Some(seat)) {
                let message =
                    format!("p{} is missing; every player's field is expected, as in 'p1=12 p2=30'", seat + 1);
                return refuse(end, message);
            }
        }
        self.check_fields()?;
        let thrown = self.position.fresh;
        let is_fresh = |&seat: &u8| {
            let on_start = self.position.fields[self.game.first_counter(seat)] == START;
            self.game.ruleset.rules.nine_rule == NineRule::FirstThrow && on_start && thrown & bit(seat) == 0
        };
        self.position.fresh = self.game.seats().filter(is_fresh).fold(0, |bits, seat| bits | bit(seat));
        self.next()?;
        Ok(self.position)
    }

    /// Counters that may not share a field, and more than one winner.
    fn check_fields(&self) -> Result<(), PositionError> {
        let (game, fields) = (self.game, &self.position.fields);
        debug_assert!(game.all_counters() <= MAX_COUNTERS && usize::from(game.ruleset.rules.players) <= MAX_SEATS);
        for counter in 0..game.all_counters() {
            let excludes = |other: usize| game.ruleset.rules.exchange || game.owner(other) == game.owner(counter);
            let field = fields[counter];
            let is_shared = (0..counter).any(|other| fields[other] == field && excludes(other));
            if is_shared && field != START && field != FINISH {
                let message = format!("two counters stand on field {field}, which holds one of them only");
                return refuse(self.column_of(game.owner(counter)), message);
            }
        }
        let mut winners = game.seats().filter(|&seat| game.has_won(&self.position, seat));
        match (winners.next(), winners.next()) {
            (_, Some(second)) => refuse(self.column_of(second), "two players have won"),
            _ => Ok(()),
        }
    }

    fn column_of(&self, seat: u8) -> usize {
        self.seen.iter().find(|key| self.player(key.text) == Some(seat)).map_or(1, |key| key.column)
    }

    /// Whose turn it is and what comes next: a player who cannot roll misses the turn at once, as in play.
    fn next(&mut self) -> Result<(), PositionError> {
        let winner = self.game.seats().find(|&seat| self.game.has_won(&self.position, seat));
        match (winner, self.dice) {
            (Some(_), Some((column, _))) => refuse(column, "the game is over, no dice are left to be used"),
            (Some(winner), None) => {
                (self.position.seat, self.position.phase) = (winner, Phase::Won);
                Ok(())
            }
            (None, Some((column, dice))) => {
                (self.position.dice, self.position.phase) = (dice, Phase::Use);
                match self.game.can_use_a_die(&self.position) {
                    true => Ok(()),
                    false => refuse(column, format!("p{} can use none of these dice", self.position.seat + 1)),
                }
            }
            // Whoever can roll has paid for the turn already.
            (None, None) if self.game.can_act(&self.position, self.position.seat) => Ok(()),
            (None, None) => {
                self.game.settle(&mut self.position);
                Ok(())
            }
        }
    }
}
