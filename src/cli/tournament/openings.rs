//! `reynard tournament openings`, and `genfens` as OpenBench calls it: books of random openings.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::Args;
use reynard_engine::session::registry::RulesetChoice;

use crate::cli::exit::{Status, UsageError};
use crate::cli::ruleset::{RulesetArgs, named_choice};
use crate::tournament::openings::{BookRequest, OpeningBook};
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::Openings;

/// Print different random openings, one position a line, for the openings of a tournament or for other programs.
///
/// The same seed gives the same openings as {"kind": "random"} in a tournament with that seed.
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
}

const PLIES: u32 = 8;
const MAX_PLIES: i64 = 1000;
const MAX_COUNT: u64 = 1_000_000;

pub(super) fn run(args: &OpeningsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    for text in positions(&args.ruleset.choice(), args.plies, args.count, args.seed)? {
        writeln!(out, "{text}")?;
    }
    Ok(Status::Done)
}

/// Obeys `genfens N seed S book None [plies P] [ruleset NAME]`, which OpenBench gives as one argument with `quit` as
/// the next one.
pub(in crate::cli) fn genfens(command: &str, out: &mut dyn Write) -> anyhow::Result<Status> {
    let request = Request::read(command).with_context(|| format!("'{command}'"))?;
    for text in positions(&request.choice, request.plies, request.count, request.seed)? {
        writeln!(out, "info string genfens {text}")?;
    }
    out.flush()?;
    Ok(Status::Done)
}

struct Request {
    choice: RulesetChoice,
    plies: u32,
    count: u64,
    seed: u64,
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
}

fn number(what: &str, text: &str, most: u64) -> Result<u64, UsageError> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| UsageError(format!("{what} '{text}' is no number from 1 to {most}")))
}

/// The texts of different positions after random plies.
fn positions(choice: &RulesetChoice, plies: u32, count: u64, seed: u64) -> anyhow::Result<Vec<String>> {
    let ruleset = Ruleset::new(choice.clone())?;
    let (mut session, label) = (ruleset.session()?, ruleset.variant().to_owned());
    let openings = Openings::Random { plies, balance: None };
    let request = BookRequest { openings: &openings, seed, pairs: count, folder: Path::new(""), tables: None };
    let book = OpeningBook::new(&request, &[ruleset])?;
    let (mut texts, mut seen) = (Vec::new(), HashSet::new());
    for number in 0..count {
        let opening = book.opening(0, number);
        let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
        session.set_position(None, &moves)?;
        let text = session.position_text();
        // A small game begins again with its first opening; one that is always over by then has only its start.
        if moves.len() != plies as usize || !seen.insert(text.clone()) {
            let found = texts.len();
            return Err(UsageError(format!(
                "{label} has only {found} different unfinished positions after {plies} random plies, not {count}"
            ))
            .into());
        }
        texts.push(text);
    }
    Ok(texts)
}
