//! Plays the games whose positions become samples.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::samples::{Label, Sample, Truth};
use super::{LearnPlayer, LearnSearcher, LearnSpec};
use crate::eval::{LearnedHuntEvaluator, Listener};
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::random::stream;
use crate::rules::{Game, Record, Seat, Turn};
use crate::search::alphabeta::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::{Control, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher};
use crate::tablebase::{TableError, Tables};

/// Plies after which a game is broken off.
const MOST_PLIES: usize = 300;
/// Drawn plies in a row after which a game that the engine should have won is broken off.
const DRAWN_PLIES: usize = 10;
/// Drawn plies in a row after which a game in which the engine holds a draw is broken off: it errs late, after many
/// repetitions.
const HELD_PLIES: usize = 200;
/// The most random openings that are tried to find one of the wanted value.
const TRIES: usize = 60;

/// MiB of hash table for the engine that plays.
const HASH_MIB: usize = 16;

/// Random plies after which the search for a position that tables cover is given up.
const FAR_PLIES: usize = 200;

/// Plays games for learning; each worker has its own player.
pub(super) struct GamePlayer<'a, W: Word> {
    game: &'a Hunt<W>,
    spec: &'a LearnSpec,
    seed: u64,
    truth: Truth<'a, W>,
}

/// The purpose of a game: which sides the engine plays, and for what result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// The engine tries to win as this side against perfect play.
    Win(Side),
    /// The engine tries to hold a draw as this side against perfect play, or resists where no drawn opening is found.
    Hold(Side),
    /// The engine plays both sides.
    Own,
}

impl Purpose {
    /// The purpose of the game with this number. In half of the games the fox holds a drawn position; in a quarter the
    /// geese convert a won one, in a quarter the engine plays itself.
    fn of_game(number: u32) -> Self {
        match number % 4 {
            0 => Purpose::Win(Side::Geese),
            1 | 2 => Purpose::Hold(Side::Fox),
            _ => Purpose::Own,
        }
    }

    /// The side that wins the wanted openings with perfect play, `Some(None)` for drawn ones; `None` if any opening
    /// will do.
    fn opening_winner(self) -> Option<Option<Side>> {
        match self {
            Purpose::Win(side) => Some(Some(side)),
            Purpose::Hold(_) => Some(None),
            Purpose::Own => None,
        }
    }

    /// The side that plays perfectly by the tables.
    fn perfect(self) -> Option<Side> {
        match self {
            Purpose::Win(side) | Purpose::Hold(side) => Some(side.other()),
            Purpose::Own => None,
        }
    }

    /// The number of drawn plies in a row after which the game is broken off.
    fn drawn_plies(self) -> usize {
        match self {
            Purpose::Win(_) => DRAWN_PLIES,
            Purpose::Hold(_) => HELD_PLIES,
            Purpose::Own => MOST_PLIES,
        }
    }
}

/// A played game with the positions taken from it.
struct RoundGame<W: Word> {
    record: Record<Hunt<W>>,
    /// Positions that the tables cover.
    samples: Vec<Sample<W>>,
    /// Positions of the game that the tables do not cover.
    thoughts: Vec<Thought<W>>,
}

impl<'a, W: Word> GamePlayer<'a, W> {
    pub(super) fn new(
        game: &'a Hunt<W>,
        spec: &'a LearnSpec,
        seed: u64,
        tables: Option<Arc<dyn Tables<Hunt<W>>>>,
    ) -> Self {
        GamePlayer { game, spec, seed, truth: Truth::new(game, tables) }
    }

    fn rng(&self, number: u32) -> ChaCha8Rng {
        stream(self.seed, u64::from(number))
    }

