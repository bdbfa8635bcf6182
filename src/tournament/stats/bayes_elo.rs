//! The BayesElo scale of Coulom: wins and losses by logistic curves that a draw term moves apart.

use super::elo::ELO_PER_LOGIT;
use super::generalised::llr_of_scores;
use super::sample::Trinomial;

/// The generalised log-likelihood ratio of two mean scores that are given in BayesElo; the draw term is the sample's.
/// `None` unless both players have won.
pub fn bayesian_llr(sample: &Trinomial, belo0: f64, belo1: f64) -> Option<f64> {
    let draw_elo = draw_elo(sample)?;
    let score = |belo: f64| Probabilities::at(belo, draw_elo).score();
    llr_of_scores(sample, score(belo0), score(belo1))
}

/// The log-likelihood ratio of two BayesElo differences with the sample's draw term for both, as SPRTs were computed
/// before the generalised ratio. `None` unless both players have won.
pub fn classic_llr(sample: &Trinomial, belo0: f64, belo1: f64) -> Option<f64> {
    let draw_elo = draw_elo(sample)?;
    let [old, new] = [belo0, belo1].map(|belo| Probabilities::at(belo, draw_elo));
    let term = |count: u64, old: f64, new: f64| if count == 0 { 0.0 } else { count as f64 * (new / old).ln() };
    let llr = term(sample.wins, old.win, new.win)
        + term(sample.draws, old.draw(), new.draw())
        + term(sample.losses, old.loss, new.loss);
    Some(llr).filter(|llr| llr.is_finite())
}

/// The draw term that fits a sample exactly.
fn draw_elo(sample: &Trinomial) -> Option<f64> {
    let Trinomial { losses, draws, wins } = *sample;
    if wins == 0 || losses == 0 {
        return None;
    }
    let odds_against = |count: u64, others: u64| ((others as f64 + draws as f64) / count as f64).ln();
    Some(ELO_PER_LOGIT * (odds_against(wins, losses) + odds_against(losses, wins)) / 2.0)
}

/// The chances of a game.
struct Probabilities {
    win: f64,
    loss: f64,
}

impl Probabilities {
    fn at(belo: f64, draw_elo: f64) -> Self {
        let logistic = |elo: f64| 1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp());
        Probabilities { win: logistic(belo - draw_elo), loss: logistic(-belo - draw_elo) }
    }

    fn draw(&self) -> f64 {
        1.0 - self.win - self.loss
    }

    fn score(&self) -> f64 {
        0.5 + (self.win - self.loss) / 2.0
    }
}
