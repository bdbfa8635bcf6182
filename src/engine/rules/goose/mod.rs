//! The Game of the Goose: the classical game, in which the dice decide everything, and the team game, in which each
//! die moves a counter of the roller's choice.
//!
//! Player 1 begins; the players settle who that is before the game. A missed turn takes no ply of its own: it passes
//! within the ply before it, and [`DiceGame::step`](super::DiceGame::step) counts it. In the team game a counter that
//! is sent back goes to the field where the move with that die began, since each die is a move of its own; and a player
//! whose counter gets into the inn or the well stops at once, so that the other die lapses.

mod notation;
mod play;
mod position;
mod ruleset;
mod track;

pub use play::{Happening, Wait};
use position::MAX_COUNTERS;
pub(crate) use position::Phase;
pub use position::{Move, Position, Roll};
use rand::Rng;
use ruleset::NineRule;
pub use ruleset::Ruleset;
use track::Landings;
pub(crate) use track::{BRIDGE, DEATH, Landing, MAZE, START};
pub use track::{FINISH, FieldKind, INN, PRISON, WELL};

use super::game::{Game, MAX_SEATS, Outcome, Reason, SearchHints, Seat, Turn};
use super::random::below;

/// The number of move slots for rolls, which come first; then the uses of dice by counter and steps.
const ROLL_SLOTS: usize = 36;
const USE_SLOTS: usize = 4 * 12;

/// A game of the goose family.
#[derive(Clone, Debug)]
pub struct Goose {
    ruleset: Ruleset,
    landings: Landings,
    /// A field whose hazard is switched off, so that statistics can tell how much the hazard matters.
    harmless: Option<u8>,
    fingerprint: u64,
}

impl Goose {
    /// Compiles a ruleset.
    pub fn new(ruleset: &Ruleset) -> Self {
        Goose {
            landings: Landings::new(ruleset.rules.back_goose, None),
            harmless: None,
            fingerprint: ruleset.fingerprint(),
            ruleset: ruleset.clone(),
        }
    }

    /// The data from which this game was compiled.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Where a counter on `from` comes to rest after 1 to 12 steps. The rules of the first throw, of a single die and
    /// of other counters are left out.
    #[inline]
    pub fn landing(&self, from: u8, steps: u8) -> Landing {
        self.landings.get(from, steps)
    }
}

impl Game for Goose {
    type Position = Position;
    type Move = Move;
    const MANY_SEATS: bool = true;

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn seats(&self) -> usize {
        usize::from(self.ruleset.rules.players)
    }

    fn start(&self) -> Position {
        let rules = &self.ruleset.rules;
        let players = usize::from(rules.players);
        let mut accounts = [0; MAX_SEATS];
        accounts[..players].fill(-i32::from(rules.ante));
        Position {
            fields: [START; MAX_COUNTERS],
            waits: [0; MAX_COUNTERS],
            accounts,
            pot: i32::from(rules.ante) * i32::from(rules.players),
            fresh: if rules.nine_rule == NineRule::FirstThrow { u8::MAX >> (8 - players) } else { 0 },
            seat: 0,
            dice: [0; 2],
            phase: Phase::Roll,
        }
    }

    fn turn(&self, position: &Position) -> Turn {
        let reason = if self.ruleset.rules.team { Reason::AllBorneOff } else { Reason::LastFieldReached };
        match position.phase {
            Phase::Roll => Turn::Chance,
            Phase::Use => Turn::Player(position.seat()),
            Phase::Won => Turn::Over(Outcome { winner: Some(position.seat()), reason }),
            Phase::Stuck => Turn::Over(Outcome { winner: None, reason: Reason::NobodyCanMove }),
        }
    }

    /// The player who rolls or uses dice, also before the roll.
    fn side_to_move(&self, position: &Position) -> Option<Seat> {
        Some(position.seat())
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        match position.phase {
            Phase::Roll => moves.extend(Roll::all().map(Move::Roll)),
            Phase::Use => moves.extend(self.uses(position)),
            Phase::Won | Phase::Stuck => {}
        }
    }

    fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        self.play(position, mv).after
    }

    fn key(&self, position: &Position) -> u64 {
        position.key() ^ self.fingerprint
    }

    fn is_irreversible(&self, _position: &Position, _mv: Move) -> bool {
        false
    }

    fn random_move<R: Rng>(&self, position: &Position, rng: &mut R) -> Option<Move> {
        match position.phase {
            Phase::Roll => {
                let mut die = || below(6, rng) as u8 + 1;
                Some(Move::Roll(Roll::new(die(), die())))
            }
            Phase::Use => {
                let count = self.uses(position).count();
                self.uses(position).nth(below(count as u32, rng) as usize)
            }
            Phase::Won | Phase::Stuck => None,
        }
    }

    fn chance_outcomes(&self, position: &Position, outcomes: &mut Vec<(Move, f64)>) {
        if position.phase == Phase::Roll {
            outcomes.extend(Roll::all().map(|roll| (Move::Roll(roll), roll.probability())));
        }
    }
}

impl SearchHints for Goose {
    /// The worth of a move to the greedy searcher: it prefers the foremost counter, then the most steps.
    fn greed(&self, position: &Position, mv: Move) -> i64 {
        match mv {
            Move::Roll(_) => 0,
            Move::Use { counter, steps } => {
                let field = self.fields(position, position.seat())[usize::from(counter)];
                i64::from(field) * 16 + i64::from(steps)
            }
        }
    }

    fn move_slot(&self, mv: Move) -> usize {
        match mv {
            Move::Roll(roll) => {
                let [high, low] = roll.dice().map(usize::from);
                (high * 6 + low - 7) % ROLL_SLOTS
            }
            Move::Use { counter, steps } => {
                ROLL_SLOTS + (usize::from(counter) * 12 + usize::from(steps) - 1) % USE_SLOTS
            }
        }
    }

    fn move_slots(&self) -> usize {
        ROLL_SLOTS + USE_SLOTS
    }
}
