//! Bar charts, and ratings with their error bars.

use std::collections::BTreeMap;

use maud::Markup;

use crate::svg::{Canvas, Scale, short};
use crate::tournament::record::written_name;
use crate::tournament::standings::{RoleResults, Summary};
use crate::tournament::stats::Sample;

const ROW: f64 = 26.0;
/// Where the names end and the drawing begins.
const NAMES: f64 = 150.0;
/// So many letters have room there.
const NAME_LETTERS: usize = 20;
const RIGHT: f64 = Canvas::WIDTH - 14.0;
const TOP: f64 = 8.0;

pub(super) fn ratings(summary: &Summary) -> Option<Markup> {
    let rated: Vec<_> = summary.ranked().filter_map(|engine| Some((engine, engine.rating.elo?))).collect();
    if rated.is_empty() {
        return None;
    }
    let ends = rated.iter().flat_map(|(engine, elo)| {
        let error = engine.rating.error.unwrap_or(0.0);
        [elo - error, elo + error, 0.0]
    });
    let scale = Scale::over(ends, NAMES, RIGHT);
    let bottom = TOP + ROW * rated.len() as f64;
    let mut canvas = Canvas::default();
    canvas.ticks_below(scale, TOP, bottom);
    for (row, (engine, elo)) in rated.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let error = engine.rating.error.unwrap_or(0.0);
        canvas.text("value", "end", (NAMES - 10.0, y + 4.0), &short(&engine.name, NAME_LETTERS));
        canvas.line("whisker", (scale.at(elo - error), y), (scale.at(elo + error), y));
        canvas.dot((scale.at(*elo), y), 4.0);
    }
    Some(canvas.figure(bottom + 24.0, "Rating, Elo with 95 % interval"))
}

pub(super) fn sides(summary: &Summary) -> Option<Markup> {
    let rows: Vec<(&str, &RoleResults)> = summary
        .ranked()
        .flat_map(|engine| engine.overall.roles.iter().map(|role| (engine.name.as_str(), role)))
        .filter(|(_, role)| role.games.games() > 0)
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut canvas = Canvas::default();
    for (row, (engine, role)) in rows.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let room = NAME_LETTERS.saturating_sub(role.role.chars().count() + 2).max(4);
        canvas.text("value", "end", (NAMES - 10.0, y + 17.0), &format!("{}, {}", short(engine, room), role.role));
        let mut x = NAMES;
        for (word, games) in [("won", role.games.wins), ("drawn", role.games.draws), ("lost", role.games.losses)] {
            let width = (RIGHT - NAMES) * games as f64 / role.games.games() as f64;
            canvas.bar(word, (x, y + 4.0), (width, ROW - 8.0), &format!("{engine} as {}: {games} {word}", role.role));
            x += width;
        }
    }
    let y = TOP + ROW * rows.len() as f64 + 6.0;
    for (place, class) in ["won", "drawn", "lost"].iter().enumerate() {
        let x = NAMES + 90.0 * place as f64;
        canvas.bar(class, (x, y), (10.0, 10.0), class);
        canvas.text("tick", "start", (x + 15.0, y + 9.0), class);
    }
    Some(canvas.figure(y + 18.0, "Results per side"))
}

/// More columns than this would be too thin.
const MOST_BINS: u32 = 48;

pub(super) fn lengths(summary: &Summary) -> Option<Markup> {
    let mut games: BTreeMap<u32, u64> = BTreeMap::new();
    for length in summary.rulesets.iter().flat_map(|ruleset| &ruleset.lengths) {
        *games.entry(length.plies).or_default() += length.games;
    }
    let (&shortest, _) = games.first_key_value()?;
    let (&longest, _) = games.last_key_value()?;
    let width = (longest - shortest) / MOST_BINS + 1;
    let mut bins = vec![0u64; ((longest - shortest) / width + 1) as usize];
    games.iter().for_each(|(plies, games)| bins[((plies - shortest) / width) as usize] += games);
    let most = bins.iter().copied().max().filter(|&most| most > 0)?;
    let (left, bottom, height) = (48.0, 190.0, 176.0);
    let mut canvas = Canvas::default();
    canvas.ticks_left(Scale { low: 0.0, high: most as f64, from: bottom, to: bottom - height }, left, RIGHT);
    let step = (RIGHT - left) / bins.len() as f64;
    for (bin, &games) in bins.iter().enumerate() {
        let first = shortest + bin as u32 * width;
        let size = height * games as f64 / most as f64;
        let title = if width == 1 {
            format!("{first} plies: {games}")
        } else {
            format!("{first} to {} plies: {games}", first + width - 1)
        };
        canvas.bar("won", (left + step * bin as f64 + 0.5, bottom - size), ((step - 1.0).min(40.0), size), &title);
    }
    canvas.text("tick", "start", (left, bottom + 16.0), &shortest.to_string());
    canvas.text("tick", "end", (RIGHT, bottom + 16.0), &format!("{longest} plies"));
    Some(canvas.figure(bottom + 24.0, "Length of the games, plies"))
}

pub(super) fn reasons(summary: &Summary) -> Option<Markup> {
    let mut games: BTreeMap<&str, u64> = BTreeMap::new();
    for count in summary.rulesets.iter().flat_map(|ruleset| &ruleset.reasons) {
        *games.entry(&count.reason).or_default() += count.wins + count.draws + count.losses;
    }
    ranked(games.into_iter().map(|(reason, games)| (reason.to_owned(), games)).collect(), "Endings, games")
}

pub(super) fn forfeits(summary: &Summary) -> Option<Markup> {
    let counts = summary.engines.iter().flat_map(|engine| {
        let name = |kind| format!("{}: {}", engine.name, written_name(kind));
        engine.overall.forfeits.iter().map(move |count| (name(count.kind), count.games))
    });
    ranked(counts.collect(), "Forfeits, games")
}

const MOST_ROWS: usize = 14;

/// The most frequent first.
fn ranked(mut counts: Vec<(String, u64)>, caption: &str) -> Option<Markup> {
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let most = counts.first()?.1.max(1);
    counts.truncate(MOST_ROWS);
    let mut canvas = Canvas::default();
    for (row, (name, games)) in counts.iter().enumerate() {
        let y = TOP + 1.6 * ROW * row as f64;
        canvas.text("value", "start", (0.0, y + 12.0), &short(name, 60));
        let width = (Canvas::WIDTH - 70.0) * *games as f64 / most as f64;
        canvas.bar("won", (0.0, y + 17.0), (width.max(1.0), 12.0), &format!("{name}: {games}"));
        canvas.text("tick", "start", (width.max(1.0) + 8.0, y + 27.0), &games.to_string());
    }
    Some(canvas.figure(TOP + 1.6 * ROW * counts.len() as f64, caption))
}
