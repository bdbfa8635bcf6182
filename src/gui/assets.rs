//! The page: its modules, styles and texts, compiled into the program, and how browsers keep them.

use std::borrow::Cow;
use std::fs;
use std::sync::{Arc, OnceLock, PoisonError};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{Server, no_such_page};
use crate::page;

pub(super) async fn asset(State(server): State<Arc<Server>>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(text) = text(&name) else { return no_such_page().await };
    let mut assets = server.assets.lock().unwrap_or_else(PoisonError::into_inner);
    let known = assets.get(&name).filter(|stored| stored.tag == tag(text.as_bytes())).cloned();
    let stored = known.unwrap_or_else(|| Arc::new(Stored::new(page::media_type(&name), text.into_owned())));
    assets.insert(name, Arc::clone(&stored));
    stored.reply(&headers)
}

/// An asset by its name. While the program is worked on (a debug build), it is what stands in its file now.
fn text(name: &str) -> Option<Cow<'static, str>> {
    let text = page::text(name)?;
    let folders = if cfg!(debug_assertions) { &["gui/assets", "svg"][..] } else { &[] };
    let live = |folder| fs::read_to_string(format!("{}/src/{folder}/{name}", env!("CARGO_MANIFEST_DIR"))).ok();
    Some(folders.iter().find_map(live).map_or(text.into(), Cow::Owned))
}

/// The level of zstd, which Chromium takes; others get plain text, which costs nothing within one machine.
const LEVEL: i32 = 12;

/// A text with all that goes with it.
pub(super) struct Stored {
    media_type: &'static str,
    tag: String,
    plain: Bytes,
    /// Made when it is asked for.
    packed: OnceLock<Option<Bytes>>,
}

impl Stored {
    pub(super) fn new(media_type: &'static str, text: String) -> Stored {
        let tag = tag(text.as_bytes());
        Stored { media_type, tag, plain: text.into(), packed: OnceLock::new() }
    }

    /// The reply that these headers ask for.
    pub(super) fn reply(&self, asked: &HeaderMap) -> Response {
        let asks_for = |name: HeaderName, word: &str| {
            asked.get_all(name).iter().any(|value| value.to_str().is_ok_and(|value| value.contains(word)))
        };
        // It is asked for anew each time, so that a newer program is never seen through an older page.
        let common =
            [(header::ETAG, &*self.tag), (header::CACHE_CONTROL, "no-cache"), (header::VARY, "accept-encoding")];
        if asks_for(header::IF_NONE_MATCH, &self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let kind = [(header::CONTENT_TYPE, format!("{}; charset=utf-8", self.media_type))];
        let pack = || zstd::bulk::compress(&self.plain, LEVEL).ok().map(Bytes::from);
        let packed = asks_for(header::ACCEPT_ENCODING, "zstd").then(|| self.packed.get_or_init(pack).clone()).flatten();
        match packed {
            Some(packed) => (common, kind, [(header::CONTENT_ENCODING, "zstd")], packed).into_response(),
            None => (common, kind, self.plain.clone()).into_response(),
        }
    }
}

fn tag(text: &[u8]) -> String {
    format!("\"{:08x}-{:x}\"", crc32fast::hash(text), text.len())
}
