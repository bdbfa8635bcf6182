//! A tuning run from its spec to the files of its result.

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reynard_engine::learning::{CONVERTERS, LearnPlayer};
use reynard_engine::session::options::EVAL_FILE;

use super::TuneError;
use super::final_match::Verdict;
use super::games::{Match, PairedGames, RunOptions, TuneEvent};
use super::journals::{games_from, journal_dirs};
use super::resolved::{ResolvedMethod, ResolvedTuneSpec};
use super::space::ParameterPoint;
use super::spsa::{Spsa, SpsaStep};
use super::trace::{Measure, Trace, TraceRow};
use super::{learn, result};
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::{Layout, OutputError};
use crate::tournament::plan::{Conversations, EngineConfig};
use crate::tournament::player::{self, PreflightError};

/// Between two versions of the trace's files while a run goes on; the first is written with its first row.
const REFRESH: Duration = Duration::from_secs(5);

/// Runs a spec in a directory and leaves its files there; a trace without an end means that it was stopped.
///
/// With node or depth limits the files are the same for any concurrency, any number of shards and any interruption.
///
/// # Errors
/// See [`TuneError`]; what was played is in the journal.
pub(crate) fn run(mut resolved: ResolvedTuneSpec, dir: &Path, options: &RunOptions<'_>) -> Result<Trace, TuneError> {
    let mut learner = match &resolved.method {
        ResolvedMethod::Learn(_) if options.shard.is_some() => return Err(TuneError::NoShards),
        ResolvedMethod::Learn(spec) => Some(learn::learner(&resolved, spec)?),
        _ => None,
    };
    preflight(&mut resolved)?;
    let mut writer = TraceWriter::new(&resolved, dir, options);
    let mut games = PairedGames::open(&mut resolved, dir, options)?;
    let method = games.resolved().method.clone();
    let mut climb = None;
    let searched = match (method, &mut learner) {
        (ResolvedMethod::Spsa { gains, iterations }, _) => {
            let (space, seed) = (writer.trace.space.clone(), games.resolved().spec.seed);
            let spsa = Spsa::new(space, gains, iterations, seed);
            climb.insert(Climb { spsa, incomplete: Vec::new() }).run(&mut games, &mut writer)
        }
        (ResolvedMethod::Landscape(points), _) => explore(&points, &mut games, options, &mut writer),
        (ResolvedMethod::Learn(spec), Some(learner)) => {
            let of = games.resolved().learning_games() + games.resolved().games();
            learn::learn(&mut **learner, &spec, dir, options, of, &mut writer).and_then(|mut weights| {
                writer.trace.remarks.extend(learner.remarks());
                result::write_weights(dir, &weights)?;
                writer.trace.end = learn::conversion(&**learner, options)?.map(|verdict| (Vec::new(), verdict));
                judge(&mut games, dir, &mut writer)?;
                let players = writer.trace.end.as_ref().and_then(|(_, verdict)| verdict.serves()).unwrap_or_default();
                // Where nothing shows a gain, they stay for everybody who wants to try them.
                if !players.is_empty() {
                    weights.serves = players.iter().map(|player| player.searcher.backup()).collect();
                    result::write_weights(dir, &weights)?;
                }
                Ok(())
            })
        }
        (ResolvedMethod::Learn(_), None) => Err(TuneError::NoShards),
    };
    let judged = searched.and_then(|()| judge(&mut games, dir, &mut writer));
    match judged.and_then(|()| climb.map_or(Ok(()), |climb| climb.end(&mut games, &mut writer.trace))) {
        Ok(()) => {
            writer.trace.remarks.extend(games.remark_on_forfeits());
            writer.trace.games = Some(games.known());
            games.complete()?;
        }
        Err(TuneError::Stopped) => drop(games),
        Err(error) => return Err(error),
    }
    writer.trace.day = day(dir);
    let mut trace = writer.end()?;
    trace.remarks.extend(resolved.doubt());
    let is_over = trace.end.is_some();
    let games = is_over.then(|| games_from(dir, 2 * resolved.search_pairs())).transpose()?.unwrap_or_default();
    result::write_trace(dir, &resolved.tournament.header, &trace, games, false)?;
    result::write(dir, resolved, &trace)?;
    Ok(trace)
}

