//! The settings of the engine: names, types, defaults, ranges, values.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::strength::{FULL_SKILL, HIGHEST_ELO};
use crate::eval::{Backup, Parameter, Parameters};
use crate::search::SearchConfig;
use crate::tablebase::{TableError, existing_folder};

/// The methods of search that the option `Searcher` offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearcherKind {
    /// The solver where the game has one, else alpha-beta, by the games in tests/bench/README.md; for three players and
    /// more Monte Carlo tree search.
    Auto,
    /// Alpha-beta, for one or two players; for more Monte Carlo tree search.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
    /// The game's own exact method; a game without one is searched by alpha-beta.
    Solver,
    /// A random legal move.
    Random,
    /// Never looks ahead.
    Greedy,
}

impl SearcherKind {
    /// In the order of the combo; the first is the default.
    const NAMED: [(&'static str, SearcherKind); 6] = [
        ("auto", SearcherKind::Auto),
        ("alphabeta", SearcherKind::AlphaBeta),
        ("mcts", SearcherKind::Mcts),
        ("solver", SearcherKind::Solver),
        ("random", SearcherKind::Random),
        ("greedy", SearcherKind::Greedy),
    ];

    /// What the option calls it.
    pub fn name(self) -> &'static str {
        SearcherKind::NAMED.into_iter().find(|&(_, kind)| kind == self).map_or("", |(name, _)| name)
    }

    /// The tree search that it stands for in games without a solver of their own; `None` for those that never search.
    pub fn tree_search(self) -> Option<SearcherKind> {
        match self {
            SearcherKind::Auto | SearcherKind::AlphaBeta | SearcherKind::Solver => Some(SearcherKind::AlphaBeta),
            SearcherKind::Mcts => Some(SearcherKind::Mcts),
            SearcherKind::Random | SearcherKind::Greedy => None,
        }
    }

    /// What it makes of the values of many positions; those that never search take the best one.
    pub(super) fn backup(self) -> Backup {
        match self.tree_search() {
            Some(SearcherKind::Mcts) => Backup::Mean,
            _ => Backup::Minimax,
        }
    }

    /// Whether a game's own exact method takes its place.
    pub(super) fn may_solve(self) -> bool {
        matches!(self, SearcherKind::Auto | SearcherKind::Solver)
    }

    /// Whether it searches; the others stay what they are, with tables and levels too.
    pub(super) fn looks_ahead(self) -> bool {
        !matches!(self, SearcherKind::Random | SearcherKind::Greedy)
    }
}

/// The five types of option, each with what it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// Where nothing is set.
        default: bool,
    },
    /// An integer.
    Spin {
        /// Where nothing is set.
        default: i64,
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Where nothing is set.
        default: String,
        /// All of them.
        choices: Vec<String>,
    },
    /// Any text.
    Text {
        /// Where nothing is set.
        default: String,
    },
    /// Something to do at once.
    Button,
}

/// One option as it is announced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// As it is announced.
    pub name: String,
    /// Another name under which it can be set; not announced.
    pub alias: Option<&'static str>,
    /// Its values.
    pub kind: OptionKind,
    /// One sentence for people.
    pub about: String,
}

/// A refused option or value; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The value is out of range, or no such value.
    #[error("option {name}: '{value}' is not allowed; expected {expected}")]
    Value {
        /// The option.
        name: String,
        /// The text that was refused.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// The value names something that cannot be used.
    #[error("option {name}: {message}")]
    Refused {
        /// The option.
        name: String,
        /// What is wrong.
        message: String,
    },
}

impl OptionKind {
    /// The default value as text; empty for buttons.
    pub fn default_text(&self) -> String {
        match self {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
            OptionKind::Button => String::new(),
        }
    }

    /// What may be given, in words.
    pub fn expected(&self) -> String {
        match self {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("an integer from {min} to {max}"),
            OptionKind::Combo { choices, .. } => format!("one of {}", choices.join(" ")),
            OptionKind::Text { .. } => "a text".to_owned(),
            OptionKind::Button => "no value".to_owned(),
        }
    }

