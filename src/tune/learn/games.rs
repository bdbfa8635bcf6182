//! The games from which positions are taken.

use std::sync::Arc;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::heard::Listening;
use super::samples::Sample;
use super::spec::{LearnPlayer, LearnSearcher, LearnSpec};
use super::truth::{Label, Truth};
use crate::eval::LearnedHuntEvaluator;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::{Game, Record, Seat, Turn};
use crate::search::alphabeta::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::{Control, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher};
use crate::tablebase::{TableError, Tables};

/// Plies after which a game is given up.
const MOST_PLIES: usize = 300;
/// Drawn plies in a row after which a game ends that the engine should have won.
const DRAWN_PLIES: usize = 10;
/// The same where it has to hold a draw: it errs late, after having gone round for long.
const HELD_PLIES: usize = 200;
/// Openings that are drawn to find one of the wanted value.
const TRIES: usize = 60;
const HASH_MIB: usize = 16;

/// Plays games of one round; each worker has its own.
pub(super) struct GamePlayer<'a, W: Word> {
    game: &'a Hunt<W>,
    spec: &'a LearnSpec,
    seed: u64,
    truth: Truth<'a, W>,
}

/// Who chooses the moves of a side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chooser {
    Perfect,
    Engine,
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
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(u64::from(number));
        rng
    }

    /// The samples of a game played while nothing is learned: of perfect play with random moves in it, else of the engine
    /// with its linear evaluation.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn first(&mut self, number: u32) -> Result<Vec<Sample<W>>, TableError> {
        let mut rng = self.rng(number);
        let opening = self.opening(&mut rng);
        match self.truth.value(opening.position())? {
            Some(_) => self.perfect(number, opening, rng),
            None => self.engine(number, &LearnedHuntEvaluator::default()),
        }
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
                // What the sides would avoid has to be known, too.
                self.take(&self.game.play_unchecked(&position, mv), number, &mut samples)?;
            }
            let best = if rng.random::<f64>() < self.spec.noise { None } else { self.best(&position, seat)? };
            let Some(mv) = best.map(|best| best.any(&mut rng)).or(random) else { break };
            record.play(self.game, mv);
        }
        Ok(samples)
    }

    /// The samples of a game in which the engine plays both sides, or one of them against perfect play.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn engine(
        &mut self,
        number: u32,
        evaluator: &LearnedHuntEvaluator,
    ) -> Result<Vec<Sample<W>>, TableError> {
        let mut rng = self.rng(number);
        // In half of the games the engine holds a drawn position as the fox; in the others it converts a won one as the
        // geese, or plays itself.
        let (choosers, wanted, drawn_plies) = match number % 4 {
            0 => ([Chooser::Perfect, Chooser::Engine], Some(Some(Side::Geese)), DRAWN_PLIES),
            1 | 2 => ([Chooser::Engine, Chooser::Perfect], Some(None), HELD_PLIES),
            _ => ([Chooser::Engine, Chooser::Engine], None, MOST_PLIES),
        };
        let player = &self.spec.players[number as usize / 4 % self.spec.players.len()];
        let mut engine = Engine::new(player, evaluator, self.spec.heard);
        let mut record = self.valued_opening(wanted, &mut rng)?;
        let (mut samples, mut thoughts, mut drawn) = (Vec::new(), Vec::new(), 0);
        while let Turn::Player(seat) = record.turn(self.game) {
            if record.plies() >= MOST_PLIES || drawn > drawn_plies {
                break;
            }
            let position = *record.position();
            let is_known = self.take(&position, number, &mut samples)?;
            let side = if self.game.side(seat) == Side::Fox { 0 } else { 1 };
            let perfect = match choosers[side] {
                Chooser::Perfect => self.best(&position, seat)?,
                Chooser::Engine => None,
            };
            let mv = match perfect {
                Some(best) if best.decides => best.any(&mut rng),
                // Among moves that draw, the engine knows which are hard to answer.
                perfect => {
                    let among = perfect.map_or(Vec::new(), |best| best.moves);
                    let choice = engine.choose(self.game, &record, &among, rng.random());
                    for position in choice.heard {
                        self.take(&position, number, &mut samples)?;
                    }
                    if !is_known {
                        let sign = if side == 0 { -1 } else { 1 };
                        thoughts.push(Thought { position, ply: record.plies(), opinion: sign * choice.opinion });
                    }
                    choice.mv
                }
            };
            record.play(self.game, mv);
            let is_drawn = self.truth.value(record.position())?.is_some_and(|value| value.winner.is_none());
            drawn = if is_drawn { drawn + 1 } else { 0 };
        }
        let winner = record.turn(self.game).outcome().and_then(|outcome| outcome.winner);
        let winner = winner.map(|seat| self.game.side(seat));
        let label = |thought: Thought<W>| {
            let plies = if winner.is_some() { (record.plies() - thought.ply) as u16 } else { 0 };
            Sample::new(thought.position, Label { winner, plies, opinion: Some(thought.opinion) }, number)
        };
        samples.extend(thoughts.into_iter().filter_map(label));
        Ok(samples)
    }

    /// Keeps a position that tables know.
    fn take(&mut self, position: &Position<W>, game: u32, samples: &mut Vec<Sample<W>>) -> Result<bool, TableError> {
        let label = self.truth.label(position)?;
        samples.extend(label.and_then(|label| Sample::new(*position, label, game)));
        Ok(label.is_some())
    }

    /// The best moves by the tables.
    fn best(&self, position: &Position<W>, seat: Seat) -> Result<Option<BestMoves<W>>, TableError> {
        let Some(moves) = self.truth.moves(position, seat)? else { return Ok(None) };
        let Some(&(_, highest)) = moves.first() else { return Ok(None) };
        let equals = moves.iter().take_while(|(_, value)| value.rank(seat) == highest.rank(seat));
        Ok(Some(BestMoves { moves: equals.map(|&(mv, _)| mv).collect(), decides: highest.winner.is_some() }))
    }

    /// Random plies from the start, the last of which do not end the game.
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

    /// An opening of a value by the tables, if one is found soon.
    fn valued_opening(
        &self,
        wanted: Option<Option<Side>>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Record<Hunt<W>>, TableError> {
        let mut record = self.opening(rng);
        for _ in 0..TRIES {
            let value = self.truth.value(record.position())?;
            let winner = value.map(|value| value.winner.map(|seat| self.game.side(seat)));
            if wanted.is_none() || winner == wanted {
                break;
            }
            record = self.opening(rng);
        }
        Ok(record)
    }
}

