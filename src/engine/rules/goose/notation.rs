//! Texts of positions and moves, the drawn track, and the changes that moves make on it.

use serde_json::{Map, Value, json};

use super::Goose;
use super::position::{HELD, Move, Phase, Position, Roll};
use super::ruleset::TeamDice;
use super::track::{BRIDGE, DEATH, FINISH, FieldKind, GEESE, INN, Landing, MAZE, PRISON, START, WELL};
use crate::rules::{
    BoardView, Capabilities, Change, Game, GameInfo, MoveError, Notation, Piece, PieceKind, PieceType, PointView,
    PositionError, Seat,
};

impl Notation for Goose {
    fn info(&self) -> GameInfo {
        GameInfo::new(self, &self.ruleset, self.board_view(), self.capabilities())
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position) -> String {
        self.write_position(position)
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
            Move::Use { counter, steps } => format!("{}:{steps}", counter + 1),
        }
    }

    fn draw(&self, position: &Position) -> String {
        self.draw_track(position) + "\n" + &self.player_list(position)
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
            Move::Roll(_) if self.ruleset.rules.team => Change::default(),
            Move::Roll(roll) => {
                let counter = self.first_counter(position.seat);
                self.advance(position, counter, roll.sum(), self.roll_landing(position, roll))
            }
            Move::Use { counter, steps } => {
                let counter = self.first_counter(position.seat) + usize::from(counter);
                self.advance(position, counter, steps, self.use_landing(position, counter, steps))
            }
        }
    }
}

