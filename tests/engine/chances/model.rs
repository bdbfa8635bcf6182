//! A second reading of the rules of `goose`, written without a look at `rules::goose`, as plainly as possible.

use rand::Rng;
use reynard_engine::rules::random::draw;
use reynard_engine::rules::{DiceGame, DiceStep, Game, Outcome, Reason, Seat, Turn};

const GEESE: [u8; 13] = [5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59];
/// Waits until relieved.
pub const FOREVER: u8 = u8::MAX;

/// When a nine from the start is special.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nine {
    FirstThrow,
    WheneverOnStart,
    Off,
}

/// The classical game with its switches.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub players: usize,
    pub sum_only: bool,
    /// Going back from a goose by the surplus, not by the sum.
    pub back_surplus: bool,
    pub nine: Nine,
    /// Turns missed in the well, or [`FOREVER`].
    pub well: u8,
    /// Turns missed in the prison, or [`FOREVER`].
    pub prison: u8,
    pub exchange: bool,
}

impl Model {
    pub fn classical(players: usize) -> Self {
        Model {
            players,
            sum_only: false,
            back_surplus: false,
            nine: Nine::FirstThrow,
            well: 2,
            prison: FOREVER,
            exchange: true,
        }
    }

    /// Counters that ignore each other, and a prison without a stay.
    pub fn solo(players: usize, sum_only: bool) -> Self {
        Model { sum_only, prison: 0, exchange: false, ..Model::classical(players) }
    }
}

/// One counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Counter {
    pub field: u8,
    pub wait: u8,
    pub has_rolled: bool,
    pub paid: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub counters: [Counter; 8],
    pub to_roll: usize,
    pub pot: u32,
    pub over: Option<Option<u8>>,
    /// Of the last ply.
    turns: u32,
}

impl Model {
    /// The state after a roll, with all turns missed after it.
    pub fn roll(&self, before: &State, (a, b): (u8, u8)) -> State {
        let mut state = *before;
        let (me, sum) = (state.to_roll, a + b);
        let from = state.counters[me].field;
        let is_first = !state.counters[me].has_rolled;
        state.counters[me].has_rolled = true;
        state.turns = 1;
        let special = sum == 9
            && from == 0
            && match self.nine {
                Nine::FirstThrow => is_first,
                Nine::WheneverOnStart => true,
                Nine::Off => false,
            };
        let by_one_die = !self.sum_only && (from + a == 63 || from + b == 63);
        let to = match () {
            () if by_one_die => 63,
            () if special && (a == 6 || b == 6) => 26,
            () if special => 53,
            () => self.run(from, sum),
        };
        if to == 63 {
            state.counters[me].field = 63;
            state.over = Some(Some(me as u8));
            return state;
        }
        self.settle(&mut state, me, from, to);
        self.pass_the_dice(&mut state);
        state
    }

    /// Where the geese lead.
    fn run(&self, from: u8, sum: u8) -> u8 {
        let mut at = i32::from(from) + i32::from(sum);
        while at < 63 && GEESE.contains(&(at as u8)) {
            at += i32::from(sum);
        }
        if at <= 63 {
            return at as u8;
        }
        let surplus = at - 63;
        at = 63 - surplus;
        while at > 0 && GEESE.contains(&(at as u8)) {
            at -= if self.back_surplus { surplus } else { i32::from(sum) };
        }
        at.max(0) as u8
    }

    /// The hazards, and whoever stands there already.
    fn settle(&self, state: &mut State, me: usize, from: u8, landed: u8) {
        let (at, price, wait) = match landed {
            6 => (12, 1, 0),
            19 => (19, 1, 1),
            31 => (31, 1, self.well),
            42 => (30, 1, 0),
            52 => (52, 0, self.prison),
            58 => (0, 0, 0),
            other => (other, 0, 0),
        };
        pay(state, me, price);
        let other = (0..self.players).find(|&other| other != me && state.counters[other].field == at);
        if let Some(other) = other.filter(|_| self.exchange && at != 0) {
            pay(state, me, 1);
            pay(state, other, 1);
            state.counters[other].field = from;
            state.counters[other].wait = 0;
        }
        state.counters[me].field = at;
        state.counters[me].wait = wait;
    }

    fn pass_the_dice(&self, state: &mut State) {
        if state.counters[..self.players].iter().all(|counter| counter.wait == FOREVER) {
            state.over = Some(None);
            return;
        }
        state.to_roll = (state.to_roll + 1) % self.players;
        while state.counters[state.to_roll].wait > 0 {
            state.turns += 1;
            let counter = &mut state.counters[state.to_roll];
            if counter.wait != FOREVER {
                counter.wait -= 1;
            }
            if counter.field == 52 {
                pay(state, state.to_roll, 1);
            }
            state.to_roll = (state.to_roll + 1) % self.players;
        }
    }
}

fn pay(state: &mut State, who: usize, price: u32) {
    state.counters[who].paid += price;
    state.pot += price;
}

/// Twenty-one rolls, the higher die first.
pub fn rolls() -> impl Iterator<Item = ((u8, u8), f64)> {
    let pairs = (1..=6).flat_map(|a| (1..=a).map(move |b| (a, b)));
    pairs.map(|(a, b)| ((a, b), if a == b { 1.0 } else { 2.0 } / 36.0))
}

impl Game for Model {
    type Position = State;
    type Move = (u8, u8);
    const MANY_SEATS: bool = true;

    fn fingerprint(&self) -> u64 {
        0
    }

    fn seats(&self) -> usize {
        self.players
    }

    fn start(&self) -> State {
        State { counters: Default::default(), to_roll: 0, pot: self.players as u32, over: None, turns: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        let outcome = |winner: Option<u8>| Outcome { winner: winner.map(Seat), reason: Reason::LastFieldReached };
        state.over.map_or(Turn::Chance, |winner| Turn::Over(outcome(winner)))
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<(u8, u8)>) {
        if state.over.is_none() {
            moves.extend(rolls().map(|(roll, _)| roll));
        }
    }

    fn play_unchecked(&self, state: &State, roll: (u8, u8)) -> State {
        self.roll(state, roll)
    }

    /// Nothing asks for it.
    fn key(&self, _state: &State) -> u64 {
        0
    }

    fn is_irreversible(&self, _state: &State, _roll: (u8, u8)) -> bool {
        false
    }

    fn random_move<R: Rng>(&self, state: &State, rng: &mut R) -> Option<(u8, u8)> {
        let mut rolls = Vec::new();
        self.chance_outcomes(state, &mut rolls);
        draw(&rolls, rng).copied()
    }

    fn chance_outcomes(&self, state: &State, outcomes: &mut Vec<((u8, u8), f64)>) {
        if state.over.is_none() {
            outcomes.extend(rolls());
        }
    }
}

impl DiceGame for Model {
    fn step(&self, state: &State, roll: (u8, u8)) -> DiceStep<State> {
        let after = self.roll(state, roll);
        DiceStep { after, paid: f64::from(after.pot - state.pot), player_turns: after.turns }
    }

    fn course(&self, state: &State) -> State {
        let mut course = State { pot: 0, turns: 0, ..*state };
        course.counters.iter_mut().for_each(|counter| {
            counter.paid = 0;
            // A first roll is something else only on the start.
            counter.has_rolled |= counter.field > 0;
        });
        course
    }

    fn pot(&self, state: &State) -> f64 {
        f64::from(state.pot)
    }
}
