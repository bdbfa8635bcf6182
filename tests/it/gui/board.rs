//! A running server with a page's way to talk to it.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;
use tempfile::TempDir;
use tungstenite::client::{ClientRequestBuilder, client};
use tungstenite::{Error, Message, WebSocket};

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server on a port of its own with a token of its own. Dropping it ends it as SIGTERM does.
pub struct Board {
    server: Child,
    /// Its own folder for files that need not last.
    state: Option<TempDir>,
    pub port: u16,
    pub token: String,
}

/// What came back.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// The command for a server whose token is kept in this folder.
pub fn command(state: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.arg("gui").args(arguments).env("XDG_STATE_HOME", state).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    // What it leaves behind is seen there.
    command.env("TMPDIR", state).stdout(Stdio::piped());
    command
}

impl Board {
    pub fn start(arguments: &[&str]) -> Board {
        let state = TempDir::new().expect("a folder");
        let mut board = Board::start_in(state.path(), arguments);
        board.state = Some(state);
        board
    }

    /// With the token that is kept there.
    pub fn start_in(state: &Path, arguments: &[&str]) -> Board {
        let port = if arguments.contains(&"--port") { &[][..] } else { &["--port", "0"] };
        Board::start_with(&mut command(state, &[port, arguments].concat()))
    }

    pub fn start_with(command: &mut Command) -> Board {
        let hears_hangups = || {
            // SAFETY: the default action is no handler.
            unsafe { signal(Signal::SIGHUP, SigHandler::SigDfl) }?;
            Ok(())
        };
        // What runs the tests may ignore SIGHUP, as `nohup` does, and then its children would, too.
        // SAFETY: between fork and exec the closure makes one system call and neither allocates nor locks.
        unsafe { command.pre_exec(hears_hangups) };
        let mut server = command.spawn().expect("a server");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let address = line.trim().strip_prefix("The board is at http://127.0.0.1:").expect("an address");
        let (port, token) = address.split_once("/?token=").expect("a token");
        Board { port: port.parse().expect("a port"), token: token.to_owned(), server, state: None }
    }

    pub fn id(&self) -> u32 {
        self.server.id()
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn cookie(&self) -> String {
        format!("reynard-{}={}", self.port, self.token)
    }

    /// Sends a request with these fields and nothing else.
    pub fn raw(&self, request: &str, fields: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(self.host()).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let fields: String = fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("{request} HTTP/1.1\r\nConnection: close\r\n{fields}Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body].concat()).expect("a request");
        let mut all = Vec::new();
        stream.read_to_end(&mut all).expect("a reply");
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        Reply { status, head, body: all[end + 4..].to_vec() }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.raw(&format!("GET {path}"), &[("Host", &self.host()), ("Cookie", &self.cookie())], b"")
    }

    pub fn post(&self, path: &str, body: &str) -> Reply {
        let origin = format!("http://{}", self.host());
        let fields = [("Host", &*self.host()), ("Cookie", &self.cookie()), ("Origin", &origin)];
        self.raw(&format!("POST {path}"), &fields, body.as_bytes())
    }

    /// A WebSocket as the page opens it.
    pub fn socket(&self, path: &str) -> Socket {
        let fields = [("Cookie", self.cookie()), ("Origin", format!("http://{}", self.host()))];
        self.socket_with(path, &fields).unwrap_or_else(|status| panic!("{path}: {status}"))
    }

    /// # Errors
    /// The status of the refusal.
    pub fn socket_with(&self, path: &str, fields: &[(&str, String)]) -> Result<Socket, u16> {
        let stream = TcpStream::connect(self.host()).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let address = format!("ws://{}{path}", self.host()).parse().expect("an address");
        let request = ClientRequestBuilder::new(address);
        let request = fields.iter().fold(request, |request, (name, value)| request.with_header(*name, value));
        match client(request, stream) {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tungstenite::HandshakeError::Failure(Error::Http(reply))) => Err(reply.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Asks it to end and waits until it has.
    pub fn end(&mut self, signal: Signal) -> Option<i32> {
        kill(Pid::from_raw(self.server.id() as i32), signal).expect("a signal");
        self.server.wait().expect("an end").code()
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        if self.server.try_wait().is_ok_and(|status| status.is_none()) {
            self.end(Signal::SIGTERM);
        }
    }
}

/// A WebSocket, line by line.
pub struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub fn send(&mut self, line: &str) {
        self.0.send(Message::text(line)).expect("an open socket");
    }

    /// The next line; `None` from a socket that was closed.
    pub fn line(&mut self) -> Option<String> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_)) => {
                    return None;
                }
                // A process that was stopped and goes on is told so by its reads.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Reads up to the first line that begins so.
    pub fn until(&mut self, start: &str) -> String {
        loop {
            let line = self.line().unwrap_or_else(|| panic!("closed before {start}"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    pub fn json(&mut self) -> serde_json::Value {
        let line = self.line().expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}
