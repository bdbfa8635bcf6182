//! The terminal: lines of text, the board, which a terminal shows in one place, and the lines that a person types.

use std::env;
use std::io::{self, BufRead, IsTerminal, Write};

use reynard_engine::session::Session;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::picture;
use crate::cli::output::{columns, escaped};
use crate::tournament::report::wrapped;

/// The abilities of the terminal, none where there is no terminal, and the side from which the board is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct View {
    /// The board is drawn again in its place, and lines can be edited.
    pub is_terminal: bool,
    pub has_colours: bool,
    pub has_unicode: bool,
    /// The board is seen from the side of the highest rank.
    pub is_flipped: bool,
}

impl View {
    /// The view that standard input, standard output and the environment allow.
    fn of_environment() -> View {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb");
        if is_dumb || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return View::default();
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name)).and_then(env::var_os);
        let locale = locale.map(|name| name.to_string_lossy().to_ascii_lowercase().replace('-', ""));
        View {
            is_terminal: true,
            has_colours: !is_set("NO_COLOR"),
            has_unicode: locale.is_some_and(|name| name.contains("utf8")),
            is_flipped: false,
        }
    }
}

pub(super) struct Screen {
    pub(super) view: View,
    /// Edits lines and keeps their history, on a terminal.
    editor: Option<Box<DefaultEditor>>,
    /// Announced since the board was drawn last, to be seen below it when it is drawn again.
    news: Vec<String>,
    /// The person has been asked something and so has read what stands here.
    pub(super) is_read: bool,
}

impl Screen {
    /// # Errors
    /// The terminal cannot be edited on.
    pub(super) fn new() -> io::Result<Screen> {
        let view = View::of_environment();
        let editor = if view.is_terminal { Some(Box::new(DefaultEditor::new().map_err(failed)?)) } else { None };
        Ok(Screen { view, editor, news: Vec::new(), is_read: false })
    }

    /// Prints a text in whole words: a terminal would break them anywhere.
    pub(super) fn print(&self, text: &str) -> io::Result<()> {
        let (mut out, columns) = (io::stdout(), columns());
        for line in escaped(text).split('\n') {
            if line.chars().count() > columns {
                write!(out, "{}", wrapped(line, columns))?
            } else {
                writeln!(out, "{line}")?
            }
        }
        out.flush()
    }

    /// Prints what is still to be seen after the board has been drawn.
    pub(super) fn announce(&mut self, text: String) -> io::Result<()> {
        if !self.view.is_terminal {
            return self.print(&text);
        }
        self.news.push(text);
        Ok(())
    }

    /// Draws the board, on a terminal in the place of everything that stands there.
    pub(super) fn draw(&mut self, session: &dyn Session) -> io::Result<()> {
        let mut out = io::stdout();
        if self.view.is_terminal && self.is_read {
            let legend = picture::legend(session, self.view);
            writeln!(out, "\x1b[H\x1b[2J{}   {legend}", escaped(&session.game().ruleset))?;
        }
        writeln!(out, "\n{}\n", picture::decorate(session, self.view))?;
        std::mem::take(&mut self.news).iter().try_for_each(|text| self.print(text))?;
        out.flush()
    }

    /// The next line that the person types after a prompt; `None` at the end of input and after Ctrl-C.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        let Some(editor) = &mut self.editor else {
            let mut out = io::stdout();
            write!(out, "{prompt}")?;
            out.flush()?;
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line)?;
            return Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()));
        };
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
