//! How far a build or a check is, on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::live::duration_text;
use crate::tablebase::build::{BuildPlan, BuildProgress, size_text};
use crate::tablebase::verify::VerifyProgress;

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A bar on a terminal, now and then a line elsewhere.
pub(super) struct Progress {
    /// `None` where there is no terminal.
    bar: Option<ProgressBar>,
    /// What is to be done in all, and what is done.
    total: AtomicU64,
    done: AtomicU64,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    /// `7 geese`.
    layer: String,
    layer_started: Instant,
    shown: Instant,
}

impl Progress {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Progress {
            bar: io::stderr().is_terminal().then(bar),
            total: AtomicU64::new(0),
            done: AtomicU64::new(0),
            started: now,
            state: Mutex::new(State { layer: String::new(), layer_started: now, shown: now }),
        }
    }

    /// A line of its own, above the bar if there is one.
    pub(super) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => {
                // Whoever closed standard error does not want to hear.
                let _ = writeln!(io::stderr(), "{line}");
            }
        }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn with_state<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    fn begin(&self, layer: u32) {
        let text = format!("{layer} geese");
        if let Some(bar) = &self.bar {
            bar.set_message(text.clone());
        }
        self.with_state(|state| {
            state.layer = text;
            state.layer_started = Instant::now();
        });
    }

    fn add(&self, positions: u64) {
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None => {
                let due = self.with_state(|state| {
                    let due = state.shown.elapsed() >= LINE_EVERY;
                    state.shown = if due { Instant::now() } else { state.shown };
                    due.then(|| state.layer.clone())
                });
                due.into_iter().for_each(|layer| self.say(&self.line(&layer, done)));
            }
        }
    }

    /// `7 geese: 34 % in all, 1m 11s left`.
    fn line(&self, layer: &str, done: u64) -> String {
        let total = self.total.load(Ordering::Relaxed).max(1);
        let part = (done as f64 / total as f64).min(1.0);
        let left = self.started.elapsed().as_secs_f64() * (1.0 - part) / part.max(f64::MIN_POSITIVE);
        let left =
            Duration::try_from_secs_f64(left).map_or(String::new(), |left| format!(", {} left", duration_text(left)));
        format!("{layer}: {:.0} % in all{left}", 100.0 * part)
    }

    fn set_total(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.reset_eta();
        }
    }
}

impl BuildProgress for Progress {
    fn planned(&self, plan: &BuildPlan) {
        self.set_total(plan.positions());
    }

    fn begin(&self, layer: u32, _positions: u64) {
        Progress::begin(self, layer);
    }

    fn advance(&self, positions: u64) {
        self.add(positions);
    }

    fn end(&self, _layer: u32, bytes: u64) {
        let (layer, took) = self.with_state(|state| (state.layer.clone(), state.layer_started.elapsed()));
        self.say(&format!("{layer}: {} in {:.1} s", size_text(bytes), took.as_secs_f64()));
    }
}

impl VerifyProgress for Progress {
    fn begin(&self, layer: u32, positions: u64) {
        self.set_total(self.total.load(Ordering::Relaxed).saturating_add(positions));
        Progress::begin(self, layer);
    }

    fn advance(&self, positions: u64) {
        self.add(positions);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr_with_hz(5));
    let template = "{bar:20} {percent:>3} % {msg}, {elapsed} gone, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("=> "));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
