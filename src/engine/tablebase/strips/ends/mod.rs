//! The fast method with distances to the end of the game, for one fox.
//!
//! The rounds are those of distances to conversion. What lies behind a move that cannot be undone is replayed to them:
//! a level above by the news of its own rounds, and the layer below by how the game ends after the best jump.

mod code;
mod cost;
mod jumps;
mod landings;

use std::io;

use code::EndCode;
use jumps::{best_jumps, jump_news};
use landings::EndLandings;

use super::finished::read_rows;
use super::foxes::Foxes;
use super::layer::{LayerPatterns, Level, Strip, by_strip};
use super::layout::LAYOUT;
use super::level::Goal;
use super::news::StripNews;
use super::one_fox::OneFox;
use super::outside::{LevelAbove, Outside};
use super::round_progress::RoundProgress;
use super::rounds::solve;
use super::strip_game::{LayerOutput, StripGame};
use crate::geometry::{Word, singles};
use crate::parallel;
use crate::rules::hunt::{Hunt, Side};
use crate::tablebase::{LayerCost, LayerSolver, NewLayer, Store, TableError};

/// Ends of the game that a thread takes at a time.
const CODES: usize = 1 << 16;

/// The method for games of one fox.
pub(super) struct EndSolver {
    game: StripGame<OneFox>,
    /// How the game ends after a jump into the last layer that was solved or read.
    landings: Option<EndLandings>,
}

impl EndSolver {
    /// `None` when the ruleset needs the general method. `last_wanted` is the greatest layer that will be solved.
    pub(super) fn new<W: Word>(game: &Hunt<W>, last_wanted: u32) -> Option<Self> {
        Some(EndSolver { game: StripGame::new(game, last_wanted)?, landings: None })
    }

    /// Has the ends of the game after jumps from a layer at hand, reading the finished layers if need be.
    fn prepare(&mut self, layer: u32, below: &Store) -> Result<(), TableError> {
        if !self.game.is_looked_up(layer - 1) {
            self.landings = None;
            return Ok(());
        }
        if self.landings.as_ref().is_some_and(|known| known.layer.geese + 1 == layer) {
            return Ok(());
        }
        self.landings = None;
        for geese in self.game.first_reread(layer)..layer {
            self.landings = Some(self.reread(geese, below)?);
        }
        Ok(())
    }

    /// The ends of the game after jumps into a finished layer, those of the layer below it being at hand.
    fn reread(&self, geese: u32, store: &Store) -> Result<EndLandings, TableError> {
        let file = store.needed(geese)?;
        let patterns = self.game.patterns(geese);
        let mut landings = EndLandings::new(self.game.patterns(geese));
        for (number, level) in patterns.levels.iter().enumerate() {
            let strips = patterns.strips(&self.game.numbering, level);
            let mut ends = Vec::with_capacity(level.patterns * self.columns(geese));
            for (piece, numbers) in (level.first_piece..).zip(patterns.pieces_of(level)) {
                let rows = strips[numbers].iter().map(|strip| strip.length).sum();
                let entries = read_rows(&self.game.foxes, geese, rows, file, piece)?;
                ends.extend(entries.into_iter().map(EndCode::of));
            }
            if self.game.foxes.rules().chain {
                self.land(&mut ends, &self.best_jumps(level, &strips, geese)?);
            }
            landings.keep(number, &ends).map_err(refused)?;
        }
        Ok(landings)
    }

    /// The ends of the game after the best jumps from a level of a layer with so many geese.
    fn best_jumps(&self, level: &Level, strips: &[Strip], geese: u32) -> Result<Vec<EndCode>, TableError> {
        let below = self.landings.as_ref().filter(|known| known.layer.geese + 1 == geese);
        best_jumps(&self.game, level, strips, self.columns(geese), below).map_err(refused)
    }

    /// Turns the ends of the game when a fox stops into those when it has landed, and may or must jump on.
    fn land(&self, ends: &mut [EndCode], best: &[EndCode]) {
        let forced = self.game.foxes.rules().forced_chain;
        parallel::for_each(ends.chunks_mut(CODES).zip(best.chunks(CODES)), |(ends, best)| {
            for (end, &best) in ends.iter_mut().zip(best) {
                *end = if forced && best != EndCode::NO_JUMP { best } else { best.min(*end) };
            }
        });
    }

