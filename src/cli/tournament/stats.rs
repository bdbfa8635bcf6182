//! `reynard tournament stats`: Elo, likelihood ratios and test decisions from counts of results.

use std::io::{self, Write};

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::exit::{Status, UsageError};
use crate::tournament::report::number;
use crate::tournament::spec::SprtModel;
use crate::tournament::stats::{
    Estimate, Pentanomial, Sample, SprtBounds, SprtDecision, Trinomial, bayesian_llr, estimate, llr,
};

/// Compute Elo, normalised Elo, their 95 % errors, the likelihood of superiority and, given two hypotheses, the
/// log-likelihood ratio of a sequential test.
///
/// All figures are from the point of view of the player whose wins and losses are counted. A figure that does not
/// exist, such as the Elo of a perfect score, is `n/a` (null in JSON); the bounds after Wilson always exist.
#[derive(Args)]
#[command(group = ArgGroup::new("counts").required(true).args(["wdl", "pairs"]), after_help = EXAMPLES)]
pub(super) struct StatsArgs {
    /// Games won, drawn and lost
    #[arg(long, num_args = 1.., value_names = ["W", "D", "L"])]
    wdl: Option<Vec<u64>>,
    /// Pairs of games from the same opening by the points that they brought, 0, 1/2, 1, 3/2 and 2: the five counts of
    /// Ptnml(0-2) at the end of a run
    #[arg(long, num_args = 1.., value_names = ["LL", "LD", "DD+WL", "WD", "WW"])]
    pairs: Option<Vec<u64>>,
    /// The null hypothesis, Elo
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, requires = "elo1")]
    elo0: Option<f64>,
    /// The alternative hypothesis, Elo
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, requires = "elo0")]
    elo1: Option<f64>,
    /// Chance of accepting elo1 where elo0 is true
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05)]
    alpha: f64,
    /// Chance of accepting elo0 where elo1 is true
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05)]
    beta: f64,
    /// In what elo0 and elo1 are measured
    #[arg(long, value_enum, default_value_t = Model::Normalized)]
    model: Model,
    /// Print one line of JSON: score, elo, elo_error, nelo, nelo_error, los, llr, lower, upper, wilson_low, wilson_high
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  reynard tournament stats --wdl 136 111 96
  reynard tournament stats --pairs 34 54 63 64 75 --elo0 0 --elo1 10 --model logistic";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Elo by the score alone
    Logistic,
    /// Normalised Elo, which needs the same number of games whatever the share of draws
    Normalized,
    /// BayesElo, for games that are counted one by one
    Bayesian,
}

impl Model {
    /// The model of a sequential test; `None` for BayesElo, in which none can be set.
    fn of_test(self) -> Option<SprtModel> {
        match self {
            Model::Logistic => Some(SprtModel::Logistic),
            Model::Normalized => Some(SprtModel::Normalized),
            Model::Bayesian => None,
        }
    }
}

/// What was found.
struct Figures {
    estimate: Estimate,
    pair_ratio: Option<f64>,
    llr: Option<f64>,
    /// Of the test, if there is one.
    bounds: Option<SprtBounds>,
}

pub(super) fn run(args: &StatsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let figures = args.find()?;
    if args.json {
        writeln!(out, "{}", figures.json())?
    } else {
        figures.print(out)?
    }
    Ok(Status::Done)
}

/// Sums of counts stay far below what an integer holds.
const MOST: u64 = 1_000_000_000_000_000;

