//! What a report knows about the rules of a game: from the head of the journal alone, on any machine.

use std::fmt;

use super::diagram::{Diagram, EMPTY, Layout, Mover};
use crate::engine::Session;
use crate::tournament::header::RulesetHeader;
use crate::tournament::record::{GameRecord, PlayedMove};

/// Something on the board that the text of a move does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Correction {
    /// After how many plies.
    pub ply: usize,
    /// A letter of position texts, or [`EMPTY`].
    pub piece: u8,
    pub point: String,
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece = if self.piece == EMPTY { '-' } else { char::from(self.piece) };
        write!(f, "{}{piece}{}", self.ply, self.point)
    }
}

/// One ruleset of a journal.
pub(crate) struct Ground {
    layout: Option<Layout>,
    start: String,
    /// Pieces of the fox side once they are placed.
    foxes: usize,
    /// The seats of the fox side and of the geese side.
    fox_seat: u8,
    geese_seat: u8,
    seats: u8,
    session: Option<Box<dyn Session>>,
    /// Whether moves do more than their texts say.
    has_huff: bool,
}

impl Ground {
    pub(crate) fn new(ruleset: &RulesetHeader) -> Ground {
        let layout = Layout::new(ruleset);
        let seat = |role: &str| ruleset.seats.iter().position(|seat| seat.role == role);
        let is_hunt = seat("fox").is_some() && seat("geese").is_some();
        let rules = &ruleset.rules;
        Ground {
            layout: layout.filter(|_| is_hunt),
            start: ruleset.start.clone(),
            foxes: rules["foxes"].as_u64().map_or(1, |foxes| foxes as usize),
            fox_seat: seat("fox").unwrap_or(0) as u8,
            geese_seat: seat("geese").unwrap_or(1) as u8,
            seats: ruleset.seats.len().clamp(1, 8) as u8,
            session: ruleset.open(),
            has_huff: rules["huff"].as_str().is_some_and(|huff| huff != "none"),
        }
    }

    /// Whether games can be shown on a board.
    pub(crate) fn has_board(&self) -> bool {
        self.layout.is_some()
    }

    pub(crate) fn foxes(&self) -> usize {
        self.foxes
    }

    /// The game at the end of some of its moves, for whoever wants to draw it; `None` when the rules are not known
    /// here.
    pub(crate) fn session(&mut self) -> Option<&mut (dyn Session + 'static)> {
        self.session.as_deref_mut()
    }

    fn diagram(&self, record: &GameRecord) -> Option<Diagram> {
        let start = record.opening.start.as_deref().unwrap_or(&self.start);
        Diagram::read(self.layout.as_ref()?, start, self.foxes)
    }

    /// The seat that made each move, those of the opening included, and none where the dice rolled. The record says it
    /// of the moves that were played; of the others it is that of the piece that moved, and where that is not known the
    /// next one in turn.
    pub(crate) fn movers(&mut self, record: &GameRecord) -> Vec<Option<u8>> {
        let by_rules = self.book_movers(record);
        let mut diagram = self.diagram(record);
        let mut movers: Vec<Option<u8>> = Vec::with_capacity(record.opening.moves.len() + record.moves.len());
        let book = record.opening.moves.len();
        for (ply, text) in texts(record).enumerate() {
            let told = ply.checked_sub(book).filter(|&index| index < record.movers.len());
            let known = self.layout.as_ref().zip(diagram.as_mut()).and_then(|(layout, now)| now.play(layout, text));
            let next = movers.iter().flatten().next_back().map_or(0, |last| (last + 1) % self.seats);
            let moved = match known {
                Some(Mover::Fox) => self.fox_seat,
                Some(Mover::Geese) => self.geese_seat,
                None => next,
            };
            movers.push(match told {
                Some(index) => record.mover(index),
                None => by_rules.get(ply).copied().unwrap_or(Some(moved)),
            });
        }
        movers
    }

    /// Who moved in the opening, by the rules; empty where the board tells it or the rules are not known.
    fn book_movers(&mut self, record: &GameRecord) -> Vec<Option<u8>> {
        let mut movers = Vec::new();
        let session = self.session.as_mut().filter(|_| self.layout.is_none() && !record.opening.moves.is_empty());
        let Some(session) = session else { return movers };
        if session.set_position(record.opening.start.as_deref(), &[]).is_err() {
            return movers;
        }
        for text in &record.opening.moves {
            movers.push(session.turn().seat().map(|seat| seat.0));
            if session.play(text).is_err() {
                break;
            }
        }
        movers
    }

    /// Where the board differs from what the move texts say, by a replay under the rules. Empty where the texts say
    /// everything, and where the rules are not known here.
    pub(crate) fn corrections(&mut self, record: &GameRecord) -> Vec<Correction> {
        if !self.has_huff {
            return Vec::new();
        }
        self.replay(record).unwrap_or_default()
    }

    fn replay(&mut self, record: &GameRecord) -> Option<Vec<Correction>> {
        let mut told = self.diagram(record)?;
        let (layout, session) = (self.layout.as_ref()?, self.session.as_mut()?);
        session.set_position(record.opening.start.as_deref(), &[]).ok()?;
        let mut corrections = Vec::new();
        for (index, text) in texts(record).enumerate() {
            session.play(text).ok()?;
            told.play(layout, text);
            let real = Diagram::read(layout, &session.position_text(), self.foxes)?;
            let differing = (0..real.cells.len()).filter(|&point| real.cells[point] != told.cells[point]);
            let correct = |point| Correction { ply: index + 1, piece: real.cells[point], point: layout.name(point) };
            corrections.extend(differing.map(correct));
            told.cells = real.cells;
        }
        Some(corrections)
    }
}

/// The texts of all moves, those of the opening first.
pub(crate) fn texts(record: &GameRecord) -> impl Iterator<Item = &str> {
    record.opening.moves.iter().map(String::as_str).chain(record.moves.iter().map(PlayedMove::text))
}
