//! The progress of a build or a check on standard error.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::live::duration_text;
use crate::tablebase::LayerProgress;
use crate::tablebase::build::{BuildPlan, size_text};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A bar on a terminal, now and then a line elsewhere.
pub(super) struct TableProgress {
    /// Counts positions, and names the layer; hidden where there is no terminal.
    bar: ProgressBar,
    times: Mutex<Times>,
    /// A build has locked its folder.
    pub is_building: Arc<AtomicBool>,
}

struct Times {
    layer_began: Instant,
    line_written: Instant,
}

impl TableProgress {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        let times = Mutex::new(Times { layer_began: now, line_written: now });
        TableProgress { bar: bar(), times, is_building: Arc::default() }
    }

    /// A line of its own, above the bar if there is one.
    fn say(&self, line: &str) {
        if self.bar.is_hidden() {
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "{line}");
        } else {
            self.bar.println(line);
        }
    }

    fn with_times<T>(&self, act: impl FnOnce(&mut Times) -> T) -> T {
        act(&mut self.times.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Whether it is time for another line.
    fn is_due(&self) -> bool {
        self.bar.is_hidden()
            && self.with_times(|times| {
                let is_due = times.line_written.elapsed() >= LINE_EVERY;
                times.line_written = if is_due { Instant::now() } else { times.line_written };
                is_due
            })
    }

    /// `7 geese: 34 % in all, 1m 11s left`.
    fn line(&self) -> String {
        let total = self.bar.length().unwrap_or(0).max(1);
        let part = (self.bar.position() as f64 / total as f64).min(1.0);
        let left = self.bar.elapsed().as_secs_f64() * (1.0 - part) / part.max(f64::MIN_POSITIVE);
        let left =
            Duration::try_from_secs_f64(left).map_or(String::new(), |left| format!(", {} left", duration_text(left)));
        format!("{}: {:.0} % in all{left}", self.bar.message(), 100.0 * part)
    }
}

impl LayerProgress for TableProgress {
    fn planned(&self, plan: &BuildPlan) {
        self.is_building.store(true, Ordering::Relaxed);
        plan.notice.iter().filter(|_| plan.last > 0).for_each(|notice| self.say(notice));
        self.bar.set_length(plan.positions());
        self.bar.reset_eta();
    }

    fn begin(&self, layer: u32, positions: u64) {
        // A build has counted all layers beforehand, a check counts them one by one.
        if !self.is_building.load(Ordering::Relaxed) {
            self.bar.inc_length(positions);
        }
        self.bar.set_message(format!("{layer} geese"));
        self.with_times(|times| times.layer_began = Instant::now());
    }

    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
        if self.is_due() {
            self.say(&self.line());
        }
    }

    fn end(&self, layer: u32, bytes: u64) {
        let took = self.with_times(|times| times.layer_began.elapsed());
        self.say(&format!("{layer} geese: {} in {:.1} s", size_text(bytes), took.as_secs_f64()));
    }
}

/// Takes the bar away.
impl Drop for TableProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5));
    let template = "{bar:20} {percent:>3} % {msg}, {elapsed} gone, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("=> "));
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(500));
    }
    bar
}
