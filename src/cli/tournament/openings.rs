//! `reynard tournament openings`, and `genfens` as OpenBench calls it: books of random openings.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use reynard_engine::session::registry::RulesetChoice;

use crate::cli::exit::{Status, UsageError};
use crate::cli::live::watch_openings;
use crate::cli::pairs::{Pair, object, pair};
use crate::cli::ruleset::{RulesetArgs, named_choice};
use crate::tournament::openings::{BookError, BookRequest, OpeningBook};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{Balance, Openings};

/// Print different random openings, one position a line, for the openings of a tournament or for other programs.
///
/// The same seed gives the same openings as {"kind": "random"} in a tournament with that seed. What takes long to
/// balance is found once in this way, and every shard reads the file.
#[derive(Args)]
pub(super) struct OpeningsArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// How many random plies are played from the start
    #[arg(long, value_name = "N", default_value_t = PLIES, value_parser = clap::value_parser!(u32).range(1..=MAX_PLIES))]
    plies: u32,
    /// How many openings
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    count: u64,
    /// What the openings are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only balanced ones, with the keys of a spec's `openings.balance`: max_cp=20 nodes=10000, or by=table value=draw
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair)]
    balance: Vec<Pair>,
    /// Say nothing on standard error while openings are sought
    #[arg(long)]
    quiet: bool,
    /// Folder of tables of perfect play, which say how balanced an opening is where they know it
    #[arg(long, value_name = "DIR", requires = "balance")]
    tables: Option<PathBuf>,
}

const PLIES: u32 = 8;
const MAX_PLIES: i64 = 1000;
const MAX_COUNT: u64 = 1_000_000;

pub(super) fn run(args: &OpeningsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let is_named = args.balance.iter().any(|(key, _)| key == "by");
    let by: &[_] = if is_named { &[] } else { &[("by", "evaluation")] };
    let request = Request {
        choice: args.ruleset.choice(),
        plies: args.plies,
        count: args.count,
        seed: args.seed,
        balance: object("--balance", &args.balance, by)?,
        tables: args.tables.clone(),
    };
    // Positions that are seen are progress enough.
    let is_quiet = args.quiet || io::stdout().is_terminal();
    watch_openings(is_quiet, |report| request.each_position(report, |text| Ok(writeln!(out, "{text}")?)))?;
    Ok(Status::Done)
}

/// Obeys `genfens N seed S book None [plies P] [ruleset NAME]`, which OpenBench gives as one argument with `quit` as
/// the next one. The positions have six fields, as OpenBench expects; a file of openings reads them.
pub(in crate::cli) fn genfens(command: &str, out: &mut dyn Write) -> anyhow::Result<Status> {
    let request = Request::read(command).with_context(|| format!("'{command}'"))?;
    request.each_position(&|_, _| (), |text| {
        let fields = text.split_whitespace().chain(["-", "-"]).take(4).collect::<Vec<_>>().join(" ");
        Ok(writeln!(out, "info string genfens {fields} 0 1")?)
    })?;
    out.flush()?;
    Ok(Status::Done)
}

/// Which openings are wanted.
struct Request {
    choice: RulesetChoice,
    plies: u32,
    count: u64,
    seed: u64,
    balance: Option<Balance>,
    tables: Option<PathBuf>,
}

impl Request {
    fn read(command: &str) -> Result<Request, UsageError> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let ["genfens", count, "seed", seed, "book", book, extra @ ..] = &words[..] else {
            return Err(UsageError("expected genfens N seed S book None [plies P] [ruleset NAME]".to_owned()));
        };
        if !book.eq_ignore_ascii_case("none") {
            return Err(UsageError(format!("books such as '{book}' are not read; expected book None")));
        }
        let mut request = Request {
            choice: named_choice(None),
            plies: PLIES,
            count: number("N", count, MAX_COUNT)?,
            seed: seed.parse().map_err(|_| UsageError(format!("seed '{seed}' is no number from 0 to 2^64 - 1")))?,
            balance: None,
            tables: None,
        };
        for pair in extra.chunks(2) {
            match pair {
                ["ruleset", name] => request.choice = named_choice(Some(name)),
                ["plies", plies] => request.plies = number("plies", plies, MAX_PLIES as u64)? as u32,
                _ => return Err(UsageError(format!("'{}': expected plies P or ruleset NAME", pair.join(" ")))),
            }
        }
        Ok(request)
    }

    /// Hands out the texts of different positions after random plies, each as soon as it is found, and reports how many
    /// are ready, and how many are to be.
    fn each_position(
        &self,
        report: &dyn Fn(u64, u64),
        mut take: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let &Request { plies, count, seed, balance, .. } = self;
        let ruleset = Ruleset::new(self.choice.clone())?;
        let (mut session, label) = (ruleset.session()?, ruleset.variant().to_owned());
        if ruleset.dice && balance.is_some() {
            return Err(UsageError(BookError::Dice(ruleset.label).to_string()).into());
        }
        let openings = Openings::Random { plies, balance };
        let (folder, tables) = (Path::new(""), self.tables.as_deref());
        let request = BookRequest { openings: &openings, seed, pairs: count, folder, tables, report };
        let book = OpeningBook::new(&request, &[ruleset]).map_err(|error| UsageError(error.to_string()))?;
        let mut seen = HashSet::new();
        for number in 0..count {
            let opening = book.opening(0, number, &Arc::default())?;
            let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
            session.set_position(None, &moves)?;
            let text = session.position_text();
            // A small game begins again with its first opening; one that is always over by then has only its start.
            if moves.len() != plies as usize || !seen.insert(text.clone()) {
                return Err(UsageError(format!(
                    "{label} has only {number} different unfinished positions after {plies} random plies, not {count}"
                ))
                .into());
            }
            take(&text)?;
            report(number + 1, count);
        }
        Ok(())
    }
}

fn number(what: &str, text: &str, most: u64) -> Result<u64, UsageError> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| UsageError(format!("{what} '{text}' is no number from 1 to {most}")))
}
