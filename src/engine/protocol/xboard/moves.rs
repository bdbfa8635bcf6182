//! Moves as XBoard writes them: a capture is a sequence of legs that visits every captured piece.
//!
//! `d4xd6xb6` of the engine's own notation is `d4d5,d5c6,c6b6`: away from d4, over d5 and c6, down on b6. Origin,
//! destination and the captured points name a move without doubt, so nothing is lost by leaving out the landings.

use crate::rules::Change;
use crate::session::{PlayError, Session};

/// The most pieces that XBoard 4.9 can take off the board in one move.
const MAX_CAPTURES: usize = 2;

const PASS: &str = "@@@@";

/// The points that the legs of a capture visit: origin, captured pieces, destination. `None` for any other move.
fn visits(change: &Change) -> Option<Vec<&str>> {
    let captured = change.captured.iter().map(|piece| &piece.point);
    let points: Vec<&str> = change.from.iter().chain(captured).chain(&change.to).map(String::as_str).collect();
    (points.len() > 2).then_some(points)
}

/// The legs of a move, given the engine's own text for it.
pub(super) fn legs(text: &str, change: &Change) -> Vec<String> {
    match visits(change) {
        Some(visits) => visits.windows(2).map(|leg| leg.concat()).collect(),
        None if is_pass(change) => vec![PASS.to_owned()],
        // In the games that XBoard can show, only foxes are ever placed.
        None if text.starts_with('@') => vec![format!("F{text}")],
        None => vec![text.to_owned()],
    }
}

/// The moves of a line from the present position, each as its legs joined by commas.
pub(super) fn line(session: &mut dyn Session, texts: &[String]) -> String {
    let before = session.moves().len();
    let played = texts.iter().take_while(|text| session.play(text).is_ok()).count();
    let changes = session.played_changes().split_off(before);
    (0..played).for_each(|_| _ = session.undo());
    let legs = changes.iter().zip(texts).map(|(change, text)| legs(text, change).join(","));
    legs.chain(texts[played..].iter().cloned()).collect::<Vec<_>>().join(" ")
}

/// The commands that make a move on XBoard's board.
///
/// XBoard 4.9 loses the destination when a third leg follows in a command of its own, but reads `d4xd5xc6xb6` well.
pub(super) fn commands(text: &str, change: &Change) -> Vec<String> {
    match visits(change) {
        Some(visits) if visits.len() > 3 => vec![format!("move {}", visits.join("x"))],
        _ => legs(text, change).join(",\n").lines().map(|leg| format!("move {leg}")).collect(),
    }
}

/// The texts of the legal moves that XBoard can show on its board; empty if it can show all.
pub(super) fn expressible(session: &dyn Session) -> Vec<String> {
    let (shown, hidden): (Vec<_>, Vec<_>) =
        session.legal_changes().into_iter().partition(|(_, change)| change.captured.len() <= MAX_CAPTURES);
    if hidden.is_empty() { Vec::new() } else { shown.into_iter().map(|(text, _)| text).collect() }
}

/// The engine's own text for the legal move that XBoard writes as `text`.
///
/// # Errors
/// The move is not legal or the game is over.
pub(super) fn read(session: &dyn Session, text: &str) -> Result<String, PlayError> {
    let points = read_legs(text);
    let is_meant = |change: &Change| match &points {
        Some(points) => is_capture_over(change, points),
        None => text == PASS && is_pass(change),
    };
    match session.legal_changes().into_iter().find(|(_, change)| is_meant(change)) {
        Some((legal, _)) => Ok(legal),
        None if text.starts_with("F@") => session.canonical_move(&text[1..]),
        None => session.canonical_move(text),
    }
}

fn is_pass(change: &Change) -> bool {
    change.from.is_none() && change.placed.is_empty() && change.captured.is_empty()
}

/// Whether legs over `points` describe this capture; the landing points may be among them.
fn is_capture_over(change: &Change, points: &[&str]) -> bool {
    let [origin, between @ .., destination] = points else { return false };
    let mut captured = change.captured.iter().map(|piece| piece.point.as_str());
    let ends = (change.from.as_deref(), change.to.as_deref());
    let is_visited =
        |point: &&str| captured.clone().any(|taken| taken == *point) || change.path.iter().any(|p| p == point);
    ends == (Some(origin), Some(destination))
        && between.iter().all(is_visited)
        && !change.captured.is_empty()
        && captured.all(|taken| between.contains(&taken))
}

/// The points of legs such as `d4d5,d5c6,c6b6`: d4, d5, c6, b6. `None` for fewer than two legs, or where one does not
/// begin where the last one ended.
fn read_legs(text: &str) -> Option<Vec<&str>> {
    let mut points: Vec<&str> = Vec::new();
    for leg in text.split(',').filter(|_| text.contains(',')) {
        let middle = 1 + leg.get(1..)?.find(|letter: char| letter.is_ascii_alphabetic())?;
        let (from, to) = leg.split_at(middle);
        match points.last() {
            None => points.push(from),
            Some(&last) if last == from => {}
            Some(_) => return None,
        }
        points.push(to);
    }
    (points.len() > 2).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Piece, PieceType, Seat};

    fn change(from: &str, path: &[&str], captured: &[&str]) -> Change {
        let piece = |point: &&str| Piece {
            point: (*point).to_owned(),
            owner: Some(Seat::P1),
            kind: PieceType::Goose,
            count: 1,
        };
        Change {
            mover: Some(Seat::P2),
            from: Some(from.to_owned()),
            path: path.iter().map(|&point| point.to_owned()).collect(),
            to: path.last().map(|&point| point.to_owned()),
            captured: captured.iter().map(piece).collect(),
            placed: Vec::new(),
        }
    }

    fn step() -> Change {
        change("d4", &["d5"], &[])
    }

    fn jump() -> Change {
        change("d4", &["d6"], &["d5"])
    }

    fn chain() -> Change {
        change("d4", &["d6", "b6"], &["d5", "c6"])
    }

    #[test]
    fn captured_points_become_the_ends_of_legs() {
        assert_eq!(legs("d4d5", &step()), ["d4d5"]);
        assert_eq!(legs("d4xd6", &jump()), ["d4d5", "d5d6"]);
        assert_eq!(legs("d4xd6xb6", &chain()), ["d4d5", "d5c6", "c6b6"]);
        assert_eq!(legs("pass", &Change::default()), ["@@@@"]);
    }

    #[test]
    fn one_capture_is_sent_leg_by_leg_and_two_at_once() {
        assert_eq!(commands("d4d5", &step()), ["move d4d5"]);
        assert_eq!(commands("d4xd6", &jump()), ["move d4d5,", "move d5d6"]);
        assert_eq!(commands("d4xd6xb6", &chain()), ["move d4xd5xc6xb6"]);
    }

    #[test]
    fn legs_may_name_the_landings_too_and_must_join() {
        for text in ["d4d5,d5c6,c6b6", "d4d5,d5d6,d6c6,c6b6", "d4c6,c6d5,d5b6"] {
            assert!(is_capture_over(&chain(), &read_legs(text).unwrap()), "{text}");
        }
        for text in ["d4d5,d5b6", "d4d5,d5c6,c6a6", "d4d5,d5c6,c6c7,c7b6"] {
            assert!(!is_capture_over(&chain(), &read_legs(text).unwrap()), "{text}");
        }
        for text in ["d4d5,c6b6", "d4", "", ",", "d4d5,", "\u{e9}\u{e9},\u{e9}", "d4d5"] {
            assert!(read_legs(text).is_none(), "{text}");
        }
    }
}
