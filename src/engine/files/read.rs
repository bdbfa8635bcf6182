//! Text files of limited size.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::open_regular;

/// Why a text file is not read.
#[derive(Debug, Error)]
#[error("{}: {why}", path.display())]
pub struct ReadError {
    path: PathBuf,
    why: io::Error,
}

impl ReadError {
    /// The message without the name of the file, for errors that have told it already.
    pub fn reason(&self) -> String {
        self.why.to_string()
    }
}

/// Reads a text file of at most so many bytes.
///
/// # Errors
/// As [`read_bytes`], or it is no UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    let why = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8");
    let text = String::from_utf8(read_bytes(path, max_bytes)?).map_err(why);
    text.map_err(|why| ReadError { path: path.to_owned(), why })
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// The file is missing, unreadable, too long, or no regular file.
pub fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = open_regular(path).and_then(|file| read_limited(file, max_bytes));
    bytes.map_err(|why| ReadError { path: path.to_owned(), why })
}

/// Its size is not asked: the file may grow meanwhile, and the system's own files have size 0 whatever they hold.
fn read_limited(file: File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("more than {max_bytes} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        let message = read_text(&path, 4).unwrap_err().to_string();
        assert_eq!(message, format!("{}: more than 4 bytes", path.display()));
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
        assert!(read_text(Path::new("/proc/kmsg"), 1 << 24).map_or(true, |text| text.len() <= 1 << 24));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_of_the_system_are_read_up_to_the_limit_although_they_have_no_size() {
        let path = Path::new("/proc/version");
        assert_eq!(fs::metadata(path).unwrap().len(), 0);
        let text = read_text(path, 1 << 12).unwrap();
        assert!(text.starts_with("Linux version "), "{text}");
        assert_eq!(read_text(path, 5).unwrap_err().to_string(), "/proc/version: more than 5 bytes");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_without_end_are_refused_as_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for (path, word) in [(Path::new("/dev/zero"), "a device"), (&pipe, "a pipe"), (folder.path(), "a folder")] {
            assert_eq!(read_text(path, 10).unwrap_err().reason(), format!("{word}, not a regular file"));
        }
    }
}
