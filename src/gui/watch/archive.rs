//! `/api/archive`: the finished games of the watched folder.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::{nothing_to_watch, number};
use crate::gui::Server;
use crate::gui::reply::refusal;
use crate::tournament::journal::{Archive, JournalError};
use crate::tournament::report::texts;
use crate::tune::shared_results::journal_dirs;

/// So many games are listed at once.
const MOST_LISTED: u64 = 500;

/// `/api/archive?from=N&count=M`: games in the order of their numbers, from the N-th that there is, counted from 0.
pub(in crate::gui) async fn games(State(server): State<Arc<Server>>, query: RawQuery) -> Response {
    let Some(folder) = server.settings.watch.clone() else { return nothing_to_watch() };
    let range = number(&query, "from", 0).and_then(|from| Ok((from, number(&query, "count", 100)?)));
    match range {
        Ok((from, count)) => {
            answer(move || list(folder, from, count.min(MOST_LISTED)).map(|list| Some(list.to_string()))).await
        }
        Err(error) => refusal(StatusCode::BAD_REQUEST, &error),
    }
}

/// `/api/archive/N`: the game of that number, with the moves from where it began.
pub(in crate::gui) async fn game(State(server): State<Arc<Server>>, Path(number): Path<u64>) -> Response {
    let Some(folder) = server.settings.watch.clone() else { return nothing_to_watch() };
    answer(move || find(folder, number)).await
}

/// Reads files beside the server's thread.
async fn answer(read: impl FnOnce() -> Result<Option<String>, JournalError> + Send + 'static) -> Response {
    let error = match spawn_blocking(read).await {
        Ok(Ok(Some(text))) => {
            return ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], text)
                .into_response();
        }
        Ok(Ok(None)) => return refusal(StatusCode::NOT_FOUND, "there is no such game"),
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    refusal(StatusCode::INTERNAL_SERVER_ERROR, &error)
}

fn list(folder: PathBuf, from: u64, count: u64) -> Result<Value, JournalError> {
    let (mut total, mut games) = (0, Vec::new());
    for dir in journal_dirs(&folder) {
        let archive = Archive::read(&dir)?;
        for number in archive.numbers() {
            total += 1;
            if total <= from || games.len() as u64 == count {
                continue;
            }
            let Some(game) = archive.game(number)? else { continue };
            let (fixture, ending) = (&game.record.fixture, &game.record.ending);
            let names = |&engine: &usize| archive.header.engines.get(engine).map(String::as_str);
            games.push(json!({
                "game": number, "pair": fixture.pair, "round": fixture.round,
                "ruleset": archive.header.rulesets.get(fixture.ruleset).map(|ruleset| &ruleset.label),
                "engines": fixture.seats.iter().map(names).collect::<Vec<_>>(),
                "winner": ending.winner, "reason": ending.reason,
                "plies": game.record.opening.moves.len() + game.record.moves.len(),
            }));
        }
    }
    Ok(json!({"total": total, "from": from, "games": games}))
}

fn find(folder: PathBuf, number: u64) -> Result<Option<String>, JournalError> {
    for dir in journal_dirs(&folder) {
        let archive = Archive::read(&dir)?;
        if let Some(game) = archive.game(number)? {
            let ruleset = archive.header.rulesets.get(game.record.fixture.ruleset);
            let moves: Vec<&str> = texts(&game.record).collect();
            return Ok(Some(
                json!({
                    "game": number, "ruleset": ruleset.map(|ruleset| &ruleset.label),
                    "start": game.record.opening.start, "moves": moves,
                })
                .to_string(),
            ));
        }
    }
    Ok(None)
}
