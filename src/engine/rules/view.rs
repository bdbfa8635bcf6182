//! A game as data for clients that know no rules: pieces on the board, what a move changes, capabilities.

use std::fmt;

use serde::Serialize;

use super::seat::Seat;

/// What a piece is in its family, whatever a ruleset calls its sides; written in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceType {
    /// A piece of the few that jump in a hunt.
    Fox,
    /// A piece of the many that hem in.
    Goose,
    /// A peg of solitaire.
    Peg,
    /// A piece of The Game.
    Piece,
    /// A counter of the Game of the Goose.
    Counter,
}

/// Equal pieces on one point of the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Piece {
    /// A point of [`Notation::board_json`](super::Notation::board_json).
    pub point: String,
    /// Whose piece it is; `None` for pieces that belong to nobody.
    pub owner: Option<Seat>,
    /// What the pieces are in their family.
    pub kind: PieceType,
    /// How many pieces stand on the point.
    pub count: u32,
}

/// What a ply does to the board.
///
/// A client that knows no rules takes one piece of the mover off `from` and puts it on `to`, takes off what is captured,
/// and puts on what is placed, in this order; new pieces of a stack come on top.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Change {
    /// Who acts; `None` where the dice are rolled and no piece moves.
    pub mover: Option<Seat>,
    /// Where a piece moves away; `None` where none does.
    pub from: Option<String>,
    /// The points that the piece visits after `from` as far as the move tells them, `to` the last.
    pub path: Vec<String>,
    /// Where the piece stands in the end; may be `from`.
    pub to: Option<String>,
    /// Pieces taken off, in the order of the path; a piece sent elsewhere is captured here and placed there.
    pub captured: Vec<Piece>,
    /// Pieces put on, from the hand or from elsewhere.
    pub placed: Vec<Piece>,
}

/// What can happen in a game, in whatever position it starts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Capabilities {
    /// The number of players.
    pub seats: usize,
    /// Every cell of the board's bounding box is a point.
    pub is_rectangular: bool,
    /// Two players move by turns, one ply each.
    pub alternates: bool,
    /// At most so many pieces are taken off by one ply; 0 where there are no captures.
    pub most_captures: u32,
    /// Dice are rolled.
    pub has_dice: bool,
    /// Pieces are placed by choice before the first move.
    pub has_placement: bool,
    /// Pieces come onto the board during play.
    pub has_drops: bool,
    /// A missed jump has a price.
    pub has_huff: bool,
    /// A chain of captures must go on as long as it can.
    pub has_forced_chains: bool,
    /// A player without another move passes.
    pub has_passes: bool,
    /// Pieces of one point lie on each other and are listed bottom to top; else their order means nothing.
    pub has_stacks: bool,
    /// The kinds of pieces, for each owner.
    pub pieces: Vec<PieceKind>,
}

/// How the pieces of one kind and owner are written and move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceKind {
    /// What the pieces are in their family.
    pub kind: PieceType,
    /// Whose pieces these are.
    pub owner: Seat,
    /// The capital letter of position texts; `None` where these have no letters.
    pub letter: Option<char>,
    /// Files and ranks of the steps along lines, each possible from some point. Empty where pieces move otherwise.
    pub steps: Vec<(i8, i8)>,
    /// Half of the files and ranks of the jumps, each over a piece that is captured.
    pub jumps: Vec<(i8, i8)>,
    /// A jump may be followed by others in the same ply.
    pub has_chains: bool,
}

impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Change {
    /// A piece moves along a path, which is not empty.
    pub(super) fn travel(from: String, path: Vec<String>) -> Change {
        Change { from: Some(from), to: path.last().cloned(), path, ..Change::default() }
    }
}

impl PieceKind {
    /// Without a letter or a way to move.
    pub(super) fn new(kind: PieceType, owner: Seat) -> PieceKind {
        PieceKind { kind, owner, letter: None, steps: Vec::new(), jumps: Vec::new(), has_chains: false }
    }
}
