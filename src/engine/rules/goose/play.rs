//! The rules of play in the goose family: legal uses of the dice, moves with their hazards and exchanges, and whose
//! turn comes next; and the classical game as a Markov chain with the events that statistics count.

use super::Goose;
use super::position::{HELD, Move, Phase, Position, Roll, bit};
use super::ruleset::{Finish, NineRule, Payment, Prison, TeamDice, Well};
use super::track::{self, FINISH, INN, Landing, Landings, NINE_AS_5_4, NINE_AS_6_3, PRISON, START, WELL};
use crate::rules::{DiceGame, DiceStep, MAX_SEATS, Seat};

/// The wait of a counter on a field that costs `turns` turns: those and the rest of the turn under way.
fn wait_of(turns: u8) -> u8 {
    if turns == 0 { 0 } else { turns + 1 }
}

impl Goose {
    /// The steps that the dice left allow, the largest first: each die, or the sum and then, where it may finish alone,
    /// each die.
    pub(super) fn steps(&self, position: &Position) -> impl Iterator<Item = u8> {
        let [high, low] = position.dice;
        let rules = &self.ruleset.rules;
        let is_by_sum = rules.team_dice == TeamDice::Sum;
        let sum = if is_by_sum { high + low } else { 0 };
        let has_dice = !is_by_sum || rules.finish == Finish::EitherDie;
        let dice = [high, if low == high { 0 } else { low }].map(|die| if has_dice { die } else { 0 });
        [sum, dice[0], dice[1]].into_iter().filter(|&steps| steps > 0)
    }

    /// The legal uses of the dice, the most steps first.
    pub(super) fn uses(&self, position: &Position) -> impl Iterator<Item = Move> {
        self.steps(position)
            .flat_map(move |steps| self.users(position, steps).map(move |counter| Move::Use { counter, steps }))
    }

    /// The roller's counters that can move by these steps, counted from 0.
    fn users(&self, position: &Position, steps: u8) -> impl Iterator<Item = u8> {
        let counters = self.counters_of(position.seat);
        let first = counters.start;
        counters
            .filter(move |&counter| self.can_use(position, counter, steps))
            .map(move |counter| (counter - first) as u8)
    }

    pub(super) fn can_use(&self, position: &Position, counter: usize, steps: u8) -> bool {
        if !position.is_free(counter) || !self.can_act(position, position.seat) {
            return false;
        }
        let own = self.counters_of(position.seat);
        let from = position.fields[counter];
        let is_first = !own.clone().take_while(|&other| other < counter).any(|other| position.fields[other] == from);
        // Where counters move by the sum a die alone finishes, and does nothing else.
        if self.ruleset.rules.team_dice == TeamDice::Sum && position.dice.contains(&steps) && from + steps != FINISH {
            return false;
        }
        let target = self.use_landing(position, counter, steps).field;
        let is_open = target == START
            || target == FINISH
            || own.into_iter().all(|other| other == counter || position.fields[other] != target);
        is_first && is_open
    }

    pub(super) fn can_use_a_die(&self, position: &Position) -> bool {
        self.uses(position).next().is_some()
    }

    /// Plays a legal move; returns the position after it, the amount paid and the player-turns that passed.
    pub(super) fn play(&self, position: &Position, mv: Move) -> DiceStep<Position> {
        let mut next = *position;
        match mv {
            Move::Roll(roll) if self.ruleset.rules.team => {
                next.dice = roll.dice();
                next.phase = Phase::Use;
            }
            Move::Roll(roll) => {
                let landing = self.roll_landing(position, roll);
                next.fresh &= !bit(next.seat);
                self.land(&mut next, self.first_counter(position.seat), landing);
            }
            Move::Use { counter, steps } => {
                let counter = self.first_counter(position.seat) + usize::from(counter);
                next.dice = match self.ruleset.rules.team_dice {
                    TeamDice::Each => rest(next.dice, steps),
                    TeamDice::Sum => [0; 2],
                };
                next.fresh &= !bit(next.seat);
                self.land(&mut next, counter, self.use_landing(position, counter, steps));
            }
        }
        let player_turns = self.close(&mut next);
        // The last move gives the pot away and adds nothing to it.
        let paid = if next.phase == Phase::Won { 0 } else { next.pot.saturating_sub(position.pot) };
        DiceStep { after: next, paid: f64::from(paid), player_turns }
    }

