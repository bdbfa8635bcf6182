//! The record of a finished game, as the journal keeps it.

use std::fmt;

use reynard_engine::rules::Seat;
use serde::{Deserialize, Serialize};

use super::schedule::Fixture;

/// Where a game began: the ruleset's start or a text, and the moves that the players did not choose.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// `None` for the start position of the ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Moves from that position on, in canonical text, rolls of the dice included.
    pub moves: Vec<String>,
}

/// The score that an engine gave with its move, from its own point of view. Written as a number of hundredths, or as
/// `"#5"` (`"#-5"`) for a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "ScoreText", try_from = "ScoreText")]
pub enum EngineScore {
    /// Hundredths of a piece.
    Centipieces(i32),
    /// Own moves to the win, negative to the loss.
    Mate(i32),
}

/// Pieces with two decimals, or `#5` for a mate.
impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EngineScore::Centipieces(value) => {
                let (sign, size) = (if value < 0 { '-' } else { '+' }, value.unsigned_abs());
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            EngineScore::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// How a score is written in journals.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ScoreText {
    Number(i32),
    Mate(String),
}

impl From<EngineScore> for ScoreText {
    fn from(score: EngineScore) -> Self {
        match score {
            EngineScore::Centipieces(value) => ScoreText::Number(value),
            EngineScore::Mate(moves) => ScoreText::Mate(format!("#{moves}")),
        }
    }
}

impl TryFrom<ScoreText> for EngineScore {
    type Error = String;

    fn try_from(text: ScoreText) -> Result<Self, String> {
        match text {
            ScoreText::Number(value) => Ok(EngineScore::Centipieces(value)),
            ScoreText::Mate(text) => {
                let moves = text.strip_prefix('#').and_then(|number| number.parse().ok());
                moves.map(EngineScore::Mate).ok_or_else(|| format!("'{text}' is no score; expected a number or #N"))
            }
        }
    }
}

/// What an engine reported about a move; all of it is the engine's word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opinion {
    /// The score, from the point of view of the engine that moves.
    pub score: Option<EngineScore>,
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// Positions visited (mcts: iterations).
    pub nodes: Option<u64>,
    /// The line of play that the search expects.
    pub variation: Option<Variation>,
}

/// A principal variation. Written as `[17, "a4a5 b6b5"]`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Variation(
    /// The length of the longest line looked at, in plies.
    pub Option<u32>,
    /// Moves as the engine writes them.
    pub String,
);

/// One move that a player chose. Written as `["a4a5", 31, 8, 1024]`: text, score, depth, nodes; and the variation where
/// the spec asks for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedMove(
    pub String,
    pub Option<EngineScore>,
    pub Option<u32>,
    pub Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")] pub Option<Variation>,
);

impl PlayedMove {
    /// A canonical move text with what its engine reported.
    pub fn new(text: String, opinion: Opinion) -> Self {
        PlayedMove(text, opinion.score, opinion.depth, opinion.nodes, opinion.variation)
    }

    /// The move in canonical text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What the engine reported about the move, without the variation; nothing for a roll of the dice.
    pub fn opinion(&self) -> Opinion {
        Opinion { score: self.1, depth: self.2, nodes: self.3, variation: None }
    }

    /// The line of play that the engine expected, where the spec asked for it.
    pub fn variation(&self) -> Option<&Variation> {
        self.4.as_ref()
    }
}

/// The name that a variant without contents has in specs and journals.
pub(crate) fn written_name(variant: impl Serialize) -> String {
    serde_json::to_value(variant).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// How a player lost other than by the rules. The names are those of the journal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forfeit {
    /// The program could not be started or did not finish its handshake.
    Start,
    /// The process ended by itself.
    Crash,
    /// The process lives but closed its output or input.
    ClosedPipe,
    /// No answer within the clock and the timeout; the process was killed.
    Hang,
    /// A move came, but after the time was over.
    Time,
    /// A move that is not legal in the position, or not the text of any move.
    IllegalMove,
    /// `bestmove (none)`, `bestmove` without a move, or a resignation.
    NoMove,
    /// Bytes that are no text of the protocol where an answer was due.
    Garbage,
    /// A line beyond the allowed length.
    HugeLine,
    /// More lines than a search can be expected to print.
    Flood,
    /// An option, a position or a request that the engine refused.
    Refused,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "by")]
