//! The trace as the page in one file, which has it as data, too, so that the board can read it again.

use maud::{Markup, html};
use serde_json::json;

use super::games::PairedScore;
use super::resolved::FINAL;
use super::space::Axis;
use super::spec::TuneMethod;
use super::text::{games, notes, tables};
use super::trace::{NOISE_WIDTH, Trace, TraceRow};
use crate::page::OneFile;
#[cfg(feature = "gui")]
use crate::page::facts;
use crate::svg::{Canvas, Plot};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::FinishedGame;
use crate::tournament::report::{Packer, drawings, in_short};
use crate::tournament::standings::Standings;
use crate::tournament::stats::Sample;

/// The whole page, with games of the final match on its board.
pub(super) fn page(header: &JournalHeader, trace: &Trace, games: Vec<FinishedGame>) -> String {
    let [head, figures] = trace.shown(header, None);
    let (of, mut shown, mut plies, mut packer) = (games.len(), 0, 0, Packer::new(header));
    for game in games {
        plies += game.record.plies();
        if plies <= MOST_PLIES {
            shown += 1;
            packer.add(game, None);
        }
    }
    let (lines, mut facts) = packer.finish();
    facts["trace"] = json!(trace);
    let figures = html! {
        (figures)
        @if shown < of {
            p { "Of the " (of) " games of the final match the first " (shown) " can be played through here." }
        }
        p class="quiet" {
            span { "All of its games, in the folder of the run:" } " " code { "reynard tournament report . --format pgn" }
        }
    };
    OneFile { title: title(trace), head, figures, facts: &facts, lines: &lines }.text()
}

/// Of games with more plies than these the first ones can be played through. Whoever follows a run reads its page only up
/// to a size, and a ply takes 20 to 100 bytes.
const MOST_PLIES: usize = 100_000;

fn title(trace: &Trace) -> &str {
    if trace.name.is_empty() { "Tuning" } else { &trace.name }
}

impl Trace {
    /// The trace in a page.
    #[cfg(feature = "gui")]
    pub(crate) fn of_page(page: &str) -> Option<Trace> {
        let mut facts = facts(page)?;
        serde_json::from_value(facts["trace"].take()).ok().filter(Trace::is_sound)
    }

    /// What stands above all else, and the tables and charts; without the `standings` of a run under way its games are
    /// those of the trace.
    pub(crate) fn shown(&self, header: &JournalHeader, standings: Option<&Standings>) -> [Markup; 2] {
        let known = self.end.as_ref().map_or(0, |(_, verdict)| verdict.games());
        let finals = standings.map_or(known, final_games);
        [head(self, header, finals), figures(self, header)]
    }
}

/// Games of the engines of the final matches.
fn final_games(standings: &Standings) -> u64 {
    let names = standings.engines().iter().enumerate();
    let found = names.filter(|(_, name)| name.starts_with(FINAL[0]));
    found.map(|(engine, _)| standings.total(engine).games.games()).sum()
}

fn head(trace: &Trace, header: &JournalHeader, finals: u64) -> Markup {
    html! {
        h1 { (title(trace)) }
        (conditions(trace, header))
        p { (progress(trace, &header.engines)) }
        @if let Some((_, verdict)) = &trace.end { p { strong { (verdict.sentence()) } } }
        @if let Some(line) = final_match(trace, finals) { p { (line) } }
        @for line in games(trace, finals).into_iter().chain(notes(trace)) { p { (line) } }
        p class="quiet" {
            @if let Some(day) = &trace.day {
                // Noon is on the same day nearly everywhere.
                span { "Played:" } " " time translate="no" datetime=(format!("{day}T12:00Z")) { (day) } " · "
            }
            span translate="no" { (header.program) }
        }
    }
}

/// The game, the engine and what it may think in the search.
fn conditions(trace: &Trace, header: &JournalHeader) -> Markup {
    let games = header.rulesets.iter().map(|ruleset| &*ruleset.label).collect::<Vec<_>>().join(", ");
    let engine = header.played.games().engines.first();
    // Searchers learn at limits of their own.
    let limits = engine.and_then(|engine| engine.limits).filter(|_| trace.method != TuneMethod::Learn);
    html! {
        p {
            span { (games) ": " }
            @if let Some(engine) = engine { span translate="no" { (in_short(engine)) } }
            @if let Some(limits) = limits { span { " · " } span { (limits.to_string()) } }
        }
    }
}

