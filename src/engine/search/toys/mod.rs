//! Tiny games with a plain minimax, to test the searchers against.

mod circle;
mod dice;
mod many;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(super) use circle::{Circle, Walkers};
pub(super) use dice::{Pace, Race, wins_against_random};
pub(super) use many::{Heap, Ladder};
use rand::Rng;

use crate::eval::{Evaluator, Terms};
use crate::rules::{Game, HistoryRules, Outcome, Reason, Record, Repetition, SearchHints, Seat, Turn};
use crate::search::{Control, SearchConfig, SearchLimits, SearchTask};

/// A game reduced to what a search needs.
pub(super) trait Toy: Clone + Send + Sync + 'static {
    type Position: Copy + Eq + std::fmt::Debug + Send + Sync;
    const START: Self::Position;
    fn turn(&self, position: &Self::Position) -> Turn;
    fn moves(&self, position: &Self::Position) -> Vec<u8>;
    fn play(&self, position: &Self::Position, mv: u8) -> Self::Position;
    fn rolls(&self) -> Vec<(u8, f64)> {
        Vec::new()
    }
    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
    fn no_progress_plies(&self) -> u32 {
        0
    }
    fn is_capture(&self, _: &Self::Position, _: u8) -> bool {
        false
    }
    fn seats(&self) -> usize {
        2
    }
    /// A hash key, only for searchers with a transposition table and for tables of perfect play.
    fn key(&self, _: &Self::Position) -> u64 {
        0
    }
}

/// A control whose clock advances by a millisecond whenever it is read.
pub(super) fn ticking() -> Control {
    let read = AtomicU64::new(0);
    Control::new(move || Duration::from_millis(read.fetch_add(1, Ordering::Relaxed)))
}

/// A toy as a [`Game`].
#[derive(Clone, Copy)]
pub(super) struct ToyGame<T>(pub T);

impl<T: Toy> Game for ToyGame<T> {
    type Position = T::Position;
    type Move = u8;
    const MANY_SEATS: bool = true;

    fn fingerprint(&self) -> u64 {
        1
    }
    fn seats(&self) -> usize {
        self.0.seats()
    }
    fn start(&self) -> T::Position {
        T::START
    }
    fn history_rules(&self) -> HistoryRules {
        HistoryRules {
            repetition: self.0.repetition(),
            no_progress_plies: self.0.no_progress_plies(),
            ..HistoryRules::default()
        }
    }
    fn turn(&self, position: &T::Position) -> Turn {
        self.0.turn(position)
    }
    fn legal_moves(&self, position: &T::Position, moves: &mut Vec<u8>) {
        moves.extend(self.0.moves(position));
    }
    fn play_unchecked(&self, position: &T::Position, mv: u8) -> T::Position {
        self.0.play(position, mv)
    }
    fn key(&self, position: &T::Position) -> u64 {
        self.0.key(position)
    }
    fn is_irreversible(&self, _: &T::Position, _: u8) -> bool {
        false
    }
    fn is_progress(&self, _: &T::Position, _: u8) -> bool {
        false
    }
    fn random_move<R: Rng>(&self, position: &T::Position, rng: &mut R) -> Option<u8> {
        let moves = self.0.moves(position);
        (!moves.is_empty()).then(|| moves[rng.next_u64() as usize % moves.len()])
    }
    fn chance_outcomes(&self, _: &T::Position, outcomes: &mut Vec<(u8, f64)>) {
        outcomes.extend(self.0.rolls());
    }
}

impl<T: Toy> SearchHints for ToyGame<T> {
    fn is_tactical(&self, position: &T::Position, mv: u8) -> bool {
        self.0.is_capture(position, mv)
    }
    fn gain(&self, position: &T::Position, mv: u8) -> u32 {
        u32::from(self.0.is_capture(position, mv))
    }
    fn move_slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }
    fn move_slots(&self) -> usize {
        256
    }
}

