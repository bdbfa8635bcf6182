//! What came out, for the terminal and for the page.

use reynard_engine::learning::{CONVERTERS, Conversion, LearnPlayer};

use super::final_match::Verdict;
use super::games::PairedScore;
use super::spec::TuneMethod;
use super::trace::{Trace, TraceRow};
use crate::tournament::report::{Cells, TextTable, wrapped};
use crate::tournament::stats::{Sample, Trinomial};

/// Rows of a landscape that are shown, the best ones.
const SHOWN_POINTS: usize = 20;

/// What came out, as text of several lines; at most so many columns wide where words and the cells of tables allow it.
pub(crate) fn text(trace: &Trace, columns: usize) -> String {
    let [parameters, points] = [parameters(trace), points(trace)]
        .map(|table| table.map_or(String::new(), |table| format!("{}\n\n", table.markdown(columns))));
    let games = games(trace, 0).map_or(String::new(), |games| wrapped(&games, columns) + "\n");
    let judged = final_match(trace).map_or(String::new(), |table| {
        let note = wrapped(table.note.as_deref().unwrap_or_default(), columns);
        format!("{}:\n\n{}\n\n{note}\n", table.title, table.markdown(columns))
    });
    let notes: String = notes(trace).iter().map(|note| wrapped(note, columns)).collect();
    // A tie is said of the points, right below them.
    let points = if tie(trace).is_some() { points.trim_end().to_owned() + "\n" } else { points };
    format!("{parameters}{games}{judged}{points}{notes}")
}

/// The tables of a trace.
pub(super) fn tables(trace: &Trace) -> Vec<TextTable> {
    [parameters(trace), final_match(trace), points(trace)].into_iter().flatten().collect()
}

/// What there is to say besides.
pub(super) fn notes(trace: &Trace) -> Vec<String> {
    let losses = trace.rows.first().and_then(TraceRow::losses).zip(trace.rows.last().and_then(TraceRow::losses));
    let loss = |(first, last): ([f64; 2], [f64; 2])| {
        ["training", "validation"]
            .into_iter()
            .enumerate()
            .map(move |(index, name)| format!("{name} loss: {:.6} -> {:.6}", first[index], last[index]))
    };
    let notes = tie(trace).into_iter().chain(idle_games(trace)).chain(losses.into_iter().flat_map(loss));
    notes.chain(trace.remarks.iter().cloned()).collect()
}

/// What to think of a best point that has equals.
fn tie(trace: &Trace) -> Option<String> {
    if !trace.method.is_landscape() {
        return None;
    }
    let best = trace.best();
    let rate = best.first()?.score()?.total();
    (best.len() > 1).then(|| {
        format!("A tie: {} points have the best score, {}. The first of them was taken.", best.len(), percent(rate))
    })
}

/// Games of which so many end alike teach nothing.
const ALIKE: f64 = 0.9;

/// What is wrong where nearly all games end alike.
fn idle_games(trace: &Trace) -> Option<String> {
    let total = trace.total();
    let drawn = total.drawn().filter(|&drawn| drawn >= ALIKE);
    let side = total.seat_rate().and_then(|rate| {
        let seat = usize::from(rate < 0.5);
        (rate.max(1.0 - rate) >= ALIKE).then_some((seat, rate.max(1.0 - rate)))
    });
    match (drawn, side) {
        (Some(drawn), _) => Some(format!(
            "{:.0} % of the games were drawn, which teaches nothing: the limits or the openings are wrong.",
            100.0 * drawn
        )),
        (None, Some((seat, rate))) => Some(format!(
            "{:.0} % of the points were won by the {}, whatever the values, which teaches nothing: take openings from which \
             both sides can win.",
            100.0 * rate,
            trace.sides[seat]
        )),
        (None, None) => None,
    }
}

/// The parameters, where there are any: learned weights are none.
fn parameters(trace: &Trace) -> Option<TextTable> {
    if trace.space.axes.is_empty() {
        return None;
    }
    let found = trace.end.as_ref().map(|(found, _)| found.clone()).or_else(|| trace.present());
    let is_spsa = trace.method == TuneMethod::Spsa;
    let heads: &[&str] = if is_spsa {
        &["@Parameter", "Start", "Found", "Moved", "Noise", "<Drift", "Least", "Most"]
    } else {
        &["@Parameter", "Start", "Found", "Least", "Most"]
    };
    let mut table = TextTable::new("Parameters", heads);
    for (index, axis) in trace.space.axes.iter().enumerate() {
        let found = found.as_ref().map_or(String::new(), |point| point[index].to_string());
        let [start, min, max] = [axis.start, axis.min, axis.max].map(|value| value.to_string());
        let drift = trace.drift(index).map(|drift| {
            let direction = if drift.moved > 0.0 { "up" } else { "down" };
            let drifts = if drift.is_evident() { direction } else { "no evidence" };
            [format!("{:+.2}", drift.moved), format!("{:.2}", drift.reach()), drifts.to_owned()]
        });
        let way = if is_spsa { drift.unwrap_or_default().to_vec() } else { Vec::new() };
        table.rows.push([axis.label(), start, found].into_iter().chain(way).chain([min, max]).collect());
    }
    let note = "Moved: from the start to what was found, before it was rounded. Noise: how far chance alone would have \
                moved it at most, in 95\u{a0}% of runs; drift: the way in which it moved further.";
    Some(if is_spsa { table.with_note(note) } else { table })
}

