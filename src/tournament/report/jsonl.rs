//! Prints the games as JSON, one a line, with everything known of each and names in place of indices.

use std::io::{self, Write};

use serde::Serialize;

use super::csv::cause_name;
use super::replay::{Replays, texts};
use super::result_text;
use crate::tournament::record::{EngineScore, FinishedGame, GameRecord, Opinion, PlayedMove};

/// A game; see `tournaments/README.md` for the keys.
#[derive(Serialize)]
struct GameObject<'a> {
    game: u64,
    pair: u64,
    round: u32,
    ruleset: &'a str,
    fingerprint: Option<&'a str>,
    opening: u64,
    seats: Vec<SeatObject<'a>>,
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
    not_comparable: &'a [String],
    started_unix_ms: Option<u64>,
}

#[derive(Serialize)]
struct SeatObject<'a> {
    engine: &'a str,
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

/// Writes a game as one line.
pub(super) fn write_game(replays: &mut Replays<'_>, game: &FinishedGame, out: &mut dyn Write) -> io::Result<()> {
    let FinishedGame { record, times } = game;
    let GameRecord { fixture, opening, ending, .. } = record;
    let moves = moves(replays, game);
    let ruleset = &replays.header.rulesets[fixture.ruleset];
    let seat = |(seat, &engine): (usize, &usize)| SeatObject {
        engine: &replays.header.engines[engine],
        side: ruleset.seats.get(seat).map_or_else(|| format!("p{}", seat + 1), |seat| seat.name.clone()),
        role: ruleset.seats.get(seat).map_or_else(|| format!("p{}", seat + 1), |seat| seat.role.clone()),
    };
    let line = GameObject {
        game: fixture.game,
        pair: fixture.pair,
        round: fixture.round,
        ruleset: &ruleset.label,
        fingerprint: ruleset.fingerprint.as_deref(),
        opening: fixture.opening,
        seats: fixture.seats.iter().enumerate().map(seat).collect(),
        start: opening.start.as_ref().unwrap_or(&ruleset.start),
        opening_moves: &opening.moves,
        moves,
        plies: texts(record).count(),
        result: result_text(record),
        winner: ending.winner.filter(|&winner| usize::from(winner) < fixture.seats.len()),
        cause: cause_name(&ending.cause),
        reason: &ending.reason,
        disagreements: &record.disagreements,
        not_comparable: &record.not_comparable,
        started_unix_ms: times.started(),
    };
    serde_json::to_writer(&mut *out, &line)?;
    writeln!(out)
}

fn moves<'a>(replays: &mut Replays<'_>, FinishedGame { record, times }: &'a FinishedGame) -> Vec<MoveObject<'a>> {
    let movers = replays.movers(record).into_iter().skip(record.opening.moves.len());
    let of_move = |(index, (mv, seat)): (usize, (&'a PlayedMove, Option<u8>))| {
        let Opinion { score, depth, nodes } = mv.opinion();
        let (score_cp, mate) = match score {
            Some(EngineScore::Centipieces(value)) => (Some(value), None),
            Some(EngineScore::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let time_us = times.move_us.get(index).copied();
        MoveObject { text: mv.text(), seat, score_cp, mate, depth, nodes, time_us }
    };
    record.moves.iter().zip(movers).enumerate().map(of_move).collect()
}
