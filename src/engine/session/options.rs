//! The settings of the engine: names, types, defaults, ranges, values.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::strength::{FULL_SKILL, HIGHEST_ELO, SearcherKind};
use crate::eval::{Parameter, Parameters};
use crate::search::SearchConfig;
use crate::tablebase::{TableError, existing_folder};

/// The five types of option, each with what it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check,
    /// An integer.
    Spin {
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// One of several words.
    Combo(Vec<String>),
    /// Any text.
    Text,
    /// An action that setting the button triggers; it has no value.
    Button,
}

/// An option as protocols announce it to a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name in its canonical spelling.
    pub name: String,
    /// The type, with the values that it allows.
    pub kind: OptionKind,
    /// The default value; empty for buttons.
    pub default: String,
    /// One sentence for people.
    pub about: String,
}

/// Why an option or a value is refused; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The value is out of range, or not one of the allowed words.
    #[error("option {name}: '{value}' is not allowed; expected {expected}")]
    Value {
        /// The option.
        name: String,
        /// The text that was refused.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// The value names a file, folder or ruleset that cannot be used.
    #[error("option {name}: {message}")]
    Refused {
        /// The option.
        name: String,
        /// What is wrong.
        message: String,
    },
}

impl OptionKind {
    /// A description in words of the values that are allowed.
    pub fn expected(&self) -> String {
        match self {
            OptionKind::Check => "true or false".to_owned(),
            OptionKind::Spin { min, max } => format!("an integer from {min} to {max}"),
            OptionKind::Combo(choices) => format!("one of {}", choices.join(" ")),
            OptionKind::Text => "a text".to_owned(),
            OptionKind::Button => "no value".to_owned(),
        }
    }

    /// The canonical form of a value, or `None` if it is not allowed.
    pub fn canonical(&self, value: &str) -> Option<String> {
        match self {
            OptionKind::Check => value.to_ascii_lowercase().parse::<bool>().ok().map(|on| on.to_string()),
            OptionKind::Spin { min, max } => {
                let number: i64 = value.parse().ok()?;
                (*min..=*max).contains(&number).then(|| number.to_string())
            }
            OptionKind::Combo(choices) => choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)).cloned(),
            OptionKind::Text if value == "<empty>" => Some(String::new()),
            OptionKind::Text => Some(value.to_owned()),
            OptionKind::Button => Some(String::new()),
        }
    }
}

/// All options with their present values, in the order of announcement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    entries: Vec<(OptionSpec, String)>,
    /// The index of the first option that is a search or evaluation parameter.
    first_parameter: usize,
}

/// The option that names a ruleset of the catalog.
pub const RULESET: &str = "UCI_Variant";
/// An alias of the option [`RULESET`], which is not announced.
const RULESET_ALIAS: &str = "Ruleset";
/// The option with switches, which change keys of the ruleset.
pub const RULE_SWITCHES: &str = "RuleSwitches";
/// The option that names a ruleset file.
pub const RULES_FILE: &str = "RulesFile";
/// The options that choose the rules, in the order in which they are to be set.
pub(crate) const RULES_OPTIONS: [&str; 3] = [RULESET, RULES_FILE, RULE_SWITCHES];
pub(super) const CLEAR_HASH: &str = "Clear Hash";
const SEARCHER: &str = "Searcher";
pub(super) const HASH: &str = "Hash";
pub(super) const THREADS: &str = "Threads";
const MULTI_PV: &str = "MultiPV";
/// The option with the seed of all random streams.
pub const SEED: &str = "Seed";
pub(crate) const SHOW_WDL: &str = "UCI_ShowWDL";
pub(super) const TABLE_PATH: &str = "TablePath";
/// The option that names a file of learned weights.
pub const EVAL_FILE: &str = "EvalFile";
/// The value of [`EVAL_FILE`] for an evaluation without learned weights.
pub const LINEAR: &str = "linear";
const TABLE_PROBE_LIMIT: &str = "TableProbeLimit";
const SHORTEST: &str = "Shortest";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const SKILL_LEVEL: &str = "Skill Level";
const MOVE_OVERHEAD: &str = "Move Overhead";
/// A number of pieces greater than that of any board.
const MOST_TABLE_PIECES: i64 = 999;

