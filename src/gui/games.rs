//! `/api/games`: all games of the catalog as data, ready to be drawn.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use reynard_engine::protocol::ugi::query;
use reynard_engine::rules::Seat;
use reynard_engine::rules::catalog::{self, Language};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{Options, Session};
use serde_json::{Value, json};

use super::Server;
use super::stored::Stored;

/// What the protocol says of each game at its start, under the names of the queries.
const QUERIES: [&str; 4] = ["rules", "board", "pieces", "game"];

pub(super) async fn games(State(server): State<Arc<Server>>, headers: HeaderMap) -> Response {
    all_of(&server).reply(&headers)
}

/// Made at the first call.
pub(super) fn all_of(server: &Server) -> &Stored {
    server.games.get_or_init(|| Stored::new("application/json", all().to_string()))
}

fn all() -> Value {
    let options = registry::default_options();
    registry::ruleset_names().into_iter().filter_map(|name| game(name, &options)).collect()
}

fn game(name: &str, options: &Options) -> Option<Value> {
    let session = registry::open(&RulesetChoice::catalog(name)).ok()?;
    let mut data = json!({"name": name});
    for query in QUERIES {
        data[query] = answer(query, &*session, options);
    }
    for key in ["title", "family", "about", "source"] {
        data[key] = data["rules"][key].clone();
    }
    data["seats"] = (0..session.game().seats.len()).map(|index| session.game().seat_name(Seat(index as u8))).collect();
    let text = |language| catalog::rule_text_in(language, name);
    data["text"] = json!({"en": text(Language::English), "nl": text(Language::Dutch)});
    Some(data)
}

/// What the protocol answers to a query, as data.
pub(super) fn answer(query: &str, session: &dyn Session, options: &Options) -> Value {
    serde_json::from_str(&query::answer(&[query], session, options)).unwrap_or_default()
}