/// Whose games come after the search, and who is who.
fn final_match(trace: &Trace, finals: u64) -> Option<String> {
    let [found, start] = FINAL.map(|name| format!("“{name}”"));
    let is_over = trace.end.is_some();
    if trace.is_open() || trace.method == TuneMethod::Learn || (is_over && finals == 0) {
        return None;
    }
    Some(match is_over {
        true => format!("In the final match {found} had the values that were found, and {start} the start values."),
        false => {
            format!(
                "The search is over, the final match not yet: in it {found} has the values that were found, and \
                 {start} the start values."
            )
        }
    })
}

fn figures(trace: &Trace, header: &JournalHeader) -> Markup {
    // Nobody here knows what options of other programs mean.
    let is_own = header.played.games().engines.iter().all(|engine| engine.program.is_none());
    let about = |axis: &Axis| axis.about().filter(|_| is_own);
    // Once of a parameter that each side has its own of.
    let axes = trace.space.axes.iter().enumerate();
    let firsts = axes.filter(|&(index, axis)| trace.space.axes[..index].iter().all(|other| other.name != axis.name));
    html! {
        @for (axis, about) in firsts.filter_map(|(_, axis)| Some((axis, about(axis)?))) {
            p class="quiet" translate="no" lang="en" { b { (axis.name) } ": " (about) }
        }
        @for table in tables(trace) { (table.html()) }
        (drawings(&charts(trace)))
    }
}

/// How far the search is, and who plays whom in it.
fn progress(trace: &Trace, engines: &[String]) -> String {
    let rows = trace.rows.len();
    let [first, second] = [0, 1].map(|engine| format!("“{}”", engines.get(engine).map_or("", String::as_str)));
    let method = match trace.method {
        TuneMethod::Spsa => {
            format!(
                ": in each one engine, {first}, has all values moved one way, and the other, {second}, the opposite way; \
                 the values then follow the better one"
            )
        }
        TuneMethod::Grid | TuneMethod::Random => {
            format!(": each is a set of values, with which {first} plays {second}, which has the start values")
        }
        TuneMethod::Learn => String::new(),
    };
    if trace.is_open() {
        let name = trace.method.rows_name(trace.expected);
        format!("{rows} of {} {name}, not finished{method}.", trace.expected)
    } else {
        format!("{rows} {}{method}.", trace.method.rows_name(rows as u64))
    }
}

fn charts(trace: &Trace) -> Vec<Markup> {
    let parameters = 0..trace.space.axes.len();
    match trace.method {
        TuneMethod::Grid | TuneMethod::Random => {
            heat_map(trace).into_iter().chain(parameters.map(|index| scatter(trace, index))).collect()
        }
        TuneMethod::Spsa => parameters.map(|index| course(trace, index)).chain(shares(trace)).collect(),
        TuneMethod::Learn => vec![losses(trace)],
    }
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::MAX, f64::MIN], |[low, high], value| [low.min(value), high.max(value)])
}

/// A parameter over the iterations, and around the start the band in which chance alone leaves it in 95 % of runs.
fn course(trace: &Trace, index: usize) -> Markup {
    let axis = &trace.space.axes[index];
    let start = axis.start as f64;
    let rows = trace.rows.iter();
    let noise = |row: &TraceRow| NOISE_WIDTH * row.noise.get(index).copied().unwrap_or(0.0);
    let band: Vec<[f64; 3]> = rows.clone().map(|row| [row.number as f64, start, noise(row)]).collect();
    let points: Vec<[f64; 2]> =
        [[0.0, start]].into_iter().chain(rows.map(|row| [row.number as f64, row.values[index]])).collect();
    let heights = band.iter().flat_map(|[_, start, noise]| [start - noise, start + noise]);
    let heights = heights.chain(points.iter().map(|point| point[1]));
    let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), trace.method.row_name(), heights);
    plot.band(&band);
    plot.level(start, &format!("start {start}"));
    plot.curve("curve", &points);
    plot.figure(&format!(
        "{} over the iterations; chance alone leaves it within the band in 95\u{a0}% of runs",
        axis.label()
    ))
}

