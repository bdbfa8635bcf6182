//! Scores, and the chances of a win, a draw and a loss that go with them.
//!
//! | from 0 to | what it is |
//! |---|---|
//! | 20,000 | an opinion, in hundredths of a piece ([`MAX_EVALUATION`]) |
//! | 29,000 | a table says who wins, but not when the game ends: 29,000 less the plies to the next conversion |
//! | 32,000 | a proved result: 32,000 less the plies to the end |
//!
//! Losses have the same numbers below 0. No two bands touch, so that every score belongs to one.

use serde::{Deserialize, Serialize};

use crate::eval::MAX_EVALUATION;
use crate::rules::Seat;
use crate::tablebase::TableValue;

/// A value from the point of view of one seat: an opinion in hundredths of a piece, a result from a table with the
/// plies to conversion, or a proved result with the plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(pub i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// A win now; a win in n plies is n less.
    pub const WIN: Score = Score(32_000);
    /// A loss now; a loss in n plies is n more.
    pub const LOSS: Score = Score(-32_000);
    /// A number greater than every score.
    pub const INFINITE: Score = Score(32_767);
    /// The longest distance to a proved result, in plies.
    pub const MAX_PLIES: i32 = 2_000;

    /// A win by the tables with a conversion now; one with the conversion in n plies is n less.
    pub const TABLE_WIN: Score = Score(29_000);
    /// The longest distance to a conversion that scores tell apart, in plies.
    pub const MAX_CONVERSION_PLIES: u32 = 8_000;
    /// A number of plies greater than any search depth: stored scores are shifted by fewer plies.
    const MARGIN: i32 = 500;

    /// A win in `plies` plies: the sooner, the higher.
    pub fn win_in(plies: u32) -> Score {
        Score(Self::WIN.0 - (plies as i32).min(Self::MAX_PLIES))
    }

    /// A loss in `plies` plies: the later, the higher.
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// A win by the tables whose next conversion is `plies` plies away: the sooner, the higher.
    pub fn table_win_in(plies: u32) -> Score {
        Score(Self::TABLE_WIN.0 - plies.min(Self::MAX_CONVERSION_PLIES) as i32)
    }

    /// The score for `seat` of a table value, `plies` plies before the position that has it.
    pub fn of_verdict(verdict: TableValue, seat: Seat, plies: u32) -> Score {
        Score::table_win_in(plies.saturating_add(verdict.distance)).for_winner(verdict.winner, seat)
    }

    /// The score for `seat` of a finished game, `plies` plies before its end.
    pub fn of_outcome(winner: Option<Seat>, seat: Seat, plies: u32) -> Score {
        Score::win_in(plies).for_winner(winner, seat)
    }

    /// The score for `seat` if the winner's score is this one; a draw without a winner.
    fn for_winner(self, winner: Option<Seat>, seat: Seat) -> Score {
        match winner {
            None => Score::DRAW,
            Some(winner) if winner == seat => self,
            Some(_) => -self,
        }
    }

    /// Whether the score is a proved win or loss with its distance to the end.
    pub fn is_decided(self) -> bool {
        self.0.abs() >= Self::WIN.0 - Self::MAX_PLIES
    }

    /// Whether the score is no opinion but a win or loss, proved or known from a table.
    ///
    /// Scores next to the band of opinions count as opinions, because windows have edges there.
    pub fn is_certain(self) -> bool {
        self.0.abs() >= Self::TABLE_WIN.0 - Self::MAX_CONVERSION_PLIES as i32 - Self::MARGIN
    }

    /// Whether the score is a certain loss.
    pub fn is_loss(self) -> bool {
        self.is_certain() && self.0 < 0
    }

    /// Plies to the proved win (positive) or loss (negative or zero); `None` for an opinion or a result from a table.
    pub fn plies_to_end(self) -> Option<i32> {
        let plies = Self::WIN.0 - self.0.abs();
        self.is_decided().then_some(if self.0 > 0 { plies } else { -plies })
    }

    /// The `mate` number of the protocol: own moves to the win, or minus own moves to the loss.
    ///
    /// With one player all plies are own moves. Otherwise a win in n plies is `n / 2 + 1`: 1 only for a win with the
    /// next ply, and more than 1 is an estimate, since in some games a side may move twice in a row.
    pub fn mate_moves(self, seats: usize) -> Option<i32> {
        let plies = self.plies_to_end()?;
        if seats == 1 {
            return Some(plies);
        }
        Some(if self.0 > 0 { plies / 2 + 1 } else { plies / 2 - i32::from(plies % 2 != 0) })
    }

    /// Win, draw and loss chances in thousandths, from a logistic curve over an opinion or exact for a result.
    pub fn wdl(self) -> Wdl {
        if self.is_certain() {
            return if self.0 > 0 { Wdl([1000, 0, 0]) } else { Wdl([0, 0, 1000]) };
        }
        Wdl::from_win_rate(logistic(f64::from(self.0) / WDL_SCALE))
    }

    /// The nearest score that is an opinion.
    pub fn clamp_opinion(self) -> Score {
        Score(self.0.clamp(-MAX_EVALUATION, MAX_EVALUATION))
    }

    /// The chance of winning with this score, 0 to 1; exactly 0 or 1 only for a certain result.
    pub(super) fn chance(self) -> f64 {
        if self.is_certain() {
            return if self.0 > 0 { 1.0 } else { 0.0 };
        }
        let chance = CHANCES[self.0.unsigned_abs().min(STEEPEST as u32) as usize];
        if self.0 < 0 { 1.0 - chance } else { chance }
    }

    /// The opinion whose chance of winning is nearest to `chance`; certainty gives the steepest opinion.
    pub(super) fn of_chance(chance: f64) -> Score {
        let folded = chance.max(1.0 - chance);
        let above = CHANCES.partition_point(|&known| known < folded).min(STEEPEST as usize);
        let nearer = above > 0 && folded - CHANCES[above - 1] < CHANCES[above] - folded;
        let hundredths = above as i32 - i32::from(nearer);
        Score(if chance < 0.5 { -hundredths } else { hundredths })
    }

    /// The highest score whose chance is at most `bound`; a number below all scores if there is none.
    pub(super) fn with_chance_at_most(bound: f64) -> Score {
        match bound {
            _ if bound < 0.0 => -Score::INFINITE,
            _ if bound >= 1.0 => Score::INFINITE,
            _ if bound < Score(-STEEPEST).chance() => Score(-MAX_EVALUATION - 1),
            _ if bound >= Score(STEEPEST).chance() => Score(MAX_EVALUATION),
            _ => {
                let near = Score::of_chance(bound);
                if near.chance() <= bound { near } else { Score(near.0 - 1) }
            }
        }
    }

    /// The lowest score whose chance is at least `bound`; a number above all scores if there is none.
    pub(super) fn with_chance_at_least(bound: f64) -> Score {
        -Score::with_chance_at_most(1.0 - bound)
    }
}

