//! Lines of perfect play for the reports.

use std::time::Duration;

use super::Judged;
use super::worth::Worth;
use crate::rules::{Game, Turn};
use crate::search::continuation::complete;
use crate::search::{Info, Line, Probing, Score, Task};

/// Longer lines are cut.
const LONGEST_LINE: usize = 24;

/// The judged moves of a root, best first, with the lines that follow them by the tables.
pub(super) struct Lines<'a, G: Game> {
    task: &'a Task<'a, G>,
    tables: &'a Probing<'a, G>,
    judged: &'a [Judged<G::Move>],
    /// By move, once asked for: a line takes many probes.
    known: Vec<Option<Vec<G::Move>>>,
}

impl<'a, G: Game> Lines<'a, G> {
    pub(super) fn new(task: &'a Task<'a, G>, tables: &'a Probing<'a, G>, judged: &'a [Judged<G::Move>]) -> Self {
        Lines { task, tables, judged, known: vec![None; judged.len()] }
    }

    /// The report of an answer that took no search.
    pub(super) fn at_once(&mut self, elapsed: Duration) -> Info<G::Move> {
        let lines: Vec<_> = (0..self.count()).filter_map(|index| self.line(index)).collect();
        Info {
            depth: 1,
            seldepth: lines.iter().map(|line| line.pv.len()).max().unwrap_or(1) as u32,
            nodes: self.judged.len() as u64,
            elapsed,
            hashfull: 0,
            tbhits: 0,
            lines,
            remark: None,
        }
    }

    /// A report of the search among the best moves, with the tables' values, and with the other moves behind.
    pub(super) fn retold(&mut self, info: &Info<G::Move>) -> Info<G::Move> {
        let mut lines: Vec<_> = info.lines.iter().filter_map(|line| self.with_opinion(line)).collect();
        for index in 0..self.judged.len() {
            let is_listed = lines.iter().any(|line| line.pv[0] == self.judged[index].0);
            if lines.len() < self.count() && !is_listed {
                lines.extend(self.line(index));
            }
        }
        Info { lines, ..info.clone() }
    }

    /// Lines that are wanted.
    fn count(&self) -> usize {
        self.task.config.multi_pv.clamp(1, self.judged.len())
    }

    /// The searcher's line with the tables' value, which only a proof of the same result outdoes.
    fn with_opinion(&mut self, searched: &Line<G::Move>) -> Option<Line<G::Move>> {
        let index = self.judged.iter().position(|&(mv, _)| mv == searched.pv[0])?;
        let worth = self.judged[index].1?;
        if searched.score.is_decided() && searched.score.0.signum() == worth.score().0.signum() {
            return Some(searched.clone());
        }
        Some(Line { visits: searched.visits, ..self.line(index)? })
    }

    /// `None` for a move that no table knows.
    fn line(&mut self, index: usize) -> Option<Line<G::Move>> {
        let (mv, worth) = self.judged[index];
        let worth = worth?;
        let pv = match self.known[index].take() {
            Some(pv) => pv,
            None => self.follow(mv, worth),
        };
        self.known[index] = Some(pv.clone());
        Some(Line { score: worth.score(), wdl: worth.wdl(), pv, visits: None })
    }

    /// Best play by the tables: up to the conversion, or to the reply where there is none to come.
    fn follow(&self, mv: G::Move, worth: Worth) -> Vec<G::Move> {
        let game = self.task.game;
        let (mut pv, mut position) = (vec![mv], *self.task.record.position());
        let mut is_told = worth.score() == Score::DRAW;
        loop {
            let last = pv[pv.len() - 1];
            is_told |= game.is_irreversible(&position, last);
            position = game.play_unchecked(&position, last);
            if is_told && pv.len() > 1 || pv.len() >= LONGEST_LINE {
                break;
            }
            let Some(next) = self.best_move(&position) else { break };
            pv.push(next);
        }
        complete(game, self.task.record, &mut pv, |_| None);
        pv
    }

    /// The best move by the tables, the history left aside; `None` at the end of the game or of what they know.
    fn best_move(&self, position: &G::Position) -> Option<G::Move> {
        let game = self.task.game;
        let seat = game.turn(position).seat()?;
        let mut moves = Vec::new();
        game.legal_moves(position, &mut moves);
        let mut best = None;
        for mv in moves {
            let after = game.play_unchecked(position, mv);
            let score = match game.turn(&after) {
                Turn::Over(outcome) => Score::of_outcome(outcome.winner, seat, 1),
                _ => {
                    let verdict = self.tables.probe(game, &after)?;
                    Score::of_verdict(verdict.before(game.is_irreversible(position, mv)), seat, 0)
                }
            };
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}
