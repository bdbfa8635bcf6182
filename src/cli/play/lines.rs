//! The lines that a person types: with editing and a history on a terminal, as they come from elsewhere.

use std::io::{self, BufRead, Write};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

pub(super) enum Lines {
    Plain,
    Edited(Box<DefaultEditor>),
}

impl Lines {
    /// # Errors
    /// The terminal cannot be edited on.
    pub(super) fn new(are_edited: bool) -> io::Result<Lines> {
        match are_edited {
            true => Ok(Lines::Edited(Box::new(DefaultEditor::new().map_err(failed)?))),
            false => Ok(Lines::Plain),
        }
    }

    /// The next line after a prompt; `None` at the end of input and after Ctrl-C.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn next(&mut self, prompt: &str, out: &mut dyn Write) -> io::Result<Option<String>> {
        let Lines::Edited(editor) = self else {
            write!(out, "{prompt}")?;
            out.flush()?;
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line)?;
            return Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()));
        };
        out.flush()?;
        match editor.readline(prompt) {
            Ok(line) => {
                editor.add_history_entry(line.as_str()).map_err(failed)?;
                Ok(Some(line.trim().to_owned()))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }
}

fn failed(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}
