//! The arguments that choose a ruleset, shared by the subcommands.

use std::path::{Path, PathBuf};

use clap::Args;
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, OpenError, RulesetChoice, RulesetSource};

use super::exit::UsageError;
use super::pairs::{Pair, pair};

/// A ruleset by name or file, with changes on top.
#[derive(Args, Clone, Debug)]
pub(super) struct RulesetArgs {
    /// The game to use: a name that `reynard rules list` shows [default: masters-15]
    #[arg(value_name = "RULESET", conflicts_with = "rules")]
    name: Option<String>,
    #[command(flatten)]
    changes: RulesetChanges,
}

/// A ruleset by an option or file, with changes on top.
#[derive(Args, Clone, Debug)]
pub(super) struct RulesetOption {
    /// The game to use: a name that `reynard rules list` shows [default: masters-15, for puzzles solitaire]
    #[arg(long = "ruleset", value_name = "RULESET", conflicts_with = "rules")]
    name: Option<String>,
    #[command(flatten)]
    changes: RulesetChanges,
}

/// Arguments that replace or change a named ruleset.
#[derive(Args, Clone, Debug)]
pub(super) struct RulesetChanges {
    /// Use a ruleset file of your own instead of a named game
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Change a rule, for example --set chain=false or --set goose_moves=forward,sideways; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    set: Vec<Pair>,
}

impl RulesetArgs {
    /// The ruleset of `[RULESET] LAST`, and LAST. clap distinguishes the two words only where no option stands between
    /// them.
    ///
    /// # Errors
    /// A ruleset is named beside a file.
    pub(super) fn with_last<'a>(words: &'a [String], changes: &RulesetChanges) -> Result<(Self, &'a str), UsageError> {
        let (last, before) = words.split_last().expect("clap requires a word");
        match (before.first(), &changes.rules) {
            (Some(name), Some(file)) => Err(UsageError(format!(
                "the ruleset is named twice, by '{name}' and by --rules '{}'; give one of them",
                file.display()
            ))),
            (name, _) => Ok((RulesetArgs { name: name.cloned(), changes: changes.clone() }, last)),
        }
    }

    pub(super) fn choice(&self) -> RulesetChoice {
        choice(self.name.as_deref().unwrap_or(default_name()), &self.changes)
    }

    /// The game at its start position.
    ///
    /// # Errors
    /// The name is unknown, the file is unreadable, or its rules are refused.
    pub(super) fn open(&self) -> Result<Box<dyn Session>, OpenError> {
        registry::open(&self.choice())
    }
}

impl RulesetOption {
    /// The choice of a subcommand with a default game of its own.
    pub(super) fn choice_or(&self, default: &str) -> RulesetChoice {
        choice(self.name.as_deref().unwrap_or(default), &self.changes)
    }

    pub(super) fn choice(&self) -> RulesetChoice {
        self.choice_or(default_name())
    }

    /// Whether a game is named, by its name or by a file.
    pub(super) fn is_named(&self) -> bool {
        self.name.is_some() || self.changes.rules.is_some()
    }

    /// The argument that chose the game.
    pub(super) fn argument(&self) -> &'static str {
        if self.changes.rules.is_some() { "--rules" } else { "--ruleset" }
    }
}

/// The ruleset of this name as it stands; the default one without a name.
pub(super) fn named_choice(name: Option<&str>) -> RulesetChoice {
    RulesetChoice::catalog(name.unwrap_or(default_name()))
}

/// The ruleset of a file as it stands.
pub(super) fn file_choice(path: &Path) -> RulesetChoice {
    RulesetChoice { source: RulesetSource::File(path.to_path_buf()), switches: Vec::new() }
}

fn choice(name: &str, changes: &RulesetChanges) -> RulesetChoice {
    let named = || RulesetSource::Catalog(name.to_owned());
    let source = changes.rules.clone().map_or_else(named, RulesetSource::File);
    RulesetChoice { source, switches: changes.set.clone() }
}

fn default_name() -> &'static str {
    registry::ruleset_names().first().copied().unwrap_or_default()
}