    /// Plays a game for the time before the first fit, and returns its samples: perfect play with random moves. Where
    /// the tables do not cover the start, half of the games are such play from an ending that they cover, the others
    /// those of the engine with its linear evaluation.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn first(&mut self, number: u32) -> Result<Vec<Sample<W>>, TableError> {
        let mut rng = self.rng(number);
        let mut opening = self.opening(&mut rng);
        while number.is_multiple_of(2) && opening.plies() < FAR_PLIES && !self.knows(opening.position())? {
            let random = self.game.random_move(opening.position(), &mut rng);
            let Some(mv) = random.filter(|_| opening.turn(self.game).outcome().is_none()) else { break };
            opening.play(self.game, mv);
        }
        match self.knows(opening.position())? {
            true => self.perfect(number, opening, rng),
            false => self.engine(number, &LearnedHuntEvaluator::default()),
        }
    }

    /// Whether the tables cover a position.
    fn knows(&self, position: &Position<W>) -> Result<bool, TableError> {
        Ok(self.truth.value(position)?.is_some())
    }

    fn perfect(
        &mut self,
        number: u32,
        mut record: Record<Hunt<W>>,
        mut rng: ChaCha8Rng,
    ) -> Result<Vec<Sample<W>>, TableError> {
        let mut samples = Vec::new();
        while let Turn::Player(seat) = record.turn(self.game) {
            if record.plies() >= MOST_PLIES {
                break;
            }
            let position = *record.position();
            self.take(&position, number, &mut samples)?;
            let random = self.game.random_move(&position, &mut rng);
            if let Some(mv) = random {
                // Positions that best play avoids have to be known, too.
                self.take(&self.game.play_unchecked(&position, mv), number, &mut samples)?;
            }
            let best = if rng.random::<f64>() < self.spec.noise { None } else { self.best(&position, seat)? };
            let Some(mv) = best.map(|best| best.any(&mut rng)).or(random) else { break };
            record.play(self.game, mv);
        }
        Ok(samples)
    }

    /// Plays a game in which the engine has both sides, or one of them against perfect play, and returns its samples.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn engine(
        &mut self,
        number: u32,
        evaluator: &LearnedHuntEvaluator,
    ) -> Result<Vec<Sample<W>>, TableError> {
        let mut rng = self.rng(number);
        let purpose = Purpose::of_game(number);
        let opening = self.opening_for(purpose, &mut rng)?;
        let player = &self.spec.players[number as usize / 4 % self.spec.players.len()];
        let mut engine = Engine::new(player, evaluator, Some(self.spec.heard));
        let RoundGame { record, mut samples, thoughts } = self.play(number, &mut engine, opening, purpose, &mut rng)?;
        // What the tables say of the last position goes before what would have come of it.
        let end = self.truth.label(record.position())?;
        let end = end.unwrap_or_else(|| Label::known(self.winner_of(&record), 0));
        let label = |thought: Thought<W>| {
            let plies = if end.winner.is_some() { end.plies + (record.plies() - thought.ply) as u16 } else { 0 };
            Sample::new(thought.position, Label { plies, opinion: Some(thought.opinion), ..end }, number)
        };
        samples.extend(thoughts.into_iter().filter_map(label));
        Ok(samples)
    }

    /// The winner of a game by its rules.
    fn winner_of(&self, record: &Record<Hunt<W>>) -> Option<Side> {
        let winner = record.turn(self.game).outcome().and_then(|outcome| outcome.winner);
        winner.map(|seat| self.game.side(seat))
    }

    /// Whether the engine wins, against perfect play, an opening that is won for the side whose turn it is to be tried:
    /// the geese's with an even number. `None` where the tables know no such opening.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn converts(
        &mut self,
        number: u32,
        player: &LearnPlayer,
        evaluator: &LearnedHuntEvaluator,
    ) -> Result<Option<bool>, TableError> {
        let mut rng = self.rng(number);
        let side = if number.is_multiple_of(2) { Side::Geese } else { Side::Fox };
        let opening = self.opening_for(Purpose::Win(side), &mut rng)?;
        if self.winner(opening.position())? != Some(Some(side)) {
            return Ok(None);
        }
        let mut engine = Engine::new(player, evaluator, None);
        let played = self.play(number, &mut engine, opening, Purpose::Win(side), &mut rng)?;
        Ok(Some(self.winner_of(&played.record) == Some(side)))
    }

    fn play(
        &mut self,
        number: u32,
        engine: &mut Engine<W>,
        mut record: Record<Hunt<W>>,
        purpose: Purpose,
        rng: &mut ChaCha8Rng,
    ) -> Result<RoundGame<W>, TableError> {
        let mut samples = Vec::new();
        let mut thoughts = Vec::new();
        let mut drawn = 0;
        while let Turn::Player(seat) = record.turn(self.game) {
            if record.plies() >= MOST_PLIES || drawn > purpose.drawn_plies() {
                break;
            }
            let position = *record.position();
            let is_known = self.knows(&position)?;
            // Where tables know how a game goes on that they did not know at first, it has taught what it can.
            if is_known && !thoughts.is_empty() {
                break;
            }
            if engine.hears {
                self.take(&position, number, &mut samples)?;
            }
            let side = self.game.side(seat);
            let best = if purpose.perfect() == Some(side) { self.best(&position, seat)? } else { None };
            let mv = match best {
                Some(best) if best.decides => best.any(rng),
                // Among moves that draw, the engine finds those that are hard to answer.
                best => {
                    let among = best.map_or(Vec::new(), |best| best.moves);
                    let choice = engine.choose(self.game, &record, &among, rng.random());
                    for position in choice.heard.iter().filter(|_| engine.hears) {
                        self.take(position, number, &mut samples)?;
                    }
                    if !is_known {
                        let sign = if side == Side::Fox { -1 } else { 1 };
                        thoughts.push(Thought { position, ply: record.plies(), opinion: sign * choice.opinion });
                    }
                    choice.mv
                }
            };
            record.play(self.game, mv);
            let is_drawn = self.winner(record.position())? == Some(None);
            drawn = if is_drawn { drawn + 1 } else { 0 };
        }
        Ok(RoundGame { record, samples, thoughts })
    }

    /// The winner by the tables, `Some(None)` for a draw; `None` where they do not cover the position.
    fn winner(&self, position: &Position<W>) -> Result<Option<Option<Side>>, TableError> {
        let value = self.truth.value(position)?;
        Ok(value.map(|value| value.winner.map(|seat| self.game.side(seat))))
    }

    /// Adds a position to the samples if the tables cover it.
    fn take(&mut self, position: &Position<W>, game: u32, samples: &mut Vec<Sample<W>>) -> Result<(), TableError> {
        let label = self.truth.label(position)?;
        samples.extend(label.and_then(|label| Sample::new(*position, label, game)));
        Ok(())
    }

    /// The best moves of a position for `seat`, by the tables; `None` where they do not cover all of its moves.
    fn best(&self, position: &Position<W>, seat: Seat) -> Result<Option<BestMoves<W>>, TableError> {
        let Some(moves) = self.truth.moves(position, seat)? else { return Ok(None) };
        let Some(&(_, highest)) = moves.first() else { return Ok(None) };
        let equals = moves.iter().take_while(|(_, value)| value.rank(seat) == highest.rank(seat));
        Ok(Some(BestMoves { moves: equals.map(|&(mv, _)| mv).collect(), decides: highest.winner.is_some() }))
    }

    /// A game of random plies from the start that is not over.
    fn opening(&self, rng: &mut ChaCha8Rng) -> Record<Hunt<W>> {
        let [fewest, most] = self.spec.opening_plies;
        let plies = rng.random_range(fewest..=most);
        let mut record = Record::new(self.game.start());
        for _ in 0..plies {
            let Some(mv) = self.game.random_move(record.position(), rng) else { break };
            record.play(self.game, mv);
            if record.turn(self.game).outcome().is_some() {
                record.undo();
                break;
            }
        }
        record
    }

    /// An opening with the value that a purpose wants, or, after many tries, any opening.
    fn opening_for(&self, purpose: Purpose, rng: &mut ChaCha8Rng) -> Result<Record<Hunt<W>>, TableError> {
        let wanted = purpose.opening_winner();
        let mut record = self.opening(rng);
        for _ in 0..TRIES {
            if wanted.is_none() || self.winner(record.position())? == wanted {
                break;
            }
            record = self.opening(rng);
        }
        Ok(record)
    }
}