    /// Where the sum of a roll leads the one counter of the player whose turn it is.
    pub fn roll_landing(&self, position: &Position, roll: Roll) -> Landing {
        let counter = self.first_counter(position.seat);
        let from = position.fields[counter];
        let by_one_die = roll.dice().map(|die| from + die).contains(&FINISH);
        if self.ruleset.rules.finish == Finish::EitherDie && by_one_die {
            return Landing::on(FINISH);
        }
        self.sum_landing(position, counter, roll.dice())
    }

    /// Where the sum of two dice leads a counter of the player whose turn it is.
    fn sum_landing(&self, position: &Position, counter: usize, dice: [u8; 2]) -> Landing {
        let from = position.fields[counter];
        let nine = match self.ruleset.rules.nine_rule {
            NineRule::FirstThrow => position.is_fresh(position.seat()),
            NineRule::WheneverOnStart => from == START,
            NineRule::Off => false,
        };
        match dice {
            [6, 3] if nine => Landing::on(NINE_AS_6_3),
            [5, 4] if nine => Landing::on(NINE_AS_5_4),
            [high, low] => self.landing(from, high + low),
        }
    }

    /// Where a use of the dice left leads a counter of the roller.
    pub(super) fn use_landing(&self, position: &Position, counter: usize, steps: u8) -> Landing {
        let is_sum = self.ruleset.rules.team_dice == TeamDice::Sum && !position.dice.contains(&steps);
        if is_sum {
            self.sum_landing(position, counter, position.dice)
        } else {
            self.landing(position.fields[counter], steps)
        }
    }

    /// Puts the mover's counter on its landing field, and sends back a counter of another player that stands there.
    fn land(&self, next: &mut Position, counter: usize, landing: Landing) {
        let from = next.fields[counter];
        next.pay(next.seat, landing.price);
        let payment = self.payment(landing.field);
        if payment == Some(Payment::OnArrival) {
            next.pay(next.seat, 1);
        }
        if let Some(other) = self.met(next, counter, landing.field) {
            let is_saved = next.waits[other] > 0 && payment == Some(Payment::WhenSaved);
            next.pay(next.seat, 1);
            next.pay(self.owner(other), 1 + u8::from(is_saved));
            next.fields[other] = from;
            next.waits[other] = 0;
        }
        next.fields[counter] = landing.field;
        next.waits[counter] = self.wait_on(landing.field);
    }

    /// The counter that is sent back when `counter` comes to rest on `field`, if there is one.
    pub(super) fn met(&self, position: &Position, counter: usize, field: u8) -> Option<usize> {
        if !self.ruleset.rules.exchange || field == START || field == FINISH {
            return None;
        }
        (0..self.all_counters()).find(|&other| other != counter && position.fields[other] == field)
    }

    /// The wait of a counter that has just landed on a field.
    fn wait_on(&self, field: u8) -> u8 {
        let rules = &self.ruleset.rules;
        match (field, rules.well, rules.prison) {
            _ if self.harmless == Some(field) => 0,
            (INN, ..) => wait_of(rules.inn),
            (WELL, Well::TwoTurns, _) => wait_of(2),
            (PRISON, _, Prison::Turns(turns)) => wait_of(turns),
            (WELL, Well::UntilRelieved, _) | (PRISON, _, Prison::UntilRelieved) => HELD,
            _ => 0,
        }
    }

    /// When a counter pays for waiting on a field; `None` for a field where nobody waits.
    fn payment(&self, field: u8) -> Option<Payment> {
        let rules = &self.ruleset.rules;
        match field {
            _ if self.harmless == Some(field) => None,
            INN => Some(rules.inn_payment),
            WELL => Some(rules.well_payment),
            PRISON => Some(rules.prison_payment),
            _ => None,
        }
    }

    /// Whether a counter that stands on this field is held until it is relieved.
    pub(super) fn holds(&self, field: u8) -> bool {
        self.wait_on(field) == HELD
    }

    /// The longest wait on this field that is counted in turns; 0 where there is none.
    pub(super) fn longest_wait(&self, field: u8) -> u8 {
        let wait = self.wait_on(field);
        let is_seen = self.ruleset.rules.team || wait == 0;
        if wait == HELD { 0 } else { wait - u8::from(!is_seen) }
    }