pub enum Cause {
    /// By the rules of the game; the reason is the referee's.
    Rules,
    /// A draw because the spec's `max_plies` were reached.
    PlyLimit,
    /// The spec's draw adjudication.
    DrawAdjudication,
    /// The spec's resign adjudication.
    ResignAdjudication,
    /// The value that a table of perfect play knows.
    TableAdjudication,
    /// The loser's failure.
    Forfeit(Forfeit),
}

/// What other files and programs call a cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CauseWords {
    /// In reports.
    pub name: &'static str,
    /// The value of PGN's tag `Termination`.
    pub termination: &'static str,
    /// In the lines of cutechess-cli, where `{loser}` is a colour, `{result}` is `White wins`, `Black wins` or `Draw`,
    /// and `{reason}` is [`Ending::reason`].
    pub cutechess: &'static str,
}

impl CauseWords {
    const fn new(name: &'static str, termination: &'static str, cutechess: &'static str) -> CauseWords {
        CauseWords { name, termination, cutechess }
    }

    const fn adjudication(name: &'static str) -> CauseWords {
        CauseWords::new(name, "adjudication", "{result} by adjudication: {reason}")
    }
}

impl Cause {
    pub(crate) fn words(&self) -> CauseWords {
        match self {
            Cause::Rules => CauseWords::new("by the rules", "normal", "{reason}"),
            Cause::PlyLimit => CauseWords::adjudication("limit of plies reached"),
            Cause::DrawAdjudication => CauseWords::adjudication("adjudicated draw"),
            Cause::ResignAdjudication => CauseWords::adjudication("adjudicated resignation"),
            Cause::TableAdjudication => CauseWords::adjudication("adjudicated by table"),
            Cause::Forfeit(kind) => kind.words(),
        }
    }
}

impl Forfeit {
    /// In a word or two: `no answer`.
    pub(crate) fn name(self) -> &'static str {
        self.words().name.trim_start_matches("forfeit: ")
    }

    fn words(self) -> CauseWords {
        let (name, termination, cutechess) = match self {
            Forfeit::Start => ("forfeit: did not start", "abandoned", "{loser} disconnects"),
            Forfeit::Crash => ("forfeit: crash", "abandoned", "{loser} disconnects"),
            Forfeit::ClosedPipe => ("forfeit: closed pipe", "abandoned", "{loser} disconnects"),
            Forfeit::Hang => ("forfeit: no answer", "abandoned", "{loser}'s connection stalls"),
            Forfeit::Time => ("forfeit: time", "time forfeit", "{loser} loses on time"),
            Forfeit::IllegalMove => {
                ("forfeit: illegal move", "rules infraction", "{loser} makes an illegal move: {reason}")
            }
            Forfeit::NoMove => ("forfeit: no move", "resignation", "{loser} resigns"),
            Forfeit::Garbage => ("forfeit: garbage", "abandoned", "{loser} disconnects: {reason}"),
            Forfeit::HugeLine => ("forfeit: huge line", "abandoned", "{loser} disconnects: {reason}"),
            Forfeit::Flood => ("forfeit: flood of output", "abandoned", "{loser} disconnects: {reason}"),
            Forfeit::Refused => ("forfeit: refused a request", "abandoned", "{loser} disconnects: {reason}"),
        };
        CauseWords::new(name, termination, cutechess)
    }
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Seat index; `None` for a draw.
    pub winner: Option<u8>,
    /// What ended the game.
    pub cause: Cause,
    /// In words for people, for example `fox side has no legal move`.
    pub reason: String,
}

