//! The arguments of a run, of a tournament or of tuning, and the command that goes on with it.

use std::env;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::cli::exit::{UsageError, complain};
use crate::cli::output::quoted;
use crate::tournament::header::Shard;
use crate::tournament::machine;
use crate::tournament::plan::Plan;
use crate::tournament::spec::{self, Change, LoadedSpec, SpecError};
use crate::tune::ResolvedTuneSpec;

/// A spec, and what the command line changes in it.
#[derive(Args)]
pub(crate) struct SpecArgs {
    /// The spec, a JSON file; tournaments/README.md documents every key
    // `None` where a subcommand takes its place.
    #[arg(value_name = "SPEC.json", required = true)]
    pub path: Option<PathBuf>,
    /// Play this ruleset instead of the spec's
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    /// Give a key of the spec another value, such as `limits.nodes=5000` or `engines[0].options.Hash=64`
    ///
    /// The value is JSON, or a text where it is no JSON; null takes the key away. In a list `[0]` is the first entry,
    /// and `[*]` every one. The argument can be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<Change>,
}

impl SpecArgs {
    pub(crate) fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }

    pub(crate) fn load(&self) -> Result<LoadedSpec, SpecError> {
        spec::load(self.path(), &self.changes())
    }

    /// Calls `report` with how many openings are ready, and how many are to be.
    pub(crate) fn load_tuning(&self, report: &dyn Fn(u64, u64)) -> Result<ResolvedTuneSpec, SpecError> {
        let ruleset = self.ruleset.iter().map(|name| Change::new("ruleset", &json!(name)));
        ResolvedTuneSpec::load(self.path(), &ruleset.chain(self.set.clone()).collect::<Vec<_>>(), report)
    }

    /// Those of the spec of a tournament.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let ruleset = self.ruleset.iter().map(|name| Change::new("rulesets", &json!([name])));
        ruleset.chain(self.set.clone()).collect()
    }

    fn words(&self) -> impl Iterator<Item = String> {
        let ruleset = self.ruleset.iter().flat_map(|name| ["--ruleset".to_owned(), name.clone()]);
        let set = self.set.iter().flat_map(|change| ["--set".to_owned(), change.to_string()]);
        [self.path().display().to_string()].into_iter().chain(ruleset).chain(set)
    }
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub spec: SpecArgs,
    /// Directory of the results [default: the spec's name with .results, in the current directory]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Games to play at the same time, instead of the spec's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: Option<u16>,
    /// Go on with the results that are in the directory, or begin where there are none
    #[arg(long)]
    pub resume: bool,
    /// Play with clocks even if there are more games and threads at the same time than processors
    #[arg(long)]
    pub force: bool,
    /// Say nothing on standard error while the games are played
    #[arg(long)]
    pub quiet: bool,
}

impl RunArgs {
    /// The directory of the results; in the current directory, as the spec may lie where nothing can be written.
    pub(crate) fn results_dir(&self, part: Option<Shard>) -> PathBuf {
        let name = self.spec.path().file_stem().map_or("tournament".into(), |stem| stem.to_string_lossy());
        let part = part.map_or(String::new(), |shard| format!(".{}-of-{}", shard.index, shard.count));
        self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}{part}.results")))
    }

    /// The command that goes on with the run, as one line for a POSIX shell. The shard is named whether it came from
    /// the command line or from the environment.
    pub(crate) fn resume_command(&self, subcommand: &[&str], dir: &Path, shard: Option<Shard>) -> String {
        let mut words = vec![program_name()];
        words.extend(subcommand.iter().map(|&word| word.to_owned()));
        words.extend(self.spec.words());
        words.extend(["--out".to_owned(), dir.display().to_string()]);
        words.extend(self.concurrency.iter().flat_map(|count| ["--concurrency".to_owned(), count.to_string()]));
        words.extend(shard.iter().flat_map(|shard| ["--shard".to_owned(), shard.to_string()]));
        words.extend(self.force.then(|| "--force".to_owned()));
        words.extend(self.quiet.then(|| "--quiet".to_owned()));
        words.push("--resume".to_owned());
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// Looks whether so many games at the same time keep more threads busy than there are processors: a warning, unless
/// `is_quiet`.
///
/// # Errors
/// They do, and clocks would make losses of it, unless `is_forced`.
pub(crate) fn check_load(plan: &Plan, games: usize, is_forced: bool, is_quiet: bool) -> Result<(), UsageError> {
    let Some(load) = overload(plan, games, machine::processors()) else { return Ok(()) };
    let has_clock = plan.engines.iter().any(|engine| engine.limits.clock_ms.is_some());
    if has_clock && !is_forced {
        return Err(UsageError(format!(
            "{load}: engines would lose on time by it; play fewer at a time, or add --force"
        )));
    }
    if !is_quiet {
        complain(&format!("warning: {load}"));
    }
    Ok(())
}

/// Says on standard error what is doubtful about the openings of a plan, unless `is_quiet`. The first openings are sought
/// for it.
///
/// # Errors
/// The machine lacks what it takes to balance them.
pub(crate) fn warn_of_openings(plan: &Plan, is_quiet: bool) -> anyhow::Result<()> {
    if !is_quiet {
        plan.opening_warnings()?.iter().for_each(|warning| complain(&format!("warning: {warning}")));
    }
    Ok(())
}

/// `8 games at the same time with 2 threads need 16 processors, but there are 4`, if it is so. Of a game's engines one
/// searches at a time.
fn overload(plan: &Plan, games: usize, processors: usize) -> Option<String> {
    let options = plan.engines.iter().flat_map(|engine| engine.options.iter().chain(engine.by_role.values().flatten()));
    let values = options.filter(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    let threads: usize = values.filter_map(|(_, value)| value.parse().ok()).max().unwrap_or(1).max(1);
    let bound = plan.spec.affinity.len();
    let processors = if bound > 0 { bound.min(processors) } else { processors };
    let needed = games.saturating_mul(threads);
    let s = if threads == 1 { "" } else { "s" };
    (needed > processors).then(|| {
        format!("{games} games at the same time with {threads} thread{s} need {needed} processors, but there are {processors}")
    })
}

/// How this program was called.
pub(crate) fn program_name() -> String {
    env::args().next().unwrap_or_else(|| "reynard".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::referee::tests::{engine, plan};
    use crate::tournament::spec::Limits;

    #[test]
    fn games_times_threads_are_held_against_the_processors() {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let mut plan = plan(vec![engine("A", &[], limits), engine("B", &[("threads", "3")], limits)]);
        assert_eq!(overload(&plan, 2, 6), None);
        let load = overload(&plan, 2, 4).expect("too many");
        assert_eq!(load, "2 games at the same time with 3 threads need 6 processors, but there are 4");
        plan.spec.affinity = vec![0, 1];
        assert!(overload(&plan, 1, 6).expect("too many").ends_with("there are 2"));
        // More than any machine has.
        let check = |plan: &Plan, is_forced| check_load(plan, 1_000_000, is_forced, true);
        assert!(check(&plan, false).is_ok());
        plan.engines[0].limits.clock_ms = Some(1000);
        assert!(check(&plan, false).expect_err("clocks").to_string().contains("--force"));
        assert!(check(&plan, true).is_ok());
    }
}
