//! The plan of a tournament: all files read and all names looked up, so that workers can play any fixture.

use std::collections::BTreeMap;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use reynard_engine::session::options::SEED;
use reynard_engine::session::{OptionError, Options, registry};

use super::events::EventLog;
use super::header::JournalHeader;
use super::live::LiveGames;
use super::openings::{BookError, OpeningBook};
use super::ruleset::Ruleset;
use super::spec::{Limits, ProgramSpec, TournamentSpec};

/// Option names with values as text.
pub(crate) type OptionPairs = Vec<(String, String)>;

/// What is played, by whom and how: the spec with its rulesets, engines and openings ready.
pub struct Plan {
    /// What the plan says of itself: the journal begins with it, and it alone decides which games there are.
    pub header: JournalHeader,
    /// As written: how games begin and are judged.
    pub spec: TournamentSpec,
    /// The participants, ready to be started; fixtures name them by index.
    pub engines: Vec<EngineConfig>,
    /// Where the games of every ruleset begin.
    pub openings: OpeningBook,
    /// The folder of tables of perfect play.
    pub tables: Option<PathBuf>,
}

/// What is written down of games while they are played, beside the journal.
#[derive(Default)]
pub struct Sinks {
    /// What becomes of the conversations with external engines.
    pub conversations: Conversations,
    /// Where every move is written as it is played.
    pub events: Option<Arc<EventLog>>,
    /// Where the games under way are shown.
    pub live: Option<LiveGames>,
}

impl Plan {
    /// The games that are played; fixtures name them by index.
    pub fn rulesets(&self) -> &[Ruleset] {
        &self.header.rulesets
    }

    /// What is wrong with the openings, a sentence each: a ruleset has fewer than a pairing plays pairs, or they cannot be
    /// balanced.
    ///
    /// Pairs repeat then, and where nothing in the engines varies a repeated pair is the same two games once more.
    /// Where dice are rolled no two pairs are alike, so nothing is said.
    ///
    /// # Errors
    /// The machine lacks what it takes to balance openings.
    pub(crate) fn opening_warnings(&self) -> Result<Vec<String>, BookError> {
        let needed = self.spec.pair_count();
        let is_exact = self.engines.iter().all(|engine| !engine.limits.is_timed());
        let consequence = match (&self.spec.sprt, is_exact) {
            (Some(_), true) => "the sequential test would take the same games for new evidence; give it more openings",
            (Some(_), false) => "the sequential test may take much the same games for new evidence",
            (None, _) => "engines without chance play the same games again",
        };
        let shortage = |(index, ruleset): (usize, &Ruleset)| {
            let there = self.openings.distinct(index, 0..needed);
            let s = if there == 1 { "" } else { "s" };
            (there < needed && !ruleset.dice).then(|| {
                let label = &ruleset.label;
                format!(
                    "{label}: only {there} different opening{s} for {needed} pairs: pairs repeat, and {consequence}"
                )
            })
        };
        let mut warnings: Vec<String> = self.rulesets().iter().enumerate().filter_map(shortage).collect();
        for (index, ruleset) in self.rulesets().iter().enumerate() {
            warnings.extend(self.openings.imbalance(index, ruleset, needed)?);
        }
        Ok(warnings)
    }
}

/// What becomes of the conversations with external engines.
#[derive(Clone, Default)]
pub enum Conversations {
    /// Nobody reads them.
    #[default]
    Dropped,
    /// They are written into files in this folder.
    Kept(PathBuf),
    /// Every line is printed: `>ENGINE(WORKER): LINE` is sent, `<` received, `#` a note. Error output goes where that
    /// of this program goes.
    Printed(Arc<dyn Fn(&str) + Send + Sync>),
}

/// A participant.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineConfig {
    /// The name in reports, unique among the engines.
    pub name: String,
    /// Ready to be started: its paths are absolute. `None` for a session in this process.
    pub program: Option<ProgramSpec>,
    /// Options for every role, those of an options file included.
    pub options: OptionPairs,
    /// Set after `options` when the engine plays that role.
    pub by_role: BTreeMap<String, OptionPairs>,
    /// Time odds are already in them.
    pub limits: Limits,
}

impl EngineConfig {
    /// The engine with this value of an option in every role.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        for options in iter::once(&mut self.options).chain(self.by_role.values_mut()) {
            options.retain(|(other, _)| other != name);
        }
        self.options.push((name.to_owned(), value.to_owned()));
        self
    }

    /// What is set when the engine plays a role, in order.
    pub(crate) fn pairs_as(&self, role: &str) -> impl Iterator<Item = &(String, String)> {
        self.options.iter().chain(self.by_role.get(role).into_iter().flatten())
    }

    /// The options of a session of this program in a role, with this seed unless the spec has one of its own.
    ///
    /// # Errors
    /// An option is unknown, or its value not allowed.
    pub(crate) fn session_options(&self, role: &str, seed: u32) -> Result<Options, OptionError> {
        let mut options = registry::default_options();
        options.set(SEED, Some(&seed.to_string()))?;
        self.pairs_as(role).try_for_each(|(name, value)| options.set(name, Some(value)))?;
        Ok(options)
    }
}
