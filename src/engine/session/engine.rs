//! The engine as a front end owns it: the options, and the session of the ruleset that the options name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use super::bench::bench;
use super::door::Session;
use super::job::{Job, Sink, StartError, WorkKind};
use super::options::{
    CLEAR_HASH, EVAL_FILE, HASH, OptionError, Options, RULE_SWITCHES, RULES_FILE, RULESET, THREADS, is_rules_option,
};
use super::options_file::{OptionsFile, Pairs};
use super::registry::{self, OpenError, RulesetChoice, RulesetSource};
use super::request::GoRequest;
use crate::tablebase::build::Resources;

/// An engine: the options, the session of the ruleset that they name, and work in the background.
///
/// ```
/// use reynard_engine::session::Engine;
/// let mut engine = Engine::new()?;
/// engine.set_option("ruleset", Some("masters-15"))?;
/// engine.session_mut().set_position(None, &[])?;
/// assert!(!engine.session().legal_moves().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    options: Options,
    /// For each role, the options that replace others in searches where the role is to move.
    by_role: BTreeMap<String, Pairs>,
    session: Box<dyn Session>,
    job: Option<Job>,
}

/// Work that an engine can do in the background.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// A search of the present position.
    Search(&'a GoRequest),
    /// A perft of this depth in plies from the present position: `Count` events, then one `Perft`.
    Perft(u32),
    /// The benchmark: `Count` events, then one `BenchTotal`.
    Bench,
}

impl Engine {
    /// An engine with default options, at the start of the default ruleset.
    ///
    /// # Errors
    /// The default ruleset of the catalog does not compile.
    pub fn new() -> Result<Self, OpenError> {
        let mut options = registry::default_options();
        let session = registry::open(&chosen(&options)?)?;
        options.limit_elo(session.highest_elo());
        Ok(Engine { options, by_role: BTreeMap::new(), session, job: None })
    }

    /// The options in force for all roles.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The options for a search of the present position: options of the role to move replace the common ones.
    pub fn options_to_move(&self) -> Options {
        let mut options = self.options.clone();
        let role = self.session.side_to_move().map(|seat| self.session.game().role(seat));
        for (name, value) in role.and_then(|role| self.by_role.get(role)).into_iter().flatten() {
            // Names and values were checked when the file was read.
            let _ = options.set(name, Some(value));
        }
        options
    }

    /// Sets the options of a file, those that choose the rules first, and keeps the options by role for searches.
    ///
    /// # Errors
    /// An option is refused; the options before it are set then.
    pub fn load(&mut self, file: &OptionsFile) -> Result<(), OptionError> {
        let others = file.options.iter().filter(|(name, _)| !is_rules_option(name));
        for (name, value) in file.rules().chain(others) {
            self.set_option(name, Some(value))?;
        }
        self.by_role.clone_from(&file.by_role);
        Ok(())
    }

    /// The session, for questions about the game.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// The session, for changes of the game and for searches.
    pub fn session_mut(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Sets an option by name or alias in any case.
    ///
    /// A change of the rules opens a session at the new start position; a search that still runs in the old session is
    /// stopped and has delivered its answer when this returns. Everything else takes effect at the next start. Values
    /// of this option that a loaded file gives to single roles are dropped.
    ///
    /// # Errors
    /// The name is unknown, or the value is not allowed or cannot be used; nothing has changed then.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let mut options = self.options.clone();
        options.set(name, value)?;
        let name = options.spec(name)?.name.clone();
        match name.as_str() {
            CLEAR_HASH => self.session.clear_search(),
            EVAL_FILE if options.weights_source().is_file() => {
                let refuse = |message| OptionError::Refused { name: name.clone(), message };
                self.session.check_evaluation(&options).map_err(refuse)?;
            }
            rules if is_rules_option(rules) => {
                self.reopen(rules, &options)?;
                options.limit_elo(self.session.highest_elo());
            }
            _ => {}
        }
        self.by_role.values_mut().for_each(|pairs| pairs.retain(|(other, _)| *other != name));
        self.options = options;
        Ok(())
    }

    /// A remark on the value of an option that asks for more than the machine, or this program's share of it, has now.
    pub fn remark(&self, name: &str) -> Option<String> {
        let asked = self.options.search_config();
        match &*self.options.spec(name).ok()?.name {
            HASH => {
                let free = Resources::available(Path::new(".")).memory? >> 20;
                let is_short = asked.hash_mib as u64 > free;
                is_short.then(|| format!("Hash: of {} MiB {free} are free: less will be used", asked.hash_mib))
            }
            THREADS => {
                let processors = thread::available_parallelism().ok()?.get();
                let is_short = asked.threads > processors;
                is_short.then(|| format!("Threads: {} share {processors} processors", asked.threads))
            }
            _ => None,
        }
    }

