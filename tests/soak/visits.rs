//! Pages that come and go leave no engine and no descriptor with the server.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::times;

/// Waits until it is so.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn many_visits_leave_no_process_and_no_descriptor() {
    let board = Board::start(&[]);
    let id = board.id();
    let visit = |number: usize| {
        let mut socket = board.socket("/ws/engine");
        // Some look in, some ask, some wait for the answer.
        match number % 3 {
            0 => {}
            asks => {
                socket.send("isready");
                (1..asks).for_each(|_| drop(socket.until("readyok")));
            }
        }
    };
    let children = || fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let settle = || eventually("all engines have ended", || children().trim().is_empty());
    let descriptors = || fs::read_dir(format!("/proc/{id}/fd")).expect("procfs").count();
    visit(0);
    settle();
    let before = descriptors();
    (0..times(400)).for_each(visit);
    settle();
    eventually("all descriptors are closed", || descriptors() <= before);
    assert_eq!(board.get("/api/about").status, 200);
}
