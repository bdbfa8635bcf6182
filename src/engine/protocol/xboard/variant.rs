//! A ruleset as XBoard sees it: a rectangle of squares with holes, white and black pieces, FEN.

use crate::rules::{BoardView, Capabilities, PieceKind, Seat};
use crate::session::Session;

/// A ruleset as XBoard knows it. White is always the side that acts first.
pub(super) struct Variant {
    width: usize,
    height: usize,
    /// The names of the points by rank and file; `None` for a hole.
    points: Vec<Option<String>>,
    /// The pieces of both sides.
    kinds: Vec<PieceKind>,
    /// Whether White's one fox is in hand at first: its first move is then a drop.
    has_hand: bool,
}

/// The most ranks of a board: XBoard numbers the ranks of taller boards from 0.
const MAX_HEIGHT: usize = 9;

/// The number of kinds of pieces that XBoard knows for each colour.
const PIECES: usize = 44;
/// The indices of XBoard's wolf and duck among its pieces.
const WOLF: usize = 26;
const DUCK: usize = 28;

/// A step or a jump to a neighbouring square and back, which gives every piece a move: otherwise XBoard calls a side
/// without a move stalemated and the game drawn before the engines can claim a win.
const STAY: &str = "mpabK";

impl Variant {
    /// The variant of a session's ruleset.
    ///
    /// # Errors
    /// XBoard cannot show this game; the text says why.
    pub(super) fn of(session: &dyn Session) -> Result<Variant, String> {
        let refuse = |obstacle: &str| format!("XBoard cannot play {}: {obstacle}", session.game().ruleset);
        let capabilities = &session.game().capabilities;
        if let Some(obstacle) = obstacle(capabilities) {
            return Err(refuse(obstacle));
        }
        let BoardView { width, height, ref points, .. } = session.game().board;
        if !(1..=MAX_HEIGHT).contains(&height) {
            return Err(refuse(&format!("the board has {height} ranks")));
        }
        let mut names = vec![None; width * height];
        points.iter().for_each(|point| names[point.y * width + point.x] = Some(point.name.clone()));
        Ok(Variant {
            width,
            height,
            points: names,
            kinds: capabilities.pieces.clone(),
            has_hand: capabilities.has_placement,
        })
    }

    /// The command `setup`: the pieces, the size of the board, the places for pieces in hand and the start position.
    pub(super) fn setup(&self, session: &dyn Session) -> String {
        let mut table = vec!['.'; PIECES];
        (table[WOLF], table[DUCK]) = ('F', 'G');
        let white: String = table.into_iter().collect();
        let black = white.to_ascii_lowercase();
        let hand = u8::from(self.has_hand);
        format!("setup ({white}{black}) {}x{}+{hand}_fairy {}", self.width, self.height, self.start_fen(session))
    }

    /// The commands `piece`: how each piece moves, in XBoard's dialect of Betza's notation, as if lines led from every
    /// point in all directions.
    pub(super) fn pieces(&self) -> Vec<String> {
        let line = |kind: &PieceKind| Some(format!("piece {} {}{STAY}", letter(kind)?, betza(kind)));
        self.kinds.iter().filter_map(line).collect()
    }

    /// The start position as FEN.
    fn start_fen(&self, session: &dyn Session) -> String {
        let mut cells: Vec<Option<char>> = self.points.iter().map(|point| point.is_none().then_some('*')).collect();
        for piece in session.pieces() {
            let cell = self.points.iter().position(|point| point.as_ref() == Some(&piece.point));
            let kind = self.kinds.iter().find(|kind| kind.kind == piece.kind);
            if let (Some(cell), Some(kind)) = (cell, kind) {
                cells[cell] = letter(kind);
            }
        }
        let rows: Vec<String> = cells.chunks(self.width).rev().map(gather).collect();
        let turn = if session.side_to_move() == Some(Seat::P1) { 'w' } else { 'b' };
        let hand = if self.has_hand { "[F]" } else { "" };
        format!("{}{hand} {turn} - - 0 1", rows.join("/"))
    }

    /// The engine's own position text for a FEN that XBoard sends.
    ///
    /// # Errors
    /// The message says what is wrong with the FEN.
    pub(super) fn position(&self, fen: &str) -> Result<String, String> {
        let mut fields = fen.split_whitespace();
        let (Some(placement), Some(turn)) = (fields.next(), fields.next()) else {
            return Err("a placement and a turn are expected".to_owned());
        };
        let (placement, hand) = placement.split_once('[').unwrap_or((placement, ""));
        let phase = if self.has_hand && hand.starts_with('F') { " phase=place" } else { "" };
        let rows: Vec<&str> = placement.split('/').collect();
        if rows.len() != self.height {
            return Err(format!("{} ranks are given, but the board has {}", rows.len(), self.height));
        }
        let rows = rows.iter().zip((0..self.height).rev()).map(|(row, rank)| self.position_row(row, rank));
        let rows = rows.collect::<Result<Vec<_>, String>>()?;
        let seat = match turn {
            "w" => Seat::P1,
            "b" => Seat::P2,
            _ => return Err(format!("turn '{turn}' is not w or b")),
        };
        let mover = self.kinds.iter().find(|kind| kind.owner == seat).and_then(|kind| kind.letter);
        Ok(format!("{} {}{phase}", rows.join("/"), mover.unwrap_or_default().to_ascii_lowercase()))
    }

