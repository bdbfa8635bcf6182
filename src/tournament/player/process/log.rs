//! Logs the conversation with a program.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use jiff::Timestamp;

/// The file of one engine in one worker; programs that are started again write on.
pub(super) struct ConversationLog {
    file: File,
    stderr: PathBuf,
}

impl ConversationLog {
    /// # Errors
    /// The folder or the file cannot be written.
    pub(super) fn open(folder: &Path, engine: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let thread = thread::current();
        let name = format!("{}.{}", file_name(engine), file_name(thread.name().unwrap_or("worker")));
        let file = OpenOptions::new().create(true).append(true).open(folder.join(format!("{name}.log")))?;
        Ok(ConversationLog { file, stderr: folder.join(format!("{name}.stderr")) })
    }

    /// Where the program's error output goes.
    pub(super) fn stderr(&self) -> &Path {
        &self.stderr
    }

    /// Writes what was sent (`>`), received (`<`) or noted (`#`). One call a line, so that files stay readable whatever
    /// happens to this process.
    pub(super) fn write(&mut self, sign: char, line: &str) {
        // A log that cannot be written must not decide a game.
        let _ = self.file.write_all(format!("{:.6} {sign} {line}\n", Timestamp::now()).as_bytes());
    }
}

/// The same text with everything that could mean something to a file system replaced.
fn file_name(text: &str) -> String {
    let safe = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '+');
    text.chars().map(|letter| if safe(letter) { letter } else { '_' }).collect()
}
