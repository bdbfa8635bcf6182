//! `reynard rules draw`: a board as it stands, for a terminal or as a picture.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use reynard_engine::files;

use super::exit::Status;
use super::ruleset::RulesetArgs;
use crate::svg;

#[derive(Args)]
pub(super) struct DrawArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Draw this position instead of the start
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Play these moves before; the last one is marked
    #[arg(long, value_name = "MOVE", num_args = 1.., value_delimiter = ',')]
    moves: Vec<String>,
    /// Write a picture into a file, or to standard output (-)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &DrawArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let mut session = args.ruleset.open()?;
    let moves: Vec<&str> = args.moves.iter().map(String::as_str).collect();
    session.set_position(args.position.as_deref(), &moves)?;
    let Some(path) = &args.svg else {
        writeln!(out, "{}", session.draw().trim_end())?;
        return Ok(Status::Done);
    };
    let text = svg::picture(&*session).context("this game has no points to draw")?.into_string() + "\n";
    if path == Path::new("-") {
        out.write_all(text.as_bytes())?;
    } else {
        files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Status::Done)
}
