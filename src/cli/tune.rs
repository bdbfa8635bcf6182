//! `reynard tune`: better settings by playing games, or learned weights.

use std::cell::{Cell, RefCell, RefMut};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;

use super::exit::{Status, UsageError, complain};
use super::interrupt;
use super::live::{LiveView, Unit};
use super::output::columns;
use super::tournament::run_args::{RunArgs, program_name, quoted};
use super::tournament::shard;
use crate::tournament::header::Shard;
use crate::tune::{self, ResolvedTuneSpec, RunOptions, Trace, TuneError, TuneEvent, output};

/// Search better values for numeric options (by SPSA, on a grid, or at random points), or learn the weights of a
/// hunt's evaluation.
///
/// The directory then holds the trace (trace.html, .csv, .jsonl), the result as an options file (tuned.json), learned
/// weights (learned.weights), and a tournament that tests the result against the start (sprt.json). With node or depth
/// limits the result is the same for any concurrency, any number of shards, and after any interruption.
#[derive(Args)]
pub(super) struct TuneArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Play part I of N, I from 0 to N-1; all parts run at the same time and share the directory
    ///
    /// Also read from SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, and from JOB_COMPLETION_INDEX with
    /// JOB_COMPLETIONS; --shard 0/1 plays everything all the same.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

pub(super) fn run(args: &TuneArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (shard, args) = (shard::shard(args.shard)?, &args.run);
    let resolved = ResolvedTuneSpec::load(&args.spec)?;
    for doubt in resolved.doubts().filter(|_| !args.quiet) {
        complain(&format!("warning: {doubt}"));
    }
    let dir = args.results_dir(None);
    let stop = interrupt::flag()?;
    let progress = TuneProgress::new(args.quiet);
    let options = RunOptions {
        concurrency: args.concurrency.map_or(resolved.spec.concurrency, usize::from),
        shard,
        resume: args.resume,
        stop: &stop,
        observer: &|event| progress.tell(event),
    };
    let run = tune::run(resolved, &dir, &options);
    progress.end();
    let trace = run.map_err(in_words)?;
    writeln!(out, "{}", output::table(&trace, columns()).trim_end())?;
    report_end(args, shard, &dir, &trace, out)
}

/// What the caller can put right is a matter of usage.
fn in_words(error: TuneError) -> anyhow::Error {
    match error {
        TuneError::Journal(error) => error.into(),
        TuneError::Output(error) => error.into(),
        TuneError::Run(_) | TuneError::Stopped => error.into(),
        error => UsageError(error.to_string()).into(),
    }
}

fn report_end(
    args: &RunArgs,
    shard: Option<Shard>,
    dir: &Path,
    trace: &Trace,
    out: &mut dyn Write,
) -> anyhow::Result<Status> {
    if trace.tuned.is_none() {
        let command = args.resume_command(&["tune"], dir, shard);
        complain(&format!("stopped; go on with:\n{command}"));
        return Ok(Status::Negative);
    }
    let file = |name: &str| quoted(&dir.join(name).display().to_string());
    writeln!(out, "\nTrace: {}  Result: {}", file("trace.html"), file("tuned.json"))?;
    writeln!(out, "Test it: {} tournament run {}", quoted(&program_name()), file("sprt.json"))?;
    Ok(Status::Done)
}

/// The progress of a run on standard error.
struct TuneProgress {
    is_quiet: bool,
    /// Made with the first game or the first wait, when it is known how many games there were before.
    view: RefCell<Option<LiveView>>,
    status: RefCell<String>,
    /// When somebody was last told of a wait, or games were last played here.
    waited: Cell<Instant>,
    between_complaints: Duration,
}

const BETWEEN_COMPLAINTS: Duration = Duration::from_secs(30);

impl TuneProgress {
    fn new(is_quiet: bool) -> Self {
        let (view, status, waited) = (RefCell::default(), RefCell::default(), Cell::new(Instant::now()));
        TuneProgress { is_quiet, view, status, waited, between_complaints: BETWEEN_COMPLAINTS }
    }

    fn end(&self) {
        if let Some(view) = self.view.borrow_mut().as_mut() {
            view.end(self.status.borrow().clone());
        }
    }

    fn tell(&self, event: TuneEvent<'_>) {
        match event {
            TuneEvent::Games { done, of } => {
                self.view(done.saturating_sub(1), of).advance(done, || self.status.borrow().clone());
                self.waited.set(Instant::now());
            }
            TuneEvent::Waiting { game, done, of } if self.waited.get().elapsed() >= self.between_complaints => {
                self.waited.set(Instant::now());
                let question = format!("waiting for game {game}, which another shard plays; are all shards running?");
                self.view(done, of).print(&question);
            }
            TuneEvent::Waiting { .. } => {}
            TuneEvent::Row(trace) => {
                *self.status.borrow_mut() = status(trace);
                // A fit takes long after the last game of a round.
                if let Some(view) = self.view.borrow_mut().as_mut() {
                    view.tick(|| self.status.borrow().clone());
                }
            }
        }
    }

    /// The view of `of` games, of which so many were there before it.
    fn view(&self, before: u64, of: u64) -> RefMut<'_, LiveView> {
        let view = self.view.borrow_mut();
        RefMut::map(view, |view| {
            view.get_or_insert_with(|| LiveView::new(Unit::Games, Some(of), before, self.is_quiet))
        })
    }
}

/// Where the search stands, on one line.
fn status(trace: &Trace) -> String {
    let is_landscape = trace.method.is_landscape();
    let row = if is_landscape { trace.best().first().copied() } else { trace.rows.last() };
    let Some(row) = row else { return String::new() };
    let values = trace.space.labels().into_iter().zip(&row.values).take(MOST_VALUES);
    let place = format!("{}/{} {}", trace.rows.len(), trace.expected, trace.method.row_name());
    if let Some([train, validation]) = row.losses() {
        return format!("{place}, loss {train:.4} in training, {validation:.4} in validation");
    }
    let (word, rate, decimals) = match row.score() {
        Some(score) if is_landscape => ("best", score.total().rate(), 0),
        _ => ("score", trace.total().total().rate(), 1),
    };
    let values: Vec<String> = values.map(|(label, value)| format!("{label} {value:.decimals$}")).collect();
    let rate = rate.map_or(String::new(), |rate| format!(", {word} {:.1} %", 100.0 * rate));
    format!("{place}{rate}, {}", values.join(", "))
}

/// More parameters do not fit on a line.
const MOST_VALUES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_before_the_first_game_is_told_too() {
        let progress = TuneProgress { between_complaints: Duration::ZERO, ..TuneProgress::new(true) };
        progress.tell(TuneEvent::Waiting { game: 7, done: 4, of: 20 });
        assert!(progress.view.borrow().is_some());
        let patient = TuneProgress::new(true);
        patient.tell(TuneEvent::Waiting { game: 7, done: 4, of: 20 });
        assert!(patient.view.borrow().is_none(), "not at once");
    }
}