    fn position_row(&self, row: &str, rank: usize) -> Result<String, String> {
        let cells = spread(row);
        if cells.len() != self.width {
            return Err(format!("rank {} has {} squares, but {} are given", rank + 1, self.width, cells.len()));
        }
        let mut kept = Vec::new();
        let points = &self.points[rank * self.width..(rank + 1) * self.width];
        for (cell, point) in cells.into_iter().zip(points) {
            let is_hole = point.is_none();
            match cell {
                None | Some('*') if is_hole => {}
                None => kept.push(None),
                Some(piece) if !is_hole && self.is_piece(piece) => kept.push(Some(piece.to_ascii_uppercase())),
                Some(piece) => return Err(format!("'{piece}' cannot stand there on rank {}", rank + 1)),
            }
        }
        Ok(gather(&kept))
    }

    fn is_piece(&self, piece: char) -> bool {
        self.kinds.iter().any(|kind| letter(kind) == Some(piece))
    }
}

/// Why XBoard, which knows only alternating moves of pieces on squares, cannot show a game with these capabilities.
fn obstacle(can: &Capabilities) -> Option<&'static str> {
    let has_letters = can.pieces.iter().all(|kind| kind.letter.is_some());
    if can.seats != 2 || can.has_dice || can.has_stacks || !has_letters {
        Some("it can show only the hunts among reynard's games")
    } else if can.has_huff {
        Some("huffing lets one side move twice")
    } else if !can.alternates {
        Some("one side places its pieces in several moves running")
    } else if can.has_drops {
        Some("pieces are dropped")
    } else if can.most_captures > 1 && can.pieces.iter().all(|kind| !kind.has_chains) {
        Some("a jump takes several pieces")
    } else if can.has_slides {
        Some("pieces step over several points")
    } else if can.has_forced_chains {
        Some("chains must go on, and it can show two captures only")
    } else {
        None
    }
}

/// The letter of a piece in FEN: a capital for White.
fn letter(kind: &PieceKind) -> Option<char> {
    kind.letter.map(|letter| if kind.owner == Seat::P1 { letter } else { letter.to_ascii_lowercase() })
}

fn betza(kind: &PieceKind) -> String {
    // A jump takes the neighbour (c) and goes on (a) in the same direction (f) to an empty point (m).
    match atom(&kind.jumps) {
        None => steps(kind),
        Some(jumps) if kind.has_chains => format!("{}cafm{jumps}cafmacafm{jumps}", steps(kind)),
        Some(jumps) => format!("{}cafm{jumps}", steps(kind)),
    }
}

/// The steps of a piece without capture, in Betza's notation.
fn steps(kind: &PieceKind) -> String {
    let has_all_or_none =
        |straight: bool| kind.steps.iter().filter(|step| is_straight(step) == straight).count() % 4 == 0;
    if has_all_or_none(true) && has_all_or_none(false) {
        return atom(&kind.steps).map_or(String::new(), |atom| format!("m{atom}"));
    }
    // Up the board is forward for white, backward for black.
    let (up, down) = if kind.owner == Seat::P1 { ('f', 'b') } else { ('b', 'f') };
    let part = |straight: bool, atom: &str| {
        let ranks: Vec<i8> =
            kind.steps.iter().filter(|step| is_straight(step) == straight).map(|step| step.1).collect();
        let directions = [(1, up), (-1, down), (0, 's')].into_iter().filter(|(rank, _)| ranks.contains(rank));
        let letters: String = directions.map(|(_, letter)| letter).collect();
        if letters.is_empty() { letters } else { format!("{letters}m{atom}") }
    };
    part(true, "W") + &part(false, "F")
}

/// Betza's letter for steps in these directions: wazir, ferz or king; `None` if there are none.
fn atom(directions: &[(i8, i8)]) -> Option<char> {
    if directions.is_empty() {
        None
    } else if directions.iter().all(is_straight) {
        Some('W')
    } else if directions.iter().any(is_straight) {
        Some('K')
    } else {
        Some('F')
    }
}

fn is_straight(&(file, rank): &(i8, i8)) -> bool {
    file == 0 || rank == 0
}

/// The squares of a row of FEN: `None` for an empty square.
fn spread(row: &str) -> Vec<Option<char>> {
    /// More squares than any board has, which limits the numbers in the text.
    const MANY: usize = 1000;
    let mut cells = Vec::new();
    let mut run = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => run = (run * 10 + digit as usize).min(MANY),
            None => {
                cells.extend(std::iter::repeat_n(None, std::mem::take(&mut run)));
                cells.push(Some(letter));
            }
        }
    }
    cells.extend(std::iter::repeat_n(None, run));
    cells
}

/// A row of squares as FEN text; `None` is an empty square.
fn gather(cells: &[Option<char>]) -> String {
    let runs = cells.chunk_by(|one, next| one.is_none() && next.is_none());
    runs.map(|run| run[0].map_or_else(|| run.len().to_string(), String::from)).collect()
}
