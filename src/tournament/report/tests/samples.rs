//! Journals of random games for the tests of this room.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::json;

use crate::tournament::Fixture;
use crate::tournament::header::{JournalHeader, VERSION};
use crate::tournament::journal::Journal;
use crate::tournament::record::{
    Cause, DICE, Ending, EngineScore, FinishedGame, Forfeit, GameRecord, GameTimes, Opening, Opinion, PlayedMove,
};
use crate::tournament::ruleset::{Ruleset, SeatNames};

/// A name that would end a script, open an element and close an attribute.
pub(crate) const NASTY: &str = "A</script><script>alert(1)</script>\"'&<!--";

pub(crate) fn header(rulesets: &[&str]) -> JournalHeader {
    JournalHeader {
        version: VERSION,
        program: "reynard test".to_owned(),
        played: serde_json::from_value(json!({
            "name": "sample", "format": "sprt",
            "sprt": {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "normalized"},
            "engines": [{"name": NASTY, "limits": {"nodes": 200}}, {"name": "B", "limits": {"clock_ms": 1000, "increment_ms": 10}}],
        }))
        .expect("a spec"),
        rulesets: rulesets.iter().map(|name| ruleset(name)).collect(),
        engines: vec![NASTY.to_owned(), "B".to_owned()],
        shard: None,
    }
}

/// As the spec's resolver writes it; a name that the catalog does not have has no rules.
fn ruleset(name: &str) -> Ruleset {
    let seat = |name: &str| SeatNames { name: name.to_owned(), role: name.to_owned() };
    let known = Ruleset::new(RulesetChoice::catalog(name));
    known.map_or_else(|_| Ruleset::unknown(name, ["p1", "p2"].map(seat)), |known| Ruleset { choice: None, ..known })
}

/// Game `number` of a ruleset: random moves, the same on every call, at most 80 of them.
pub(crate) fn game(rulesets: &[&str], number: u64) -> FinishedGame {
    let index = (number / 2) as usize % rulesets.len();
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let opened = registry::open(&RulesetChoice::catalog(rulesets[index]));
    let fixture = Fixture {
        game: number,
        pair: number / 2,
        ruleset: index,
        opening: number / 2,
        seats: if number.is_multiple_of(2) { [0, 1] } else { [1, 0] },
    };
    let (mut moves, movers, winner, reason) = match opened {
        Ok(mut session) => playout(&mut *session, &mut rng),
        Err(_) => (
            vec!["e2-e4".to_owned(), "<b>".to_owned(), "c7c5".to_owned()],
            "010".to_owned(),
            None,
            "agreed <draw>".to_owned(),
        ),
    };
    let played = moves.split_off(moves.len().min(2));
    let ending = match number % 7 {
        6 => Ending { winner: Some(1), cause: Cause::Forfeit(Forfeit::Crash), reason: format!("{NASTY} crashed") },
        _ => Ending { winner, cause: Cause::Rules, reason },
    };
    let times = GameTimes {
        game: number,
        started_unix_ms: 1_790_000_000_000 + number * 1000,
        move_us: played.iter().map(|_| rng.random_range(0..2_000_000)).collect(),
    };
    let chosen = played.into_iter().map(|text| PlayedMove::new(text, opinion(&mut rng))).collect();
    let movers = movers[moves.len()..].to_owned();
    let opening = Opening { start: None, moves };
    let record = GameRecord { fixture, opening, moves: chosen, movers, ending };
    FinishedGame { record, times }
}

fn opinion(rng: &mut ChaCha8Rng) -> Opinion {
    let score = match rng.random_range(0..4) {
        0 => None,
        1 => Some(EngineScore::Mate(rng.random_range(-9..9))),
        _ => Some(EngineScore::Centipieces(rng.random_range(-2000..2000))),
    };
    let number = rng.random_range(0..5_000_000);
    Opinion {
        score,
        depth: (number % 3 > 0).then_some(number % 40),
        nodes: (number % 5 > 0).then_some(u64::from(number)),
        variation: None,
    }
}

fn playout(session: &mut dyn Session, rng: &mut ChaCha8Rng) -> (Vec<String>, String, Option<u8>, String) {
    let mut movers = String::new();
    while session.moves().len() < 80 {
        let legal = session.legal_moves();
        if legal.is_empty() {
            break;
        }
        let chosen = &legal[rng.random_range(0..legal.len())];
        movers.push(session.turn().seat().map_or(DICE, |seat| char::from(b'0' + seat.0)));
        session.play(chosen).expect("a legal move");
    }
    let outcome = session.turn().outcome();
    let winner = outcome.and_then(|outcome| outcome.winner).map(|seat| seat.0);
    (session.moves(), movers, winner, session.reason().unwrap_or_else(|| "too long".to_owned()))
}

/// Writes a journal with this number of games.
pub(crate) fn write(folder: &Path, rulesets: &[&str], games: u64) {
    let mut journal = Journal::create(folder, &header(rulesets)).expect("a new journal");
    let games: Vec<FinishedGame> = (0..games).map(|number| game(rulesets, number)).collect();
    journal.append(&games).expect("written games");
}