/// How what was found fared: by the side that it had, or, of learned weights, by searcher.
fn final_match(trace: &Trace) -> Option<TextTable> {
    let match_row = |names: &[&str], score: &PairedScore, games: Trinomial| {
        let rate = 100.0 * games.rate().unwrap_or(0.5);
        let error = score.rate_error().filter(|_| games == score.total());
        let error = error.map_or(String::new(), |error| format!(" ± {:.1}", 100.0 * error));
        let counts = [games.wins, games.draws, games.losses].map(|count| count.to_string());
        names.iter().map(|&name| name.to_owned()).chain(counts).chain([format!("{rate:.1}{error}")]).collect::<Vec<_>>()
    };
    match &trace.end.as_ref()?.1 {
        Verdict::Gain(score) | Verdict::NoEvidence(score) => {
            let mut table = TextTable::new("Final match", &["<As", "Won", "Drawn", "Lost", "Score %"]);
            let sides = trace.sides.iter().zip(score.seats).map(|(side, games)| match_row(&[side], score, games));
            table.rows = sides.chain([match_row(&["both"], score, score.total())]).collect();
            let [won, level, lost] = score.ended();
            let pairs = won + level + lost;
            Some(table.with_note(&format!(
                "Of what was found, against the start values; ± is a 95\u{a0}% interval. Of {pairs} pairs it won {won} and \
                 lost {lost}; {level} were level."
            )))
        }
        Verdict::Met(matches) => {
            let mut table =
                TextTable::new("Final matches", &["@Searcher", "Limits", "Won", "Drawn", "Lost", "Score %"]);
            let of = |(player, scores): (&LearnPlayer, &[PairedScore; 2])| {
                let row = |(score, part)| match_row(&[player.searcher.name(), part], score, score.total());
                scores.iter().zip(["1/10", "1/1"]).map(row).collect::<Vec<_>>()
            };
            table.rows = CONVERTERS.iter().zip(matches).flat_map(of).collect();
            Some(table.with_note("Of the learned weights, against the present ones; ± is a 95\u{a0}% interval."))
        }
        Verdict::Converted(conversions) => {
            let won: Vec<(&LearnPlayer, &Conversion)> = CONVERTERS.iter().zip(conversions).collect();
            let table = TextTable::of(
                "Won openings",
                won,
                &[
                    ("@Searcher", &|(player, _)| player.searcher.name().to_owned()),
                    ("Openings", &|(_, won)| won.openings().to_string()),
                    ("Learned", &|(_, won)| (won.both + won.learned).to_string()),
                    ("Present", &|(_, won)| (won.both + won.present).to_string()),
                ],
            );
            Some(table.with_note("Won against perfect play: with the learned weights, and with the present ones."))
        }
        Verdict::Unmoved | Verdict::Untested => None,
    }
}

/// All games of the search together, where there were any; and how many were played to judge what was found.
pub(super) fn games(trace: &Trace, finals: u64) -> Option<String> {
    let total = trace.total();
    let drawn = 100.0 * total.drawn()?;
    let side = 100.0 * total.seat_rate()?;
    let (games, winner) = (total.total().games(), &trace.sides[0]);
    if finals > 0 {
        return Some(format!(
            "{games} games of tuning and {finals} of the final match. Of those of tuning {drawn:.1} % were drawn, and \
             {side:.1} % of the points were won by the {winner}."
        ));
    }
    // More games may be known than those of the rows.
    let rows = format!(" in {} {}", trace.rows.len(), trace.method.rows_name(trace.rows.len() as u64));
    let rows = if trace.is_open() { &rows } else { "" };
    Some(format!(
        "{games} games{rows}, {drawn:.1} % of them drawn; {side:.1} % of the points were won by the {winner}."
    ))
}

