//! The progress of a long run on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::tournament::standings::Standings;
use crate::tournament::stats::SprtVerdict;

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Between two looks at the standings where there is one.
const BAR_EVERY: Duration = Duration::from_millis(100);

/// The progress of a run: a bar on a terminal, now and then a line elsewhere.
pub(crate) struct LiveView {
    output: Output,
    /// Games (or whatever is counted), when known beforehand.
    total: Option<u64>,
    /// Games of earlier runs: they count as done but say nothing about the speed.
    already: u64,
    done: u64,
    started: Instant,
    shown: Option<Instant>,
    status: String,
    /// What was done when the last line was written.
    told: Option<u64>,
}

enum Output {
    Quiet,
    Bar(ProgressBar),
    Lines(Box<dyn Write + Send>),
}

impl LiveView {
    pub(crate) fn new(total: Option<u64>, already: u64, quiet: bool) -> Self {
        let output = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Output::Quiet,
            (false, true) => Output::Bar(bar(total, already)),
            (false, false) => Output::Lines(Box::new(io::stderr())),
        };
        Self::with_face(output, total, already)
    }

    fn with_face(output: Output, total: Option<u64>, already: u64) -> Self {
        let started = Instant::now();
        LiveView { output, total, already, done: already, started, shown: None, status: String::new(), told: None }
    }

    /// Tells the standings after another game; cheap enough to be called after each.
    pub(crate) fn update(&mut self, standings: &Standings) {
        self.done = standings.games().max(self.done);
        if self.is_due() {
            self.status = status(standings);
            self.show();
        }
    }

    /// Tells progress in other words: so much done, and what to say about it.
    pub(crate) fn tell(&mut self, done: u64, status: &str) {
        self.done = done;
        if self.is_due() {
            self.status = status.to_owned();
            self.show();
        }
    }

    /// Prints a line of its own above the bar.
    pub(crate) fn say(&mut self, line: &str) {
        match &mut self.output {
            Output::Quiet => {}
            Output::Bar(bar) => bar.println(line),
            Output::Lines(out) => {
                let _ = writeln!(out, "{line}");
            }
        }
    }

    /// Shows the last state and leaves it standing.
    pub(crate) fn finish(&mut self, standings: &Standings) {
        self.done = standings.games().max(self.done);
        self.status = status(standings);
        self.end();
    }

    /// Shows the last state that was told and leaves it standing, as a line of its own.
    pub(crate) fn end(&mut self) {
        let line = self.line();
        match std::mem::replace(&mut self.output, Output::Quiet) {
            Output::Quiet => {}
            Output::Bar(bar) => {
                bar.finish_and_clear();
                let _ = writeln!(io::stderr(), "{line}");
            }
            Output::Lines(mut out) if self.told != Some(self.done) => {
                let _ = writeln!(out, "{line}");
            }
            Output::Lines(_) => {}
        }
    }

    fn is_due(&self) -> bool {
        let every = match self.output {
            Output::Quiet => return false,
            Output::Bar(_) => BAR_EVERY,
            Output::Lines(_) => LINE_EVERY,
        };
        // The first line comes with the first game that took its time, not at once.
        self.shown.unwrap_or(self.started).elapsed() >= every
    }

    fn show(&mut self) {
        self.shown = Some(Instant::now());
        let line = self.line();
        match &mut self.output {
            Output::Quiet => {}
            Output::Bar(bar) => {
                bar.set_position(self.done);
                bar.set_message(self.status.clone());
                let pace = pace(self.done - self.already.min(self.done), self.started.elapsed());
                bar.set_prefix(pace.replace(" games", ""));
            }
            Output::Lines(out) => {
                let _ = writeln!(out, "{line}");
                self.told = Some(self.done);
            }
        }
    }

    /// `120/1000 games, 12.3 games/s, 1m 11s left, Elo +12.3 ± 20.1`.
    fn line(&self) -> String {
        let new = self.done - self.already.min(self.done);
        let total = self.total.map_or(String::new(), |total| format!("/{total}"));
        let mut parts = vec![format!("{}{total} games", self.done), pace(new, self.started.elapsed())];
        parts.extend(self.left(new).map(|left| format!("{} left", duration_text(left))));
        parts.push(self.status.clone());
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    /// By the speed of this run.
    fn left(&self, new: u64) -> Option<Duration> {
        let missing = self.total?.checked_sub(self.done).filter(|&missing| missing > 0)?;
        let seconds = self.started.elapsed().as_secs_f64() / new as f64 * missing as f64;
        Duration::try_from_secs_f64(seconds).ok().filter(|_| new > 0)
    }
}

