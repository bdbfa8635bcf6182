//! Text files of limited size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::new_file::ensure_regular;

/// Why a text file is not read.
#[derive(Debug, Error)]
pub(crate) enum ReadError {
    #[error("{}: {error}", path.display())]
    System { path: PathBuf, error: io::Error },
    #[error("{}: not a file of at most {max_bytes} bytes", path.display())]
    Refused { path: PathBuf, max_bytes: u64 },
}

impl ReadError {
    /// The message without the name of the file, for errors that have told it already.
    pub(crate) fn reason(&self) -> String {
        match self {
            ReadError::System { error, .. } => error.to_string(),
            ReadError::Refused { max_bytes, .. } => format!("not a file of at most {max_bytes} bytes"),
        }
    }
}

/// Opens a regular file for reading; never waits.
///
/// # Errors
/// The file is missing, unreadable, or no regular file: a device or a pipe may have no end.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    ensure_regular(path)?;
    let mut options = OpenOptions::new();
    // Whatever takes the file's place in this moment, and files of the system that wait for news.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NONBLOCK);
    options.read(true).open(path)
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// The file is missing, unreadable, no UTF-8, too long, or no regular file.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    let failed = |error| ReadError::System { path: path.to_owned(), error };
    let about = fs::metadata(path).map_err(failed)?;
    if !about.is_file() || about.len() > max_bytes {
        return Err(ReadError::Refused { path: path.to_owned(), max_bytes });
    }
    let mut text = String::new();
    // No more than its size: it may grow meanwhile, and the system's own files, of size 0, may never end.
    open_regular(path).and_then(|file| file.take(about.len()).read_to_string(&mut text)).map_err(failed)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        let message = read_text(&path, 4).unwrap_err().to_string();
        assert_eq!(message, format!("{}: not a file of at most 4 bytes", path.display()));
    }

    #[test]
    fn what_is_no_text_file_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = folder.path().join("bytes");
        fs::write(&bytes, [0xff, 0xfe]).unwrap();
        for path in [folder.path(), &folder.path().join("missing"), &bytes] {
            let message = read_text(path, 100).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{}: ", path.display())), "{message}");
        }
    }

    /// Regular by what the system says, but reading it waits for the next message of the kernel.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_is_not_waited_for() {
        assert!(read_text(Path::new("/proc/kmsg"), 10).map_or(true, |text| text.is_empty()));
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_without_end_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in [Path::new("/dev/zero"), &pipe] {
            assert!(matches!(read_text(path, 10), Err(ReadError::Refused { max_bytes: 10, .. })));
        }
    }
}
