//! Positions and moves of the goose family, and the texts of positions: `p1=12 p2=19:1 turn=p2`, keys only where they
//! differ from their default.

use super::Goose;
use super::ruleset::{NineRule, TeamDice};
use super::track::{FINISH, START};
use crate::rules::notation::{Field, fields, pairs};
use crate::rules::random::mix;
use crate::rules::{Game, MAX_SEATS, PositionError, Seat};

/// The most counters on the track.
pub(super) const MAX_COUNTERS: usize = 16;

/// The most that a pot or an account can hold; beyond that amount they stay as they are.
pub(super) const MAX_MONEY: i32 = 1_000_000_000;

/// The wait of a counter that is held until another relieves it.
pub(super) const HELD: u8 = u8::MAX;

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The player whose turn it is rolls.
    Roll,
    /// The player whose turn it is uses one of the dice rolled.
    Use,
    /// The player whose turn it is has won.
    Won,
    /// No player can ever move again.
    Stuck,
}

/// A position: counters, waits, accounts, whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The field of each counter, all counters of player 1 first; counters that do not exist stand on 0.
    pub(super) fields: [u8; MAX_COUNTERS],
    /// The own turns that each counter still misses, the one under way included; or [`HELD`].
    pub(super) waits: [u8; MAX_COUNTERS],
    /// The balance of each seat: gains so far, negative for payments; 0 for seats that the game does not have.
    pub accounts: [i32; MAX_SEATS],
    /// The sum of all payments.
    pub pot: i32,
    /// A bit for every player whose first throw is still to come; always 0 where first throws are not special.
    pub(super) fresh: u8,
    pub(super) seat: u8,
    /// The dice still to be used, the larger first; 0 where there is none.
    pub(super) dice: [u8; 2],
    /// Whether a roll, the use of a die or nothing more comes next.
    pub phase: Phase,
}

impl Position {
    /// The player who rolls or uses dice; in a finished game the winner.
    #[inline]
    pub fn seat(&self) -> Seat {
        Seat(self.seat)
    }

    /// Whether the player's first throw is still to come; always false where first throws are not special.
    pub fn is_fresh(&self, seat: Seat) -> bool {
        self.fresh & bit(seat.0) != 0
    }

    /// The dice of the roll that are still to be used, the larger first.
    pub fn dice(&self) -> impl Iterator<Item = u8> {
        self.dice.into_iter().filter(|&die| die > 0)
    }

    /// The hash key of everything in the position.
    pub fn key(&self) -> u64 {
        let bytes = |bytes: &[u8]| bytes.iter().fold(0, |word: u64, &byte| word << 8 | u64::from(byte));
        let state = [self.fresh, self.seat, self.dice[0], self.dice[1], self.phase as u8];
        let counters = self.fields.chunks(8).chain(self.waits.chunks(8)).chain([&state[..]]).map(bytes);
        let money = self.accounts.chunks(2).map(|pair| u64::from(pair[0] as u32) << 32 | u64::from(pair[1] as u32));
        counters.chain(money).chain([self.pot as u64]).fold(0x676f_6f73_6500, |key, word| mix(key ^ word))
    }

    pub(super) fn pay(&mut self, seat: u8, amount: u8) {
        let account = &mut self.accounts[usize::from(seat)];
        *account = (*account - i32::from(amount)).max(-MAX_MONEY);
        self.pot = (self.pot + i32::from(amount)).min(MAX_MONEY);
    }

    pub(super) fn give_pot(&mut self, seat: u8) {
        let account = &mut self.accounts[usize::from(seat)];
        *account = (*account + std::mem::take(&mut self.pot)).min(MAX_MONEY);
    }

    /// Whether the counter can be moved, if it were its player's turn.
    #[inline]
    pub(super) fn is_free(&self, counter: usize) -> bool {
        self.waits[counter] == 0 && self.fields[counter] < FINISH
    }
}

pub(super) fn bit(seat: u8) -> u8 {
    1 << (seat % 8)
}

