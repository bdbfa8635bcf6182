//! `reynard tournament run`: plays the games of a spec.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use reynard_engine::files;

use super::closing;
use super::results;
use super::run_args::{RunArgs, check_load};
use super::shard;
use crate::cli::exit::{Status, announce, complain, of_run};
use crate::cli::interrupt;
use crate::cli::live::{FirstForfeits, LiveView, Unit, resolve, write_finished};
use crate::tournament::director::{DirectorError, Progress, TournamentDirector};
use crate::tournament::events::EventLog;
use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::journal::{Archive, Journal, Layout, extend};
use crate::tournament::live::{self, LiveGames};
use crate::tournament::plan::{Conversations, Plan, Sinks};
use crate::tournament::player;
use crate::tournament::report::{self, LineStyle};
use crate::tournament::runner::{self, RunEnd, RunError, Stop};
use crate::tournament::spec::EventKind;

/// Play the games of a spec, or those that are still missing.
///
/// Every finished game is on the disk before it counts. After Ctrl-C no game is begun, and when those under way are
/// finished the command that goes on is printed; a second Ctrl-C gives up the games under way, as SIGTERM does at once,
/// and a third one ends the program without a word. Exit codes: 0 all games are played, 1 stopped before the end
/// (Ctrl-C, SIGTERM, or a forfeit with "on_forfeit": "stop"), 2 the spec or the directory is not right, 3 an internal
/// failure, or the machine lacks files, processes or memory.
#[derive(Args)]
pub(super) struct TournamentRunArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Play only the pairs of part I of N, I from 0 to N-1; `merge` joins the parts
    ///
    /// Also read from SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, and from JOB_COMPLETION_INDEX with
    /// JOB_COMPLETIONS; --shard 0/1 plays everything all the same. A part of a sequential test plays all its pairs
    /// unless `merge --watch` stops it: the parts decide the test together.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Print a line on standard error for every game that is over
    #[arg(long, conflicts_with_all = ["quiet", "cutechess"])]
    verbose: bool,
    /// Print what cutechess-cli prints, on standard output: a line for every game that is over, and between two engines
    /// the score behind it; nothing else is told while the games are played
    #[arg(long)]
    cutechess: bool,
}

pub(super) fn run(args: &TournamentRunArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (shard, game_lines, args) = (shard::shard(args.shard)?, args.game_lines(), &args.run);
    let out = &RefCell::new(out);
    let run = TournamentRun::new(args, shard)?;
    let mut sinks = run.sinks();
    player::preflight(&run.plan, &Conversations::Dropped)?;
    check_load(&run.plan, run.concurrency, args.force, args.quiet)?;
    if !args.quiet {
        run.warnings.iter().for_each(|warning| complain(&format!("warning: {warning}")));
    }
    let mut director = run.direct(args)?;
    results::keep_spec(&args.spec.path, &args.spec.changes(), &run.layout())?;
    run.open_events(&mut sinks)?;
    if let Some(events) = &sinks.events {
        director = director.with_events(Arc::clone(events));
    }
    let (end, by_file, director) = play(args, game_lines, &run, &sinks, director, out)?;
    if let Some(failure) = sinks.events.as_ref().and_then(|events| events.failure()) {
        complain(&format!("{}: {failure}; later events are missing", run.layout().events().display()));
    }
    let out = &mut **out.borrow_mut();
    match end {
        // Ctrl-C may come when a test has been decided and only surplus games are played.
        Ok(end) if end == RunEnd::Complete || director.standings().decided_pairs().is_some() => {
            director.complete()?;
            closing::close(&run.dir, run.plan.tables.as_deref(), game_lines.unwrap_or(LineStyle::Plain), out)?;
            if !args.quiet {
                closing::tell_files(&run.dir);
            }
            Ok(Status::Done)
        }
        Ok(_) if by_file => ended_by_file(game_lines, &run, &director, out),
        Ok(_) => stopped(args, game_lines, &run, &director, out),
        Err(forfeit @ RunError::Forfeit { .. }) => {
            complain(&forfeit);
            stopped(args, game_lines, &run, &director, out)
        }
        Err(error @ RunError::Director(_)) => Err(of_run(error)),
        Err(error @ RunError::Setup(_)) => {
            stopped(args, game_lines, &run, &director, out)?;
            Err(of_run(error))
        }
    }
}

impl TournamentRunArgs {
    fn game_lines(&self) -> Option<LineStyle> {
        match (self.cutechess, self.verbose) {
            (true, _) => Some(LineStyle::Cutechess),
            (_, true) => Some(LineStyle::Plain),
            _ => None,
        }
    }
}

/// The argument that asks for it.
fn argument(game_lines: Option<LineStyle>) -> Option<&'static str> {
    match game_lines {
        None => None,
        Some(LineStyle::Plain) => Some("--verbose"),
        Some(LineStyle::Cutechess) => Some("--cutechess"),
    }
}

/// All that a run needs, read and checked before anything is written.
struct TournamentRun {
    plan: Plan,
    dir: PathBuf,
    concurrency: usize,
    events: Vec<EventKind>,
    /// What is wrong with the openings.
    warnings: Vec<String>,
}

impl TournamentRun {
    fn new(args: &RunArgs, shard: Option<Shard>) -> anyhow::Result<TournamentRun> {
        let loaded = args.spec.load()?;
        let mut plan = resolve(&loaded, args.quiet)?;
        plan.header.shard = shard;
        let dir = args.results_dir(shard);
        let concurrency = args.concurrency.map_or(loaded.spec.concurrency, usize::from);
        let warnings = plan.opening_warnings()?;
        Ok(TournamentRun { plan, dir, concurrency, events: loaded.spec.events, warnings })
    }

    fn layout(&self) -> Layout {
        Layout::new(&self.dir)
    }