/// The best moves by the tables: at least one, all equally good.
struct BestMoves<W: Word> {
    moves: Vec<Move<W>>,
    /// Whether they win or lose, rather than draw.
    decides: bool,
}

impl<W: Word> BestMoves<W> {
    fn any(&self, rng: &mut ChaCha8Rng) -> Move<W> {
        self.moves[rng.random_range(0..self.moves.len())]
    }
}

/// A position of a game that tables do not know, with what the engine that moved there thought of it, in hundredths of a
/// piece from the geese side's point of view.
struct Thought<W: Word> {
    position: Position<W>,
    ply: usize,
    opinion: i16,
}

/// What an engine wants to play.
struct Choice<W: Word> {
    mv: Move<W>,
    /// For the one to move.
    opinion: i16,
    /// Positions from inside the search: the ends of its lines, and some that it evaluated.
    heard: Vec<Position<W>>,
}

/// A searcher that tells the positions that it has come across.
struct Engine<W: Word> {
    searcher: Box<dyn Searcher<Hunt<W>>>,
    listening: Listening<Hunt<W>, LearnedHuntEvaluator>,
    nodes: u64,
}

impl<W: Word> Engine<W> {
    fn new(player: &LearnPlayer, evaluator: &LearnedHuntEvaluator, heard: usize) -> Self {
        let listening = Listening::new(evaluator.clone(), player.nodes / heard.max(1) as u64);
        let searcher: Box<dyn Searcher<Hunt<W>>> = match player.searcher {
            LearnSearcher::Alphabeta => Box::new(AlphaBeta::new(listening.clone(), Default::default())),
            LearnSearcher::Mcts => Box::new(Mcts::new(listening.clone(), Default::default())),
        };
        Engine { searcher, listening, nodes: player.nodes }
    }

    /// Chooses among the legal moves, or those of `among` if there are some.
    fn choose(&mut self, game: &Hunt<W>, record: &Record<Hunt<W>>, among: &[Move<W>], seed: u64) -> Choice<W> {
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        let config = SearchConfig { hash_mib: HASH_MIB, seed, ..SearchConfig::default() };
        let control = Control::new(|| Duration::ZERO);
        let task = SearchTask { game, record, root_moves: among, limits, control: &control, config, tables: None };
        let (mut ends, mut score) = (Vec::new(), Score::DRAW);
        let answer = self.searcher.search(&task, &mut |info: &SearchInfo<Move<W>>| {
            score = info.lines.first().map_or(score, |line| line.score);
            for line in &info.lines {
                let play = |position: Position<W>, &mv: &Move<W>| game.play_unchecked(&position, mv);
                ends.push(line.pv.iter().fold(*record.position(), play));
            }
        });
        ends.extend(self.listening.take());
        ends.dedup();
        Choice { mv: answer.best, opinion: score.0 as i16, heard: ends }
    }
}
