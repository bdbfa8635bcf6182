//! `reynard table probe`.

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::FolderArgs;
use super::text::plies;
use crate::cli::exit::{Status, UsageError, complain};
use crate::cli::ruleset::RulesetArgs;
use crate::engine::GameSupport;
use crate::engine::registry::{self, GameVisitor};
use crate::rules::{Game, Seat, Turn};
use crate::tablebase::{TableError, TableValue, Tables};

/// Tell the value of a position with best play, and of each of its moves.
///
/// The plies are those to conversion: to the next move that cannot be undone, or to the end. Those of a move count the
/// move itself. Exit code 1: no table covers the position.
#[derive(Args)]
#[command(allow_missing_positional = true)]
pub(super) struct ProbeArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// The position, for example "3/3/7/G2F2G/GGGGGGG/GGG/GGG g"; or 'start'
    position: String,
    /// Print one line of JSON: position, turn, value, winner, plies, moves (each with move, value, winner, plies)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: FolderArgs,
}

pub(super) fn run(args: &ProbeArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let folder = args.folder.path();
    match registry::visit(&args.ruleset.choice(), Prober { args, folder })?? {
        None => {
            complain(&format!("no table in '{}' covers this position", args.folder.path().display()));
            Ok(Status::Negative)
        }
        Some(answer) if args.json => {
            writeln!(out, "{}", answer.json())?;
            Ok(Status::Done)
        }
        Some(answer) => {
            answer.print(out)?;
            Ok(Status::Done)
        }
    }
}

struct Prober<'a> {
    args: &'a ProbeArgs,
    folder: PathBuf,
}

impl GameVisitor for Prober<'_> {
    type Output = anyhow::Result<Option<Answer>>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        let position = match self.args.position.as_str() {
            "start" => game.start(),
            text => game.parse_position(text).map_err(|error| UsageError(error.to_string()))?,
        };
        Ok(match game.tables(&self.folder)? {
            Some(tables) => Answer::of(&game, &*tables, &position)?,
            None => None,
        })
    }
}

/// A value with names instead of seats.
#[derive(Clone, Copy)]
struct Worth {
    /// `win`, `draw` or `loss` of the side to move.
    value: &'static str,
    /// `fox` or `geese`.
    winner: Option<&'static str>,
    plies: u32,
    /// The greater, the better for the side to move.
    rank: i64,
}

impl Worth {
    fn of<G: Game>(game: &G, mover: Option<Seat>, verdict: TableValue) -> Self {
        let mover = mover.unwrap_or(Seat::P1);
        let value = match verdict.winner {
            None => "draw",
            Some(seat) if seat == mover => "win",
            Some(_) => "loss",
        };
        let winner = verdict.winner.map(|seat| game.role(seat));
        Worth { value, winner, plies: verdict.distance, rank: verdict.rank(mover) }
    }

    fn json(&self) -> Value {
        json!({"value": self.value, "winner": self.winner, "plies": self.plies})
    }

    /// `win for the geese in 7 plies`.
    fn text(&self) -> String {
        match self.winner {
            None => "draw".to_owned(),
            Some(winner) => format!("{} ({winner}), {}", self.value, plies(self.plies)),
        }
    }
}

struct Answer {
    position: String,
    drawing: String,
    /// `fox` or `geese`.
    turn: &'static str,
    worth: Worth,
    /// Why the game is over, if it is.
    over: Option<&'static str>,
    /// The best first; `None`: the position after it is not covered.
    moves: Vec<(String, Option<Worth>)>,
}

impl Answer {
    fn of<G: Game>(game: &G, tables: &dyn Tables<G>, position: &G::Position) -> Result<Option<Answer>, TableError> {
        let Some(verdict) = tables.probe(game, position)? else { return Ok(None) };
        let mover = game.side_to_move(position);
        let mut listed = Vec::new();
        game.legal_moves(position, &mut listed);
        let mut moves = Vec::with_capacity(listed.len());
        for mv in listed {
            let after = tables.probe(game, &game.play_unchecked(position, mv))?;
            let verdict = after.map(|verdict| verdict.before(game.is_irreversible(position, mv)));
            moves.push((game.move_text(position, mv), verdict.map(|verdict| Worth::of(game, mover, verdict))));
        }
        moves.sort_by_key(|(_, worth)| Reverse(worth.map(|worth| worth.rank)));
        Ok(Some(Answer {
            position: game.position_text(position),
            drawing: game.draw(position),
            turn: mover.map_or("", |seat| game.role(seat)),
            worth: Worth::of(game, mover, verdict),
            over: match game.turn(position) {
                Turn::Over(outcome) => Some(outcome.reason),
                _ => None,
            },
            moves,
        }))
    }

    fn json(&self) -> Value {
        let mut object = json!({"position": self.position, "turn": self.turn.get(..1)});
        let add = |object: &mut Value, worth: Option<&Worth>| {
            let values = worth.map_or(json!({"value": null, "winner": null, "plies": null}), Worth::json);
            for (key, value) in values.as_object().into_iter().flatten() {
                object[key] = value.clone();
            }
        };
        add(&mut object, Some(&self.worth));
        if let Some(reason) = self.over {
            object["over"] = reason.into();
        }
        let row = |(text, worth): &(String, Option<Worth>)| {
            let mut row = json!({"move": text});
            add(&mut row, worth.as_ref());
            row
        };
        object["moves"] = self.moves.iter().map(row).collect();
        object
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}\n\n{}\n", self.drawing.trim_end(), self.position)?;
        match self.over {
            Some(reason) => writeln!(out, "the game is over: {reason}; {} to move: {}", self.turn, self.worth.value)?,
            None => writeln!(out, "{} to move: {}\n", self.turn, self.worth.text())?,
        }
        let width = self.moves.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
        for (text, worth) in &self.moves {
            let worth = worth.map_or("not covered".to_owned(), |worth| worth.text());
            writeln!(out, "{text:<width$}  {worth}")?;
        }
        Ok(())
    }
}
