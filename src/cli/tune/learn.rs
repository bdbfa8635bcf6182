//! `reynard tune learn`: the weights of one game, learned and tested.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, value_parser};
use reynard_engine::files;
use reynard_engine::learning::LearningError;
use reynard_engine::rules::ruleset::Family;
use reynard_engine::session::registry::{self, AnyRuleset, RulesetChoice};
use serde_json::Value;

use super::run_spec;
use crate::cli::exit::{Status, UsageError, complain};
use crate::cli::interrupt;
use crate::cli::ruleset::RulesetArgs;
use crate::cli::table::build::build_endings;
use crate::cli::table::list::Holdings;
use crate::cli::tournament::run_args::{RunArgs, SpecArgs};
use crate::tournament::machine;
use crate::tune::lesson::{Lesson, table_time};

/// The folder of the tables that a run builds, in its directory.
const OWN_TABLES: &str = "tables";

/// Learn the weights of the evaluation of one game, a hunt, and test them.
///
/// Tables of its endings are built as far as they fit, games are played, and weights are fitted to their positions, round
/// by round. Where tables reach to the start, the round that wins most positions that they call won is kept, and wins others
/// for the verdict; elsewhere the last one plays matches. The last line says for which searchers, alphabeta and mcts, the
/// weights are better than what the game had before; others do not use them. Effort 1 builds tables for at most about 25
/// minutes of one processor, and plays a number of games that is the same for every machine: how long these take
/// depends on both. Any number of processors learns the same.
///
/// The directory holds learned.weights, which the option EvalFile loads and the key "weights" of a ruleset file names;
/// learn.json, a spec by which `reynard tune` does the same; and all files of such a run.
#[derive(Args)]
pub(super) struct LearnArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Directory of the results [default: the name of the ruleset with .learned, in the current directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Use the tables of perfect play in this folder, and build none
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// How many games to play and how long to build tables: twice as much with 2
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = effort)]
    effort: f64,
    /// Games to play at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Go on with what is in the directory, or begin where there is nothing
    #[arg(long)]
    resume: bool,
    /// Say nothing on standard error while tables are built and games are played
    #[arg(long)]
    quiet: bool,
}

fn effort(text: &str) -> Result<f64, String> {
    let effort = text.parse().ok().filter(|effort| (0.001..=1000.0).contains(effort));
    effort.ok_or_else(|| "expected a number from 0.001 to 1000, for example 0.5".to_owned())
}

/// Makes the spec of the run, with the tables that it takes, unless it is there already, and runs it.
pub(super) fn run(args: &LearnArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let choice = args.ruleset.choice();
    let ruleset = registry::read(&choice)?;
    let name = ruleset.open().game().ruleset.clone();
    let dir = args.out.clone().unwrap_or_else(|| format!("{name}.learned").into());
    let path = dir.join("learn.json");
    if path.exists() && !args.resume {
        let hint = "add --resume to go on with it, or name another directory by --out";
        return Err(UsageError(format!("{} is of a run that began before; {hint}", path.display())).into());
    }
    let concurrency = args.concurrency.unwrap_or_else(|| machine::processors().clamp(1, 256) as u16);
    let stop = interrupt::stop()?;
    if path.exists() {
        check_asked(args, &choice, &path)?;
    } else {
        interrupt::end_at_once(true);
        let spec = lesson(args, &choice, &ruleset, &dir, concurrency.into())?;
        fs::create_dir_all(&dir).with_context(|| format!("cannot make the folder {}", dir.display()))?;
        let written = files::write(&path, format!("{spec:#}\n").as_bytes());
        written.with_context(|| format!("cannot write {}", path.display()))?;
        interrupt::end_at_once(false);
    }
    let spec = SpecArgs { path: Some(path), ruleset: None, set: Vec::new() };
    let (concurrency, resume, quiet) = (Some(concurrency), args.resume, args.quiet);
    run_spec(&RunArgs { spec, out: Some(dir), concurrency, resume, force: false, quiet }, None, || Ok(stop), out)
}

/// Checks that a run that began before is the one that is asked for.
fn check_asked(args: &LearnArgs, choice: &RulesetChoice, path: &Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let there: Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let tables = match &args.tables {
        Some(folder) => Some(std::path::absolute(folder)?),
        None => there["tables"].is_string().then(|| PathBuf::from(OWN_TABLES)),
    };
    let is_solved = !there["learn"]["conversions"].is_null();
    let (effort, seed) = (args.effort, args.seed);
    let asked = Lesson { choice, tables, is_solved, effort, seed }.spec();
    let parts = ["/ruleset", "/learn/perfect_games", "/learn/games", "/seed", "/tables"];
    let differs = |key: &&&str| asked.pointer(key) != there.pointer(key);
    let Some(key) = parts.iter().find(differs) else { return Ok(()) };
    let [asked, there] = [asked, there].map(|spec| spec.pointer(key).cloned().unwrap_or_default());
    let (path, key) = (path.display(), key.trim_start_matches('/').replace('/', "."));
    let hint =
        "begin anew in another directory by --out, or repeat the ruleset, --effort, --seed and --tables of the run";
    Err(UsageError(format!("{path} is of another run: its {key} is {there}, asked for is {asked}; {hint}")).into())
}

/// The spec of a run for this game, whose tables have been built or found.
fn lesson(
    args: &LearnArgs,
    choice: &RulesetChoice,
    ruleset: &AnyRuleset,
    dir: &Path,
    threads: usize,
) -> anyhow::Result<Value> {
    if ruleset.open().game().family != Family::Hunt {
        return Err(UsageError(LearningError::Family.to_string()).into());
    }
    let mut lesson = Lesson { choice, tables: None, is_solved: false, effort: args.effort, seed: args.seed };
    let builder = match ruleset.table_builder() {
        Ok(builder) => builder,
        Err(refusal) => {
            complain(&format!("without tables: {refusal}"));
            return Ok(lesson.spec());
        }
    };
    let folder = args.tables.clone().unwrap_or_else(|| dir.join(OWN_TABLES));
    if args.tables.is_none() {
        build_endings(&*builder, &folder, table_time(args.effort), threads, args.quiet)?;
    }
    let holdings = Holdings::of(&folder, builder.identity(), builder.geese_at_start())?;
    if args.tables.is_some() && holdings.is_empty() {
        return Err(UsageError(format!("--tables '{}': {holdings}", folder.display())).into());
    }
    if args.tables.is_some() && holdings.is_part() {
        complain(&holdings);
    }
    let named = args.tables.as_deref().map(std::path::absolute).transpose()?;
    lesson.tables = (!holdings.is_empty()).then(|| named.unwrap_or_else(|| PathBuf::from(OWN_TABLES)));
    lesson.is_solved = !holdings.is_empty() && !holdings.is_part();
    Ok(lesson.spec())
}
