//! Which of a game's tables are there.

use std::fmt;
use std::path::Path;

use reynard_engine::tablebase::{Identity, Store, TableError};

use super::text::ranges;

/// The tables of a game in a folder, and those that are missing up to its start.
pub(super) struct Holdings {
    name: String,
    there: Vec<u32>,
    missing: Vec<u32>,
}

impl Holdings {
    /// Those of a game that starts with so many geese.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn of(folder: &Path, identity: &Identity, geese_at_start: u32) -> Result<Holdings, TableError> {
        let store = Store::open(folder, identity.clone())?;
        let there: Vec<u32> = store.layers().keys().copied().collect();
        // A build begins with the fewest geese that need a table.
        let first = there.first().copied().unwrap_or(geese_at_start);
        let missing = (first..=geese_at_start).filter(|geese| store.layer(*geese).is_none()).collect();
        Ok(Holdings { name: identity.title(), there, missing })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.there.is_empty()
    }

    /// Something is there, but not all that the start asks for.
    pub(super) fn is_part(&self) -> bool {
        !self.there.is_empty() && !self.missing.is_empty()
    }
}

impl fmt::Display for Holdings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holdings { name, there, missing } = self;
        match (there.is_empty(), missing.is_empty()) {
            (true, _) => write!(f, "{name}: no table is there"),
            (_, true) => write!(f, "{name}: tables with {} geese are there, all up to its start", ranges(there)),
            _ => {
                let (there, missing) = (ranges(there), ranges(missing));
                write!(
                    f,
                    "{name}: tables with {there} geese are there, those with {missing} up to its start are missing"
                )
            }
        }
    }
}
