//! The drawn board as a terminal can show it: in colours, with signs for pieces, turned round, the last move marked.

use reynard_engine::rules::{Piece, PieceKind, PieceType, Seat};
use reynard_engine::session::Session;

use super::screen::View;
use crate::cli::output::columns;

/// Blanks and the number of the rank before the board begins.
const MARGIN: usize = 5;

const FEW: &str = "1;31";
const MANY: &str = "1;36";
const FAINT: &str = "2";
const LEFT: &str = "33";

/// A drawing with a number before each rank and letters below the files.
struct Grid {
    rows: Vec<Vec<char>>,
    /// The letters of the files, from left to right.
    files: Vec<char>,
    /// Between one file and the next.
    stride: usize,
    /// The lines below the board.
    below: Vec<String>,
}

/// The points that the last move has touched.
#[derive(Default)]
struct Marks {
    /// The points to which pieces have come.
    to: Vec<String>,
    /// The points that pieces have left.
    from: Vec<String>,
}

/// The board of a session as this view shows it; in a view without anything special exactly as the rules draw it.
pub(super) fn decorate(session: &dyn Session, view: View) -> String {
    let drawing = session.draw();
    let Some(mut grid) = Grid::read(&drawing) else { return with_room(drawing.trim_end(), columns()) };
    if view.is_flipped {
        grid.flip();
    }
    let marks = if view.is_terminal { Marks::of(session) } else { Marks::default() };
    let kinds = &session.game().capabilities.pieces;
    let rows = grid.rows.iter().map(|row| grid.row_text(row, kinds, &marks, view));
    let files = grid.files.iter().map(|file| format!("{file:<width$}", width = grid.stride)).collect::<String>();
    let files = format!("{}{}", " ".repeat(MARGIN), files.trim_end());
    let lines: Vec<String> = rows.chain([String::new(), files]).chain(grid.below.iter().cloned()).collect();
    lines.join("\n")
}

/// A drawing for which the window is too narrow gives way to a word about that; what stands below it stays.
fn with_room(drawing: &str, columns: usize) -> String {
    let width = drawing.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    if width <= columns {
        return drawing.to_owned();
    }
    let below = drawing.lines().filter(|line| !line.starts_with([' ', '|']));
    let note = format!("(to see the board, make the window {width} columns wide)");
    std::iter::once(note.as_str()).chain(below).collect::<Vec<_>>().join("\n")
}

/// The meanings of the letters or signs on the board.
pub(super) fn legend(session: &dyn Session, view: View) -> String {
    let kinds = &session.game().capabilities.pieces;
    let sign = |part: &str| match part.split_once(' ') {
        Some((letter, rest)) if letter.chars().count() == 1 => {
            let letter = letter.chars().next().unwrap_or_default();
            let kind = kinds.iter().find(|kind| kind.letter == Some(letter));
            format!("{} {rest}", kind.map_or(letter, |kind| glyph(kind, letter, view)))
        }
        _ => part.to_owned(),
    };
    session.game().legend.split(", ").map(sign).collect::<Vec<_>>().join(", ")
}

fn glyph(kind: &PieceKind, letter: char, view: View) -> char {
    match kind.kind {
        PieceType::Fox if view.has_unicode => '▲',
        PieceType::Goose | PieceType::Peg if view.has_unicode => '●',
        _ => letter,
    }
}

/// Lines between points, and points without pieces.
fn line_sign(letter: char, view: View) -> char {
    match letter {
        _ if !view.has_unicode => letter,
        '-' => '─',
        '|' => '│',
        '/' => '╱',
        '\\' => '╲',
        'X' => '╳',
        '.' => '·',
        other => other,
    }
}

impl Grid {
    /// `None` for drawings without ranks and files.
    fn read(drawing: &str) -> Option<Grid> {
        let lines: Vec<&str> = drawing.trim_end().lines().collect();
        let is_label = |line: &&str| line.starts_with("     a ");
        let label = lines.iter().position(is_label)?;
        let files: Vec<char> = lines[label].split_whitespace().filter_map(|file| file.chars().next()).collect();
        let stride = lines[label].trim_start().find('b')?;
        let mut rows: Vec<Vec<char>> = lines[..label].iter().map(|line| line.chars().collect()).collect();
        while rows.last().is_some_and(Vec::is_empty) {
            rows.pop();
        }
        let below = lines[label + 1..].iter().map(|line| (*line).to_owned()).collect();
        Some(Grid { rows, files, stride, below })
    }

    /// Turns the board by half a turn.
    fn flip(&mut self) {
        // Rows of lines between the ranks are mirrored letter by letter, cells side by side are not.
        let has_lines = self.rows.iter().any(|row| rank_of(row).is_none());
        let (cell, width) = if has_lines {
            (1, (self.files.len() - 1) * self.stride + 1)
        } else {
            (self.stride, self.files.len() * self.stride)
        };
        for row in &mut self.rows {
            row.resize(MARGIN + width, ' ');
            let turned: Vec<char> = row[MARGIN..].chunks(cell).rev().flatten().copied().collect();
            row.splice(MARGIN.., turned);
        }
        self.rows.reverse();
        self.files.reverse();
    }

