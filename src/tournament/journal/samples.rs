//! Heads and games for tests.

use serde_json::json;

use crate::tournament::Fixture;
use crate::tournament::header::{JournalHeader, VERSION};
use crate::tournament::record::{
    Cause, Ending, EngineScore, FinishedGame, GameRecord, GameTimes, Opening, Opinion, PlayedMove,
};
use crate::tournament::ruleset::{Ruleset, SeatNames};

pub(crate) fn header() -> JournalHeader {
    let seat = |name: &str| SeatNames { name: name.to_owned(), role: name.to_owned() };
    let ruleset = Ruleset {
        fingerprint: Some("0123456789abcdef".to_owned()),
        ..Ruleset::unknown("sample", [seat("fox"), seat("geese")])
    };
    JournalHeader {
        version: VERSION,
        program: "reynard test".to_owned(),
        played: serde_json::from_value(json!({
            "format": "match", "engines": [{"name": "a"}, {"name": "b", "options": {"Hash": 16}}], "seed": 1
        }))
        .expect("a spec"),
        rulesets: vec![ruleset],
        engines: vec!["a".to_owned(), "b".to_owned()],
        shard: None,
    }
}

/// Game `game` with so many plies, the same on every call.
pub(super) fn game(game: u64, plies: u64) -> FinishedGame {
    let (pair, swapped) = (game / 2, (game % 2) as usize);
    let played = |ply: u64| {
        let score = if ply % 7 == 6 { EngineScore::Mate(-3) } else { EngineScore::Centipieces(ply as i32 - 20) };
        let opinion =
            Opinion { score: Some(score), depth: Some(8), nodes: Some(1000 + game + ply), ..Opinion::default() };
        PlayedMove::new(format!("{}{}", ["a4a5", "größe"][(ply % 2) as usize], ply % 10), opinion)
    };
    let ending =
        Ending { winner: [None, Some(0), Some(1)][(game % 3) as usize], cause: Cause::Rules, reason: "so".into() };
    let fixture = Fixture { game, pair, ruleset: 0, opening: pair, seats: [swapped, 1 - swapped] };
    let record = GameRecord {
        fixture,
        opening: Opening { start: None, moves: vec!["x1".to_owned()] },
        moves: (0..plies).map(played).collect(),
        movers: "10".chars().cycle().take(plies as usize).collect(),
        ending,
    };
    let times = GameTimes { game, started_unix_ms: 1_790_000_000_000 + game, move_us: vec![1234; plies as usize] };
    FinishedGame { record, times }
}
