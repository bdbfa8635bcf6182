//! The progress of a long run on standard error, and its games for programs that read standard output.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::exit::complain;
use super::output::escaped;
use crate::tournament::GameRecord;
use crate::tournament::plan::Plan;
use crate::tournament::record::{Cause, Forfeit, written_name};
use crate::tournament::report::{elo_text, finished_line, number, running_score};
use crate::tournament::spec::{LoadedSpec, SpecError};
use crate::tournament::standings::Standings;
use crate::tournament::stats::SprtVerdict;

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Between two looks at the state where there is one.
const BAR_EVERY: Duration = Duration::from_millis(100);

/// The things that are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Games,
    Openings,
    /// So many that the share is shown too.
    Positions,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Games => "games",
            Unit::Openings => "openings",
            Unit::Positions => "positions",
        })
    }
}

/// The progress of a run: a bar on a terminal, now and then a line elsewhere.
pub(crate) struct LiveView {
    /// Keeps the numbers, hidden where there is no terminal.
    bar: ProgressBar,
    /// The output of lines.
    out: Box<dyn Write + Send>,
    unit: Unit,
    /// The number that earlier runs have done: it counts as done but says nothing about the speed.
    already: u64,
    drawn: Instant,
    /// The number done and the status when the last line was written.
    last_line: Option<(u64, String)>,
}

impl LiveView {
    /// The total is that of all runs, when known beforehand.
    pub(crate) fn new(unit: Unit, total: Option<u64>, already: u64, quiet: bool) -> Self {
        if quiet {
            Self::on(ProgressDrawTarget::hidden(), Box::new(io::sink()), unit, total, already)
        } else {
            Self::on(ProgressDrawTarget::stderr_with_hz(5), Box::new(io::stderr()), unit, total, already)
        }
    }

    fn on(
        target: ProgressDrawTarget,
        out: Box<dyn Write + Send>,
        unit: Unit,
        total: Option<u64>,
        already: u64,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(total, target).with_position(already);
        // Short enough for Elo and LLR in a window of 80 columns.
        let template = match total {
            Some(_) if unit == Unit::Positions => {
                format!("{{spinner}} {{bar:8}} {{percent}} % of {{len}} {unit} {{prefix}} {{eta}} left  {{wide_msg}}")
            }
            Some(_) => format!("{{bar:8}} {{pos}}/{{len}} {unit} {{prefix}} {{eta}} left  {{wide_msg}}"),
            None => format!("{{spinner}} {{pos}} {unit} {{prefix}} {{elapsed}}  {{wide_msg}}"),
        };
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        // What was there before says nothing about the time that is left.
        bar.reset_eta();
        LiveView { bar, out, unit, already, drawn: Instant::now(), last_line: None }
    }

    /// Adds to the total.
    pub(crate) fn expect(&mut self, more: u64) {
        self.bar.inc_length(more);
    }

    /// Makes what is done the total.
    pub(crate) fn expect_no_more(&mut self) {
        self.bar.set_length(self.bar.position());
    }

    /// Shows the standings after another game; cheap enough to be called after each.
    pub(crate) fn update(&mut self, standings: &Standings) {
        self.advance(standings.games(), || status(standings));
    }

    /// The number that is done.
    pub(crate) fn done(&self) -> u64 {
        self.bar.position()
    }

    /// Shows how much is done; `status` is asked only when something is drawn.
    pub(crate) fn advance(&mut self, done: u64, status: impl FnOnce() -> String) {
        self.bar.set_position(done.max(self.bar.position()));
        // The first line comes with the first game that took its time, not at once.
        if self.drawn.elapsed() < if self.bar.is_hidden() { LINE_EVERY } else { BAR_EVERY } {
            return;
        }
        self.drawn = Instant::now();
        self.bar.set_message(status());
        if self.bar.is_hidden() {
            self.print_state(self.line());
        } else {
            self.bar.set_prefix(self.pace().map_or(String::new(), |pace| format!("{pace:.1}/s")));
        }
    }

    /// Shows that the work goes on, to be called now and then where nothing is done for long.
    pub(crate) fn tick(&mut self, status: impl FnOnce() -> String) {
        self.advance(self.bar.position(), status);
        self.bar.tick();
    }

    /// Prints a line of its own, above the bar if there is one.
    pub(crate) fn print(&mut self, line: &str) {
        // A closed standard error is no reason to stop.
        self.bar.suspend(|| drop(writeln!(self.out, "{}", escaped(line))));
    }

