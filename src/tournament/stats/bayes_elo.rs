//! The BayesElo scale of Coulom: wins and losses by logistic curves that a draw term moves apart.

use super::elo::ELO_PER_LOGIT;
use super::generalised::llr_of_scores;
use super::sample::Trinomial;

/// The generalised log-likelihood ratio of two mean scores that are given in BayesElo; the draw term is the sample's.
/// `None` unless both players have won.
pub fn bayesian_llr(sample: &Trinomial, belo0: f64, belo1: f64) -> Option<f64> {
    let draw_elo = draw_elo(sample)?;
    let logistic = |elo: f64| 1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp());
    let score = |belo: f64| {
        let win = logistic(belo - draw_elo);
        let loss = logistic(-belo - draw_elo);
        0.5 + (win - loss) / 2.0
    };
    llr_of_scores(sample, score(belo0), score(belo1))
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