    /// Ends the turn unless a die can still be used; returns the number of player-turns that pass.
    pub(super) fn close(&self, next: &mut Position) -> u32 {
        if self.has_won(next, next.seat) {
            next.phase = Phase::Won;
            next.dice = [0; 2];
            next.give_pot(next.seat);
            return 1;
        }
        if next.phase == Phase::Use && self.can_use_a_die(next) {
            return 0;
        }
        next.dice = [0; 2];
        self.count_down(next);
        next.seat = self.after(next.seat);
        1 + self.settle(next)
    }

    /// Passes the turn on until a player can roll; returns the number of turns that are missed.
    pub(super) fn settle(&self, next: &mut Position) -> u32 {
        next.phase = Phase::Roll;
        if self.seats().all(|seat| self.is_lost(next, seat)) {
            next.phase = Phase::Stuck;
            return 0;
        }
        let mut missed = 0;
        loop {
            self.pay_for_turn(next);
            if self.can_act(next, next.seat) {
                return missed;
            }
            self.count_down(next);
            next.seat = self.after(next.seat);
            missed += 1;
        }
    }

    /// Counts down the waits of the player whose turn ends.
    fn count_down(&self, next: &mut Position) {
        for wait in &mut next.waits[self.counters_of(next.seat)] {
            if *wait != HELD {
                *wait = wait.saturating_sub(1);
            }
        }
    }

    /// Makes the player pay for each of its counters that waits where each missed turn costs 1.
    fn pay_for_turn(&self, next: &mut Position) {
        let pays = |counter: &usize| {
            next.waits[*counter] > 0 && self.payment(next.fields[*counter]) == Some(Payment::EachTurn)
        };
        let price = self.counters_of(next.seat).filter(pays).count() as u8;
        next.pay(next.seat, price);
    }

    /// Whether the player can roll: no counter waits in the inn or the well, and some counter is free.
    pub(super) fn can_act(&self, position: &Position, seat: u8) -> bool {
        let mut counters = self.counters_of(seat);
        let stops = |counter: usize| position.waits[counter] > 0 && position.fields[counter] != PRISON;
        !counters.clone().any(stops) && counters.any(|counter| position.is_free(counter))
    }

    /// Whether the player cannot move again until another player relieves one of its counters.
    fn is_lost(&self, position: &Position, seat: u8) -> bool {
        let held = |counter: &usize| position.waits[*counter] == HELD;
        let mut counters = self.counters_of(seat);
        let in_well = counters.clone().any(|counter| held(&counter) && position.fields[counter] == WELL);
        in_well || counters.all(|counter| held(&counter) || position.fields[counter] == FINISH)
    }

    pub(super) fn has_won(&self, position: &Position, seat: u8) -> bool {
        position.fields[self.counters_of(seat)].iter().all(|&field| field == FINISH)
    }

    fn after(&self, seat: u8) -> u8 {
        (seat + 1) % self.ruleset.rules.players
    }

    pub(super) fn seats(&self) -> std::ops::Range<u8> {
        0..self.ruleset.rules.players
    }

    pub(super) fn first_counter(&self, seat: u8) -> usize {
        usize::from(seat) * self.ruleset.rules.counters as usize
    }

    pub(super) fn counters_of(&self, seat: u8) -> std::ops::Range<usize> {
        let first = self.first_counter(seat);
        first..first + self.ruleset.rules.counters as usize
    }

    pub(super) fn all_counters(&self) -> usize {
        self.first_counter(self.ruleset.rules.players)
    }

    pub(super) fn owner(&self, counter: usize) -> u8 {
        (counter / self.ruleset.rules.counters as usize) as u8
    }

    /// The fields of a player's counters.
    pub fn fields<'a>(&self, position: &'a Position, seat: Seat) -> &'a [u8] {
        &position.fields[self.counters_of(seat.0)]
    }

    /// How long each counter of a player waits, in the order of the counters.
    pub fn waits(&self, position: &Position, seat: Seat) -> impl Iterator<Item = Wait> {
        let waits = position.waits;
        self.counters_of(seat.0).map(move |counter| match waits[counter] {
            HELD => Wait::UntilRelieved,
            turns => Wait::Turns(turns),
        })
    }
}

