//! Tiny games that plain minimax can solve, to hold the search against.

use rand::{Rng, RngExt};

use crate::eval::Evaluator;
use crate::rules::{Game, HistoryRules, MoveError, Outcome, PositionError, Repetition, Seat, Turn};

/// Fills in the parts of [`Game`] that a search never asks for.
macro_rules! without_text {
    () => {
        fn parse_position(&self, _: &str) -> Result<Self::Position, PositionError> {
            Err(PositionError { column: 1, message: "toys have no text".into() })
        }
        fn position_text(&self, position: &Self::Position) -> String {
            format!("{position:?}")
        }
        fn parse_move(&self, _: &Self::Position, text: &str) -> Result<Self::Move, MoveError> {
            Err(MoveError { text: text.into(), message: "toys have no text".into() })
        }
        fn move_text(&self, _: &Self::Position, mv: Self::Move) -> String {
            format!("{mv:?}")
        }
        fn draw(&self, position: &Self::Position) -> String {
            format!("{position:?}")
        }
        fn board_json(&self) -> serde_json::Value {
            serde_json::Value::Null
        }
        fn rules_json(&self) -> serde_json::Value {
            serde_json::Value::Null
        }
        fn name(&self) -> &str {
            "toy"
        }
        fn fingerprint(&self) -> u64 {
            1
        }
        fn seats(&self) -> usize {
            2
        }
        fn seat_name(&self, seat: Seat) -> &str {
            ["first", "second"][seat.index()]
        }
        fn random_move<R: Rng>(&self, position: &Self::Position, rng: &mut R) -> Option<Self::Move> {
            let mut moves = Vec::new();
            self.legal_moves(position, &mut moves);
            (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
        }
    };
}

fn mix(value: u64) -> u64 {
    let value = (value + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ value >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Noughts and crosses.
pub(super) struct Crosses;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Board {
    /// Squares taken, by seat.
    taken: [u16; 2],
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Board {
    pub(super) fn after(moves: &[u8]) -> Board {
        moves.iter().fold(Board::default(), |board, &mv| Crosses.play_unchecked(&board, mv))
    }

    fn seat(&self) -> Seat {
        Seat(((self.taken[0] | self.taken[1]).count_ones() % 2) as u8)
    }

    fn has_line(&self, seat: Seat) -> bool {
        LINES.iter().any(|&line| self.taken[seat.index()] & line == line)
    }
}

impl Game for Crosses {
    type Position = Board;
    type Move = u8;

    without_text!();

    fn start(&self) -> Board {
        Board::default()
    }

    fn history_rules(&self) -> HistoryRules {
        HistoryRules { repetition: Repetition::Draws, no_progress_plies: 0 }
    }

    fn turn(&self, board: &Board) -> Turn {
        let last = board.seat().other();
        if board.has_line(last) {
            Turn::Over(Outcome { winner: Some(last), reason: "line" })
        } else if board.taken[0] | board.taken[1] == 0o777 {
            Turn::Over(Outcome { winner: None, reason: "full" })
        } else {
            Turn::Player(board.seat())
        }
    }

    fn legal_moves(&self, board: &Board, moves: &mut Vec<u8>) {
        if self.turn(board).outcome().is_none() {
            moves.extend((0..9).filter(|square| (board.taken[0] | board.taken[1]) >> square & 1 == 0));
        }
    }

    fn play_unchecked(&self, board: &Board, mv: u8) -> Board {
        let mut next = *board;
        next.taken[board.seat().index()] |= 1 << mv;
        next
    }

    fn key(&self, board: &Board) -> u64 {
        mix(u64::from(board.taken[0]) << 9 | u64::from(board.taken[1]))
    }

    fn is_irreversible(&self, _: &Board, _: u8) -> bool {
        true
    }

    fn is_progress(&self, _: &Board, _: u8) -> bool {
        true
    }

    fn is_capture(&self, _: &Board, _: u8) -> bool {
        false
    }

    fn move_slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    fn move_slots(&self) -> usize {
        9
    }
}

/// Two walkers on a circle of points: step either way or stand on the spot's number, and whoever meets the other wins.
///
/// A step onto a point divisible by three gives another turn, so that sides do not alternate; dice may decide the first step.
pub(super) struct Circle {
    pub(super) points: u8,
    pub(super) repetition: Repetition,
    pub(super) no_progress_plies: u32,
    /// Whether a coin is tossed after each step from point 1: heads go one point on.
    pub(super) coin: bool,
}

impl Circle {
    pub(super) fn new(points: u8) -> Self {
        Circle { points, repetition: Repetition::Draws, no_progress_plies: 0, coin: false }
    }

    pub(super) fn at(&self, first: u8, second: u8) -> Walkers {
        Walkers { places: [first, second], seat: 0, tossing: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walkers {
    pub(super) places: [u8; 2],
    pub(super) seat: u8,
    tossing: bool,
}

impl Game for Circle {
    type Position = Walkers;
    /// Points to go on.
    type Move = u8;

    without_text!();

    fn start(&self) -> Walkers {
        self.at(0, self.points / 2)
    }

    fn history_rules(&self) -> HistoryRules {
        HistoryRules { repetition: self.repetition, no_progress_plies: self.no_progress_plies }
    }

    fn turn(&self, walkers: &Walkers) -> Turn {
        if walkers.places[0] == walkers.places[1] {
            // The walker that moves less likes to be met: the second seat wins on even points.
            Turn::Over(Outcome { winner: Some(Seat(1 - walkers.places[0] % 2)), reason: "met" })
        } else if walkers.tossing {
            Turn::Chance
        } else {
            Turn::Player(Seat(walkers.seat))
        }
    }

    fn legal_moves(&self, walkers: &Walkers, moves: &mut Vec<u8>) {
        if self.turn(walkers).seat().is_some() {
            moves.extend([1, self.points - 1, 2]);
        }
    }

    fn play_unchecked(&self, walkers: &Walkers, mv: u8) -> Walkers {
        let mut next = *walkers;
        let place = &mut next.places[usize::from(walkers.seat)];
        let from = *place;
        *place = (from + mv) % self.points;
        next.tossing = self.coin && !walkers.tossing && from == 1;
        if !place.is_multiple_of(3) && !next.tossing {
            next.seat ^= 1;
        }
        next
    }

    fn key(&self, walkers: &Walkers) -> u64 {
        let [first, second] = walkers.places.map(u64::from);
        mix(first << 16 | second << 8 | u64::from(walkers.seat) << 1 | u64::from(walkers.tossing))
    }

    fn is_irreversible(&self, _: &Walkers, _: u8) -> bool {
        false
    }

    fn is_progress(&self, _: &Walkers, _: u8) -> bool {
        false
    }

    fn is_capture(&self, walkers: &Walkers, mv: u8) -> bool {
        self.turn(&self.play_unchecked(walkers, mv)).outcome().is_some()
    }

    fn move_slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    fn move_slots(&self) -> usize {
        usize::from(self.points)
    }

    fn chance_outcomes(&self, _: &Walkers, outcomes: &mut Vec<(u8, f64)>) {
        outcomes.extend([(0, 0.5), (1, 0.5)]);
    }
}

/// No opinion at all.
#[derive(Clone)]
pub(super) struct Blank;

impl<G: Game> Evaluator<G> for Blank {
    fn evaluate(&self, _: &G, _: &G::Position, _: Seat) -> i32 {
        0
    }

    fn explain(&self, _: &G, _: &G::Position) -> Vec<(&'static str, i32)> {
        Vec::new()
    }
}

/// An arbitrary but fixed opinion, so that no two lines are worth the same.
#[derive(Clone)]
pub(super) struct Whim;

impl<G: Game> Evaluator<G> for Whim {
    fn evaluate(&self, game: &G, position: &G::Position, seat: Seat) -> i32 {
        let value = (game.key(position) >> 40) as i32 % 500;
        if seat == Seat::P1 { value } else { -value }
    }

    fn explain(&self, game: &G, position: &G::Position) -> Vec<(&'static str, i32)> {
        vec![("whim", self.evaluate(game, position, Seat::P1))]
    }
}
