//! Replies of the server: JSON, and refusals in words.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A JSON reply that nobody keeps.
pub(super) fn json_reply(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], value.to_string())
        .into_response()
}

/// A refusal in words.
pub(super) fn refusal(status: StatusCode, error: &str) -> Response {
    (status, json_reply(&json!({"ok": false, "error": error}))).into_response()
}

pub(super) async fn no_such_page() -> Response {
    refusal(StatusCode::NOT_FOUND, "there is no such page")
}

/// The value of a key in a query of an address; values of this server need no escapes.
pub(super) fn parameter<'a>(query: Option<&'a str>, key: &str) -> Option<&'a str> {
    query?.split('&').find_map(|pair| pair.split_once('=').filter(|(name, _)| *name == key).map(|(_, value)| value))
}
