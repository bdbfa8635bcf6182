//! Opens regular files and nothing else; never waits.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// The file is missing, unreadable, or no regular file: a device or a pipe may have no end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Opens a regular file, which is made where nothing is, for writing at its end.
///
/// # Errors
/// See [`open`].
pub fn append_to(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create(true).append(true))
}

/// Opens a regular file as `how` says. The open file itself is asked what it is: what stands at a path may change.
///
/// # Errors
/// The system refuses, or it is a folder, a device or a pipe.
pub fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    // Without these flags a pipe would wait for its other end, and a terminal could become that of this process.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(how, nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    let file = match how.open(path) {
        Ok(file) => file,
        // Some of what is no regular file cannot even be opened; the reason is the same.
        Err(error) => return Err(ensure_regular(path).err().unwrap_or(error)),
    };
    refuse_irregular(&file.metadata()?).map(|()| file)
}

/// Refuses what is there but no regular file: for places that a finished draft will take.
///
/// # Errors
/// It is a folder, a device or a pipe.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    fs::metadata(path).map_or(Ok(()), |about| refuse_irregular(&about))
}

fn refuse_irregular(about: &Metadata) -> io::Result<()> {
    let refusal = || io::Error::new(io::ErrorKind::InvalidInput, format!("{}, not a regular file", kind(about)));
    if about.is_file() { Ok(()) } else { Err(refusal()) }
}

/// Whether another path would do, as opposed to a failure of the system.
pub fn is_misnamed(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    let kinds = [AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied];
    kinds.contains(&error.kind())
}

#[cfg(unix)]
fn kind(about: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = about.file_type();
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn kind(about: &Metadata) -> &'static str {
    if about.is_dir() { "a folder" } else { "a device" }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_written_goes_to_the_end_of_a_file_that_may_be_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["one ", "two"] {
            append_to(&path).unwrap().write_all(text.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "one two");
        open(&path, OpenOptions::new().write(true).create(true).truncate(true)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        assert!(is_misnamed(&open_regular(&path.join("below")).unwrap_err()));
        assert!(!is_misnamed(&io::ErrorKind::StorageFull.into()));
        assert!(ensure_regular(&path).is_ok() && ensure_regular(&folder.path().join("new")).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_called_what_it_is_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, read_pipe, socket] = ["pipe", "read", "socket"].map(|name| folder.path().join(name));
        for pipe in [&pipe, &read_pipe] {
            nix::unistd::mkfifo(pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }
        // With a reader it can be opened for writing.
        let _reader = OpenOptions::new().read(true).write(true).open(&read_pipe).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, word) in [
            (&*pipe, "a pipe"),
            (&read_pipe, "a pipe"),
            (&socket, "a socket"),
            (Path::new("/dev/zero"), "a device"),
            (folder.path(), "a folder"),
        ] {
            for refused in [open_regular(path).err(), append_to(path).err(), ensure_regular(path).err()] {
                let refused = refused.unwrap();
                assert_eq!(refused.to_string(), format!("{word}, not a regular file"), "{}", path.display());
                assert!(is_misnamed(&refused), "{}", path.display());
            }
        }
    }
}
