//! Logs the conversation with a program.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use reynard_engine::files;

use crate::tournament::plan::Conversations;

/// What a file may hold: a program that never stops talking must not fill the disk.
const MAX_BYTES: u64 = 64 << 20;

const CHUNK_BYTES: usize = 1 << 14;

/// What a part of a file's name may take: file systems allow 255 bytes, two parts and an ending.
const MAX_NAME_BYTES: usize = 120;

/// What becomes of the conversation with one engine in one worker.
pub(super) enum ConversationLog {
    Dropped,
    /// Two files; programs that are started again write on.
    Kept {
        file: CappedFile,
        stderr: PathBuf,
    },
    Printed {
        /// The engine and the worker.
        source: String,
        print: Arc<dyn Fn(&str) + Send + Sync>,
    },
}

impl ConversationLog {
    /// # Errors
    /// The folder or the file cannot be written.
    pub(super) fn open(conversations: &Conversations, engine: &str) -> io::Result<Self> {
        let thread = thread::current();
        let worker = thread.name().unwrap_or("worker");
        Ok(match conversations {
            Conversations::Dropped => ConversationLog::Dropped,
            Conversations::Kept(folder) => {
                fs::create_dir_all(folder)?;
                let name = format!("{}.{}", file_name(engine), file_name(worker));
                let file = CappedFile::open(&folder.join(format!("{name}.log")))?;
                ConversationLog::Kept { file, stderr: folder.join(format!("{name}.stderr")) }
            }
            Conversations::Printed(print) => {
                ConversationLog::Printed { source: format!("{engine}({worker})"), print: Arc::clone(print) }
            }
        })
    }

    /// Where the program is to write its error output.
    pub(super) fn stderr(&self) -> Stdio {
        match self {
            ConversationLog::Dropped => Stdio::null(),
            ConversationLog::Kept { .. } => Stdio::piped(),
            ConversationLog::Printed { .. } => Stdio::inherit(),
        }
    }

    /// Keeps what a program writes to its error output from now on, where it goes into a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn keep(&self, stderr: impl Read + Send + 'static) -> io::Result<Option<KeptOutput>> {
        let ConversationLog::Kept { stderr: path, .. } = self else { return Ok(None) };
        let mut file = CappedFile::open(path)?;
        let (open, ended) = mpsc::channel::<()>();
        thread::Builder::new().name("stderr".to_owned()).spawn(move || {
            let _open = open;
            // What cannot be written is read all the same: the program must not wait for us.
            read_chunks(stderr, |chunk| drop(file.write(chunk, "\n")));
        })?;
        Ok(Some(KeptOutput { ended }))
    }

    /// Writes what was sent (`>`), received (`<`) or noted (`#`). One call a line, so that files stay readable whatever
    /// happens to this process.
    pub(super) fn write(&mut self, sign: char, line: &str) {
        match self {
            ConversationLog::Dropped => {}
            ConversationLog::Kept { file, .. } => {
                let text = format!("{:.6} {sign} {line}\n", Timestamp::now());
                // A log that cannot be written must not decide a game.
                let _ = file.write(text.as_bytes(), &format!("{:.6} # ", Timestamp::now()));
            }
            ConversationLog::Printed { source, print } => print(&format!("{sign}{source}: {line}")),
        }
    }
}

/// The error output of a program, which is kept until its end.
pub(super) struct KeptOutput {
    ended: Receiver<()>,
}

impl KeptOutput {
    /// Waits until all has been written, but not for what holds the output open without being the program.
    pub(super) fn finish(&self, most: Duration) {
        // Nothing is ever sent: the other end is dropped.
        let _ = self.ended.recv_timeout(most);
    }
}

