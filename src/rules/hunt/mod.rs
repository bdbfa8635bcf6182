//! Fox & Geese and its family: one compiler from ruleset data to a fast game.

mod analysis;
mod contradictions;
mod drawing;
mod keys;
mod move_text;
mod moves;
mod play;
mod position;
mod ruleset;
mod setup;
mod tables;
mod text;
mod view;

pub(crate) use keys::{Capture, First, FoxStart, Geese, GeeseStuck, Rules};
pub use keys::{Huff, RepetitionKey};
pub(crate) use position::{Move, MoveKind, Phase};
pub use position::{Position, Side};
pub use ruleset::Ruleset;
pub(crate) use tables::GooseDirection;

use rand::Rng;
use serde_json::Value;

use crate::geometry::{Board, PointSet, Word};

use super::game::{Game, HistoryRules, MoveError, PositionError, Repetition, Seat, Turn};
use tables::Tables;

/// A game of the hunt family, compiled for boards that fit the word `W`.
#[derive(Clone, Debug)]
pub struct Hunt<W: Word> {
    ruleset: Ruleset,
    tables: Tables<W>,
    fingerprint: u64,
    /// The side that moves first after any placement.
    first_side: Side,
    /// The side of seat 0, which acts first.
    p1: Side,
    /// Captured geese can come back by huffing.
    returns_geese: bool,
    /// Where huffing puts them.
    drop_zone: PointSet<W>,
    /// The geese side starts with pieces in hand.
    has_stock: bool,
    /// Some goal is to reach or fill a region.
    has_region_goal: bool,
}

impl<W: Word> Hunt<W> {
    /// Compiles a ruleset; a board with more cells than `W` has bits gives wrong results (see [`Ruleset::is_wide`]).
    pub fn new(ruleset: &Ruleset) -> Self {
        debug_assert!(ruleset.board.cells() <= W::BITS as usize);
        let tables = Tables::new(ruleset);
        let rules = &ruleset.rules;
        let first_side = if rules.first == First::Fox { Side::Fox } else { Side::Geese };
        Hunt {
            fingerprint: ruleset.fingerprint(),
            first_side,
            p1: if rules.fox_start == FoxStart::Choose { Side::Fox } else { first_side },
            returns_geese: matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome),
            drop_zone: if rules.huff == Huff::AddGooseHome { tables.home } else { tables.all },
            has_stock: rules.drops > 0,
            has_region_goal: rules.fox_home_wins || !rules.fortress.is_empty(),
            tables,
            ruleset: ruleset.clone(),
        }
    }

    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    pub fn board(&self) -> &Board {
        &self.ruleset.board
    }

    /// Every point of the board.
    pub fn all(&self) -> PointSet<W> {
        self.tables.all
    }

    pub fn fortress(&self) -> PointSet<W> {
        self.tables.fortress
    }

    pub fn seat(&self, side: Side) -> Seat {
        if side == self.p1 { Seat::P1 } else { Seat::P2 }
    }

    pub fn side(&self, seat: Seat) -> Side {
        if seat == Seat::P1 { self.p1 } else { self.p1.other() }
    }
}

impl<W: Word> Game for Hunt<W> {
    type Position = Position<W>;
    type Move = Move<W>;

    fn name(&self) -> &str {
        &self.ruleset.heading.name
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn seats(&self) -> usize {
        2
    }

    fn role(&self, seat: Seat) -> &'static str {
        match self.side(seat) {
            Side::Fox => "fox",
            Side::Geese => "geese",
        }
    }

    fn seat_name(&self, seat: Seat) -> &str {
        match self.side(seat) {
            Side::Fox => &self.ruleset.rules.fox_side,
            Side::Geese => &self.ruleset.rules.geese_side,
        }
    }

    fn start(&self) -> Position<W> {
        self.start_position()
    }

    fn history_rules(&self) -> HistoryRules {
        let rules = &self.ruleset.rules;
        HistoryRules {
            repetition: match rules.repetition {
                RepetitionKey::Draw => Repetition::Draws,
                RepetitionKey::GeeseLose => Repetition::Loses(self.seat(Side::Geese)),
                RepetitionKey::FoxLoses => Repetition::Loses(self.seat(Side::Fox)),
                RepetitionKey::None => Repetition::Ignored,
            },
            no_progress_plies: rules.no_progress,
        }
    }

    #[inline]
    fn side_to_move(&self, position: &Position<W>) -> Option<Seat> {
        Some(self.seat(position.side_to_move()))
    }

    fn turn(&self, position: &Position<W>) -> Turn {
        self.turn_of(position)
    }

    fn legal_moves(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        if self.decided(position).is_none() {
            self.generate(position, moves);
        }
    }

    fn captures(&self, position: &Position<W>, moves: &mut Vec<Move<W>>) {
        if self.decided(position).is_none() {
            self.generate_captures(position, moves);
        }
    }

    #[inline]
    fn count_moves(&self, position: &Position<W>) -> u64 {
        if self.decided(position).is_some() { 0 } else { self.count(position) }
    }

    #[inline]
    fn play_unchecked(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        self.after(position, mv)
    }

    #[inline]
    fn key(&self, position: &Position<W>) -> u64 {
        position.key() ^ self.fingerprint
    }

    #[inline]
    fn is_irreversible(&self, position: &Position<W>, mv: Move<W>) -> bool {
        match mv.kind {
            // Huffing can bring captured geese back to where they were.
            MoveKind::Jump | MoveKind::Put => !self.returns_geese,
            MoveKind::TakeOff => true,
            MoveKind::Step => {
                position.turn == Side::Geese
                    && self.tables.geese_never_retreat
                    && !self.returns_geese
                    && self.raises_rank(mv)
            }
            MoveKind::Pass => false,
        }
    }

    fn is_progress(&self, position: &Position<W>, mv: Move<W>) -> bool {
        match mv.kind {
            MoveKind::Jump | MoveKind::Put => true,
            MoveKind::Step => position.turn == Side::Geese && self.raises_rank(mv),
            MoveKind::TakeOff | MoveKind::Pass => false,
        }
    }

    #[inline]
    fn is_capture(&self, _position: &Position<W>, mv: Move<W>) -> bool {
        matches!(mv.kind, MoveKind::Jump | MoveKind::TakeOff)
    }

    #[inline]
    fn capture_count(&self, _position: &Position<W>, mv: Move<W>) -> u32 {
        mv.captured.len() + u32::from(mv.kind == MoveKind::TakeOff)
    }

    #[inline]
    fn move_slot(&self, mv: Move<W>) -> usize {
        mv.from.index() * self.ruleset.board.cells() + mv.to.index()
    }

    fn move_slots(&self) -> usize {
        self.ruleset.board.cells() * self.ruleset.board.cells()
    }

    #[inline]
    fn random_move<R: Rng>(&self, position: &Position<W>, rng: &mut R) -> Option<Move<W>> {
        if self.decided(position).is_some() { None } else { self.draw_move(position, rng) }
    }

    fn parse_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position<W>) -> String {
        self.write_position(position)
    }

    fn parse_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        self.read_move(position, text)
    }

    fn move_text(&self, position: &Position<W>, mv: Move<W>) -> String {
        self.write_move(position, mv)
    }

    fn draw(&self, position: &Position<W>) -> String {
        self.draw_board(position)
    }

    fn legend(&self) -> String {
        format!("F for {}, G for {}", self.ruleset.rules.fox_side, self.ruleset.rules.geese_side)
    }

    fn board_json(&self) -> Value {
        self.board_data()
    }

    fn rules_json(&self) -> Value {
        self.ruleset.to_json()
    }
}
