//! Positions and moves of the goose family.

use super::track::FINISH;
use crate::rules::random::mix;
use crate::rules::{MAX_SEATS, Seat};

/// The most counters on the track.
pub(super) const MAX_COUNTERS: usize = 16;

/// The most that a pot holds or an account shows; beyond it they stay as they are.
pub(super) const MAX_MONEY: i32 = 1_000_000_000;

/// The wait of a counter that must be relieved.
pub(super) const HELD: u8 = u8::MAX;

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The player whose turn it is rolls.
    Roll,
    /// That player uses one of the dice.
    Use,
    /// That player has won.
    Won,
    /// Nobody can ever move again.
    Stuck,
}

/// A position: counters, waits, accounts, whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// By counter, all of player 1 first; counters that do not exist stand on 0.
    pub(super) fields: [u8; MAX_COUNTERS],
    /// By counter: own turns that it still misses, the one under way included; or [`HELD`].
    pub(super) waits: [u8; MAX_COUNTERS],
    pub(super) accounts: [i32; MAX_SEATS],
    pub(super) pot: i32,
    /// A bit for every player whose first throw is still to come, where that matters.
    pub(super) fresh: u8,
    pub(super) seat: u8,
    /// Dice still to be used, the larger first; 0 where there is none.
    pub(super) dice: [u8; 2],
    pub(super) phase: Phase,
}

impl Position {
    /// The player who rolls or uses dice; of a finished game the winner.
    #[inline]
    pub fn seat(&self) -> Seat {
        Seat(self.seat)
    }

    /// Whether a roll, the use of a die or nothing more comes next.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What everybody's payments have come to.
    pub fn pot(&self) -> i32 {
        self.pot
    }

    /// What a player has gained, or paid where negative, so far.
    pub fn account(&self, seat: Seat) -> i32 {
        self.accounts[seat.index() % MAX_SEATS]
    }

    /// Whether the player's first throw is still to come; always false where that makes no difference.
    pub fn is_fresh(&self, seat: Seat) -> bool {
        self.fresh & bit(seat.0) != 0
    }

    /// Dice of the roll that are still to be used, the larger first.
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

    /// Whether the counter can be moved now, were it its player's turn.
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
    /// Two dice in any order.
    pub fn new(one: u8, other: u8) -> Roll {
        Roll { high: one.max(other), low: one.min(other) }
    }

    /// The 21 rolls that can be told apart.
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

    /// 1/36 for two equal dice, else 2/36.
    pub fn probability(self) -> f64 {
        if self.high == self.low { 1.0 / 36.0 } else { 2.0 / 36.0 }
    }
}

/// A roll of the dice, or the use of one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// The dice show this.
    Roll(Roll),
    /// In the team game: moves a counter of the roller, counted from 0. Of several on one field it is always the first.
    Use {
        /// Counted from 0 among the counters of the roller.
        counter: u8,
        /// The pips that the counter moves.
        die: u8,
    },
}
