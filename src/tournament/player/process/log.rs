//! Logs the conversation with a program.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use jiff::Timestamp;

/// What a file may hold: a program that never stops talking must not fill the disk.
const MAX_BYTES: u64 = 64 << 20;

/// What a part of a file's name may take: file systems allow 255 bytes, two parts and an ending.
const MAX_NAME_BYTES: usize = 120;

/// The files of one engine in one worker; programs that are started again write on.
pub(super) struct ConversationLog {
    file: File,
    bytes: u64,
    stderr: PathBuf,
    is_stderr_full: bool,
}

impl ConversationLog {
    /// # Errors
    /// The folder or the file cannot be written.
    pub(super) fn open(folder: &Path, engine: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let thread = thread::current();
        let name = format!("{}.{}", file_name(engine), file_name(thread.name().unwrap_or("worker")));
        let file = OpenOptions::new().create(true).append(true).open(folder.join(format!("{name}.log")))?;
        let (bytes, stderr) = (file.metadata()?.len(), folder.join(format!("{name}.stderr")));
        Ok(ConversationLog { file, bytes, stderr, is_stderr_full: false })
    }

    /// Where the program's error output goes.
    pub(super) fn stderr(&self) -> &Path {
        &self.stderr
    }

    /// Writes what was sent (`>`), received (`<`) or noted (`#`). One call a line, so that files stay readable whatever
    /// happens to this process.
    pub(super) fn write(&mut self, sign: char, line: &str) {
        if self.bytes > MAX_BYTES {
            return;
        }
        let mut text = format!("{:.6} {sign} {line}\n", Timestamp::now());
        self.bytes += text.len() as u64;
        if self.bytes > MAX_BYTES {
            text += &format!("{:.6} # {} MiB are full: nothing more is logged\n", Timestamp::now(), MAX_BYTES >> 20);
        }
        // A log that cannot be written must not decide a game.
        let _ = self.file.write_all(text.as_bytes());
    }

    /// Cuts what the program writes to its error output, which does not pass through here.
    pub(super) fn limit_stderr(&mut self) {
        if !fs::metadata(&self.stderr).is_ok_and(|about| about.len() > MAX_BYTES) {
            return;
        }
        let cut = OpenOptions::new().write(true).open(&self.stderr).and_then(|file| file.set_len(MAX_BYTES));
        if cut.is_ok() && !std::mem::replace(&mut self.is_stderr_full, true) {
            self.write('#', &format!("the first {} MiB of its error output are kept", MAX_BYTES >> 20));
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

    #[test]
    fn engines_of_different_names_have_different_files() {
        let folder = tempfile::tempdir().unwrap();
        let (slashes, more) = ("/".repeat(95), "/".repeat(96));
        let names = ["a/b", "a_b", "a b", "a%2Fb", "../a", "a.b", "ä", &slashes, &more];
        for name in names {
            ConversationLog::open(&folder.path().join("logs"), name).unwrap().write('#', name);
        }
        assert_eq!(fs::read_dir(folder.path().join("logs")).unwrap().count(), names.len());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_log_ends_with_a_word_when_it_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = ConversationLog::open(folder.path(), "a").unwrap();
        let path = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        log.file.set_len(MAX_BYTES - 100).unwrap();
        for _ in 0..2 {
            log = ConversationLog::open(folder.path(), "a").unwrap();
            (0..5).for_each(|_| log.write('<', &"x".repeat(60)));
            // Sparse, but not as a text.
            let text = fs::read(&path).unwrap().split_off(MAX_BYTES as usize - 100);
            let text = String::from_utf8(text).unwrap();
            assert_eq!((text.lines().count(), text.matches("64 MiB are full").count()), (3, 1), "{text}");
        }
        let mut log = ConversationLog::open(folder.path(), "b").unwrap();
        File::create(log.stderr()).unwrap().set_len(MAX_BYTES + 1).unwrap();
        (0..2).for_each(|_| log.limit_stderr());
        assert_eq!(fs::metadata(log.stderr()).unwrap().len(), MAX_BYTES);
        assert!(log.bytes > 0 && log.bytes < 200, "told once");
    }
}
