//! The text protocols: lines become calls of the session, events become lines. `protocol.md` is the law.
//!
//! [`serve`] reads lines on a thread of their own and waits for lines and for the events of background work at the
//! same time, so that every command is answered at once also during a search. What a line or an event means is up to
//! a [`Dialect`]: [`ugi`] speaks UGI and its alias layer UCI, [`xboard`] the protocol of XBoard and WinBoard.

mod input;
mod server;

pub mod ugi;
pub(crate) mod xboard;

use std::io::{Read, Write};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, select_biased, unbounded};
use input::Input;
pub use input::MAX_LINE_BYTES;
pub(crate) use server::Server;

use crate::session::{Engine, Event};

/// What the loop does after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The conversation goes on.
    Continue,
    /// It is over.
    Quit,
}

/// A text protocol: what a client's lines mean, and how the engine's events are written.
pub(crate) trait Dialect {
    /// Handles one line; it is never empty and has no line end.
    fn line(&mut self, line: &str, server: &mut Server<'_>) -> Flow;

    /// Passes an event of background work on to the client.
    fn event(&mut self, event: Event, server: &mut Server<'_>);

    /// Tells the client that a line was refused unread.
    fn refuse(&mut self, message: &str, server: &mut Server<'_>);
}

/// The dialect that the first word of a conversation picks.
fn dialect(first_word: &str) -> Box<dyn Dialect> {
    match first_word.eq_ignore_ascii_case("xboard") {
        true => Box::new(xboard::Xboard::default()),
        false => Box::new(ugi::Ugi::default()),
    }
}

/// Serves one client until it quits, its input ends or its output is closed.
///
/// When the input ends, a bounded search finishes and is answered first, an unbounded one is stopped and answered.
/// After `quit` a running search is stopped; its answer is still written. A perft or a benchmark is finished in both
/// cases, since half of it would be worth nothing, but after `quit` it gets ten seconds a step at most.
pub fn serve(input: impl Read + Send + 'static, output: &mut dyn Write, engine: Engine) {
    let (sender, events) = unbounded();
    let mut server = Server::new(engine, output, sender);
    let mut dialect: Option<Box<dyn Dialect>> = None;
    let lines = input::read_lines(input);
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

/// How long after `quit` a count may be silent before it is stopped.
const COUNT_GRACE: Duration = Duration::from_secs(10);

/// The main loop; `Continue` means that the input has ended.
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
                // What the line has caused already is told before the next line is answered.
                let waiting = events.len();
                events.try_iter().take(waiting).for_each(|event| handle_event(event, chosen, server));
            },
            recv(events) -> event => {
                if let Ok(event) = event {
                    handle_event(event, chosen, server);
                }
            },
        }
        if server.is_closed() {
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
    server.note(&event);
    if let Some(dialect) = chosen {
        dialect.event(event, server);
    }
}
