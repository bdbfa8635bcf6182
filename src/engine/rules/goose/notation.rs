//! Texts of positions and moves, the drawn track, and what moves change on it.

use serde_json::{Map, Value, json};

use super::Goose;
use super::drawing::{HEIGHT, WIDTH, spiral};
use super::keys::NineRule;
use super::moves::read_roll;
use super::position::{HELD, Move, Phase, Position, bit};
use super::track::{self, BRIDGE, DEATH, FINISH, FieldKind, GEESE, INN, Landing, MAZE, PRISON, START, WELL};
use crate::rules::{
    BoardView, Capabilities, Change, Game, MoveError, Notation, Piece, PieceKind, PieceType, PointView, PositionError,
    Seat,
};

impl Notation for Goose {
    fn name(&self) -> &str {
        &self.ruleset.heading.name
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position) -> String {
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
            let accounts = &position.accounts[..usize::from(self.rules().players)];
            words.push(format!("accounts={}", accounts.iter().map(i32::to_string).collect::<Vec<_>>().join(",")));
        }
        words.join(" ")
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let read = match position.phase {
            Phase::Roll => read_roll(text),
            Phase::Use => self.read_use(position, text),
            Phase::Won | Phase::Stuck => Err("the game is over".to_owned()),
        };
        read.map_err(|message| MoveError::new(text, message))
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Roll(roll) => {
                let [high, low] = roll.dice();
                format!("{high}+{low}")
            }
            Move::Use { counter, die } => format!("{}:{die}", counter + 1),
        }
    }

    fn draw(&self, position: &Position) -> String {
        self.draw_track(position) + "\n" + &self.player_list(position)
    }

    fn board_view(&self) -> BoardView {
        // The start lies before the first field, outside the spiral.
        let places = std::iter::once((0, 0)).chain(spiral().into_iter().map(|(column, row)| (column + 1, row)));
        let point = |(field, (x, y)): (usize, (usize, usize))| PointView {
            name: field.to_string(),
            x,
            y,
            kind: Some(FieldKind::of(field as u8).name()),
        };
        let mut regions = json!({"goose_fields": GEESE.map(|field| field.to_string())});
        for field in [BRIDGE, INN, WELL, MAZE, PRISON, DEATH, FINISH] {
            regions[FieldKind::of(field).name()] = json!([field.to_string()]);
        }
        let name = |seat: u8| (format!("p{}", seat + 1), Value::from(format!("player {}", seat + 1)));
        BoardView {
            ruleset: self.name().to_owned(),
            board: "spiral63".into(),
            width: WIDTH + 1,
            height: HEIGHT,
            points: places.enumerate().map(point).collect(),
            lines: (START..FINISH).map(|field| [field, field + 1].map(|field| field.to_string())).collect(),
            more: Map::new(),
            regions,
            pieces: Value::Object(self.seats().map(name).collect()),
        }
    }

    fn rules_json(&self) -> Value {
        self.ruleset.to_json()
    }

    fn pieces(&self, position: &Position) -> Vec<Piece> {
        let on = |field: u8, seat: u8| {
            let counters = &position.fields[self.counters_of(seat)];
            self.counters_on(field, seat, counters.iter().filter(|&&stands| stands == field).count())
        };
        let pieces = (START..=FINISH).flat_map(|field| self.seats().map(move |seat| on(field, seat)));
        pieces.filter(|piece| piece.count > 0).collect()
    }

    fn change(&self, position: &Position, mv: Move) -> Change {
        match mv {
            Move::Roll(_) if self.rules().team => Change::default(),
            Move::Roll(roll) => {
                let counter = self.first_counter(position.seat);
                self.advance(position, counter, roll.sum(), self.roll_landing(position, roll))
            }
            Move::Use { counter, die } => {
                let counter = self.first_counter(position.seat) + usize::from(counter);
                self.advance(position, counter, die, self.landing(position.fields[counter], die))
            }
        }
    }

    fn capabilities(&self) -> Capabilities {
        let kind = |seat| PieceKind::new(PieceType::Counter, Seat(seat));
        Capabilities {
            seats: Game::seats(self),
            most_captures: u32::from(self.rules().exchange),
            has_dice: true,
            pieces: self.seats().map(kind).collect(),
            ..Capabilities::default()
        }
    }
}

impl Goose {
    fn counters_on(&self, field: u8, seat: u8, count: usize) -> Piece {
        Piece { point: field.to_string(), owner: Some(Seat(seat)), kind: PieceType::Counter, count: count as u32 }
    }

    /// The fields that a counter sets foot on: at the end of the roll, on every goose after that, where a hazard sends
    /// it.
    pub(super) fn visited(&self, from: u8, steps: u8, landing: Landing) -> Vec<u8> {
        let mut fields = Vec::new();
        let end = track::resting_field(from, steps, self.ruleset.rules.back_goose, |goose| fields.push(goose));
        if end != landing.touched {
            // A 9 of the first throw, or the last field by a die alone.
            fields.clear();
        }
        fields.push(landing.touched);
        if landing.field != landing.touched {
            fields.push(landing.field);
        }
        fields
    }

    fn advance(&self, position: &Position, counter: usize, steps: u8, landing: Landing) -> Change {
        let from = position.fields[counter];
        let met = self.met(position, counter, landing.field).map(|other| self.owner(other));
        let one = |field: u8| met.map(|owner| self.counters_on(field, owner, 1)).into_iter().collect();
        let path = self.visited(from, steps, landing).iter().map(u8::to_string).collect();
        let (captured, placed) = (one(landing.field), one(from));
        Change { mover: Some(position.seat()), captured, placed, ..Change::travel(from.to_string(), path) }
    }

    fn write_player(&self, position: &Position, seat: u8) -> String {
        let counter = |counter: usize| match (position.fields[counter], position.waits[counter]) {
            (field, 0 | HELD) => field.to_string(),
            (field, turns) => format!("{field}:{turns}"),
        };
        format!("p{}={}", seat + 1, self.counters_of(seat).map(counter).collect::<Vec<_>>().join(","))
    }

    /// What the fields alone do not tell.
    fn has_thrown_on_start(&self, position: &Position, seat: u8) -> bool {
        let matters = self.ruleset.rules.nine_rule == NineRule::FirstThrow;
        matters && position.fields[self.first_counter(seat)] == START && position.fresh & bit(seat) == 0
    }
}
