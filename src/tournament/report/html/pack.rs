//! The games as the page carries them: one short line a game, made of characters that mean nothing to HTML.
//!
//! `game.js` reads what is written here; every text that somebody else chose goes into the facts, which are JSON.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::super::ground::{Correction, Ground};
use crate::tournament::header::Header;
use crate::tournament::record::{Cause, DICE, EngineScore, GameRecord, GameTimes, PlayedMove};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Texts by the order in which they first came.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, usize>,
    listed: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.listed.len();
        self.numbers.insert(text.to_owned(), number);
        self.listed.push(text.to_owned());
        number
    }
}

/// Collects the games of a report.
pub(super) struct Packer {
    lines: String,
    /// By ruleset.
    moves: Vec<Texts>,
    reasons: Texts,
    causes: Texts,
    /// Start positions and disagreements.
    texts: Texts,
}

impl Packer {
    pub(super) fn new(rulesets: usize) -> Self {
        let moves = std::iter::repeat_with(Texts::default).take(rulesets).collect();
        let [reasons, causes, texts] = std::array::from_fn(|_| Texts::default());
        Packer { lines: String::new(), moves, reasons, causes, texts }
    }

    /// `movers` are told where no board shows them.
    pub(super) fn add(
        &mut self,
        record: &GameRecord,
        times: Option<&GameTimes>,
        corrections: &[Correction],
        movers: &[Option<u8>],
    ) {
        self.head(record);
        self.field(|packer, line| {
            let notes: Vec<String> =
                record.disagreements.iter().map(|note| packer.texts.number(note).to_string()).collect();
            line.push_str(&notes.join("."));
        });
        let corrections: Vec<String> = corrections.iter().map(ToString::to_string).collect();
        self.field(|_, line| line.push_str(&corrections.join(".")));
        self.columns(record, times);
        let digit = |mover: &Option<u8>| mover.map_or(DICE, |seat| char::from(b'0' + seat));
        self.field(|_, line| line.extend(movers.iter().map(digit)));
        self.lines.push('\n');
    }

    fn head(&mut self, record: &GameRecord) {
        let (fixture, ending) = (&record.fixture, &record.ending);
        let seats: Vec<String> = fixture.seats.iter().map(ToString::to_string).collect();
        let winner = ending.winner.map(|seat| seat.to_string()).unwrap_or_default();
        let cause = self.causes.number(cause_text(&ending.cause));
        let reason = self.reasons.number(&ending.reason);
        let start = record.opening.start.as_ref().map(|start| self.texts.number(start).to_string());
        let plies = record.opening.moves.len() + record.moves.len();
        let _ = write!(
            self.lines,
            "{},{},{},{},{},{},{winner},{cause},{reason},{},{},{plies}",
            fixture.game,
            fixture.pair,
            fixture.round,
            fixture.ruleset,
            fixture.opening,
            seats.join("."),
            start.unwrap_or_default(),
            record.opening.moves.len(),
        );
    }

    fn columns(&mut self, record: &GameRecord, times: Option<&GameTimes>) {
        let played = &record.moves;
        self.field(|packer, line| {
            let Some(dictionary) = packer.moves.get_mut(record.fixture.ruleset) else { return };
            let texts = record.opening.moves.iter().map(String::as_str).chain(played.iter().map(PlayedMove::text));
            texts.for_each(|text| push_number(line, dictionary.number(text) as u64));
        });
        self.field(|_, line| push_column(line, played.iter().map(|mv| mv.opinion().score), push_score));
        self.field(|_, line| {
            push_column(line, played.iter().map(|mv| mv.opinion().depth.map(u64::from)), push_optional)
        });
        self.field(|_, line| push_column(line, played.iter().map(|mv| mv.opinion().nodes), push_optional));
        let measured = times.map_or(&[][..], |times| &times.move_us);
        // Tenths of milliseconds are fine enough to look at; the journal keeps microseconds.
        let tenths = (0..played.len()).map(|index| measured.get(index).map(|us| us.saturating_add(50) / 100));
        self.field(|_, line| push_column(line, tenths, push_optional));
    }

    fn field(&mut self, write: impl FnOnce(&mut Self, &mut String)) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(',');
        write(self, &mut lines);
        self.lines = lines;
    }

    /// A line for every game.
    pub(super) fn take_lines(&mut self) -> String {
        std::mem::take(&mut self.lines)
    }

    /// What the lines refer to by number.
    pub(super) fn facts(&self, header: &Header, grounds: &[Ground]) -> Value {
        let ruleset = |(ruleset, ground): (&crate::tournament::header::RulesetHeader, &Ground)| {
            let board = if ground.has_board() { ruleset.board.clone() } else { Value::Null };
            json!({
                "label": ruleset.label, "start": ruleset.start, "seats": ruleset.seats, "board": board,
                "foxes": ground.foxes(),
            })
        };
        let mut roles: Vec<&str> = Vec::new();
        for seat in header.rulesets.iter().flat_map(|ruleset| &ruleset.seats) {
            if !roles.contains(&seat.role.as_str()) {
                roles.push(&seat.role);
            }
        }
        json!({
            "engines": header.engines,
            "rulesets": header.rulesets.iter().zip(grounds).map(ruleset).collect::<Vec<_>>(),
            "roles": roles,
            "moves": self.moves.iter().map(|texts| &texts.listed).collect::<Vec<_>>(),
            "reasons": self.reasons.listed,
            "causes": self.causes.listed,
            "texts": self.texts.listed,
        })
    }
}

fn cause_text(cause: &Cause) -> &'static str {
    match cause {
        Cause::Rules => "by the rules",
        Cause::PlyLimit => "ply limit",
        Cause::DrawAdjudication => "draw adjudicated",
        Cause::ResignAdjudication => "win adjudicated",
        Cause::TableAdjudication => "decided by table",
        Cause::Forfeit(_) => "forfeit",
    }
}

/// Base 32, lowest digit first; digits that others follow come from the upper half of the alphabet.
fn push_number(line: &mut String, mut value: u64) {
    while value >= 32 {
        line.push(char::from(ALPHABET[32 + (value % 32) as usize]));
        value /= 32;
    }
    line.push(char::from(ALPHABET[value as usize]));
}

fn push_optional(line: &mut String, value: Option<u64>) {
    push_number(line, value.map_or(0, |value| value.saturating_add(1)));
}

fn push_score(line: &mut String, score: Option<EngineScore>) {
    let zigzag = |value: i32| if value < 0 { value.unsigned_abs() as u64 * 2 - 1 } else { value as u64 * 2 };
    match score {
        None => push_number(line, 0),
        Some(EngineScore::Centipieces(value)) => push_number(line, zigzag(value) + 1),
        Some(EngineScore::Mate(moves)) => {
            line.push('!');
            push_number(line, zigzag(moves) + 1);
        }
    }
}

/// One item a ply; a full stop repeats what stood two plies before.
fn push_column<T: Copy + PartialEq>(line: &mut String, items: impl Iterator<Item = T>, push: fn(&mut String, T)) {
    let mut before: [Option<T>; 2] = [None, None];
    for item in items {
        if before[0] == Some(item) {
            line.push('.')
        } else {
            push(line, item)
        }
        before = [before[1], Some(item)];
    }
}
