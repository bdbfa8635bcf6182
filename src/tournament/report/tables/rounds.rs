//! Tables of formats with rounds: places, meetings, byes.

use super::{TextTable, points};
use crate::tournament::schedule::{MeetingResult, Placing, RoundResult};
use crate::tournament::standings::Summary;

/// The places, and below them the rounds in order; nothing in formats without rounds.
pub(super) fn tables(summary: &Summary) -> Vec<TextTable> {
    summary.placing.as_ref().map_or(Vec::new(), |placing| vec![places(summary, placing), rounds(summary, placing)])
}

/// Who has won.
pub(super) fn winner(summary: &Summary) -> Option<String> {
    Some(format!("Winner: {}.", name(summary, summary.placing.as_ref()?.winner?)))
}

fn name(summary: &Summary, engine: usize) -> &str {
    summary.engines.get(engine).map_or("", |engine| &engine.name)
}

fn places(summary: &Summary, placing: &Placing) -> TextTable {
    let table = TextTable::of(
        "Placing",
        &placing.places,
        &[
            ("#", &|place| place.rank.to_string()),
            ("<Engine", &|place| name(summary, place.engine).to_owned()),
            ("Meeting points", &|place| points(place.meeting_points)),
            ("Game points", &|place| points(place.game_points)),
            ("Byes", &|place| place.byes.to_string()),
        ],
    );
    if placing.places.iter().all(|place| place.beaten_in.is_none()) {
        return table;
    }
    let beaten_in = |round: Option<u32>| round.map_or(String::new(), |round| round.to_string());
    table.with_column("Beaten in round", placing.places.iter().map(|place| beaten_in(place.beaten_in)).collect())
}

fn rounds(summary: &Summary, placing: &Placing) -> TextTable {
    let mut table =
        TextTable::new("Rounds", &["Round", "<Engine", "Points", "<Opponent", "Points", "Games", "<Winner"]);
    for round in &placing.rounds {
        let met = round.meetings.iter().map(|meeting| meeting_row(summary, round, meeting));
        table.rows.extend(met);
        let byes = round.byes.iter().map(|&engine| {
            let cells = [round.round.to_string(), name(summary, engine).to_owned()];
            let rest = ["", "(bye)", "", "", ""].map(str::to_owned);
            cells.into_iter().chain(rest).collect()
        });
        table.rows.extend(byes);
    }
    table.with_note("Rounds count from 0, as in the games.")
}

fn meeting_row(summary: &Summary, round: &RoundResult, meeting: &MeetingResult) -> Vec<String> {
    let [first, second] = meeting.engines;
    let winner = match meeting.winner {
        Some(winner) if meeting.by_seed => format!("{} (drawn; the better seed)", name(summary, winner)),
        Some(winner) => name(summary, winner).to_owned(),
        None if meeting.is_finished => "drawn".to_owned(),
        None => "not finished".to_owned(),
    };
    vec![
        round.round.to_string(),
        name(summary, first).to_owned(),
        points(meeting.points[0]),
        name(summary, second).to_owned(),
        points(meeting.points[1]),
        meeting.games.to_string(),
        winner,
    ]
}