/// Two dice, the larger first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// The roll of two dice, given in any order.
    pub fn new(one: u8, other: u8) -> Roll {
        Roll { high: one.max(other), low: one.min(other) }
    }

    /// The 21 distinct rolls.
    pub fn all() -> impl Iterator<Item = Roll> {
        (1..=6).flat_map(|high| (1..=high).map(move |low| Roll { high, low }))
    }

    /// Both dice, the larger first.
    pub fn dice(self) -> [u8; 2] {
        [self.high, self.low]
    }

    /// The pips of both dice together.
    pub fn sum(self) -> u8 {
        self.high + self.low
    }

    /// The probability of the roll: 1/36 for two equal dice, else 2/36.
    pub fn probability(self) -> f64 {
        if self.high == self.low { 1.0 / 36.0 } else { 2.0 / 36.0 }
    }
}

/// A roll of the dice, or the use of one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A roll of both dice.
    Roll(Roll),
    /// Moves a counter of the roller, in the team game. Of several counters on one field it is always the first.
    Use {
        /// The counter's number among those of the roller, from 0.
        counter: u8,
        /// The steps of the counter: the pips of a die, or of both where the ruleset moves counters by the sum.
        steps: u8,
    },
}

impl Goose {
    pub(super) fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        // Keys and their values are read in any case.
        let lower = text.to_ascii_lowercase();
        let mut reader = Reader { game: self, position: self.start(), players: [None; MAX_SEATS], dice: None };
        reader.position.fresh = 0;
        for (key, value) in pairs(&fields(&lower))? {
            reader.key(key, value)?;
        }
        reader.finish(Field::whole(&lower).end())
    }

    pub(super) fn write_position(&self, position: &Position) -> String {
        let start = self.start();
        let mut words: Vec<String> = self.seats().map(|seat| self.write_player(position, seat)).collect();
        if position.seat != 0 {
            words.push(format!("turn=p{}", position.seat + 1));
        }
        if position.phase == Phase::Use {
            let dice: Vec<String> = position.dice().map(|die| die.to_string()).collect();
            words.push(format!("dice={}", dice.join("+")));
        }
        let thrown: Vec<String> = self
            .seats()
            .filter(|&seat| self.has_thrown_on_start(position, seat))
            .map(|seat| format!("p{}", seat + 1))
            .collect();
        if !thrown.is_empty() {
            words.push(format!("thrown={}", thrown.join(",")));
        }
        if position.pot != start.pot {
            words.push(format!("pot={}", position.pot));
        }
        if position.accounts != start.accounts {
            let accounts = &position.accounts[..usize::from(self.ruleset.rules.players)];
            words.push(format!("accounts={}", accounts.iter().map(i32::to_string).collect::<Vec<_>>().join(",")));
        }
        words.join(" ")
    }

    fn write_player(&self, position: &Position, seat: u8) -> String {
        let counter = |counter: usize| match (position.fields[counter], position.waits[counter]) {
            (field, 0 | HELD) => field.to_string(),
            (field, turns) => format!("{field}:{turns}"),
        };
        format!("p{}={}", seat + 1, self.counters_of(seat).map(counter).collect::<Vec<_>>().join(","))
    }

    /// Whether the player has thrown already but stands on the start: the fields alone do not show this.
    fn has_thrown_on_start(&self, position: &Position, seat: u8) -> bool {
        let matters = self.ruleset.rules.nine_rule == NineRule::FirstThrow;
        matters && self.is_on_start(position, seat) && position.fresh & bit(seat) == 0
    }

    /// Whether no counter of the player has left the start.
    fn is_on_start(&self, position: &Position, seat: u8) -> bool {
        position.fields[self.counters_of(seat)].iter().all(|&field| field == START)
    }
}

/// A position whose text is being read.
struct Reader<'a> {
    game: &'a Goose,
    position: Position,
    /// For each seat, the word that names the player.
    players: [Option<Field<'a>>; MAX_SEATS],
    /// The word of the dice to use.
    dice: Option<Field<'a>>,
}

