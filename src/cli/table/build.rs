//! `reynard table build` and `verify`: solves a game and writes its tables, and checks tables by the rules alone.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use indicatif::HumanCount;
use rayon::ThreadPool;
use reynard_engine::tablebase::build::{
    BuildPlan, BuildRequest, LayerLimit, Resources, remove_partial_files, size_text,
};
use reynard_engine::tablebase::verify::{LayerFindings, Mismatch, VerifyRequest};
use reynard_engine::tablebase::{Identity, LayerProgress, Store, TableBuilder, TableError, existing_folder};

use super::list::Holdings;
use super::{FolderArgs, MetricArgs, ThreadArgs, geese, pool, table_builder, value_text};
use crate::cli::exit::{Status, complain};
use crate::cli::interrupt;
use crate::cli::live::{LiveView, Unit, duration_text};
use crate::cli::ruleset::RulesetArgs;

/// Solve a game and write its tables, one file for each number of geese, from few to many.
///
/// With distances to the end of the game, beside those to conversion, an engine knows the shortest win and says a true
/// `score mate`. Most games of one fox need little memory for them; all others 2 bytes for each position of all layers,
/// mirror images once.
///
/// Tables that are there already are kept, so that a build goes on where an earlier one ended, however that was; what
/// was not finished is thrown away. Before anything is written it is worked out whether memory and disk suffice.
#[derive(Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// The most geese [default: as many as the game starts with, or as many as fit]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), allow_negative_numbers = true)]
    geese: Option<u32>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Memory that may be used, in GiB, for example 5.5 [default: what this machine or its container has available]
    #[arg(long, value_name = "GIB", value_parser = parse_gib, allow_negative_numbers = true)]
    memory: Option<u64>,
}

/// Bytes from GiB.
fn parse_gib(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(gib) if gib > 0.0 && gib <= 1e6 => Ok((gib * (1u64 << 30) as f64) as u64),
        _ => Err("expected a number of GiB above 0, for example 5.5".to_owned()),
    }
}

pub(super) fn build(args: &BuildArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let builder = table_builder(&args.ruleset.choice(), args.metric.metric)??;
    let folder = args.folder.path();
    if folder.exists() {
        existing_folder(&folder)?;
    }
    let mut resources = Resources::available(&folder);
    resources.memory = args.memory.or(resources.memory);
    let limit = args.geese.map_or(LayerLimit::UpTo(builder.geese_at_start()), LayerLimit::Exactly);
    let progress = TableProgress::new(false);
    tidy_up_when_interrupted(&folder, &*builder, Arc::clone(&progress.is_building))?;
    let request = BuildRequest { limit, resources };
    let plan = progress.show(&args.threads.pool()?, || builder.build(&folder, &request, &progress))?;
    drop(progress);
    if plan.last == 0 {
        writeln!(out, "{}", plan.notice.unwrap_or_default())?;
    } else {
        report_build(&folder, builder.identity(), &plan, out)?;
        let holdings = Holdings::of(&folder, builder.identity(), builder.geese_at_start())?;
        if holdings.is_part() {
            writeln!(out, "{holdings}")?;
        }
    }
    Ok(Status::Done)
}

/// Builds the endings of a game that fit into memory, disk and this much processor time; returns the most geese, 0 for
/// none.
///
/// # Errors
/// The disk fails, another build is at work in the folder, or there are no threads to be had.
pub(in crate::cli) fn build_endings(
    builder: &dyn TableBuilder,
    folder: &Path,
    processor: Duration,
    threads: usize,
    is_quiet: bool,
) -> anyhow::Result<u32> {
    let resources = Resources { processor: Some(processor), ..Resources::available(folder) };
    let request = BuildRequest { limit: LayerLimit::UpTo(builder.geese_at_start()), resources };
    // Not even the first layer fits.
    if let Err(TableError::Refused(reason)) = builder.plan(folder, &request) {
        complain(&format!("without tables: {reason}"));
        return Ok(0);
    }
    let progress = TableProgress::new(is_quiet);
    Ok(progress.show(&pool(threads)?, || builder.build(folder, &request, &progress))?.last)
}

fn tidy_up_when_interrupted(
    folder: &Path,
    builder: &dyn TableBuilder,
    is_building: Arc<AtomicBool>,
) -> anyhow::Result<()> {
    let (folder, identity, geese) = (folder.to_owned(), builder.identity().clone(), builder.geese_at_start());
    interrupt::end_after(move || {
        // Before that, an unfinished file would be another build's.
        if is_building.load(Ordering::Relaxed) {
            let tidied = remove_partial_files(&folder, &identity);
            match tidied.and_then(|()| Holdings::of(&folder, &identity, geese)) {
                Ok(holdings) => {
                    let goes_on = if holdings.is_empty() { "begins anew" } else { "goes on from there" };
                    complain(&format!("stopped; {holdings}; the same command {goes_on}"));
                }
                Err(error) => complain(&error),
            }
        }
    })
}

fn report_build(folder: &Path, identity: &Identity, plan: &BuildPlan, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = Store::open(folder, identity.clone())?;
    let size: u64 = store.layers().values().map(|layer| layer.size()).sum();
    let built = plan.missing.len();
    let there = store.layers().len() - built;
    writeln!(
        out,
        "{}: tables with {} to {} geese are in '{}': {built} built, {there} were there, {} in all",
        identity.title(),
        plan.first,
        plan.last,
        folder.display(),
        size_text(size)
    )?;
    Ok(())
}