/// `61.2 %`
fn percent(count: Trinomial) -> String {
    count.rate().map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// The best points of a landscape.
fn points(trace: &Trace) -> Option<TextTable> {
    let labels = trace.space.labels();
    let as_side = trace.sides.clone().map(|side| format!("as {side}"));
    let heads = labels.iter().map(String::as_str).chain(["Score", "Error"]).chain(as_side.iter().map(String::as_str));
    let mut table = TextTable::new("Points", &heads.collect::<Vec<_>>());
    table.names = Some(labels.len());
    table.columns[0].cells = Cells::Words;
    let rate = |row: &&TraceRow| row.score().and_then(|score| score.total().rate()).unwrap_or(0.0);
    let mut rows: Vec<&TraceRow> = trace.rows.iter().collect();
    rows.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    for (row, score) in rows.iter().filter_map(|row| Some((row, row.score()?))).take(SHOWN_POINTS) {
        let error = score.rate_error().map_or("-".to_owned(), |error| format!("±{:.1}", 100.0 * error));
        let values = row.values.iter().map(f64::to_string);
        let results = [percent(score.total()), error, percent(score.seats[0]), percent(score.seats[1])];
        table.rows.push(values.chain(results).collect());
    }
    trace.method.is_landscape().then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::trace::tests::trace;

    #[test]
    fn a_tie_is_called_a_tie() {
        let tied = text(&trace(TuneMethod::Grid, 1, &[&[[0, 0]], &[[1, 0]], &[[0, 1]]]), 80);
        assert!(tied.contains("A tie: 2 points have the best score, 75.0 %. The first of them"), "{tied}");
        let clear = text(&trace(TuneMethod::Grid, 1, &[&[[0, 0]], &[[1, 0]], &[[1, 1]]]), 80);
        assert!(!clear.contains("tie"), "{clear}");
    }

    #[test]
    fn spsa_shows_way_noise_and_drift() {
        // From 10 to 10 (one row: its value is 0), and to 20.
        let still = text(&trace(TuneMethod::Spsa, 1, &[&[[1, 0]], &[[0, 1]]]), 100);
        assert!(still.contains("Moved") && still.contains("Noise") && still.contains("no evidence"), "{still}");
        let drifting = text(&trace(TuneMethod::Spsa, 1, &[&[[1, 0]], &[[0, 1]], &[[0, 1]]]), 100);
        assert!(drifting.contains("+10.00") && drifting.contains("6.00") && drifting.contains(" up "), "{drifting}");
        assert!(
            drifting.contains("6 games, 50.0 % of them drawn; 41.7 % of the points were won by the fox."),
            "{drifting}"
        );
        assert!(!drifting.to_lowercase().contains("score"), "{drifting}");
    }

    #[test]
    fn the_final_match_has_a_table_by_side() {
        let mut score = PairedScore::default();
        [[1, 1], [1, 0], [0, 0], [1, -1], [-1, 0]].into_iter().for_each(|nets| score.add_pair(nets));
        let search = trace(TuneMethod::Spsa, 1, &[&[[1, 0]]]);
        let over = Trace { end: Some((vec![11], Verdict::of(score))), ..search.clone() };
        let told = text(&over, 200);
        let rows = ["| fox   |   3 |     1 |    1 |        70.0 |", "| geese |   1 |     3 |    1 |        50.0 |"];
        assert!(rows.iter().all(|row| told.contains(row)), "{told}");
        assert!(told.contains("| both  |   4 |     4 |    2 | 60.0 ± 22.3 |"), "{told}");
        assert!(told.contains("Of 5 pairs it won 2 and lost 1; 2 were level."), "{told}");
        for end in [None, Some((vec![10], Verdict::Unmoved))] {
            assert!(final_match(&Trace { end, ..search.clone() }).is_none());
        }
    }

    #[test]
    fn learned_weights_have_a_table_by_searcher() {
        let mut score = PairedScore::default();
        score.add_pair([1, 0]);
        let learned = |verdict| {
            let end = Some((vec![], verdict));
            text(&Trace { end, ..trace(TuneMethod::Learn, 0, &[]) }, 200)
        };
        let met = learned(Verdict::Met(vec![[score; 2]; 2]));
        assert!(met.contains("| mcts      |    1/1 |   1 |     1 |    0 |    75.0 |"), "{met}");
        let won = Conversion { both: 20, learned: 4, present: 1, neither: 5 };
        let converted = learned(Verdict::Converted([won; 2]));
        assert!(converted.contains("| alphabeta |       30 |      24 |      21 |"), "{converted}");
    }

    #[test]
    fn games_that_teach_nothing_are_named() {
        let drawn = text(&trace(TuneMethod::Spsa, 1, &[&[[0, 0]; 19], &[[1, 0]]]), 400);
        assert!(drawn.contains("98 % of the games were drawn, which teaches nothing: the limits or"), "{drawn}");
        let split = text(&trace(TuneMethod::Spsa, 1, &[&[[-1, 1]; 10]]), 400);
        assert!(split.contains("100 % of the points were won by the geese, whatever the values"), "{split}");
        assert!(!text(&trace(TuneMethod::Spsa, 1, &[&[[1, 1], [-1, -1], [0, 0]]]), 400).contains("teaches"));
    }
}