    /// The canonical form of a value, or `None` when it is not allowed.
    pub fn canonical(&self, value: &str) -> Option<String> {
        match self {
            OptionKind::Check { .. } => value.to_ascii_lowercase().parse::<bool>().ok().map(|on| on.to_string()),
            OptionKind::Spin { min, max, .. } => {
                let number: i64 = value.parse().ok()?;
                (*min..=*max).contains(&number).then(|| number.to_string())
            }
            OptionKind::Combo { choices, .. } => {
                choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)).cloned()
            }
            OptionKind::Text { .. } if value == "<empty>" => Some(String::new()),
            OptionKind::Text { .. } => Some(value.to_owned()),
            OptionKind::Button => Some(String::new()),
        }
    }
}

/// Every option with its present value, in the order of announcement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    entries: Vec<(OptionSpec, String)>,
    /// The index of the first search or evaluation parameter.
    first_parameter: usize,
}

/// The option that names a ruleset of the catalog.
pub const RULESET: &str = "UCI_Variant";
const RULESET_ALIAS: &str = "Ruleset";
/// The option with switches that change the rules.
pub const RULE_SWITCHES: &str = "RuleSwitches";
/// The option that names a ruleset file.
pub const RULES_FILE: &str = "RulesFile";
/// The options that choose the rules, in the order in which they are to be set.
pub(crate) const RULES_OPTIONS: [&str; 3] = [RULESET, RULES_FILE, RULE_SWITCHES];
pub(super) const CLEAR_HASH: &str = "Clear Hash";
const SEARCHER: &str = "Searcher";
const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const MULTI_PV: &str = "MultiPV";
/// The option with the seed of all random streams.
pub const SEED: &str = "Seed";
pub(crate) const SHOW_WDL: &str = "UCI_ShowWDL";
pub(super) const TABLE_PATH: &str = "TablePath";
/// The option that names learned weights.
pub const EVAL_FILE: &str = "EvalFile";
/// Its value for none of the learned weights.
pub const LINEAR: &str = "linear";
const TABLE_PROBE_LIMIT: &str = "TableProbeLimit";
const SHORTEST: &str = "Shortest";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const SKILL_LEVEL: &str = "Skill Level";
const MOVE_OVERHEAD: &str = "Move Overhead";
/// More than any board holds.
const MOST_TABLE_PIECES: i64 = 999;

/// Whether this option chooses the rules, by name or alias in any case; such options cannot differ by role.
pub fn is_rules_option(name: &str) -> bool {
    RULES_OPTIONS.iter().chain(&[RULESET_ALIAS]).any(|known| known.eq_ignore_ascii_case(name))
}

/// What the option `EvalFile` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsSource<'a> {
    /// The weights that come with the program, if there are any.
    Program,
    /// None at all: the evaluation is linear.
    Nothing,
    /// A file by its path.
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

    /// Whether it is a file.
    pub fn is_file(self) -> bool {
        matches!(self, WeightsSource::File(_))
    }
}

impl Options {
    /// The options at their defaults: the general ones, the rulesets (first is default), every search and
    /// evaluation parameter. A parameter name that occurs twice is one option.
    pub fn new(rulesets: &[&str], parameters: &[Parameter]) -> Self {
        let mut options = Options { entries: Vec::new(), first_parameter: 0 };
        general_specs(rulesets).into_iter().for_each(|spec| options.add(spec));
        options.first_parameter = options.entries.len();
        for Parameter { name, about, default, min, max } in parameters {
            let (default, min, max) = ((*default).into(), (*min).into(), (*max).into());
            options.add(spec(name, OptionKind::Spin { default, min, max }, about));
        }
        options
    }

    fn add(&mut self, spec: OptionSpec) {
        if self.index(&spec.name).is_none() {
            let value = spec.kind.default_text();
            self.entries.push((spec, value));
        }
    }

