//! Ctrl-C, requests to end, and limits of the system that would end the program without a word.

use std::io::{self, IsTerminal};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use super::exit::{announce, complain};
use crate::tournament::runner::Stop;

/// The exit code that shells report of a program that Ctrl-C has ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Ends the program at the first Ctrl-C (or SIGTERM, or SIGHUP) after tidying up. May be called once in a program, and
/// not beside [`flag`].
pub(super) fn end_after(tidy_up: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let handler = move || {
        tidy_up();
        process::exit(ENDED_BY_INTERRUPT);
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")
}

/// Lets a write beyond the limit for the size of files fail, as one on a full disk does. Engines that are started have
/// the system's way again, which ends them.
#[cfg(unix)]
pub(super) fn outlive_full_files() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    extern "C" fn let_it_fail(_: nix::libc::c_int) {}
    let action = SigAction::new(SigHandler::Handler(let_it_fail), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handler does nothing, so that it may run at any moment.
    let _ = unsafe { sigaction(Signal::SIGXFSZ, &action) };
}

/// There is no such limit.
#[cfg(not(unix))]
pub(super) fn outlive_full_files() {}

/// A flag that is set by the first Ctrl-C (or SIGTERM, or SIGHUP); the second one ends the program at once. May be
/// called once in a program.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    call_at_first(move || flag.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

/// Calls `end` at the first Ctrl-C (or SIGTERM, or SIGHUP); the second one ends the program at once. May be called
/// once in a program.
pub(super) fn call_at_first(end: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut is_asked = false;
    let handler = move || {
        if std::mem::replace(&mut is_asked, true) {
            process::exit(ENDED_BY_INTERRUPT);
        }
        end();
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")
}

static STOP: Stop = Stop::new(announce_end);

/// How a run of games is asked to end: at the first Ctrl-C games under way are finished, at the second they are given
/// up, and the third ends the program at once. SIGTERM and SIGHUP, whose senders do not wait long, give them up at
/// once, and end the program at once when they come again. May be called once in a program.
pub(super) fn stop() -> anyhow::Result<&'static Stop> {
    let handler = || match (STOP.is_asked(), STOP.gives_up()) {
        (false, _) => STOP.finish(),
        (true, false) => STOP.give_up(),
        (true, true) => process::exit(ENDED_BY_INTERRUPT),
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    give_up_when_terminated();
    Ok(&STOP)
}

#[cfg(unix)]
fn give_up_when_terminated() {
    use nix::libc;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    extern "C" fn give_up(_: libc::c_int) {
        if STOP.gives_up() {
            // SAFETY: this function may be called in a handler, and does not return.
            unsafe { libc::_exit(ENDED_BY_INTERRUPT) };
        }
        STOP.give_up();
    }
    let action = SigAction::new(SigHandler::Handler(give_up), SaFlags::SA_RESTART, SigSet::empty());
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        // SAFETY: the handler reads and writes atomic flags, and ends the process by a call that handlers may make.
        let _ = unsafe { sigaction(signal, &action) };
    }
}

/// They come as Ctrl-C does.
#[cfg(not(unix))]
fn give_up_when_terminated() {}

fn announce_end(under_way: usize) {
    // The terminal has shown ^C at the end of the line of progress.
    if io::stderr().is_terminal() {
        announce("");
    }
    let games = if under_way == 1 { "the game".to_owned() } else { format!("the {under_way} games") };
    complain(&format!(
        "stopping after {games} under way; Ctrl-C again gives up what is under way, a third one ends at once"
    ));
}
