//! The line that cutechess-cli prints about a finished game, which tuning programs read.

use reynard_engine::rules::Seat;

use super::result_text;
use crate::tournament::record::{Cause, Forfeit, GameRecord};

/// `Finished game 3 (A vs B): 1-0 {Black loses on time}`, the engine of the first seat first.
pub(crate) fn finished_line(record: &GameRecord, engines: &[String]) -> String {
    let fixture = &record.fixture;
    let players = fixture.seats.map(|engine| engines.get(engine).map_or("?", String::as_str));
    let (number, players, result) = (fixture.game + 1, players.join(" vs "), result_text(record));
    // Some readers know one byte a letter only.
    let plain = |letter: char| if letter.is_ascii() && !letter.is_ascii_control() { letter } else { '?' };
    let reason: String = reason(record).chars().map(plain).collect();
    format!("Finished game {number} ({players}): {result} {{{reason}}}")
}

/// In the words of cutechess-cli where it has any: White sits first, Black second.
fn reason(record: &GameRecord) -> String {
    let ending = &record.ending;
    let colour = |seat: Seat| if seat == Seat::P1 { "White" } else { "Black" };
    let colours = ending.winner().map(|winner| [colour(winner), colour(winner.other())]);
    let words = capitalised(&ending.reason);
    match (&ending.cause, colours) {
        (Cause::Rules, _) => words,
        (Cause::Forfeit(kind), Some([_, loser])) => match kind {
            Forfeit::Time => format!("{loser} loses on time"),
            Forfeit::Hang => format!("{loser}'s connection stalls"),
            Forfeit::IllegalMove => format!("{loser} makes an illegal move: {words}"),
            Forfeit::NoMove => format!("{loser} resigns"),
            Forfeit::Start | Forfeit::Crash | Forfeit::ClosedPipe => format!("{loser} disconnects"),
            Forfeit::Garbage | Forfeit::HugeLine | Forfeit::Flood | Forfeit::Refused => {
                format!("{loser} disconnects: {words}")
            }
        },
        (_, Some([winner, _])) => format!("{winner} wins by adjudication: {words}"),
        (_, None) => format!("Draw by adjudication: {words}"),
    }
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::fixture::Fixture;
    use crate::tournament::record::Ending;

    fn told(winner: Option<Seat>, cause: Cause, reason: &str) -> String {
        let fixture = Fixture { game: 6, pair: 3, round: 3, ruleset: 0, opening: 3, seats: [1, 0] };
        let ending = Ending::new(winner, cause, reason);
        let record = GameRecord::without_moves(fixture, ending);
        let line = finished_line(&record, &["A".to_owned(), "B".to_owned()]);
        line.strip_prefix("Finished game 7 (B vs A): ").expect("the first seat is told first").to_owned()
    }

    #[test]
    fn reasons_are_spelled_as_cutechess_spells_them() {
        let forfeit = |kind| told(Some(Seat::P2), Cause::Forfeit(kind), "late by 3 ms");
        assert_eq!(forfeit(Forfeit::Time), "0-1 {White loses on time}");
        assert_eq!(forfeit(Forfeit::Hang), "0-1 {White's connection stalls}");
        assert_eq!(forfeit(Forfeit::Crash), "0-1 {White disconnects}");
        assert_eq!(
            told(Some(Seat::P1), Cause::Forfeit(Forfeit::IllegalMove), "move 'd4\u{e9}\n'"),
            "1-0 {Black makes an illegal move: Move 'd4??'}"
        );
        assert_eq!(
            told(Some(Seat::P1), Cause::Rules, "fox side has no legal move"),
            "1-0 {Fox side has no legal move}"
        );
        assert_eq!(
            told(Some(Seat::P1), Cause::ResignAdjudication, "resigned by score"),
            "1-0 {White wins by adjudication: Resigned by score}"
        );
        assert_eq!(told(None, Cause::PlyLimit, "400 plies"), "1/2-1/2 {Draw by adjudication: 400 plies}");
    }
}
