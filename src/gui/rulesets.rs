//! `/api/games`, `/api/ruleset`, `/api/pgn`: the games of the catalog as data, ready to be drawn, rulesets that people
//! write in the page, checked here and kept in files for the engines, so that no page names a path, and games as text.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use reynard_engine::rules::catalog::{self, Language, RuleText};
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, AnyRuleset, RulesetChoice};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::assets::Stored;
use super::{OPTIONS, Refusal, Server, answer};
use crate::page;
use crate::tournament::pgn;

pub(super) async fn games(State(server): State<Arc<Server>>, headers: HeaderMap) -> Response {
    all_games(&server).reply(&headers)
}

/// Made at the first call.
pub(super) fn all_games(server: &Server) -> &Stored {
    let games = || registry::all_ruleset_names().into_iter().filter_map(game).collect::<Value>();
    server.games.get_or_init(|| Stored::new("application/json", games().to_string()))
}

fn game(name: &str) -> Option<Value> {
    let session = registry::open(&RulesetChoice::catalog(name)).ok()?;
    let mut data = described(&*session, |language| catalog::rule_text_in(language, name));
    let region = catalog::regions().find_map(|(region, mut names)| names.any(|known| known == name).then_some(region));
    data["region"] = json!(region);
    Some(data)
}

/// A game with its rules in words, which the catalog has or its keys give.
fn described(session: &dyn Session, known: impl Fn(Language) -> Option<RuleText>) -> Value {
    let mut data = page::game(session, &OPTIONS);
    let text = |language| known(language).or_else(|| catalog::text_of_keys(language, &data["rules"], None));
    data["text"] = json!({"en": text(Language::English), "nl": text(Language::Dutch)});
    data
}

/// The most rulesets that are kept; the oldest are forgotten first.
const MAX_KEPT: usize = 100;
/// Stands for the name of the file in errors.
const LABEL: &str = "ruleset";

/// The rulesets that were posted.
pub(super) struct Rulesets {
    /// The folder of their files.
    folder: PathBuf,
    /// The oldest first.
    ids: Mutex<VecDeque<String>>,
}

impl Rulesets {
    pub(super) fn new(folder: PathBuf) -> Rulesets {
        Rulesets { folder, ids: Mutex::default() }
    }

    fn ids(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension("json")
    }

    /// Keeps a text, under the same name whenever it is the same text.
    fn keep(&self, text: &str) -> io::Result<String> {
        let id = format!("{:08x}{:x}", crc32fast::hash(text.as_bytes()), text.len());
        let mut ids = self.ids();
        ids.retain(|known| *known != id);
        fs::write(self.path(&id), text)?;
        ids.push_back(id.clone());
        while ids.len() > MAX_KEPT {
            let oldest = ids.pop_front();
            oldest.iter().for_each(|id| drop(fs::remove_file(self.path(id))));
        }
        Ok(id)
    }

    /// The file of a ruleset that was posted.
    ///
    /// # Errors
    /// No ruleset of this id is kept.
    pub(super) fn file(&self, id: &str) -> Result<PathBuf, &'static str> {
        let is_kept = self.ids().iter().any(|known| known == id);
        is_kept.then(|| self.path(id)).ok_or("this ruleset is not known here: post it again")
    }
}

/// A folder for this user alone, which goes with its value.
pub(super) fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix("reynard-rulesets").tempdir()
}

pub(super) async fn post(State(server): State<Arc<Server>>, text: String) -> Response {
    answer(move || {
        let session = match AnyRuleset::read(LABEL, &text, &[]) {
            Ok(rules) => rules.open(),
            Err(error) => {
                let place = error.place;
                return Ok(json!({
                    "ok": false, "error": error.to_string(),
                    "line": place.map(|place| place.line), "column": place.map(|place| place.column),
                }));
            }
        };
        let refuse = |error| Refusal(StatusCode::INTERNAL_SERVER_ERROR, format!("the ruleset cannot be kept: {error}"));
        let id = server.rulesets.keep(&text).map_err(refuse)?;
        let game = described(&*session, |_| None);
        Ok(json!({"ok": true, "id": id, "name": game["name"], "game": game}))
    })
    .await
}

/// The games of a PGN-like text of any encoding.
pub(super) async fn read_games(text: Bytes) -> Response {
    answer(move || match pgn::games(&pgn::text(text.into())) {
        Ok(games) => Ok(json!({"games": games})),
        Err(error) => Err(Refusal(StatusCode::UNPROCESSABLE_ENTITY, format!("line {}: {error}", error.line))),
    })
    .await
}
