//! Figures over time, which is counted in games.

use super::Chart;
use super::frame::{Canvas, Scale, WIDTH};
use crate::tournament::report::series::Moment;
use crate::tournament::standings::Summary;

const LEFT: f64 = 48.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 200.0;

/// Of the first engine; the band is the 95 % interval.
pub(super) fn elo(summary: &Summary, moments: &[Moment]) -> Option<Chart> {
    let known: Vec<(u64, f64, f64)> =
        moments.iter().filter_map(|moment| Some((moment.games, moment.elo?, moment.elo_error?))).collect();
    let &(last_games, last_elo, last_error) = known.last()?;
    if known.len() < 2 {
        return None;
    }
    // The wild swings of the first games would flatten all the rest.
    let calm = known.iter().filter(|(games, ..)| *games * 10 >= last_games);
    let ends = calm.flat_map(|&(_, elo, error)| [elo - error, elo + error, 0.0]);
    let y = Scale::over(ends, BOTTOM, TOP);
    let x = games_scale(moments)?;
    let at = |games: u64, elo: f64| (x.at(games as f64), y.at(elo.clamp(y.low, y.high)));
    let mut canvas = Canvas::new(BOTTOM + 24.0);
    axes(&mut canvas, x, y);
    let upper = known.iter().map(|&(games, elo, error)| at(games, elo + error));
    let lower = known.iter().rev().map(|&(games, elo, error)| at(games, elo - error));
    canvas.path("band", &upper.chain(lower).collect::<Vec<_>>(), true);
    canvas.path("curve", &known.iter().map(|&(games, elo, _)| at(games, elo)).collect::<Vec<_>>(), false);
    let name = &summary.engines.first()?.name;
    let against = if summary.engines.len() == 2 {
        format!("against {}", summary.engines[1].name)
    } else {
        "against all others".to_owned()
    };
    Some(canvas.finish(&format!("Elo of {name} {against} over the games: {last_elo:.1} ± {last_error:.1}")))
}

/// Between its bounds.
pub(super) fn llr(summary: &Summary, moments: &[Moment]) -> Option<Chart> {
    let verdict = summary.sprt_verdict?;
    let known: Vec<(u64, f64)> = moments.iter().filter_map(|moment| Some((moment.games, moment.llr?))).collect();
    let x = games_scale(moments)?;
    let bounds = [verdict.bounds.lower, verdict.bounds.upper];
    let y = Scale::over(known.iter().map(|&(_, llr)| llr).chain(bounds), BOTTOM, TOP);
    let mut canvas = Canvas::new(BOTTOM + 24.0);
    axes(&mut canvas, x, y);
    for (bound, name) in bounds.into_iter().zip(["H0", "H1"]) {
        canvas.line("bound", (LEFT, y.at(bound)), (RIGHT, y.at(bound)));
        canvas.text("value", "end", (RIGHT - 2.0, y.at(bound) - 4.0), &format!("{name} {bound:.2}"));
    }
    let points: Vec<(f64, f64)> = known.iter().map(|&(games, llr)| (x.at(games as f64), y.at(llr))).collect();
    canvas.path("curve", &points, false);
    let last = known.last().map_or("n/a".to_owned(), |(_, llr)| format!("{llr:.2}"));
    Some(canvas.finish(&format!("Log-likelihood ratio over the games: {last}")))
}

fn games_scale(moments: &[Moment]) -> Option<Scale> {
    let last = moments.last()?.games;
    Some(Scale { low: 0.0, high: last as f64, from: LEFT, to: RIGHT })
}

fn axes(canvas: &mut Canvas, x: Scale, y: Scale) {
    canvas.ticks_left(y, LEFT, RIGHT);
    canvas.text("tick", "start", (LEFT, BOTTOM + 16.0), "0");
    canvas.text("tick", "end", (RIGHT, BOTTOM + 16.0), &format!("{} games", x.high));
}
