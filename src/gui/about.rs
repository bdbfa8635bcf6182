//! `/api/about`: what this server has.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use super::reply::json_reply;
use super::{MAX_BODY_BYTES, Server, engine, tables, transcript};

pub(super) async fn about(State(server): State<Arc<Server>>) -> Response {
    let settings = &server.settings;
    let engines: Vec<Value> = settings
        .programs
        .iter()
        .map(|program| json!({"name": program.name, "command": program.command_line()}))
        .collect();
    json_reply(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "engines": engines,
        "tables": settings.tables.is_some(),
        "watch": settings.watch.is_some(),
        "languages": ["en", "nl"],
        "limits": {
            "engines": settings.limits.engines,
            "engine_memory_mib": settings.limits.memory_mib,
            "grace_seconds": settings.limits.grace.as_secs(),
            "sent_line_bytes": engine::MAX_INPUT_BYTES,
            "received_line_bytes": engine::MAX_LINE_BYTES,
            "kept_bytes": transcript::MAX_BYTES,
            "body_bytes": MAX_BODY_BYTES,
            "build_memory_bytes": tables::BUILD_MEMORY_BYTES,
            "build_disk_bytes": tables::BUILD_DISK_BYTES,
        },
    }))
}
