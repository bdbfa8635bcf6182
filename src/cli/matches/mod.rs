//! `reynard match`: two configurations of the engine, or two programs, play each other.

mod args;
pub(super) mod cutechess;
mod director;
mod engines;
mod engines_json;
mod report;
mod spec;
pub(super) mod words;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
pub(super) use args::MatchArgs;
use director::MatchDirector;
use reynard_engine::files;
use serde_json::json;

use super::exit::{Status, UsageError, announce, complain};
use super::interrupt;
use super::live::resolve;
use super::output::escaped;
use super::tournament::run_args::check_load;
use crate::tournament::TournamentSpec;
use crate::tournament::director::decided_pairs;
use crate::tournament::journal::{Archive, Journal, OutputError};
use crate::tournament::mistakes::{Assessments, Assessor};
use crate::tournament::plan::{Conversations, Plan, Sinks};
use crate::tournament::player;
use crate::tournament::report::{LineStyle, MANY_GAMES, Replays, Subject, score_lines, warnings, write_all};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::runner::{self, RunEnd, RunError};
use crate::tournament::schedule::Schedule;
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
    if args.game_lines() == Some(LineStyle::Plain) {
        writeln!(out, "{}", headline(ruleset.variant(), &loaded.spec, args.games))?;
        out.flush()?;
    }
    let start = Instant::now();
    let (standings, end) = play(args, &plan, &sinks, out)?;
    let (summary, texts) = (standings.summary(), args.player_texts());
    let texts = texts.each_ref().map(String::as_str);
    match args.game_lines() {
        None => {
            let mut report = report::json(texts, &summary);
            report["ruleset"] = json!(ruleset.variant());
            report["seconds"] = json!(start.elapsed().as_secs_f64());
            writeln!(out, "{report}")?;
        }
        Some(LineStyle::Plain) => report::print(texts, &summary, out)?,
        Some(LineStyle::Cutechess) => {
            score_lines(&summary, LineStyle::Cutechess).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out, "Finished match")?;
            warnings(&summary).iter().for_each(|warning| complain(&format!("warning: {warning}")));
        }
    }
    if let Some(dir) = args.out.as_deref() {
        write_reports(dir, plan.tables.as_deref())?;
        if args.game_lines() == Some(LineStyle::Plain) {
            writeln!(out, "Games and report: {}", dir.display())?;
        }
    }
    Ok(if end == RunEnd::Complete { Status::Done } else { Status::Negative })
}

/// The conversations as cutechess-cli shows them.
pub(super) fn conversations_on_stderr() -> Conversations {
    let start = Instant::now();
    Conversations::Printed(Arc::new(move |line| {
        announce(&format!("{} {}", start.elapsed().as_millis(), escaped(line)));
    }))
}

/// Plays the games, keeps them where that is wanted, and tells how the players stand.
fn play(args: &MatchArgs, plan: &Plan, sinks: &Sinks, out: &mut dyn Write) -> anyhow::Result<(Standings, RunEnd)> {
    let (spec, header) = (&plan.spec, &plan.header);
    let mut schedule = Schedule::of(header)?;
    let mut director = MatchDirector {
        header,
        // A match has no rounds: who won does not matter for what comes.
        fixtures: (0..u64::from(args.games)).map(|game| schedule.fixture(game)),
        standings: Standings::new(header),
        assessor: plan.tables.as_ref().map(|folder| Assessor::new(header, folder)).transpose()?,
        journal: args.out.as_ref().map(|dir| Journal::create(dir, header)).transpose()?,
        pgn: None,
        game_lines: args.game_lines(),
        out,
    };
    if let Some(path) = &args.pgnout {
        let file = match &director.journal {
            Some(journal) => journal.layout().open_output(path, files::append_to),
            None => files::append_to(path).map_err(OutputError::at(path)),
        };
        director.pgn = Some((file.context("--pgnout")?, Replays::new(header)));
    }
    if let Some(journal) = &director.journal {
        files::write(&journal.layout().spec(), &serde_json::to_vec_pretty(spec)?)?;
    }
    let concurrency = spec.concurrency.min(args.games as usize);
    let end =
        runner::run(plan, sinks, concurrency, interrupt::stop()?, &mut director).map_err(|error| match error {
            RunError::Director(error) => error,
            other => anyhow!("{other}"),
        })?;
    if let Some(journal) = director.journal.as_mut().filter(|_| end == RunEnd::Complete) {
        let pairs = decided_pairs(&director.standings, header);
        journal.complete(|game| pairs.is_none_or(|pairs| game / 2 < pairs))?;
    }
    Ok((director.standings, end))
}

fn write_reports(dir: &Path, tables: Option<&Path>) -> anyhow::Result<()> {
    let archive = Archive::read(dir)?;
    let assessments = tables.map(|folder| Assessments::of(&archive, folder)).transpose()?;
    Ok(write_all(Subject { archive: &archive, assessments: assessments.as_ref() }, MANY_GAMES)?.1?)
}

/// `masters-15: A against B, 10 game(s), 100 ms a move`.
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
            [first, second] => [first.join(" "), second.join(" ")],
            _ => [self.a.text.clone(), self.b.text.clone()],
        }
    }
}