impl<'a> Reader<'a> {
    fn key(&mut self, key: Field<'a>, value: Field<'a>) -> Result<(), PositionError> {
        if let Some(seat) = self.player(key.text) {
            self.players[usize::from(seat)] = Some(key);
            return self.counters(seat, value);
        }
        match key.text {
            "turn" => self.position.seat = self.named_player(value)?,
            "dice" => {
                self.dice = Some(value);
                self.position.dice = self.dice(value)?;
            }
            "thrown" => self.thrown(value)?,
            "pot" => {
                let refuse = || value.error(format!("pot '{}' is not a number up to {MAX_MONEY}", value.shown()));
                self.position.pot = value.number_in(0..=MAX_MONEY).ok_or_else(refuse)?;
            }
            "accounts" => self.accounts(value)?,
            _ => {
                let message = format!(
                    "unknown key '{}'; allowed are p1 to p{}, turn, dice, thrown, pot and accounts",
                    key.shown(),
                    self.game.ruleset.rules.players
                );
                return Err(key.error(message));
            }
        }
        Ok(())
    }

    /// The number of the seat with a name such as `p2`.
    fn player(&self, name: &str) -> Option<u8> {
        self.game.seats().find(|seat| name.strip_prefix('p') == Some((seat + 1).to_string().as_str()))
    }

    fn named_player(&self, value: Field<'_>) -> Result<u8, PositionError> {
        let players = self.game.ruleset.rules.players;
        let refuse = || value.error(format!("'{}' is no player; allowed are p1 to p{players}", value.shown()));
        self.player(value.text).ok_or_else(refuse)
    }

    fn counters(&mut self, seat: u8, value: Field<'_>) -> Result<(), PositionError> {
        let counters = self.game.counters_of(seat);
        let given = value.text.split(',').count();
        if given != counters.len() {
            let message = format!("{given} fields are given, but every player has {} counter(s)", counters.len());
            return Err(value.error(message));
        }
        for (counter, field) in counters.zip(value.split(',')) {
            self.counter(counter, field)?;
        }
        Ok(())
    }

    fn counter(&mut self, counter: usize, text: Field<'_>) -> Result<(), PositionError> {
        let (number, wait) = text.split_once(':').map_or((text, None), |(number, wait)| (number, Some(wait)));
        let refuse = || number.error(format!("'{}' is not a field from 0 to {FINISH}", number.shown()));
        let field = number.number_in(0..=FINISH).ok_or_else(refuse)?;
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
        text.number_in(1..=longest).ok_or_else(|| match longest {
            0 => text.error(format!("no counter misses a given number of turns on field {field}")),
            _ => text.error(format!("'{}' is not a number of turns from 1 to {longest}", text.shown())),
        })
    }

