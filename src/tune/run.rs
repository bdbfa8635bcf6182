//! A tuning run from its plan to the files of its result.

use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::games::{Games, GamesError, Manner, Watch};
use super::landscape::{self, Visit};
use super::objective::Meeting;
use super::outcome::{Row, Trace};
use super::output::{self, OutputError};
use super::plan::{Plan, Search};
use super::space::Point;
use super::spec::TexelSpec;
use super::spsa::{Gains, Spsa};
use super::texel::{self, Fit, TexelError};
use crate::engine::registry::RulesetChoice;
use crate::tournament::arena::EngineConfig;
use crate::tournament::journal::JournalError;
use crate::tournament::player::{self, PreflightError};

/// Why a run ended without a result.
#[derive(Debug, Error)]
pub(crate) enum TuneError {
    #[error(transparent)]
    Games(GamesError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Texel(#[from] TexelError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("the {0}")]
    Engine(#[from] PreflightError),
    #[error("the method texel plays no games, so there is nothing to share: leave the shard out")]
    NoShards,
}

/// Between two versions of the trace's files while a run goes on.
const REFRESH: Duration = Duration::from_secs(15);

/// Runs a plan in a directory and leaves its files there; a trace without a result means that it was stopped.
///
/// With node or depth limits the files are the same for any concurrency, any number of shards and any interruption.
///
/// # Errors
/// See [`TuneError`]; what was played is in the journal.
pub(crate) fn run(mut plan: Plan, dir: &Path, manner: Manner<'_>, watch: &dyn Watch) -> Result<Trace, TuneError> {
    let mut trace = empty(&plan);
    match &plan.search {
        Search::Texel { .. } if manner.shard.is_some() => return Err(TuneError::NoShards),
        Search::Texel { spec, ruleset } => trace.take_fit(&fit(&plan, spec, ruleset)?),
        Search::Spsa { .. } | Search::Landscape(_) => trace = play(&mut plan, dir, manner, watch, trace)?,
    }
    output::write_trace(dir, &trace)?;
    output::write_result(dir, &plan, &trace)?;
    Ok(trace)
}

fn empty(plan: &Plan) -> Trace {
    let seats = &plan.header.rulesets[0].seats;
    let role = |seat: usize| seats.get(seat).map_or(String::new(), |seat| seat.role.clone());
    Trace {
        name: plan.spec.name.clone(),
        method: plan.spec.method,
        space: plan.space.clone(),
        roles: [role(0), role(1)],
        rows: Vec::new(),
        expected: plan.meetings(),
        tuned: None,
        remarks: Vec::new(),
    }
}

fn fit(plan: &Plan, spec: &TexelSpec, ruleset: &RulesetChoice) -> Result<Fit, TexelError> {
    texel::fit(&texel::Request {
        spec,
        games: spec.games.iter().map(|dir| plan.folder.join(dir)).collect(),
        ruleset,
        options: &plan.base.options,
        space: &plan.space,
        seed: plan.spec.seed,
        tables: plan.spec.tables.as_ref().map(|folder| plan.folder.join(folder)),
    })
}

/// Plays the games of a plan.
fn play(plan: &mut Plan, dir: &Path, manner: Manner<'_>, watch: &dyn Watch, trace: Trace) -> Result<Trace, TuneError> {
    let chronicle = RefCell::new(Chronicle { trace, dir, watch, written: Instant::now(), trouble: None });
    let show = |row: Row| chronicle.borrow_mut().add(row);
    let (start, seed) = (plan.space.start(), plan.spec.seed);
    let task = task(plan, seed);
    try_out(plan)?;
    let mut games = Games::open(plan, dir, manner, watch)?;
    let played = match task {
        Task::Spsa(mut spsa) => spsa.run(&mut games, |iteration| show(Row::of_iteration(iteration))),
        Task::Landscape(points) => explore(&points, &start, &mut games, |visit| show(Row::of_visit(&visit, &start))),
    };
    let mut chronicle = chronicle.into_inner();
    match played {
        Ok(()) => {
            chronicle.trace.remarks.extend(of_forfeits(games.forfeits()));
            games.complete()?;
            chronicle.trace.tuned = chronicle.trace.present();
        }
        Err(GamesError::Stopped) => {}
        Err(error) => return Err(TuneError::Games(error)),
    }
    chronicle.trouble.map_or(Ok(chronicle.trace), |error| Err(error.into()))
}

fn of_forfeits(games: u64) -> Option<String> {
    (games > 0).then(|| format!("{games} of the games were forfeits, whose results say nothing about the parameters."))
}

/// Whether the engine plays at all, and knows every parameter.
fn try_out(plan: &mut Plan) -> Result<(), PreflightError> {
    let start = plan.space.configure(&plan.base, &plan.space.start());
    let names: Vec<String> = plan.arena.engines.iter().map(|engine| engine.name.clone()).collect();
    plan.arena.engines = vec![EngineConfig { name: "engine".to_owned(), ..start }];
    let tried = player::preflight(&plan.arena);
    plan.arena.engines = names.into_iter().map(|name| EngineConfig { name, ..plan.base.clone() }).collect();
    tried
}

/// What a plan asks of the games.
enum Task {
    Spsa(Spsa),
    Landscape(Vec<Point>),
}

fn task(plan: &Plan, seed: u64) -> Task {
    let spsa = |gains: Vec<Gains>, iterations| Spsa::new(plan.space.clone(), gains, iterations, seed);
    match &plan.search {
        Search::Spsa { gains, iterations } => Task::Spsa(spsa(gains.clone(), *iterations)),
        Search::Landscape(points) => Task::Landscape(points.clone()),
        Search::Texel { .. } => Task::Landscape(Vec::new()),
    }
}

/// The points are independent: this process plays all of its own before it waits for those of others.
fn explore(points: &[Point], start: &[i64], games: &mut Games<'_>, show: impl FnMut(Visit)) -> Result<(), GamesError> {
    let shared = if games.is_shared() { points } else { &[] };
    for (number, point) in (0..).zip(shared) {
        games.play_share(Meeting { number, first: point, second: start })?;
    }
    landscape::explore(points, start, games, show)
}

/// The trace as it grows, written down from time to time.
struct Chronicle<'a> {
    trace: Trace,
    dir: &'a Path,
    watch: &'a dyn Watch,
    written: Instant,
    trouble: Option<OutputError>,
}

impl Chronicle<'_> {
    fn add(&mut self, row: Row) {
        self.trace.rows.push(row);
        self.watch.row(&self.trace);
        if self.written.elapsed() >= REFRESH {
            self.trouble = output::write_trace(self.dir, &self.trace).err();
            self.written = Instant::now();
        }
    }
}
