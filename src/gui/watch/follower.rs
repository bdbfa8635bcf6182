//! Reads the folder of a run while it grows.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use reynard_engine::files;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::{Value, json};

use super::Seen;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::{JournalError, JournalTail, read_header};
use crate::tournament::live;
use crate::tournament::record::GameRecord;
use crate::tournament::report::{self, Moment};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::schedule::Schedule;
use crate::tournament::standings::Standings;
use crate::tune::journals::journal_dirs;

/// Standings are worked out no more often.
const BETWEEN_STATES: Duration = Duration::from_secs(1);
/// The most moments that are kept for curves.
const MOST_MOMENTS: usize = 400;
/// The most rows of a trace that are sent, and the largest trace that is read.
const MOST_ROWS: usize = 400;
const MAX_TRACE_BYTES: u64 = 16 << 20;

/// The state of a folder as it was last read.
pub(super) struct Follower {
    folder: PathBuf,
    run: Option<Run>,
    trace_time: Option<SystemTime>,
    reported: Option<Instant>,
    /// Something was read that has not been reported.
    has_news: bool,
    is_running: bool,
}

/// The journals of a run.
struct Run {
    header: JournalHeader,
    /// The journals of all shards.
    tails: BTreeMap<PathBuf, JournalTail>,
    standings: Standings,
    moments: Vec<Moment>,
    /// Games between two moments.
    stride: u64,
    trace: Vec<Value>,
}

impl Follower {
    pub(super) fn new(folder: PathBuf) -> Follower {
        Follower { folder, run: None, trace_time: None, reported: None, has_news: true, is_running: false }
    }

    /// Brings what is known up to date.
    pub(super) fn look(&mut self, seen: &mut Seen) {
        let mut dirs = journal_dirs(&self.folder);
        // Shards of a tuning show their games in the folder that they share.
        if !dirs.contains(&self.folder) {
            dirs.push(self.folder.clone());
        }
        let live = live::read(&dirs);
        self.has_news |= live.is_some() != self.is_running;
        self.is_running = live.is_some();
        let live = json!(live.unwrap_or_default());
        if live != *seen.live {
            seen.live = Arc::new(live);
        }
        let error = self.read(seen).err();
        self.has_news |= error.as_ref().map(ToString::to_string).as_deref() != seen.state["error"].as_str();
        if self.has_news && self.reported.is_none_or(|reported| reported.elapsed() >= BETWEEN_STATES) {
            seen.state = Arc::new(self.state(error.as_ref()));
            (self.has_news, self.reported) = (false, Some(Instant::now()));
        }
    }

    fn read(&mut self, seen: &mut Seen) -> Result<(), JournalError> {
        let dirs = journal_dirs(&self.folder);
        if self.run.is_none() {
            let header = read_header(dirs.first().unwrap_or(&self.folder))?;
            let run = Run::new(JournalHeader { shard: None, ..header });
            seen.run = Arc::new(run.about());
            (self.run, self.trace_time, self.has_news) = (Some(run), None, true);
        }
        let Some(run) = &mut self.run else { return Ok(()) };
        let games = run.standings.games();
        if let Err(error) = run.read(&dirs) {
            // Perhaps another run has begun here.
            self.run = None;
            let is_new = matches!(error, JournalError::Changed { .. });
            return if is_new { Ok(()) } else { Err(error) };
        }
        self.has_news |= run.standings.games() != games;
        let trace = self.folder.join("trace.jsonl");
        let time = fs::metadata(&trace).and_then(|about| about.modified()).ok();
        if time != self.trace_time {
            self.trace_time = time;
            let text = files::read_text(&trace, MAX_TRACE_BYTES).unwrap_or_default();
            run.trace = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            self.has_news = true;
        }
        Ok(())
    }

    fn state(&self, error: Option<&JournalError>) -> Value {
        let mut state = self.run.as_ref().map_or(json!({"games": 0}), Run::state);
        state["running"] = self.is_running.into();
        state["error"] = error.map(ToString::to_string).into();
        state
    }
}

impl Run {
    fn new(header: JournalHeader) -> Run {
        Run {
            standings: Standings::new(&header),
            header,
            tails: BTreeMap::new(),
            moments: Vec::new(),
            stride: 1,
            trace: Vec::new(),
        }
    }

    /// Reads what was added to the journals.
    fn read(&mut self, dirs: &[PathBuf]) -> Result<(), JournalError> {
        for dir in dirs {
            if !self.tails.contains_key(dir) {
                let header = read_header(dir)?;
                self.tails.insert(dir.clone(), JournalTail::new(dir, header));
            }
        }
        let mut tails = std::mem::take(&mut self.tails);
        let read = tails.values_mut().try_for_each(|tail| tail.read(|game| self.add(game)));
        self.tails = tails;
        read
    }

    fn add(&mut self, game: &GameRecord) {
        self.standings.add(game, &[]);
        if self.standings.games().is_multiple_of(self.stride) {
            self.moments.push(Moment::of(&self.standings));
        }
        if self.moments.len() > MOST_MOMENTS {
            self.stride *= 2;
            self.moments.retain(|moment| moment.games.is_multiple_of(self.stride));
        }
    }

    /// The part that stays the same as long as the run lasts.
    fn about(&self) -> Value {
        let header = &self.header;
        let is_tournament = header.played.tournament().is_some();
        let rulesets: Vec<Value> = header.rulesets.iter().map(about_ruleset).collect();
        json!({
            "kind": if is_tournament { "tournament" } else { "tune" },
            "name": header.name(), "program": header.program, "engines": header.engines, "rulesets": rulesets,
            "expected": Schedule::of(header).ok().map(|schedule| schedule.games()),
            "spec": header.played,
        })
    }

    fn state(&self) -> Value {
        // Evenly, the last row among them.
        let stride = self.trace.len().div_ceil(MOST_ROWS).max(1);
        let mut rows: Vec<&Value> = self.trace.iter().rev().step_by(stride).collect();
        rows.reverse();
        let summary = self.standings.summary();
        json!({
            "games": self.standings.games(), "standings": summary, "warnings": report::warnings(&summary),
            "moments": self.moments, "trace": rows,
        })
    }
}

/// A ruleset with what it takes to play on: its name in the catalog, or its text for `/api/ruleset`.
fn about_ruleset(ruleset: &Ruleset) -> Value {
    let name = ruleset.rules["name"].as_str().unwrap_or_default();
    let catalog = registry::open(&RulesetChoice::catalog(name)).ok();
    let fingerprint = catalog.map(|session| format!("{:016x}", session.game().fingerprint));
    let is_catalog = fingerprint.is_some() && fingerprint == ruleset.fingerprint;
    json!({
        "label": ruleset.label, "start": ruleset.start, "dice": ruleset.dice, "board": ruleset.board,
        "seats": ruleset.seats, "catalog": is_catalog.then_some(name), "text": ruleset.rules_text(),
    })
}