/// The scores of a landscape over one parameter.
fn scatter(trace: &Trace, index: usize) -> Markup {
    let label = trace.space.axes[index].label();
    let dot = |row: &TraceRow| {
        let score = row.score()?;
        Some([row.values[index], 100.0 * score.total().rate()?, 100.0 * score.rate_error().unwrap_or(0.0)])
    };
    let points: Vec<[f64; 3]> = trace.rows.iter().filter_map(dot).collect();
    let heights = points.iter().flat_map(|[_, score, error]| [score - error, score + error]);
    let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), &label, heights.chain([50.0]));
    plot.level(50.0, "start");
    plot.dots(&points);
    plot.figure(&format!("Score in % over {label}"))
}

/// The scores of a grid of two parameters, the first to the right and the second upwards: darker is better.
fn heat_map(trace: &Trace) -> Option<Markup> {
    let [x, y] = &trace.space.axes[..] else { return None };
    let values = |index: usize| {
        let mut values: Vec<f64> = trace.rows.iter().map(|row| row.values[index]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (columns, rows) = (values(0), values(1));
    let rates: Vec<f64> = trace.rows.iter().filter_map(|row| row.score()?.total().rate()).collect();
    if trace.method != TuneMethod::Grid || rates.is_empty() || columns.len() > MOST_CELLS || rows.len() > MOST_CELLS {
        return None;
    }
    let [low, high] = ends(rates.into_iter());
    let (left, right, height) = (64.0, Canvas::WIDTH - 8.0, 34.0);
    let (width, bottom) = ((right - left) / columns.len() as f64, height * rows.len() as f64 + 4.0);
    let column = |value: f64| left + width * columns.iter().position(|&other| other == value).unwrap_or(0) as f64;
    let line = |value: f64| bottom - height * (rows.iter().position(|&other| other == value).unwrap_or(0) + 1) as f64;
    let mut canvas = Canvas::default();
    for (row, rate) in trace.rows.iter().filter_map(|row| Some((row, row.score()?.total().rate()?))) {
        let (left, top, share) = (column(row.values[0]), line(row.values[1]), (rate - low) / (high - low).max(1e-9));
        let title = format!("{} {}, {} {}: {:.1} %", x.label(), row.values[0], y.label(), row.values[1], 100.0 * rate);
        canvas.cell((left, top), (width - 2.0, height - 2.0), 0.1 + 0.7 * share, &title);
        canvas.text(
            "value",
            "middle",
            (left + width / 2.0 - 1.0, top + height / 2.0 + 3.0),
            format!("{:.1}", 100.0 * rate),
        );
    }
    columns.iter().for_each(|&value| {
        canvas.text("tick", "middle", (column(value) + width / 2.0, bottom + 14.0), value.to_string());
    });
    rows.iter().for_each(|&value| {
        canvas.text("tick", "end", (left - 6.0, line(value) + height / 2.0 + 4.0), value.to_string());
    });
    Some(
        canvas.figure(
            bottom + 22.0,
            &format!("Score in % over {} (to the right) and {} (upwards)", x.label(), y.label()),
        ),
    )
}

/// More values of a parameter would be too narrow to be read.
const MOST_CELLS: usize = 12;

/// The share of drawn games, and of the points of seat 0, of all games up to each iteration.
fn shares(trace: &Trace) -> Vec<Markup> {
    let mut sum = PairedScore::default();
    let (mut drawn, mut side) = (Vec::new(), Vec::new());
    for (row, score) in trace.rows.iter().filter_map(|row| Some((row, row.score()?))) {
        sum.add(score);
        drawn.extend(sum.drawn().map(|share| [row.number as f64, 100.0 * share]));
        side.extend(sum.seat_rate().map(|share| [row.number as f64, 100.0 * share]));
    }
    let share = |points: &[[f64; 2]], caption: &str| {
        let heights = points.iter().map(|point| point[1]).chain([0.0, 100.0]);
        let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), trace.method.row_name(), heights);
        plot.curve("curve", points);
        plot.figure(caption)
    };
    if drawn.is_empty() {
        return Vec::new();
    }
    let won = format!("Points won by the {} so far, %", trace.sides[0]);
    vec![share(&drawn, "Games drawn so far, %"), share(&side, &won)]
}

