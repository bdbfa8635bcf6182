//! `/api/ruleset`: rulesets that people write in the page. They are checked here and kept in files for the engines,
//! so that no page ever names a path.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use reynard_engine::rules::ruleset::RulesetError;
use reynard_engine::session::registry::AnyRuleset;
use serde_json::json;
use tempfile::TempDir;

use super::Server;
use super::reply::{json_reply, refusal};

/// So many are kept; of more the oldest are forgotten.
const MAX_KEPT: usize = 100;
/// Stands for the name of the file in errors.
const LABEL: &str = "ruleset";

/// The rulesets that were posted.
#[derive(Default)]
pub(super) struct Rulesets(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// For this user alone; made with the first of them.
    folder: Option<TempDir>,
    /// The oldest first.
    ids: VecDeque<String>,
}

impl Rulesets {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a text, under the same name whenever it is the same text.
    fn keep(&self, text: &str) -> io::Result<String> {
        let id = format!("{:08x}{:x}", crc32fast::hash(text.as_bytes()), text.len());
        let mut kept = self.kept();
        let Kept { folder, ids } = &mut *kept;
        let folder = match folder {
            Some(folder) => folder,
            None => folder.insert(private_folder()?),
        };
        let path = |id: &str| folder.path().join(id).with_extension("json");
        ids.retain(|known| *known != id);
        fs::write(path(&id), text)?;
        ids.push_back(id.clone());
        while ids.len() > MAX_KEPT {
            let oldest = ids.pop_front();
            oldest.iter().for_each(|id| drop(fs::remove_file(path(id))));
        }
        Ok(id)
    }

    /// The file of a ruleset that was posted.
    pub(super) fn file(&self, id: &str) -> Option<PathBuf> {
        let Kept { folder, ids } = &*self.kept();
        let folder = folder.as_ref().filter(|_| ids.iter().any(|known| known == id))?;
        Some(folder.path().join(id).with_extension("json"))
    }

    /// Removes them all.
    pub(super) fn forget(&self) {
        *self.kept() = Kept::default();
    }
}

fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix("reynard-rulesets").tempdir()
}

pub(super) async fn post(State(server): State<Arc<Server>>, text: String) -> Response {
    // Boards take a moment to be compiled, and other pages go on meanwhile.
    let checked = tokio::task::spawn_blocking(move || {
        let session = AnyRuleset::read(LABEL, &text, &[])?.open();
        Ok((session.game().ruleset.clone(), text))
    });
    let checked: Result<Result<_, RulesetError>, _> = checked.await;
    match checked {
        Ok(Ok((name, text))) => match server.rulesets.keep(&text) {
            Ok(id) => json_reply(&json!({"ok": true, "id": id, "name": name})),
            Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("the ruleset cannot be kept: {error}")),
        },
        Ok(Err(error)) => {
            let place = error.place;
            json_reply(&json!({
                "ok": false, "error": error.to_string(),
                "line": place.map(|place| place.line), "column": place.map(|place| place.column),
            }))
        }
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("the ruleset cannot be checked: {error}")),
    }
}
