//! Chances that go with a score, as games have shown them.

use serde::{Deserialize, Serialize};

use super::score::{Score, Wdl, logistic};

/// How games end after a score: wins and losses each on a logistic curve of the same slope, draws in between. All in
/// hundredths of a piece, from the point of view of the one to move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WdlModel {
    /// The score with which half of the games are won.
    pub won_from: f64,
    /// The score with which half of the games are lost, not above `won_from`.
    pub lost_below: f64,
    /// What multiplies the odds by e, above 0.
    pub scale: f64,
}

impl WdlModel {
    /// Chances of a win, a draw and a loss with an opinion of this score; their sum is 1.
    pub fn chances(&self, score: i32) -> [f64; 3] {
        let score = f64::from(score);
        let win = logistic((score - self.won_from) / self.scale);
        let loss = logistic((self.lost_below - score) / self.scale);
        [win, (1.0 - win - loss).max(0.0), loss]
    }

    /// The chances in thousandths; exact for a certain result.
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
