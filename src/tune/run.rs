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
use super::texel::{self, Fit};
use super::trace::{Measure, Trace, TraceRow};
use crate::tournament::journal::OutputError;
use crate::tournament::player::{self, PreflightError};
use crate::tournament::resolved::EngineConfig;

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
        ResolvedMethod::Texel { .. } | ResolvedMethod::Learn { .. } if options.shard.is_some() => {
            return Err(TuneError::NoShards);
        }
        ResolvedMethod::Texel { spec, ruleset } => take_fit(&mut trace, texel::fit(&resolved, spec, ruleset)?),
        ResolvedMethod::Learn { spec, ruleset } => {
            match learn::learn(&resolved, spec, ruleset, dir, options, &mut trace) {
                Ok(learned) => take_learned(&mut trace, dir, learned)?,
                Err(TuneError::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
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
        roles: resolved.header.rulesets[0].seats.each_ref().map(|seat| seat.role.clone()),
        rows: Vec::new(),
        expected: resolved.meetings(),
        tuned: None,
        remarks: Vec::new(),
    }
}

/// Takes over what a regression found: its weights, or the start values where the weights are no better on the
/// validation positions, because then they have learned chance.
fn take_fit(trace: &mut Trace, fit: Fit) {
    let [train, validation] = fit.positions;
    trace.remarks.push(format!("{train} positions for training, {validation} for validation."));
    trace.remarks.push(format!("{:.1} hundredths of a piece multiply the odds of winning by e.", fit.scale));
    if !fit.without_influence.is_empty() {
        let names = fit.without_influence.join(", ");
        trace.remarks.push(format!("No influence on any position, hence unchanged: {names}."));
    }
    let loss = |row: Option<&TraceRow>| row.and_then(TraceRow::losses).map(|[_, validation]| validation);
    let losses = loss(fit.steps.first()).zip(loss(fit.steps.last()));
    trace.rows = fit.steps;
    trace.tuned = match losses.filter(|_| validation > 0) {
        Some((before, after)) if after >= before => {
            trace.remarks.push(format!(
                "Tuning did not win: on the validation positions the fitted weights are no better than the start \
                 values (loss {after:.6} against {before:.6}). The result is the start values."
            ));
            Some(trace.space.start())
        }
        _ => Some(fit.tuned),
    };
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
        ResolvedMethod::Texel { .. } | ResolvedMethod::Learn { .. } => Ok(()),
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
    let tried = player::preflight(&resolved.tournament);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::space::{Axis, Space};
    use crate::tune::spec::TuneMethod;

    /// A fit that moved the one weight from 10 to 30 and changed the validation loss from 0.5.
    fn taken(validation_loss: f64, positions: [u64; 2]) -> Trace {
        let axis = Axis { name: "EvalFoxReach".to_owned(), role: None, start: 10, min: 0, max: 100 };
        let step = |number, weight, validation| TraceRow {
            number,
            values: vec![weight],
            measure: Measure::Losses { train: 0.4, validation },
        };
        let steps = vec![step(0, 10.0, 0.5), step(1, 29.6, validation_loss), step(2, 30.0, validation_loss)];
        let fit = Fit { scale: 100.0, positions, without_influence: vec![], steps, tuned: vec![30] };
        let mut trace = Trace {
            name: String::new(),
            method: TuneMethod::Texel,
            space: Space { axes: vec![axis] },
            roles: [String::new(), String::new()],
            rows: vec![],
            expected: 0,
            tuned: None,
            remarks: vec![],
        };
        take_fit(&mut trace, fit);
        trace
    }

    #[test]
    fn weights_that_have_learned_chance_are_not_the_result() {
        for loss in [0.5, 0.500001, 0.7] {
            let trace = taken(loss, [800, 200]);
            assert_eq!(trace.tuned, Some(vec![10]), "{loss}");
            assert!(trace.remarks.iter().any(|remark| remark.starts_with("Tuning did not win")), "{:?}", trace.remarks);
        }
        for (loss, positions) in [(0.499999, [800, 200]), (0.0, [1000, 0])] {
            let trace = taken(loss, positions);
            assert_eq!(trace.tuned, Some(vec![30]), "{loss}");
            assert!(trace.remarks.iter().all(|remark| !remark.contains("did not win")), "{:?}", trace.remarks);
        }
    }
}
