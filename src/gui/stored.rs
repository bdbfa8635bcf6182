//! Texts that browsers keep: with a tag that tells whether theirs is still the right one, and compressed.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Of zstd, which Chromium takes; others get plain text, which costs nothing within one machine.
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

    /// Whether it is of this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.tag == tag(text.as_bytes())
    }

    /// What these headers ask for.
    pub(super) fn reply(&self, asked: &HeaderMap) -> Response {
        let says = |name: HeaderName, word: &str| {
            asked.get_all(name).iter().any(|value| value.to_str().is_ok_and(|value| value.contains(word)))
        };
        // It is asked for anew each time, so that a newer program is never seen through an older page.
        let common =
            [(header::ETAG, &*self.tag), (header::CACHE_CONTROL, "no-cache"), (header::VARY, "accept-encoding")];
        if says(header::IF_NONE_MATCH, &self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.media_type)];
        match self.packed().filter(|_| says(header::ACCEPT_ENCODING, "zstd")) {
            Some(packed) => (common, kind, [(header::CONTENT_ENCODING, "zstd")], packed).into_response(),
            None => (common, kind, self.plain.clone()).into_response(),
        }
    }

    fn packed(&self) -> Option<Bytes> {
        self.packed.get_or_init(|| zstd::bulk::compress(&self.plain, LEVEL).ok().map(Bytes::from)).clone()
    }
}

fn tag(text: &[u8]) -> String {
    format!("\"{:08x}-{:x}\"", crc32fast::hash(text), text.len())
}
