//! Calibration: whether games ended as the engines' scores forecast.
//!
//! Every score that is an opinion is a forecast: by a curve it stands for chances of a win, a draw and a loss.
//! [`forecasts`] gathers the scores with the results, [`fit()`] finds the curve under which the results are the most
//! likely, and [`reliability`] sets forecasts against results.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use reynard_engine::eval::MAX_EVALUATION;
use reynard_engine::search::{Score, WdlModel};
use serde::Serialize;

use super::journal::JournalError;
use super::record::{Cause, EngineScore, FinishedGame, GameRecord};
use super::stats::Z95;

/// Who gives scores: an engine on a seat of a ruleset, all by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Forecaster {
    pub engine: usize,
    pub ruleset: usize,
    pub seat: u8,
}

/// The scores that one forecaster gave in a game, and how it ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Forecasts {
    /// The number of the opening in the ruleset's book.
    pub opening: u64,
    /// Opinions in hundredths of a piece, without what was proved.
    pub scores: Vec<i32>,
    /// For the forecaster: 0 won, 1 drawn, 2 lost.
    pub result: usize,
}

impl Forecasts {
    /// The same as the other side would have given them.
    pub(crate) fn mirrored(self) -> Forecasts {
        let scores = self.scores.into_iter().map(|score| -score).collect();
        Forecasts { scores, result: 2 - self.result, ..self }
    }

    /// Whether the game is kept from fits, to judge them by. All games from one opening are, or none.
    pub(crate) fn is_held_out(&self) -> bool {
        !self.opening.is_multiple_of(2)
    }
}

/// All forecasts of the games of an archive, in their order. Games that were forfeited, or ended by the engines' own
/// scores, prove nothing.
///
/// # Errors
/// A game cannot be read.
pub(crate) fn forecasts(
    games: impl IntoIterator<Item = Result<FinishedGame, JournalError>>,
) -> Result<BTreeMap<Forecaster, Vec<Forecasts>>, JournalError> {
    let mut found: BTreeMap<Forecaster, Vec<Forecasts>> = BTreeMap::new();
    for game in games {
        let record = game?.record;
        let proves =
            !matches!(record.ending.cause, Cause::Forfeit(_) | Cause::DrawAdjudication | Cause::ResignAdjudication);
        if !proves {
            continue;
        }
        for (seat, engine) in record.fixture.seats.into_iter().enumerate() {
            let forecasts = of_seat(&record, seat);
            let forecaster = Forecaster { engine, ruleset: record.fixture.ruleset, seat: seat as u8 };
            found.entry(forecaster).or_default().extend(Some(forecasts).filter(|given| !given.scores.is_empty()));
        }
    }
    Ok(found)
}

fn of_seat(record: &GameRecord, seat: usize) -> Forecasts {
    let opinion = |index: usize| match record.moves[index].opinion().score {
        Some(EngineScore::Centipieces(score)) if score.abs() <= MAX_EVALUATION => Some(score),
        _ => None,
    };
    Forecasts {
        opening: record.fixture.opening,
        scores: record.moves_of(seat).filter_map(opinion).collect(),
        result: usize::from(2 - record.half_points(seat)),
    }
}

/// Forecasts of about the same expectation, and what came of them. Points are those of the forecaster, a draw being
/// half a point.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(crate) struct ReliabilityBin {
    /// Positions, and games that they come from.
    pub positions: u64,
    pub games: u64,
    /// Mean forecast chances of a win, a draw and a loss.
    pub predicted: [f64; 3],
    /// Parts of the positions that were won, drawn and lost in the end.
    pub observed: [f64; 3],
}

impl ReliabilityBin {
    /// Half of the 95 % interval of the observed points, a game counting once however many of its positions are here.
    pub(crate) fn error(&self) -> f64 {
        let points = points(self.observed);
        let variance = self.observed[0] + self.observed[1] / 4.0 - points * points;
        Z95 * (variance.max(0.0) / self.games.max(1) as f64).sqrt()
    }
}

/// What chances are worth.
pub(crate) fn points([win, draw, _]: [f64; 3]) -> f64 {
    win + draw / 2.0
}

/// Bins of equal width by forecast points.
pub(crate) const BINS: usize = 10;

/// Forecasts by the points that the chances of their scores are worth, each game with how its scores are read.
pub(crate) fn reliability<'a, C: Fn(i32) -> [f64; 3]>(
    games: impl IntoIterator<Item = (&'a Forecasts, C)>,
) -> [ReliabilityBin; BINS] {
    let mut bins = [ReliabilityBin::default(); BINS];
    for (game, chances) in games {
        let mut met = [false; BINS];
        for &score in &game.scores {
            let forecast = chances(score);
            let place = ((points(forecast) * BINS as f64) as usize).min(BINS - 1);
            let bin = &mut bins[place];
            bin.positions += 1;
            bin.games += u64::from(!std::mem::replace(&mut met[place], true));
            (0..3).for_each(|result| bin.predicted[result] += forecast[result]);
            bin.observed[game.result] += 1.0;
        }
    }
    for bin in &mut bins {
        let positions = bin.positions.max(1) as f64;
        [&mut bin.predicted, &mut bin.observed].into_iter().flatten().for_each(|sum| *sum /= positions);
    }
    bins
}

