//! The text protocols: lines become calls of the session, events become lines. `protocol.md` is the law.
//!
//! [`serve`] reads lines on a thread of their own and waits for lines and for the events of background work at the
//! same time, so that every command is answered at once also during a search. What a line or an event means is up to
//! a [`Dialect`]: [`ugi`] speaks UGI and its alias layer UCI, [`xboard`] the protocol of XBoard and WinBoard. This file
//! makes the dialect that a client's first word names; the dialects import [`Server`] from here.

pub mod ugi;
pub(crate) mod xboard;

use std::io::{BufRead, BufReader, Read, Write};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select_biased, unbounded};

use crate::session::{Engine, Event, StartError, Task};

/// What happens after a line: the conversation goes on, or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The conversation goes on.
    Continue,
    /// The conversation is over.
    Quit,
}

/// A text protocol: it obeys a client's lines and writes the engine's events.
pub(crate) trait Dialect {
    /// Handles one line; it is never empty and has no line end.
    fn line(&mut self, line: &str, server: &mut Server<'_>) -> Flow;

    /// Passes an event of background work on to the client.
    fn event(&mut self, event: Event, server: &mut Server<'_>);

    /// Reports to the client that a line was refused unread.
    fn refuse(&mut self, message: &str, server: &mut Server<'_>);
}

/// The most characters of an error or a remark, which may quote text from the client.
const MAX_MESSAGE_CHARS: usize = 400;

/// The name and version of the engine in the handshake of every protocol.
const NAME: &str = concat!("reynard ", env!("CARGO_PKG_VERSION"));

/// A message for the client, cut to `MAX_MESSAGE_CHARS`.
fn shortened(message: &str) -> String {
    message.chars().take(MAX_MESSAGE_CHARS).collect()
}

/// The dialect that the first word of a conversation selects.
fn dialect(first_word: &str) -> Box<dyn Dialect> {
    if first_word.eq_ignore_ascii_case("xboard") {
        Box::new(xboard::Xboard::default())
    } else {
        Box::new(ugi::Ugi::default())
    }
}

/// Serves one client until it quits, its input ends or its output is closed.
///
/// When the input ends, a bounded search finishes and is answered first, an unbounded one is stopped and answered.
/// After `quit` a running search is stopped; its answer is still written. A perft or a benchmark is finished in both
/// cases, since half of it would be worth nothing, but after `quit` it is stopped if it reports nothing for ten
/// seconds.
pub fn serve(input: impl Read + Send + 'static, output: &mut dyn Write, engine: Engine) {
    let (sender, events) = unbounded();
    let mut server = Server::new(engine, output, sender);
    let mut dialect: Option<Box<dyn Dialect>> = None;
    let lines = read_lines(input);
    let flow = converse(&lines, &events, &mut dialect, &mut server);
    if flow == Flow::Quit || !server.engine.ends_by_itself() {
        server.engine.stop_search();
    }
    let timeout = if flow == Flow::Quit { COUNT_GRACE } else { Duration::MAX };
    while server.awaits_events() {
        match events.recv_timeout(timeout) {
            Ok(event) => handle_event(event, &mut dialect, &mut server),
            Err(RecvTimeoutError::Timeout) => server.engine.stop(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
}

/// How long after `quit` a perft or benchmark may report nothing before it is stopped.
const COUNT_GRACE: Duration = Duration::from_secs(10);

/// The main loop; returns `Continue` when the input has ended.
fn converse(
    lines: &Receiver<Input>,
    events: &Receiver<Event>,
    chosen: &mut Option<Box<dyn Dialect>>,
    server: &mut Server<'_>,
) -> Flow {
    loop {
        // Lines go first: a flood of reports must not delay a stop.
        select_biased! {
            recv(lines) -> line => {
                let Ok(line) = line else { return Flow::Continue };
                if handle_input(line, chosen, server) == Flow::Quit {
                    return Flow::Quit;
                }
                // Events that the line has already caused go out before the next line is answered.
                let waiting = events.len();
                events.try_iter().take(waiting).for_each(|event| handle_event(event, chosen, server));
            },
            recv(events) -> event => {
                if let Ok(event) = event {
                    handle_event(event, chosen, server);
                }
            },
        }
        if server.closed {
            return Flow::Quit;
        }
    }
}

fn handle_input(input: Input, chosen: &mut Option<Box<dyn Dialect>>, server: &mut Server<'_>) -> Flow {
    match input {
        Input::TooLong => {
            let message = format!("line longer than {MAX_LINE_BYTES} bytes");
            chosen.get_or_insert_with(|| dialect("")).refuse(&message, server);
            Flow::Continue
        }
        Input::Line(line) => match line.split_whitespace().next() {
            None => Flow::Continue,
            Some(word) => chosen.get_or_insert_with(|| dialect(word)).line(line.trim(), server),
        },
    }
}

fn handle_event(event: Event, chosen: &mut Option<Box<dyn Dialect>>, server: &mut Server<'_>) {
    if event.is_last() {
        server.open_jobs = server.open_jobs.saturating_sub(1);
    }
    if let Some(dialect) = chosen {
        dialect.event(event, server);
    }
}

/// The most reports that wait for a slow client; further ones are dropped, answers never.
const WAITING_REPORTS: usize = 4096;

/// The engine's side of a conversation.
pub(crate) struct Server<'a> {
    pub engine: Engine,
    output: &'a mut dyn Write,
    events: Sender<Event>,
    /// The number of jobs whose last event has not been passed on yet.
    open_jobs: usize,
    closed: bool,
}

impl<'a> Server<'a> {
    fn new(engine: Engine, output: &'a mut dyn Write, events: Sender<Event>) -> Self {
        Server { engine, output, events, open_jobs: 0, closed: false }
    }

    /// Writes one line and flushes it; control characters become blanks. If the client is gone, the conversation ends.
    pub(crate) fn say(&mut self, line: &str) {
        let line: String = line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let result = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
        self.closed |= result.is_err();
    }

    /// Writes a text of several lines.
    pub(crate) fn say_lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.say(line));
    }

    /// Starts work in the background and passes its events to the dialect.
    ///
    /// # Errors
    /// See [`Engine::start`].
    pub(crate) fn start(&mut self, task: Task<'_>) -> Result<(), StartError> {
        let events = self.events.clone();
        let sink = move |event: Event| {
            if event.is_last() || events.len() < WAITING_REPORTS {
                // An error means that the conversation is over and the work is about to be stopped.
                let _ = events.send(event);
            }
        };
        self.engine.start(task, Box::new(sink)).inspect(|()| self.open_jobs += 1)
    }

    /// Whether some work has not yet reported its last event.
    fn awaits_events(&self) -> bool {
        self.open_jobs > 0 && !self.closed
    }
}

/// The longest line that is read; a history of some hundred thousand moves fits.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// The most lines read ahead; a client that sends more must wait.
const QUEUE: usize = 1024;

enum Input {
    Line(String),
    TooLong,
}

/// Reads the lines of `input` on a thread; the channel closes at the end of the input or at a read error.
fn read_lines(input: impl Read + Send + 'static) -> Receiver<Input> {
    let (sender, receiver) = bounded(QUEUE);
    thread::spawn(move || {
        let mut reader = BufReader::new(input);
        while let Some(line) = next_line(&mut reader) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Reads one line; `None` at the end of the input. Bytes that are not UTF-8 become replacement characters.
fn next_line(reader: &mut impl BufRead) -> Option<Input> {
    let mut bytes = Vec::new();
    reader.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes).ok()?;
    if bytes.is_empty() {
        return None;
    }
    if bytes.len() > MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
        skip_line(reader);
        return Some(Input::TooLong);
    }
    Some(Input::Line(String::from_utf8_lossy(&bytes).into_owned()))
}

fn skip_line(reader: &mut impl BufRead) {
    while let Ok(buffer) = reader.fill_buf() {
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if used == 0 || end.is_some() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: Vec<u8>) -> Vec<Option<String>> {
        let text = |input| match input {
            Input::Line(line) => Some(line.trim_end().to_owned()),
            Input::TooLong => None,
        };
        read_lines(std::io::Cursor::new(bytes)).into_iter().map(text).collect()
    }

    #[test]
    fn lines_need_no_final_end_and_no_utf8() {
        let expected = [Some("uci".to_owned()), Some(String::new()), Some("a\u{fffd}b".to_owned())];
        assert_eq!(lines(b"uci\r\n\na\xffb".to_vec()), expected);
    }

    #[test]
    fn an_over_long_line_is_skipped_and_the_next_one_read() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE_BYTES];
        bytes.extend(b"\nisready\n");
        assert_eq!(lines(bytes), [None, Some("isready".to_owned())]);
        assert_eq!(lines(vec![b'x'; 3 * MAX_LINE_BYTES]), [None]);
    }
}
