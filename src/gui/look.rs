//! `/api/look`: all that a page shows of a position, in one answer and without a process.

use std::sync::{Arc, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use reynard_engine::protocol::ugi::query;
use reynard_engine::session::registry::{self, RulesetChoice, RulesetSource};
use reynard_engine::session::{Options, Session};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{OPTIONS, Refusal, Server, answer, read};
use crate::page::query_answer;

/// The most sessions that are kept.
const MAX_KEPT: usize = 100;

/// A ruleset of the catalog by its name, or one that a page has posted by its id.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Rules {
    Catalog(String),
    Posted(String),
}

/// The position that a page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    ruleset: Rules,
    /// A position text; the start of the ruleset without it.
    start: Option<String>,
    moves: Vec<String>,
    /// Queries whose answers are not always asked for.
    more: Vec<String>,
}

pub(super) async fn look(State(server): State<Arc<Server>>, text: String) -> Response {
    answer(move || find(&server, read(&text)?).map_err(|reason| Refusal(StatusCode::UNPROCESSABLE_ENTITY, reason)))
        .await
}

fn find(server: &Server, wanted: Wanted) -> Result<Value, String> {
    let sessions = || server.sessions.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = sessions().remove(&wanted.ruleset);
    let mut session = kept.map_or_else(|| open(server, &wanted.ruleset), Ok)?;
    let mut options = OPTIONS.clone();
    let tables = server.settings.tables.display().to_string();
    options.set("TablePath", Some(&tables)).map_err(|error| error.to_string())?;
    let found = describe(&mut *session, &wanted, &options);
    let mut sessions = sessions();
    if sessions.len() < MAX_KEPT {
        sessions.insert(wanted.ruleset, session);
    }
    Ok(found)
}

fn open(server: &Server, rules: &Rules) -> Result<Box<dyn Session>, String> {
    let choice = match rules {
        Rules::Catalog(name) => RulesetChoice::catalog(name),
        Rules::Posted(id) => {
            RulesetChoice { source: RulesetSource::File(server.rulesets.file(id)?), switches: Vec::new() }
        }
    };
    registry::open(&choice).map_err(|error| error.to_string())
}

fn describe(session: &mut dyn Session, wanted: &Wanted, options: &Options) -> Value {
    let moves: Vec<&str> = wanted.moves.iter().map(String::as_str).collect();
    let (last, before) = moves.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
    let way = last.filter(|_| session.game().capabilities.has_stacks);
    let start = wanted.start.as_deref();
    // A text that is no position leaves the session at the start, not where the look before left it.
    let _ = session.set_position(None, &[]);
    let route = way.and_then(|last| {
        session.set_position(start, before).ok()?;
        session.route(last).ok()?
    });
    let error = session.set_position(start, &moves).err().map(|error| error.to_string());
    let text = |question| query::answer(&[question], session, options);
    let result = Some(text("result")).filter(|result| result != "none");
    let mut found = json!({
        "error": error, "fen": text("fen"), "turn": text("turn"), "result": result, "reason": text("reason"),
        "route": route,
    });
    let more = wanted.more.iter().map(String::as_str);
    for question in ["moves", "pieces", "table"].into_iter().chain(more) {
        found[question] = query_answer(question, session, options);
    }
    found
}