impl<'a, G: Game> SearchTask<'a, G> {
    /// A search of all root moves under a clock that stands still, without tables.
    pub(super) fn timeless(game: &'a G, record: &'a Record<G>, limits: SearchLimits, config: SearchConfig) -> Self {
        static CONTROL: LazyLock<Control> = LazyLock::new(Control::timeless);
        SearchTask { game, record, root_moves: &[], limits, control: &CONTROL, config, tables: None }
    }
}

impl Control {
    /// A control whose clock stands still, for node and depth limits.
    pub(crate) fn timeless() -> Control {
        Control::new(|| Duration::ZERO)
    }
}

/// An evaluation of 0 everywhere.
#[derive(Clone)]
pub(super) struct NoOpinion;

impl<G: Game> Evaluator<G> for NoOpinion {
    fn evaluate(&self, _: &G, _: &G::Position, _: Seat) -> i32 {
        0
    }
    fn explain(&self, _: &G, _: &G::Position) -> Terms {
        Vec::new()
    }
}

/// An arbitrary but fixed evaluation, so that no two lines have equal values.
#[derive(Clone)]
pub(super) struct KeyOpinion;

impl<G: Game> Evaluator<G> for KeyOpinion {
    fn evaluate(&self, game: &G, position: &G::Position, seat: Seat) -> i32 {
        let value = (game.key(position) >> 40) as i32 % 500;
        if seat == Seat::P1 { value } else { -value }
    }
    fn explain(&self, game: &G, position: &G::Position) -> Terms {
        vec![("key".into(), self.evaluate(game, position, Seat::P1))]
    }
}

