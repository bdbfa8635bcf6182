//! A tuning run from its spec to the files of its result.

use std::path::Path;
use std::time::{Duration, Instant};

use super::error::TuneError;
use super::games::{PairedGames, RunOptions, TuneEvent};
use super::learn::{self, Learned};
use super::meeting::Meeting;
use super::output;
use super::resolved::{ResolvedMethod, ResolvedTuneSpec};
use super::space::ParameterPoint;
use super::spsa::Spsa;
use super::trace::{Measure, Trace, TraceRow};
use crate::tournament::journal::OutputError;
use crate::tournament::plan::{Conversations, EngineConfig};
use crate::tournament::player::{self, PreflightError};

/// Between two versions of the trace's files while a run goes on.
const REFRESH: Duration = Duration::from_secs(15);

/// Runs a spec in a directory and leaves its files there; a trace without a result means that it was stopped.
///
/// With node or depth limits the files are the same for any concurrency, any number of shards and any interruption.
///
/// # Errors
/// See [`TuneError`]; what was played is in the journal.
pub(crate) fn run(mut resolved: ResolvedTuneSpec, dir: &Path, options: &RunOptions<'_>) -> Result<Trace, TuneError> {
    let mut trace = empty(&resolved);
    match &resolved.method {
        ResolvedMethod::Learn(_) if options.shard.is_some() => {
            return Err(TuneError::NoShards);
        }
        ResolvedMethod::Learn(spec) => match learn::learn(&resolved, spec, dir, options, &mut trace) {
            Ok(learned) => take_learned(&mut trace, dir, learned)?,
            Err(TuneError::Stopped) => {}
            Err(error) => return Err(error),
        },
        _ => trace = play(&mut resolved, dir, options, trace)?,
    }
    trace.remarks.extend(resolved.doubts());
    output::write_trace(dir, &trace)?;
    output::write_result(dir, &resolved, &trace)?;
    Ok(trace)
}

fn empty(resolved: &ResolvedTuneSpec) -> Trace {
    Trace {
        name: resolved.spec.name.clone(),
        method: resolved.spec.method,
        space: resolved.space.clone(),
        roles: resolved.tournament.header.rulesets[0].seats.each_ref().map(|seat| seat.role.clone()),
        rows: Vec::new(),
        expected: resolved.meetings(),
        tuned: None,
        remarks: Vec::new(),
    }
}

/// Writes what was learned.
fn take_learned(trace: &mut Trace, dir: &Path, learned: Learned) -> Result<(), OutputError> {
    trace.remarks.extend(learned.remarks);
    trace.tuned = Some(Vec::new());
    output::write_weights(dir, &learned.weights)
}

/// Plays the games of a run.
fn play(
    resolved: &mut ResolvedTuneSpec,
    dir: &Path,
    options: &RunOptions<'_>,
    trace: Trace,
) -> Result<Trace, TuneError> {
    preflight(resolved)?;
    let mut writer = TraceWriter { trace, dir, written: Instant::now(), failure: None };
    let mut show = |row| {
        writer.add(row);
        (options.observer)(TuneEvent::Row(&writer.trace));
    };
    let (space, method, seed) = (resolved.space.clone(), resolved.method.clone(), resolved.spec.seed);
    let mut games = PairedGames::open(resolved, dir, options)?;
    let played = match method {
        ResolvedMethod::Spsa { gains, iterations } => {
            Spsa::new(space, gains, iterations, seed).run(|meeting| games.meet(meeting), show)
        }
        ResolvedMethod::Landscape(points) => explore(&points, &space.start(), &mut games, options, &mut show),
        ResolvedMethod::Learn(_) => Ok(()),
    };
    match played {
        Ok(()) => {
            writer.trace.remarks.extend(games.remark_on_forfeits());
            games.complete()?;
            writer.trace.tuned = writer.trace.present();
        }
        Err(TuneError::Stopped) => {}
        Err(error) => return Err(error),
    }
    writer.failure.map_or(Ok(writer.trace), |error| Err(error.into()))
}

/// Whether the engine plays at all, and knows every parameter.
fn preflight(resolved: &mut ResolvedTuneSpec) -> Result<(), PreflightError> {
    let start = resolved.space.configure(&resolved.base, &resolved.space.start());
    let engines = vec![EngineConfig { name: "engine".to_owned(), ..start }];
    let both = std::mem::replace(&mut resolved.tournament.engines, engines);
    let tried = player::preflight(&resolved.tournament, &Conversations::Dropped);
    resolved.tournament.engines = both;
    tried
}

/// Lets every point meet the start. The points are independent: this process plays all of its own before it waits for
/// those of others.
fn explore(
    points: &[ParameterPoint],
    start: &[i64],
    games: &mut PairedGames<'_>,
    options: &RunOptions<'_>,
    show: &mut dyn FnMut(TraceRow),
) -> Result<(), TuneError> {
    let meetings = (0..).zip(points).map(|(number, point)| Meeting { number, first: point, second: start });
    if options.shard.is_some() {
        meetings.clone().try_for_each(|meeting| games.play_share(meeting))?;
    }
    for meeting in meetings {
        let score = games.meet(meeting)?;
        let values = meeting.first.iter().map(|&value| value as f64).collect();
        let measure = Measure::Match { first: meeting.first.to_vec(), second: start.to_vec(), score };
        show(TraceRow { number: meeting.number, values, measure });
    }
    Ok(())
}

/// The trace as it grows, written down from time to time.
struct TraceWriter<'a> {
    trace: Trace,
    dir: &'a Path,
    written: Instant,
    failure: Option<OutputError>,
}

impl TraceWriter<'_> {
    fn add(&mut self, row: TraceRow) {
        self.trace.rows.push(row);
        if self.written.elapsed() >= REFRESH {
            self.failure = output::write_trace(self.dir, &self.trace).err();
            self.written = Instant::now();
        }
    }
}
