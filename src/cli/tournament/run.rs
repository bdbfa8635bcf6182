//! `reynard tournament run`: plays the games of a spec.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use reynard_engine::files;

use super::results;
use super::run_args::{RunArgs, check_load, warn_of_openings};
use super::shard;
use crate::cli::exit::{Status, announce, complain, of_run};
use crate::cli::interrupt;
use crate::cli::live::{FirstForfeits, LiveView, Unit, resolve, write_finished};
use crate::tournament::director::{DirectorError, Progress, TournamentDirector};
use crate::tournament::events::EventLog;
use crate::tournament::header::Shard;
use crate::tournament::journal::{Journal, Layout, extend};
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
    let run = TournamentRun::new(&args.run, args.game_lines(), shard::shard(args.shard)?)?;
    let (is_quiet, mut sinks) = (args.run.quiet, run.sinks());
    player::preflight(&run.plan, &Conversations::Dropped)?;
    check_load(&run.plan, run.concurrency, args.run.force, is_quiet)?;
    warn_of_openings(&run.plan, is_quiet)?;
    let mut director = TournamentDirector::new(Progress::new(&run.plan.header)?).with_journal(run.open()?)?;
    results::keep_spec(args.run.spec.path(), &args.run.spec.changes(), &run.layout)?;
    run.open_events(&mut sinks)?;
    if let Some(events) = &sinks.events {
        director = director.with_events(Arc::clone(events));
    }
    let out = &RefCell::new(out);
    let (end, by_file, director) = run.play(&sinks, director, out)?;
    if let Some(failure) = sinks.events.as_ref().and_then(|events| events.failure()) {
        complain(&format!("{}: {failure}; later events are missing", run.layout.events().display()));
    }
    let out = &mut **out.borrow_mut();
    match end {
        Ok(_) if by_file => run.ended_by_file(&director, out),
        // Ctrl-C may come when a test has been decided and only surplus games are played.
        Ok(end) if end == RunEnd::Complete || director.standings().decided_pairs().is_some() => {
            run.close(director, out)
        }
        Ok(_) => run.stopped(&director, out),
        Err(forfeit @ RunError::Forfeit { .. }) => {
            complain(&forfeit);
            run.stopped(&director, out)
        }
        Err(error @ RunError::Director(_)) => Err(of_run(error)),
        Err(error @ RunError::Setup(_)) => {
            run.stopped(&director, out)?;
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

/// A run, read and checked before anything is written.
struct TournamentRun<'a> {
    args: &'a RunArgs,
    /// Whether every game has a line when it is over, and for whom.
    game_lines: Option<LineStyle>,
    plan: Plan,
    layout: Layout,
    concurrency: usize,
}

type End = Result<RunEnd, RunError<DirectorError>>;

impl TournamentRun<'_> {
    fn new(args: &RunArgs, game_lines: Option<LineStyle>, shard: Option<Shard>) -> anyhow::Result<TournamentRun<'_>> {
        let loaded = args.spec.load()?;
        let mut plan = resolve(&loaded, args.quiet)?;
        plan.header.shard = shard;
        let concurrency = args.concurrency.map_or(plan.spec.concurrency, usize::from);
        Ok(TournamentRun { args, game_lines, plan, layout: Layout::new(args.results_dir(shard)), concurrency })
    }

    /// Opens the journal, and extends it where the spec is that of a larger tournament.
    fn open(&self) -> anyhow::Result<Journal> {
        let (dir, header) = (self.layout.dir(), &self.plan.header);
        if !self.args.resume {
            return Ok(Journal::create(dir, header)?);
        }
        if let Some(growth) = extend(dir, header)? {
            complain(&format!("the tournament in {} is extended: {growth}", dir.display()));
        }
        let journal = Journal::resume(dir, header)?;
        results::warn(journal.archive());
        Ok(journal)
    }

    fn sinks(&self) -> Sinks {
        let has_log = self.plan.spec.events.contains(&EventKind::EngineLog);
        let conversations = if has_log { Conversations::Kept(self.layout.logs()) } else { Conversations::Dropped };
        Sinks { conversations, ..Sinks::default() }
    }

    /// Opens the logs that the spec wants beside the journal.
    fn open_events(&self, sinks: &mut Sinks) -> anyhow::Result<()> {
        sinks.live = Some(LiveGames::new(live::path(self.layout.dir(), None)));
        let path = self.layout.events();
        let events = EventLog::open(&path, &self.plan.spec.events, &self.plan.header);
        sinks.events = events.with_context(|| path.display().to_string())?.map(Arc::new);
        Ok(())
    }

    /// Plays the games. How the run ended comes with whether a file `stop` has ended it.
    fn play<'a>(
        &self,
        sinks: &Sinks,
        director: TournamentDirector<'a>,
        out: &'a RefCell<&mut dyn Write>,
    ) -> anyhow::Result<(End, bool, TournamentDirector<'a>)> {
        let (stop, game_lines) = (interrupt::stop()?, self.game_lines);
        let is_quiet = self.args.quiet || game_lines == Some(LineStyle::Cutechess);
        let (finished, total) = (director.progress().finished(), director.progress().total());
        let view = Rc::new(RefCell::new(LiveView::new(Unit::Games, Some(total), finished, is_quiet)));
        let watcher = Rc::clone(&view);
        let mut forfeits = FirstForfeits::default();
        let mut director = director.on_progress(move |progress, game| {
            let (mut view, engines) = (watcher.borrow_mut(), progress.standings.engines());
            view.update(&progress.standings);
            match game_lines {
                None => (),
                Some(LineStyle::Plain) => view.print(&report::finished_line(&game.record, engines)),
                // A reader that has gone away does not stop the games: they are in the journal.
                Some(LineStyle::Cutechess) => {
                    drop(write_finished(&game.record, &progress.standings, &mut **out.borrow_mut()))
                }
            }
            if let Some(line) = forfeits.announce(&game.record, engines) {
                view.print(&line);
            }
            Ok(())
        });
        // The run is over when the sender is dropped.
        let (running, is_over) = bounded::<()>(0);
        let (end, by_file) = thread::scope(|scope| {
            let awaiting = scope.spawn(|| await_stop_file(&self.layout.stop(), stop, &is_over));
            let end = runner::run(&self.plan, sinks, self.concurrency, stop, &mut director);
            drop(running);
            (end, awaiting.join().unwrap_or(false))
        });
        view.borrow_mut().finish(director.standings());
        Ok((end, by_file, director))
    }

    fn style(&self) -> LineStyle {
        self.game_lines.unwrap_or(LineStyle::Plain)
    }

    /// Puts the journal in order, writes the reports and prints the result.
    fn close(&self, director: TournamentDirector<'_>, out: &mut dyn Write) -> anyhow::Result<Status> {
        let (archive, standings) = director.complete()?;
        let Some(archive) = archive else { return Ok(Status::Done) };
        let (tables, is_quiet) = (self.plan.tables.as_deref(), self.args.quiet);
        let subject = results::subject(&archive, tables, is_quiet, interrupt::is_asked_again())?;
        results::close(subject, &standings, self.style(), is_quiet, out)
    }

    /// Prints the score so far, and says why there is nothing to go on with.
    fn ended_by_file(&self, director: &TournamentDirector<'_>, out: &mut dyn Write) -> anyhow::Result<Status> {
        results::print(&director.standings().summary(), self.style(), out)?;
        let stop = self.layout.stop();
        let why = files::read_text(&stop, MAX_STOP_BYTES).unwrap_or_default();
        complain(&format!("ended by {}: {}", stop.display(), why.trim_end()));
        Ok(Status::Done)
    }

    /// Prints the score so far, and on standard error, where the last line of the other is the score, how to go on.
    fn stopped(&self, director: &TournamentDirector<'_>, out: &mut dyn Write) -> anyhow::Result<Status> {
        results::print(&director.standings().summary(), self.style(), out)?;
        let (played, total) = (director.progress().finished(), director.progress().total());
        complain(&format!("stopped with {played} of {total} games played; this goes on with them:"));
        let argument = match self.game_lines {
            None => None,
            Some(LineStyle::Plain) => Some("--verbose"),
            Some(LineStyle::Cutechess) => Some("--cutechess"),
        };
        let subcommand: Vec<&str> = ["tournament", "run"].into_iter().chain(argument).collect();
        announce(&self.args.resume_command(&subcommand, self.layout.dir(), self.plan.header.shard));
        Ok(Status::Negative)
    }
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
