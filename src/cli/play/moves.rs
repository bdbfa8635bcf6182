//! What a person means by a move, and in plain words why it cannot be played.

use std::collections::{BTreeMap, BTreeSet};

use reynard_engine::rules::{BoardView, Change, Piece, PieceKind, PieceType};
use reynard_engine::session::Session;

/// The canonical text of the legal move that is meant: as the game writes it, as points with blanks or the word `to`
/// between them, or as the point to which a single move goes.
///
/// # Errors
/// There is no such move; the text says why, as the beginning of a sentence.
pub(super) fn read(session: &dyn Session, text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("to")).collect();
    let refusal = match session.canonical_move(text) {
        Ok(found) => return Ok(found),
        Err(refusal) => refusal,
    };
    let joined = [words.concat(), words.join("x"), words.join("-")];
    if let Some(found) = joined.iter().find_map(|text| session.canonical_move(text).ok()) {
        return Ok(found);
    }
    let board = Board::of(session);
    let moves = session.legal_changes();
    match board.points(&words.join(" ")).as_deref() {
        Some([point]) => one_that_goes_to(point, &moves).unwrap_or_else(|| Err(board.why_none_goes_to(point))),
        Some(points @ [from, .., to]) => Err(match points.iter().find(|point| !board.places.contains_key(*point)) {
            Some(stranger) => no_point(stranger),
            None => board.why_not(from, to, points.len() == 2, &moves),
        }),
        _ => Err(refusal.to_string()),
    }
}

/// `None` when no move goes there.
fn one_that_goes_to(point: &str, moves: &[(String, Change)]) -> Option<Result<String, String>> {
    let found: Vec<&str> =
        moves.iter().filter(|(_, change)| goes_to(change, point)).map(|(text, _)| text.as_str()).collect();
    match found[..] {
        [] => None,
        [only] => Some(Ok(only.to_owned())),
        _ => Some(Err(format!("{} moves go to {point}: {}", found.len(), found.join(" ")))),
    }
}

/// Whether a piece comes to stand there, or is put there or taken off without any other moving.
fn goes_to(change: &Change, point: &str) -> bool {
    let mut others = change.placed.iter().chain(&change.captured);
    change.to.as_deref() == Some(point) || (change.from.is_none() && others.any(|piece| piece.point == point))
}

fn no_point(name: &str) -> String {
    format!("there is no point {name}")
}

/// The board and what stands on it, to explain moves by.
struct Board<'a> {
    session: &'a dyn Session,
    places: BTreeMap<String, (i64, i64)>,
    lines: BTreeSet<(String, String)>,
    pieces: Vec<Piece>,
}

