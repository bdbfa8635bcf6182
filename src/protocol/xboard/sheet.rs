//! A ruleset as XBoard sees it: a rectangle of squares with holes, white and black pieces, FEN.

use serde_json::Value;

use crate::engine::Session;
use crate::rules::Seat;

/// What XBoard has to know of a ruleset. White is always the side that acts first.
pub(super) struct Sheet {
    width: usize,
    height: usize,
    /// By file and rank: whether the board has a point there.
    points: Vec<bool>,
    /// The letter of the side that is white, `F` or `G`.
    white: char,
    has_straight_lines: bool,
    has_diagonals: bool,
    rules: Value,
}

/// XBoard numbers the ranks of taller boards from 0.
const MAX_HEIGHT: usize = 9;

/// The pieces that XBoard knows for each colour.
const PIECES: usize = 44;
/// The places of its wolf and its duck among them.
const WOLF: usize = 26;
const DUCK: usize = 28;

impl Sheet {
    /// The sheet of a session's ruleset.
    ///
    /// # Errors
    /// XBoard cannot show this game; the text says why.
    pub(super) fn of(session: &dyn Session) -> Result<Sheet, String> {
        let rules = session.rules_json();
        if let Some(obstacle) = obstacle(&rules) {
            return Err(format!("XBoard cannot play {}: {obstacle}", session.ruleset()));
        }
        let board = session.board_json();
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let (width, height) = (number(&board["width"]), number(&board["height"]));
        if !(1..=MAX_HEIGHT).contains(&height) {
            return Err(format!("XBoard cannot play {}: the board has {height} ranks", session.ruleset()));
        }
        let mut points = vec![false; width * height];
        for point in list(&board["points"]) {
            if let Some(slot) = points.get_mut(number(&point["y"]) * width + number(&point["x"])) {
                *slot = true;
            }
        }
        let is_diagonal = |line: &Value| {
            let [a, b] = [0, 1].map(|end| line[end].as_str().unwrap_or_default());
            a.get(..1) != b.get(..1) && a.get(1..) != b.get(1..)
        };
        Ok(Sheet {
            width,
            height,
            points,
            white: white_letter(session),
            has_straight_lines: list(&board["lines"]).any(|line| !is_diagonal(line)),
            has_diagonals: list(&board["lines"]).any(is_diagonal),
            rules,
        })
    }

    /// The command that tells XBoard the pieces, the board and the start position.
    pub(super) fn setup(&self, session: &dyn Session) -> String {
        let mut table = vec!['.'; PIECES];
        (table[WOLF], table[DUCK]) = ('F', 'G');
        let white: String = table.into_iter().collect();
        let black = white.to_ascii_lowercase();
        format!("setup ({white}{black}) {}x{}+0_fairy {}", self.width, self.height, self.fen(session))
    }

    /// How the pieces move, in XBoard's dialect of Betza's notation, as if every point had every line.
    pub(super) fn pieces(&self) -> [String; 2] {
        [('F', self.fox_moves()), ('G', self.goose_moves())]
            .map(|(letter, moves)| format!("piece {} {moves}", self.coloured(letter)))
    }

    fn fox_moves(&self) -> String {
        let diagonal = self.rules["fox_diagonal"].as_str().unwrap_or("full");
        let steps = self.atom(diagonal == "full");
        let jumps = self.atom(diagonal != "none");
        let is_on = |key: &str| self.rules[key].as_bool() == Some(true);
        // A jump takes the neighbour (c) and goes on (a) in the same direction (f) to an empty point (m).
        match (is_on("fox_captures"), is_on("chain")) {
            (false, _) => format!("m{steps}"),
            (true, false) => format!("m{steps}cafm{jumps}"),
            (true, true) => format!("m{steps}cafm{jumps}cafmacafm{jumps}"),
        }
    }

