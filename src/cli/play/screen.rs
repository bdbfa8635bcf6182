//! The terminal: lines of text, the board, which a terminal shows in one place, and the lines that a person types.

use std::env;
use std::io::{self, BufRead, IsTerminal, Write};

use reynard_engine::session::Session;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::picture::{self, View};
use crate::cli::output::{columns, escaped};
use crate::tournament::report::wrapped;

/// How much a terminal can show; nothing of it elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Style {
    /// The board is drawn again in its place, and lines can be edited.
    pub is_terminal: bool,
    pub has_colours: bool,
    pub has_unicode: bool,
}

impl Style {
    /// What standard input and output are, and what the environment says of them.
    pub(super) fn of_environment() -> Style {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb");
        if is_dumb || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Style::default();
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name)).and_then(env::var_os);
        let locale = locale.map(|name| name.to_string_lossy().to_ascii_lowercase().replace('-', ""));
        Style {
            is_terminal: true,
            has_colours: !is_set("NO_COLOR"),
            has_unicode: locale.is_some_and(|name| name.contains("utf8")),
        }
    }
}

pub(super) struct Screen {
    pub(super) style: Style,
    /// The board is seen from the other side.
    pub(super) is_flipped: bool,
    out: Box<dyn Write>,
    /// Announced since the board was drawn last, to be seen below it when it is drawn again.
    news: Vec<String>,
    /// The person has been asked something and so has read what stands here.
    pub(super) is_read: bool,
}

impl Screen {
    pub(super) fn new(style: Style, out: Box<dyn Write>) -> Screen {
        Screen { style, is_flipped: false, out, news: Vec::new(), is_read: false }
    }

    pub(super) fn out(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    /// Prints a text in whole words: a terminal would break them anywhere.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        let columns = columns();
        for line in escaped(text).split('\n') {
            match line.chars().count() > columns {
                true => write!(self.out, "{}", wrapped(line, columns))?,
                false => writeln!(self.out, "{line}")?,
            }
        }
        self.out.flush()
    }

    /// Prints what is still to be seen after the board has been drawn.
    pub(super) fn announce(&mut self, text: String) -> io::Result<()> {
        match self.style.is_terminal {
            true => self.news.push(text),
            false => self.print(&text)?,
        }
        Ok(())
    }

    /// Draws the board, on a terminal in the place of everything that stands there.
    pub(super) fn draw(&mut self, session: &dyn Session) -> io::Result<()> {
        if self.style.is_terminal && self.is_read {
            let legend = picture::legend(session, self.style);
            writeln!(self.out, "\x1b[H\x1b[2J{}   {legend}", escaped(&session.game().ruleset))?;
        }
        let view = View { style: self.style, is_flipped: self.is_flipped };
        writeln!(self.out, "\n{}\n", picture::decorate(session, view))?;
        std::mem::take(&mut self.news).iter().try_for_each(|text| self.print(text))?;
        self.out.flush()
    }
}

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
