//! Moves as text.

use crate::geometry::{Board, Point, PointSet, Word};
use crate::rules::{Game, MoveError};

use super::Hunt;
use super::chains::landings;
use super::position::{Move, MoveKind, Position};

/// How two points of a move are joined in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    None,
    Dash,
    Cross,
}

/// The points of a move text and the joint before every one but the first.
struct Path {
    points: Vec<Point>,
    jumps: bool,
}

impl<W: Word> Hunt<W> {
    pub(super) fn write_move(&self, position: &Position<W>, mv: Move<W>) -> String {
        let name = |point: Point| self.board().name(point);
        match mv.kind {
            MoveKind::Step => name(mv.from) + &name(mv.to),
            MoveKind::Put => format!("@{}", name(mv.to)),
            MoveKind::TakeOff => format!("~{}", name(mv.to)),
            MoveKind::Pass => "pass".into(),
            MoveKind::Jump => {
                let path =
                    landings(&self.tables, mv, position.geese(), position.foxes()).unwrap_or_else(|| vec![mv.to]);
                path.iter().fold(name(mv.from), |text, &landing| text + "x" + &name(landing))
            }
        }
    }

    pub(super) fn read_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        let refuse = |message: &str| MoveError { text: text.chars().take(80).collect(), message: message.into() };
        let lower = text.to_ascii_lowercase();
        let point = |name: &str| self.board().parse(name).ok_or_else(|| refuse("names no point of the board"));
        let mv = if lower == "pass" {
            Move::pass()
        } else if let Some(name) = lower.strip_prefix('@') {
            Move::put(point(name)?)
        } else if let Some(name) = lower.strip_prefix('~') {
            Move::take_off(point(name)?)
        } else {
            let path = read_path(self.board(), &lower).ok_or_else(|| {
                refuse("is not of a known form: d4d5 (step), d4xd6xb6 (jumps), @d4 (put), ~c5 (take off) or pass")
            })?;
            return self.find_path(position, &path).map_err(refuse);
        };
        if self.is_legal(position, mv) { Ok(mv) } else { Err(refuse("is not legal here")) }
    }

    fn find_path(&self, position: &Position<W>, path: &Path) -> Result<Move<W>, &'static str> {
        let [from, .., to] = path.points[..] else { return Err("needs an origin and a destination") };
        let step = Move::step(from, to);
        let is_pair = path.points.len() == 2;
        if is_pair && !path.jumps && self.is_legal(position, step) {
            return Ok(step);
        }
        let followed = self.follow(position, &path.points);
        if let Some(jump) = followed.filter(|&jump| self.is_legal(position, jump)) {
            return Ok(jump);
        }
        if !is_pair {
            return Err("is not legal here");
        }
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        moves.retain(|mv| mv.kind == MoveKind::Jump && (mv.from, mv.to) == (from, to));
        match moves[..] {
            [only] => Ok(only),
            [] => Err("is not legal here"),
            _ => Err("fits several chains: name every landing point"),
        }
    }

    /// The jump move whose landing points are these, as far as board and pieces allow it.
    fn follow(&self, position: &Position<W>, points: &[Point]) -> Option<Move<W>> {
        let (&from, landings) = points.split_first()?;
        let blocked = position.foxes().without(from);
        let mut at = from;
        let mut captured = PointSet::EMPTY;
        for &landing in landings {
            let jump = self.tables.jumps(at, position.geese() - captured, blocked).find(|jump| jump.to == landing)?;
            captured |= jump.over;
            at = landing;
        }
        Some(Move::jump(from, at, captured))
    }
}

/// Splits `d4xd6xb6`, `d4d5`, `d4-d5` or `17-10` into points.
fn read_path(board: &Board, text: &str) -> Option<Path> {
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