    fn goose_moves(&self) -> String {
        let directions: Vec<&str> = list(&self.rules["goose_moves"]).filter_map(Value::as_str).collect();
        // Up the board is forward for white, backward for black.
        let (up, down) = if self.white == 'G' { ("f", "b") } else { ("b", "f") };
        let part = |names: [(&str, &'static str); 3], atom: &str| {
            let chosen: String =
                names.iter().filter(|(name, _)| directions.contains(name)).map(|&(_, letter)| letter).collect();
            if chosen.is_empty() { String::new() } else { format!("{chosen}m{atom}") }
        };
        let straight = part([("forward", up), ("backward", down), ("sideways", "s")], "W");
        let diagonal = part([("forward_diagonal", up), ("backward_diagonal", down), ("", "")], "F");
        let kept = |on: bool, text: String| if on { text } else { String::new() };
        kept(self.has_straight_lines, straight) + &kept(self.has_diagonals, diagonal)
    }

    /// Wazir, ferz or king, as the lines of the board allow.
    fn atom(&self, diagonal: bool) -> char {
        match (self.has_straight_lines, self.has_diagonals && diagonal) {
            (true, true) => 'K',
            (false, true) => 'F',
            _ => 'W',
        }
    }

    /// The present position as FEN.
    pub(super) fn fen(&self, session: &dyn Session) -> String {
        let text = session.position_text();
        let placement = text.split(' ').next().unwrap_or_default();
        let rows: Vec<String> =
            placement.split('/').zip((0..self.height).rev()).map(|(row, rank)| self.fen_row(row, rank)).collect();
        let turn = if session.side_to_move() == Some(Seat::P1) { 'w' } else { 'b' };
        format!("{} {turn} - - 0 1", rows.join("/"))
    }

    fn fen_row(&self, row: &str, rank: usize) -> String {
        let mut contents = spread(row).into_iter();
        let mut cells = self.rank(rank).iter().map(|&is_point| match is_point {
            false => Some('*'),
            true => contents.next().flatten().map(|letter| self.coloured(letter)),
        });
        gather(&mut cells)
    }

    /// The engine's own text for a FEN of XBoard's.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn position(&self, fen: &str) -> Result<String, String> {
        let mut fields = fen.split_whitespace();
        let (Some(placement), Some(turn)) = (fields.next(), fields.next()) else {
            return Err("a placement and a turn are expected".to_owned());
        };
        let rows: Vec<&str> = placement.split('[').next().unwrap_or_default().split('/').collect();
        if rows.len() != self.height {
            return Err(format!("{} ranks are given, but the board has {}", rows.len(), self.height));
        }
        let rows = rows.iter().zip((0..self.height).rev()).map(|(row, rank)| self.position_row(row, rank));
        let rows = rows.collect::<Result<Vec<_>, String>>()?;
        let letter = match (turn, self.white) {
            ("w", white) => white,
            ("b", 'F') => 'G',
            ("b", _) => 'F',
            _ => return Err(format!("turn '{turn}' is not w or b")),
        };
        Ok(format!("{} {}", rows.join("/"), letter.to_ascii_lowercase()))
    }

    fn position_row(&self, row: &str, rank: usize) -> Result<String, String> {
        let cells = spread(row);
        if cells.len() != self.width {
            return Err(format!("rank {} has {} squares, but {} are given", rank + 1, self.width, cells.len()));
        }
        let mut kept = Vec::new();
        for (cell, &is_point) in cells.into_iter().zip(self.rank(rank)) {
            match (cell, is_point) {
                (None | Some('*'), false) => {}
                (None, true) => kept.push(None),
                (Some(piece), true) if self.is_piece(piece) => kept.push(Some(piece.to_ascii_uppercase())),
                (Some(piece), _) => return Err(format!("'{piece}' cannot stand there on rank {}", rank + 1)),
            }
        }
        Ok(gather(&mut kept.into_iter()))
    }

    fn rank(&self, rank: usize) -> &[bool] {
        &self.points[rank * self.width..(rank + 1) * self.width]
    }

    fn is_piece(&self, piece: char) -> bool {
        ['F', 'G'].iter().any(|&letter| self.coloured(letter) == piece)
    }

    fn coloured(&self, letter: char) -> char {
        if letter == self.white { letter } else { letter.to_ascii_lowercase() }
    }
}

/// Why a game does not fit strictly alternating moves of pieces on squares.
fn obstacle(rules: &Value) -> Option<&'static str> {
    let is_on = |key: &str| rules[key].as_bool() == Some(true);
    if rules["family"] != "hunt" {
        Some("it can show only the hunts among reynard's games")
    } else if rules["fox_start"] == "choose" {
        Some("its pieces are placed by choice first")
    } else if rules["drops"] != 0 {
        Some("pieces are dropped")
    } else if rules["huff"] != "none" {
        Some("huffing lets one side move twice")
    } else if is_on("chain") && is_on("forced_chain") {
        Some("chains must go on, and it can show two captures only")
    } else {
        None
    }
}

fn white_letter(session: &dyn Session) -> char {
    let is_fox_to_move = session.position_text().split(' ').nth(1) == Some("f");
    let is_white_to_move = session.side_to_move() == Some(Seat::P1);
    if is_fox_to_move == is_white_to_move { 'F' } else { 'G' }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The squares of a row of text: `None` for an empty one.
fn spread(row: &str) -> Vec<Option<char>> {
    /// More than any board has; a number may be as long as it likes.
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

/// The text of a row of squares.
fn gather(cells: &mut dyn Iterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut run = 0;
    for cell in cells {
        match cell {
            None => run += 1,
            Some(letter) => {
                push_run(&mut text, &mut run);
                text.push(letter);
            }
        }
    }
    push_run(&mut text, &mut run);
    text
}

fn push_run(text: &mut String, run: &mut usize) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}