    /// How the game ends from the patterns of a level, the fox stopping on any empty point, with the geese to move.
    fn stopped(&self, strips: &[Strip], geese: u32, news: &[Vec<StripNews>]) -> io::Result<Vec<EndCode>> {
        let (columns, all) = (self.columns(geese), self.game.foxes.rules().all);
        let patterns = strips.iter().map(|strip| strip.length).sum::<usize>();
        let mut ends = vec![EndCode::DRAW; patterns * columns];
        let strips = strips.iter().zip(by_strip(strips, columns, &mut ends)).enumerate();
        parallel::try_map(strips, |(number, (strip, ends))| {
            let tails = &self.game.numbering.tail_groups[strip.tails as usize].tails;
            Goal::BOTH.into_iter().zip(news).try_for_each(|(goal, news)| {
                news[number].visit(|round, turn, row, word| {
                    if turn == Side::Geese {
                        let empty = all & !(strip.head | tails[row]);
                        let places = singles(word).map(|fox| row * columns + OneFox::column(empty, fox) as usize);
                        places.for_each(|place| ends[place] = EndCode::won(goal.winner(), round));
                    }
                })
            })
        })?;
        Ok(ends)
    }

    fn columns(&self, geese: u32) -> usize {
        self.game.foxes.columns_beside(geese) as usize
    }

    fn solve_layer(
        &mut self,
        NewLayer { geese, writer, summary }: &mut NewLayer,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let (geese, patterns) = (*geese, self.game.patterns(*geese));
        self.game.check_wanted(geese)?;
        self.prepare(geese, below)?;
        let mut landings = self.game.is_looked_up(geese).then(|| EndLandings::new(self.game.patterns(geese)));
        let mut output = LayerOutput::new(writer);
        let mut above: Option<(Vec<Strip>, Vec<Vec<StripNews>>)> = None;
        for (number, level) in patterns.levels.iter().enumerate() {
            let strips = patterns.strips(&self.game.numbering, level);
            let best = self.best_jumps(level, &strips, geese)?;
            let news = self.solve_level(&patterns, number, &strips, &best, above.take(), progress)?;
            if let Some(landings) = &mut landings {
                let mut ends = self.stopped(&strips, geese, &news).map_err(refused)?;
                if self.game.foxes.rules().chain {
                    self.land(&mut ends, &best);
                }
                landings.keep(number, &ends).map_err(refused)?;
            }
            drop(best);
            self.game.write((&patterns, level), &strips, &news, &mut output)?;
            above = (!self.game.foxes.rules().onward.is_empty()).then(|| {
                let fox_to_move = |news: Vec<StripNews>| news.iter().map(|news| news.of_side(Side::Fox)).collect();
                (strips, news.into_iter().map(fox_to_move).collect())
            });
        }
        *summary = self.game.summary(output);
        self.landings = landings;
        Ok(())
    }

    /// The news of a level, by goal and strip; `above` are those of the level above with the fox side to move.
    fn solve_level(
        &self,
        layer: &LayerPatterns,
        level: usize,
        strips: &[Strip],
        best: &[EndCode],
        above: Option<(Vec<Strip>, Vec<Vec<StripNews>>)>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Vec<StripNews>>, TableError> {
        let inputs = self.game.inputs(layer, level, strips);
        let columns = self.columns(layer.geese);
        let of_goal = |goal: Goal| {
            let jumps = jump_news(&self.game, strips, columns, best, goal).map_err(refused)?;
            let above = above.as_ref().map(|(strips, news)| LevelAbove { strips, news: &news[goal as usize] });
            let mut outside = Outside::by_round(&inputs, goal, &jumps, above);
            let tell = RoundProgress::new(self.game.positions_of(layer, strips) / 2, progress);
            let solved = solve(&inputs, goal, &mut outside, &|| tell.round())?;
            tell.end();
            Ok(solved.news)
        };
        Goal::BOTH.into_iter().map(of_goal).collect()
    }
}

fn refused(error: io::Error) -> TableError {
    TableError::Refused(error.to_string())
}

impl LayerSolver for EndSolver {
    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn first_layer(&self) -> u32 {
        self.game.first_layer()
    }

    fn last_layer(&self) -> u32 {
        self.game.last_layer()
    }

    fn cost(&self, layer: u32) -> LayerCost {
        self.layer_cost(layer)
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        layers.iter_mut().try_for_each(|layer| self.solve_layer(layer, below, progress))
    }
}
