//! The evaluation of the hunt family: by learned weights where the rules have some, else linear.
//!
//! The linear evaluation, in this file, is a weighted sum of `measures`; the weights are options. `pattern_model` says
//! which entries of a table of learned weights count in a position, `weights` reads and writes such tables and holds
//! those shipped with the program, and `learned` adds up the weights that count.

mod learned;
mod measures;
mod pattern_model;
mod weights;

pub use learned::{LearnedEvaluation, LearnedHuntEvaluator, Listener};
pub use pattern_model::{GroupKind, PatternModel};
pub use weights::{LearnedWeights, WeightsError};

use crate::eval::{Evaluator, Terms, named, parameters, total};
use crate::geometry::{PointSet, Word};
use crate::rules::Seat;
use crate::rules::hunt::{Hunt, Phase, Position, Side};

parameters! {
    /// Counts material, mobility of the fox side, gaps, advance and ties of the geese, and progress towards regions.
    ///
    /// The weights are in hundredths of a goose; each side's weights count from its own point of view.
    pub struct HuntEvaluator {
        /// Fox side: per step open to its pieces.
        fox_step: "EvalFoxStep" = 6, -200..=200;
        /// Fox side: per jump open to its pieces.
        fox_jump: "EvalFoxJump" = 37, -200..=400;
        /// Fox side: penalty for every open step that it has less than four a piece, squared.
        fox_cramped: "EvalFoxCramped" = 4, 0..=200;
        /// Fox side: per empty point that it can walk to.
        fox_reach: "EvalFoxReach" = 3, -100..=100;
        /// Fox side: per rank that such a point lies below the top.
        fox_reach_depth: "EvalFoxReachDepth" = 8, -100..=100;
        /// Fox side: per empty point that it can walk to by points onto which no goose can step.
        fox_safe_reach: "EvalFoxSafeReach" = 2, -100..=100;
        /// Fox side: per goose that a jump could take if a fox came next to it.
        fox_gap: "EvalFoxGap" = -3, -100..=200;
        /// Fox side: per such goose that a fox can walk up to.
        fox_reachable_gap: "EvalFoxReachableGap" = 31, -100..=200;
        /// Fox side: per rank nearer to its goal, where reaching the lowest rank wins.
        fox_home: "EvalFoxHome" = 20, 0..=500;
        /// Geese side: added always. It makes the geese, who win most of these games with best play, shun draws.
        balance: "EvalBalance" = 567, -2000..=2000;
        /// Geese side: per goose more than at the start.
        goose: "EvalGoose" = 100, 0..=1000;
        /// Geese side: per rank that a goose has advanced.
        goose_advance: "EvalGooseAdvance" = -2, -100..=100;
        /// Geese side: penalty per goose above all foxes, where geese never go back.
        goose_stranded: "EvalGooseStranded" = 13, -100..=400;
        /// Geese side: per line that joins two geese.
        goose_tie: "EvalGooseTie" = 4, -100..=100;
        /// Geese side: per step open to its pieces.
        goose_step: "EvalGooseStep" = 6, -100..=100;
        /// Geese side: per goose inside the fortress, and per fox inside the pen.
        goose_fortress: "EvalGooseFortress" = 60, -500..=500;
    }
}

