//! A game as data for clients that know no rules: its rules, names and board, the pieces on it, and the changes that a
//! move makes; and boards of points and lines drawn as text.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::game::{Game, Reason, Seat};
use super::ruleset::{Family, FamilyRules, Ruleset, RulesetBoard};
use crate::geometry::{Board, Point};

/// The data of a game that never change.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The family of the ruleset.
    pub family: Family,
    /// A stable hash of the rules in force.
    pub fingerprint: u64,
    /// Every key of the rules in force.
    pub rules: Value,
    /// The board as data: points with coordinates, lines, regions.
    pub board: BoardView,
    /// The players, by seat.
    pub seats: Vec<SeatInfo>,
    /// What can happen in this game.
    pub capabilities: Capabilities,
    /// The meaning of the letters of [`Notation::draw`](super::Notation::draw), such as `F for fox, G for geese`; empty
    /// where the drawing explains itself.
    pub legend: String,
}

/// A player of a game.
#[derive(Clone, Debug)]
pub struct SeatInfo {
    /// What the ruleset calls the side, for example `fox`.
    pub name: String,
    /// What the seat stands for in every game of the family: `fox` or `geese`, elsewhere `p1`, `p2`, ...
    pub role: &'static str,
}

impl GameInfo {
    /// The data of a game whose players have numbers for names and whose drawing needs no legend.
    pub(super) fn new<R: FamilyRules>(
        game: &impl Game,
        ruleset: &Ruleset<R>,
        board: BoardView,
        capabilities: Capabilities,
    ) -> Self {
        let seats = (0..game.seats() as u8).map(Seat);
        GameInfo {
            ruleset: ruleset.heading.name.clone(),
            family: R::FAMILY,
            fingerprint: game.fingerprint(),
            rules: ruleset.to_json(),
            board,
            seats: seats.map(|seat| SeatInfo { name: format!("player {}", seat.0 + 1), role: seat.name() }).collect(),
            capabilities,
            legend: String::new(),
        }
    }

    /// What the ruleset calls the side of `seat`; `p1`, `p2`, ... for a seat that the game does not have.
    pub fn seat_name(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or(seat.name(), |player| &player.name)
    }

    /// The role of `seat`; `p1`, `p2`, ... for a seat that the game does not have.
    pub fn role(&self, seat: Seat) -> &'static str {
        self.seats.get(seat.index()).map_or(seat.name(), |player| player.role)
    }

    /// The reason for the end of the game in a few words, such as `fox side has no legal move`.
    pub fn reason_text(&self, reason: Reason) -> String {
        let name = |seat| self.seat_name(seat);
        match reason {
            Reason::Repetition => "repetition".into(),
            Reason::NoProgress => "no progress".into(),
            // With more than two players an illegal move makes no winner, so the text names the player at fault.
            Reason::IllegalMove(seat) if self.seats.len() > 2 => format!("illegal move of {}", seat.name()),
            Reason::IllegalMove(_) => "illegal move".into(),
            Reason::NoLegalMove(seat) => format!("{} side has no legal move", name(seat)),
            Reason::NoPieceLeft(seat) => format!("no {} left", name(seat)),
            Reason::TooFewPieces(seat) => format!("too few {} left", name(seat)),
            Reason::FirstRowReached(seat) => {
                let opponent = name(seat.other());
                let ending = if opponent.ends_with('s') { "'" } else { "'s" };
                format!("{} reached the {opponent}{ending} first row", name(seat))
            }
            Reason::GoalReached(seat) => format!("{} reached the goal", name(seat)),
            Reason::FortressOccupied => "fortress occupied".into(),
            Reason::PuzzleSolved => "solved".into(),
            Reason::NoJumpLeft => "no jump left".into(),
            Reason::BasisTaken => "basis taken".into(),
            Reason::AllNeutralised => "all pieces neutralised".into(),
            Reason::LastFieldReached => "field 63 reached".into(),
            Reason::AllBorneOff => "all counters borne off".into(),
            Reason::NobodyCanMove => "nobody can ever move again".into(),
        }
    }
}

/// The board of a game; its JSON has the keys in the order of the fields.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardView {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The shape, or points and lines, as a ruleset writes them.
    pub board: Value,
    /// Files of the bounding box.
    pub width: usize,
    /// Ranks of the bounding box.
    pub height: usize,
    /// Every point once.
    pub points: Vec<PointView>,
    /// Pairs of neighbouring points, each once.
    pub lines: Vec<[String; 2]>,
    /// Further keys for some boards, such as `numbers` of points that the rule sheets number, and `jumps` of peg boards.
    #[serde(flatten)]
    pub more: Map<String, Value>,
    /// Names of points by their meaning in the rules, such as `fortress`.
    pub regions: Value,
    /// The names that the ruleset gives the pieces, by their letter or seat: `{"F": "fox", "G": "geese"}`.
    pub pieces: Value,
}

