//! `/api/ruleset`: rulesets that people write in the page. They are checked here and kept in files for the engines,
//! so that no page ever names a path.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use tempfile::TempDir;

use super::Server;
use super::reply::{json_reply, refusal};
use crate::engine::registry::AnyRuleset;
use crate::rules::ruleset::RulesetError;

/// So many are kept; of more the oldest are forgotten.
const MAX_KEPT: usize = 100;
/// Stands for the name of the file in errors.
const LABEL: &str = "ruleset";

/// The rulesets that were posted, in a folder that ends with them.
pub(super) struct Rulesets {
    folder: TempDir,
    ids: Mutex<VecDeque<String>>,
}

impl Rulesets {
    /// # Errors
    /// The system has no room for temporary files.
    pub(super) fn new() -> io::Result<Rulesets> {
        Ok(Rulesets { folder: tempfile::Builder::new().prefix("reynard-gui").tempdir()?, ids: Mutex::default() })
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.path().join(id).with_extension("json")
    }

    /// Keeps a text, under the same name whenever it is the same text.
    fn keep(&self, text: &str) -> io::Result<String> {
        let id = format!("{:08x}{:x}", crc32fast::hash(text.as_bytes()), text.len());
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.retain(|known| *known != id);
        std::fs::write(self.path(&id), text)?;
        ids.push_back(id.clone());
        while ids.len() > MAX_KEPT {
            let oldest = ids.pop_front();
            oldest.iter().for_each(|id| drop(std::fs::remove_file(self.path(id))));
        }
        Ok(id)
    }

    /// The file of a ruleset that was posted.
    pub(super) fn file(&self, id: &str) -> Option<PathBuf> {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.iter().any(|known| known == id).then(|| self.path(id))
    }
}

pub(super) async fn post(State(server): State<Arc<Server>>, text: String) -> Response {
    // Boards take a moment to be compiled, and other pages go on meanwhile.
    let checked = tokio::task::spawn_blocking(move || {
        let session = AnyRuleset::read(LABEL, &text, &[])?.open();
        Ok((session.ruleset().to_owned(), text))
    });
    let checked: Result<Result<_, RulesetError>, _> = checked.await;
    match checked {
        Ok(Ok((name, text))) => match server.rulesets.keep(&text) {
            Ok(id) => json_reply(&json!({"ok": true, "id": id, "name": name})),
            Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("the ruleset cannot be kept: {error}")),
        },
        Ok(Err(error)) => {
            let place = error.place();
            json_reply(&json!({
                "ok": false, "error": error.to_string(),
                "line": place.map(|place| place.line), "column": place.map(|place| place.column),
            }))
        }
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("the ruleset cannot be checked: {error}")),
    }
}
