//! `reynard tournament merge`: joins parts that were played apart.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::Context;
use clap::Args;
use reynard_engine::files;

use super::results;
use super::run::BETWEEN_LOOKS;
use crate::cli::exit::{Status, UsageError, complain};
use crate::cli::interrupt;
use crate::cli::live::{LiveView, Unit};
use crate::tournament::director::Progress;
use crate::tournament::journal::{Archive, JournalError, Layout, ShardTails};
use crate::tournament::report::{LineStyle, ReportError, sprt_line};
use crate::tournament::standings::Standings;

/// Join the results of shards, or of other parts of the same tournament, into a directory of their own.
///
/// The result is the same, byte for byte, as if one process had played all games. Parts of different tournaments are
/// refused, and so are parts that disagree about a game. Missing games are told on standard error, and the exit code is
/// then 1.
#[derive(Args)]
pub(super) struct MergeArgs {
    /// Directories with results of the same spec
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// Directory for the joined results; an earlier merge there is replaced if it has no other games
    #[arg(long, value_name = "DIR", required_unless_present = "watch")]
    out: Option<PathBuf>,
    /// Instead of --out: read the shards while they are played, and join them when all games are there
    ///
    /// A sequential test is decided as the run of one process would decide it, pair by pair in their order; then every
    /// shard is stopped by a file `stop` in its directory, and ends with exit code 0. Shards need not have begun.
    #[arg(long, value_name = "OUT", conflicts_with = "out")]
    watch: Option<PathBuf>,
    /// Folder of tables of perfect play, by which mistakes are counted
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Say nothing on standard error but warnings
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let dir = args.watch.as_deref().or(args.out.as_deref()).context("--out or --watch")?;
    let stop = interrupt::flag()?;
    if args.watch.is_some() && !watch(&args.dirs, args.quiet, &stop)? {
        complain(&"stopped; the shards go on. This goes on watching them: the same command");
        return Ok(Status::Negative);
    }
    let mut joined = join(&args.dirs, dir, &stop);
    // A shard that ends puts its journal in order, once.
    for _ in &args.dirs {
        if args.watch.is_some()
            && matches!(joined.as_ref().map_err(|error| error.downcast_ref()), Err(Some(JournalError::Changed { .. })))
        {
            thread::sleep(BETWEEN_LOOKS);
            joined = join(&args.dirs, dir, &stop);
        }
    }
    let (archive, standings, warning) = joined?;
    if let Some(warning) = &warning {
        complain(warning);
    }
    let subject = results::subject(&archive, args.tables.as_deref(), args.quiet, || stop.load(Ordering::Relaxed))?;
    let status = results::close(subject, &standings, LineStyle::Plain, args.quiet, out)?;
    Ok(if warning.is_some() { Status::Negative } else { status })
}

/// Joins the results of these directories in a new one; gives what is in it, with the standings of all parts and a
/// warning where games are missing.
fn join(dirs: &[PathBuf], dir: &Path, stop: &AtomicBool) -> anyhow::Result<(Archive, Standings, Option<String>)> {
    // A shard that was stopped before it began has nothing.
    let has_begun = |dir: &&Path| Layout::new(*dir).journal().exists() || !Layout::new(*dir).stop().exists();
    let mut begun = dirs.iter().map(PathBuf::as_path).filter(has_begun);
    let Some(first) = begun.next() else {
        let names: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
        let names = names.join(", ");
        return Err(UsageError(format!("none of the shards has begun, and all are stopped: {names}")).into());
    };
    let parts = results::join(first, begun)?;
    let mut progress = Progress::new(&parts.header)?;
    for game in parts.games() {
        if stop.load(Ordering::Relaxed) {
            return Err(ReportError::Stopped.into());
        }
        let game = game?;
        progress.add(&game.record, &game.times.move_us);
    }
    let decided = progress.standings.decided_pairs();
    let whole = parts.write(dir, |game| decided.is_none_or(|pairs| game / 2 < pairs))?;
    if let Some(spec) = parts.parts.iter().map(|part| part.layout.spec()).find(|path| path.exists()) {
        results::keep_spec(&spec, &[], whole.layout())?;
    }
    let missing = progress.missing().filter(|_| decided.is_none()).map(|missing| warning(&parts, missing));
    Ok((whole, progress.standings, missing))
}