    /// Reports an error that does not end the run, in a quiet one too.
    pub(crate) fn complain(&self, error: &dyn fmt::Display) {
        self.bar.suspend(|| complain(error));
    }

    /// Shows the last state and leaves it standing.
    pub(crate) fn finish(&mut self, standings: &Standings) {
        self.bar.set_position(standings.games().max(self.bar.position()));
        self.end(status(standings));
    }

    /// Shows this state and leaves it standing, as a line of its own.
    pub(crate) fn end(&mut self, status: String) {
        self.bar.set_message(status);
        if !self.bar.is_finished() {
            let line = self.line();
            self.bar.finish_and_clear();
            self.print_state(line);
        }
    }

    /// Prints the line, unless the one before said the same.
    fn print_state(&mut self, line: String) {
        let state = Some((self.bar.position(), self.bar.message()));
        if self.last_line != state {
            // A closed standard error is no reason to stop.
            let _ = writeln!(self.out, "{}", escaped(&line));
            self.last_line = state;
        }
    }

    /// The share that is done, of things that are so many that their number says little.
    fn share(&self) -> Option<String> {
        let total = self.bar.length().filter(|&total| total > 0 && self.unit == Unit::Positions)?;
        Some(format!("{:.1} %", 100.0 * self.bar.position() as f64 / total as f64))
    }

