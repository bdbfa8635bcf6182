//! Reads the folder of a run while it grows.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use reynard_engine::files;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::{Value, json};

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

/// A run as it was last read.
#[derive(Default)]
pub(in crate::gui) struct Follower {
    run: Option<Run>,
    page_time: Option<SystemTime>,
    state: Value,
    reported: Option<Instant>,
    /// Something was read that has not been reported.
    has_news: bool,
}

/// The journals of a run.
struct Run {
    header: JournalHeader,
    /// What stays the same as long as the run lasts.
    about: Value,
    /// The games of a tournament.
    expected: Option<u64>,
    tails: ShardTails,
    course: Course,
    /// That of a tuning.
    trace: Option<Trace>,
}

impl Follower {
    /// Brings what is known of a folder up to date: what stays the same (null before it has begun), the state, and the
    /// games under way.
    pub(super) fn look(&mut self, folder: &Path) -> [Value; 3] {
        // Shards of a tuning show their games in the folder that they share.
        let mut dirs = [journal_dirs(folder), vec![folder.to_owned()]].concat();
        dirs.dedup();
        let live = live::read(&dirs);
        let error = self.read(folder).err();
        self.has_news |= self.state["running"] != live.is_some()
            || self.state["error"].as_str() != error.as_ref().map(ToString::to_string).as_deref();
        if self.reported.is_none_or(|reported| self.has_news && reported.elapsed() >= BETWEEN_STATES) {
            self.state = self.state(live.is_some(), error.as_ref());
            (self.has_news, self.reported) = (false, Some(Instant::now()));
        }
        let about = self.run.as_ref().map_or(Value::Null, |run| run.about.clone());
        [about, self.state.clone(), json!(live.unwrap_or_default())]
    }

    fn read(&mut self, folder: &Path) -> Result<(), JournalError> {
        let dirs = journal_dirs(folder);
        let is_new = self.run.is_none();
        // The state of a run comes with the run.
        self.reported.take_if(|_| is_new);
        let run = match &mut self.run {
            Some(run) => run,
            None => {
                let header = read_header(dirs.first().map_or(folder, PathBuf::as_path))?;
                self.page_time = None;
                self.run.insert(Run::new(JournalHeader { shard: None, ..header }))
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
        let page = folder.join("trace.html");
        let time = fs::metadata(&page).and_then(|about| about.modified()).ok();
        if std::mem::replace(&mut self.page_time, time) != time {
            run.trace = files::read_text(&page, MAX_PAGE_BYTES).ok().and_then(|page| Trace::of_page(&page));
            self.has_news = true;
        }
        Ok(())
    }

    fn state(&self, is_running: bool, error: Option<&JournalError>) -> Value {
        let mut state = self.run.as_ref().map_or(json!({"games": 0}), Run::state);
        state["running"] = is_running.into();
        state["error"] = error.map(ToString::to_string).into();
        state["begun"] = (!matches!(error, Some(JournalError::Missing(_) | JournalError::Unborn(_)))).into();
        state
    }
}

impl Run {
    fn new(header: JournalHeader) -> Run {
        let expected = Schedule::of(&header).ok().map(|schedule| schedule.games());
        let about = json!({
            "engines": header.engines, "rulesets": header.rulesets.iter().map(about_ruleset).collect::<Value>(),
            "limits": report::limits(&header),
        });
        Run { course: Course::new(&header), header, about, expected, tails: ShardTails::default(), trace: None }
    }

    /// Reads what was added to the journals.
    fn read(&mut self, dirs: &[PathBuf]) -> Result<(), JournalError> {
        self.tails.find(dirs)?;
        self.tails.read(|game| self.course.add(game, &[]))
    }

    fn state(&self) -> Value {
        let summary = self.course.standings.summary();
        if self.header.played.tournament().is_none() {
            let (trace, standings) = (self.trace.as_ref(), Some(&self.course.standings));
            let [head, figures] = trace.map(|trace| trace.shown(&self.header, standings)).unwrap_or_default();
            return json!({
                "games": summary.games, "expected": trace.and_then(|trace| trace.games),
                "complete": trace.is_some_and(|trace| trace.end.is_some()), "head": head.0, "figures": figures.0,
            });
        }
        let has_decided = summary.sprt_verdict.is_some_and(|verdict| verdict.decision.is_some());
        let has_all = self.expected.is_none_or(|games| summary.games >= games);
        // The page itself counts the games.
        json!({
            "games": summary.games, "expected": self.expected, "complete": has_decided || has_all,
            "standings": summary,
            "head": report::head(&self.header, &report::format_name(&self.header).unwrap_or_default(), &summary).0,
            "figures": report::figures(&summary, &self.course.moments, None).0,
        })
    }
}

/// A ruleset with what it takes to play on: its name in the catalog, or its text for `/api/ruleset`.
pub(super) fn about_ruleset(ruleset: &Ruleset) -> Value {
    let name = ruleset.rules["name"].as_str().unwrap_or_default();
    let catalog = registry::open(&RulesetChoice::catalog(name)).ok();
    let is_catalog = catalog.is_some_and(|session| ruleset.has_rules_of(&*session));
    json!({
        "label": ruleset.label, "start": ruleset.start, "dice": ruleset.dice, "board": ruleset.board,
        "seats": ruleset.seats, "catalog": is_catalog.then_some(name), "text": ruleset.rules_text(),
    })
}
