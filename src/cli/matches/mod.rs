//! `reynard match`: two configurations of the engine, or two programs, play each other.

mod args;
pub(super) mod cutechess;
mod engines;
mod engines_json;
mod spec;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
pub(super) use args::MatchArgs;
use reynard_engine::files;

use super::exit::{Status, UsageError, announce, complain, of_run};
use super::interrupt;
use super::live::{resolve, write_finished};
use super::output::{columns, escaped, lines_of_words};
use super::pairs::Pair;
use super::tournament::results;
use super::tournament::run_args::{check_load, warn_of_openings};
use crate::tournament::TournamentSpec;
use crate::tournament::director::{Progress, TournamentDirector};
use crate::tournament::journal::{Archive, Journal, Layout, OutputError};
use crate::tournament::machine::Machine;
use crate::tournament::mistakes::Assessor;
use crate::tournament::pgn;
use crate::tournament::plan::{Conversations, Plan, Sinks};
use crate::tournament::player;
use crate::tournament::report::{
    LineStyle, MANY_GAMES, Replays, ReportError, finished_line, score_lines, warnings, write_all, write_figures,
};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::runner::{self, RunEnd};
use crate::tournament::spec::LoadedSpec;
use crate::tournament::standings::Standings;

pub(super) fn run(args: &MatchArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let ruleset = Ruleset::new(args.ruleset.choice());
    let ruleset = ruleset.map_err(|error| UsageError(format!("{}: {error}", args.ruleset.argument())))?;
    let loaded = LoadedSpec::new(args.spec(ruleset.dice)?, Path::new("."), "match");
    let loaded = loaded.map_err(|error| UsageError(error.to_string()))?;
    let plan =
        resolve(&loaded, args.game_lines() != Some(LineStyle::Plain)).map_err(|error| UsageError(error.to_string()))?;
    let conversations = if args.debug { conversations_on_stderr() } else { Conversations::Dropped };
    let sinks = Sinks { conversations, ..Sinks::default() };
    player::preflight(&plan, &sinks.conversations)?;
    check_load(&plan, plan.spec.concurrency.min(args.games as usize), args.force, false)?;
    warn_of_openings(&plan, false)?;
    if args.game_lines() == Some(LineStyle::Plain) {
        writeln!(out, "{}", headline(ruleset.variant(), &loaded.spec, args.games))?;
        for (player, text) in loaded.spec.engines.iter().zip(args.player_texts()) {
            writeln!(out, "{}: {text}", player.name)?;
        }
        out.flush()?;
    }
    let (archive, standings, end) = play(args, &plan, &sinks, out)?;
    let summary = standings.summary();
    match args.game_lines() {
        None => write_figures(&plan.header, &summary, &[Machine::this()], None, out)?,
        Some(LineStyle::Plain) => {
            writeln!(out)?;
            write_figures(&plan.header, &summary, &[Machine::this()], Some(columns()), out)?;
        }
        Some(LineStyle::Cutechess) => {
            score_lines(&summary, LineStyle::Cutechess).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out, "Finished match")?;
            warnings(&summary).iter().for_each(|warning| complain(&format!("warning: {warning}")));
        }
    }
    if let Some(archive) = archive {
        let dir = archive.layout().dir();
        let is_quiet = args.game_lines() != Some(LineStyle::Plain);
        let subject = results::subject(&archive, plan.tables.as_deref(), is_quiet, interrupt::is_asked_again())?;
        match write_all(subject, MANY_GAMES) {
            Ok((_, written)) => written?,
            Err(ReportError::Stopped) => results::tell_how_to_report(dir),
            Err(error) => return Err(error.into()),
        }
        if args.game_lines() == Some(LineStyle::Plain) {
            writeln!(out, "\nGames and report: {}", dir.display())?;
        }
    }
    Ok(if end? == RunEnd::Complete { Status::Done } else { Status::Negative })
}

/// The conversations as cutechess-cli shows them.
pub(super) fn conversations_on_stderr() -> Conversations {
    let start = Instant::now();
    Conversations::Printed(Arc::new(move |line| {
        announce(&format!("{} {}", start.elapsed().as_millis(), escaped(line)));
    }))
}

/// Plays the games, keeps them where that is wanted, and reports each as soon as it is over. How the run ended comes
/// beside the games and the standings: what was played counts.
fn play(
    args: &MatchArgs,
    plan: &Plan,
    sinks: &Sinks,
    out: &mut dyn Write,
) -> anyhow::Result<(Option<Archive>, Standings, anyhow::Result<RunEnd>)> {
    let (spec, header) = (&plan.spec, &plan.header);
    let mut director = TournamentDirector::new(Progress::new(header)?);
    if let Some(dir) = &args.out {
        let journal = Journal::create(dir, header)?;
        files::write(&journal.archive().layout().spec(), &serde_json::to_vec_pretty(spec)?)?;
        director = director.with_journal(journal)?;
    }
    let assessor = plan.tables.as_ref().map(|folder| Assessor::new(header, folder)).transpose()?;
    let mut pgn = args.pgnout.as_ref().map(|path| open_pgn(args, path)).transpose()?;
    let mut replays = Replays::new(header);
    let game_lines = args.game_lines();
    let director = director.end_before(args.games.into()).with_assessor(assessor);
    let mut director = director.on_progress(|progress, game| {
        if let Some(file) = &mut pgn {
            let mut text = Vec::new();
            pgn::write_game(&mut replays, game, &mut text)?;
            file.write_all(&text)?;
        }
        match game_lines {
            None => Ok(()),
            Some(LineStyle::Plain) => {
                let line = finished_line(&game.record, progress.standings.engines());
                write!(out, "{}", lines_of_words(&line))?;
                out.flush()
            }
            Some(LineStyle::Cutechess) => write_finished(&game.record, &progress.standings, out),
        }
    });
    let concurrency = spec.concurrency.min(args.games as usize);
    let end = runner::run(plan, sinks, concurrency, interrupt::stop()?, &mut director).map_err(of_run);
    let (archive, standings) = if matches!(end, Ok(RunEnd::Complete)) { director.complete()? } else { director.end() };
    Ok((archive, standings, end))
}

fn open_pgn(args: &MatchArgs, path: &Path) -> anyhow::Result<File> {
    let allowed = args.out.as_ref().map_or(Ok(()), |dir| Layout::new(dir).check_output(path));
    allowed.and_then(|()| files::append_to(path).map_err(OutputError::at(path))).context("--pgnout")
}

/// `masters-15: A against B, 10 game(s), 0.1 s a move`.
fn headline(ruleset: &str, spec: &TournamentSpec, games: u32) -> String {
    let [a, b] = [0, 1].map(|player| &spec.engines[player]);
    let limits = match (spec.limits_of(a), spec.limits_of(b)) {
        (one, other) if one == other => one.to_string(),
        (one, other) => format!("{} {}, {} {}", a.name, one, b.name, other),
    };
    format!("{ruleset}: {} against {}, {games} game(s), {limits}", a.name, b.name)
}

impl MatchArgs {
    fn game_lines(&self) -> Option<LineStyle> {
        match (self.json, self.cutechess) {
            (true, _) => None,
            (_, true) => Some(LineStyle::Cutechess),
            _ => Some(LineStyle::Plain),
        }
    }

    /// What was said about each player.
    fn player_texts(&self) -> [String; 2] {
        match &self.engines.0[..] {
            [first, second] => [joined(first, " "), joined(second, " ")],
            _ => [joined(&self.a, ","), joined(&self.b, ",")],
        }
    }
}

fn joined(pairs: &[Pair], separator: &str) -> String {
    pairs.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(separator)
}