impl Ending {
    pub(crate) fn new(winner: Option<Seat>, cause: Cause, reason: impl Into<String>) -> Self {
        Ending { winner: winner.map(|seat| seat.0), cause, reason: reason.into() }
    }

    /// The seat that won; `None` for a draw.
    pub fn winner(&self) -> Option<Seat> {
        self.winner.map(Seat)
    }
}

/// The first characters of a text, followed by `...` where it has more than `most`.
pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text without control characters. Names and reasons come from outside: nothing in them may move the cursor or end a
/// line.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The sign for a roll of the dice among the movers of a game.
pub(crate) const DICE: char = '-';

/// A finished game: everything about it that does not depend on the clock of the machine. With node or depth limits
/// it is a pure function of spec and game number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's number, ruleset, opening and engines.
    pub fixture: Fixture,
    /// Where the players began to choose.
    pub opening: Opening,
    /// Moves after the opening, rolls of the dice included.
    pub moves: Vec<PlayedMove>,
    /// The seat that made each of the moves, one digit a move: sides need not alternate. [`DICE`] stands for a roll.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub movers: String,
    /// Who won, and why.
    pub ending: Ending,
}

impl GameRecord {
    /// A game that ended before a move, for tests.
    #[cfg(test)]
    pub(crate) fn without_moves(fixture: Fixture, ending: Ending) -> GameRecord {
        GameRecord { fixture, opening: Opening::default(), moves: Vec::new(), movers: String::new(), ending }
    }

    /// The texts of all moves, those of the opening first.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.opening.moves.iter().map(String::as_str).chain(self.moves.iter().map(PlayedMove::text))
    }

    /// The length of the game, the opening included.
    pub(crate) fn plies(&self) -> usize {
        self.opening.moves.len() + self.moves.len()
    }

    /// What the game brought the player of a seat: 0, 1 or 2.
    pub(crate) fn half_points(&self, seat: usize) -> u8 {
        match self.ending.winner {
            None => 1,
            Some(winner) if usize::from(winner) == seat => 2,
            Some(_) => 0,
        }
    }

    /// The points of both seats as PGN writes them, seat 0 first: `1-0`, `0-1`, `1/2-1/2`.
    pub(crate) fn result_text(&self) -> &'static str {
        ["0-1", "1/2-1/2", "1-0"][usize::from(self.half_points(0))]
    }

    /// The seat that made the move of that index, none where the dice rolled; the opening's moves do not count.
    pub fn mover(&self, index: usize) -> Option<u8> {
        self.movers.as_bytes().get(index).filter(|digit| digit.is_ascii_digit()).map(|digit| digit - b'0')
    }

    /// Whether the move of that index is a roll of the dice.
    pub fn is_roll(&self, index: usize) -> bool {
        self.movers.as_bytes().get(index) == Some(&(DICE as u8))
    }

    /// The indices of a seat's moves.
    pub fn moves_of(&self, seat: usize) -> impl Iterator<Item = usize> {
        (0..self.moves.len()).filter(move |&index| self.mover(index).map(usize::from) == Some(seat))
    }
}

/// What was measured while a game was played; different on every run, so it is kept apart from the record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameTimes {
    pub game: u64,
    /// When the game began, milliseconds since 1970 UTC.
    pub started_unix_ms: u64,
    /// For each played move, microseconds as the referee's clock saw them.
    pub move_us: Vec<u64>,
}

impl GameTimes {
    /// When the game began; `None` where that was not measured.
    pub fn started(&self) -> Option<u64> {
        Some(self.started_unix_ms).filter(|&ms| ms > 0)
    }
}

/// A game as it comes from a worker or from a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// What the journal keeps of the game.
    pub record: GameRecord,
    /// What the clock measured while it was played; the default where nothing is known of that.
    pub times: GameTimes,
}
