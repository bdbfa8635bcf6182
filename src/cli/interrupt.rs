//! Ctrl-C, requests to end, and limits of the system that would end the program without a word.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

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
