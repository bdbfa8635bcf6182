//! Mistakes: moves that gave away game value, by tables of perfect play.
//!
//! A move is a mistake when the side that made it was winning and is not any more, or could have drawn and has lost.
//! Moves are judged where tables cover the positions before and after them. Tables ignore history, and so does this: a
//! winner that lets the same position come three times has made no mistake, only no progress.
//!
//! The same replay finds the conversions: what became of the games that a player had won. A game counts for a player
//! from the first position on that the tables cover and call won for it; between perfect players it would be won. A
//! player that repeats positions, or moves until the limit of plies comes, gives nothing away and wins nothing either.

use std::path::Path;

use reynard_engine::rules::Seat;
use reynard_engine::session::{Options, Session};
use reynard_engine::tablebase::{Metric, TableError, TableValue};
use serde::{Serialize, Serializer};
use serde_json::json;
use thiserror::Error;

use super::header::JournalHeader;
use super::judge::GameValue;
use super::record::{GameRecord, PlayedMove};
use super::ruleset::Ruleset;
use super::stats::{Sample, Trinomial};
use super::tables::{self, TablesError};

/// Why the moves of a tournament are not judged.
#[derive(Debug, Error)]
pub enum MistakesError {
    #[error(transparent)]
    Tables(#[from] TablesError),
    #[error("game {game}: {error}")]
    Game { game: u64, error: TableError },
}

impl MistakesError {
    /// Whether another directory or folder would do.
    pub fn is_usage(&self) -> bool {
        match self {
            MistakesError::Tables(error) => error.is_usage(),
            MistakesError::Game { .. } => false,
        }
    }
}

/// What one player's moves were worth, over some games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MistakeCount {
    /// Games of rulesets that have tables.
    pub games: u64,
    /// Own moves that tables could judge, by the value for the mover before the move, then by that after it.
    moves: [[u64; 3]; 3],
}

impl MistakeCount {
    /// Moves that tables could judge.
    pub fn judged(&self) -> u64 {
        self.moves.iter().flatten().sum()
    }

    /// Judged moves that had something to lose: the mover was not lost already.
    pub fn at_stake(&self) -> u64 {
        self.judged() - self.moves[GameValue::Loss as usize].iter().sum::<u64>()
    }

    /// Moves that turned a win into a draw, a win into a loss, and a draw into a loss.
    pub fn by_kind(&self) -> [u64; 3] {
        let [[..], [draw_to_loss, ..], [win_to_loss, win_to_draw, _]] = self.moves;
        [win_to_draw, win_to_loss, draw_to_loss]
    }

    /// Moves that gave away game value.
    pub fn mistakes(&self) -> u64 {
        self.by_kind().iter().sum()
    }

    /// Mistakes per game; `None` without games.
    pub fn per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.mistakes() as f64 / self.games as f64)
    }

    /// Counts a move of `mover` by the values of the positions before and after it; true for a mistake.
    fn judge(&mut self, mover: Seat, before: TableValue, after: TableValue) -> bool {
        let [before, after] = [before, after].map(|value| GameValue::of(value, mover) as usize);
        self.moves[before][after] += 1;
        after < before
    }
}

/// The counts with what follows from them.
impl Serialize for MistakeCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [win_to_draw, win_to_loss, draw_to_loss] = self.by_kind();
        let figures = json!({
            "games": self.games, "judged": self.judged(), "at_stake": self.at_stake(), "mistakes": self.mistakes(),
            "per_game": self.per_game(), "win_to_draw": win_to_draw, "win_to_loss": win_to_loss,
            "draw_to_loss": draw_to_loss,
        });
        figures.serialize(serializer)
    }
}

/// What became of one game that a player had won. Plies count from 1, those of the opening too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// The ply after which it was won for the first time, 0 for the start.
    pub won_after: usize,
    /// What it brought the player: 0, 1 or 2.
    pub half_points: u8,
    /// The player's own move that gave the win away for good. None where the game was won, and where no move did: then
    /// the win was there as long as the tables knew.
    pub given_away: Option<usize>,
}

impl Conversion {
    /// In a word.
    pub(crate) fn result(self) -> &'static str {
        ["lost", "drawn", "won"][usize::from(self.half_points.min(2))]
    }
}

/// Games that a player had won at some moment, by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConversionCount {
    /// As the player sees them.
    pub games: Trinomial,
    /// Those drawn or lost though no move gave the win away: by repetition, by a limit of plies, by a forfeit.
    pub not_given_away: u64,
}

impl ConversionCount {
    /// The part of the games that were won; `None` where none could be.
    pub fn share(&self) -> Option<f64> {
        let games = self.games.games();
        (games > 0).then(|| self.games.wins as f64 / games as f64)
    }
}

/// The counts with what follows from them.
impl Serialize for ConversionCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Trinomial { losses, draws, wins } = self.games;
        let figures = json!({
            "games": self.games.games(), "won": wins, "drawn": draws, "lost": losses, "share": self.share(),
            "not_given_away": self.not_given_away,
        });
        figures.serialize(serializer)
    }
}

