//! Compares the referee's rules with those of the engines, position by position.

use std::collections::BTreeSet;

use reynard_engine::rules::Seat;
use reynard_engine::session::Session;

use super::GameEnd;
use super::players::SeatedPlayers;
use crate::tournament::player::MoveHistory;

/// What the engines of one game are asked before every move.
///
/// Legal moves are compared as sets of canonical texts and position texts letter by letter, with everybody. Hash keys
/// are an engine's own affair: they are compared only with an engine whose key of the ruleset's start position
/// is ours. That an engine counts otherwise, or does not know a query, is no disagreement: it is noted apart and once, and
/// the engine is not asked again in the game.
pub(super) struct CrossCheck {
    /// By player; the queries that are still asked.
    queries: [Vec<&'static str>; 2],
    /// The referee's key of the ruleset's start position, until the engines have told theirs.
    start_key: Option<u64>,
}

const QUERIES: [&str; 3] = ["legalmoves", "fen", HASH];
const HASH: &str = "hash";

/// What an engine says to a question that it does not know.
const UNKNOWN: &str = "unknown";

impl CrossCheck {
    /// `start_key` is the referee's key of the ruleset's start position.
    pub(super) fn new(start_key: u64) -> Self {
        let queries = [0, 1].map(|_| QUERIES.to_vec());
        CrossCheck { queries, start_key: Some(start_key) }
    }

    /// Asks the engines about the position at which `session` stands.
    ///
    /// # Errors
    /// A player broke down.
    pub(super) fn compare(
        &mut self,
        session: &dyn Session,
        players: &mut SeatedPlayers<'_>,
        history: MoveHistory<'_>,
    ) -> Result<(), GameEnd> {
        if let Some(key) = self.start_key.take() {
            self.compare_start_key(key, players)?;
        }
        for &seat in players.seats() {
            for query in self.queries[seat.index()].clone() {
                self.ask(session, players, history, seat, query)?;
            }
        }
        Ok(())
    }

    /// The same about the position in which the game is over. A player that breaks down here has not lost: it is noted.
    pub(super) fn compare_last(
        &mut self,
        session: &dyn Session,
        players: &mut SeatedPlayers<'_>,
        history: MoveHistory<'_>,
    ) {
        if let Err(GameEnd::Failed(seat, failure)) = self.compare(session, players, history) {
            let message = format!("broke down when asked after the end: {}", failure.message);
            players.disagree(history.moves.len(), seat, &message);
        }
    }

    /// Leaves the keys of engines alone that count positions otherwise.
    fn compare_start_key(&mut self, key: u64, players: &mut SeatedPlayers<'_>) -> Result<(), GameEnd> {
        for &seat in players.seats() {
            let answer = players.ask(seat, MoveHistory { start: None, moves: &[] }, HASH)?;
            if answer != key_text(key) {
                let why = match answer == UNKNOWN {
                    true => "does not answer query hash",
                    false => "has another hash for the start position; its hashes are not compared",
                };
                self.ask_no_more(seat, HASH);
                players.cannot_compare(0, seat, why);
            }
        }
        Ok(())
    }

    fn ask(
        &mut self,
        session: &dyn Session,
        players: &mut SeatedPlayers<'_>,
        history: MoveHistory<'_>,
        seat: Seat,
        query: &'static str,
    ) -> Result<(), GameEnd> {
        let answer = players.ask(seat, history, query)?;
        let ply = history.moves.len();
        if answer == UNKNOWN {
            self.ask_no_more(seat, query);
            players.cannot_compare(ply, seat, &format!("does not answer query {query}"));
        } else if let Some(difference) = difference(query, &answer, session) {
            players.disagree(ply, seat, &difference);
        }
        Ok(())
    }

    fn ask_no_more(&mut self, seat: Seat, query: &str) {
        self.queries[seat.index()].retain(|&known| known != query);
    }
}

/// What is wrong with an answer, if anything.
fn difference(query: &str, answer: &str, session: &dyn Session) -> Option<String> {
    let expected = match query {
        "legalmoves" => return move_difference(answer, session),
        HASH => key_text(session.key()),
        _ => session.position_text(),
    };
    (answer != expected).then(|| format!("{query} '{answer}', the referee has '{expected}'"))
}

/// The key as `query hash` prints it.
fn key_text(key: u64) -> String {
    format!("{key:016x}")
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
