//! Prints the games as JSON, one a line, with everything known of each and names in place of indices.

use std::io::{self, Write};

use serde::Serialize;

use super::csv::cause_name;
use super::pgn::engine_name;
use super::replay::{Replays, texts};
use super::{Printer, result_text};
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::ArchivedGame;
use crate::tournament::record::{EngineScore, GameTimes, PlayedMove};

/// Prints the games of a journal.
pub(super) struct Lines<'a> {
    header: &'a JournalHeader,
    replays: Replays,
}

/// A game; see `tournaments/README.md` for the keys.
#[derive(Serialize)]
struct GameObject<'a> {
    game: u64,
    pair: u64,
    round: u32,
    ruleset: &'a str,
    fingerprint: Option<&'a str>,
    opening: u64,
    seats: Vec<SeatOf>,
    /// The text of the start position.
    start: &'a str,
    opening_moves: &'a [String],
    moves: Vec<MoveObject<'a>>,
    plies: usize,
    result: String,
    /// Seat index; null for a draw and for a puzzle that is not solved.
    winner: Option<u8>,
    cause: String,
    reason: &'a str,
    disagreements: &'a [String],
    started_unix_ms: Option<u64>,
}

#[derive(Serialize)]
struct SeatOf {
    engine: String,
    side: String,
    role: String,
}

#[derive(Serialize)]
struct MoveObject<'a> {
    #[serde(rename = "move")]
    text: &'a str,
    /// Null for a roll of the dice.
    seat: Option<u8>,
    score_cp: Option<i32>,
    mate: Option<i32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time_us: Option<u64>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(header: &'a JournalHeader) -> Self {
        Lines { header, replays: Replays::new(header) }
    }

    fn seat(&self, ruleset: usize, seat: usize, engine: usize) -> SeatOf {
        let known = self.header.rulesets.get(ruleset).and_then(|ruleset| ruleset.seats.get(seat));
        let unknown = format!("p{}", seat + 1);
        SeatOf {
            engine: engine_name(self.header, engine),
            side: known.map_or(unknown.clone(), |seat| seat.name.clone()),
            role: known.map_or(unknown, |seat| seat.role.clone()),
        }
    }

    fn moves<'b>(&mut self, game: &'b ArchivedGame) -> Vec<MoveObject<'b>> {
        let record = &game.record;
        let movers = self.replays.movers(record).into_iter().skip(record.opening.moves.len());
        let played = record.moves.iter().zip(movers).enumerate();
        played.map(|(index, (mv, seat))| a_move(mv, seat, game.times.as_ref(), index)).collect()
    }
}

fn a_move<'a>(mv: &'a PlayedMove, seat: Option<u8>, times: Option<&GameTimes>, index: usize) -> MoveObject<'a> {
    let opinion = mv.opinion();
    let (score_cp, mate) = match opinion.score {
        Some(EngineScore::Centipieces(value)) => (Some(value), None),
        Some(EngineScore::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    let time_us = times.and_then(|times| times.move_us.get(index).copied());
    MoveObject { text: mv.text(), seat, score_cp, mate, depth: opinion.depth, nodes: opinion.nodes, time_us }
}

impl Printer for Lines<'_> {
    fn game(&mut self, game: &ArchivedGame, out: &mut dyn Write) -> io::Result<()> {
        let moves = self.moves(game);
        let record = &game.record;
        let fixture = &record.fixture;
        let ruleset = self.header.rulesets.get(fixture.ruleset);
        let seats = fixture.seats.iter().enumerate();
        let line = GameObject {
            game: fixture.game,
            pair: fixture.pair,
            round: fixture.round,
            ruleset: ruleset.map_or("", |ruleset| &ruleset.label),
            fingerprint: ruleset.and_then(|ruleset| ruleset.fingerprint.as_deref()),
            opening: fixture.opening,
            seats: seats.map(|(seat, &engine)| self.seat(fixture.ruleset, seat, engine)).collect(),
            start: record.opening.start.as_deref().or(ruleset.map(|ruleset| ruleset.start.as_str())).unwrap_or(""),
            opening_moves: &record.opening.moves,
            moves,
            plies: texts(record).count(),
            result: result_text(record),
            winner: record.ending.winner.filter(|&winner| usize::from(winner) < fixture.seats.len()),
            cause: cause_name(&record.ending.cause),
            reason: &record.ending.reason,
            disagreements: &record.disagreements,
            started_unix_ms: game.times.as_ref().map(|times| times.started_unix_ms),
        };
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)
    }
}
