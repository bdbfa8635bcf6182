//! A board of any game, drawn by its data alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use maud::{Markup, PreEscaped, html};
use reynard_engine::rules::{BoardView, Change, Piece, PieceType, PointView, Seat};
use reynard_engine::session::Session;
use serde::Deserialize;

use super::board_style;

const STEP: f64 = 40.0;
const MARGIN: f64 = 40.0;
/// Upwards from one piece of a stack to the next.
const STACKED: f64 = 7.0;

/// The points of a board with their places.
struct BoardPicture<'a> {
    board: &'a BoardView,
    places: BTreeMap<&'a str, (f64, f64)>,
    regions: BTreeMap<String, Vec<String>>,
    /// The class of its fields where these are squares instead of points on lines: the dark ones of draughts, or all.
    square: Option<&'static str>,
}

impl BoardPicture<'_> {
    fn new(board: &BoardView) -> BoardPicture<'_> {
        let place = |point: &'_ PointView| (place(point.x), place(board.height - 1 - point.y));
        let places: BTreeMap<&str, _> = board.points.iter().map(|point| (&*point.name, place(point))).collect();
        let regions = BTreeMap::deserialize(&board.regions).unwrap_or_default();
        let is_diagonal = |[a, b]: &[String; 2]| {
            let [(x1, y1), (x2, y2)] = [places[&**a], places[&**b]];
            x1 != x2 && y1 != y2
        };
        let is_chequered = !board.lines.is_empty() && board.lines.iter().all(is_diagonal);
        let square = if regions.contains_key("basis_1") { Some("square") } else { is_chequered.then_some("dark") };
        BoardPicture { board, places, regions, square }
    }

    fn size(&self) -> [f64; 2] {
        [self.board.width, self.board.height].map(|size| place(size - 1) + MARGIN)
    }

    /// Regions, lines, points and names, without pieces.
    fn ground(&self) -> Markup {
        let all = self.way(|_| true);
        let cut = self.square.map_or("", |_| " cut");
        html! {
            @if let Some(square) = self.square { (self.squares(square)) } @else { path class="plate" d=(all) {} }
            @for (region, names) in &self.regions {
                @if region.starts_with("basis") {
                    @for ((x, y), half) in names.iter().filter_map(|name| self.places.get(&**name)).flat_map(|at| [17.0, 11.0, 5.0].map(|half| (at, half))) {
                        rect class={ "basis " (region) } x=(x - half) y=(y - half) width=(2.0 * half) height=(2.0 * half) {}
                    }
                } @else {
                    path class={ "region " (region) (cut) } d=(self.way(|name| names.iter().any(|known| known == name))) {}
                }
            }
            @if self.square.is_none() {
                path class="lines" fill="none" d=(all) {}
                g class="dots" { @for (name, (x, y)) in &self.places { circle data-point=(name) cx=(x) cy=(y) r="3.5" {} } }
            }
            g class="names" aria-hidden="true" {
                @for (name, (x, y)) in self.names() { text x=(x) y=(y) { (name) } }
            }
        }
    }

    /// Points and the lines between them: drawn thickly, the ground of what lies on them.
    fn way(&self, is_in: impl Fn(&str) -> bool) -> String {
        let spots = self.places.iter().filter(|(name, _)| is_in(name)).map(|(_, (x, y))| format!("M{x} {y}h.01"));
        let lines = self.board.lines.iter().filter(|[a, b]| is_in(a) && is_in(b));
        let ends = lines.map(|[a, b]| (self.places[&**a], self.places[&**b]));
        spots.chain(ends.map(|((x1, y1), (x2, y2))| format!("M{x1} {y1}L{x2} {y2}"))).collect()
    }

    /// A frame, and a square for every point.
    fn squares(&self, class: &str) -> Markup {
        let [width, height] = self.size().map(|size| size - 2.0 * MARGIN + STEP);
        let corner = MARGIN - STEP / 2.0;
        html! {
            g class="squares" {
                rect class="frame" x=(corner) y=(corner) width=(width) height=(height) {}
                @for (name, (x, y)) in &self.places {
                    rect data-point=(name) class=(class) x=(x - STEP / 2.0) y=(y - STEP / 2.0) width=(STEP) height=(STEP) {}
                }
            }
        }
    }

    /// Letters below the files and numbers beside the ranks where points have such names, else a name at every point.
    fn names(&self) -> Vec<(String, (f64, f64))> {
        if !self.places.keys().all(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase())) {
            return self.places.iter().map(|(&name, (x, y))| (name.to_owned(), (x - 12.0, y - 10.0))).collect();
        }
        let (width, height) = (self.board.width, self.board.height);
        let file = |x| (char::from(b'a' + x as u8).to_string(), (place(x), place(height - 1) + MARGIN - 4.5));
        let rank = |y: usize| ((y + 1).to_string(), (7.0, place(height - 1 - y) + 3.0));
        (0..width).map(file).chain((0..height).map(rank)).collect()
    }

    /// `side` is what the ruleset calls the owner's side.
    fn pieces(&self, pieces: &[Piece], side: impl Fn(Seat) -> String) -> Markup {
        let mut heights: BTreeMap<&str, u32> = BTreeMap::new();
        let mut one_by_one = Vec::new();
        for piece in pieces.iter().flat_map(|piece| std::iter::repeat_n(piece, piece.count as usize)) {
            let height = heights.entry(&piece.point).or_default();
            one_by_one
                .extend(self.places.get(&*piece.point).map(|&(x, y)| (piece, x, y - STACKED * f64::from(*height))));
            *height += 1;
        }
        html! {
            @for (piece, x, y) in one_by_one {
                @let side = piece.owner.map_or(String::new(), &side);
                @let drawn = figure(piece.kind, &side);
                g class=(piece_class(piece)) data-figure=(drawn.map_or("", |(name, _)| name))
                    transform={ "translate(" (x) " " (y) ")" } {
                    title { (piece.kind) " " (piece.point) }
                    circle class="shade" cy="1.6" r="15.4" {}
                    circle class="disc" r="15" {}
                    circle class="rim" r="13.2" {}
                    @match drawn {
                        Some((_, outline)) => path class="figure" d=(outline) {},
                        None => text class="letter" y="6" { (side.chars().find(|letter| letter.is_alphabetic()).unwrap_or('?').to_uppercase()) },
                    }
                }
            }
        }
    }

    /// Rings around the points where a move began and ended.
    fn marks(&self, change: &Change) -> Markup {
        html! {
            @for (class, point) in [("from", &change.from), ("to", &change.to)] {
                @if let Some((x, y)) = point.as_ref().and_then(|point| self.places.get(&**point)) {
                    circle class=(class) cx=(x) cy=(y) r="18" {}
                }
            }
        }
    }
}

