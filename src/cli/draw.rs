//! `reynard rules draw`: a board as it stands, for a terminal or as a picture.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use reynard_engine::files;

use super::exit::Status;
use super::ruleset::RulesetArgs;
use crate::svg;

/// A terminal's text of a megabyte would make a picture that nobody can look at.
const MAX_TRANSCRIPT_BYTES: u64 = 1 << 20;

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
    /// Draw no board but this text, standard input (-) or a file, as a terminal shows it
    #[arg(long, value_name = "FILE", requires = "svg", conflicts_with_all = ["position", "moves"])]
    transcript: Option<PathBuf>,
}

pub(super) fn run(args: &DrawArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let picture = match &args.transcript {
        Some(transcript) => svg::terminal(&text_of(transcript)?),
        None => {
            let mut session = args.ruleset.open()?;
            let moves: Vec<&str> = args.moves.iter().map(String::as_str).collect();
            session.set_position(args.position.as_deref(), &moves)?;
            if args.svg.is_none() {
                writeln!(out, "{}", session.draw().trim_end())?;
                return Ok(Status::Done);
            }
            svg::picture(&*session).context("this game has no points to draw")?
        }
    };
    let text = picture.into_string() + "\n";
    match args.svg.as_deref().filter(|&path| path != Path::new("-")) {
        Some(path) => {
            files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(Status::Done)
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = match path == Path::new("-") {
        true => io::stdin().take(MAX_TRANSCRIPT_BYTES).read_to_string(&mut text).map(|_| text),
        false => return Ok(files::read_text(path, MAX_TRANSCRIPT_BYTES)?),
    };
    read.context("cannot read standard input")
}