/// One player's play by the tables, over some games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct JudgedPlay {
    /// Moves that gave away game value.
    pub mistakes: MistakeCount,
    /// What became of won games.
    pub conversion: ConversionCount,
}

impl JudgedPlay {
    /// Adds the counts of other games.
    pub fn absorb(&mut self, JudgedPlay { mistakes, conversion }: JudgedPlay) {
        self.mistakes.games += mistakes.games;
        let sums = self.mistakes.moves.iter_mut().flatten();
        sums.zip(mistakes.moves.iter().flatten()).for_each(|(sum, count)| *sum += count);
        self.conversion.games = self.conversion.games.plus(conversion.games);
        self.conversion.not_given_away += conversion.not_given_away;
    }
}

/// What the moves of one game were worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assessment {
    /// By player: who holds the first seat comes first.
    pub counts: [MistakeCount; 2],
    /// The mistakes of both, as plies from 1 on, those of the opening counted.
    pub mistakes: Vec<usize>,
    /// By player: what became of the game, where it had won it.
    pub conversions: [Option<Conversion>; 2],
}

impl Assessment {
    /// The counts of one player.
    pub fn play(&self, player: usize) -> JudgedPlay {
        let mut conversion = ConversionCount::default();
        if let Some(Conversion { half_points, given_away, .. }) = self.conversions[player] {
            conversion.games.add(half_points);
            conversion.not_given_away = u64::from(half_points < 2 && given_away.is_none());
        }
        JudgedPlay { mistakes: self.counts[player], conversion }
    }
}

/// Judges games.
pub struct Assessor {
    options: Options,
    /// By ruleset, where there are tables.
    boards: Vec<Option<Box<dyn Session>>>,
}

impl Assessor {
    /// For the rulesets of a header that have tables in the folder.
    ///
    /// # Errors
    /// None has, or what is there cannot be read.
    pub fn new(header: &JournalHeader, folder: &Path) -> Result<Self, TablesError> {
        let (mut boards, mut refusal) = (Vec::new(), None);
        for ruleset in &header.rulesets {
            match board(ruleset, folder) {
                Ok(board) => boards.push(Some(board)),
                Err(error) if !error.is_usage() => return Err(error),
                Err(error) => {
                    boards.push(None);
                    refusal.get_or_insert(error);
                }
            }
        }
        match refusal.filter(|_| boards.iter().all(Option::is_none)) {
            Some(error) => Err(error),
            None => Ok(Assessor { options: tables::options(folder), boards }),
        }
    }

    /// What the moves that the players chose were worth; `None` where the ruleset has no tables.
    ///
    /// # Errors
    /// A table that covers one of the positions is damaged or cannot be read.
    pub fn assess(&mut self, record: &GameRecord) -> Result<Option<Assessment>, MistakesError> {
        let Some(Some(session)) = self.boards.get_mut(record.fixture.ruleset) else { return Ok(None) };
        let fixture = &record.fixture;
        let assessment = replay(&mut **session, &self.options, record);
        assessment.map(Some).map_err(|error| MistakesError::Game { game: fixture.game, error })
    }
}

fn board(ruleset: &Ruleset, folder: &Path) -> Result<Box<dyn Session>, TablesError> {
    tables::coverage(ruleset, folder)?;
    ruleset.session().map_err(|_| TablesError::Unknown(ruleset.label.clone()))
}

fn replay(session: &mut dyn Session, options: &Options, record: &GameRecord) -> Result<Assessment, TableError> {
    let (counts, mistakes) = ([MistakeCount { games: 1, ..MistakeCount::default() }; 2], Vec::new());
    let mut found = Assessment { counts, mistakes, conversions: [None; 2] };
    let opening: Vec<&str> = record.opening.moves.iter().map(String::as_str).collect();
    // A game of other rules has nothing that could be judged.
    if session.set_position(record.opening.start.as_deref(), &opening).is_err() {
        return Ok(found);
    }
    // By player, the first and the last ply after which the game was won.
    let mut won: [Option<(usize, usize)>; 2] = [None; 2];
    let mut note = |session: &dyn Session, value: Option<TableValue>, ply: usize| {
        if let Some(winner) = value.and_then(|value| value.winner).filter(|_| session.turn().seat().is_some()) {
            won[winner.index()].get_or_insert((ply, ply)).1 = ply;
        }
    };
    let mut before = session.table_value(options, Metric::Conversion)?;
    note(session, before, opening.len());
    for (ply, text) in (opening.len() + 1..).zip(record.moves.iter().map(PlayedMove::text)) {
        let mover = session.turn().seat();
        if session.play(text).is_err() {
            break;
        }
        let after = session.table_value(options, Metric::Conversion)?;
        note(session, after, ply);
        if let (Some(mover), Some(before), Some(after)) = (mover, before, after)
            && found.counts[mover.index()].judge(mover, before, after)
        {
            found.mistakes.push(ply);
        }
        before = after;
    }
    found.conversions = [0, 1].map(|player| {
        let ((won_after, last), half_points) = (won[player]?, record.half_points(player));
        let given_away = Some(last + 1).filter(|ply| half_points < 2 && found.mistakes.contains(ply));
        Some(Conversion { won_after, half_points, given_away })
    });
    Ok(found)
}