/// A point of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PointView {
    /// The name of the point in texts of moves.
    pub name: String,
    /// The file, from 0 at the left.
    pub x: usize,
    /// The rank, from 0 at the bottom.
    pub y: usize,
    /// The kind of the point, such as `prison`, on boards whose points differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

/// The type of a piece in its family, whatever a ruleset calls its sides; written in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceType {
    /// A piece of the few that jump, in a hunt.
    Fox,
    /// A piece of the many that hem the foxes in.
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
    /// A point of the [`BoardView`].
    pub point: String,
    /// The seat of the owner; `None` for pieces that belong to no player.
    pub owner: Option<Seat>,
    /// What the pieces are in their family.
    pub kind: PieceType,
    /// How many pieces stand on the point.
    pub count: u32,
}

/// The changes that a ply makes to the board.
///
/// A client that knows no rules takes one piece of the mover off `from` and puts it on `to`, takes off the `captured`
/// pieces, and puts on the `placed` ones, in this order; new pieces of a stack come on top.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Change {
    /// The seat that acts; `None` where the dice are rolled and no piece moves.
    pub mover: Option<Seat>,
    /// The point that a piece leaves; `None` where none moves.
    pub from: Option<String>,
    /// The points that the piece visits after `from`, as far as the move names them; `to` is the last.
    pub path: Vec<String>,
    /// The point where the piece ends, which may be `from`.
    pub to: Option<String>,
    /// Pieces taken off, in the order of the path; a piece that is sent elsewhere is captured here and placed there.
    pub captured: Vec<Piece>,
    /// Pieces put on, from the hand or from elsewhere.
    pub placed: Vec<Piece>,
}

/// What can happen in a game, in whatever position it starts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Capabilities {
    /// The number of players.
    pub seats: usize,
    /// Whether every cell of the board's bounding box is a point.
    pub is_rectangular: bool,
    /// Whether two players move by turns, one ply each.
    pub alternates: bool,
    /// The most pieces that one ply takes off; 0 where there are no captures.
    pub most_captures: u32,
    /// Whether dice are rolled.
    pub has_dice: bool,
    /// Whether pieces are placed by choice before the first move.
    pub has_placement: bool,
    /// Whether pieces come onto the board during play.
    pub has_drops: bool,
    /// Whether there is a penalty for a missed jump.
    pub has_huff: bool,
    /// Whether a chain of captures must go on as long as it can.
    pub has_forced_chains: bool,
    /// Whether a step may lead over several empty points.
    pub has_slides: bool,
    /// Whether a player without any other move passes.
    pub has_passes: bool,
    /// Whether pieces on one point form a stack and are listed from bottom to top; otherwise their order means nothing.
    pub has_stacks: bool,
    /// The kinds of pieces, for each owner.
    pub pieces: Vec<PieceKind>,
}

/// The letter and the moves of the pieces of one kind and owner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceKind {
    /// What the pieces are in their family.
    pub kind: PieceType,
    /// Whose pieces these are.
    pub owner: Seat,
    /// The capital letter of position texts; `None` where these have no letters.
    pub letter: Option<char>,
    /// The vectors, as files and ranks, of the steps along lines, each possible from some point. Empty where pieces
    /// move otherwise.
    pub steps: Vec<(i8, i8)>,
    /// The vectors, as files and ranks, from the origin of each jump to the piece that it captures. On the named boards
    /// that is half of the jump.
    pub jumps: Vec<(i8, i8)>,
    /// Whether a jump may be followed by others in the same ply.
    pub has_chains: bool,
}

impl BoardView {
    /// A board of points and lines; `written` is its shape in the ruleset `ruleset`.
    pub(super) fn of(ruleset: &str, written: &RulesetBoard, board: &Board, regions: Value, pieces: Value) -> Self {
        let point = |&point: &Point| PointView {
            name: board.name(point),
            x: board.file(point).into(),
            y: board.rank(point).into(),
            kind: None,
        };
        let number = |&point: &Point| Some((board.name(point), board.number(point)?.into()));
        let numbers: Map<String, Value> = board.points().iter().filter_map(number).collect();
        BoardView {
            ruleset: ruleset.to_owned(),
            board: json!(written),
            width: board.width().into(),
            height: board.height().into(),
            points: board.points().iter().map(point).collect(),
            lines: board.lines().map(|(a, b)| [board.name(a), board.name(b)]).collect(),
            more: if numbers.is_empty() { numbers } else { Map::from_iter([("numbers".to_owned(), numbers.into())]) },
            regions,
            pieces,
        }
    }
}

impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Change {
    /// The change made by a piece that moves along a path, which must not be empty.
    pub(super) fn travel(from: String, path: Vec<String>) -> Change {
        Change { from: Some(from), to: path.last().cloned(), path, ..Change::default() }
    }
}

impl PieceKind {
    /// A kind of piece without a letter and without moves.
    pub(super) fn new(kind: PieceType, owner: Seat) -> PieceKind {
        PieceKind { kind, owner, letter: None, steps: Vec::new(), jumps: Vec::new(), has_chains: false }
    }
}

/// Draws a board as text: ranks from the top with their numbers, the letter of `piece` on every point, lines between
/// neighbours. Lines that cannot be drawn among the others are named below.
pub(crate) fn draw(board: &Board, piece: impl Fn(Point) -> char) -> String {
    let mut drawing = Drawing::new(board, piece);
    let mut lines: Vec<(Point, Point)> = board.lines().collect();
    lines.sort_by_key(|&(from, to)| u32::from(board.file(from).abs_diff(board.file(to))) + u32::from(to.0 - from.0));
    let hidden: Vec<String> = lines.into_iter().filter_map(|(from, to)| drawing.line(from, to)).collect();
    let mut rows = Vec::new();
    for (index, row) in drawing.rows.iter().enumerate() {
        let number = if index % 2 == 0 { (usize::from(board.height()) - index / 2).to_string() } else { String::new() };
        rows.push(format!("{number:>3}  {}", row.iter().collect::<String>()));
    }
    let files: Vec<String> = (0..board.width()).map(|file| char::from(b'a' + file).to_string()).collect();
    rows.push(format!("\n     {}", files.join("   ")));
    if !hidden.is_empty() {
        rows.push(format!("Lines not drawn: {}", hidden.join(" ")));
    }
    rows.iter().map(|row| row.trim_end().to_string() + "\n").collect()
}

/// The letters of a drawn board: points are four columns and two rows apart.
struct Drawing<'a> {
    board: &'a Board,
    rows: Vec<Vec<char>>,
}

impl<'a> Drawing<'a> {
    /// A board without lines.
    fn new(board: &'a Board, piece: impl Fn(Point) -> char) -> Self {
        let (columns, rows) = (4 * usize::from(board.width()) - 3, 2 * usize::from(board.height()) - 1);
        let mut drawing = Drawing { board, rows: vec![vec![' '; columns]; rows] };
        for &point in board.points() {
            let (row, column) = drawing.place(point);
            drawing.rows[row][column] = piece(point);
        }
        drawing
    }

    fn place(&self, point: Point) -> (usize, usize) {
        (2 * usize::from(self.board.height() - 1 - self.board.rank(point)), 4 * usize::from(self.board.file(point)))
    }

    /// Draws a line; if it is flat and slanting, or in the way of a point or of another line, returns its name instead.
    fn line(&mut self, from: Point, to: Point) -> Option<String> {
        let name = Some(format!("{}-{}", self.board.name(from), self.board.name(to)));
        let Some(cells) = self.cells(from, to) else { return name };
        let drawn: Option<Vec<char>> =
            cells.iter().map(|&(row, column, sign)| joined(self.rows[row][column], sign)).collect();
        let Some(drawn) = drawn else { return name };
        cells.iter().zip(drawn).for_each(|(&(row, column, _), sign)| self.rows[row][column] = sign);
        None
    }

    /// The letters of a line between its ends; `None` for lines that go farther aside than up and yet up.
    fn cells(&self, from: Point, to: Point) -> Option<Vec<(usize, usize, char)>> {
        let ((row, column), (last_row, last_column)) = (self.place(from), self.place(to));
        let (top, bottom) = (row.min(last_row), row.max(last_row));
        let (left, right) = (column.min(last_column), column.max(last_column));
        let (height, width) = (bottom - top, right - left);
        if height == 0 {
            return Some((left + 1..right).map(|column| (row, column, '-')).collect());
        }
        let falls = (row < last_row) == (column < last_column);
        let sign = if width == 0 {
            '|'
        } else if falls {
            '\\'
        } else {
            '/'
        };
        let cell = |down: usize| {
            let aside = (2 * down * width + height) / (2 * height);
            (top + down, if falls { left + aside } else { right - aside }, sign)
        };
        (width <= 2 * height).then(|| (1..height).map(cell).collect())
    }
}

/// A letter of a drawing after a line has been drawn over it; `None` where it stands in the way.
fn joined(old: char, sign: char) -> Option<char> {
    match (old, sign) {
        (' ', _) => Some(sign),
        ('/', '\\') | ('\\', '/') => Some('X'),
        ('-', '|') | ('|', '-') => Some('+'),
        _ => None,
    }
}
