//! Copies lines of several journals into a new one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use reynard_engine::files::{self, NewFile};

use super::error::JournalError;
use super::scan::{Fetch, Span};

/// The index of a file and a line in it.
pub(super) type LineAddress = (usize, Span);

/// Files, each opened when it is needed.
pub(super) struct Sources {
    paths: Vec<PathBuf>,
    open: BTreeMap<usize, Fetch>,
}

impl Sources {
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Sources { paths: paths.into_iter().collect(), open: BTreeMap::new() }
    }

    pub(super) fn at(&mut self, (file, span): LineAddress) -> Result<(&mut Fetch, Span), JournalError> {
        match self.open.entry(file) {
            Entry::Occupied(open) => Ok((open.into_mut(), span)),
            Entry::Vacant(place) => Ok((place.insert(Fetch::open(&self.paths[file])?), span)),
        }
    }
}

/// Makes a file of a head and lines of others, of which one may be the file that it replaces.
pub(super) fn copy(
    mut from: Sources,
    places: impl IntoIterator<Item = LineAddress>,
    to: &Path,
    head: &[u8],
) -> Result<(), JournalError> {
    let failed = || JournalError::at(to);
    files::ensure_regular(to).map_err(failed())?;
    let mut file = NewFile::create(to).map_err(failed())?;
    file.write_all(head).map_err(failed())?;
    for place in places {
        let (source, span) = from.at(place)?;
        file.write_all(source.line(span)?).map_err(failed())?;
    }
    file.commit().map_err(failed())
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), JournalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(JournalError::at(path)(error)),
        _ => Ok(()),
    }
}
