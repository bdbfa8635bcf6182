//! Prints the figures of `reynard goose stats` as tables.

use reynard_engine::chances::{ChancesMethod, FieldStats, HazardStats, MeanEstimate, RaceStats};

use crate::cli::number_table::{columns, lines_of_words, number_table};

/// Fields beside each other, where there is room for so many.
const COLUMNS: usize = 4;
/// A field and its visits.
const COLUMN_WIDTH: usize = 29;

pub(super) fn tables(stats: &RaceStats) -> String {
    let race = "First: of two such counters that take turns, each for itself.";
    let race = if stats.players == 1 { lines_of_words(race) } else { String::new() };
    let of_hazards = "Hazards, all counters together; \"without\" is the game in which that field is a plain one.";
    let of_visits = "Visits in a game, all counters together: touched on the move / rested on at the end of it.";
    format!(
        "{}\n{}\n{race}\n{}\n\n{}\n{}\n\n{}\n{}\n",
        lines_of_words(&heading(stats)),
        summary(stats),
        players(stats),
        lines_of_words(of_hazards),
        hazards(&stats.hazards),
        lines_of_words(of_visits),
        fields(&stats.fields),
    )
}

fn heading(stats: &RaceStats) -> String {
    let RaceStats { ruleset, players, .. } = stats;
    let plural = if *players == 1 { "" } else { "s" };
    let method = match stats.method {
        ChancesMethod::Exact { states, residual, sweeps } => {
            format!("solved exactly: {states} positions, {sweeps} sweeps, residual {residual:.1e}")
        }
        ChancesMethod::Simulation { games } => format!("{games} games played out; ± is half the 95 % interval"),
        ChancesMethod::Decided => "decided".to_owned(),
    };
    format!("{ruleset}, {players} player{plural}, {method}")
}

/// A number with its error, where it has one.
fn number(MeanEstimate { mean, error }: MeanEstimate) -> String {
    if error > 0.0 { format!("{mean:.3} ± {error:.3}") } else { format!("{mean:.6}") }
}

/// A difference.
fn signed(estimate: MeanEstimate) -> String {
    format!("{}{}", if estimate.mean < 0.0 { "" } else { "+" }, number(estimate))
}

fn summary(stats: &RaceStats) -> String {
    let rows = [
        ("player-turns, missed ones counted", stats.turns),
        ("rolls", stats.rolls),
        ("the first player wins", stats.first_player_wins),
        ("above an equal share", stats.first_player_advantage()),
        ("nobody wins", MeanEstimate::exact(stats.draw)),
        ("counters sent back by others", stats.sent_back),
        ("first throws of 9", stats.nines),
    ];
    number_table(1, ["what", "figure"], rows.map(|(what, estimate)| [what.to_owned(), number(estimate)]))
}

fn players(stats: &RaceStats) -> String {
    let rows = stats
        .chances
        .iter()
        .enumerate()
        .map(|(index, player)| [format!("p{}", index + 1), number(player.win), number(player.pot)]);
    number_table(1, ["player", "wins", "expected winnings"], rows)
}

fn hazards(hazards: &[HazardStats]) -> String {
    let rows = hazards.iter().map(|hazard| {
        [
            format!("{} {}", hazard.field, hazard.hazard),
            number(hazard.strikes),
            number(hazard.missed_turns),
            number(hazard.turns_without),
            signed(hazard.turns_effect),
            number(hazard.first_without),
            signed(hazard.first_effect),
        ]
    });
    let header = ["hazard", "strikes", "turns missed", "turns without", "effect", "first without", "effect"];
    number_table(1, header, rows)
}

fn fields(fields: &[FieldStats]) -> String {
    let beside = (columns() / COLUMN_WIDTH).clamp(1, COLUMNS);
    let height = fields.len().div_ceil(beside);
    let cells = |field: &FieldStats| {
        let kind = if field.kind == "plain" { "" } else { field.kind };
        let visits = format!("{:.3} / {:.3}", field.touched.mean, field.rested.mean);
        [format!("{} {kind}", field.field).trim_end().to_owned(), visits]
    };
    let rows = (0..height).map(|row| fields.iter().skip(row).step_by(height).flat_map(cells));
    number_table(2 * beside, ["field", "visits"].repeat(beside), rows)
}