/// Whether this name or alias, in any case, is that of an option that chooses the rules; such options cannot differ by
/// role.
pub fn is_rules_option(name: &str) -> bool {
    RULES_OPTIONS.iter().chain(&[RULESET_ALIAS]).any(|known| known.eq_ignore_ascii_case(name))
}

/// The value of the option [`EVAL_FILE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsSource<'a> {
    /// The weights that come with the program, if there are any.
    Program,
    /// No learned weights: the evaluation is linear.
    Nothing,
    /// A file with this path.
    File(&'a str),
}

impl<'a> WeightsSource<'a> {
    pub(crate) fn of(value: &'a str) -> Self {
        match value {
            "" => WeightsSource::Program,
            linear if linear.eq_ignore_ascii_case(LINEAR) => WeightsSource::Nothing,
            path => WeightsSource::File(path),
        }
    }

    /// Whether the weights come from a file.
    pub fn is_file(self) -> bool {
        matches!(self, WeightsSource::File(_))
    }
}

impl Options {
    /// All options with their default values: the general ones, the ruleset (the first of `rulesets` is the default),
    /// and every search and evaluation parameter. A parameter name that occurs twice is one option.
    pub fn new(rulesets: &[&str], parameters: &[Parameter]) -> Self {
        let mut options = Options { entries: Vec::new(), first_parameter: 0 };
        general_specs(rulesets).into_iter().for_each(|spec| options.add(spec));
        options.first_parameter = options.entries.len();
        for Parameter { name, about, default, min, max } in parameters {
            let kind = OptionKind::Spin { min: (*min).into(), max: (*max).into() };
            options.add(spec(name, kind, &default.to_string(), about));
        }
        options
    }

    fn add(&mut self, spec: OptionSpec) {
        if self.index(&spec.name).is_none() {
            let value = spec.default.clone();
            self.entries.push((spec, value));
        }
    }

