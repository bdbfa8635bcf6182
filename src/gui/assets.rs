//! The page: its modules, styles and texts, compiled into the program.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::reply::no_such_page;
use crate::svg;

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        const ASSETS: &[(&str, &str)] = &[$(($name, include_str!(concat!("assets/", $name))),)*];
    };
}

assets!(
    "analysis.js",
    "app.js",
    "board-view.js",
    "choose.js",
    "dice.js",
    "dom.js",
    "editor.js",
    "en.js",
    "engine.js",
    "entry.js",
    "index.html",
    "judge.js",
    "limits.js",
    "nl.js",
    "own.js",
    "page.css",
    "play.js",
    "review.js",
    "rules-panel.js",
    "setup.js",
    "table.js",
    "texts.js",
    "tree-view.js",
    "tree.js",
    "truth.js",
    "watch.js",
);

/// What the page shares with reports.
const SHARED: [(&str, &str); 3] =
    [("board.css", svg::BOARD_STYLE), ("board.js", svg::BOARD_MODULE), ("colours.css", svg::COLOURS)];
/// Where the shapes of pieces stand in the page.
const GLYPHS: &str = "<!--glyphs-->";

const INDEX: &str = "index.html";
/// Of zstd: pages are packed once a run, at their first request.
const LEVEL: i32 = 12;

/// Packed assets by the checksum of their texts.
static PACKED: Mutex<Option<HashMap<u32, Bytes>>> = Mutex::new(None);

pub(super) async fn index(headers: HeaderMap) -> Response {
    asset(Path(INDEX.to_owned()), headers).await
}

pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match text(&name) {
        Some(text) if name == INDEX => reply(&name, text.replace(GLYPHS, &svg::glyphs().0).into(), &headers),
        Some(text) => reply(&name, text, &headers),
        None => no_such_page().await,
    }
}

fn reply(name: &str, text: Cow<'static, str>, headers: &HeaderMap) -> Response {
    let checksum = crc32fast::hash(text.as_bytes());
    let tag = format!("\"{checksum:08x}\"");
    let has =
        |name, word: &str| headers.get(name).and_then(|value| value.to_str().ok()).is_some_and(|v| v.contains(word));
    // The page is asked for anew each time, so that a newer program is never seen through an older page.
    let common = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache"), (header::VARY, "accept-encoding")];
    if has(header::IF_NONE_MATCH, &tag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, media_type(name))];
    match packed(checksum, &text).filter(|_| has(header::ACCEPT_ENCODING, "zstd")) {
        Some(packed) => (common, kind, [(header::CONTENT_ENCODING, "zstd")], packed).into_response(),
        None => (common, kind, text.into_owned()).into_response(),
    }
}

fn packed(checksum: u32, text: &str) -> Option<Bytes> {
    let mut packed = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    let packed = packed.get_or_insert_default();
    if let Some(known) = packed.get(&checksum) {
        return Some(known.clone());
    }
    let new = Bytes::from(zstd::bulk::compress(text.as_bytes(), LEVEL).ok()?);
    packed.insert(checksum, new.clone());
    Some(new)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

/// An asset by its name; while the program is being worked on, as it stands in the folder.
fn text(name: &str) -> Option<Cow<'static, str>> {
    let is_plain =
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) && !name.starts_with('.');
    let folders =
        [concat!(env!("CARGO_MANIFEST_DIR"), "/src/gui/assets/"), concat!(env!("CARGO_MANIFEST_DIR"), "/src/svg/")];
    if cfg!(debug_assertions) && is_plain {
        let live = folders.iter().find_map(|folder| std::fs::read_to_string((*folder).to_owned() + name).ok());
        if let Some(text) = live {
            return Some(text.into());
        }
    }
    ASSETS.iter().chain(&SHARED).find(|(known, _)| *known == name).map(|&(_, text)| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gui/assets");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        let mut names: Vec<&str> = ASSETS.iter().map(|&(name, _)| name).collect();
        files.sort();
        names.sort_unstable();
        assert_eq!(names, files);
    }
}
