//! Reads the folder of a run while it grows.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use reynard_engine::files;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::{Value, json};

use super::Seen;
use super::child::runs;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::{JournalError, ShardTails, read_header};
use crate::tournament::live;
use crate::tournament::report::{self, Course};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::schedule::Schedule;
use crate::tune::Trace;
use crate::tune::journals::journal_dirs;

/// Standings are worked out no more often.
const BETWEEN_STATES: Duration = Duration::from_secs(1);
/// The largest page of a tuning that is read.
const MAX_PAGE_BYTES: u64 = 16 << 20;

/// The state of a folder as it was last read.
#[derive(Default)]
pub(super) struct Follower {
    /// The watched folder.
    top: PathBuf,
    /// That of the run which is seen.
    folder: PathBuf,
    run: Option<Run>,
    page_time: Option<SystemTime>,
    reported: Option<Instant>,
    /// Something was read that has not been reported.
    has_news: bool,
    is_running: bool,
}

/// The journals of a run.
struct Run {
    header: JournalHeader,
    tails: ShardTails,
    course: Course,
    /// That of a tuning.
    trace: Option<Trace>,
}

impl Follower {
    pub(super) fn new(folder: PathBuf) -> Follower {
        Follower { top: folder.clone(), folder, has_news: true, ..Follower::default() }
    }

    /// Brings what is known up to date.
    pub(super) fn look(&mut self, seen: &mut Seen) {
        let runs = runs(&self.top);
        let folder = seen.shown.as_ref().or(runs.last()).unwrap_or(&self.top).clone();
        seen.folder.clone_from(&folder);
        if folder != self.folder {
            (self.folder, self.run, self.has_news) = (folder, None, true);
            seen.run = Arc::default();
        }
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
        let is_complete = self.run.as_ref().is_some_and(Run::is_complete);
        seen.can_go_on = Some(self.folder != self.top && !self.is_running && !is_complete);
    }

    fn read(&mut self, seen: &mut Seen) -> Result<(), JournalError> {
        let dirs = journal_dirs(&self.folder);
        let is_new = self.run.is_none();
        let run = match &mut self.run {
            Some(run) => run,
            None => {
                let header = read_header(dirs.first().unwrap_or(&self.folder))?;
                let run = self.run.insert(Run::new(JournalHeader { shard: None, ..header }));
                (seen.run, self.page_time) = (Arc::new(run.about(&self.folder)), None);
                run
            }
        };
        let games = run.course.standings.games();
        if let Err(error) = run.read(&dirs) {
            // Perhaps another run has begun here.
            self.run = None;
            let is_new = matches!(error, JournalError::Changed { .. });
            return if is_new { Ok(()) } else { Err(error) };
        }
        self.has_news |= is_new || run.course.standings.games() != games;
        // A tuning writes its own page, again and again.
        let page = self.folder.join("trace.html");
        let time = fs::metadata(&page).and_then(|about| about.modified()).ok();
        if time != self.page_time {
            self.page_time = time;
            run.trace = files::read_text(&page, MAX_PAGE_BYTES).ok().and_then(|page| Trace::of_page(&page));
            self.has_news = true;
        }
        Ok(())
    }

    fn state(&self, error: Option<&JournalError>) -> Value {
        let mut state = self.run.as_ref().map_or(json!({"games": 0}), Run::state);
        state["running"] = self.is_running.into();
        state["error"] = error.map(ToString::to_string).into();
        state["begun"] = (!matches!(error, Some(JournalError::Missing(_) | JournalError::Unborn(_)))).into();
        state
    }
}

impl Run {
    fn new(header: JournalHeader) -> Run {
        Run { course: Course::new(&header), header, tails: ShardTails::default(), trace: None }
    }

    /// Reads what was added to the journals.
    fn read(&mut self, dirs: &[PathBuf]) -> Result<(), JournalError> {
        self.tails.find(dirs)?;
        self.tails.read(|game| self.course.add(game, &[]))
    }

    fn is_complete(&self) -> bool {
        match self.header.played.tournament() {
            Some(_) => self.expected().is_none_or(|games| self.course.standings.games() >= games),
            None => self.trace.as_ref().is_some_and(|trace| trace.end.is_some()),
        }
    }

    fn expected(&self) -> Option<u64> {
        Schedule::of(&self.header).ok().map(|schedule| schedule.games())
    }

    /// The part that stays the same as long as the run lasts.
    fn about(&self, folder: &Path) -> Value {
        let header = &self.header;
        let rulesets: Vec<Value> = header.rulesets.iter().map(about_ruleset).collect();
        json!({
            "name": folder.file_name().map(|name| name.to_string_lossy()), "engines": header.engines,
            "rulesets": rulesets, "expected": self.expected(), "limits": report::limits(header),
        })
    }

    fn state(&self) -> Value {
        let summary = self.course.standings.summary();
        if self.header.played.tournament().is_none() {
            let [head, figures] = self.trace.as_ref().map(Trace::shown).unwrap_or_default();
            return json!({"games": summary.games, "head": head.0, "figures": figures.0});
        }
        // The page itself counts the games.
        let format = report::format_name(&self.header).unwrap_or_default();
        json!({
            "games": summary.games, "standings": summary,
            "head": report::head(&self.header, &format, &summary).0,
            "figures": report::figures(&summary, &self.course.moments).0,
        })
    }
}

/// A ruleset with what it takes to play on: its name in the catalog, or its text for `/api/ruleset`.
pub(super) fn about_ruleset(ruleset: &Ruleset) -> Value {
    let name = ruleset.rules["name"].as_str().unwrap_or_default();
    let catalog = registry::open(&RulesetChoice::catalog(name)).ok();
    let fingerprint = catalog.map(|session| format!("{:016x}", session.game().fingerprint));
    let is_catalog = fingerprint.is_some() && fingerprint == ruleset.fingerprint;
    json!({
        "label": ruleset.label, "start": ruleset.start, "dice": ruleset.dice, "board": ruleset.board,
        "seats": ruleset.seats, "catalog": is_catalog.then_some(name), "text": ruleset.rules_text(),
    })
}
