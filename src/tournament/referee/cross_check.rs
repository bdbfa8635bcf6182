//! Comparing the referee's rules with those of the engines, position by position.

use std::collections::BTreeSet;

use super::judge::NoStanding;
use super::seated::{Notes, Seated};
use crate::engine::Session;
use crate::rules::Seat;
use crate::tournament::player::{Failure, History};

/// What the engines of one game are asked before every move.
///
/// Legal moves are compared as sets of canonical texts and position texts letter by letter, with everybody. Hash keys
/// are an engine's own affair: they are compared only with an engine whose key of the ruleset's start position
/// is ours. That an engine counts otherwise, or does not know a query, is noted once; it is not asked again in the game.
pub(super) struct CrossCheck {
    /// By player; the queries that are still asked.
    queries: [Vec<Query>; 2],
    /// The referee's key of the ruleset's start position, until the engines have told theirs.
    start_key: Option<u64>,
    notes: Notes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Query {
    LegalMoves,
    Fen,
    Hash,
}

impl Query {
    const ALL: [Query; 3] = [Query::LegalMoves, Query::Fen, Query::Hash];

    fn word(self) -> &'static str {
        match self {
            Query::LegalMoves => "legalmoves",
            Query::Fen => "fen",
            Query::Hash => "hash",
        }
    }
}

/// What an engine says to a question that it does not know.
const UNKNOWN: &str = "unknown";

impl CrossCheck {
    /// `start_key` is the referee's key of the ruleset's start position.
    pub(super) fn new(start_key: u64) -> Self {
        CrossCheck { queries: [0, 1].map(|_| Query::ALL.to_vec()), start_key: Some(start_key), notes: Notes::default() }
    }

    pub(super) fn into_notes(self) -> Vec<String> {
        self.notes.into_lines()
    }

    /// Asks the engines about the position at which `session` stands.
    ///
    /// # Errors
    /// A player broke down.
    pub(super) fn compare(
        &mut self,
        session: &dyn Session,
        seated: &mut Seated<'_>,
        history: History<'_>,
    ) -> Result<(), NoStanding> {
        if let Some(key) = self.start_key.take() {
            self.introduce(key, seated)?;
        }
        for &seat in seated.seats() {
            self.compare_seat(session, seated, seat, history)?;
        }
        Ok(())
    }

    /// The same about the position in which the game is over. A player that breaks down here has not lost: it is noted.
    pub(super) fn compare_last(&mut self, session: &dyn Session, seated: &mut Seated<'_>, history: History<'_>) {
        if let Err(NoStanding::Lost(seat, failure)) = self.compare(session, seated, history) {
            let message = format!("broke down when asked after the end: {}", failure.message);
            self.notes.add(history.moves.len(), seated.name(seat), &message);
        }
    }

    /// Leaves the keys of engines alone that count positions otherwise.
    fn introduce(&mut self, key: u64, seated: &mut Seated<'_>) -> Result<(), (Seat, Failure)> {
        let start = History { start: None, moves: &[] };
        for &seat in seated.seats() {
            let answer = seated.ask(seat, start, Query::Hash.word())?;
            if answer != key_text(key) {
                self.queries[seat.index()].retain(|&query| query != Query::Hash);
                let why = match answer == UNKNOWN {
                    true => "does not answer query hash",
                    false => "has another hash for the start position; its hashes are not compared",
                };
                self.notes.add(0, seated.name(seat), why);
            }
        }
        Ok(())
    }

    fn compare_seat(
        &mut self,
        session: &dyn Session,
        seated: &mut Seated<'_>,
        seat: Seat,
        history: History<'_>,
    ) -> Result<(), (Seat, Failure)> {
        for query in self.queries[seat.index()].clone() {
            let answer = seated.ask(seat, history, query.word())?;
            let ply = history.moves.len();
            if answer == UNKNOWN {
                self.queries[seat.index()].retain(|&known| known != query);
                self.notes.add(ply, seated.name(seat), &format!("does not answer query {}", query.word()));
            } else if let Some(difference) = difference(query, &answer, session) {
                self.notes.add(ply, seated.name(seat), &difference);
            }
        }
        Ok(())
    }
}

impl From<(Seat, Failure)> for NoStanding {
    fn from((seat, failure): (Seat, Failure)) -> Self {
        NoStanding::Lost(seat, failure)
    }
}

fn difference(query: Query, answer: &str, session: &dyn Session) -> Option<String> {
    match query {
        Query::LegalMoves => move_difference(answer, session),
        Query::Fen => text_difference("fen", answer, &session.position_text()),
        Query::Hash => text_difference("hash", answer, &key_text(session.key())),
    }
}

/// The key as `query hash` prints it.
fn key_text(key: u64) -> String {
    format!("{key:016x}")
}

fn text_difference(what: &str, answer: &str, expected: &str) -> Option<String> {
    (answer != expected).then(|| format!("{what} '{answer}', the referee has '{expected}'"))
}

fn move_difference(answer: &str, session: &dyn Session) -> Option<String> {
    let canonical = |text: &str| session.canonical_move(text).unwrap_or_else(|_| text.to_owned());
    let told: BTreeSet<String> = answer.split_whitespace().map(canonical).collect();
    let known: BTreeSet<String> = session.legal_moves().into_iter().collect();
    let list = |label: &str, moves: Vec<&str>| match moves.is_empty() {
        true => String::new(),
        false => format!(" {label} {}", moves.join(" ")),
    };
    let missing = known.difference(&told).map(String::as_str).collect();
    let extra = told.difference(&known).map(String::as_str).collect();
    (told != known).then(|| format!("legalmoves:{}{}", list("missing", missing), list("not legal", extra)))
}