    fn dice(&self, value: Field<'_>) -> Result<[u8; 2], PositionError> {
        let die = |text: Field<'_>| {
            text.number_in(1..=6).ok_or_else(|| text.error(format!("'{}' is not a die from 1 to 6", text.shown())))
        };
        if !self.game.ruleset.rules.team {
            return Err(value.error("dice are left to be used in the team game only"));
        }
        match value.split_once('+') {
            Some((one, other)) => Ok(Roll::new(die(one)?, die(other)?).dice()),
            None if self.game.ruleset.rules.team_dice == TeamDice::Sum => {
                Err(value.error("a counter moves by the sum, so both dice are expected, as in '6+3'"))
            }
            None => Ok([die(value)?, 0]),
        }
    }

    fn thrown(&mut self, value: Field<'_>) -> Result<(), PositionError> {
        if self.game.ruleset.rules.nine_rule != NineRule::FirstThrow {
            return Err(value.error("the first throw makes no difference in this ruleset"));
        }
        for name in value.split(',') {
            let seat = self.named_player(name)?;
            if self.position.fresh & bit(seat) != 0 {
                return Err(name.error(format!("p{} is listed twice", seat + 1)));
            }
            // Until the end of the text a bit means that the player has thrown: the opposite of its final meaning.
            self.position.fresh |= bit(seat);
        }
        Ok(())
    }

    fn accounts(&mut self, value: Field<'_>) -> Result<(), PositionError> {
        let players = usize::from(self.game.ruleset.rules.players);
        let given = value.text.split(',').count();
        if given != players {
            return Err(value.error(format!("{given} accounts are given for {players} players")));
        }
        for (account, text) in self.position.accounts.iter_mut().zip(value.split(',')) {
            let refuse = || text.error(format!("'{}' is not a number up to {MAX_MONEY}", text.shown()));
            *account = text.number_in(-MAX_MONEY..=MAX_MONEY).ok_or_else(refuse)?;
        }
        Ok(())
    }

    /// Checks the position as a whole and works out what comes next.
    fn finish(mut self, end: Field<'_>) -> Result<Position, PositionError> {
        if let Some(seat) = self.game.seats().find(|&seat| self.players[usize::from(seat)].is_none()) {
            let message = format!("p{} is missing; every player's field is expected, as in 'p1=12 p2=30'", seat + 1);
            return Err(end.error(message));
        }
        self.check_fields()?;
        let thrown = self.position.fresh;
        let is_fresh = |&seat: &u8| {
            let on_start = self.game.is_on_start(&self.position, seat);
            self.game.ruleset.rules.nine_rule == NineRule::FirstThrow && on_start && thrown & bit(seat) == 0
        };
        self.position.fresh = self.game.seats().filter(is_fresh).fold(0, |bits, seat| bits | bit(seat));
        self.next()?;
        Ok(self.position)
    }

    /// Refuses counters that may not share a field, and more than one winner.
    fn check_fields(&self) -> Result<(), PositionError> {
        let game = self.game;
        let fields = &self.position.fields;
        debug_assert!(game.all_counters() <= MAX_COUNTERS && usize::from(game.ruleset.rules.players) <= MAX_SEATS);
        for counter in 0..game.all_counters() {
            let excludes = |other: usize| game.ruleset.rules.exchange || game.owner(other) == game.owner(counter);
            let field = fields[counter];
            let is_shared = (0..counter).any(|other| fields[other] == field && excludes(other));
            if is_shared && field != START && field != FINISH {
                let message = format!("two counters stand on field {field}, which holds one of them only");
                return Err(self.word_of(game.owner(counter)).error(message));
            }
        }
        let mut winners = game.seats().filter(|&seat| game.has_won(&self.position, seat));
        match (winners.next(), winners.next()) {
            (_, Some(second)) => Err(self.word_of(second).error("two players have won")),
            _ => Ok(()),
        }
    }

    /// The word that names a player; the text has one for each.
    fn word_of(&self, seat: u8) -> Field<'a> {
        self.players[usize::from(seat)].unwrap_or(Field::whole(""))
    }

    /// Works out whose turn it is and what comes next: a player who cannot roll misses the turn at once, as in play.
    fn next(&mut self) -> Result<(), PositionError> {
        let winner = self.game.seats().find(|&seat| self.game.has_won(&self.position, seat));
        match (winner, self.dice) {
            (Some(_), Some(dice)) => return Err(dice.error("the game is over, no dice are left to be used")),
            (Some(winner), None) => {
                self.position.seat = winner;
                self.position.phase = Phase::Won;
            }
            (None, Some(dice)) => {
                self.position.phase = Phase::Use;
                if !self.game.can_use_a_die(&self.position) {
                    return Err(dice.error(format!("p{} can use none of these dice", self.position.seat + 1)));
                }
            }
            // A player who can roll has paid for the turn already.
            (None, None) if self.game.can_act(&self.position, self.position.seat) => {}
            (None, None) => {
                self.game.settle(&mut self.position);
            }
        }
        Ok(())
    }
}
