//! Moves as XBoard writes them: a jump is a sequence of legs that visits every captured piece.
//!
//! `d4xd6xb6` of the engine's own notation is `d4d5,d5c6,c6b6`: away from d4, over d5 and c6, down on b6. Origin,
//! destination and the captured points name a move without doubt, so nothing is lost by leaving out the landings.

use crate::engine::{PlayError, Session};

/// The most pieces that XBoard 4.9 can take off the board in one move.
pub(super) const MAX_CAPTURES: usize = 2;

const PASS: &str = "@@@@";

/// A zero-based file and rank.
type Place = (u8, u8);

/// A chain of jumps, taken apart.
struct Chain {
    landings: Vec<Place>,
    captured: Vec<Place>,
}

impl Chain {
    /// Reads `d4xd6xb6`; `None` when the text is not a jump.
    fn read(text: &str) -> Option<Chain> {
        let landings = text.split('x').map(read_place).collect::<Option<Vec<Place>>>()?;
        let between = |pair: &[Place]| (u8::midpoint(pair[0].0, pair[1].0), u8::midpoint(pair[0].1, pair[1].1));
        let captured: Vec<Place> = landings.windows(2).map(between).collect();
        (!captured.is_empty()).then_some(Chain { landings, captured })
    }

    fn origin(&self) -> Place {
        self.landings[0]
    }

    fn destination(&self) -> Place {
        self.landings[self.landings.len() - 1]
    }

    /// Every square that the legs visit.
    fn visits(&self) -> Vec<Place> {
        let mut places = vec![self.origin()];
        places.extend(&self.captured);
        places.push(self.destination());
        places
    }

    /// Whether legs over these squares mean this chain; the landing points may be among them.
    fn is_meant_by(&self, squares: &[Place]) -> bool {
        let [origin, between @ .., destination] = squares else { return false };
        (*origin, *destination) == (self.origin(), self.destination())
            && self.captured.iter().all(|place| between.contains(place))
            && between.iter().all(|place| self.captured.contains(place) || self.landings.contains(place))
    }
}

/// The legs of a move given in the engine's own notation.
pub(super) fn legs(text: &str) -> Vec<String> {
    match Chain::read(text) {
        Some(chain) => chain.visits().windows(2).map(|pair| write_place(pair[0]) + &write_place(pair[1])).collect(),
        None if text == "pass" => vec![PASS.to_owned()],
        None => vec![text.to_owned()],
    }
}

/// The commands that make a move on XBoard's board.
///
/// XBoard 4.9 loses the destination when a third leg follows in a command of its own, but reads `d4xd5xc6xb6` well.
pub(super) fn commands(text: &str) -> Vec<String> {
    match Chain::read(text) {
        Some(chain) if chain.captured.len() > 1 => {
            let visits: Vec<String> = chain.visits().into_iter().map(write_place).collect();
            vec![format!("move {}", visits.join("x"))]
        }
        _ => {
            let legs = legs(text);
            let last = legs.len() - 1;
            let comma = |at: usize| if at < last { "," } else { "" };
            legs.iter().enumerate().map(|(at, leg)| format!("move {leg}{}", comma(at))).collect()
        }
    }
}

/// Whether XBoard can show the move on its board.
pub(super) fn is_expressible(text: &str) -> bool {
    Chain::read(text).is_none_or(|chain| chain.captured.len() <= MAX_CAPTURES)
}

/// The canonical text of the legal move that XBoard's text means.
///
/// # Errors
/// The move is not legal or the game is over.
pub(super) fn read(session: &dyn Session, text: &str) -> Result<String, PlayError> {
    if text == PASS {
        return session.canonical_move("pass");
    }
    let meant = |squares: Vec<Place>| {
        let is_meant = |text: &String| Chain::read(text).is_some_and(|chain| chain.is_meant_by(&squares));
        session.legal_moves().into_iter().find(is_meant)
    };
    match read_legs(text).and_then(meant) {
        Some(jump) => Ok(jump),
        None => session.canonical_move(text),
    }
}

/// The squares of `d4d5,d5c6,c6b6`: d4, d5, c6, b6. `None` when these are not two legs or more, each beginning where
/// the last one ended.
fn read_legs(text: &str) -> Option<Vec<Place>> {
    let mut squares: Vec<Place> = Vec::new();
    for leg in text.split(',').filter(|_| text.contains(',')) {
        let middle = 1 + leg.get(1..)?.find(|letter: char| letter.is_ascii_alphabetic())?;
        let (from, to) = (read_place(&leg[..middle])?, read_place(&leg[middle..])?);
        match squares.last() {
            None => squares.push(from),
            Some(&last) if last == from => {}
            Some(_) => return None,
        }
        squares.push(to);
    }
    (squares.len() > 2).then_some(squares)
}

fn read_place(name: &str) -> Option<Place> {
    let file = name.bytes().next().filter(u8::is_ascii_lowercase)?;
    let rank: u8 = name.get(1..)?.parse().ok().filter(|rank| (1..=26).contains(rank))?;
    Some((file - b'a', rank - 1))
}

fn write_place((file, rank): Place) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captured_points_become_the_ends_of_legs() {
        assert_eq!(legs("d4d5"), ["d4d5"]);
        assert_eq!(legs("d4xd6"), ["d4d5", "d5d6"]);
        assert_eq!(legs("d4xd6xb6"), ["d4d5", "d5c6", "c6b6"]);
        assert_eq!(legs("pass"), ["@@@@"]);
    }

    #[test]
    fn one_capture_is_sent_leg_by_leg_and_two_at_once() {
        assert_eq!(commands("d4d5"), ["move d4d5"]);
        assert_eq!(commands("d4xd6"), ["move d4d5,", "move d5d6"]);
        assert_eq!(commands("d4xd6xb6"), ["move d4xd5xc6xb6"]);
    }

    #[test]
    fn three_captures_are_more_than_can_be_shown() {
        assert!(is_expressible("d4xd6xb6") && is_expressible("a1a2") && is_expressible("pass"));
        assert!(!is_expressible("d4xd6xb6xb4"));
    }

    #[test]
    fn legs_may_name_the_landings_too_and_must_join() {
        let chain = Chain::read("d4xd6xb6").unwrap();
        for text in ["d4d5,d5c6,c6b6", "d4d5,d5d6,d6c6,c6b6", "d4c6,c6d5,d5b6"] {
            assert!(chain.is_meant_by(&read_legs(text).unwrap()), "{text}");
        }
        for text in ["d4d5,d5b6", "d4d5,d5c6,c6a6", "d4d5,d5c6,c6c7,c7b6"] {
            assert!(!chain.is_meant_by(&read_legs(text).unwrap()), "{text}");
        }
        for text in ["d4d5,c6b6", "d4", "", ",", "d4d5,", "\u{e9}\u{e9},\u{e9}", "d4d5"] {
            assert!(read_legs(text).is_none(), "{text}");
        }
    }
}