/// Whether the engine plays at all, and knows every parameter.
fn preflight(resolved: &mut ResolvedTuneSpec) -> Result<(), PreflightError> {
    let start = resolved.space.configure(&resolved.base, &resolved.space.start());
    let engines = vec![EngineConfig { name: "engine".to_owned(), ..start }];
    let all = std::mem::replace(&mut resolved.tournament.engines, engines);
    let tried = player::preflight(&resolved.tournament, &Conversations::Dropped);
    resolved.tournament.engines = all;
    tried
}

/// A match of the search, the one of this index.
fn search_match(resolved: &ResolvedTuneSpec, index: u64, points: [&[i64]; 2]) -> Match {
    let first = index * resolved.pairs();
    let is_landscape = resolved.spec.method.is_landscape();
    Match {
        pairs: first..first + resolved.pairs(),
        // All points meet the start from the same openings.
        opening: if is_landscape { 0 } else { first },
        // Points do not depend on each other: every shard has whole ones. Pairs of iterations are counted through, so
        // that more shards than pairs have their share too.
        block: if is_landscape { resolved.pairs() } else { 1 },
        engine: 0,
        configs: points.map(|point| resolved.space.configure(&resolved.base, point)),
    }
}

/// A run of SPSA.
struct Climb {
    spsa: Spsa,
    /// Rows whose matches went on without some of their pairs.
    incomplete: Vec<usize>,
}

impl Climb {
    fn run(&mut self, games: &mut PairedGames<'_>, writer: &mut TraceWriter<'_>) -> Result<(), TuneError> {
        while let Some(SpsaStep { iteration, plus, minus }) = self.spsa.step() {
            let game = search_match(games.resolved(), iteration - 1, [&plus, &minus]);
            let score = games.play(&game)?;
            if score.pairs.0.iter().sum::<u64>() < games.resolved().pairs() {
                self.incomplete.push(writer.trace.rows.len());
            }
            self.spsa.learn(score.net());
            let measure = Measure::Match { first: plus, second: minus, score };
            let (values, noise) = (self.spsa.values().to_vec(), self.spsa.noise());
            writer.add(TraceRow { number: iteration, values, noise, measure });
            self.take_late_results(games, &mut writer.trace)?;
        }
        Ok(())
    }

    /// Takes the results that came during the final match: every shard has played all of its games then, so that all
    /// of them leave the same result.
    fn end(mut self, games: &mut PairedGames<'_>, trace: &mut Trace) -> Result<(), TuneError> {
        self.take_late_results(games, trace)?;
        let iterations = self.incomplete.len();
        if iterations > 0 {
            trace.remarks.push(format!("{iterations} iterations went on without some of their games."));
        }
        if trace.end.as_ref().is_some_and(|(found, _)| Some(found) != trace.present().as_ref()) {
            trace.remarks.push("Results that came after the search moved the values on from those found.".to_owned());
        }
        Ok(())
    }

    /// Takes results that came after their iteration went on without them: what an iteration adds to the values
    /// depends on its number and its games alone.
    fn take_late_results(&mut self, games: &mut PairedGames<'_>, trace: &mut Trace) -> Result<(), TuneError> {
        if self.incomplete.is_empty() {
            return Ok(());
        }
        games.refresh()?;
        let (pairs, mut has_news) = (games.resolved().pairs(), false);
        self.incomplete.retain(|&row| {
            let first = row as u64 * pairs;
            let late = games.score(&(first..first + pairs));
            if let Measure::Match { score, .. } = &mut trace.rows[row].measure {
                has_news |= *score != late;
                *score = late;
            }
            late.pairs.0.iter().sum::<u64>() < pairs
        });
        if has_news {
            self.spsa.restart();
            for row in &mut trace.rows {
                self.spsa.learn(row.score().map_or(0, |score| score.net()));
                (row.values, row.noise) = (self.spsa.values().to_vec(), self.spsa.noise());
            }
        }
        Ok(())
    }
}

/// Lets every point meet the start. The points are independent: a shard plays all of its own before it waits for those
/// of others.
fn explore(
    points: &[ParameterPoint],
    games: &mut PairedGames<'_>,
    options: &RunOptions<'_>,
    writer: &mut TraceWriter<'_>,
) -> Result<(), TuneError> {
    let start = writer.trace.space.start();
    let matches: Vec<Match> =
        (0..).zip(points).map(|(index, point)| search_match(games.resolved(), index, [point, &start])).collect();
    if options.shard.is_some() {
        matches.iter().try_for_each(|game| games.play_share(game))?;
    }
    for (number, (game, point)) in (0..).zip(matches.iter().zip(points)) {
        let score = games.play(game)?;
        let values = point.iter().map(|&value| value as f64).collect();
        let measure = Measure::Match { first: point.clone(), second: start.clone(), score };
        writer.add(TraceRow { number, values, noise: Vec::new(), measure });
    }
    Ok(())
}

