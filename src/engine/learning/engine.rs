//! The engine that plays the games of a round.

use std::sync::Arc;
use std::time::Duration;

use super::spec::{LearnPlayer, LearnSearcher};
use crate::eval::{LearnedHuntEvaluator, Listener};
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position};
use crate::rules::{Game, Record};
use crate::search::alphabeta::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::{Control, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher};

const HASH_MIB: usize = 16;

/// What an engine wants to play.
pub(super) struct Choice<W: Word> {
    pub mv: Move<W>,
    /// For the one to move.
    pub opinion: i16,
    /// Positions from inside the search: the ends of its lines, and some that it evaluated.
    pub heard: Vec<Position<W>>,
}

/// A searcher that tells the positions that it has come across.
pub(super) struct Engine<W: Word> {
    searcher: Box<dyn Searcher<Hunt<W>>>,
    listener: Arc<Listener>,
    nodes: u64,
}

impl<W: Word> Engine<W> {
    pub(super) fn new(player: &LearnPlayer, evaluator: &LearnedHuntEvaluator, heard: usize) -> Self {
        let listener = Arc::new(Listener::new(player.nodes / heard.max(1) as u64));
        let evaluator = evaluator.heard_by(Arc::clone(&listener));
        let searcher: Box<dyn Searcher<Hunt<W>>> = match player.searcher {
            LearnSearcher::Alphabeta => Box::new(AlphaBeta::new(evaluator, Default::default())),
            LearnSearcher::Mcts => Box::new(Mcts::new(evaluator, Default::default())),
        };
        Engine { searcher, listener, nodes: player.nodes }
    }

    /// Chooses among the legal moves, or those of `among` if there are some.
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
        let (mut ends, mut score) = (Vec::new(), Score::DRAW);
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
