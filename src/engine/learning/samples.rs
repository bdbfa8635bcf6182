//! Positions with their values: from tables of perfect play or, where these do not cover them, from played games.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::LearningError;
use super::Targets;
use crate::files;
use crate::geometry::{PointSet, Word};
use crate::rules::hunt::{Hunt, Move, Phase, Position, Side};
use crate::rules::{Game, Seat, Turn};
use crate::search::{WDL_SCALE, logistic};
use crate::tablebase::{TableError, TableValue, Tables};

/// The value of a position to which weights are fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Plies to the end of the game with best play by both sides; 0 for draws.
    pub plies: u16,
    /// The score of a search where no table covers the position, in hundredths of a piece from the geese side's point
    /// of view; winner and plies are then those of the game.
    pub opinion: Option<i16>,
}

impl Label {
    /// The label of a position that the tables cover.
    pub(super) fn known(winner: Option<Side>, plies: u16) -> Self {
        Label { winner, plies, opinion: None }
    }

    /// The expected result for the geese, from 0 for a loss to 1 for a win.
    pub(super) fn target(self, targets: &Targets) -> f32 {
        let result = self.result(targets);
        let target = match self.opinion {
            Some(opinion) => {
                let thought = logistic(f64::from(opinion) / WDL_SCALE);
                targets.result * result + (1.0 - targets.result) * thought
            }
            None => result,
        };
        target.clamp(0.002, 0.998) as f32
    }

    fn result(self, targets: &Targets) -> f64 {
        let near = libm::exp(-f64::from(self.plies) / targets.plies);
        match self.winner {
            Some(Side::Geese) => targets.won + targets.slope * near,
            None => targets.drawn,
            Some(Side::Fox) => targets.lost * (1.0 - near),
        }
    }
}

/// A position with its label and the game that it comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample<W: Word> {
    pub position: Position<W>,
    pub label: Label,
    /// The number of the game in the learning run.
    pub game: u32,
}

/// The size of a sample in a file: two sets of points, hand, flags, plies, game and opinion.
const BYTES: usize = 16 + 16 + 1 + 1 + 2 + 4 + 2;
/// The initial value of the checksums; files of another format have another one and are refused.
const FORMAT: u32 = 2;
const MOST_BYTES: u64 = 1 << 30;

impl<W: Word> Sample<W> {
    /// A sample of a position in the normal phase; `None` for others.
    pub(super) fn new(position: Position<W>, label: Label, game: u32) -> Option<Self> {
        (position.phase == Phase::Normal).then_some(Sample { position, label, game })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let position = &self.position;
        let winner = match self.label.winner {
            None => 0,
            Some(Side::Fox) => 1,
            Some(Side::Geese) => 2,
        };
        bytes.extend(position.foxes().word().widen().to_le_bytes());
        bytes.extend(position.geese().word().widen().to_le_bytes());
        bytes.push(position.hand);
        let is_opinion = u8::from(self.label.opinion.is_some());
        bytes.push(is_opinion << 3 | winner << 1 | u8::from(position.turn == Side::Geese));
        bytes.extend(self.label.plies.to_le_bytes());
        bytes.extend(self.game.to_le_bytes());
        bytes.extend(self.label.opinion.unwrap_or(0).to_le_bytes());
    }

    /// The sample that [`write`](Sample::write) wrote; `None` if it is no position on the board of the game.
    fn read(bytes: &[u8; BYTES], game: &Hunt<W>) -> Option<Self> {
        let set = |at: usize| {
            // Checked as it stands: a narrower word would lose points beyond the board.
            let word = u128::from_le_bytes(*bytes[at..].first_chunk()?);
            let is_on_board = PointSet::from_word(word).is_subset(game.board().all());
            is_on_board.then(|| PointSet::from_word(W::truncate(word)))
        };
        let (foxes, geese, flags) = (set(0)?, set(16)?, bytes[33]);
        let turn = if flags & 1 == 1 { Side::Geese } else { Side::Fox };
        let winner = *[None, Some(Side::Fox), Some(Side::Geese)].get(usize::from(flags >> 1 & 3))?;
        let opinion = (flags >> 3 == 1).then(|| i16::from_le_bytes([bytes[40], bytes[41]]));
        let hand = bytes[32];
        let most = if game.has_hand() { game.army } else { 0 };
        let is_whole = foxes.is_disjoint(geese) && u32::from(hand) <= most && flags >> 4 == 0;
        is_whole.then(|| Sample {
            position: Position { hand, ..Position::new(foxes, geese, turn) },
            label: Label { winner, plies: u16::from_le_bytes([bytes[34], bytes[35]]), opinion },
            game: u32::from_le_bytes([bytes[36], bytes[37], bytes[38], bytes[39]]),
        })
    }
}

/// Writes samples to a file, completely or not at all.
///
/// # Errors
/// The file cannot be written.
pub(super) fn save<W: Word>(path: &Path, samples: &[Sample<W>]) -> Result<(), LearningError> {
    let mut bytes = Vec::with_capacity(samples.len() * BYTES);
    samples.iter().for_each(|sample| sample.write(&mut bytes));
    let written = zstd::encode_all(&*bytes, 3).and_then(|packed| {
        let checked = [&checksum(&packed).to_le_bytes()[..], &packed].concat();
        files::write(path, &checked)
    });
    written.map_err(|error| LearningError::File { path: path.to_owned(), message: error.to_string() })
}

