//! Files that appear as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::JournalError;

/// A file under a temporary name until it is complete.
pub(super) struct Rewrite {
    path: PathBuf,
    temporary: PathBuf,
    out: BufWriter<File>,
}

impl Rewrite {
    pub(super) fn begin(path: &Path) -> Result<Self, JournalError> {
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let file = File::create(&temporary).map_err(JournalError::at(&temporary))?;
        Ok(Rewrite { path: path.to_owned(), temporary, out: BufWriter::with_capacity(1 << 17, file) })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.out.write_all(bytes).map_err(JournalError::at(&self.temporary))
    }

    /// Puts the file in its place, durably.
    pub(super) fn finish(mut self) -> Result<(), JournalError> {
        let Rewrite { path, temporary, out } = &mut self;
        let placed = out.flush().and_then(|()| out.get_ref().sync_all()).and_then(|()| fs::rename(&*temporary, &*path));
        placed.and_then(|()| sync_folder(path)).map_err(JournalError::at(path))
    }
}

/// A new name in a folder lasts only when the folder has been written too.
#[cfg(unix)]
pub(super) fn sync_folder(of: &Path) -> io::Result<()> {
    match of.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

/// Folders cannot be opened as files here; the system orders their changes itself.
#[cfg(not(unix))]
pub fn sync_folder(_of: &Path) -> io::Result<()> {
    Ok(())
}
