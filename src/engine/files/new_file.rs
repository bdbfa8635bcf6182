//! Files that appear as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

const BUFFER_BYTES: usize = 1 << 17;
/// The most links in a row that are followed: the limit of Linux.
const MOST_LINKS: usize = 40;

/// A file that replaces an older one only when it is complete; dropped before that, it leaves nothing.
///
/// A link is kept and its target replaced; devices, pipes and the like are written straight into.
pub struct NewFile(BufWriter<Destination>);

enum Destination {
    Draft { draft: NamedTempFile, path: PathBuf },
    Straight(File),
}

impl NewFile {
    /// Begins the file that will stand at `path`.
    ///
    /// # Errors
    /// The folder, or what stands there and is no regular file, cannot be written to.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        Ok(NewFile(BufWriter::with_capacity(BUFFER_BYTES, Destination::open(path.to_owned())?)))
    }

    /// Puts the file in its place, durably.
    ///
    /// # Errors
    /// The file cannot be written to the end, or cannot take its place.
    pub fn commit(self) -> io::Result<()> {
        match self.0.into_inner()? {
            Destination::Straight(_) => Ok(()),
            Destination::Draft { draft, path } => {
                draft.as_file().sync_all()?;
                draft.persist(&path)?;
                sync_folder(&path)
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Destination {
    /// Opens the file at the end of a chain of links, followed one by one: a link to an open file of a process leads to
    /// no path where a new file could be put.
    fn open(mut path: PathBuf) -> io::Result<Destination> {
        for _ in 0..MOST_LINKS {
            if let Some(open) = inherited(&path) {
                return open.map(Destination::Straight);
            }
            match fs::read_link(&path) {
                Ok(next) if !is_open_file(&path) => path = folder_of(&path).join(next),
                Err(_) if !is_special(&path) => return Destination::draft(path),
                _ => return OpenOptions::new().append(true).open(path).map(Destination::Straight),
            }
        }
        Err(io::Error::other("too many links"))
    }

    /// Begins a file beside `path` with the permissions of the file that it will replace.
    fn draft(path: PathBuf) -> io::Result<Destination> {
        let folder = folder_of(&path);
        let mut builder = Builder::new();
        #[cfg(unix)]
        let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let draft = builder.prefix(".").suffix(".part").tempfile_in(folder).map_err(|error| match error.kind() {
            kind @ io::ErrorKind::NotFound => {
                io::Error::new(kind, format!("there is no folder '{}'", folder.display()))
            }
            // The error without the path of the draft, whose name is random.
            kind => kind.into(),
        })?;
        if let Ok(older) = fs::metadata(&path) {
            draft.as_file().set_permissions(older.permissions())?;
        }
        Ok(Destination::Draft { draft, path })
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::Draft { draft, .. } => draft.write(bytes),
            Destination::Straight(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::Draft { draft, .. } => draft.flush(),
            Destination::Straight(file) => file.flush(),
        }
    }
}

/// Writes a whole file, as [`NewFile`] does.
///
/// # Errors
/// See [`NewFile`]; what stood there before is left as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Gives a complete and synced file its name, durably.
///
/// # Errors
/// The system refuses.
pub fn rename(draft: &Path, path: &Path) -> io::Result<()> {
    fs::rename(draft, path)?;
    sync_folder(path)
}

/// Makes a new name durable: it lasts only when its folder has been written too.
#[cfg(unix)]
fn sync_folder(of: &Path) -> io::Result<()> {
    File::open(folder_of(of))?.sync_all()
}

/// Folders cannot be opened as files here; the system orders their changes itself.
#[cfg(not(unix))]
fn sync_folder(_of: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether a device, a pipe or the like stands at the path.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Whether the path names an open file of a process by its number, such as `/dev/fd/3`.
fn is_open_file(path: &Path) -> bool {
    let folder = folder_of(path);
    folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
}

/// The standard output or error, if the path names one: a file opened anew loses its place, and a socket is refused.
#[cfg(unix)]
fn inherited(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let stdout = io::stdout();
    let stderr = io::stderr();
    let open = match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => stdout.as_fd(),
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => stderr.as_fd(),
        _ => return None,
    };
    Some(open.try_clone_to_owned().map(File::from))
}

/// No path names an open file here.
#[cfg(not(unix))]
fn inherited(_path: &Path) -> Option<io::Result<File>> {
    None
}

/// The canonical path of a file, the same for all paths that lead to it, whether or not the file exists yet.
pub fn resolved(path: &Path) -> PathBuf {
    let of_folder = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(of_folder).unwrap_or_else(|| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn folder() -> TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_only_when_it_is_complete() {
        let folder = folder();
        let path = folder.path().join("report");
        write(&path, b"old").unwrap();
        let mut half = NewFile::create(&path).unwrap();
        half.write_all(&vec![b'x'; 2 * BUFFER_BYTES]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(half);
        assert_eq!((fs::read(&path).unwrap(), names(&folder)), (b"old".to_vec(), vec!["report".to_owned()]));
        write(&path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(&folder)), (b"new".to_vec(), vec!["report".to_owned()]));
    }

    #[test]
    fn a_folder_that_is_missing_or_in_the_way_is_an_error_and_leaves_nothing() {
        let folder = folder();
        assert!(write(&folder.path().join("none/report"), b"text").is_err());
        fs::create_dir(folder.path().join("report")).unwrap();
        assert!(write(&folder.path().join("report"), b"text").is_err());
        assert_eq!(names(&folder), ["report"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_is_replaced_and_the_link_kept() {
        let folder = folder();
        let [first, second, target] = ["first", "second", "target"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("second", &first).unwrap();
        std::os::unix::fs::symlink("target", &second).unwrap();
        // The first time the link leads to no file.
        for text in ["one", "two"] {
            write(&first, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert!(!fs::symlink_metadata(&target).unwrap().is_symlink());
            assert_eq!(fs::read_link(&first).unwrap(), Path::new("second"));
            assert_eq!(fs::read_link(&second).unwrap(), Path::new("target"));
        }
        std::os::unix::fs::symlink("ring", folder.path().join("ring")).unwrap();
        assert!(write(&folder.path().join("ring"), b"text").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_written_straight_into() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        write(Path::new("/dev/null"), b"away").unwrap();
        assert_eq!(names(&folder), ["pipe"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_are_written_on_and_files_in_memory_are_files() {
        use std::os::fd::AsRawFd;
        let memory = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = memory.path().join("report");
        for text in ["longer text", "short"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let open = File::open(&path).unwrap();
        for folder in ["/proc/self/fd", "/dev/fd"] {
            write(&Path::new(folder).join(open.as_raw_fd().to_string()), b" and more").unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "short and more and more");
    }

    #[cfg(unix)]
    #[test]
    fn the_rights_of_the_older_file_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let path = folder.path().join("report");
        write(&path, b"old").unwrap();
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        // Whatever the umask of the tests is, a new file is readable for more than its owner only if it allows it.
        assert_eq!(mode() & 0o600, 0o600);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(mode(), 0o640);
    }
}
