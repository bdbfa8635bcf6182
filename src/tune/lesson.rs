//! The spec of a run that learns one game: the plan that suits its board and its tables.

use std::path::PathBuf;
use std::time::Duration;

use reynard_engine::session::registry::{RulesetChoice, RulesetSource};
use serde_json::{Value, json};

/// Processor time for tables, roughly, of a run with effort 1.
const TABLE_TIME: Duration = Duration::from_secs(1500);

/// What to learn, and how hard to try.
pub(crate) struct Lesson<'a> {
    pub choice: &'a RulesetChoice,
    /// The folder of tables of perfect play, if there are any.
    pub tables: Option<PathBuf>,
    /// Whether the tables cover the start of the game.
    pub is_solved: bool,
    /// How many games are played, and how long tables take: a factor.
    pub effort: f64,
    pub seed: u64,
}

/// The processor time that tables may take with this effort.
pub(crate) fn table_time(effort: f64) -> Duration {
    TABLE_TIME.mul_f64(effort)
}

impl Lesson<'_> {
    /// The tuning spec. It counts games, so that machines of any speed learn the same.
    pub(crate) fn spec(&self) -> Value {
        let games = |count: f64| (count * self.effort).ceil().max(4.0) as u64;
        let learn = if self.is_solved {
            json!({"perfect_games": games(1500.0), "rounds": 4, "games": games(200.0), "conversions": games(80.0).max(20)})
        } else {
            json!({"perfect_games": games(800.0), "rounds": 4, "games": games(300.0)})
        };
        let (key, source) = match &self.choice.source {
            RulesetSource::Catalog(name) => ("name", json!(name)),
            RulesetSource::File(path) => ("file", json!(std::path::absolute(path).unwrap_or_else(|_| path.clone()))),
        };
        let switches: serde_json::Map<String, Value> =
            self.choice.switches.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "name": "learned evaluation",
            "method": "learn",
            "ruleset": {key: source, "set": switches},
            "engine": {"options": {"Hash": 16}},
            "tables": self.tables,
            "learn": learn,
            "final_pairs": games(20.0).max(10),
            "limits": {"nodes": 20_000},
            "max_plies": 300,
            "seed": self.seed,
        })
    }
}
