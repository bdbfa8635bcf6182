//! A client that talks to `protocol::serve` through real pipes.

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use reynard_engine::protocol;
use reynard_engine::session::Engine;

/// Nothing that a test waits for takes this long.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    server: Option<JoinHandle<()>>,
}

impl Client {
    pub fn new() -> Self {
        Client::of(Engine::new().unwrap())
    }

    /// A client of an engine that is set up already.
    pub fn of(engine: Engine) -> Self {
        let (server_input, input) = pipe().unwrap();
        let (output, mut server_output) = pipe().unwrap();
        let serve = move || protocol::serve(server_input, &mut server_output, engine);
        let server = Some(thread::spawn(serve));
        let (sender, lines) = unbounded();
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Client { input: Some(input), lines, server }
    }

    /// A client that has asked for `ugi` with a small table.
    pub fn ugi() -> Self {
        let mut client = Client::new();
        client.send("ugi\nsetoption name Hash value 4");
        client.until("ugiok");
        client
    }

    pub fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
        self.send_bytes(b"\n");
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// Every line up to the first that begins with `start`, that one included.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// Sends a line and returns everything that the engine says until it answers `isready`.
    pub fn told(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a query and returns what stands behind `response`.
    pub fn query(&mut self, question: &str) -> String {
        let lines = self.told(&format!("query {question}"));
        let responses: Vec<&String> = lines.iter().filter(|line| line.starts_with("response")).collect();
        assert_eq!(responses.len(), 1, "query {question}: {lines:?}");
        responses[0]["response".len()..].trim().to_owned()
    }

    /// Sends a line that must be refused and returns the error.
    pub fn refused(&mut self, text: &str) -> String {
        let lines = self.told(text);
        let errors: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string error")).collect();
        assert_eq!(errors.len(), 1, "{text}: {lines:?}");
        errors[0].clone()
    }

    /// Sends a line that must be accepted in silence.
    pub fn accepted(&mut self, text: &str) {
        assert_eq!(self.told(text), Vec::<String>::new(), "{text}");
    }

    /// Sends a `go` and returns its info lines, without those that come by the clock, and its best move line.
    pub fn go(&mut self, parameters: &str) -> (Vec<String>, String) {
        self.send(&format!("go {parameters}"));
        let mut lines = self.until("bestmove");
        lines.retain(|line| !line.contains(" currmove "));
        let best = lines.pop().unwrap();
        (lines, best)
    }

    /// Stops an endless search and waits for its answer.
    pub fn stop(&mut self) {
        self.send("stop");
        self.until("bestmove");
    }

    /// Ends the input and returns everything that is still said.
    pub fn end_input(&mut self) -> Vec<String> {
        self.input = None;
        let lines = self.lines.iter().collect();
        self.server.take().unwrap().join().unwrap();
        lines
    }
}