    /// `120/1000 games, 12.3 games/s, 1m 11s left, Elo +12.3 ± 20.1`.
    fn line(&self) -> String {
        let (done, unit) = (self.bar.position(), self.unit);
        let total = self.bar.length().map_or(String::new(), |total| format!("/{total}"));
        let parts = [
            Some(format!("{done}{total} {unit}")),
            self.share(),
            self.pace().map(|pace| format!("{pace:.1} {unit}/s")),
            self.left().map(|left| format!("{} left", duration_text(left))),
            Some(self.bar.message()).filter(|status| !status.is_empty()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The number that this run does in a second; `None` before it has done anything.
    fn pace(&self) -> Option<f64> {
        let done = self.bar.position().checked_sub(self.already).filter(|&done| done > 0)?;
        Some(done as f64 / self.bar.elapsed().as_secs_f64()).filter(|pace| pace.is_finite())
    }

    /// By the speed of this run.
    fn left(&self) -> Option<Duration> {
        let missing = self.bar.length()?.checked_sub(self.bar.position()).filter(|&missing| missing > 0)?;
        Duration::try_from_secs_f64(missing as f64 / self.pace()?).ok()
    }
}

impl Drop for LiveView {
    /// A run that breaks off leaves no half-drawn bar behind.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Resolves a spec and shows how many openings are ready while they are sought.
pub(crate) fn resolve(loaded: &LoadedSpec, quiet: bool) -> Result<Plan, SpecError> {
    watch_openings(quiet, |report| loaded.resolve_reporting(report))
}

/// Shows how many openings are ready, and how many are to be, as `work` reports it.
pub(crate) fn watch_openings<T>(quiet: bool, work: impl FnOnce(&dyn Fn(u64, u64)) -> T) -> T {
    let view = RefCell::new(None);
    work(&|ready, wanted| {
        let new_view = || LiveView::new(Unit::Openings, Some(wanted), 0, quiet);
        view.borrow_mut().get_or_insert_with(new_view).advance(ready, String::new);
    })
}

/// Writes what cutechess-cli prints of a game that is over, with the score behind it.
pub(crate) fn write_finished(record: &GameRecord, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", finished_line(record, standings.engines()))?;
    if let Some(score) = running_score(standings) {
        writeln!(out, "{score}")?;
    }
    out.flush()
}

/// The first engine against all others, and the test where there is one.
pub(crate) fn status(standings: &Standings) -> String {
    let estimate = standings.total(0).estimate;
    // Between two engines it is clear whose.
    let whose = match standings.engines() {
        [first, _, _, ..] => format!("Elo of {first}"),
        _ => "Elo".to_owned(),
    };
    let elo = format!("{whose} {}", elo_text(&estimate));
    match standings.sprt() {
        None => elo,
        Some(test) => format!("{elo}, {}", llr_text(&test.verdict())),
    }
}

fn llr_text(verdict: &SprtVerdict) -> String {
    format!("LLR {} [{:.2}, {:.2}]", number(verdict.llr, 2), verdict.bounds.lower, verdict.bounds.upper)
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

/// Remembers which forfeits have been announced.
#[derive(Default)]
pub(crate) struct FirstForfeits {
    announced: BTreeSet<(usize, Forfeit)>,
}

impl FirstForfeits {
    /// A line about a forfeit of an engine that has had none of that kind so far.
    pub(crate) fn announce(&mut self, game: &GameRecord, engines: &[String]) -> Option<String> {
        let Cause::Forfeit(kind) = game.ending.cause else { return None };
        let loser = game.fixture.loser(game.ending.winner()?);
        let name = engines.get(loser)?;
        self.announced.insert((loser, kind)).then(|| {
            format!(
                "game {}: {name} forfeits ({}): {}; later ones of this kind are only counted",
                game.fixture.game,
                written_name(kind),
                game.ending.reason
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::tournament::Fixture;
    use crate::tournament::record::Ending;

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
        let mut view = LiveView::on(ProgressDrawTarget::hidden(), Box::new(out.clone()), Unit::Games, Some(2000), 500);
        (501..=1500).for_each(|done| view.advance(done, || "Elo +1.0 ± 2.0".to_owned()));
        view.end("Elo +1.5 ± 1.9".to_owned());
        view.end("Elo +1.5 ± 1.9".to_owned());
        let text = String::from_utf8(out.0.lock().expect("no panic before").clone()).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1, "{text}");
        assert!(lines[0].starts_with("1500/2000 games, ") && lines[0].contains(" left"), "{text}");
        assert!(lines[0].ends_with("Elo +1.5 ± 1.9"), "{text}");
    }

    #[test]
    fn where_nothing_changes_nothing_is_said_again() {
        let out = Shared::default();
        let mut view = LiveView::on(ProgressDrawTarget::hidden(), Box::new(out.clone()), Unit::Games, None, 0);
        for (done, status) in [(3, "Elo 1"), (3, "Elo 1"), (3, "Elo 2"), (4, "Elo 2"), (4, "Elo 2")] {
            view.drawn = Instant::now().checked_sub(LINE_EVERY).expect("a moment before");
            view.advance(done, || status.to_owned());
        }
        view.end("Elo 2".to_owned());
        let text = String::from_utf8(out.0.lock().expect("no panic before").clone()).expect("text");
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn of_positions_the_share_is_told_and_a_tick_moves_nothing() {
        let mut view = LiveView::new(Unit::Positions, Some(3_000_000), 0, true);
        view.advance(1_000_000, String::new);
        view.tick(|| "8 geese".to_owned());
        assert!(view.line().starts_with("1000000/3000000 positions, 33.3 %, "), "{}", view.line());
    }

    #[test]
    fn a_time_left_needs_a_game() {
        let view = LiveView::new(Unit::Games, Some(10), 4, true);
        assert_eq!(view.left(), None);
        assert_eq!(view.line(), "4/10 games");
        assert_eq!(duration_text(Duration::from_secs(3725)), "1h 2m");
        assert_eq!(duration_text(Duration::from_secs(71)), "1m 11s");
    }

    fn game(number: u64, seats: [usize; 2], winner: u8, cause: Cause) -> GameRecord {
        let fixture = Fixture { game: number, pair: number / 2, ruleset: 0, opening: 0, seats };
        let ending = Ending { winner: Some(winner), cause, reason: "so".into() };
        GameRecord::without_moves(fixture, ending)
    }

    #[test]
    fn only_the_first_of_each_engine_and_kind_is_announced() {
        let names = ["good".to_owned(), "bad".to_owned()];
        let mut first = FirstForfeits::default();
        let mut announce = |number, seats, winner, cause| first.announce(&game(number, seats, winner, cause), &names);
        let line = announce(0, [0, 1], 0, Cause::Forfeit(Forfeit::Crash)).expect("the first");
        assert!(line.starts_with("game 0: bad forfeits (crash): so"), "{line}");
        assert_eq!(announce(1, [1, 0], 1, Cause::Forfeit(Forfeit::Crash)), None);
        assert_eq!(announce(2, [1, 0], 1, Cause::Rules), None);
        assert!(announce(3, [1, 0], 1, Cause::Forfeit(Forfeit::Time)).is_some_and(|line| line.contains("bad")));
        assert!(announce(4, [1, 0], 0, Cause::Forfeit(Forfeit::Crash)).is_some_and(|line| line.contains("good")));
    }
}
