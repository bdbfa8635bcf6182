//! `reynard tournament check`: what a spec would play.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use reynard_engine::session::registry;
use serde_json::{Value, json};

use super::run_args::SpecArgs;
use crate::cli::exit::Status;
use crate::cli::live::resolve;
use crate::tournament::plan::{EngineConfig, OptionPairs, Plan};
use crate::tournament::record::Opening;
use crate::tournament::schedule::Schedule;
use crate::tournament::spec::LoadedSpec;

/// Read a spec with all the files that it names and say what it would play, or the first thing wrong with it.
///
/// Nothing is played and no external program is started.
#[derive(Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// Print the answer as one line of JSON
    #[arg(long)]
    json: bool,
}

/// So many openings of every ruleset are shown.
const PREVIEW: u64 = 3;
/// So many pairings are shown to people.
const MOST_LINES: usize = 20;

pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let loaded = args.spec.load()?;
    let plan = resolve(&loaded, args.json)?;
    let schedule = Schedule::of(&plan.header)?;
    let checked = CheckedSpec { loaded: &loaded, plan: &plan, schedule: &schedule };
    match args.json {
        true => writeln!(out, "{}", checked.json()?)?,
        false => checked.print(out)?,
    }
    Ok(Status::Done)
}

/// What would be played.
struct CheckedSpec<'a> {
    loaded: &'a LoadedSpec,
    plan: &'a Plan,
    schedule: &'a Schedule,
}

impl CheckedSpec<'_> {
    fn json(&self) -> anyhow::Result<Value> {
        let spec = &self.loaded.spec;
        let name = |engine: usize| self.plan.header.engines[engine].clone();
        let ruleset = |(index, header): (usize, &crate::tournament::ruleset::Ruleset)| -> anyhow::Result<Value> {
            Ok(json!({
                "label": header.label, "fingerprint": header.fingerprint, "start": header.start,
                "seats": header.seats, "openings": self.openings(index)?,
            }))
        };
        Ok(json!({
            "ok": true,
            "name": spec.name,
            "format": spec.format,
            "pairs": spec.pair_count(),
            "games": self.schedule.games(),
            "pairings": self.schedule.pairings().iter().map(|pairing| pairing.map(name)).collect::<Vec<_>>(),
            "engines": self.plan.engines.iter().map(engine_json).collect::<Vec<_>>(),
            "rulesets": self.plan.header.rulesets.iter().enumerate().map(ruleset).collect::<anyhow::Result<Vec<_>>>()?,
            "notes": self.notes()?,
        }))
    }

    /// The first openings of a ruleset.
    fn openings(&self, ruleset: usize) -> anyhow::Result<Vec<Opening>> {
        let opening = |number| Ok(self.plan.openings.opening(ruleset, number, &Arc::default())?);
        (0..PREVIEW).map(opening).collect()
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let spec = &self.loaded.spec;
        let title = if spec.name.is_empty() { String::new() } else { format!(" ({})", spec.name) };
        writeln!(out, "ok: {}{title}", self.loaded.file)?;
        writeln!(out, "format    {}", spec.format.name())?;
        writeln!(out, "pairs     {} of every pairing in every ruleset, two games each", spec.pair_count())?;
        let at_most = if spec.sprt.is_some() { " at most" } else { "" };
        writeln!(out, "games     {}{at_most}", self.schedule.games())?;
        self.print_engines(out)?;
        self.print_pairings(out)?;
        self.print_rulesets(out)?;
        Ok(self.notes()?.iter().try_for_each(|note| writeln!(out, "note: {note}"))?)
    }

    fn print_engines(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "engines")?;
        for engine in &self.plan.engines {
            let place = engine.program.as_ref().map_or("in this process".to_owned(), |program| {
                [vec![program.command.display().to_string()], program.args.clone()].concat().join(" ")
            });
            writeln!(out, "  {}: {place}; {}", engine.name, engine.limits)?;
            let options = changed(engine);
            if !options.is_empty() {
                writeln!(out, "    {}", pairs_text(&options))?;
            }
            for (role, options) in &engine.by_role {
                writeln!(out, "    as {role}: {}", pairs_text(options))?;
            }
        }
        Ok(())
    }

    fn print_pairings(&self, out: &mut dyn Write) -> io::Result<()> {
        let pairings = self.schedule.pairings();
        writeln!(out, "pairings")?;
        for pairing in pairings.iter().take(MOST_LINES) {
            let [a, b] = pairing.map(|engine| &self.plan.header.engines[engine]);
            writeln!(out, "  {a} - {b}")?;
        }
        match pairings.len().saturating_sub(MOST_LINES) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more"),
        }
    }

    fn print_rulesets(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "rulesets, each with its first openings")?;
        for (index, ruleset) in self.plan.header.rulesets.iter().enumerate() {
            let seats: Vec<&str> = ruleset.seats.iter().map(|seat| seat.name.as_str()).collect();
            writeln!(out, "  {}: {}", ruleset.label, seats.join(" against "))?;
            for (number, opening) in self.openings(index)?.iter().enumerate() {
                writeln!(out, "    {number}: {}", opening_text(opening))?;
            }
        }
        Ok(())
    }

    /// What is allowed but may not be meant.
    fn notes(&self) -> anyhow::Result<Vec<String>> {
        let is_exact = |engine: &EngineConfig| !engine.limits.is_timed();
        let threads = |engine: &&EngineConfig| {
            let is_many = |(name, value): &(String, String)| name.eq_ignore_ascii_case("Threads") && value != "1";
            is_exact(engine) && engine.options.iter().any(is_many)
        };
        let threaded = self.plan.engines.iter().filter(threads).map(|engine| {
            format!("'{}' searches with several threads, so its games differ from run to run", engine.name)
        });
        Ok(self.plan.opening_warnings()?.into_iter().chain(threaded).collect())
    }
}

fn engine_json(engine: &EngineConfig) -> Value {
    let object = |pairs: &OptionPairs| pairs.iter().cloned().collect::<Value>();
    let by_role: Value = engine.by_role.iter().map(|(role, pairs)| (role.clone(), object(pairs))).collect();
    json!({
        "name": engine.name,
        "program": engine.program.as_ref().map(|program| program.command.display().to_string()),
        "options": object(&changed(engine)),
        "as": by_role,
        "limits": engine.limits,
    })
}

/// The options that differ from their defaults; all of them where the defaults are not known.
fn changed(engine: &EngineConfig) -> OptionPairs {
    let known = registry::default_options();
    let is_changed = |(name, value): &&(String, String)| engine.program.is_some() || known.value(name) != value;
    engine.options.iter().filter(is_changed).cloned().collect()
}

fn pairs_text(pairs: &OptionPairs) -> String {
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

fn opening_text(opening: &Opening) -> String {
    let moves = if opening.moves.is_empty() { String::new() } else { format!("moves {}", opening.moves.join(" ")) };
    match &opening.start {
        None if moves.is_empty() => "the start position".to_owned(),
        None => moves,
        Some(start) => format!("{start} {moves}").trim_end().to_owned(),
    }
}