impl Goose {
    fn board_view(&self) -> BoardView {
        // The start is drawn before the first field, outside the spiral.
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
            ruleset: self.ruleset.heading.name.clone(),
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

    fn capabilities(&self) -> Capabilities {
        let kind = |seat| PieceKind::new(PieceType::Counter, Seat(seat));
        Capabilities {
            seats: Game::seats(self),
            most_captures: u32::from(self.ruleset.rules.exchange),
            has_dice: true,
            pieces: self.seats().map(kind).collect(),
            ..Capabilities::default()
        }
    }

    fn counters_on(&self, field: u8, seat: u8, count: usize) -> Piece {
        Piece { point: field.to_string(), owner: Some(Seat(seat)), kind: PieceType::Counter, count: count as u32 }
    }

    fn advance(&self, position: &Position, counter: usize, steps: u8, landing: Landing) -> Change {
        let from = position.fields[counter];
        let met = self.met(position, counter, landing.field).map(|other| self.owner(other));
        let one = |field: u8| met.map(|owner| self.counters_on(field, owner, 1)).into_iter().collect();
        let path = self.visited(from, steps, landing).iter().map(u8::to_string).collect();
        Change {
            mover: Some(position.seat()),
            captured: one(landing.field),
            placed: one(from),
            ..Change::travel(from.to_string(), path)
        }
    }

    fn read_use(&self, position: &Position, text: &str) -> Result<Move, String> {
        let counters = self.ruleset.rules.counters;
        let expected = || format!("a counter from 1 to {counters} and its steps are expected, as in '1:6'");
        let (counter, steps) = text.split_once(':').ok_or_else(expected)?;
        let number = digit(counter).filter(|&number| (1..=counters).contains(&number.into())).ok_or_else(expected)?;
        let is_number = steps.bytes().all(|byte| byte.is_ascii_digit()) && !steps.starts_with('0');
        let steps = steps.parse().ok().filter(|steps| is_number && (1..=12).contains(steps)).ok_or_else(expected)?;
        if !self.steps(position).any(|left| left == steps) {
            let left: Vec<String> = self.steps(position).map(|steps| steps.to_string()).collect();
            return Err(format!("there is no {steps} to use, but {}", left.join(" and ")));
        }
        let own = self.counters_of(position.seat);
        let named = own.start + usize::from(number - 1);
        // Counters on one field are alike; the first of them moves.
        let alike = own.clone().find(|&other| position.fields[other] == position.fields[named]).unwrap_or(named);
        if self.can_use(position, alike, steps) {
            Ok(Move::Use { counter: (alike - own.start) as u8, steps })
        } else {
            Err(self.refusal(position, named, steps))
        }
    }

    /// Why a counter cannot move by these steps.
    fn refusal(&self, position: &Position, counter: usize, steps: u8) -> String {
        let is_die = self.ruleset.rules.team_dice == TeamDice::Sum && position.dice.contains(&steps);
        match (position.fields[counter], position.waits[counter]) {
            (FINISH, _) => "the counter is already borne off".to_owned(),
            (field, 0) if is_die && field + steps != FINISH => {
                format!("a counter moves by the sum; a die alone only goes exactly to field {FINISH}")
            }
            (_, 0) => {
                format!("another own counter stands on field {}", self.use_landing(position, counter, steps).field)
            }
            (field, _) => format!("the counter waits on field {field}"),
        }
    }
}

/// Reads a single digit.
fn digit(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

fn read_roll(text: &str) -> Result<Move, String> {
    let expected = || "a roll of two dice is expected, as in '6+3'".to_owned();
    let (one, other) = text.split_once('+').ok_or_else(expected)?;
    let die = |text: &str| digit(text).filter(|die| (1..=6).contains(die)).ok_or_else(expected);
    Ok(Move::Roll(Roll::new(die(one)?, die(other)?)))
}

/// The width of the drawn track in fields. Its spiral winds inwards from the lower left corner, first along the bottom.
const WIDTH: usize = 9;
const HEIGHT: usize = 7;
/// The number of letters inside a cell of the drawn track.
const INNER: usize = 7;

/// Column and row of every field from 1 up, rows from the bottom.
fn spiral() -> Vec<(usize, usize)> {
    let mut left = 0;
    let mut right = WIDTH - 1;
    let mut bottom = 0;
    let mut top = HEIGHT - 1;
    let mut cells = Vec::with_capacity(WIDTH * HEIGHT);
    while cells.len() < WIDTH * HEIGHT {
        cells.extend((left..=right).map(|column| (column, bottom)));
        cells.extend((bottom + 1..=top).map(|row| (right, row)));
        if top > bottom {
            cells.extend((left..right).rev().map(|column| (column, top)));
        }
        if right > left {
            cells.extend((bottom + 1..top).rev().map(|row| (left, row)));
        }
        left += 1;
        bottom += 1;
        right = right.saturating_sub(1);
        top = top.saturating_sub(1);
    }
    cells
}

impl Goose {
    /// Draws the track: each cell has the number of its field and its kind, below that the players or, in the team
    /// game, their counters; walls stand where the track does not pass. It fits a window of 24 lines.
    fn draw_track(&self, position: &Position) -> String {
        let cells = spiral();
        let field_at = |column, row| cells.iter().position(|&cell| cell == (column, row)).map(|index| index + 1);
        let joins = |one: Option<usize>, other: Option<usize>| {
            one.zip(other).is_some_and(|(one, other)| one.abs_diff(other) == 1)
        };
        let mut text = format!(" {}\n", "_".repeat(WIDTH * (INNER + 1) - 1));
        for row in (0..HEIGHT).rev() {
            let mut labels = "|".to_owned();
            let mut counters = "|".to_owned();
            for column in 0..WIDTH {
                let here = field_at(column, row);
                let field = here.unwrap_or_default() as u8;
                let is_open = joins(here, field_at(column + 1, row));
                let floor = if row > 0 && joins(here, field_at(column, row - 1)) { ' ' } else { '_' };
                labels += &format!("{:<INNER$}{}", label(field), if is_open { ' ' } else { '|' });
                let standing = format!(" {:<width$}", self.standing(position, field), width = INNER - 1);
                counters += &standing.replace(' ', &floor.to_string());
                counters.push(if is_open { floor } else { '|' });
            }
            text += &format!("{labels}\n{counters}\n");
        }
        text
    }

    /// The names of the counters on a field, as the drawn track shows them.
    fn standing(&self, position: &Position, field: u8) -> String {
        let counters = (0..self.all_counters()).filter(|&counter| field != START && position.fields[counter] == field);
        let names: Vec<String> = counters.map(|counter| self.counter_name(counter)).collect();
        match names.join(" ") {
            text if text.len() > INNER - 1 => format!("{} all", names.len()),
            text => text,
        }
    }

    /// The player's number, followed in the team game by the counter's.
    fn counter_name(&self, counter: usize) -> String {
        let seat = self.owner(counter);
        let player = format!("{}", seat + 1);
        if self.ruleset.rules.team { format!("{player}.{}", counter - self.first_counter(seat) + 1) } else { player }
    }

    fn player_list(&self, position: &Position) -> String {
        let line = |seat: u8| {
            let counters: Vec<String> =
                self.counters_of(seat).map(|counter| self.where_it_stands(position, counter)).collect();
            let account = position.accounts[usize::from(seat)];
            let fields = if counters.len() == 1 { "field" } else { "fields" };
            format!("player {}: {fields} {}; account {account}\n", seat + 1, counters.join(", "))
        };
        let players: String = self.seats().map(line).collect();
        let dice: Vec<String> = position.dice().map(|die| die.to_string()).collect();
        let dice = if dice.is_empty() { String::new() } else { format!("; dice to use: {}", dice.join(" and ")) };
        format!("{players}pot: {}{dice}\n", position.pot)
    }

    /// The field of a counter with its wait and, in the classical game, its kind. In the team game only the track shows
    /// the kind, because all four counters of a player have to fit on a line.
    fn where_it_stands(&self, position: &Position, counter: usize) -> String {
        let field = position.fields[counter];
        let kind = match FieldKind::of(field) {
            FieldKind::Plain | FieldKind::Goose => None,
            _ if self.ruleset.rules.team => None,
            kind => Some(kind.name().to_owned()),
        };
        let wait = match position.waits[counter] {
            0 => None,
            HELD => Some("until relieved".to_owned()),
            1 => Some("misses 1 turn".to_owned()),
            turns => Some(format!("misses {turns} turns")),
        };
        let notes: Vec<String> = kind.into_iter().chain(wait).collect();
        if notes.is_empty() { field.to_string() } else { format!("{field} ({})", notes.join(", ")) }
    }
}

/// The number of a field and its kind, as the drawn track shows them.
fn label(field: u8) -> String {
    match FieldKind::of(field) {
        FieldKind::Plain | FieldKind::Start => format!("{field:>2}"),
        FieldKind::Goose => format!("{field:>2} >>"),
        FieldKind::Bridge => format!("{field:>2} brdg"),
        FieldKind::Prison => format!("{field:>2} jail"),
        FieldKind::Death => format!("{field:>2} dead"),
        FieldKind::Finish => format!("{field:>2} end"),
        kind => format!("{field:>2} {}", kind.name()),
    }
}
