//! Calibration: whether games ended as the engines' scores foretold.
//!
//! Every score that is an opinion is a forecast: by a curve it stands for chances of a win, a draw and a loss.
//! [`forecasts`] gathers the scores with the results, [`fit()`] finds the curve under which the results are the most
//! likely, and [`reliability`] sets what a curve foretold against what came.

mod fit;

use std::collections::BTreeMap;

pub(crate) use fit::fit;
use reynard_engine::eval::MAX_EVALUATION;
use serde::Serialize;

use super::journal::{Archive, JournalError};
use super::record::{Cause, EngineScore, GameRecord};
use super::standings::half_points;
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
    /// Whether the game is kept from fits, to judge them by. All games from one opening are, or none.
    pub(crate) fn is_held_out(&self) -> bool {
        !self.opening.is_multiple_of(2)
    }
}

/// All forecasts of an archive, in the order of its games. Games that were forfeited, or ended by the engines' own
/// scores, prove nothing.
///
/// # Errors
/// A game cannot be read.
pub(crate) fn forecasts(archive: &Archive) -> Result<BTreeMap<Forecaster, Vec<Forecasts>>, JournalError> {
    let mut found: BTreeMap<Forecaster, Vec<Forecasts>> = BTreeMap::new();
    for game in archive.games()? {
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
        result: usize::from(2 - half_points(record, seat)),
    }
}

/// Forecasts of about the same expectation, and what came of them. Points are those of the forecaster, a draw being
/// half a point.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(crate) struct ReliabilityBin {
    /// Positions, and games that they come from.
    pub positions: u64,
    pub games: u64,
    /// Mean chances of a win, a draw and a loss as they were foretold.
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

/// Bins of equal width by foretold points.
pub(crate) const BINS: usize = 10;

/// Forecasts by the points that the chances of their scores are worth, each game with how its scores are read.
pub(crate) fn reliability<'a, C: Fn(i32) -> [f64; 3]>(
    games: impl IntoIterator<Item = (&'a Forecasts, C)>,
) -> [ReliabilityBin; BINS] {
    let mut bins = [ReliabilityBin::default(); BINS];
    for (game, chances) in games {
        let mut met = [false; BINS];
        for &score in &game.scores {
            let foretold = chances(score);
            let place = ((points(foretold) * BINS as f64) as usize).min(BINS - 1);
            let bin = &mut bins[place];
            bin.positions += 1;
            bin.games += u64::from(!std::mem::replace(&mut met[place], true));
            (0..3).for_each(|result| bin.predicted[result] += foretold[result]);
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
