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

/// A value by what the sides are called.
type RoleValue = TableValue<&'static str>;

struct Answer {
    position: String,
    drawing: String,
    /// `fox` or `geese`.
    turn: &'static str,
    value: RoleValue,
    /// Why the game is over, if it is.
    over: Option<&'static str>,
    /// The best first; `None`: the position after it is not covered.
    moves: Vec<(String, Option<RoleValue>)>,
}

impl Answer {
    fn of<G: Game>(game: &G, tables: &dyn Tables<G>, position: &G::Position) -> Result<Option<Answer>, TableError> {
        let Some(value) = tables.probe(game, position)? else { return Ok(None) };
        let by_role = |value: TableValue| value.map(|seat| game.role(seat));
        let turn = game.role(game.side_to_move(position).unwrap_or(Seat::P1));
        let mut listed = Vec::new();
        game.legal_moves(position, &mut listed);
        let mut moves = Vec::with_capacity(listed.len());
        for mv in listed {
            let after = tables.probe(game, &game.play_unchecked(position, mv))?;
            let value = after.map(|value| by_role(value.before(game.is_irreversible(position, mv))));
            moves.push((game.move_text(position, mv), value));
        }
        moves.sort_by_key(|(_, value)| Reverse(value.map(|value| value.rank(turn))));
        Ok(Some(Answer {
            position: game.position_text(position),
            drawing: game.draw(position),
            turn,
            value: by_role(value),
            over: match game.turn(position) {
                Turn::Over(outcome) => Some(outcome.reason),
                _ => None,
            },
            moves,
        }))
    }

    /// `win`, `draw` or `loss` of the side to move.
    fn result(&self, value: RoleValue) -> &'static str {
        match value.winner {
            None => "draw",
            Some(winner) if winner == self.turn => "win",
            Some(_) => "loss",
        }
    }

    fn add_value(&self, object: &mut Value, value: Option<RoleValue>) {
        object["value"] = value.map(|value| self.result(value)).into();
        object["winner"] = value.and_then(|value| value.winner).into();
        object["plies"] = value.map(|value| value.distance).into();
    }

    fn json(&self) -> Value {
        let mut object = json!({"position": self.position, "turn": self.turn.get(..1)});
        self.add_value(&mut object, Some(self.value));
        if let Some(reason) = self.over {
            object["over"] = reason.into();
        }
        let row = |(text, value): &(String, Option<RoleValue>)| {
            let mut row = json!({"move": text});
            self.add_value(&mut row, *value);
            row
        };
        object["moves"] = self.moves.iter().map(row).collect();
        object
    }

    /// `win (geese), 7 plies`.
    fn text(&self, value: RoleValue) -> String {
        match value.winner {
            None => "draw".to_owned(),
            Some(winner) => format!("{} ({winner}), {}", self.result(value), plies(value.distance)),
        }
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let turn = self.turn;
        writeln!(out, "{}\n\n{}\n", self.drawing.trim_end(), self.position)?;
        match self.over {
            Some(reason) => writeln!(out, "the game is over: {reason}; {turn} to move: {}", self.result(self.value))?,
            None => writeln!(out, "{turn} to move: {}\n", self.text(self.value))?,
        }
        let width = self.moves.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
        for (text, value) in &self.moves {
            let value = value.map_or("not covered".to_owned(), |value| self.text(value));
            writeln!(out, "{text:<width$}  {value}")?;
        }
        Ok(())
    }
}
