//! Charts of the HTML page, as SVG that takes its colours from the page's style.

use maud::{Markup, html};

use super::text_table::short;
use crate::svg::{BOTTOM, Canvas, Plot, Scale};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::GameRecord;
use crate::tournament::standings::{Standings, Summary};

/// The figures after some games, for line charts.
pub(crate) struct Moment {
    games: u64,
    /// Of each engine against all others, with the half width of its 95 % interval.
    elo: Vec<[Option<f64>; 2]>,
    llr: Option<f64>,
}

impl Moment {
    /// The state of these standings.
    fn of(standings: &Standings) -> Moment {
        let elo = |engine| {
            let estimate = standings.total(engine).estimate;
            [estimate.elo, estimate.elo_error]
        };
        Moment {
            games: standings.games(),
            elo: (0..standings.engines().len()).map(elo).collect(),
            llr: standings.sprt().and_then(|test| test.verdict().llr),
        }
    }
}

/// The standings, and what they were on the way there.
pub(crate) struct Course {
    pub standings: Standings,
    /// At equal distances.
    pub moments: Vec<Moment>,
    /// Games between two moments.
    stride: u64,
}

/// More moments cannot be seen apart.
const MOST_MOMENTS: usize = 400;

impl Course {
    pub(crate) fn new(header: &JournalHeader) -> Course {
        Course { standings: Standings::new(header), moments: Vec::new(), stride: 1 }
    }

    /// See [`Standings::add`].
    pub(crate) fn add(&mut self, game: &GameRecord, move_us: &[u64]) {
        self.standings.add(game, move_us);
        if self.standings.games().is_multiple_of(self.stride) {
            self.moments.push(Moment::of(&self.standings));
        }
        if self.moments.len() > MOST_MOMENTS {
            self.stride *= 2;
            self.moments.retain(|moment| moment.games.is_multiple_of(self.stride));
        }
    }
}

/// Every drawing for which there is something to draw.
pub(super) fn charts(summary: &Summary, moments: &[Moment]) -> Vec<Markup> {
    let all = [ratings(summary), elo(summary, moments), llr(summary, moments)];
    all.into_iter().flatten().collect()
}

/// Rows are at least so high.
const ROW: f64 = 26.0;
/// Where the names end and the drawing begins.
const NAMES: f64 = 150.0;
/// So many letters have room there.
const NAME_LETTERS: usize = 20;
const RIGHT: f64 = Canvas::WIDTH - 14.0;
const TOP: f64 = 8.0;

/// The engines by Elo, with error bars.
fn ratings(summary: &Summary) -> Option<Markup> {
    let rated = summary.ranked().filter_map(|engine| {
        let (elo, error) = summary.elo(engine);
        Some((engine, elo?, error.unwrap_or(0.0)))
    });
    let rated: Vec<_> = rated.collect();
    if rated.is_empty() {
        return None;
    }
    let ends = rated.iter().flat_map(|(_, elo, error)| [elo - error, elo + error, 0.0]);
    let scale = Scale::over(ends, NAMES, RIGHT);
    // As high as the charts beside it: few engines stand further apart.
    let row = ROW.max((BOTTOM - TOP) / rated.len() as f64);
    let bottom = TOP + row * rated.len() as f64;
    let mut canvas = Canvas::default();
    canvas.ticks_below(scale, TOP, bottom);
    for (place, (engine, elo, error)) in rated.iter().enumerate() {
        let y = TOP + row * (place as f64 + 0.5);
        // A name, which no language changes.
        let name = html! { tspan translate="no" { (short(&engine.name, NAME_LETTERS)) } };
        canvas.text("value", "end", (NAMES - 10.0, y + 4.0), name);
        canvas.line("whisker", (scale.at(elo - error), y), (scale.at(elo + error), y));
        canvas.dot((scale.at(*elo), y), 4.0);
    }
    Some(canvas.figure(bottom + 24.0, "Elo with 95 % interval"))
}

/// Elo of the leader over the games; the band is the 95 % interval.
fn elo(summary: &Summary, moments: &[Moment]) -> Option<Markup> {
    let leader = *summary.ranking.first()?;
    let known = moments.iter().filter_map(|moment| {
        let [elo, error] = moment.elo[leader];
        Some([moment.games as f64, elo?, error?])
    });
    let known: Vec<[f64; 3]> = known.collect();
    let [last_games, last_elo, last_error] = *known.last().filter(|_| known.len() > 1)?;
    // The wild swings of the first games would flatten all the rest.
    let calm = known.iter().filter(|[games, ..]| games * 10.0 >= last_games);
    let ends = calm.flat_map(|[_, elo, error]| [elo - error, elo + error, 0.0]);
    let mut plot = Plot::new([0.0, moments.last()?.games as f64], "games", ends);
    plot.band(&known);
    plot.curve("curve", &known.iter().map(|&[games, elo, _]| [games, elo]).collect::<Vec<_>>());
    let against = match summary.ranking[..] {
        [_, other] => format!("against {}", summary.engines[other].name),
        _ => "against all others".to_owned(),
    };
    let name = &summary.engines[leader].name;
    Some(plot.figure(&format!("Elo of {name} {against} over the games: {last_elo:.1} ± {last_error:.1}")))
}

/// The log-likelihood ratio over the games, between its bounds.
fn llr(summary: &Summary, moments: &[Moment]) -> Option<Markup> {
    let bounds = summary.sprt_verdict?.bounds;
    let known: Vec<[f64; 2]> = moments.iter().filter_map(|moment| Some([moment.games as f64, moment.llr?])).collect();
    let values = known.iter().map(|&[_, llr]| llr).chain([bounds.lower, bounds.upper]);
    let mut plot = Plot::new([0.0, moments.last()?.games as f64], "games", values);
    plot.level(bounds.lower, &format!("H0 {:.2}", bounds.lower));
    plot.level(bounds.upper, &format!("H1 {:.2}", bounds.upper));
    plot.curve("curve", &known);
    let last = known.last().map_or("n/a".to_owned(), |[_, llr]| format!("{llr:.2}"));
    Some(plot.figure(&format!("Log-likelihood ratio of the test over the games, which ends it at a bound: {last}")))
}