impl StatsArgs {
    fn find(&self) -> Result<Figures, UsageError> {
        let counts = self.wdl.as_deref().or(self.pairs.as_deref()).unwrap_or_default();
        if let Some(count) = counts.iter().find(|&&count| count > MOST) {
            return Err(UsageError(format!("{count} is too many; at most {MOST} can be counted")));
        }
        match (counts, self.wdl.is_some(), self.model.of_test()) {
            (&[wins, draws, losses], true, model) => {
                let games = Trinomial { wins, draws, losses };
                self.figures(&games, None, |elo0, elo1| match model {
                    Some(model) => llr(&games, elo0, elo1, model),
                    None => bayesian_llr(&games, elo0, elo1),
                })
            }
            (&[_, _, _, _, _], false, None) => {
                Err(UsageError("--model bayesian counts games, not pairs; give --wdl".to_owned()))
            }
            (&[ll, ld, level, wd, ww], false, Some(model)) => {
                let pairs = Pentanomial([ll, ld, level, wd, ww]);
                self.figures(&pairs, pairs.pair_ratio(), |elo0, elo1| llr(&pairs, elo0, elo1, model))
            }
            _ => Err(UsageError("expected --wdl with three counts or --pairs with five".to_owned())),
        }
    }

    fn figures(
        &self,
        sample: &impl Sample,
        pair_ratio: Option<f64>,
        llr: impl Fn(f64, f64) -> Option<f64>,
    ) -> Result<Figures, UsageError> {
        let hypotheses = self.hypotheses()?;
        Ok(Figures {
            estimate: estimate(sample).with_known_errors(),
            pair_ratio,
            llr: hypotheses.and_then(|(elo0, elo1)| llr(elo0, elo1)),
            bounds: hypotheses.map(|_| SprtBounds::new(self.alpha, self.beta)),
        })
    }

    fn hypotheses(&self) -> Result<Option<(f64, f64)>, UsageError> {
        for (name, chance) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(chance > 0.0 && chance < 1.0) {
                return Err(UsageError(format!("--{name} {chance}: a chance between 0 and 1 is expected")));
            }
        }
        if self.alpha + self.beta >= 1.0 {
            return Err(UsageError("--alpha and --beta must add up to less than 1".to_owned()));
        }
        let Some((elo0, elo1)) = self.elo0.zip(self.elo1) else { return Ok(None) };
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !elo.is_finite() {
                return Err(UsageError(format!("--{name} {elo}: a finite number is expected")));
            }
        }
        if elo0 >= elo1 {
            return Err(UsageError(format!("--elo0 {elo0} must be below --elo1 {elo1}")));
        }
        Ok(Some((elo0, elo1)))
    }
}

impl Figures {
    fn json(&self) -> Value {
        let Estimate { score, elo, elo_error, nelo, nelo_error, los, wilson_low, wilson_high, .. } = self.estimate;
        json!({
            "score": score,
            "elo": elo,
            "elo_error": elo_error,
            "nelo": nelo,
            "nelo_error": nelo_error,
            "los": los,
            "llr": self.llr,
            "lower": self.bounds.map(|bounds| bounds.lower),
            "upper": self.bounds.map(|bounds| bounds.upper),
            "wilson_low": wilson_low,
            "wilson_high": wilson_high,
        })
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let found = &self.estimate;
        writeln!(out, "Games:      {}", found.games)?;
        let [score, low, high] = [found.score, found.wilson_low, found.wilson_high].map(|share| number(share, 4));
        writeln!(out, "Score:      {score}  (95 % after Wilson: {low} to {high})")?;
        writeln!(out, "Elo:        {} +/- {}", number(found.elo, 2), number(found.elo_error, 2))?;
        writeln!(out, "nElo:       {} +/- {}", number(found.nelo, 2), number(found.nelo_error, 2))?;
        writeln!(out, "LOS:        {} %", number(found.los.map(|los| 100.0 * los), 2))?;
        if self.pair_ratio.is_some() {
            writeln!(out, "Pair ratio: {}", number(self.pair_ratio, 2))?;
        }
        if let Some(bounds) = self.bounds {
            let decision = match self.llr.and_then(|llr| bounds.decide(llr)) {
                Some(SprtDecision::H0) => "elo0 is accepted",
                Some(SprtDecision::H1) => "elo1 is accepted",
                None => "undecided",
            };
            let (llr, lower, upper) = (number(self.llr, 3), bounds.lower, bounds.upper);
            writeln!(out, "LLR:        {llr}  (bounds {lower:.3} and {upper:.3}): {decision}")?;
        }
        Ok(())
    }
}