    /// Every option as announced.
    pub fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.entries.iter().map(|(spec, _)| spec)
    }

    /// The option of that name or alias, in any case.
    ///
    /// # Errors
    /// There is none.
    pub fn spec(&self, name: &str) -> Result<&OptionSpec, OptionError> {
        self.index(name).map(|index| &self.entries[index].0).ok_or_else(|| OptionError::Unknown(name.to_owned()))
    }

    /// The value of an option as text; empty for an unknown name.
    pub fn value(&self, name: &str) -> &str {
        self.index(name).map_or("", |index| &self.entries[index].1)
    }

    /// Sets an option by name or alias, in any case; a missing value is an empty text. A catalog ruleset takes the
    /// place of a ruleset file.
    ///
    /// # Errors
    /// Unknown name or a value that is not allowed; nothing changes.
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

    /// Puts every option back to its default.
    pub fn reset(&mut self) {
        self.entries.iter_mut().for_each(|(spec, value)| *value = spec.kind.default_text());
    }

    /// The parameter set `P` as these options have it.
    pub fn parameters<P: Parameters>(&self) -> P {
        // Those of a list stand together, in its order.
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

    /// The values that shape a searcher: its method, parameters and strength, and the tables, which trees keep answers of.
    pub(super) fn searcher_settings(&self) -> impl Iterator<Item = &str> {
        let named = [SEARCHER, TABLE_PATH, TABLE_PROBE_LIMIT, EVAL_FILE, LIMIT_STRENGTH, ELO, SKILL_LEVEL];
        let named = named.map(|name| self.value(name));
        named.into_iter().chain(self.entries[self.first_parameter..].iter().map(|(_, value)| value.as_str()))
    }

    /// Whether strength, evaluation and the parameters of searches are those that the program comes with.
    pub(super) fn search_as_shipped(&self) -> bool {
        let shapes = |(number, (spec, _)): &(usize, &(OptionSpec, String))| {
            *number >= self.first_parameter || [EVAL_FILE, LIMIT_STRENGTH, SKILL_LEVEL].contains(&spec.name.as_str())
        };
        let mut shaping = self.entries.iter().enumerate().filter(shapes);
        shaping.all(|(_, (spec, value))| *value == spec.kind.default_text())
    }

    /// What every searcher is told.
    pub fn search_config(&self) -> SearchConfig {
        let default = SearchConfig::default();
        SearchConfig {
            hash_mib: self.spin(HASH, default.hash_mib as i64) as usize,
            threads: self.spin(THREADS, default.threads as i64) as usize,
            multi_pv: self.spin(MULTI_PV, default.multi_pv as i64) as usize,
            seed: self.spin(SEED, 0) as u64,
            shortest: self.value(SHORTEST) == "true",
        }
    }

    /// The method of search.
    pub fn searcher(&self) -> SearcherKind {
        let chosen = SearcherKind::NAMED.into_iter().find(|(name, _)| *name == self.value(SEARCHER));
        chosen.map_or(SearcherKind::Auto, |(_, kind)| kind)
    }

    /// Time set aside for the way between the client's clock and the engine.
    pub fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.spin(MOVE_OVERHEAD, 0) as u64)
    }

    /// The folder of tables of perfect play; empty for none.
    pub fn table_path(&self) -> &str {
        self.value(TABLE_PATH)
    }

    /// Searches do without the tables that they do not find; who can be told better asks before.
    ///
    /// # Errors
    /// A folder of tables is named and is none.
    pub fn check_table_path(&self) -> Result<(), OptionError> {
        let refuse =
            |error: TableError| OptionError::Refused { name: TABLE_PATH.to_owned(), message: error.to_string() };
        match self.table_path() {
            "" => Ok(()),
            path => existing_folder(Path::new(path)).map(drop).map_err(refuse),
        }
    }

    /// The most pieces of the geese side with which positions inside the search tree are looked up in tables.
    pub fn table_probe_limit(&self) -> u32 {
        self.spin(TABLE_PROBE_LIMIT, MOST_TABLE_PIECES) as u32
    }

    /// Where the learned weights come from.
    pub fn weights_source(&self) -> WeightsSource<'_> {
        WeightsSource::of(self.value(EVAL_FILE))
    }

    /// Whether the engine shall play as if it had the rating [`elo`](Options::elo).
    pub(super) fn is_limited(&self) -> bool {
        self.value(LIMIT_STRENGTH) == "true"
    }

    pub(super) fn elo(&self) -> u16 {
        self.spin(ELO, HIGHEST_ELO) as u16
    }

    /// From 0 to [`FULL_SKILL`].
    pub(super) fn skill_level(&self) -> u8 {
        self.spin(SKILL_LEVEL, FULL_SKILL.into()) as u8
    }

    fn spin(&self, name: &str, default: i64) -> i64 {
        self.value(name).parse().unwrap_or(default)
    }

    fn index(&self, name: &str) -> Option<usize> {
        let named = |spec: &OptionSpec| {
            spec.name.eq_ignore_ascii_case(name) || spec.alias.is_some_and(|alias| alias.eq_ignore_ascii_case(name))
        };
        self.entries.iter().position(|(spec, _)| named(spec))
    }
}

