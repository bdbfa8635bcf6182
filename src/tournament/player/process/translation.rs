//! Moves and positions in the words of a program that calls the squares otherwise.

use reynard_engine::rules::{BoardView, Piece};
use reynard_engine::session::Session;
use reynard_engine::session::registry;

use crate::tournament::player::{Failure, MoveHistory};
use crate::tournament::record::Forfeit;
use crate::tournament::resolved::PlayableRuleset;
use crate::tournament::spec::Translate;

/// What is needed to translate to a program and back.
pub(super) struct Translation {
    words: Translate,
    /// Reads our position texts; `None` for a game that is not known here.
    session: Option<Box<dyn Session>>,
}

impl Translation {
    pub(super) fn new(words: &Translate, ruleset: &PlayableRuleset) -> Self {
        let session = registry::open(&ruleset.choice).ok();
        Translation { words: words.clone(), session }
    }

    /// A move of the program in our words.
    pub(super) fn ours(&self, text: &str) -> String {
        self.words.ours(text)
    }

    /// Where a game began, and its moves, in the words of the program.
    ///
    /// # Errors
    /// The position cannot be told.
    pub(super) fn theirs(&mut self, history: MoveHistory<'_>) -> Result<(Option<String>, Vec<String>), Failure> {
        let moves = history.moves.iter().map(|text| self.words.theirs(text)).collect();
        let start = history.start.map(|text| {
            let message = |reason: String| format!("position '{text}' cannot be translated: {reason}");
            self.position(text).map_err(|reason| Failure::new(Forfeit::Refused, message(reason)))
        });
        Ok((start.transpose()?, moves))
    }

    /// The template with the board and the turn of one of our position texts.
    fn position(&mut self, text: &str) -> Result<String, String> {
        let template = self.words.fen.as_deref().ok_or("translate has no fen")?;
        let session = self.session.as_mut().ok_or("its rules are not known here")?;
        session.set_position(Some(text), &[]).map_err(|error| error.to_string())?;
        let text = session.start_text();
        let [_, turn] = text.split(' ').collect::<Vec<_>>()[..] else {
            return Err("expected a placement and a turn, nothing more".to_owned());
        };
        let BoardView { width, height, .. } = session.game().board;
        let mut ranks = vec![vec![None; width]; height];
        let kinds = &session.game().capabilities.pieces;
        for Piece { point, owner, kind, .. } in session.pieces() {
            let square = self.words.theirs(&point);
            let slot = place(&square).and_then(|(file, rank)| ranks.get_mut(rank)?.get_mut(file));
            let letter = kinds.iter().find(|known| known.kind == kind && Some(known.owner) == owner);
            let letter = letter.and_then(|kind| kind.letter).ok_or("it has pieces without a letter")?;
            *slot.ok_or_else(|| format!("there is no square {square}"))? = Some(self.words.letter(&letter.to_string()));
        }
        let rows: Vec<String> = ranks.iter().rev().map(|rank| row(rank)).collect();
        Ok(template.replace("{board}", &rows.join("/")).replace("{turn}", &self.words.letter(turn)))
    }
}

/// File and rank of a square, both from 0.
fn place(square: &str) -> Option<(usize, usize)> {
    let file = square.bytes().next().filter(u8::is_ascii_lowercase)?;
    let rank: usize = square.get(1..)?.parse().ok()?;
    Some((usize::from(file - b'a'), rank.checked_sub(1)?))
}

/// A rank of FEN, empty squares as numbers.
fn row(squares: &[Option<String>]) -> String {
    let runs = squares.chunk_by(|one, next| one.is_none() && next.is_none());
    runs.map(|run| run[0].clone().unwrap_or_else(|| run.len().to_string())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use reynard_engine::session::registry::RulesetChoice;

    use super::*;

    fn translation(ruleset: &str, squares: BTreeMap<String, String>) -> Translation {
        let letters = [("G", "h"), ("f", "w"), ("g", "b")].map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()));
        let fen = Some("{board} {turn} - - 0 1".to_owned());
        let words = Translate { squares, fen, letters: letters.into() };
        let choice = RulesetChoice::catalog(ruleset);
        Translation::new(&words, &PlayableRuleset { label: ruleset.into(), variant: ruleset.into(), choice })
    }

    fn theirs(
        translation: &mut Translation,
        start: &str,
        moves: &[&str],
    ) -> Result<(Option<String>, Vec<String>), Failure> {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        translation.theirs(MoveHistory { start: Some(start), moves: &moves })
    }

    #[test]
    fn fairy_stockfish_is_told_positions_as_it_writes_them() {
        let turned = ('a'..='h').zip(('a'..='h').rev()).flat_map(|(file, other)| {
            (1..=8).map(move |rank| (format!("{file}{rank}"), format!("{other}{}", 9 - rank)))
        });
        let mut translation = translation("fox-and-hounds", turned.collect());
        // Its own start position.
        let start = "1h1h1h1h/8/8/8/8/8/8/4F3 w - - 0 1".to_owned();
        let told = theirs(&mut translation, "1F2/4/4/4/4/4/4/GGGG f", &["d8c7", "a1b2"]);
        assert_eq!(told, Ok((Some(start), vec!["e1f2".to_owned(), "h8g7".to_owned()])));
        let told = theirs(&mut translation, "4/4/2F1/4/4/2G1/1G2/G2G g", &[]);
        assert_eq!(told, Ok((Some("1h5h/4h3/3h4/8/8/2F5/8/8 b - - 0 1".to_owned()), Vec::new())));
        assert_eq!(translation.ours("e1f2"), "d8c7");
    }

    #[test]
    fn what_the_template_cannot_say_is_refused() {
        let elsewhere = ("d4".to_owned(), "z9".to_owned());
        let mut translations = [translation("masters-15", [elsewhere].into()), translation("bell-13", BTreeMap::new())];
        for (index, start, word) in [
            (0, "3/3/7/G2F2G/GGGGGGG/GGG/GGG g", "no square z9"),
            (1, "3/3/7/7/GGGGGGG/GGG/GGG f phase=place", "nothing more"),
            (1, "nonsense", "nonsense"),
        ] {
            let failure = theirs(&mut translations[index], start, &[]).expect_err(start);
            assert!(failure.kind == Forfeit::Refused && failure.message.contains(word), "{failure:?}");
        }
    }
}