/// Check the tables of a game by a path of their own.
///
/// The checksum of every block is tested, and the value and distance of every position are worked out once more from
/// the positions after it, through the ordinary rules. Exit code 0: all is right; 1: something is wrong, and is named.
#[derive(Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Check this many positions of each table, drawn at random, instead of all; a smaller table is checked whole
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The seed of the drawing
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Check only the table with this many geese
    #[arg(long, value_name = "N")]
    geese: Option<u32>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn verify(args: &VerifyArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let builder = table_builder(&args.ruleset.choice(), args.metric.metric)??;
    let folder = args.folder.existing()?;
    let progress = TableProgress::new(false);
    let request = VerifyRequest { geese: args.geese, sample: args.sample, seed: args.seed };
    let verified = progress.show(&args.threads.pool()?, || builder.verify(&folder, &request, &progress));
    drop(progress);
    let findings = verified?;
    findings.iter().try_for_each(|layer| report_findings(builder.identity(), layer, out))?;
    Ok(if findings.iter().all(LayerFindings::is_good) { Status::Done } else { Status::Negative })
}

fn report_findings(identity: &Identity, layer: &LayerFindings, out: &mut dyn Write) -> anyhow::Result<()> {
    let (title, metric) = (identity.title(), identity.metric);
    let result = match (layer.wrong, layer.faults.is_empty()) {
        (0, true) => "all right".to_owned(),
        (0, false) => "the file is FAULTY".to_owned(),
        (wrong, _) => format!("{} of them WRONG", HumanCount(wrong)),
    };
    writeln!(out, "{title}, {}: {} positions checked, {result}", geese(layer.geese), HumanCount(layer.checked))?;
    layer.faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))?;
    for Mismatch { position, stored, derived } in &layer.mismatches {
        let [stored, derived] =
            [stored, derived].map(|value| value.map_or("nothing".to_owned(), |value| value_text(value, metric)));
        writeln!(out, "  {position}: stored {stored}, but it follows {derived}")?;
    }
    Ok(())
}

/// The time between two signs of life of a layer: some parts of one take minutes without a position that is done.
const TICK: Duration = Duration::from_millis(200);

/// Counts positions, and names the layer.
struct TableProgress {
    state: Mutex<State>,
    /// A build has locked its folder.
    is_building: Arc<AtomicBool>,
}

struct State {
    view: LiveView,
    /// The layers under way, and when they began.
    layers: Option<(RangeInclusive<u32>, Instant)>,
}

impl TableProgress {
    fn new(is_quiet: bool) -> Self {
        let view = LiveView::new(Unit::Positions, Some(0), 0, is_quiet);
        TableProgress { state: Mutex::new(State { view, layers: None }), is_building: Arc::default() }
    }

    /// Does the work in a pool of threads, and shows all the time that it goes on.
    fn show<T: Send>(&self, pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
        let (working, is_over) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.state().tick();
                }
            });
            let result = pool.install(work);
            drop(working);
            result
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tick(&mut self) {
        if let Some(status) = self.status() {
            self.view.tick(|| status);
        }
    }

    /// `12 geese for 1m 11s`.
    fn status(&self) -> Option<String> {
        let (layers, began) = self.layers.as_ref()?;
        Some(format!("{} for {}", geese_text(layers), duration_text(began.elapsed())))
    }
}

impl LayerProgress for TableProgress {
    fn planned(&self, plan: &BuildPlan) {
        self.is_building.store(true, Ordering::Relaxed);
        let view = &mut self.state().view;
        plan.notice.iter().filter(|_| plan.last > 0).for_each(|notice| view.print(notice));
        if !plan.missing.is_empty() {
            let (memory, disk) = (size_text(plan.memory_bytes()), size_text(plan.disk_bytes()));
            let (positions, time) = (HumanCount(plan.positions()), duration_text(plan.processor()));
            view.print(&format!(
                "to solve: {positions} positions, with at most {memory} of memory and {disk} on disk, in about {time} of \
                 processor time"
            ));
        }
        view.expect(plan.positions());
    }

    fn begin(&self, layers: RangeInclusive<u32>, positions: u64) {
        let mut state = self.state();
        // A build has counted all layers beforehand, a check counts them one by one.
        if !self.is_building.load(Ordering::Relaxed) {
            state.view.expect(positions);
        }
        state.layers = Some((layers, Instant::now()));
    }

    fn advance(&self, positions: u64) {
        let mut state = self.state();
        let (done, status) = (state.view.done() + positions, state.status());
        state.view.advance(done, || status.unwrap_or_default());
    }

    fn end(&self, layers: RangeInclusive<u32>, bytes: u64) {
        let mut state = self.state();
        let took = state.layers.take().map_or(0.0, |(_, began)| began.elapsed().as_secs_f64());
        state.view.print(&format!("{}: {} in {took:.1} s", geese_text(&layers), size_text(bytes)));
    }
}

/// `12 geese`, or `16 to 20 geese`.
fn geese_text(layers: &RangeInclusive<u32>) -> String {
    let (first, last) = (layers.start(), layers.end());
    if first == last { geese(*last) } else { format!("{first} to {last} geese") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_a_number_above_zero() {
        assert_eq!(parse_gib("0.5"), Ok(1 << 29));
        assert!(["0", "-1", "much", "NaN", "inf"].into_iter().all(|text| parse_gib(text).is_err()));
    }

    #[test]
    fn a_layer_is_named_with_its_time_until_its_end() {
        let progress = TableProgress::new(true);
        assert_eq!(progress.state().status(), None);
        progress.begin(7..=7, 100);
        progress.advance(10);
        assert_eq!(progress.state().status().as_deref(), Some("7 geese for 0s"));
        progress.begin(7..=9, 100);
        assert_eq!(progress.state().status().as_deref(), Some("7 to 9 geese for 0s"));
        progress.end(7..=9, 10);
        assert_eq!(progress.state().status(), None);
    }
}