/// How long a counter cannot be moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wait {
    /// For this number of own turns, the one under way included; 0 for a free counter.
    Turns(u8),
    /// Until another counter lands on the field.
    UntilRelieved,
}

/// The dice left when `die` has been used.
fn rest(dice: [u8; 2], die: u8) -> [u8; 2] {
    let [high, low] = dice;
    if high == die { [low, 0] } else { [high, 0] }
}

/// An event on a field, for statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A counter touches the field during its move: at the end of the roll, on every goose after that, and where a
    /// hazard sends it.
    Touched(u8),
    /// A counter ends its move on the field.
    Rested(u8),
    /// A player misses a turn because of a counter on the field.
    Missed(u8),
    /// A counter on the field is sent back by another that lands there.
    SentBack(u8),
    /// A 9 on the first throw leads to the field.
    Nine(u8),
}

const FIELDS: usize = FINISH as usize + 1;

impl Happening {
    /// The number of kinds of events: [`number`](Happening::number) is below it.
    pub const KINDS: usize = 5 * FIELDS;

    /// The number of the event in the lists of [`DiceGame::events`].
    pub fn number(self) -> usize {
        let (kind, field) = match self {
            Happening::Touched(field) => (0, field),
            Happening::Rested(field) => (1, field),
            Happening::Missed(field) => (2, field),
            Happening::SentBack(field) => (3, field),
            Happening::Nine(field) => (4, field),
        };
        kind * FIELDS + usize::from(field.min(FINISH))
    }
}

impl Goose {
    /// This game with the hazard of a field switched off, its price included.
    pub fn without_hazard(&self, field: u8) -> Goose {
        Goose {
            landings: Landings::new(self.ruleset.rules.back_goose, Some(field)),
            harmless: Some(field),
            // A fingerprint of its own: no two fingerprints of rules differ by a field number alone.
            fingerprint: self.fingerprint.rotate_left(32) ^ u64::from(field),
            ruleset: self.ruleset.clone(),
        }
    }

    /// The fields that a counter touches during a move: at the end of the roll, on every goose after that, and where a
    /// hazard sends it.
    pub(super) fn visited(&self, from: u8, steps: u8, landing: Landing) -> Vec<u8> {
        let mut fields = Vec::new();
        let end = track::resting_field(from, steps, self.ruleset.rules.back_goose, |goose| fields.push(goose));
        if end != landing.touched {
            // A 9 on the first throw, or the last field reached by a single die.
            fields.clear();
        }
        fields.push(landing.touched);
        if landing.field != landing.touched {
            fields.push(landing.field);
        }
        fields
    }
}

/// Only the classical game is a dice game: in the team game players choose.
impl DiceGame for Goose {
    fn step(&self, position: &Position, roll: Move) -> DiceStep<Position> {
        self.play(position, roll)
    }

    fn course(&self, position: &Position) -> Position {
        Position { pot: 0, accounts: [0; MAX_SEATS], ..*position }
    }

    fn pot(&self, position: &Position) -> f64 {
        f64::from(position.pot)
    }

    fn event_kinds(&self) -> usize {
        Happening::KINDS
    }

    fn events(&self, position: &Position, mv: Move, events: &mut Vec<usize>) {
        let Move::Roll(roll) = mv else { return };
        let mut tell = |happening: Happening| events.push(happening.number());
        let counter = self.first_counter(position.seat);
        let from = position.fields[counter];
        let landing = self.roll_landing(position, roll);
        let end = track::resting_field(from, roll.sum(), self.ruleset.rules.back_goose, |_| ());
        if end != landing.touched && landing.touched != FINISH {
            tell(Happening::Nine(landing.touched));
        }
        self.visited(from, roll.sum(), landing).into_iter().for_each(|field| tell(Happening::Touched(field)));
        tell(Happening::Rested(landing.field));
        if self.met(position, counter, landing.field).is_some() {
            tell(Happening::SentBack(landing.field));
        }
        let step = self.play(position, mv);
        for missed in 1..step.player_turns {
            let seat = (u32::from(position.seat) + missed) % u32::from(self.ruleset.rules.players);
            tell(Happening::Missed(step.after.fields[self.first_counter(seat as u8)]));
        }
    }
}