/// Ends the search: plays the final match of what was found against the start values, unless it is judged already.
fn judge(games: &mut PairedGames<'_>, dir: &Path, writer: &mut TraceWriter<'_>) -> Result<(), TuneError> {
    if writer.trace.end.is_some() {
        return Ok(());
    }
    let found = writer.trace.present().unwrap_or_default();
    let found = result::agreed(dir, games.resolved(), found)?;
    // Who looks on sees that the search is over.
    writer.write();
    let verdict = verdict(games, dir, &found, &mut writer.trace.remarks)?;
    writer.trace.end = Some((found, verdict));
    Ok(())
}

fn verdict(
    games: &mut PairedGames<'_>,
    dir: &Path,
    found: &[i64],
    remarks: &mut Vec<String>,
) -> Result<Verdict, TuneError> {
    let resolved = games.resolved();
    let start = resolved.space.start();
    let is_learned = matches!(resolved.method, ResolvedMethod::Learn(_));
    if found == start && !is_learned {
        return Ok(Verdict::Unmoved);
    }
    if resolved.final_pairs() == 0 {
        return Ok(Verdict::Untested);
    }
    let (pairs, used) = (resolved.final_pairs(), resolved.search_openings());
    if resolved.different_pairs(0..used) + pairs > resolved.different_pairs(0..used.saturating_add(pairs)) {
        remarks.push("There are too few openings: the final match repeats those of the tuning.".to_owned());
    }
    let engines = resolved.tournament.engines.len() - 2 * resolved.final_matches() as usize;
    let game = |index: u64, configs| {
        let first = resolved.search_pairs() + index * pairs;
        Match { pairs: first..first + pairs, opening: used, block: 1, engine: engines + 2 * index as usize, configs }
    };
    let configs = [found, &start].map(|point| resolved.space.configure(&resolved.base, point));
    if !is_learned {
        let game = game(0, configs);
        return Ok(Verdict::of(games.play(&game)?));
    }
    let weights = result::weights_path(dir).display().to_string();
    let matches = |(index, player): (u64, &LearnPlayer)| {
        let [found, present] = configs.clone().map(|config| config.with("Searcher", player.searcher.name()));
        let configs = [found.with(EVAL_FILE, &weights), present];
        [2 * index, 2 * index + 1].map(|index| game(index, configs.clone()))
    };
    let matches: Vec<[Match; 2]> = (0..).zip(&CONVERTERS).map(matches).collect();
    let scores = matches.iter().map(|[tenth, whole]| Ok([games.play(tenth)?, games.play(whole)?]));
    Ok(Verdict::Met(scores.collect::<Result<_, TuneError>>()?))
}

/// The day on which the first game of a run began.
fn day(dir: &Path) -> Option<String> {
    let began = journal_dirs(dir).iter().find_map(|dir| Layout::new(dir).began())?;
    Some(Timestamp::try_from(began).ok()?.strftime("%F").to_string())
}

/// The trace as it grows, written down from time to time.
pub(super) struct TraceWriter<'a> {
    pub trace: Trace,
    header: JournalHeader,
    dir: &'a Path,
    options: &'a RunOptions<'a>,
    written: Option<Instant>,
    failure: Option<OutputError>,
}

impl<'a> TraceWriter<'a> {
    fn new(resolved: &ResolvedTuneSpec, dir: &'a Path, options: &'a RunOptions<'a>) -> Self {
        let header = resolved.tournament.header.clone();
        TraceWriter { trace: Trace::new(resolved), header, dir, options, written: None, failure: None }
    }

    pub(super) fn add(&mut self, row: TraceRow) {
        self.trace.rows.push(row);
        if self.written.is_none_or(|written| written.elapsed() >= REFRESH) {
            self.write();
        }
        (self.options.observer)(TuneEvent::Row(&self.trace));
    }

    fn write(&mut self) {
        self.trace.day = day(self.dir);
        self.failure = result::write_trace(self.dir, &self.header, &self.trace, Vec::new(), true).err();
        self.written = Some(Instant::now());
    }

    fn end(self) -> Result<Trace, OutputError> {
        self.failure.map_or(Ok(self.trace), Err)
    }
}