/// The best moves of a position by the tables: at least one, all equally good.
struct BestMoves<W: Word> {
    moves: Vec<Move<W>>,
    /// Whether the moves win or lose, rather than draw.
    decides: bool,
}

impl<W: Word> BestMoves<W> {
    fn any(&self, rng: &mut ChaCha8Rng) -> Move<W> {
        self.moves[rng.random_range(0..self.moves.len())]
    }
}

/// A position that the tables do not cover, with the score of the search that moved there, in hundredths of a piece
/// from the geese side's point of view.
struct Thought<W: Word> {
    position: Position<W>,
    ply: usize,
    opinion: i16,
}

/// The move that an engine chose, and what its search found.
pub(super) struct Choice<W: Word> {
    pub mv: Move<W>,
    /// The score of the search in hundredths of a piece, from the point of view of the side to move.
    pub opinion: i16,
    /// Positions from inside the search: the ends of its lines, and some that it evaluated.
    pub heard: Vec<Position<W>>,
}

/// A searcher that collects positions from inside its searches.
pub(super) struct Engine<W: Word> {
    searcher: Box<dyn Searcher<Hunt<W>>>,
    listener: Arc<Listener>,
    nodes: u64,
    /// Whether positions are collected.
    hears: bool,
}

impl<W: Word> Engine<W> {
    /// An engine that collects `heard` positions from inside the search of each move, and the ends of its lines; without
    /// a number it collects nothing.
    pub(super) fn new(player: &LearnPlayer, evaluator: &LearnedHuntEvaluator, heard: Option<usize>) -> Self {
        let stride = heard.map_or(u64::MAX, |heard| player.nodes / heard.max(1) as u64);
        let listener = Arc::new(Listener::new(stride));
        let evaluator = evaluator.heard_by(Arc::clone(&listener));
        let searcher: Box<dyn Searcher<Hunt<W>>> = match player.searcher {
            LearnSearcher::Alphabeta => Box::new(AlphaBeta::new(evaluator, Default::default())),
            LearnSearcher::Mcts => Box::new(Mcts::new(evaluator, Default::default())),
        };
        Engine { searcher, listener, nodes: player.nodes, hears: heard.is_some() }
    }

    /// Chooses among the legal moves, or among those of `among` if it is not empty.
    pub(super) fn choose(
        &mut self,
        game: &Hunt<W>,
        record: &Record<Hunt<W>>,
        among: &[Move<W>],
        seed: u64,
    ) -> Choice<W> {
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        let config = SearchConfig { hash_mib: HASH_MIB, seed, ..SearchConfig::default() };
        let control = Control::new(|| Duration::ZERO);
        let task = SearchTask { game, record, root_moves: among, limits, control: &control, config, tables: None };
        let mut ends = Vec::new();
        let mut score = Score::DRAW;
        let answer = self.searcher.search(&task, &mut |info: &SearchInfo<Move<W>>| {
            score = info.lines.first().map_or(score, |line| line.score);
            for line in &info.lines {
                let play = |position: Position<W>, &mv: &Move<W>| game.play_unchecked(&position, mv);
                ends.push(line.pv.iter().fold(*record.position(), play));
            }
        });
        ends.extend(self.listener.take());
        ends.dedup();
        Choice { mv: answer.best, opinion: score.0 as i16, heard: ends }
    }
}

#[cfg(test)]
mod tests;
