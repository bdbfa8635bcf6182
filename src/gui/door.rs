//! Who may come in: pages of this server in the browser of the person who started it, and nobody else.
//!
//! The token in the printed address is exchanged for a cookie. The names of host and origin are checked too, so that no
//! other page, and no name that leads to this machine, gets in with that cookie.

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rand::TryRng;
use rand::rngs::SysRng;

use super::parameter;

const TOKEN_BYTES: usize = 32;
/// Browsers keep no cookie longer than 400 days.
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;

/// The objection that a token in the address overrules.
const NOT_KNOWN: &str = "open the address that reynard gui has printed: your browser is not known here yet";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every reply that has none of the name itself.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The secret by which the server knows its person, as hexadecimal digits.
pub(crate) struct Token(String);

impl Token {
    /// The token in a file that only its owner may read; a new one where there is none that can be trusted.
    ///
    /// # Errors
    /// The file or its folder cannot be written.
    pub(crate) fn kept_in(path: &Path) -> io::Result<Token> {
        let is_token =
            |text: &String| text.len() == 2 * TOKEN_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some(text) = private_text(path).filter(is_token) {
            return Ok(Token(text));
        }
        let token = Token::random()?;
        token.keep_in(path)?;
        Ok(token)
    }

    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn random() -> io::Result<Token> {
        let mut bytes = [0; TOKEN_BYTES];
        SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    fn keep_in(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.write(true).create_new(true).open(path)?.write_all(self.0.as_bytes())
    }

    /// The token as it stands in the address that lets a browser in.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Takes as long for every wrong text of the right length.
    fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |sum, (ours, theirs)| sum | (ours ^ theirs));
        text.len() == self.0.len() && black_box(differences) == 0
    }
}

/// The text of a file that nobody but its owner, who is the user, may read or write.
fn private_text(path: &Path) -> Option<String> {
    let file = reynard_engine::files::open_regular(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let about = file.metadata().ok()?;
        if about.mode() & 0o077 != 0 || about.uid() != nix::unistd::geteuid().as_raw() {
            return None;
        }
    }
    let mut text = String::new();
    file.take(2 * TOKEN_BYTES as u64 + 1).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The conditions that every request has to meet.
pub(super) struct Door {
    token: Token,
    /// The token of the one browser that the server starts: others may read its arguments, and find them used.
    once: Mutex<Option<Token>>,
    /// Cookies of one machine are shared by all its ports.
    cookie: String,
    hosts: [String; 2],
}

impl Door {
    pub(super) fn new(port: u16, token: Token, once: Token) -> Door {
        Door {
            token,
            once: Mutex::new(Some(once)),
            cookie: format!("reynard-{port}"),
            hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")),
        }
    }

    /// The reason for which a request may not come in, if there is one.
    fn objection(&self, request: &Request) -> Option<&'static str> {
        let headers = request.headers();
        let Some(host) = text(headers, &header::HOST).filter(|host| self.hosts.iter().any(|ours| ours == host)) else {
            return Some("this server goes by the name that it printed, and by no other");
        };
        let is_ours = |origin: &str| origin.strip_prefix("http://") == Some(host);
        let is_plain_get = request.method() == Method::GET && !headers.contains_key(header::UPGRADE);
        if !text(headers, &header::ORIGIN).map_or(is_plain_get && !headers.contains_key(header::ORIGIN), is_ours) {
            return Some("only pages of this server may ask for this");
        }
        (!self.is_known(headers)).then_some(NOT_KNOWN)
    }

    fn is_known(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut cookies = cookies.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        cookies.any(|(name, value)| name == self.cookie && self.token.is(value))
    }

    /// Whether the address has the token, or the one that is good for one time.
    fn is_opened_by(&self, query: Option<&str>) -> bool {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = parameter(query, "once").is_some_and(|text| once.take_if(|token| token.is(text)).is_some());
        is_first || parameter(query, "token").is_some_and(|text| self.token.is(text))
    }

    /// A cookie for the token in the address, and the way on to the page without it.
    fn welcome(&self) -> Response {
        let Door { cookie, token: Token(token), .. } = self;
        let cookie = format!("{cookie}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict");
        let headers =
            [(header::SET_COOKIE, cookie.as_str()), (header::LOCATION, "/"), (header::CACHE_CONTROL, "no-store")];
        (StatusCode::SEE_OTHER, headers).into_response()
    }
}

/// Lets a request in or refuses it.
pub(super) async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let is_at_door = request.method() == Method::GET && request.uri().path() == "/";
    let mut response = match door.objection(&request) {
        // The cookie is looked for when host and origin have been found right.
        None | Some(NOT_KNOWN) if is_at_door && door.is_opened_by(request.uri().query()) => door.welcome(),
        Some(objection) => (StatusCode::FORBIDDEN, Body::from(format!("{objection}\n"))).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
