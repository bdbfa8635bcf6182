//! Games of a journal played again under their rules, as far as these are known here.

use reynard_engine::rules::{Change, Piece, Seat};
use reynard_engine::session::{Session, SetupError, registry};
use serde::Serialize;
use serde_json::Value;

use crate::page;
use crate::tournament::header::JournalHeader;
use crate::tournament::record::GameRecord;
use crate::tournament::ruleset::Ruleset;

/// One ruleset of a journal.
pub(crate) struct Replay {
    session: Option<Box<dyn Session>>,
}

impl Replay {
    pub(crate) fn new(ruleset: &Ruleset) -> Replay {
        Replay { session: ruleset.session().ok() }
    }

    /// The game at its start, as the page draws it; `None` where the rules are not known.
    pub(crate) fn game(&mut self) -> Option<Value> {
        let session = self.session.as_mut()?;
        session.set_position(None, &[]).ok()?;
        Some(page::game(&**session, &registry::default_options()))
    }

    /// The game at the end of some of its moves; `None` where the rules are not known.
    pub(crate) fn after(&mut self, record: &GameRecord, moves: &[&str]) -> Option<&dyn Session> {
        let session = self.session.as_mut()?;
        session.set_position(record.opening.start.as_deref(), moves).ok()?;
        Some(&**session)
    }

    /// The position of a text, or the usual start; empty where the rules are not known.
    pub(crate) fn start(&mut self, start: Option<&str>) -> Start {
        let Some(session) = &mut self.session else { return Start::default() };
        let start = session.set_position(start, &[]);
        start.map_or(Start::default(), |()| Start { pieces: session.pieces(), fields: fields(&**session) })
    }

    /// The fields of the position behind every move of a game, those of the opening included; only as far as the rules
    /// know the moves.
    pub(crate) fn fields(&mut self, record: &GameRecord) -> Vec<String> {
        let Some(session) = &mut self.session else { return Vec::new() };
        if session.set_position(record.opening.start.as_deref(), &[]).is_err() {
            return Vec::new();
        }
        let played = record.texts().map_while(|text| session.play(text).ok().map(|()| fields(&**session)));
        played.collect()
    }

    /// What every move of a game changed, those of the opening included; only the moves that the rules know.
    pub(crate) fn changes(&mut self, record: &GameRecord) -> Vec<Change> {
        let Some(session) = &mut self.session else { return Vec::new() };
        let texts: Vec<&str> = record.texts().collect();
        match session.set_position(record.opening.start.as_deref(), &texts) {
            // The session still stands elsewhere.
            Err(SetupError::Position(_)) => Vec::new(),
            _ => session.played_changes(),
        }
    }

    /// The seat that made each move, those of the opening included, and none where the dice rolled: as the record has
    /// it, else by the rules, and where these are not known the next one in turn.
    pub(crate) fn movers(&mut self, record: &GameRecord) -> Vec<Option<u8>> {
        let book = record.opening.moves.len();
        let is_known = record.movers.len() == record.moves.len();
        let replayed = self.play(record, if is_known { book } else { usize::MAX });
        let mut movers: Vec<Option<u8>> = Vec::with_capacity(record.plies());
        for ply in 0..record.plies() {
            let recorded = ply.checked_sub(book).filter(|&index| index < record.movers.len());
            let next = movers.iter().flatten().next_back().map_or(0, |&last| u8::from(last == 0));
            movers.push(match recorded {
                Some(index) => record.mover(index),
                None => replayed.get(ply).map_or(Some(next), |seat| seat.map(|seat| seat.0)),
            });
        }
        movers
    }

    /// Plays the first plies of a game, as far as they are legal; gives the seat to move before each.
    fn play(&mut self, record: &GameRecord, plies: usize) -> Vec<Option<Seat>> {
        let mut movers = Vec::new();
        let Some(session) = self.session.as_mut().filter(|_| plies > 0) else { return movers };
        if session.set_position(record.opening.start.as_deref(), &[]).is_err() {
            return movers;
        }
        for text in record.texts().take(plies) {
            movers.push(session.turn().seat());
            if session.play(text).is_err() {
                break;
            }
        }
        movers
    }
}

/// A position where a game may begin.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Start {
    pub pieces: Vec<Piece>,
    /// The text of the position behind the placement of its pieces.
    pub fields: String,
}

/// What stands in the text of a position behind the placement of its pieces; games on a track have fields alone.
fn fields(session: &dyn Session) -> String {
    let text = session.position_text();
    match text.split_once(' ') {
        Some((placement, fields)) if !placement.contains('=') => fields.to_owned(),
        _ => text,
    }
}

/// The head of a journal, and all its rulesets.
pub(crate) struct Replays<'a> {
    pub header: &'a JournalHeader,
    rulesets: Vec<Replay>,
}

impl Replays<'_> {
    pub(crate) fn new(header: &JournalHeader) -> Replays<'_> {
        Replays { header, rulesets: header.rulesets.iter().map(Replay::new).collect() }
    }

    /// As [`Replay::movers`].
    pub(crate) fn movers(&mut self, record: &GameRecord) -> Vec<Option<u8>> {
        self.rulesets[record.fixture.ruleset].movers(record)
    }
}