/// Reads the samples that [`save`] wrote; `None` when there is no such file.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub(super) fn load<W: Word>(path: &Path, game: &Hunt<W>) -> Result<Option<Vec<Sample<W>>>, LearningError> {
    if !path.exists() {
        return Ok(None);
    }
    let refuse = |message: String| LearningError::File { path: path.to_owned(), message };
    let bytes = files::read_bytes(path, MOST_BYTES).map_err(|error| refuse(error.reason()))?;
    let damaged = || refuse("it is damaged; delete it, and --resume plays its games again".to_owned());
    let (crc, packed) = bytes.split_first_chunk().ok_or_else(damaged)?;
    let mut body = Vec::new();
    let unpacked = zstd::Decoder::new(packed).and_then(|decoder| decoder.take(MOST_BYTES).read_to_end(&mut body));
    let (records, rest) = body.as_chunks();
    match unpacked {
        Ok(_) if checksum(packed) == u32::from_le_bytes(*crc) && rest.is_empty() => {
            let samples: Option<Vec<_>> = records.iter().map(|record| Sample::read(record, game)).collect();
            samples.map(Some).ok_or_else(damaged)
        }
        _ => Err(damaged()),
    }
}

fn checksum(packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(FORMAT);
    hasher.update(packed);
    hasher.finalize()
}

/// The tables of a game, and a cache of the plies to the end of the game.
///
/// Few games have tables of plies to the end, so tables to the next conversion are used and the line of perfect play is
/// followed to the end of the game: always the first of the best moves by the tables. Such a line never repeats a
/// position where one side wins.
pub(super) struct Truth<'a, W: Word> {
    game: &'a Hunt<W>,
    tables: Option<Arc<dyn Tables<Hunt<W>>>>,
    /// Plies to the end of the game, by the key of a won position.
    plies: HashMap<u64, u16>,
}

/// The most entries of the cache.
const MOST_KEPT: usize = 3 << 20;
/// The longest line of perfect play that is followed.
const MOST_PLIES: usize = 5000;

/// Moves with the value, by the tables, of the position before each if it is played.
type ValuedMoves<W> = Vec<(Move<W>, TableValue)>;

impl<'a, W: Word> Truth<'a, W> {
    pub(super) fn new(game: &'a Hunt<W>, tables: Option<Arc<dyn Tables<Hunt<W>>>>) -> Self {
        Truth { game, tables, plies: HashMap::new() }
    }

    /// The value of a position; `None` where no table covers it.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn value(&self, position: &Position<W>) -> Result<Option<TableValue>, TableError> {
        self.tables.as_ref().map_or(Ok(None), |tables| tables.probe(self.game, position))
    }

    /// All moves of a position with their values, the best for `seat` first; `None` where the tables do not cover one
    /// of them.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn moves(&self, position: &Position<W>, seat: Seat) -> Result<Option<ValuedMoves<W>>, TableError> {
        let mut valued = Vec::new();
        for mv in self.game.moves(position) {
            let Some(after) = self.value(&self.game.play_unchecked(position, mv))? else { return Ok(None) };
            valued.push((mv, after.before(self.game.is_irreversible(position, mv))));
        }
        valued.sort_by_key(|(_, value)| std::cmp::Reverse(value.rank(seat)));
        Ok(Some(valued))
    }

    /// The label of a position; `None` when the tables do not cover it, or the game is over.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn label(&mut self, position: &Position<W>) -> Result<Option<Label>, TableError> {
        if self.game.turn(position).outcome().is_some() {
            return Ok(None);
        }
        let Some(value) = self.value(position)? else { return Ok(None) };
        let Some(winner) = value.winner else { return Ok(Some(Label::known(None, 0))) };
        let plies = self.plies_to_end(position)?;
        Ok(plies.map(|plies| Label::known(Some(self.game.side(winner)), plies)))
    }

    fn plies_to_end(&mut self, position: &Position<W>) -> Result<Option<u16>, TableError> {
        if self.plies.len() > MOST_KEPT {
            self.plies.clear();
        }
        let mut line = Vec::new();
        let mut position = *position;
        let mut plies = loop {
            let key = self.game.key(&position);
            if let Some(&known) = self.plies.get(&key) {
                break known;
            }
            let Turn::Player(seat) = self.game.turn(&position) else { break 0 };
            let best = self.moves(&position, seat)?.and_then(|moves| moves.first().map(|&(mv, _)| mv));
            let Some(best) = best.filter(|_| line.len() < MOST_PLIES) else { return Ok(None) };
            line.push(key);
            position = self.game.play_unchecked(&position, best);
        };
        for key in line.into_iter().rev() {
            plies += 1;
            self.plies.insert(key, plies);
        }
        Ok(Some(plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::Ruleset;

    #[test]
    fn samples_are_positions_on_the_board() {
        let game = Hunt::<u64>::new(&Ruleset::from_catalog("bell-13", &[]).expect("a ruleset"));
        let label = Label { opinion: Some(-7), ..Label::known(Some(Side::Geese), 12) };
        let foxes = game.all().first().into_iter().collect();
        let sample = Sample::new(Position::new(foxes, game.start().geese() - foxes, Side::Fox), label, 3).expect("one");
        let mut bytes = Vec::new();
        sample.write(&mut bytes);
        let whole: [u8; BYTES] = bytes.try_into().expect("the size of a sample");
        assert_eq!(Sample::read(&whole, &game), Some(sample));
        // A fox beyond the board, one beyond the word, a fox on a goose, geese in hand, a fourth winner, an unknown flag.
        for (at, byte) in [(6, 0x80), (12, 0x01), (16, 0xff), (32, 0x01), (33, 0x06), (33, 0x10)] {
            let mut broken = whole;
            broken[at] |= byte;
            assert_eq!(Sample::read(&broken, &game), None, "byte {at}");
        }
    }
}
