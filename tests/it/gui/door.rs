//! Who may come in.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use nix::sys::signal::Signal;
use tempfile::TempDir;

use super::board::{Board, command};
use super::engines::eventually;

#[test]
fn the_address_is_exchanged_for_a_cookie() {
    let board = Board::start(&[]);
    let host = board.host();
    let reply = board.raw(&format!("GET /?token={}", board.token), &[("Host", &host)], b"");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    let cookie = reply.header("set-cookie").expect("a cookie");
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict"), "{cookie}");
    let (cookie, _) = cookie.split_once(';').expect("attributes");
    let page = board.raw("GET /", &[("Host", &host), ("Cookie", cookie)], b"");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    // The name of this machine is as good as its number.
    let named = format!("localhost:{}", board.port);
    assert_eq!(board.raw("GET /", &[("Host", &named), ("Cookie", cookie)], b"").status, 200);
}

#[test]
fn every_other_way_in_is_refused() {
    let board = Board::start(&[]);
    let (host, cookie) = (board.host(), board.cookie());
    let (token, origin) = (&board.token, format!("http://{host}"));
    let wrong = token.replace(|letter: char| letter.is_ascii_digit(), "a");
    let status = |request: &str, fields: &[(&str, &str)]| board.raw(request, fields, b"{}").status;
    for path in ["/", "/assets/index.html", "/api/about", "/api/nothing", "/ws/engine"] {
        let get = format!("GET {path}");
        assert_eq!(status(&get, &[("Host", &host)]), 403, "{path} without a cookie");
        assert_eq!(status(&get, &[("Host", &host), ("Cookie", &cookie.replace(&**token, &wrong))]), 403, "{path}");
        assert_eq!(status(&get, &[("Host", &host), ("Cookie", &cookie[..cookie.len() - 1])]), 403, "{path}");
        assert_eq!(status(&get, &[("Cookie", &cookie)]), 403, "{path} without a host");
        for stranger in ["example.com", &format!("example.com:{}", board.port), "127.0.0.1", "127.0.0.1:1"] {
            assert_eq!(status(&get, &[("Host", stranger), ("Cookie", &cookie)]), 403, "{path} at {stranger}");
        }
        for stranger in ["null", "http://example.com", &format!("https://{host}"), "http://127.0.0.1:1"] {
            let fields = [("Host", &*host), ("Cookie", &cookie), ("Origin", stranger)];
            assert_eq!(status(&get, &fields), 403, "{path} from {stranger}");
        }
        let post = format!("POST {path}");
        assert_eq!(status(&post, &[("Host", &host), ("Cookie", &cookie)]), 403, "{path} without an origin");
        assert_eq!(status(&post, &[("Host", &host), ("Origin", &origin)]), 403, "{path} without a cookie");
    }
    assert_eq!((board.get("/nothing").status, board.post("/nothing", "").status), (404, 404));
    // The token opens the door and nothing else, and not for a name that leads here by chance.
    assert_eq!(status(&format!("GET /?token={wrong}"), &[("Host", &host)]), 403);
    assert_eq!(status(&format!("GET /api/about?token={token}"), &[("Host", &host)]), 403);
    assert_eq!(status(&format!("POST /?token={token}"), &[("Host", &host), ("Origin", &origin)]), 403);
    assert_eq!(status(&format!("GET /?token={token}"), &[("Host", "example.com")]), 403);
    let sockets: [&[(&str, String)]; 3] = [
        &[("Cookie", cookie.clone())],
        &[("Origin", origin.clone())],
        &[("Cookie", cookie.clone()), ("Origin", "http://127.0.0.1:1".to_owned())],
    ];
    for fields in sockets {
        assert_eq!(board.socket_with("/ws/engine", fields).err(), Some(403), "{fields:?}");
    }
}

#[test]
fn the_browser_that_is_started_shows_others_nothing_of_use() {
    let state = TempDir::new().expect("a folder");
    let (browser, told) = (state.path().join("browser"), state.path().join("told"));
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > {0}.part && mv {0}.part {0}\n", told.display()))
        .expect("a script");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("a file");
    let board =
        Board::start_with(command(state.path(), &["--port", "0"]).env("BROWSER", &browser).env("DISPLAY", ":9"));
    eventually("a browser is started", || told.exists());
    let address = fs::read_to_string(&told).expect("an address");
    let (_, query) = address.trim_end().split_once('?').expect("a query");
    assert!(query.starts_with("once=") && !query.contains(&*board.token), "{query}");
    let status = |query: &str, host: &str| board.raw(&format!("GET /?{query}"), &[("Host", host)], b"").status;
    assert_eq!(status(query, "example.com"), 403, "and is not used up by it");
    assert_eq!([status(query, &board.host()), status(query, &board.host())], [303, 403]);
    assert_eq!(status("once=", &board.host()), 403);
}

#[test]
fn every_reply_says_what_a_browser_may_do() {
    let board = Board::start(&[]);
    let stranger = board.raw("GET /", &[("Host", "example.com")], b"");
    let door = board.raw(&format!("GET /?token={}", board.token), &[("Host", &board.host())], b"");
    let replies = [board.get("/"), board.get("/api/about"), board.get("/nothing"), stranger, door];
    for reply in replies {
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[test]
fn the_token_is_kept_for_its_owner_alone() {
    let state = TempDir::new().expect("a folder");
    let path = state.path().join("reynard/gui-token");
    let token = |arguments: &[&str]| Board::start_in(state.path(), arguments).token.clone();
    let first = token(&[]);
    assert_eq!((first.len(), &*first), (64, &*fs::read_to_string(&path).expect("a token")));
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    assert_eq!(token(&[]), first, "a browser that is known stays known");
    // What others could have read or written is worth nothing.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a file");
    let second = token(&[]);
    assert_ne!(second, first);
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    fs::write(&path, "short").expect("a file");
    assert_ne!(token(&[]), second);
}

#[test]
fn a_port_that_is_taken_is_an_error_with_a_way_out() {
    let mut board = Board::start(&[]);
    let state = TempDir::new().expect("a folder");
    let port = board.port.to_string();
    let output =
        command(state.path(), &["--port", &port]).stderr(std::process::Stdio::piped()).output().expect("a run");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    let next = text.trim_end().rsplit(' ').next().expect("words").parse::<u16>().expect("a port");
    assert!(next > board.port && text.contains(&format!("reynard gui --port {next}")), "{text}");
    assert_eq!(board.end(Signal::SIGINT), Some(0));
}