/// The difference in hundredths of a piece that multiplies the odds of winning by e.
pub const WDL_SCALE: f64 = 150.0;

impl std::ops::Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Win, draw, loss in thousandths from the root player's point of view; the sum is 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl(pub [u16; 3]);

impl Wdl {
    /// These chances with draws removed: the expected result is the same.
    pub fn without_draws(self) -> Wdl {
        let [win, draw, _] = self.0;
        let win = win + draw.div_ceil(2);
        Wdl([win, 0, 1000 - win])
    }

    /// Chances for an expected result between 0 and 1: the part that is neither won nor lost outright counts as drawn.
    pub fn from_win_rate(rate: f64) -> Wdl {
        let rate = rate.clamp(0.0, 1.0);
        let win = (1000.0 * rate * rate).round() as u16;
        let loss = (1000.0 * (1.0 - rate) * (1.0 - rate)).round() as u16;
        Wdl([win, 1000 - win - loss, loss])
    }
}

/// The probability for log odds, which are in nats. Uses `libm`, so that all machines agree.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// The highest opinion whose chance differs noticeably from certainty.
pub(super) const STEEPEST: i32 = 1400;

/// Chances of winning by score, from 0 to the steepest opinion: the logistic curve behind [`Score::wdl`].
///
/// Hundredths of a piece cannot be averaged: a roll that wins the game and one that loses a piece have to be averaged
/// by their chances of winning.
pub(super) static CHANCES: [f64; STEEPEST as usize + 1] = {
    // Multiplication and division alone give the same bits on every machine, unlike a library's `exp`.
    let square = WDL_SCALE * WDL_SCALE;
    let step = 1.0 + 1.0 / WDL_SCALE + 0.5 / square + 1.0 / (6.0 * square * WDL_SCALE);
    let mut chances = [0.5; STEEPEST as usize + 1];
    let (mut odds, mut score) = (1.0, 0);
    while score < chances.len() {
        chances[score] = odds / (1.0 + odds);
        odds *= step;
        score += 1;
    }
    chances
};

/// Measured chances by score: wins and losses each on a logistic curve of the same slope, draws in between. All values
/// are in hundredths of a piece, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WdlModel {
    /// The score at which half of the games are won.
    pub won_from: f64,
    /// The score at which half of the games are lost, not above `won_from`.
    pub lost_below: f64,
    /// The difference in score that multiplies the odds by e, above 0.
    pub scale: f64,
}