    /// Every option as it is announced, in order.
    pub fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.entries.iter().map(|(spec, _)| spec)
    }

    /// Gives `UCI_Elo` the range of a game whose highest level has this rating; `None` keeps the widest range. A value
    /// beyond it, or one that was never set, becomes the highest.
    pub(super) fn limit_elo(&mut self, highest: Option<u16>) {
        let Some((spec, value)) = self.entries.iter_mut().find(|(spec, _)| spec.name == ELO) else { return };
        let max = highest.map_or(HIGHEST_ELO, i64::from);
        let is_set = *value != spec.default;
        spec.kind = OptionKind::Spin { min: 0, max };
        spec.default = max.to_string();
        if !is_set || spec.kind.canonical(value).is_none() {
            value.clone_from(&spec.default);
        }
    }

    /// The option with this name or alias, in any case.
    ///
    /// # Errors
    /// There is no such option.
    pub fn spec(&self, name: &str) -> Result<&OptionSpec, OptionError> {
        self.index(name).map(|index| &self.entries[index].0).ok_or_else(|| OptionError::Unknown(name.to_owned()))
    }

    /// The value of an option as text; empty for an unknown name.
    pub fn value(&self, name: &str) -> &str {
        self.index(name).map_or("", |index| &self.entries[index].1)
    }

    /// Sets an option by name or alias, in any case; a missing value is read as an empty text. A catalog ruleset
    /// replaces a ruleset file.
    ///
    /// # Errors
    /// The name is unknown or the value is not allowed; nothing changes.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let index = self.index(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let (spec, slot) = &mut self.entries[index];
        let given = value.unwrap_or("").trim();
        *slot = spec.kind.canonical(given).ok_or_else(|| OptionError::Value {
            name: spec.name.clone(),
            value: given.to_owned(),
            expected: spec.kind.expected(),
        })?;
        if spec.name == RULESET {
            return self.set(RULES_FILE, None);
        }
        Ok(())
    }

    /// The parameters of type `P` with the values of these options.
    pub fn parameters<P: Parameters>(&self) -> P {
        // The parameters of a list stand together, in its order.
        let is_first = |(spec, _): &(OptionSpec, String)| P::LIST.first().is_some_and(|first| first.name == spec.name);
        let begin = self.entries.iter().position(is_first).unwrap_or(self.entries.len());
        let mut parameters = P::default();
        for (index, parameter) in P::LIST.iter().enumerate() {
            let there = self.entries.get(begin + index).filter(|(spec, _)| spec.name == parameter.name);
            let value = there.and_then(|(_, value)| value.parse().ok()).unwrap_or(parameter.default);
            parameters.set(index, value);
        }
        parameters
    }

    /// The values on which a searcher depends, so that a change of any needs a new searcher: its method, parameters and
    /// strength, and the tables, whose answers are kept in trees.
    pub(super) fn searcher_settings(&self) -> impl Iterator<Item = &str> {
        let named = [SEARCHER, TABLE_PATH, TABLE_PROBE_LIMIT, EVAL_FILE, LIMIT_STRENGTH, ELO, SKILL_LEVEL];
        let named = named.map(|name| self.value(name));
        named.into_iter().chain(self.entries[self.first_parameter..].iter().map(|(_, value)| value.as_str()))
    }

    /// Whether strength, evaluation and search parameters have their default values.
    pub(super) fn search_as_shipped(&self) -> bool {
        let shapes = |(number, (spec, _)): &(usize, &(OptionSpec, String))| {
            *number >= self.first_parameter || [EVAL_FILE, LIMIT_STRENGTH, SKILL_LEVEL].contains(&spec.name.as_str())
        };
        let mut shaping = self.entries.iter().enumerate().filter(shapes);
        shaping.all(|(_, (spec, value))| *value == spec.default)
    }

    /// The settings of every searcher: memory, threads, lines, seed.
    pub fn search_config(&self) -> SearchConfig {
        let default = SearchConfig::default();
        SearchConfig {
            hash_mib: self.spin(HASH, default.hash_mib as i64) as usize,
            threads: self.spin(THREADS, default.threads as i64) as usize,
            multi_pv: self.spin(MULTI_PV, default.multi_pv as i64) as usize,
            seed: self.spin(SEED, 0) as u64,
            shortest: self.value(SHORTEST) == "true",
            proof: self.parameters(),
        }
    }

    /// The method of search.
    pub fn searcher(&self) -> SearcherKind {
        let chosen = SearcherKind::NAMED.into_iter().find(|(name, _)| *name == self.value(SEARCHER));
        chosen.map_or(SearcherKind::Auto, |(_, kind)| kind)
    }

    /// Time kept back for each move, for delays between the client's clock and the engine.
    pub fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.spin(MOVE_OVERHEAD, 0) as u64)
    }

    /// The folder of tables of perfect play; empty for none.
    pub fn table_path(&self) -> &str {
        self.value(TABLE_PATH)
    }

    /// Checks that the folder of the option `TablePath` exists: searches would go on without the tables that they do
    /// not find.
    ///
    /// # Errors
    /// The option names something that is not a folder.
    pub fn check_table_path(&self) -> Result<(), OptionError> {
        let refuse =
            |error: TableError| OptionError::Refused { name: TABLE_PATH.to_owned(), message: error.to_string() };
        match self.table_path() {
            "" => Ok(()),
            path => existing_folder(Path::new(path)).map(drop).map_err(refuse),
        }
    }

    /// The most pieces of the geese side with which positions inside the search tree are probed in tables.
    pub fn table_probe_limit(&self) -> u32 {
        self.spin(TABLE_PROBE_LIMIT, MOST_TABLE_PIECES) as u32
    }

    /// The source of the learned weights.
    pub fn weights_source(&self) -> WeightsSource<'_> {
        WeightsSource::of(self.value(EVAL_FILE))
    }

    /// Whether the engine has to play at the rating [`elo`](Options::elo).
    pub(super) fn is_limited(&self) -> bool {
        self.value(LIMIT_STRENGTH) == "true"
    }

    pub(super) fn elo(&self) -> u16 {
        self.spin(ELO, HIGHEST_ELO) as u16
    }

    /// The level of play, from 0 to [`FULL_SKILL`].
    pub(super) fn skill_level(&self) -> u8 {
        self.spin(SKILL_LEVEL, FULL_SKILL.into()) as u8
    }

    fn spin(&self, name: &str, default: i64) -> i64 {
        self.value(name).parse().unwrap_or(default)
    }

    fn index(&self, name: &str) -> Option<usize> {
        let name = if name.eq_ignore_ascii_case(RULESET_ALIAS) { RULESET } else { name };
        self.entries.iter().position(|(spec, _)| spec.name.eq_ignore_ascii_case(name))
    }
}