impl<'a> Board<'a> {
    fn of(session: &'a dyn Session) -> Board<'a> {
        let BoardView { points, lines, .. } = &session.game().board;
        let places = points.iter().map(|point| (point.name.clone(), (point.x as i64, point.y as i64))).collect();
        let both = |[a, b]: &[String; 2]| [(a.clone(), b.clone()), (b.clone(), a.clone())];
        let lines = lines.iter().flat_map(both).collect();
        Board { session, places, lines, pieces: session.pieces() }
    }

    /// The points that a text names, by their names or by the numbers of the old rule sheets; `None` when it is
    /// anything else than points.
    fn points(&self, text: &str) -> Option<Vec<String>> {
        let text = text.to_ascii_lowercase();
        let mut rest = text.trim_start_matches(['@', '~']);
        let mut points = Vec::new();
        while !rest.is_empty() {
            let letters = usize::from(rest.starts_with(|letter: char| letter.is_ascii_lowercase()));
            let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
            let (word, behind) = rest.split_at(letters + digits);
            points.push(if letters == 0 { self.numbered(word.parse().ok()?)? } else { word.to_owned() });
            let is_point = digits > 0;
            let behind = behind.trim_start_matches([' ', '-', ',']);
            // An x between two points says that the first jumps.
            let jump =
                behind.strip_prefix('x').filter(|next| next.starts_with(|letter: char| letter.is_ascii_lowercase()));
            rest = jump.unwrap_or(behind);
            is_point.then_some(())?;
        }
        (!self.places.is_empty() && !points.is_empty()).then_some(points)
    }

    /// The name of a point by its number on the old rule sheets.
    fn numbered(&self, number: u64) -> Option<String> {
        let numbers = self.session.game().board.more.get("numbers")?.as_object()?;
        numbers.iter().find(|(_, known)| **known == number).map(|(name, _)| name.clone())
    }

    fn at(&self, point: &str) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.point == point)
    }

    fn why_none_goes_to(&self, point: &str) -> String {
        match self.at(point) {
            _ if !self.places.contains_key(point) => no_point(point),
            Some(_) => format!("{point} is occupied"),
            None => format!("no move goes to {point}"),
        }
    }

    fn why_not(&self, from: &str, to: &str, is_direct: bool, moves: &[(String, Change)]) -> String {
        let own: Vec<&str> = moves
            .iter()
            .filter(|(_, change)| change.from.as_deref() == Some(from))
            .map(|(text, _)| text.as_str())
            .collect();
        let side = self.session.side_to_move();
        if let Some((_, change)) = moves.first().filter(|_| moves.iter().all(|(_, change)| change.from.is_none())) {
            let piece = change.placed.first().or(change.captured.first());
            let point = piece.map_or("", |piece| piece.point.as_str());
            let what = if change.placed.is_empty() { "taken off" } else { "put down" };
            return format!("a piece has to be {what} first: type its point, for example {point}");
        }
        let Some(piece) = self.at(from) else { return format!("there is no piece on {from}") };
        if piece.owner.is_some() && piece.owner != side {
            return format!("the piece on {from} is not yours");
        }
        if piece.kind != PieceType::Piece && from != to && self.at(to).is_some() {
            return format!("{to} is occupied");
        }
        let kinds = &self.session.game().capabilities.pieces;
        let kind = kinds.iter().find(|kind| kind.kind == piece.kind && Some(kind.owner) == piece.owner.or(side));
        let reason = kind.filter(|_| is_direct).and_then(|kind| self.against_its_ways(kind, from, to));
        reason.unwrap_or_else(|| self.what_instead(from, &own, moves))
    }

    /// Why pieces of a kind never move from one point to the other; `None` when they sometimes may.
    fn against_its_ways(&self, kind: &PieceKind, from: &str, to: &str) -> Option<String> {
        if (kind.steps.is_empty() && kind.jumps.is_empty()) || self.reaches_far(kind) {
            return None;
        }
        let (&(x, y), &(far_x, far_y)) = (self.places.get(from)?, self.places.get(to)?);
        let (files, ranks) = (far_x - x, far_y - y);
        let who = self.name_of(kind);
        if files.abs().max(ranks.abs()) == 1 {
            let is_line = self.lines.contains(&(from.to_owned(), to.to_owned()));
            let has = |wanted: fn(i64, i64) -> bool| kind.steps.iter().any(|&(x, y)| wanted(x.into(), y.into()));
            return Some(match () {
                () if !is_line => format!("no line leads from {from} to {to}"),
                () if kind.steps.is_empty() => format!("{who} move by jumps only"),
                () if ranks < 0 && !has(|_, ranks| ranks < 0) => format!("{who} cannot go back"),
                () if ranks == 0 && !has(|_, ranks| ranks == 0) => format!("{who} cannot go sideways"),
                () if files * ranks != 0 && !has(|files, ranks| files * ranks != 0) => {
                    format!("{who} cannot go diagonally")
                }
                () if !has_step(kind, files, ranks) => format!("{who} cannot go that way"),
                () => return None,
            });
        }
        let is_jump = [files, ranks].iter().all(|distance| [0, 2].contains(&distance.abs()));
        if !is_jump {
            return Some(format!("{to} is too far from {from}"));
        }
        if kind.jumps.is_empty() {
            return Some(format!("{who} cannot jump"));
        }
        let middle = (x + files / 2, y + ranks / 2);
        let over = self.places.iter().find(|(_, place)| **place == middle).map(|(name, _)| name)?;
        self.at(over).is_none().then(|| format!("there is nothing on {over} to jump over"))
    }

    /// Whether pieces of a kind may go further than to the next point, or over one: by the rules or along long lines.
    fn reaches_far(&self, kind: &PieceKind) -> bool {
        let game = self.session.game();
        let rows = &game.rules["jump_rows"];
        let is_far = game.capabilities.has_slides || !(rows.is_null() || rows == "one");
        let is_long = |(a, b): &(String, String)| {
            let (a, b) = (self.places[a], self.places[b]);
            (a.0 - b.0).abs().max((a.1 - b.1).abs()) > 1
        };
        (kind.kind == PieceType::Fox && is_far) || self.lines.iter().any(is_long)
    }

    fn name_of(&self, kind: &PieceKind) -> String {
        let name = self.session.game().seat_name(kind.owner);
        match kind.kind {
            PieceType::Fox => format!("the {name}"),
            PieceType::Peg => "pegs".to_owned(),
            _ => name.to_owned(),
        }
    }

    /// The move is barred by what stands on the board or by what has happened.
    fn what_instead(&self, from: &str, own: &[&str], moves: &[(String, Change)]) -> String {
        if !moves.is_empty() && moves.iter().all(|(_, change)| !change.captured.is_empty()) {
            let all: Vec<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
            return format!("a piece has to be taken: {}", all.join(" "));
        }
        if self.session.position_text().ends_with(" first=1") {
            return "the first move has to go straight forward".to_owned();
        }
        if own.is_empty() {
            format!("the piece on {from} cannot move now")
        } else {
            format!("that is not allowed now; the piece on {from} can play {}", own.join(" "))
        }
    }
}

