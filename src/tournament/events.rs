//! Writes `events.jsonl`: starts, moves and ends of games as they happen, for programs that watch a run.
//!
//! Nothing depends on it: the journal alone holds the results. Every line is a JSON object with `event` and `at`, the
//! time in UTC; a run that goes on after an interruption appends.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use reynard_engine::files;
use reynard_engine::rules::Seat;
use serde_json::{Value, json};

use super::header::JournalHeader;
use super::record::{Cause, GameRecord, PlayedMove};
use super::schedule::Fixture;
use super::spec::EventKind;
use super::standings::Standings;
use super::stats::Sample;

/// Writes the kinds of events that a spec asks for.
pub struct EventLog {
    kinds: Vec<EventKind>,
    rulesets: Vec<String>,
    engines: Vec<String>,
    out: Mutex<Out>,
}

struct Out {
    file: File,
    /// The first failure; nothing is written after it.
    failure: Option<io::Error>,
}

impl EventLog {
    /// Opens the file for these kinds; `None` when nothing is to be written there.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path, kinds: &[EventKind], header: &JournalHeader) -> io::Result<Option<EventLog>> {
        if kinds.iter().all(|&kind| kind == EventKind::EngineLog) {
            return Ok(None);
        }
        let file = files::append_to(path)?;
        Ok(Some(EventLog {
            kinds: kinds.to_vec(),
            rulesets: header.rulesets.iter().map(|ruleset| ruleset.label.clone()).collect(),
            engines: header.engines.clone(),
            out: Mutex::new(Out { file, failure: None }),
        }))
    }

    /// A worker begins a game.
    pub fn started(&self, fixture: &Fixture) {
        self.write(EventKind::Start, || {
            let seats: Vec<&str> = fixture.seats.iter().map(|&engine| self.engine(engine)).collect();
            let ruleset = self.rulesets.get(fixture.ruleset);
            json!({"event": "start", "game": fixture.game, "pair": fixture.pair, "ruleset": ruleset,
                "opening": fixture.opening, "seats": seats})
        });
    }

    /// A move was accepted, the `ply`-th of the game from 1, the opening's included.
    pub fn moved(&self, fixture: &Fixture, ply: usize, played: &PlayedMove, spent: Duration) {
        self.write(EventKind::Move, || {
            let PlayedMove(text, score, depth, nodes, _) = played;
            json!({"event": "move", "game": fixture.game, "ply": ply, "move": text, "score": score, "depth": depth,
                "nodes": nodes, "us": u64::try_from(spent.as_micros()).unwrap_or(u64::MAX)})
        });
    }

    /// A game is in the journal.
    pub fn ended(&self, game: &GameRecord) {
        let (fixture, ending) = (&game.fixture, &game.ending);
        let seated = |seat: Seat| self.engine(fixture.seats[seat.index()]);
        if let Cause::Forfeit(kind) = ending.cause {
            let engine = ending.winner().map(|winner| self.engine(fixture.loser(winner)));
            self.write(EventKind::Forfeit, || {
                json!({"event": "forfeit", "game": fixture.game, "engine": engine, "kind": kind,
                    "reason": ending.reason})
            });
        }
        self.write(EventKind::End, || {
            json!({"event": "end", "game": fixture.game, "winner": ending.winner().map(seated),
                "seat": ending.winner, "cause": ending.cause, "reason": ending.reason,
                "plies": game.opening.moves.len() + game.moves.len()})
        });
    }

    /// The points after a game.
    pub fn standings(&self, standings: &Standings) {
        self.write(EventKind::Standings, || {
            let engine = |(index, name): (usize, &String)| {
                let games = standings.total(index).games;
                json!({"name": name, "games": games.games(), "wins": games.wins, "draws": games.draws,
                    "losses": games.losses, "points": games.points()})
            };
            let engines: Vec<Value> = self.engines.iter().enumerate().map(engine).collect();
            let llr = standings.sprt().and_then(|test| test.verdict().llr);
            json!({"event": "standings", "games": standings.games(), "engines": engines, "llr": llr})
        });
    }

    /// Why there are no more events since some time, if so.
    pub fn failure(&self) -> Option<String> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).failure.as_ref().map(ToString::to_string)
    }

    fn engine(&self, index: usize) -> &str {
        self.engines.get(index).map_or("?", String::as_str)
    }

    fn write(&self, kind: EventKind, event: impl FnOnce() -> Value) {
        if !self.kinds.contains(&kind) {
            return;
        }
        let mut event = event();
        event["at"] = format!("{:.3}", Timestamp::now()).into();
        let line = format!("{event}\n");
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.failure.is_none() {
            // One write a line: readers see whole lines.
            out.failure = out.file.write_all(line.as_bytes()).err();
        }
    }
}
