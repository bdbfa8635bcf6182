//! A board with pieces that follows a game by its move texts alone.
//!
//! The texts of the hunt family say nearly everything that happens on the board; what they leave out is corrected from
//! a replay (see [`replay`](super::replay)). The page of the HTML report has the same small interpreter, so that a
//! report carries moves instead of positions.

use serde_json::Value;

use crate::tournament::header::RulesetHeader;

/// An index into the points of a [`Layout`].
pub(super) type PointIndex = usize;

/// The letter of a piece in position texts.
pub(super) const FOX: u8 = b'F';
pub(super) const GOOSE: u8 = b'G';
pub(super) const EMPTY: u8 = b'.';

/// Files and ranks that point names can have: `a1` to `z26`.
const FILES: usize = 26;
const RANKS: usize = 26;

/// The points of a ruleset's board, in the order in which position texts list them.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Zero-based file and rank by point.
    places: Vec<(usize, usize)>,
    /// The point at rank times [`FILES`] plus file.
    at: Vec<Option<PointIndex>>,
}

impl Layout {
    /// `None` when the header has no board, as for external games.
    pub(super) fn new(ruleset: &RulesetHeader) -> Option<Layout> {
        let listed = ruleset.board.get("points")?.as_array()?;
        let read = |point: &Value| leading_place(point["name"].as_str()?).map(|(place, _)| place);
        let mut places: Vec<(usize, usize)> = listed.iter().map(read).collect::<Option<_>>()?;
        // Ranks from the top down, each from the lowest file up.
        places.sort_by_key(|&(file, rank)| (RANKS - rank, file));
        let mut at = vec![None; FILES * RANKS];
        for (point, &(file, rank)) in places.iter().enumerate() {
            at[rank * FILES + file] = Some(point);
        }
        Some(Layout { places, at })
    }

    /// File letter and rank number.
    pub(super) fn name(&self, point: PointIndex) -> String {
        let (file, rank) = self.places[point];
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    fn point(&self, name: &str) -> Option<PointIndex> {
        let (point, rest) = self.leading(name)?;
        rest.is_empty().then_some(point)
    }

    /// The point that a text begins with, and the rest.
    fn leading<'a>(&self, text: &'a str) -> Option<(PointIndex, &'a str)> {
        let ((file, rank), rest) = leading_place(text)?;
        Some((self.at[rank * FILES + file]?, rest))
    }

    /// Halfway between two points: what a straight jump leads over.
    fn middle(&self, a: PointIndex, b: PointIndex) -> Option<PointIndex> {
        let ((a_file, a_rank), (b_file, b_rank)) = (self.places[a], self.places[b]);
        let is_even = (a_file + b_file) % 2 == 0 && (a_rank + b_rank) % 2 == 0;
        if is_even { self.at[(a_rank + b_rank) / 2 * FILES + (a_file + b_file) / 2] } else { None }
    }

    /// Reads `d4d5` or `d4xd6xb6`; `None` when something else stands there.
    fn path(&self, text: &str) -> Option<Path> {
        let (from, mut rest) = self.leading(text)?;
        let mut path = Path { points: vec![from], jumps: false };
        while !rest.is_empty() {
            // Before a digit an x is the name of a file.
            let is_cross = matches!(rest.as_bytes(), [b'x', b'a'..=b'z', ..]);
            path.jumps |= is_cross;
            let (point, after) = self.leading(&rest[usize::from(is_cross)..])?;
            path.points.push(point);
            rest = after;
        }
        (path.points.len() >= 2).then_some(path)
    }
}

/// The points that a move names, in order.
struct Path {
    points: Vec<PointIndex>,
    jumps: bool,
}

/// Reads a name such as `d4` or `a10` at the beginning of a text: zero-based file and rank, and the rest.
fn leading_place(text: &str) -> Option<((usize, usize), &str)> {
    let bytes = text.as_bytes();
    let file = bytes.first().filter(|letter| letter.is_ascii_lowercase())? - b'a';
    let digits = bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rank: usize = text[1..=digits].parse().ok().filter(|rank| (1..=RANKS).contains(rank))?;
    Some(((usize::from(file), rank - 1), &text[1 + digits..]))
}

/// Which side moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    Fox,
    Geese,
}

/// The pieces on the board at some ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Diagram {
    /// A letter for every point of the layout.
    pub cells: Vec<u8>,
    /// Whether the next piece put on the board is the fox side's.
    is_placing: bool,
    /// How many pieces the fox side has once it has placed them.
    foxes: usize,
}

impl Diagram {
    /// Reads the placement of a position text; `foxes` is how many the ruleset has.
    pub(super) fn read(layout: &Layout, position: &str, foxes: usize) -> Option<Diagram> {
        let placement = position.split_whitespace().next()?;
        let mut cells = Vec::with_capacity(layout.places.len());
        for row in placement.split('/') {
            read_row(row, &mut cells)?;
        }
        let is_placing = position.contains("phase=place");
        (cells.len() == layout.places.len()).then_some(Diagram { cells, is_placing, foxes })
    }

    /// Does what the text of a move says and tells who moved; `None`, and nothing done, when it is no move of the
    /// family.
    pub(super) fn play(&mut self, layout: &Layout, text: &str) -> Option<Mover> {
        if text == "pass" {
            return Some(Mover::Geese);
        }
        if let Some(name) = text.strip_prefix('@') {
            return layout.point(name).map(|point| self.put(point));
        }
        if let Some(name) = text.strip_prefix('~') {
            self.cells[layout.point(name)?] = EMPTY;
            return Some(Mover::Geese);
        }
        self.travel(layout, &layout.path(text)?)
    }

    fn put(&mut self, point: PointIndex) -> Mover {
        let mover = if self.is_placing { Mover::Fox } else { Mover::Geese };
        self.cells[point] = if self.is_placing { FOX } else { GOOSE };
        self.is_placing &= self.cells.iter().filter(|&&cell| cell == FOX).count() < self.foxes;
        mover
    }

    fn travel(&mut self, layout: &Layout, path: &Path) -> Option<Mover> {
        let (&from, &to) = (path.points.first()?, path.points.last()?);
        let mover = match self.cells[from] {
            FOX => Mover::Fox,
            GOOSE => Mover::Geese,
            _ => return None,
        };
        if path.jumps {
            let leapt = path.points.windows(2).map(|pair| layout.middle(pair[0], pair[1]));
            for point in leapt.collect::<Option<Vec<_>>>()? {
                self.cells[point] = EMPTY;
            }
        }
        let piece = std::mem::replace(&mut self.cells[from], EMPTY);
        self.cells[to] = piece;
        Some(mover)
    }
}

fn read_row(row: &str, cells: &mut Vec<u8>) -> Option<()> {
    let mut run = 0;
    for letter in row.bytes() {
        match letter {
            b'0'..=b'9' => run = run * 10 + usize::from(letter - b'0'),
            _ => {
                cells.extend(std::iter::repeat_n(EMPTY, std::mem::take(&mut run).min(1000)));
                cells.push(letter.to_ascii_uppercase());
            }
        }
    }
    cells.extend(std::iter::repeat_n(EMPTY, run.min(1000)));
    Some(())
}