/// Spreads the bits of a number.
pub(super) fn mix(value: u64) -> u64 {
    let value = (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ value >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

pub(super) fn won(winner: Seat) -> Turn {
    Turn::Over(Outcome { winner: Some(winner), reason: Reason::PuzzleSolved })
}

/// Tic-tac-toe; a position is the squares of the crosses and of the noughts as bits.
#[derive(Clone, Copy)]
pub(super) struct TicTacToe;

impl TicTacToe {
    /// The position after these moves from the start.
    pub(super) fn after(moves: &[u8]) -> [u16; 2] {
        moves.iter().fold(TicTacToe::START, |position, &mv| TicTacToe.play(&position, mv))
    }
}

const ROWS: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Toy for TicTacToe {
    type Position = [u16; 2];
    const START: [u16; 2] = [0, 0];

    fn turn(&self, position: &[u16; 2]) -> Turn {
        let full = |stones: u16| ROWS.iter().any(|row| stones & row == *row);
        match *position {
            [crosses, _] if full(crosses) => won(Seat::P1),
            [_, noughts] if full(noughts) => won(Seat::P2),
            [crosses, noughts] if crosses | noughts == 0o777 => {
                Turn::Over(Outcome { winner: None, reason: Reason::NoProgress })
            }
            [crosses, noughts] if crosses.count_ones() == noughts.count_ones() => Turn::Player(Seat::P1),
            _ => Turn::Player(Seat::P2),
        }
    }
    fn moves(&self, position: &[u16; 2]) -> Vec<u8> {
        let taken = position[0] | position[1];
        (0..9).filter(|point| taken >> point & 1 == 0 && self.turn(position).seat().is_some()).collect()
    }
    fn play(&self, position: &[u16; 2], mv: u8) -> [u16; 2] {
        let mut next = *position;
        let seat = usize::from(next[0].count_ones() != next[1].count_ones());
        next[seat] |= 1 << mv;
        next
    }
    fn key(&self, position: &[u16; 2]) -> u64 {
        mix(u64::from(position[0]) << 9 | u64::from(position[1]))
    }
}

/// A heap from which one to three are taken; who takes the last one wins. Seat 0 moves twice, then seat 1 once.
#[derive(Clone, Copy)]
pub(super) struct DoubleNim;

impl Toy for DoubleNim {
    /// The heap, and the place in the cycle of three turns.
    type Position = (u8, u8);
    const START: (u8, u8) = (9, 2);

    fn turn(&self, &(heap, phase): &(u8, u8)) -> Turn {
        let seat = |phase: u8| if phase == 2 { Seat::P2 } else { Seat::P1 };
        if heap == 0 { won(seat((phase + 2) % 3)) } else { Turn::Player(seat(phase)) }
    }
    fn moves(&self, &(heap, _): &(u8, u8)) -> Vec<u8> {
        (1..=heap.min(3)).collect()
    }
    fn play(&self, &(heap, phase): &(u8, u8), mv: u8) -> (u8, u8) {
        (heap - mv, (phase + 1) % 3)
    }
}

/// A heap where a coin decides, before each turn, whether at most one or two may be taken. Who takes the last one wins.
#[derive(Clone, Copy)]
pub(super) struct CoinNim;

impl Toy for CoinNim {
    /// The heap, the seat to move, and the result of the coin (0 before the toss).
    type Position = (u8, u8, u8);
    const START: (u8, u8, u8) = (6, 0, 2);

    fn turn(&self, &(heap, seat, most): &(u8, u8, u8)) -> Turn {
        match (heap, most) {
            (0, _) => won(Seat(seat).other()),
            (_, 0) => Turn::Chance,
            _ => Turn::Player(Seat(seat)),
        }
    }
    fn moves(&self, &(heap, _, most): &(u8, u8, u8)) -> Vec<u8> {
        if most == 0 { vec![1, 2] } else { (1..=heap.min(most)).collect() }
    }
    fn play(&self, &(heap, seat, most): &(u8, u8, u8), mv: u8) -> (u8, u8, u8) {
        if most == 0 { (heap, seat, mv) } else { (heap - mv, seat ^ 1, 0) }
    }
    fn rolls(&self) -> Vec<(u8, f64)> {
        vec![(1, 0.25), (2, 0.75)]
    }
}

/// A walk round a ring of four points by steps forward (move 1) or back (move 3): only repetition ends it.
#[derive(Clone, Copy)]
pub(super) struct Ring(pub Repetition);

impl Toy for Ring {
    type Position = (u8, u8);
    const START: (u8, u8) = (0, 0);

    fn turn(&self, &(_, seat): &(u8, u8)) -> Turn {
        Turn::Player(Seat(seat))
    }
    fn moves(&self, _: &(u8, u8)) -> Vec<u8> {
        vec![1, 3]
    }
    fn play(&self, &(place, seat): &(u8, u8), mv: u8) -> (u8, u8) {
        ((place + mv) % 4, seat ^ 1)
    }
    fn repetition(&self) -> Repetition {
        self.0
    }
}

/// The exact result with best play, without repetition or dice: the winner and the plies to the end.
pub(super) fn minimax<T: Toy>(toy: &T, position: &T::Position) -> (Option<Seat>, u32) {
    let seat = match toy.turn(position) {
        Turn::Over(outcome) => return (outcome.winner, 0),
        Turn::Player(seat) => seat,
        Turn::Chance => unreachable!("no dice here"),
    };
    let liking = |&(winner, plies): &(Option<Seat>, u32)| match winner {
        None => 0,
        Some(winner) if winner == seat => 1000 - plies as i32,
        Some(_) => plies as i32 - 1000,
    };
    let replies = toy.moves(position).into_iter().map(|mv| minimax(toy, &toy.play(position, mv)));
    let (winner, plies) = replies.max_by_key(liking).expect("a player has a move");
    (winner, plies + 1)
}

/// The chance of winning for seat 0 in a game with dice, by plain expectation.
pub(super) fn expectation<T: Toy>(toy: &T, position: &T::Position) -> f64 {
    let after = |mv| expectation(toy, &toy.play(position, mv));
    match toy.turn(position) {
        Turn::Over(outcome) => outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == Seat::P1))),
        Turn::Chance => toy.rolls().into_iter().map(|(mv, probability)| probability * after(mv)).sum(),
        Turn::Player(Seat::P1) => toy.moves(position).into_iter().map(after).fold(0.0, f64::max),
        Turn::Player(_) => toy.moves(position).into_iter().map(after).fold(1.0, f64::min),
    }
}