    fn row_text(&self, row: &[char], kinds: &[PieceKind], marks: &Marks, view: View) -> String {
        let rank = rank_of(row);
        let mut signs: Vec<(char, String)> = Vec::new();
        for (column, &letter) in row.iter().enumerate() {
            let file = column.checked_sub(MARGIN).and_then(|column| self.files.get(column / self.stride));
            let point = rank.zip(file).map(|(rank, file)| format!("{file}{rank}"));
            signs.push(match column {
                ..MARGIN => (letter, String::new()),
                _ => sign(letter, point.as_deref(), kinds, marks, view),
            });
        }
        if !view.has_colours {
            self.bracket(&mut signs, rank, marks);
        }
        let end = signs.iter().rposition(|(letter, _)| *letter != ' ').map_or(0, |last| last + 1);
        let runs = signs[..end].chunk_by(|one, next| one.1 == next.1);
        let text = |run: &[(char, String)]| run.iter().map(|(letter, _)| *letter).collect::<String>();
        runs.map(|run| match run[0].1.as_str() {
            colour if view.has_colours && !colour.is_empty() => format!("\x1b[{colour}m{}\x1b[0m", text(run)),
            _ => text(run),
        })
        .collect()
    }

    /// Marks without colours.
    fn bracket(&self, signs: &mut Vec<(char, String)>, rank: Option<u8>, marks: &Marks) {
        for (index, file) in self.files.iter().enumerate() {
            if !rank.is_some_and(|rank| marks.to.contains(&format!("{file}{rank}"))) {
                continue;
            }
            let column = MARGIN + index * self.stride;
            let wanted = (column + 2).max(signs.len());
            signs.resize(wanted, (' ', String::new()));
            signs[column - 1].0 = '[';
            signs[column + 1].0 = ']';
        }
    }
}

fn rank_of(row: &[char]) -> Option<u8> {
    row.iter().take(MARGIN).collect::<String>().trim().parse().ok()
}

/// The sign and the colour of a letter of the drawing: at `point`, or between points.
fn sign(letter: char, point: Option<&str>, kinds: &[PieceKind], marks: &Marks, view: View) -> (char, String) {
    let is_marked = |points: &[String]| {
        letter != '-' && letter != ' ' && point.is_some_and(|point| points.iter().any(|mark| mark == point))
    };
    let kind = kinds.iter().find(|kind| point.is_some() && kind.letter == Some(letter));
    let reversed = if is_marked(&marks.to) { ";7" } else { "" };
    match kind {
        Some(kind) => {
            let is_few = kind.kind == PieceType::Fox || (kind.kind == PieceType::Piece && kind.owner != Seat::P1);
            (glyph(kind, letter, view), format!("{}{reversed}", if is_few { FEW } else { MANY }))
        }
        None if letter == ' ' => (' ', String::new()),
        None if is_marked(&marks.from) => (line_sign(letter, view), LEFT.to_owned()),
        None => (line_sign(letter, view), FAINT.to_owned()),
    }
}

impl Marks {
    fn of(session: &dyn Session) -> Marks {
        let Some(change) = session.played_changes().pop() else { return Marks::default() };
        let points = |pieces: Vec<Piece>| pieces.into_iter().map(|piece| piece.point);
        Marks {
            to: change.to.into_iter().chain(points(change.placed)).collect(),
            from: change.from.into_iter().chain(points(change.captured)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry::{self, RulesetChoice};

    use super::*;

    const FULL: View = View { is_terminal: true, has_colours: true, has_unicode: true, is_flipped: false };

    fn drawn(name: &str, moves: &[&str], view: View) -> String {
        let mut session = registry::open(&RulesetChoice::catalog(name)).expect(name);
        session.set_position(None, moves).expect(name);
        decorate(&*session, view)
    }

    #[test]
    fn a_plain_view_is_the_drawing_and_two_half_turns_are_none() {
        for name in registry::ruleset_names() {
            let session = registry::open(&RulesetChoice::catalog(name)).expect(name);
            assert_eq!(decorate(&*session, View::default()), session.draw().trim_end(), "{name}");
            if let Some(mut grid) = Grid::read(&session.draw()) {
                let text = |row: &Vec<char>| row.iter().collect::<String>().trim_end().to_owned();
                let before: Vec<String> = grid.rows.iter().map(text).collect();
                grid.flip();
                grid.flip();
                assert_eq!(grid.rows.iter().map(text).collect::<Vec<_>>(), before, "{name}");
            }
        }
    }

    #[test]
    fn a_turned_board_keeps_its_points() {
        let turned = drawn("masters-15", &[], View { is_flipped: true, ..View::default() });
        let lines: Vec<&str> = turned.lines().collect();
        assert_eq!(lines[0], "  1          G---G---G");
        assert_eq!(lines[6], "  4  G---.---.---F---.---.---G");
        assert_eq!(lines.last(), Some(&"     g   f   e   d   c   b   a"));
        let turned = drawn("the-game", &[], View { is_flipped: true, ..View::default() });
        assert!(turned.starts_with("  1  . . . . . . . *\n") && turned.contains("     h g f e d c b a\n"), "{turned}");
    }

    #[test]
    fn the_last_move_is_marked_with_colours_or_brackets() {
        let colours = drawn("masters-15", &["a4a5"], FULL);
        assert!(colours.contains("\x1b[1;36;7m●\x1b[0m\x1b[2m───·"), "{colours}");
        assert!(colours.contains("  4  \x1b[33m·\x1b[0m"), "{colours}");
        let plain = View { has_colours: false, ..FULL };
        let brackets = drawn("masters-15", &["g4g5"], plain);
        assert!(brackets.contains("─[●]\n") && !brackets.contains('\x1b'), "{brackets}");
        let letters = View { has_unicode: false, ..plain };
        let brackets = drawn("masters-15", &["a4a5"], letters);
        assert!(brackets.contains("  5 [G]--.---.") && brackets.is_ascii(), "{brackets}");
    }
}
