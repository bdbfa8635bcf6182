//! Opens the folder of tables of perfect play that a spec or a report names.

use std::path::{Path, PathBuf};

use reynard_engine::session::Options;
use reynard_engine::session::registry::{self, OpenError};
use reynard_engine::tablebase::{Store, TableError, existing_folder};
use serde::Serialize;
use thiserror::Error;

use super::ruleset::Ruleset;

/// Why tables cannot be used.
#[derive(Debug, Error)]
pub enum TablesError {
    #[error("'{0}' is not known to this program, so there can be no tables of it")]
    Unknown(String),
    #[error("{} holds no tables of '{ruleset}'; `reynard table build` makes them", folder.display())]
    None { folder: PathBuf, ruleset: String },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Ruleset(#[from] OpenError),
}

impl TablesError {
    /// Whether another folder would do, as opposed to tables that are there but cannot be read.
    pub fn is_usage(&self) -> bool {
        !matches!(self, TablesError::Table(error) if error.is_of_table() || matches!(error, TableError::File { .. }))
    }
}

/// Which tables of a ruleset a folder holds. Two folders with the same have the same value for every position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Coverage {
    ruleset: String,
    /// Of the rules that matter to a table, sixteen hexadecimal digits.
    fingerprint: String,
    /// The numbers of geese, on the board and still to come, of the positions that are covered.
    geese: Vec<u32>,
}

/// What a folder holds for a ruleset.
///
/// # Errors
/// There is no such folder, it holds nothing for the ruleset, or what it holds cannot be read; or no ruleset like this
/// can have tables.
pub(crate) fn coverage(ruleset: &Ruleset, folder: &Path) -> Result<Coverage, TablesError> {
    let folder = existing_folder(folder)?;
    let label = &ruleset.label;
    let rules = ruleset.compiled().map_err(|_| TablesError::Unknown(label.clone()))?;
    let table_builder = rules.table_builder()?;
    let store = Store::open(folder, table_builder.identity().clone())?;
    if store.layers().is_empty() {
        return Err(TablesError::None { folder: folder.to_owned(), ruleset: label.clone() });
    }
    let fingerprint = format!("{:016x}", store.identity().fingerprint);
    Ok(Coverage { ruleset: label.clone(), fingerprint, geese: store.layers().keys().copied().collect() })
}

/// Options with which a session finds the tables of a folder.
pub(crate) fn options(folder: &Path) -> Options {
    let mut options = registry::default_options();
    // The name is ours, and every text is allowed.
    let _ = options.set("TablePath", Some(&folder.display().to_string()));
    options
}