/// From the left or the top to the point of a number.
fn place(index: usize) -> f64 {
    MARGIN + STEP * index as f64
}

/// The board of a session as it stands, its last move marked, as an SVG file of its own.
pub(crate) fn picture(session: &dyn Session) -> Markup {
    let board = BoardPicture::new(&session.game().board);
    let label = format!("{}: {}", session.game().ruleset, session.position_text());
    let [width, height] = board.size();
    html! {
        svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height)
            role="img" aria-label=(label) {
            style { (PreEscaped(board_style())) }
            rect class="paper" width="100%" height="100%" rx="8" {}
            (board.ground())
            @if let Some(change) = session.played_changes().last() { (board.marks(change)) }
            (board.pieces(&session.pieces(), |seat| session.game().seat_name(seat).to_owned()))
        }
    }
}

/// Drawings of pieces: the words by which rulesets call them, and their outline.
static FIGURES: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| serde_json::from_str(super::PIECES).unwrap_or_default());

/// The drawing of a piece whose owner the ruleset calls so: its name and outline, as `figureOf` in `board.js` chooses.
fn figure(kind: PieceType, side: &str) -> Option<(&'static str, &'static str)> {
    let kind_word = kind.to_string();
    let word = if matches!(kind, PieceType::Fox | PieceType::Goose) && !side.is_empty() { side } else { &kind_word };
    word.split(|letter: char| !letter.is_alphabetic()).find_map(|word| {
        let known = |(words, _): &&(String, String)| words.split(' ').any(|known| known.eq_ignore_ascii_case(word));
        let (words, outline) = FIGURES.iter().find(known)?;
        Some((words.split(' ').next()?, &**outline))
    })
}

fn piece_class(piece: &Piece) -> String {
    let owner = piece.owner.map_or(String::new(), |seat| format!(" owner{}", seat.0));
    format!("piece {}{owner}", piece.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_found_by_any_word_of_the_owners_name() {
        let drawn = |kind, side| figure(kind, side).map(|(name, _)| name);
        assert_eq!(drawn(PieceType::Goose, "the white Oxen"), Some("calf"));
        assert_eq!(drawn(PieceType::Fox, ""), Some("fox"));
        assert_eq!(drawn(PieceType::Piece, "player 1"), Some("stone"));
        assert_eq!(drawn(PieceType::Fox, "trolls"), None);
    }
}