    /// Opens the journal, from where the games that it holds are left out.
    fn direct<'a>(&self, args: &RunArgs) -> anyhow::Result<TournamentDirector<'a>> {
        let progress = Progress::new(&self.plan.header)?;
        let (journal, archive) = open(args, &self.dir, &self.plan.header)?;
        Ok(TournamentDirector::new(progress).with_journal(journal, &archive)?)
    }

    fn sinks(&self) -> Sinks {
        let has_log = self.events.contains(&EventKind::EngineLog);
        let conversations = if has_log { Conversations::Kept(self.layout().logs()) } else { Conversations::Dropped };
        Sinks { conversations, ..Sinks::default() }
    }

    /// Opens the logs that the spec wants beside the journal.
    fn open_events(&self, sinks: &mut Sinks) -> anyhow::Result<()> {
        sinks.live = Some(LiveGames::new(live::path(&self.dir, None)));
        let path = self.layout().events();
        let events =
            EventLog::open(&path, &self.events, &self.plan.header).with_context(|| path.display().to_string())?;
        sinks.events = events.map(Arc::new);
        Ok(())
    }
}

type End = Result<RunEnd, RunError<DirectorError>>;

/// Plays the games. How the run ended comes with whether a file `stop` has ended it.
fn play<'a>(
    args: &RunArgs,
    game_lines: Option<LineStyle>,
    run: &TournamentRun,
    sinks: &Sinks,
    director: TournamentDirector<'a>,
    out: &'a RefCell<&mut dyn Write>,
) -> anyhow::Result<(End, bool, TournamentDirector<'a>)> {
    let stop = interrupt::stop()?;
    let is_quiet = args.quiet || game_lines == Some(LineStyle::Cutechess);
    let view = LiveView::new(Unit::Games, Some(director.progress().total()), director.progress().finished(), is_quiet);
    let view = Rc::new(RefCell::new(view));
    let watcher = Rc::clone(&view);
    let mut forfeits = FirstForfeits::default();
    let mut director = director.on_progress(move |progress, game| {
        let mut view = watcher.borrow_mut();
        view.update(&progress.standings);
        match game_lines {
            None => (),
            Some(LineStyle::Plain) => view.print(&report::finished_line(&game.record, progress.standings.engines())),
            // Whoever stopped reading does not stop the games: they are in the journal.
            Some(LineStyle::Cutechess) => {
                drop(write_finished(&game.record, &progress.standings, &mut **out.borrow_mut()))
            }
        }
        if let Some(line) = forfeits.announce(&game.record, progress.standings.engines()) {
            view.print(&line);
        }
        Ok(())
    });
    // The run is over when the sender is dropped.
    let (running, is_over) = bounded::<()>(0);
    let (end, by_file) = thread::scope(|scope| {
        let awaiting = scope.spawn(|| await_stop_file(&run.layout().stop(), stop, &is_over));
        let end = runner::run(&run.plan, sinks, run.concurrency, stop, &mut director);
        drop(running);
        (end, awaiting.join().unwrap_or(false))
    });
    view.borrow_mut().finish(director.standings());
    Ok((end, by_file, director))
}

/// A file `stop` is a line.
const MAX_STOP_BYTES: u64 = 1 << 16;
/// Between two looks at what other processes have left in a results directory.
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Stops the run when its directory has a file `stop`, as `merge --watch` writes it, unless it is asked to end or is
/// over before that; returns whether the file stopped it.
fn await_stop_file(path: &Path, stop: &Stop, is_over: &Receiver<()>) -> bool {
    while !path.exists() {
        if is_over.recv_timeout(BETWEEN_LOOKS) != Err(RecvTimeoutError::Timeout) || stop.is_asked() {
            return false;
        }
    }
    stop.give_up();
    true
}

/// The score so far, and why there is nothing to go on with.
fn ended_by_file(
    game_lines: Option<LineStyle>,
    run: &TournamentRun,
    director: &TournamentDirector<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<Status> {
    closing::print(&director.standings().summary(), game_lines.unwrap_or(LineStyle::Plain), out)?;
    let stop = run.layout().stop();
    let why = files::read_text(&stop, MAX_STOP_BYTES).unwrap_or_default();
    complain(&format!("ended by {}: {}", stop.display(), why.trim_end()));
    Ok(Status::Done)
}

/// The score so far, and how to go on.
fn stopped(
    args: &RunArgs,
    game_lines: Option<LineStyle>,
    run: &TournamentRun,
    director: &TournamentDirector<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<Status> {
    closing::print(&director.standings().summary(), game_lines.unwrap_or(LineStyle::Plain), out)?;
    let subcommand: Vec<&str> = ["tournament", "run"].into_iter().chain(argument(game_lines)).collect();
    let command = args.resume_command(&subcommand, &run.dir, run.plan.header.shard);
    tell_how_to_go_on(director, &command);
    Ok(Status::Negative)
}

/// On standard error: the command is for people, and the last line of standard output is the score.
fn tell_how_to_go_on(director: &TournamentDirector<'_>, command: &str) {
    let (played, total) = (director.progress().finished(), director.progress().total());
    complain(&format!("stopped with {played} of {total} games played; this goes on with them:"));
    announce(command);
}

fn open(args: &RunArgs, dir: &Path, header: &JournalHeader) -> anyhow::Result<(Journal, Archive)> {
    if args.resume {
        if let Some(growth) = extend(dir, header)? {
            complain(&format!("the tournament in {} is extended: {growth}", dir.display()));
        }
        let (journal, archive) = Journal::resume(dir, header)?;
        results::warn(&archive);
        return Ok((journal, archive));
    }
    let journal = Journal::create(dir, header)?;
    Ok((journal, Archive::read(dir)?))
}