fn losses(trace: &Trace) -> Markup {
    let point = |row: &TraceRow| row.losses().map(|[train, validation]| [row.number as f64, train, validation]);
    let points: Vec<[f64; 3]> = trace.rows.iter().filter_map(point).collect();
    let values = points.iter().flat_map(|&[_, train, validation]| [train, validation]);
    let mut plot = Plot::new(ends(points.iter().map(|point| point[0])), trace.method.row_name(), values);
    for (class, column) in [("curve", 1), ("curve second", 2)] {
        plot.curve(class, &points.iter().map(|point| [point[0], point[column]]).collect::<Vec<_>>());
    }
    plot.figure("Loss in training (strong) and validation (pale)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::report::tests::samples;
    use crate::tune::final_match::Verdict;
    use crate::tune::trace::tests::trace;

    fn header() -> JournalHeader {
        let header = samples::header(&["masters-15"]);
        let mut spec = json!({"method": "spsa", "games": header.played});
        spec["games"]["engines"][0]["options"] = json!({"Searcher": "mcts"});
        let engines = ["variant 1", "variant 2", FINAL[0], FINAL[1]].map(str::to_owned).to_vec();
        JournalHeader { played: serde_json::from_value(spec).expect("a spec"), engines, ..header }
    }

    /// What a page says above its figures, without its elements.
    fn said(trace: &Trace, standings: Option<&Standings>) -> String {
        let [head, _] = trace.shown(&header(), standings);
        let words = head.0.split('<').filter_map(|part| part.split_once('>'));
        words.map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_head_says_what_is_tuned_and_when() {
        let day = Some("2026-11-28".to_owned());
        let trace = Trace { name: "Tuning".to_owned(), day, ..trace(TuneMethod::Spsa, 1, &[&[[1, 0]]]) };
        let said = said(&trace, None);
        for words in ["masters-15:", "reynard (mcts)", "200 nodes a move", "2026-11-28", "reynard test", "“variant 1”,"]
        {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert!(!said.contains("SPSA") && !said.contains("plus"), "{said}");
    }

    #[test]
    fn the_head_tells_the_search_from_the_final_match() {
        let done = trace(TuneMethod::Spsa, 1, &[&[[1, 0]], &[[0, 1]]]);
        let open = said(&Trace { expected: 3, ..done.clone() }, None);
        assert!(open.contains("2 of 3 iterations, not finished"), "{open}");
        assert!(open.contains("4 games in 2 iterations, 50.0 % of them drawn"), "{open}");
        let single = said(&Trace { expected: 2, ..trace(TuneMethod::Spsa, 1, &[&[[1, 0]]]) }, None);
        assert!(single.contains("2 games in 1 iteration, ") && single.contains("1 of 2 iterations"), "{single}");
        assert!(said(&trace(TuneMethod::Spsa, 1, &[&[[1, 0]]]), None).contains("1 iteration:"));
        let mut standings = Standings::new(&header());
        let mut game = samples::game(&["masters-15"], 0);
        for seats in [[0, 1], [1, 0], [2, 3]] {
            game.record.fixture.seats = seats;
            standings.add(&game.record, &[]);
        }
        let last = said(&done, Some(&standings));
        assert!(
            last.contains("final match not yet: in it “found” has the values that were found, and “untuned”"),
            "{last}"
        );
        assert!(last.contains("4 games of tuning and 1 of the final match.") && !last.contains("finished"), "{last}");
        let mut score = PairedScore::default();
        score.add_pair([0, 0]);
        let over = said(&Trace { end: Some((vec![10], Verdict::of(score))), ..done }, None);
        assert!(over.contains("In the final match “found” had the values that were found"), "{over}");
        assert!(over.contains("4 games of tuning and 2 of the final match."), "{over}");
    }

    fn grid(parameters: usize) -> Trace {
        let pairs: Vec<Vec<[i64; 2]>> = (0..6).map(|number| [vec![[1, 0]; number], vec![[0, 0]]].concat()).collect();
        let rows: Vec<&[[i64; 2]]> = pairs.iter().map(Vec::as_slice).collect();
        let mut grid = trace(TuneMethod::Grid, parameters, &rows);
        for row in &mut grid.rows {
            let values = [10.0 * (row.number / 2) as f64, 7.0 * (row.number % 2) as f64, 0.0];
            row.values = values[..parameters].to_vec();
        }
        Trace { name: "a<b".to_owned(), ..grid }
    }

    #[test]
    fn a_grid_of_two_parameters_has_a_heat_map_in_the_look_of_the_report() {
        let page = page(&header(), &grid(2), Vec::new());
        assert_eq!(page.matches("class=\"heat\"").count(), 6, "{page}");
        assert!(page.contains("P0 20, P1 7: ") && page.contains("<h1>a&lt;b</h1>"), "{page}");
        assert_eq!(page.matches("<table class=\"grid sorted\">").count(), 2, "parameters and points");
        assert!(page.contains("<h2>Points</h2>") && !page.contains("<pre>"), "{page}");
        let loads = page.replace("http://www.w3.org/2000/svg", "").contains("http:");
        assert!(!loads && !page.contains("NaN"), "{page}");
        assert!([1, 3].map(grid).iter().all(|trace| heat_map(trace).is_none()));
    }

    #[test]
    fn a_page_has_the_first_games_of_its_final_match_on_the_board() {
        let game = |number| {
            let mut game = samples::game(&["masters-15"], number);
            game.record.fixture.seats = [2, 3];
            game
        };
        let page_of = |games| page(&header(), &trace(TuneMethod::Spsa, 1, &[&[[1, 0]]]), games);
        // The texts of the page say everything.
        let figures = |page: &str| page.split_once("id=\"figures\"").map(|(_, page)| page.to_owned()).expect("figures");
        let whole = figures(&page_of(vec![game(4), game(5)]));
        assert_eq!(whole.matches("\"engines\":[\"found\",\"untuned\"]").count(), 2, "{whole}");
        assert!(!whole.contains("can be played through") && whole.contains("report . --format pgn"), "{whole}");
        let mut long = game(5);
        long.record.opening.moves = vec!["d4".to_owned(); MOST_PLIES];
        let part = figures(&page_of(vec![game(4), long, game(6)]));
        assert_eq!(part.matches("\"engines\":[").count(), 1);
        assert!(part.contains("Of the 3 games of the final match the first 1 can be played through here."), "{part}");
    }

    #[test]
    fn a_page_says_what_its_parameters_weigh() {
        let mut tuned = trace(TuneMethod::Spsa, 1, &[&[[1, 0]]]);
        let page_of = |header: &JournalHeader, tuned: &Trace| page(header, tuned, Vec::new());
        let words = "<b>MctsExploration</b>: Weight of the exploration term";
        assert!(!page_of(&header(), &tuned).contains("<b>P0"), "no parameter of this program");
        tuned.space.axes[0].name = "MctsExploration".to_owned();
        assert!(page_of(&header(), &tuned).contains(words));
    }

    #[cfg(feature = "gui")]
    #[test]
    fn a_page_has_its_trace_as_data() {
        let trace = Trace { end: Some((vec![10, 7], Verdict::Untested)), ..grid(2) };
        assert_eq!(Trace::of_page(&page(&header(), &trace, Vec::new())), Some(trace));
        assert_eq!(Trace::of_page("<script>alert(1)</script>"), None);
    }

    #[test]
    fn a_page_of_spsa_shows_each_way_with_its_noise_and_the_drawn_games() {
        let page = page(&header(), &trace(TuneMethod::Spsa, 2, &[&[[1, 0]], &[[0, 1]]]), Vec::new());
        assert_eq!(page.matches("class=\"band\"").count(), 2, "{page}");
        assert!(page.contains("Games drawn so far, %") && page.contains("no evidence"), "{page}");
        assert!(!page.contains("score of plus") && !page.contains("NaN"), "{page}");
    }
}
