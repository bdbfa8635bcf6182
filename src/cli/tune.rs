//! `reynard tune`: better settings by playing games, or learned weights.

mod learn;

use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};

use super::exit::{Status, UsageError, complain};
use super::interrupt;
use super::live::{LiveView, Unit, watch_openings};
use super::output::{columns, quoted};
use super::tournament::run_args::{RunArgs, check_load, program_name, warn_of_openings};
use super::tournament::shard;
use crate::tournament::header::Shard;
use crate::tournament::report::wrapped;
use crate::tournament::runner::Stop;
use crate::tune::{self, RunOptions, Trace, TuneError, TuneEvent};

/// Search better values for numeric options (by SPSA, on a grid, or at random points), or learn the weights of a
/// hunt's evaluation: `reynard tune learn`.
///
/// What was found then plays a match against the start values, which stay the result unless it wins. The directory holds
/// the trace (trace.html, trace.jsonl), the result as an options file (tuned.json) and as data (result.json), learned
/// weights (learned.weights), and a longer test of what was found (sprt.json). With node or depth limits the result is
/// the same for any concurrency, any number of shards, and after any interruption.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct TuneArgs {
    #[command(flatten)]
    run: RunArgs,
    #[command(subcommand)]
    command: Option<TuneCommand>,
    /// Play part I of N, I from 0 to N-1; all parts run at the same time and share the directory
    ///
    /// Also read from SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, and from JOB_COMPLETION_INDEX with
    /// JOB_COMPLETIONS; --shard 0/1 plays everything all the same.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Subcommand)]
enum TuneCommand {
    /// Learn the weights of the evaluation of one game, a hunt, and test them
    Learn(learn::LearnArgs),
}

pub(super) fn run(args: &TuneArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        Some(TuneCommand::Learn(args)) => learn::run(args, out),
        None => run_spec(&args.run, shard::shard(args.shard)?, interrupt::stop, out),
    }
}

/// Runs a spec; `stop` is called when the games begin, as what comes before ends at once.
fn run_spec(
    args: &RunArgs,
    shard: Option<Shard>,
    stop: impl FnOnce() -> anyhow::Result<&'static Stop>,
    out: &mut dyn Write,
) -> anyhow::Result<Status> {
    let resolved = watch_openings(args.quiet, |report| args.spec.load_tuning(report))?;
    if let Some(doubt) = resolved.doubt().filter(|_| !args.quiet) {
        complain(&format!("warning: {doubt}"));
    }
    warn_of_openings(&resolved.tournament, args.quiet)?;
    let concurrency = args.concurrency.map_or(resolved.spec.concurrency, usize::from);
    check_load(&resolved.tournament, concurrency, args.force, args.quiet)?;
    let dir = args.results_dir(None);
    let stop = stop()?;
    let progress = TuneProgress::new(args.quiet);
    let options =
        RunOptions { concurrency, shard, resume: args.resume, stop, observer: &|event| progress.report(event) };
    let run = tune::run(resolved, &dir, &options);
    progress.end(run.as_ref().is_ok_and(|trace| trace.end.is_some()));
    let trace = run.map_err(in_words)?;
    writeln!(out, "{}", tune::text(&trace, columns()).trim_end())?;
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
    let Some((_, verdict)) = &trace.end else {
        let command = args.resume_command(&["tune"], dir, shard);
        complain(&format!("stopped; go on with:\n{command}"));
        return Ok(Status::Negative);
    };
    let file = |name: &str| quoted(&dir.join(name).display().to_string());
    writeln!(out, "\nTrace: {}  Result: {}", file("trace.html"), file("tuned.json"))?;
    if dir.join("sprt.json").exists() {
        writeln!(out, "Test it further: {} tournament run {}", quoted(&program_name()), file("sprt.json"))?;
    }
    write!(out, "{}", wrapped(&verdict.sentence(), columns()))?;
    Ok(Status::Done)
}

/// The progress of a run on standard error.
struct TuneProgress {
    is_quiet: bool,
    /// Made with the first game or the first wait, when it is known how many games there were before.
    view: RefCell<Option<LiveView>>,
    status: RefCell<String>,
    /// From when on a wait is reported.
    due: Cell<Instant>,
}

/// Shorter waits for other shards are not worth a word.
const FIRST_REPORT: Duration = Duration::from_secs(5);
const BETWEEN_REPORTS: Duration = Duration::from_secs(30);

impl TuneProgress {
    fn new(is_quiet: bool) -> Self {
        let due = Cell::new(Instant::now() + FIRST_REPORT);
        TuneProgress { is_quiet, view: RefCell::default(), status: RefCell::default(), due }
    }

    /// A search that ended where it began has no final match: `is_complete` whatever was expected.
    fn end(&self, is_complete: bool) {
        if let Some(view) = self.view.borrow_mut().as_mut() {
            if is_complete {
                view.expect_no_more();
            }
            view.end(self.status.borrow().clone());
        }
    }

    fn report(&self, event: TuneEvent<'_>) {
        match event {
            TuneEvent::Games { done, of } => {
                self.view(done.saturating_sub(1), of).advance(done, || self.status.borrow().clone());
                self.due.set(Instant::now() + FIRST_REPORT);
            }
            TuneEvent::Waiting { shards, missing, done, of } if self.due.get() <= Instant::now() => {
                self.due.set(Instant::now() + BETWEEN_REPORTS);
                self.view(done, of).print(&waiting(shards, missing));
            }
            TuneEvent::Waiting { .. } => {}
            TuneEvent::Fit { is_over } => interrupt::end_at_once(!is_over),
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

/// Whom a run waits for, and how to go on if they do not come.
fn waiting(shards: &BTreeSet<u64>, missing: u64) -> String {
    let names: Vec<String> = shards.iter().map(u64::to_string).collect();
    let (s, are) = if names.len() == 1 { ("", "is it") } else { ("s", "are they") };
    format!(
        "waiting for shard{s} {}: {missing} pairs of this match are missing; {are} running? `--resume` starts a shard \
         again",
        names.join(", ")
    )
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
    let values = values.enumerate().map(|(index, (label, value))| match trace.drift(index) {
        Some(drift) => format!("{label} {value:.1} (noise {:.1})", drift.reach()),
        None => format!("{label} {value:.0}"),
    });
    let (word, rate) = match row.score() {
        Some(score) if is_landscape => ("best", score.total().rate()),
        _ => ("drawn", trace.total().drawn()),
    };
    let rate = rate.map_or(String::new(), |rate| format!(", {word} {:.1} %", 100.0 * rate));
    format!("{place}{rate}, {}", values.collect::<Vec<_>>().join(", "))
}

/// More parameters do not fit on a line.
const MOST_VALUES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_reported_even_before_the_first_game_but_not_at_once() {
        let shards = BTreeSet::from([1, 3]);
        let wait = || TuneEvent::Waiting { shards: &shards, missing: 5, done: 4, of: 20 };
        let progress = TuneProgress::new(true);
        progress.report(wait());
        assert!(progress.view.borrow().is_none(), "not at once");
        progress.due.set(Instant::now());
        progress.report(wait());
        assert!(progress.view.borrow().is_some());
        assert!(progress.due.get() > Instant::now(), "and not again at once");
        assert!(waiting(&shards, 5).starts_with("waiting for shards 1, 3: 5 pairs of this match are missing"));
    }
}
