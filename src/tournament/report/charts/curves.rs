//! Line charts of figures by the number of games played.

use maud::Markup;

use crate::svg::Plot;
use crate::tournament::report::series::Moment;
use crate::tournament::standings::Summary;

/// Of the first engine; the band is the 95 % interval.
pub(super) fn elo(summary: &Summary, moments: &[Moment]) -> Option<Markup> {
    let known = moments.iter().filter_map(|moment| Some([moment.games as f64, moment.elo?, moment.elo_error?]));
    let known: Vec<[f64; 3]> = known.collect();
    let [last_games, last_elo, last_error] = *known.last().filter(|_| known.len() > 1)?;
    // The wild swings of the first games would flatten all the rest.
    let calm = known.iter().filter(|[games, ..]| games * 10.0 >= last_games);
    let ends = calm.flat_map(|[_, elo, error]| [elo - error, elo + error, 0.0]);
    let mut plot = Plot::new([0.0, moments.last()?.games as f64], "games", ends);
    plot.band(&known);
    plot.curve("curve", &known.iter().map(|&[games, elo, _]| [games, elo]).collect::<Vec<_>>());
    let against = match &summary.engines[..] {
        [_, other] => format!("against {}", other.name),
        _ => "against all others".to_owned(),
    };
    let name = &summary.engines.first()?.name;
    Some(plot.figure(&format!("Elo of {name} {against} over the games: {last_elo:.1} ± {last_error:.1}")))
}

/// Between its bounds.
pub(super) fn llr(summary: &Summary, moments: &[Moment]) -> Option<Markup> {
    let bounds = summary.sprt_verdict?.bounds;
    let known: Vec<[f64; 2]> = moments.iter().filter_map(|moment| Some([moment.games as f64, moment.llr?])).collect();
    let values = known.iter().map(|&[_, llr]| llr).chain([bounds.lower, bounds.upper]);
    let mut plot = Plot::new([0.0, moments.last()?.games as f64], "games", values);
    plot.level(bounds.lower, &format!("H0 {:.2}", bounds.lower));
    plot.level(bounds.upper, &format!("H1 {:.2}", bounds.upper));
    plot.curve("curve", &known);
    let last = known.last().map_or("n/a".to_owned(), |[_, llr]| format!("{llr:.2}"));
    Some(plot.figure(&format!("Log-likelihood ratio over the games: {last}")))
}
