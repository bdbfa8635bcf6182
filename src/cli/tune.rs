//! `reynard tune`: better settings by playing games or fitting positions.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;

use super::exit::{UsageError, Verdict};
use crate::tournament::header::Shard;
use crate::tournament::journal::JournalError;
use crate::tune::{self, GamesError, Manner, Plan, Start, Trace, TuneError, Watch, output};

/// Search better values for numeric options: by SPSA, on a grid, at random points, or by regression on positions.
///
/// The directory then holds the trace (trace.html, .csv, .jsonl), the result as an options file (tuned.json) and a
/// tournament that tests the result against the start (sprt.json). With node or depth limits the result is the same
/// for any concurrency, any number of shards, and after any interruption.
#[derive(Args)]
pub struct TuneArgs {
    /// What to tune; tournaments/README.md documents every key
    #[arg(value_name = "SPEC.json")]
    spec: PathBuf,
    /// Where the journal and the results go [default: the spec's name without .json, in the present directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games at the same time [default: that of the spec]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    concurrency: Option<u32>,
    /// Go on with what the directory's journal holds
    #[arg(long)]
    resume: bool,
    /// Play part I (from 0) of N; all parts run at the same time and share the directory
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    match numbers {
        Some((index, count)) if index < count => Ok(Shard { index, count }),
        _ => Err("expected I/N with I from 0 to N-1, for example 0/2".to_owned()),
    }
}

pub fn run(args: &TuneArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let plan = Plan::load(&args.spec).map_err(|error| UsageError(in_file(&args.spec, &error.to_string())))?;
    let dir = directory(args);
    let stop = stop_at_interrupt()?;
    let manner = Manner {
        concurrency: args.concurrency.map_or(plan.spec.concurrency, |count| count as usize),
        shard: args.shard,
        start: if args.resume { Start::Resume } else { Start::Fresh },
        stop: &stop,
    };
    let trace = tune::run(plan, &dir, manner, &Progress::new(args.quiet)).map_err(in_words)?;
    writeln!(out, "{}", output::table(&trace).trim_end())?;
    report_end(args, &dir, &trace, out)
}

/// The message with the file's name before it, once.
fn in_file(file: &Path, message: &str) -> String {
    let name = file.display().to_string();
    if message.contains(&name) { message.to_owned() } else { format!("{name}: {message}") }
}

fn directory(args: &TuneArgs) -> PathBuf {
    let named = || args.spec.file_stem().map_or_else(|| PathBuf::from("tuning"), PathBuf::from);
    args.out.clone().unwrap_or_else(named)
}

/// A flag that Ctrl-C and a request to terminate set.
fn stop_at_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

/// What the caller can put right is a matter of usage.
fn in_words(error: TuneError) -> anyhow::Error {
    match error {
        TuneError::Journal(JournalError::Io { .. }) | TuneError::Output(_) => error.into(),
        TuneError::Games(GamesError::Run(_) | GamesError::Stopped) => error.into(),
        TuneError::Games(GamesError::Journal(JournalError::Io { .. })) => error.into(),
        error => UsageError(error.to_string()).into(),
    }
}

fn report_end(args: &TuneArgs, dir: &Path, trace: &Trace, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let dir_text = dir.display();
    if trace.tuned.is_some() {
        writeln!(out, "\nTrace: {dir_text}/trace.html  Result: {dir_text}/tuned.json")?;
        writeln!(out, "Test it: reynard tournament run {dir_text}/sprt.json")?;
        return Ok(Verdict::Done);
    }
    let spec = args.spec.display();
    let shard = args.shard.map_or(String::new(), |shard| format!(" --shard {}/{}", shard.index, shard.count));
    let concurrency = args.concurrency.map_or(String::new(), |count| format!(" --concurrency {count}"));
    writeln!(out, "\nStopped. Go on with: reynard tune {spec} --out {dir_text}{shard}{concurrency} --resume")?;
    Ok(Verdict::No)
}

/// Plain lines on standard error, not too many of them.
struct Progress {
    is_quiet: bool,
    start: Instant,
    told: Cell<Option<Instant>>,
    /// Games that were known when the first one was played here.
    known: Cell<Option<u64>>,
    waited: Cell<Option<Instant>>,
}

const BETWEEN_LINES: Duration = Duration::from_secs(5);
const BETWEEN_COMPLAINTS: Duration = Duration::from_secs(30);

impl Progress {
    fn new(is_quiet: bool) -> Self {
        let start = Instant::now();
        Progress { is_quiet, start, told: Cell::new(None), known: Cell::new(None), waited: Cell::new(Some(start)) }
    }

    /// Whether `clock` has not been taken for so long; takes it then.
    fn is_due(&self, clock: &Cell<Option<Instant>>, pause: Duration) -> bool {
        let is_due = !self.is_quiet && clock.get().is_none_or(|last| last.elapsed() >= pause);
        if is_due {
            clock.set(Some(Instant::now()));
        }
        is_due
    }

    /// Whoever closed standard error does not want to hear.
    fn tell(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

impl Watch for Progress {
    fn game(&self, done: u64, of: u64) {
        let known = self.known.get().unwrap_or(done.saturating_sub(1));
        self.known.set(Some(known));
        if done == of || self.is_due(&self.told, BETWEEN_LINES) {
            let rate = (done - known) as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
            let left = Duration::from_secs_f64((of.saturating_sub(done)) as f64 / rate.max(1e-6));
            if !self.is_quiet {
                self.tell(&format!("game {done} of {of}, {rate:.1} games/s, {} left", in_time(left)));
            }
        }
    }

    fn waiting(&self, game: u64) {
        if self.is_due(&self.waited, BETWEEN_COMPLAINTS) {
            self.tell(&format!("waiting for game {game}, which another shard plays; are all shards running?"));
        }
    }

    fn row(&self, trace: &Trace) {
        if !self.is_due(&self.told, BETWEEN_LINES) {
            return;
        }
        let Some(row) = trace.rows.last() else { return };
        let values = trace.space.labels().into_iter().zip(&row.values);
        let values: Vec<String> = values.map(|(label, value)| format!("{label} {value:.1}")).collect();
        let rate = trace.total().total().rate().map_or(String::new(), |rate| format!(", score {:.1} %", 100.0 * rate));
        let (done, of, name) = (trace.rows.len(), trace.expected, trace.method.row_name());
        self.tell(&format!("{done} of {of} {name}{rate}: {}", values.join(", ")));
    }
}

fn in_time(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
