//! Guarded reads of files that users name, and writes that leave a whole file or none.
//!
//! ```text
//! what stands at the path     NewFile, write                     append_to, open          read
//! nothing                     a new file, synced                 a new file               refused
//! a regular file              replaced when complete, synced     gone on with             read up to a limit
//! a link                      its target replaced, link kept     its target gone on with  its target read
//! a device, a pipe            written straight into              refused                  refused
//! ```

mod new_file;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use new_file::{NewFile, rename, resolved, write};
use thiserror::Error;

/// Opens a regular file for reading.
///
/// # Errors
/// The file is missing, unreadable, or no regular file: a device or a pipe may have no end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Opens a regular file for appending; creates it if nothing stands at the path.
///
/// # Errors
/// See [`open`].
pub fn append_to(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().create(true).append(true))
}

/// Opens a regular file with the options `how`. The open file itself is checked, since the path may change meanwhile.
///
/// # Errors
/// The system refuses, or it is a folder, a device or a pipe.
pub fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    // Without these flags a pipe would wait for its other end, and a terminal could become that of this process.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(how, nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    let file = match how.open(path) {
        Ok(file) => file,
        // Some devices and the like cannot even be opened; they are refused for the same reason.
        Err(error) => return Err(ensure_regular(path).err().unwrap_or(error)),
    };
    refuse_irregular(&file.metadata()?).map(|()| file)
}

/// Returns an error if something other than a regular file stands at `path`: for paths where a finished draft will go.
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

/// Whether an error is a mistake in the path, not a failure of the system.
pub fn is_misnamed(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    let kinds = [AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied];
    kinds.contains(&error.kind())
}

#[cfg(unix)]
fn kind(about: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = about.file_type();
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(about: &Metadata) -> &'static str {
    if about.is_dir() { "a folder" } else { "a device" }
}

/// Why a file could not be read, or was refused.
#[derive(Debug, Error)]
#[error("{}: {why}", path.display())]
pub struct ReadError {
    path: PathBuf,
    why: io::Error,
}

impl ReadError {
    /// The message without the name of the file.
    pub fn reason(&self) -> String {
        self.why.to_string()
    }
}

/// Reads a text file of at most `max_bytes`.
///
/// # Errors
/// The errors of [`read_bytes`], or the file is not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    let why = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8");
    let text = String::from_utf8(read_bytes(path, max_bytes)?).map_err(why);
    text.map_err(|why| ReadError { path: path.to_owned(), why })
}

/// Reads a regular file of at most `max_bytes`.
///
/// # Errors
/// The file is missing, unreadable, too long, or no regular file.
pub fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = open_regular(path).and_then(|file| read_limited(file, max_bytes));
    bytes.map_err(|why| ReadError { path: path.to_owned(), why })
}

/// Reads at most `max_bytes` of a file without asking for its size: files may grow, and the system's own claim size 0.
fn read_limited(file: File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("more than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// A regular file of which several threads can read parts at the same time.
///
/// It is not mapped into memory: should another program cut the file short, a read fails, where touching a map would
/// end the process.
pub struct RandomAccessFile {
    file: File,
    size: u64,
}

impl RandomAccessFile {
    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// It is no regular file or cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let size = file.metadata()?.len();
        Ok(RandomAccessFile { file, size })
    }

    /// The size of the file in bytes when it was opened.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Reads the bytes of the range `part`.
    ///
    /// # Errors
    /// The range was not all inside the file when it was opened, is not any more, or cannot be read.
    pub(crate) fn read(&self, part: Range<u64>) -> io::Result<Vec<u8>> {
        let length = part.end.checked_sub(part.start).filter(|_| part.end <= self.size);
        let length = length.and_then(|length| usize::try_from(length).ok());
        let length = length.ok_or_else(|| io::Error::other("it points outside the file"))?;
        let mut bytes = Vec::new();
        // A damaged or hostile file may claim more than there is memory.
        bytes.try_reserve_exact(length).map_err(|_| io::Error::other("it does not fit into memory"))?;
        bytes.resize(length, 0);
        match read_exact_at(&self.file, &mut bytes, part.start) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(io::Error::other("the file has been cut short since it was opened"))
            }
            read => read.map(|()| bytes),
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
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
        // A pipe that has a reader can be opened for writing.
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

    /// `/proc/kmsg` claims to be a regular file, but a read of it may wait for the next message of the kernel.
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

    #[test]
    fn parts_are_read_and_a_file_cut_short_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, b"0123456789").unwrap();
        let file = RandomAccessFile::open(&path).unwrap();
        assert_eq!((file.size(), file.read(3..6).unwrap()), (10, b"345".to_vec()));
        for (start, end) in [(9, 11), (6, 3), (0, u64::MAX)] {
            let message = file.read(start..end).unwrap_err().to_string();
            assert_eq!(message, "it points outside the file", "{start}..{end}");
        }
        File::options().write(true).open(&path).unwrap().set_len(4).unwrap();
        assert_eq!(file.read(0..4).unwrap(), b"0123");
        assert_eq!(file.read(3..6).unwrap_err().to_string(), "the file has been cut short since it was opened");
    }
}