fn general_specs(rulesets: &[&str]) -> Vec<OptionSpec> {
    let config = SearchConfig::default();
    let spin =
        |name, default: usize, min, max, about| spec(name, OptionKind::Spin { min, max }, &default.to_string(), about);
    let check = |name, about| spec(name, OptionKind::Check, "false", about);
    let text = |name, about| spec(name, OptionKind::Text, "", about);
    let full = usize::from(FULL_SKILL);
    vec![
        combo(RULESET, rulesets, "The ruleset of the next positions; also set as Ruleset."),
        text(RULE_SWITCHES, "Changes to the ruleset: KEY=VALUE, blank-separated."),
        text(RULES_FILE, "A ruleset file to play instead of a catalog ruleset."),
        combo(SEARCHER, &SearcherKind::NAMED.map(|(name, _)| name), "The method of search."),
        spin(HASH, config.hash_mib, 1, 65_536, "Memory for tables and trees, in MiB."),
        spin(THREADS, config.threads, 1, 256, "Search threads."),
        spin(MULTI_PV, config.multi_pv, 1, 500, "Best lines reported."),
        check("Ponder", "The client may send go ponder; changes nothing here."),
        check(SHOW_WDL, "UCI: reports have wdl, which those of UGI always have."),
        check("UCI_AnalyseMode", "The client analyses; changes nothing here."),
        check("OwnBook", "Reserved: the engine has no opening book."),
        text(TABLE_PATH, "A folder of tables of perfect play; empty for none."),
        spin(
            TABLE_PROBE_LIMIT,
            MOST_TABLE_PIECES as usize,
            0,
            MOST_TABLE_PIECES,
            "The most pieces of the geese side with which positions inside the search tree are looked up in tables.",
        ),
        text(EVAL_FILE, "Learned weights for hunts: a file; empty for those of the program, linear for none."),
        check(LIMIT_STRENGTH, "Play as weakly as UCI_Elo says; without it, Skill Level counts."),
        spin(ELO, HIGHEST_ELO as usize, 0, HIGHEST_ELO, "The rating to play at; 0 is a random player."),
        spin(SKILL_LEVEL, full, 0, FULL_SKILL.into(), "How well to play: 0 at random, 20 as well as can be."),
        check(SHORTEST, "Puzzles: solve in the fewest moves, not just somehow."),
        spin(
            SEED,
            0,
            0,
            i64::from(u32::MAX),
            "Seed of every random choice; with 0 a level of play draws its own for every game.",
        ),
        spin(MOVE_OVERHEAD, 10, 0, 10_000, "Time kept back for each move, in ms."),
        spec(CLEAR_HASH, OptionKind::Button, "", "Forgets what the searcher has learned."),
    ]
}

fn spec(name: &str, kind: OptionKind, default: &str, about: &str) -> OptionSpec {
    OptionSpec { name: name.into(), kind, default: default.into(), about: about.into() }
}

/// An option with a choice of words, the first of which is the default.
fn combo(name: &str, choices: &[&str], about: &str) -> OptionSpec {
    let kind = OptionKind::Combo(choices.iter().map(|&choice| choice.to_owned()).collect());
    spec(name, kind, choices.first().unwrap_or(&""), about)
}
