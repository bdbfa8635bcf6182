//! Words and numbers that the subcommands share.

use reynard_engine::rules::hunt::Side;
use reynard_engine::tablebase::{LongestWin, Metric, TableValue};

/// `4-9, 11`: increasing numbers, neighbours joined.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let texts = runs.filter_map(|run| match (run.first()?, run.last()?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first}-{last}")),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// `1 ply`, `7 plies`.
pub(super) fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// `1 goose`, `13 geese`.
pub(super) fn geese(number: u32) -> String {
    if number == 1 { "1 goose".to_owned() } else { format!("{number} geese") }
}

/// `13 geese, turn g, geese win: 12 plies, POSITION`.
pub(super) fn longest_line(number: u32, LongestWin { turn, winner, plies: length, position }: &LongestWin) -> String {
    let winner = if *winner == 'f' { "fox wins" } else { "geese win" };
    format!("{}, turn {turn}, {winner}: {}, {position}", geese(number), plies(*length))
}

/// `geese win, 7 plies to conversion`.
pub(super) fn value_text(value: TableValue<Side>, metric: Metric) -> String {
    let plies = format!("{} {}", plies(value.distance), metric.goal());
    match value.winner {
        None => "draw".to_owned(),
        Some(Side::Fox) => format!("fox wins, {plies}"),
        Some(Side::Geese) => format!("geese win, {plies}"),
    }
}

#[cfg(test)]
mod tests {
    use indicatif::HumanCount;

    use super::*;

    #[test]
    fn numbers_for_people() {
        let grouped = [0, 999, 1_000, 12_345_678].map(|number| HumanCount(number).to_string());
        assert_eq!(grouped, ["0", "999", "1,000", "12,345,678"]);
        assert_eq!([ranges(&[]), ranges(&[4]), ranges(&[4, 5, 6, 8, 10, 11])], ["", "4", "4-6, 8, 10-11"]);
        assert_eq!([plies(1), plies(7), geese(1), geese(13)], ["1 ply", "7 plies", "1 goose", "13 geese"]);
    }
}
