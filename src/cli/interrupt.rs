//! Ctrl-C, requests to end, and limits of the system that would end the program without a word.
//!
//! SIGINT (Ctrl-C), SIGTERM and SIGHUP end what takes long within 200 ms:
//!
//! | what | until then it shows | how it ends |
//! |---|---|---|
//! | games of `match`, `tournament run` and `tune` | a bar or lines | [`stop`]: searches and waits for programs look at a flag; what was played is kept |
//! | `tune` while samples of `learn` are played | a bar or lines | [`stop`]; a file of samples is whole or not there |
//! | `tune` while `learn` fits weights | losses after every epoch | [`end_at_once`]: samples are kept, and `--resume` fits anew |
//! | `tune` while it tries its parameters | nothing | by the system: nothing has been written |
//! | `tune` while it waits for other shards | whom it waits for | [`stop`] |
//! | the report at the end of `match`, `tournament run` | games | [`is_asked_again`]: the result is printed, and the command that writes the report |
//! | `tournament merge`, also `--watch`, and `tournament report` | the score, games | [`flag`]: a file is written under another name until it is whole |
//! | `solve` | the nodes | [`flag`]; what is known is printed |
//! | `table build` | positions | [`end_after`]: the part that is under way is removed, finished tables stay |
//! | `gui` | | [`call_at_first`]: its engines are ended |
//! | openings that `match`, `tournament run`, `tournament check` and `tune` seek or read before the first game, `tournament openings` | a bar or lines | by the system: nothing has been written |
//! | `tournament calibrate` | a bar or lines | by the system: it writes no files |
//! | `tournament replay`, `stats`, `analyse`, `table verify`, `bench`, `perft`, `goose` | nothing, or how far they are | by the system: a file is written under another name until it is whole |
//!
//! A run that `nohup` started goes on when its terminal closes.

use std::io::{self, IsTerminal};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use super::exit::{announce, complain};
use crate::tournament::runner::Stop;

/// The exit code that shells report of a program that Ctrl-C has ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Calls a handler at every Ctrl-C (or SIGTERM, or SIGHUP), on a thread of its own; once in a program. Returns whether
/// SIGHUP counts: `nohup` has it ignored, and so it stays.
fn watch(handler: impl FnMut() + Send + 'static) -> anyhow::Result<bool> {
    let ignored = ignore_hangups();
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    if ignored {
        ignore_hangups();
    }
    Ok(!ignored)
}

/// Returns whether they were ignored before.
#[cfg(unix)]
fn ignore_hangups() -> bool {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    let action = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    // SAFETY: no handler runs.
    let before = unsafe { sigaction(Signal::SIGHUP, &action) };
    before.is_ok_and(|before| matches!(before.handler(), SigHandler::SigIgn))
}

/// There are none.
#[cfg(not(unix))]
fn ignore_hangups() -> bool {
    false
}

/// Ends the program at the first Ctrl-C (or SIGTERM, or SIGHUP) after tidying up. May be called once in a program, and
/// not beside [`flag`].
pub(super) fn end_after(tidy_up: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let handler = move || {
        tidy_up();
        process::exit(ENDED_BY_INTERRUPT);
    };
    watch(handler).map(drop)
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
    watch(handler).map(drop)
}

static STOP: Stop = Stop::new(announce_end);
/// Whether a run has nothing under way that it could lose.
static HAS_NOTHING_TO_LOSE: AtomicBool = AtomicBool::new(false);
/// The exit code of a run that was stopped.
const STOPPED: i32 = 1;

/// Lets the first request end a run at once, or not any more: for work that looks at no flag and leaves nothing behind.
/// A request that came before is in [`stop`], to be looked at after this.
pub(super) fn end_at_once(is_so: bool) {
    HAS_NOTHING_TO_LOSE.store(is_so, Ordering::SeqCst);
}

/// How a run of games is asked to end: at the first Ctrl-C games under way are finished, at the second they are given
/// up, and the third ends the program at once. SIGTERM and SIGHUP, whose senders do not wait long, give them up at
/// once, and end the program at once when they come again. May be called once in a program.
pub(super) fn stop() -> anyhow::Result<&'static Stop> {
    let handler = || match (STOP.is_asked(), STOP.gives_up()) {
        _ if HAS_NOTHING_TO_LOSE.load(Ordering::SeqCst) => {
            complain(&"stopped; --resume goes on");
            process::exit(STOPPED)
        }
        (false, _) => STOP.finish(),
        (true, false) => STOP.give_up(),
        (true, true) => process::exit(ENDED_BY_INTERRUPT),
    };
    let has_hangups = watch(handler)?;
    give_up_when_terminated(has_hangups);
    Ok(&STOP)
}

/// Whether an end is asked for once more than it is now: by Ctrl-C, SIGTERM or SIGHUP while the results of a run are
/// written, which may itself have been asked to end.
pub(super) fn is_asked_again() -> impl Fn() -> bool {
    let was_asked = STOP.is_asked();
    move || if was_asked { STOP.gives_up() } else { STOP.is_asked() }
}

#[cfg(unix)]
fn give_up_when_terminated(has_hangups: bool) {
    use nix::libc;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    extern "C" fn give_up(_: libc::c_int) {
        let is_free = HAS_NOTHING_TO_LOSE.load(Ordering::SeqCst);
        if is_free || STOP.gives_up() {
            // SAFETY: this function may be called in a handler, and does not return.
            unsafe { libc::_exit(if is_free { STOPPED } else { ENDED_BY_INTERRUPT }) };
        }
        STOP.give_up();
    }
    let action = SigAction::new(SigHandler::Handler(give_up), SaFlags::SA_RESTART, SigSet::empty());
    for signal in [Some(Signal::SIGTERM), has_hangups.then_some(Signal::SIGHUP)].into_iter().flatten() {
        // SAFETY: the handler reads and writes atomic flags, and ends the process by a call that handlers may make.
        let _ = unsafe { sigaction(signal, &action) };
    }
}

/// They come as Ctrl-C does.
#[cfg(not(unix))]
fn give_up_when_terminated(_: bool) {}

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