impl Drop for LiveView {
    /// A run that breaks off leaves no half-drawn bar behind.
    fn drop(&mut self) {
        if let Output::Bar(bar) = &self.output {
            bar.abandon();
        }
    }
}

fn bar(total: Option<u64>, already: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5)).with_position(already);
    // Short enough for Elo and LLR in a window of 80 columns.
    let template = match total {
        Some(_) => "{bar:8} {pos}/{len} games {prefix} {eta} left  {wide_msg}",
        None => "{spinner} {pos} games {prefix} {elapsed}  {wide_msg}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("=> "));
    // What was there before says nothing about the time that is left.
    bar.reset_eta();
    bar
}

fn pace(games: u64, elapsed: Duration) -> String {
    match elapsed.as_secs_f64() {
        seconds if games > 0 && seconds > 0.0 => format!("{:.1} games/s", games as f64 / seconds),
        _ => String::new(),
    }
}

/// The first engine against all others, and the test where there is one.
pub(crate) fn status(standings: &Standings) -> String {
    let estimate = standings.total(0).estimate;
    // Between two engines it is clear whose.
    let whose = match standings.engines() {
        [first, _, _, ..] => format!("Elo of {first}"),
        _ => "Elo".to_owned(),
    };
    let elo = match (estimate.elo, estimate.sure_elo_error()) {
        (Some(elo), Some(error)) => format!("{whose} {elo:+.1} ± {error:.1}"),
        (Some(elo), None) => format!("{whose} {elo:+.1} ± n/a"),
        _ => format!("{whose} n/a"),
    };
    match standings.sprt() {
        None => elo,
        Some(test) => format!("{elo}, {}", llr_text(&test.verdict())),
    }
}

fn llr_text(verdict: &SprtVerdict) -> String {
    let llr = verdict.llr.map_or("n/a".to_owned(), |llr| format!("{llr:.2}"));
    format!("LLR {llr} [{:.2}, {:.2}]", verdict.bounds.lower, verdict.bounds.upper)
}

/// `1m 11s`.
pub(crate) fn duration_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m {seconds}s"),
        (hours, minutes, _) => format!("{hours}h {minutes}m"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic before").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn many_updates_are_few_lines_and_the_end_is_one() {
        let out = Shared::default();
        let mut view = LiveView::with_face(Output::Lines(Box::new(out.clone())), Some(2000), 500);
        (501..=1500).for_each(|done| view.tell(done, "Elo +1.0 ± 2.0"));
        view.end();
        view.end();
        let text = String::from_utf8(out.0.lock().expect("no panic before").clone()).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1, "{text}");
        assert!(lines[0].starts_with("1500/2000 games, ") && lines[0].contains(" left"), "{text}");
    }

    #[test]
    fn a_time_left_needs_a_game() {
        let view = LiveView::with_face(Output::Quiet, Some(10), 4);
        assert_eq!(view.left(0), None);
        assert_eq!(view.line(), "4/10 games");
        assert_eq!(duration_text(Duration::from_secs(3725)), "1h 2m");
        assert_eq!(duration_text(Duration::from_secs(71)), "1m 11s");
    }
}
