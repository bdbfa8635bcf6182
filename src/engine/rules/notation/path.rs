//! Moves written as points: `d4d5`, `d4xd6xb6`, `17-10`.

use crate::geometry::{Board, Point};

/// How two points of a move are joined in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    None,
    Dash,
    Cross,
}

/// The points of a move text, two or more.
pub(crate) struct Path {
    pub points: Vec<Point>,
    /// An `x` says that the move jumps.
    pub jumps: bool,
}

/// The canonical text of a chain of jumps.
pub(crate) fn path_text(board: &Board, from: Point, landings: &[Point]) -> String {
    landings.iter().fold(board.name(from), |text, &landing| text + "x" + &board.name(landing))
}

/// Splits a text in small letters, such as `d4xd6xb6`, `d4d5`, `d4-d5` or `17-10`, into points.
pub(crate) fn read_path(board: &Board, text: &str) -> Option<Path> {
    let mut points = Vec::new();
    let mut joints = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if !points.is_empty() {
            let joint = joint(board, rest);
            rest = &rest[usize::from(joint != Joint::None)..];
            joints.push(joint);
        }
        let letters = usize::from(rest.starts_with(|letter: char| letter.is_ascii_alphabetic()));
        let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
        points.push(board.parse(&rest[..letters + digits])?);
        rest = &rest[letters + digits..];
    }
    let numbers_run_together =
        joints.contains(&Joint::None) && !text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if points.len() < 2 || numbers_run_together || (joints.len() > 1 && joints.contains(&Joint::None)) {
        return None;
    }
    Some(Path { points, jumps: joints.contains(&Joint::Cross) })
}

/// An `x` is a file name on boards so wide that they have one.
fn joint(board: &Board, rest: &str) -> Joint {
    match rest.as_bytes() {
        [b'-', ..] => Joint::Dash,
        [b'x', next, ..] if board.width() < 24 || next.is_ascii_alphabetic() => Joint::Cross,
        _ => Joint::None,
    }
}