/// Waits until a sequential test is decided, and stops the shards then, or until no game is missing. False after
/// Ctrl-C.
fn watch(dirs: &[PathBuf], is_quiet: bool, stop: &AtomicBool) -> anyhow::Result<bool> {
    let mut watched = WatchedShards::new(dirs);
    let mut view = LiveView::new(Unit::Games, None, 0, is_quiet);
    while !stop.load(Ordering::Relaxed) {
        match watched.look() {
            // A shard that ends puts its journal in order.
            Err(JournalError::Changed { .. }) => watched = WatchedShards::new(dirs),
            Err(error) => return Err(error.into()),
            Ok(false) => {}
            Ok(true) => {
                watched.progress.iter().for_each(|progress| view.finish(&progress.standings));
                watched.stop_shards()?;
                return Ok(true);
            }
        }
        let begun = || format!("{} of {} shards have begun", watched.tails.found(), dirs.len());
        match &watched.progress {
            Some(progress) if watched.tails.found() == dirs.len() => view.update(&progress.standings),
            _ => view.tick(begun),
        }
        thread::sleep(BETWEEN_LOOKS);
    }
    Ok(false)
}

/// Shards of one tournament while they are played.
struct WatchedShards {
    dirs: Vec<PathBuf>,
    tails: ShardTails,
    /// `None` before the first has begun.
    progress: Option<Progress>,
}

impl WatchedShards {
    fn new(dirs: &[PathBuf]) -> Self {
        WatchedShards { dirs: dirs.to_vec(), tails: ShardTails::default(), progress: None }
    }

    /// Reads what was added; whether nothing more is to be waited for.
    fn look(&mut self) -> Result<bool, JournalError> {
        self.tails.find(&self.dirs)?;
        // Shards that are all asked to end bring nothing more.
        let is_asked = self.dirs.iter().all(|dir| Layout::new(dir).stop().exists());
        let Some(header) = self.tails.header() else { return Ok(is_asked) };
        let progress = match &mut self.progress {
            Some(progress) => progress,
            None => {
                let Ok(progress) = Progress::new(header) else { return Ok(true) };
                self.progress.insert(progress)
            }
        };
        let games = progress.standings.games();
        self.tails.read(|game| progress.add(game, &[]))?;
        let has_more = progress.standings.games() > games;
        let is_over = || progress.standings.decided_pairs().is_some() || progress.missing().is_none();
        Ok(is_asked || has_more && is_over())
    }

    /// Asks every shard to end where a test is decided: nothing more that it plays counts.
    fn stop_shards(&self) -> anyhow::Result<()> {
        let verdict = self.progress.as_ref().and_then(|progress| Some(progress.standings.sprt()?.verdict()));
        let Some(verdict) = verdict.filter(|verdict| verdict.decision.is_some()) else { return Ok(()) };
        let why = format!("The test is decided: {}\n", sprt_line(&verdict));
        for dir in &self.dirs {
            let path = Layout::new(dir).stop();
            let written = fs::create_dir_all(dir).and_then(|()| files::write(&path, why.as_bytes()));
            written.with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

/// Tells the first game that is in none of the parts, and how many there are.
fn warning(archive: &Archive, (first, missing): (u64, u64)) -> String {
    let shards: Vec<String> =
        archive.parts.iter().filter_map(|part| part.shard).map(|shard| shard.to_string()).collect();
    let shards = if shards.is_empty() { String::new() } else { format!(" The shards here are {}.", shards.join(", ")) };
    format!(
        "warning: {missing} game(s) are missing, the first is game {first}.{shards} \"tournament run SPEC --out DIR \
         --resume\" plays them"
    )
}