fn has_step(kind: &PieceKind, files: i64, ranks: i64) -> bool {
    kind.steps.iter().any(|&(x, y)| (i64::from(x), i64::from(y)) == (files, ranks))
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry::{self, RulesetChoice};

    use super::*;

    fn answer(name: &str, played: &[&str], text: &str) -> Result<String, String> {
        answer_of(&RulesetChoice::catalog(name), played, text)
    }

    fn answer_of(choice: &RulesetChoice, played: &[&str], text: &str) -> Result<String, String> {
        let mut session = registry::open(choice).unwrap_or_else(|error| panic!("{error}"));
        session.set_position(None, played).unwrap_or_else(|error| panic!("{error}"));
        read(&*session, text)
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        for (name, text, meant) in [
            ("masters-15", "a4 a5", "a4a5"),
            ("masters-15", "A4 - A5", "a4a5"),
            ("masters-15", "14 to 7", "a4a5"),
            ("masters-15", "10 TO 9", "refused: there is no piece on d5"),
            ("solitaire", "5 to 17", "d6xd4"),
            ("masters-15", "d4", "refused: d4 is occupied"),
            ("masters-15", "g5", "g4g5"),
            ("masters-15", "b4", "refused: 4 moves go to b4: "),
            ("bell-13", "d5", "@d5"),
            ("solitaire", "d4", "refused: 4 moves go to d4: "),
            ("solitaire", "b4 d4", "b4xd4"),
            ("bagha-chal", "c3", "@c3"),
        ] {
            match (answer(name, &[], text), meant.strip_prefix("refused: ")) {
                (Ok(found), None) => assert_eq!(found, meant, "{name}: {text}"),
                (Err(reason), Some(start)) => assert!(reason.starts_with(start), "{name}: {text}: {reason}"),
                (found, _) => panic!("{name}: {text}: {found:?}"),
            }
        }
        assert_eq!(answer("masters-15", &["c3c4"], "d4 b4"), Ok("d4xb4".to_owned()));
    }

    #[test]
    fn refusals_say_the_reason() {
        for (name, played, text, reason) in [
            ("masters-15", &[][..], "c9", "there is no point c9"),
            ("masters-15", &[], "c3c9", "there is no point c9"),
            ("masters-15", &[], "c3d4", "d4 is occupied"),
            ("masters-15", &[], "10-17", "there is no piece on d5"),
            ("masters-15", &[], "d4d5", "the piece on d4 is not yours"),
            ("masters-15", &["a4a5", "d4d5"], "a5a4", "geese cannot go back"),
            ("masters-15", &[], "d3e4", "no line leads from d3 to e4"),
            ("masters-15", &[], "c3c5", "geese cannot jump"),
            ("masters-15", &[], "c3 c7", "c7 is too far from c3"),
            ("masters-15", &["a4a5"], "d4d6", "there is nothing on d5 to jump over"),
            ("masters-15", &[], "c1d2", "d2 is occupied"),
            ("renard-1668", &[], "a3a4 b4", "that is not allowed now; the piece on a3 can play a3a4 a3b4"),
            ("bell-13", &[], "c3c4", "a piece has to be put down first: type its point, for example "),
            ("bell-13", &["@d5"], "c3d4", "geese cannot go diagonally"),
            ("fox-and-hounds", &[], "d8c8", "there is no point c8"),
            ("solitaire", &[], "d3d4", "pegs move by jumps only"),
            ("the-game", &[], "a1a2", "a piece has to be put down first: type its point, for example "),
        ] {
            let refusal = answer(name, played, text).expect_err(text);
            assert!(refusal.starts_with(reason), "{name}: {text}: {refusal}");
        }
        // No distance is too far for a fox that jumps over rows, or slides.
        for (key, value, text) in [("jump_rows", "any", "d4d7"), ("fox_range", "2", "d4d7")] {
            let switches = vec![(key.to_owned(), value.to_owned())];
            let choice = RulesetChoice { switches, ..RulesetChoice::catalog("masters-15") };
            let refusal = answer_of(&choice, &["a4a5"], text).expect_err(text);
            assert!(refusal.starts_with("that is not allowed now; the piece on d4 can play "), "{key}: {refusal}");
        }
        assert!(answer("goose-team", &["4+3"], "9:9").is_err_and(|refusal| refusal.contains("'1:6'")));
    }
}
