//! Ctrl-C and requests to end.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// What shells report of a program that Ctrl-C has ended.
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

/// A flag that is set by the first Ctrl-C (or SIGTERM, or SIGHUP); the second one ends the program at once. May be
/// called once in a program.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(ENDED_BY_INTERRUPT);
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