impl WdlModel {
    /// Chances of a win, a draw and a loss for an opinion of this score; their sum is 1.
    pub fn chances(&self, score: i32) -> [f64; 3] {
        let score = f64::from(score);
        let win = logistic((score - self.won_from) / self.scale);
        let loss = logistic((self.lost_below - score) / self.scale);
        [win, (1.0 - win - loss).max(0.0), loss]
    }

    /// The same chances as the other side sees them.
    pub fn mirrored(self) -> WdlModel {
        WdlModel { won_from: -self.lost_below, lost_below: -self.won_from, ..self }
    }

    /// The chances for a score in thousandths; exact for a certain result.
    pub(crate) fn wdl(&self, score: Score) -> Wdl {
        if score.is_certain() {
            return score.wdl();
        }
        let [win, _, loss] = self.chances(score.0).map(|chance| (1000.0 * chance).round() as u16);
        Wdl([win, 1000_u16.saturating_sub(win + loss), loss])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_do_not_touch() {
        let longest = Score::table_win_in(u32::MAX);
        assert!(longest.is_certain() && !longest.is_decided() && Score(longest.0 - Score::MARGIN).is_certain());
        assert!(!Score(MAX_EVALUATION + 1).is_certain(), "the edge of a window around every opinion");
        assert!(Score::TABLE_WIN.0 < Score::win_in(u32::MAX).0 && Score::win_in(u32::MAX).is_decided());
        assert!(!Score(MAX_EVALUATION).is_certain() && !Score(-MAX_EVALUATION).is_loss());
        assert_eq!(
            (longest.mate_moves(2), longest.wdl(), (-longest).wdl()),
            (None, Wdl([1000, 0, 0]), Wdl([0, 0, 1000]))
        );
    }

    #[test]
    fn tables_are_read_from_both_sides() {
        let verdict = TableValue { winner: Some(Seat::P1), distance: 7 };
        assert_eq!(Score::of_verdict(verdict, Seat::P1, 2), Score::table_win_in(9));
        assert_eq!(Score::of_verdict(verdict, Seat::P2, 2), -Score::table_win_in(9));
        assert!(Score::table_win_in(3) > Score::table_win_in(4), "sooner is better");
        assert_eq!(Score::of_verdict(TableValue::DRAW, Seat::P1, 2), Score::DRAW);
    }

    #[test]
    fn scores_and_chances_are_two_sides_of_one_curve() {
        for opinion in -STEEPEST..=STEEPEST {
            assert_eq!(Score::of_chance(Score(opinion).chance()), Score(opinion));
        }
        assert_eq!((Score::win_in(9).chance(), Score::loss_in(9).chance()), (1.0, 0.0));
        assert_eq!(Score::of_chance(0.5), Score(0));
        assert!((Score(150).chance() - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-4);
    }

    #[test]
    fn floors_and_ceilings_enclose_a_chance() {
        for step in 1..1000 {
            let bound = f64::from(step) / 1000.0;
            let (below, above) = (Score::with_chance_at_most(bound), Score::with_chance_at_least(bound));
            assert!(below.chance() <= bound && Score(below.0 + 1).chance() > bound, "{bound}");
            assert!(above.chance() >= bound - 1e-12 && Score(above.0 - 1).chance() < bound, "{bound}");
        }
        assert_eq!(
            (Score::with_chance_at_most(-0.1), Score::with_chance_at_least(1.1)),
            (-Score::INFINITE, Score::INFINITE)
        );
        assert_eq!(
            Score::with_chance_at_most(0.0),
            Score(-MAX_EVALUATION - 1),
            "every proved loss is worth no more than nothing"
        );
        assert_eq!(Score::with_chance_at_least(1.0), Score(MAX_EVALUATION + 1));
    }

    const MODEL: WdlModel = WdlModel { won_from: 200.0, lost_below: -40.0, scale: 75.0 };

    #[test]
    fn half_of_the_games_are_won_and_lost_where_the_model_says() {
        assert_eq!((MODEL.wdl(Score(200)).0[0], MODEL.wdl(Score(-40)).0[2]), (500, 500));
        assert_eq!((MODEL.wdl(Score::win_in(3)), MODEL.wdl(Score::loss_in(3))), (Wdl([1000, 0, 0]), Wdl([0, 0, 1000])));
    }

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        for model in [MODEL, WdlModel { lost_below: 200.0, ..MODEL }] {
            for score in -20_000..20_000 {
                let [now, next] = [score, score + 1].map(|score| model.wdl(Score(score)).0);
                assert_eq!(now.iter().sum::<u16>(), 1000, "{score}");
                assert!(next[0] >= now[0] && next[2] <= now[2], "{score}");
            }
        }
    }
}