    /// Makes ready what the next search needs and what takes time, unless work is under way.
    pub fn make_ready(&mut self) {
        if self.job.as_ref().is_none_or(Job::is_over) {
            let options = self.options_to_move();
            self.session.make_ready(&options);
        }
    }

    /// Starts work in the background, after earlier work that was stopped has delivered its last event.
    ///
    /// # Errors
    /// Other work is under way, or a root move is not legal.
    pub fn start(&mut self, task: Task<'_>, sink: Sink) -> Result<(), StartError> {
        if self.job.as_ref().is_some_and(Job::is_wanted) {
            return Err(StartError::Busy);
        }
        // The wait for the earlier answer counts on the clock of this work.
        let begun = Instant::now();
        self.job = None;
        let work = match task {
            Task::Search(request) => self.session.prepare(request, &self.options_to_move())?,
            Task::Perft(depth) => self.session.prepare_perft(depth),
            Task::Bench => bench(),
        };
        self.job = Some(work.since(begun).start(sink));
        Ok(())
    }

    /// Makes the work under way end as soon as possible; does nothing if there is none.
    pub fn stop(&mut self) {
        self.job.iter().for_each(Job::stop);
    }

    /// Makes a running search answer as soon as possible; a perft or the benchmark goes on to its end.
    pub fn stop_search(&mut self) {
        self.job.iter().for_each(Job::stop_search);
    }

    /// Turns a pondering search into one on the clock; does nothing if no search ponders.
    pub fn ponder_hit(&mut self) {
        self.job.iter_mut().for_each(Job::ponder_hit);
    }

    /// Whether the work under way ends without [`stop`](Engine::stop); true if there is none.
    pub fn ends_by_itself(&self) -> bool {
        self.job.as_ref().is_none_or(Job::ends_by_itself)
    }

    /// Sets up the start position and makes the searcher forget earlier games.
    pub fn new_game(&mut self) {
        self.session.clear_search();
        // The start position of a compiled ruleset needs no parsing and no moves: nothing can fail.
        let _ = self.session.set_position(None, &[]);
    }

    fn reopen(&mut self, name: &str, options: &Options) -> Result<(), OptionError> {
        let refuse = |message| OptionError::Refused { name: name.to_owned(), message };
        let choice = chosen(options).map_err(|error| refuse(error.to_string()))?;
        // The file may have been edited since it was read.
        let may_differ = matches!(choice.source, RulesetSource::File(_));
        if !may_differ && chosen(&self.options).is_ok_and(|present| present == choice) {
            return Ok(());
        }
        let explain = |error: OpenError| {
            let mut message = error.to_string();
            if name != RULE_SWITCHES && switches_are_to_blame(&choice) {
                let switches = options.value(RULE_SWITCHES);
                message += &format!("; RuleSwitches in force: '{switches}'; clear them first");
            }
            refuse(message)
        };
        self.session = registry::open(&choice).map_err(explain)?;
        self.job.take_if(|job| job.kind != WorkKind::Bench);
        Ok(())
    }
}

/// Whether a ruleset that cannot be played could be played without its switches.
fn switches_are_to_blame(choice: &RulesetChoice) -> bool {
    let bare = RulesetChoice { source: choice.source.clone(), switches: Vec::new() };
    !choice.switches.is_empty() && registry::read(&bare).is_ok()
}

/// The ruleset that the options name; a file takes precedence over the catalog.
///
/// # Errors
/// The switches are not of the form `KEY=VALUE`.
pub fn chosen(options: &Options) -> Result<RulesetChoice, OpenError> {
    let source = match options.value(RULES_FILE) {
        "" => RulesetSource::Catalog(options.value(RULESET).to_owned()),
        path => RulesetSource::File(PathBuf::from(path)),
    };
    Ok(RulesetChoice { source, switches: registry::parse_switches(options.value(RULE_SWITCHES))? })
}

/// The options that name a ruleset, for [`chosen`] to read; options that are left out have their defaults.
pub fn rules_options(choice: &RulesetChoice) -> Pairs {
    let (name, value) = match &choice.source {
        RulesetSource::Catalog(name) => (RULESET, name.clone()),
        RulesetSource::File(path) => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            (RULES_FILE, path.display().to_string())
        }
    };
    let mut pairs = vec![(name.to_owned(), value)];
    if !choice.switches.is_empty() {
        pairs.push((RULE_SWITCHES.to_owned(), registry::switches_text(&choice.switches)));
    }
    pairs
}