/// What a forecast costs on average: minus the logarithm to base e of the chance that was given to what came. Ln 3,
/// about 1.099, is that of knowing nothing; `None` without forecasts.
pub(crate) fn log_loss<'a, C: Fn(i32) -> [f64; 3]>(games: impl IntoIterator<Item = (&'a Forecasts, C)>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u64);
    for (game, chances) in games {
        count += game.scores.len() as u64;
        sum -= game.scores.iter().map(|&score| chances(score)[game.result].max(LEAST_CHANCE).ln()).sum::<f64>();
    }
    (count > 0).then(|| sum / count as f64)
}

/// Thousandths that were rounded to nothing are no certainty.
const LEAST_CHANCE: f64 = 0.0005;

/// A curve by what the fit varies: the score where wins are as likely as losses, half the distance between the scores
/// of half wins and half losses, and the scale.
type CurveParameters = [f64; 3];

const START: CurveParameters = [0.0, 50.0, 150.0];
/// Hundredths of a piece; a smaller change of a curve makes no difference.
const FIRST_STEP: f64 = 64.0;
const LAST_STEP: f64 = 0.25;
/// No curve is wider, flatter or further away: where scores have nothing to do with results, flatter ones fit a little
/// better without end.
const MOST: f64 = 4096.0;
/// So much more likely, as a logarithm, a curve must make the results to be taken for better.
const LEAST_GAIN: f64 = 1e-3;
/// The prior: this number of positions with this score are won, and as many with its opposite lost.
const PRIOR_POSITIONS: f64 = 20.0;
const PRIOR_SCORE: i32 = 2000;
/// Pseudo-count of games with the same scores that ended as the curve for all games forecasts. It keeps
/// results that never came in a few games from being impossible.
const PRIOR_GAMES: f64 = 2.0;
/// Chances below this cost a fit no more.
const LEAST_FITTED_CHANCE: f64 = 1e-6;

/// Fits a curve to games; `None` where they hold no forecast.
pub(crate) fn fit<'a>(games: impl IntoIterator<Item = &'a Forecasts>) -> Option<WdlModel> {
    let mut counts: BTreeMap<i32, [f64; 3]> = BTreeMap::new();
    let mut played = 0.0;
    for game in games {
        played += 1.0;
        game.scores.iter().for_each(|&score| counts.entry(score).or_default()[game.result] += 1.0);
    }
    if counts.is_empty() {
        return None;
    }
    for (&score, results) in &mut counts {
        let (seen, prior) = (results.iter().sum::<f64>(), Score(score).wdl());
        let share_of = |thousandths: u16| PRIOR_GAMES / played * f64::from(thousandths) / 1000.0;
        results.iter_mut().zip(prior.0).for_each(|(count, thousandths)| *count += seen * share_of(thousandths));
    }
    counts.entry(PRIOR_SCORE).or_default()[0] += PRIOR_POSITIONS;
    counts.entry(-PRIOR_SCORE).or_default()[2] += PRIOR_POSITIONS;
    let (mut best, mut step) = (START, FIRST_STEP);
    let mut least = cost(&counts, best);
    // Climbs by one coordinate at a time, as long as that helps, with ever smaller steps.
    while step >= LAST_STEP {
        let mut has_improved = false;
        for (place, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            let mut tried = best;
            tried[place] += sign * step;
            if tried[1] < 0.0 || tried[2] < 1.0 || tried[place].abs() > MOST {
                continue;
            }
            let found = cost(&counts, tried);
            if found < least - LEAST_GAIN {
                (best, least, has_improved) = (tried, found, true);
            }
        }
        if !has_improved {
            step /= 2.0;
        }
    }
    Some(model(best))
}

fn model([middle, half_width, scale]: CurveParameters) -> WdlModel {
    WdlModel { won_from: middle + half_width, lost_below: middle - half_width, scale }
}

/// Minus the logarithm of the likelihood.
fn cost(counts: &BTreeMap<i32, [f64; 3]>, parameters: CurveParameters) -> f64 {
    let model = model(parameters);
    let of_score = |(&score, results): (&i32, &[f64; 3])| {
        let chances = model.chances(score);
        (0..3).map(|result| -results[result] * chances[result].max(LEAST_FITTED_CHANCE).ln()).sum::<f64>()
    };
    counts.iter().map(of_score).sum()
}