impl HuntEvaluator {
    /// The terms by name, from the geese side's point of view.
    #[inline(always)]
    fn terms<W: Word>(&self, game: &Hunt<W>, position: &Position<W>) -> [(&'static str, i32); 15] {
        let foxes = position.foxes();
        let empty = game.empty(position);
        let (steps, jumps) = measures::fox_steps_and_jumps(game, position);
        let (goose_steps, targets) = measures::goose_steps(game, position);
        let safe = measures::reach(game, foxes, empty - targets, PointSet::EMPTY);
        let reached = measures::reach(game, foxes, empty, safe);
        let (gaps, reachable_gaps) = measures::gaps(game, position, reached);
        let cramped = (4 * foxes.len() as i32 - (steps + jumps) as i32).max(0);
        let count = |set: PointSet<W>| set.len() as i32;
        [
            ("balance", self.balance),
            ("material", self.goose * (game.geese_left(position) as i32 - game.army as i32)),
            ("fox steps", -self.fox_step * steps as i32),
            ("fox jumps", -self.fox_jump * jumps as i32),
            ("fox cramped", self.fox_cramped * cramped * cramped),
            ("fox reach", -self.fox_reach * count(reached)),
            ("fox reach depth", -self.fox_reach_depth * measures::depth_sum(game, reached) as i32),
            ("fox safe reach", -self.fox_safe_reach * count(safe)),
            ("gaps", -self.fox_gap * gaps as i32 - self.fox_reachable_gap * reachable_gaps as i32),
            ("goose advance", times(self.goose_advance, || measures::goose_advance(game, position))),
            ("goose stranded", -self.goose_stranded * measures::stranded_geese(game, position) as i32),
            ("goose ties", self.goose_tie * measures::goose_ties(game, position) as i32),
            ("goose steps", self.goose_step * goose_steps as i32),
            ("regions", self.regions(game, position)),
            ("owed", self.owed(game, position)),
        ]
    }

    /// Progress towards filling the fortress, shutting the pen and reaching the foxes' goal, from the geese side's point
    /// of view.
    #[inline]
    fn regions<W: Word>(&self, game: &Hunt<W>, position: &Position<W>) -> i32 {
        if !game.has_region_goal {
            return 0;
        }
        let geometry = game.geometry();
        let inside = (position.geese() & geometry.fortress | position.foxes() & geometry.pen).len() as i32;
        self.goose_fortress * inside - times(self.fox_home, || measures::nearness_to_goal(game, position) as i32)
    }

    /// The worth of a goose that the geese side may put on the board, or a fox that it may take off, after a missed
    /// jump, or of the geese that the fox side takes off before the game.
    fn owed<W: Word>(&self, game: &Hunt<W>, position: &Position<W>) -> i32 {
        match (position.phase, position.turn) {
            (Phase::Drop, _) => self.goose,
            (Phase::Remove, Side::Geese) => 3 * self.goose,
            (Phase::Remove, Side::Fox) => -self.goose * game.still_to_remove(position) as i32,
            (Phase::Normal | Phase::Place, _) => 0,
        }
    }
}

/// A count times its weight; the count is not taken where the weight is 0.
#[inline]
fn times(weight: i32, count: impl FnOnce() -> i32) -> i32 {
    if weight == 0 { 0 } else { weight * count() }
}

impl<W: Word> Evaluator<Hunt<W>> for HuntEvaluator {
    fn evaluate(&self, game: &Hunt<W>, position: &Position<W>, seat: Seat) -> i32 {
        let value = total(self.terms(game, position));
        if game.side(seat) == Side::Geese { value } else { -value }
    }

    fn explain(&self, game: &Hunt<W>, position: &Position<W>) -> Terms {
        let sign = if game.side(Seat::P1) == Side::Geese { 1 } else { -1 };
        named(self.terms(game, position).map(|(name, value)| (name, sign * value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::hunt::Ruleset;

    /// A term from the geese side's point of view.
    fn term(game: &Hunt<u64>, position: &Position<u64>, wanted: &str) -> i32 {
        let terms = HuntEvaluator::default().terms(game, position);
        terms.iter().find(|(name, _)| *name == wanted).map(|&(_, value)| value).expect(wanted)
    }

    fn game(name: &str) -> Hunt<u64> {
        Hunt::new(&Ruleset::from_catalog(name, &[]).expect(name))
    }

    #[test]
    fn pens_and_steps_between_geese_count() {
        let game = game("juroku-musashi");
        let points = |names: &str| names.split(' ').filter_map(|name| game.board().parse(name)).collect();
        for (fox, geese, name, value) in [
            ("c7", "a1 e1", "regions", 60),
            ("c4", "a1 e1", "regions", 0),
            ("c4", "b3 d3", "fox jumps", -37),
            ("c4", "b3 e1", "fox jumps", 0),
        ] {
            let position = Position::new(points(fox), points(geese), Side::Geese);
            assert_eq!(term(&game, &position, name), value, "{fox} against {geese}");
        }
    }

    #[test]
    fn geese_of_the_opening_are_owed_to_the_fox_side() {
        let game = game("rimau");
        let mut position = game.start();
        for owed in [-300, -200, -100, 0] {
            assert_eq!(term(&game, &position, "owed"), owed);
            let mut moves = Vec::new();
            game.legal_moves(&position, &mut moves);
            position = game.play_unchecked(&position, moves[0]);
        }
    }
}