fn general_specs(rulesets: &[&str]) -> Vec<OptionSpec> {
    let config = SearchConfig::default();
    let spin = |default: usize, min, max| OptionKind::Spin { default: default as i64, min, max };
    let mut ruleset = spec(RULESET, combo(rulesets), "The ruleset of the next positions; also set as Ruleset.");
    ruleset.alias = Some(RULESET_ALIAS);
    vec![
        ruleset,
        spec(RULE_SWITCHES, text(), "Changes to the ruleset: KEY=VALUE, blank-separated."),
        spec(RULES_FILE, text(), "A ruleset file to play instead of a catalog ruleset."),
        spec(SEARCHER, combo(&SearcherKind::NAMED.map(|(name, _)| name)), "The method of search."),
        spec(HASH, spin(config.hash_mib, 1, 65_536), "Memory for tables and trees, in MiB."),
        spec(THREADS, spin(config.threads, 1, 256), "Search threads."),
        spec(MULTI_PV, spin(config.multi_pv, 1, 500), "Best lines reported."),
        spec("Ponder", OptionKind::Check { default: false }, "The client may send go ponder; changes nothing here."),
        spec(SHOW_WDL, OptionKind::Check { default: false }, "UCI: reports have wdl, which those of UGI always have."),
        spec("UCI_AnalyseMode", OptionKind::Check { default: false }, "The client analyses; changes nothing here."),
        spec("OwnBook", OptionKind::Check { default: false }, "Reserved: the engine has no opening book."),
        spec(TABLE_PATH, text(), "A folder of tables of perfect play; empty for none."),
        spec(
            TABLE_PROBE_LIMIT,
            spin(MOST_TABLE_PIECES as usize, 0, MOST_TABLE_PIECES),
            "The most pieces of the geese side with which positions inside the search tree are looked up in tables.",
        ),
        spec(EVAL_FILE, text(), "Learned weights for hunts: a file; empty for those of the program, linear for none."),
        spec(
            LIMIT_STRENGTH,
            OptionKind::Check { default: false },
            "Play as weakly as UCI_Elo says; without it, Skill Level counts.",
        ),
        spec(ELO, spin(HIGHEST_ELO as usize, 0, HIGHEST_ELO), "The rating to play at; 0 is a random player."),
        spec(
            SKILL_LEVEL,
            spin(FULL_SKILL.into(), 0, FULL_SKILL.into()),
            "How well to play: 0 at random, 20 as well as can be.",
        ),
        spec(SHORTEST, OptionKind::Check { default: false }, "Puzzles: solve in the fewest moves, not just somehow."),
        spec(
            SEED,
            spin(0, 0, i64::from(u32::MAX)),
            "Seed of every random choice; with 0 a level of play draws its own for every game.",
        ),
        spec(MOVE_OVERHEAD, spin(10, 0, 10_000), "Time kept back for each move, in ms."),
        spec(CLEAR_HASH, OptionKind::Button, "Forgets what the searcher has learned."),
    ]
}

fn spec(name: &str, kind: OptionKind, about: &str) -> OptionSpec {
    OptionSpec { name: name.into(), alias: None, kind, about: about.into() }
}

fn combo(choices: &[&str]) -> OptionKind {
    let choices: Vec<String> = choices.iter().map(|&choice| choice.to_owned()).collect();
    OptionKind::Combo { default: choices.first().cloned().unwrap_or_default(), choices }
}

fn text() -> OptionKind {
    OptionKind::Text { default: String::new() }
}
