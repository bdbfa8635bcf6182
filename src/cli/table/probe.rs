//! `reynard table probe`: the value of a position and of its moves.

use std::io::Write;

use clap::Args;
use reynard_engine::session::{NamedValue, Session, TableGap, TableReport};
use reynard_engine::tablebase::{Metric, TableError};
use serde_json::{Value, json};

use super::{FolderArgs, plies};
use crate::cli::exit::{Status, complain};
use crate::cli::ruleset::{RulesetArgs, RulesetChanges};
use crate::tournament::tables;

/// Show the value of a position with best play, and of each of its moves.
///
/// The plies are those to conversion: to the next move that cannot be undone, or to the end. Those of a move count the
/// move itself. Where there are tables with distances to the end, the plies to the end follow. Exit code 1: no table
/// covers the position.
#[derive(Args)]
#[command(override_usage = "reynard table probe [OPTIONS] [RULESET] <POSITION>")]
pub(super) struct ProbeArgs {
    /// RULESET is a name that `reynard rules list` shows [default: masters-15]; POSITION is a text such as
    /// "3/3/7/G2F2G/GGGGGGG/GGG/GGG g", or 'start'
    #[arg(value_names = ["RULESET", "POSITION"], num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    changes: RulesetChanges,
    /// Print one line of JSON: position, turn, value, winner, plies, plies_to_end where tables know it, moves (each
    /// with move, value, winner, plies, plies_to_end)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: FolderArgs,
}

pub(super) fn run(args: &ProbeArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (ruleset, position) = RulesetArgs::with_last(&args.words, &args.changes)?;
    let mut session = ruleset.open()?;
    session.set_position(Some(position).filter(|&text| text != "start"), &[])?;
    match TableReport::of(&*session, &tables::options(&args.folder.path())) {
        Ok(report) => {
            if args.json {
                print_json(&*session, &report, out)?
            } else {
                print_text(&*session, &report, out)?
            }
            let Some(error) = report.without_ends else { return Ok(Status::Done) };
            complain(&error);
        }
        Err(TableGap::Table(error)) if !matches!(error, TableError::NoFolder(_)) => return Err(error.into()),
        Err(gap) => complain(&gap),
    }
    Ok(Status::Negative)
}

/// The role of the side to move: `fox` or `geese`.
fn turn(session: &dyn Session) -> &'static str {
    session.side_to_move().map_or("", |seat| session.game().role(seat))
}

fn print_json(session: &dyn Session, report: &TableReport, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut object = json!({"position": session.position_text(), "turn": turn(session).get(..1)});
    if let (Value::Object(object), Value::Object(report)) = (&mut object, report.json()) {
        object.extend(report);
    }
    if session.reason().is_some() {
        object["over"] = session.reason().into();
    }
    Ok(writeln!(out, "{object}")?)
}

fn print_text(session: &dyn Session, report: &TableReport, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{}\n\n{}\n", session.draw().trim_end(), session.position_text())?;
    let turn = turn(session);
    match session.reason() {
        Some(reason) => writeln!(out, "the game is over: {reason}; {turn} to move: {}", report.value.value)?,
        None => writeln!(out, "{turn} to move: {}\n", text(&report.value))?,
    }
    let width = report.moves.iter().map(|(mv, _)| mv.len()).max().unwrap_or(0);
    for (mv, value) in &report.moves {
        writeln!(out, "{mv:<width$}  {}", value.as_ref().map_or("not covered".to_owned(), text))?;
    }
    Ok(())
}

/// `win (geese), 7 plies, 19 to the end`.
fn text(value: &NamedValue) -> String {
    let Some(winner) = value.winner else { return "draw".to_owned() };
    let to_end = value.plies_to_end.map_or(String::new(), |plies| format!(", {plies} {}", Metric::End.goal()));
    format!("{} ({winner}), {}{to_end}", value.value, plies(value.plies))
}