fn read_chunks(mut from: impl Read, mut take: impl FnMut(&[u8])) {
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => take(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// A file that is full one day. Several may write to it.
pub(super) struct CappedFile(File);

impl CappedFile {
    fn open(path: &Path) -> io::Result<Self> {
        files::append_to(path).map(CappedFile)
    }

    /// Writes as long as there is room; what fills the file is followed by a sentence behind `mark`.
    fn write(&mut self, text: &[u8], mark: &str) -> io::Result<()> {
        let bytes = self.0.metadata()?.len();
        match bytes + text.len() as u64 {
            _ if bytes > MAX_BYTES => Ok(()),
            ..=MAX_BYTES => self.0.write_all(text),
            _ => {
                let end = format!("{mark}{} MiB are full: nothing more is logged\n", MAX_BYTES >> 20);
                self.0.write_all(&[text, end.as_bytes()].concat())
            }
        }
    }
}

/// The same text with everything that could mean something to a file system as `%` and its bytes: different texts stay
/// different.
fn file_name(text: &str) -> String {
    let is_safe = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '+');
    let mut name = String::new();
    for letter in text.chars() {
        match is_safe(letter) {
            true => name.push(letter),
            false => name.extend(letter.to_string().bytes().map(|byte| format!("%{byte:02X}"))),
        }
    }
    if name.len() > MAX_NAME_BYTES {
        let end = name.floor_char_boundary(MAX_NAME_BYTES - 9);
        name = format!("{}-{:08x}", &name[..end], crc32fast::hash(text.as_bytes()));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path, engine: &str) -> io::Result<ConversationLog> {
        ConversationLog::open(&Conversations::Kept(folder.to_owned()), engine)
    }

    fn path_of_stderr(log: &ConversationLog) -> &Path {
        let ConversationLog::Kept { stderr, .. } = log else { panic!("no files") };
        stderr
    }

    #[test]
    fn engines_of_different_names_have_different_files() {
        let folder = tempfile::tempdir().unwrap();
        let (slashes, more) = ("/".repeat(95), "/".repeat(96));
        let names = ["a/b", "a_b", "a b", "a%2Fb", "../a", "a.b", "ä", &slashes, &more];
        for name in names {
            open(&folder.path().join("logs"), name).unwrap().write('#', name);
        }
        assert_eq!(fs::read_dir(folder.path().join("logs")).unwrap().count(), names.len());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_log_ends_with_a_word_when_it_is_full() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), "a").unwrap());
        let path = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        File::options().write(true).open(&path).unwrap().set_len(MAX_BYTES - 100).unwrap();
        for _ in 0..2 {
            let mut log = open(folder.path(), "a").unwrap();
            (0..5).for_each(|_| log.write('<', &"x".repeat(60)));
            // Sparse, but not as a text.
            let text = fs::read(&path).unwrap().split_off(MAX_BYTES as usize - 100);
            let text = String::from_utf8(text).unwrap();
            assert_eq!((text.lines().count(), text.matches("64 MiB are full").count()), (3, 1), "{text}");
        }
    }

    #[test]
    fn error_output_is_read_to_its_end_and_kept_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let log = open(folder.path(), "a").unwrap();
        let most = Duration::from_secs(60);
        for _ in 0..2 {
            // Twice: what is full is not noted again.
            log.keep(io::repeat(b'x').take(MAX_BYTES + 5 * CHUNK_BYTES as u64)).unwrap().unwrap().finish(most);
            let kept = fs::read(path_of_stderr(&log)).unwrap();
            assert!(kept.ends_with(b"x\n64 MiB are full: nothing more is logged\n"));
            let beyond = kept.len() as u64 - MAX_BYTES;
            assert!(beyond > 0 && beyond < 2 * CHUNK_BYTES as u64, "{beyond}");
        }
    }

    #[test]
    fn nobody_waits_for_an_output_that_stays_open() {
        let folder = tempfile::tempdir().unwrap();
        let (output, input) = io::pipe().unwrap();
        let kept = open(folder.path(), "a").unwrap().keep(output).unwrap().unwrap();
        kept.finish(Duration::from_millis(1));
        drop(input);
        kept.finish(Duration::from_secs(60));
    }

    #[test]
    fn a_pipe_in_place_of_a_log_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let log = open(folder.path(), "a").unwrap();
        let stderr = path_of_stderr(&log).to_owned();
        let path = stderr.with_extension("log");
        fs::remove_file(&path).unwrap();
        for path in [&path, &stderr] {
            nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }
        let message = open(folder.path(), "a").err().unwrap().to_string();
        assert_eq!(message, "a pipe, not a regular file");
        assert_eq!(log.keep(io::empty()).err().unwrap().to_string(), message);
    }
}
