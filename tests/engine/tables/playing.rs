//! The engine with tables makes no mistake: every move keeps the value, and a win or loss its distance.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::geometry::PointSet;
use reynard_engine::rules::hunt::{Hunt, Position, Ruleset, Side};
use reynard_engine::rules::{Game, Notation};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{Event, GoRequest, Options, Session};
use reynard_engine::tablebase::build::{BuildRequest, LayerLimit, Resources};
use reynard_engine::tablebase::{HuntTableBuilder, Metric, Store, TableBuilder};
use tempfile::tempdir;

const RULESET: &str = "bell-13";
const GEESE: u32 = 5;
const POSITIONS: usize = 1_000;
const GAMES: usize = 100;
const PLIES: usize = 40;
const NODES: u64 = 60;

fn game() -> Hunt<u64> {
    game_of(RULESET)
}

fn game_of(ruleset: &str) -> Hunt<u64> {
    Hunt::new(&Ruleset::from_catalog(ruleset, &[]).unwrap())
}

/// Texts of random positions that are not over, with four or five geese: there every result is frequent.
fn positions(count: usize, seed: u64) -> Vec<String> {
    let (game, mut rng) = (game(), ChaCha8Rng::seed_from_u64(seed));
    let mut points: Vec<_> = game.all().iter().collect();
    let draw = || {
        points.shuffle(&mut rng);
        let geese: PointSet<u64> = points[1..=rng.random_range(4..=GEESE as usize)].iter().copied().collect();
        let side = if rng.random_bool(0.5) { Side::Fox } else { Side::Geese };
        Position::new(PointSet::of(points[0]), geese, side)
    };
    let open = std::iter::repeat_with(draw).filter(|position| game.turn(position).seat().is_some());
    open.take(count).map(|position| game.position_text(&position)).collect()
}

/// A session and options of one searcher with the tables of a folder.
fn player(ruleset: &str, searcher: &str, folder: &Path) -> (Box<dyn Session>, Options) {
    let mut options = registry::default_options();
    for (name, value) in [("Searcher", searcher), ("TablePath", folder.to_str().unwrap()), ("Hash", "1")] {
        options.set(name, Some(value)).unwrap();
    }
    (registry::open(&RulesetChoice::catalog(ruleset)).unwrap(), options)
}

/// What the searcher plays in the present position.
fn answer(session: &mut dyn Session, options: &Options) -> String {
    scored_answer(session, options).0
}

/// The same with the plies to the end that its last score tells, if it does; negative for a loss.
fn scored_answer(session: &mut dyn Session, options: &Options) -> (String, Option<i32>) {
    let (mut best, mut plies) = (None, None);
    let mut sink = |event| match event {
        Event::Done(answer) => best = answer.map(|answer| answer.best),
        Event::Info(info) => plies = info.lines.first().and_then(|line| line.score.plies_to_end()),
        _ => {}
    };
    session.prepare(&GoRequest::nodes(NODES), options).unwrap().run(&Arc::new(AtomicBool::new(false)), &mut sink);
    (best.expect("a move"), plies)
}

/// Plays the searcher's move and checks it against the tables.
fn play_checked(session: &mut dyn Session, options: &Options) {
    let value = session.table_value(options, Metric::Conversion).unwrap().expect("a covered position");
    let values = session.move_table_values(options, Metric::Conversion).unwrap();
    let mv = answer(session, options);
    let after = values.iter().find(|(text, _)| *text == mv).and_then(|(_, verdict)| *verdict).expect("a verdict");
    let text = session.position_text();
    assert_eq!(after.winner, value.winner, "{text}: {mv} changes the value");
    // An irreversible move converts at once, any other leads one ply nearer. A loser may prefer to repeat a position.
    let is_fixed = value.winner == session.side_to_move() || session.moves().is_empty();
    let left = value.distance;
    let nearer = value.winner.is_none() || left == 1 || !is_fixed || after.distance == left;
    assert!(nearer, "{text}: {mv} leads from {:?} to {after:?}", value);
    session.play(&mv).unwrap();
}

#[test]
fn with_tables_no_move_loses_value() {
    let folder = tempdir().unwrap();
    let request = BuildRequest { limit: LayerLimit::Exactly(GEESE), resources: Resources::default() };
    HuntTableBuilder::new(game()).unwrap().build(folder.path(), &request, &()).unwrap();
    for searcher in ["alphabeta", "mcts"] {
        let (mut session, options) = player(RULESET, searcher, folder.path());
        for text in positions(POSITIONS, 1) {
            session.set_position(Some(&text), &[]).unwrap();
            play_checked(&mut *session, &options);
        }
    }
}

#[test]
fn with_tables_no_game_loses_value() {
    let folder = tempdir().unwrap();
    let request = BuildRequest { limit: LayerLimit::Exactly(GEESE), resources: Resources::default() };
    HuntTableBuilder::new(game()).unwrap().build(folder.path(), &request, &()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (number, text) in positions(GAMES, 2).into_iter().enumerate() {
        let (mut session, options) = player(RULESET, ["alphabeta", "mcts"][number % 2], folder.path());
        session.set_position(Some(&text), &[]).unwrap();
        for _ in 0..PLIES {
            if session.turn().seat().is_none() {
                break;
            }
            play_checked(&mut *session, &options);
            // The opponent plays at random.
            let replies = session.legal_moves();
            if !replies.is_empty() {
                session.play(&replies[rng.random_range(0..replies.len())]).unwrap();
            }
        }
    }
}

/// Builds tables of both kinds and plays won positions out: those given, and the longest wins. The greatest distances
/// to the end by winner, and how many wins have a conversion before the end.
fn play_out(ruleset: &str, geese: u32, texts: Vec<String>) -> ([u32; 2], u32) {
    let folder = tempdir().unwrap();
    let request = BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() };
    let mut builder = HuntTableBuilder::new(game_of(ruleset)).unwrap();
    for metric in Metric::ALL {
        builder.set_metric(metric);
        builder.build(folder.path(), &request, &()).unwrap();
    }
    let store = Store::open(folder.path(), builder.identity().clone()).unwrap();
    let longest_wins = store.layers().values().flat_map(|file| file.header.summary.longest.clone());
    let (mut longest, mut past_conversion) = ([0; 2], 0);
    for (number, text) in texts.into_iter().chain(longest_wins.map(|win| win.position)).enumerate() {
        let (mut session, options) = player(ruleset, ["alphabeta", "mcts"][number % 2], folder.path());
        session.set_position(Some(&text), &[]).unwrap();
        let value = |session: &dyn Session, metric| session.table_value(&options, metric).unwrap().unwrap();
        let (to_end, to_conversion) = (value(&*session, Metric::End), value(&*session, Metric::Conversion));
        assert_eq!(to_end.winner, to_conversion.winner, "{text}");
        let Some(winner) = to_end.winner else { continue };
        assert!(to_conversion.distance <= to_end.distance, "{text}");
        past_conversion += u32::from(to_conversion.distance < to_end.distance);
        let longest = &mut longest[winner.index()];
        *longest = to_end.distance.max(*longest);
        for left in (1..=to_end.distance).rev() {
            let sign = if session.side_to_move() == Some(winner) { 1 } else { -1 };
            let (mv, told) = scored_answer(&mut *session, &options);
            assert_eq!(told, Some(sign * left as i32), "{text}: {} before {mv}", session.position_text());
            session.play(&mv).unwrap();
        }
        let end = session.turn().outcome().unwrap_or_else(|| panic!("{text}: {} goes on", session.position_text()));
        assert_eq!(end.winner, Some(winner), "{text}");
    }
    (longest, past_conversion)
}

#[test]
fn with_distances_to_the_end_every_mate_is_true() {
    let (by_side, past_conversion) = play_out(RULESET, GEESE, positions(GAMES, 4));
    assert!(by_side[0].max(by_side[1]) > 30 && past_conversion > 10, "{by_side:?}, {past_conversion}");
    let (by_side, past_conversion) = play_out("fox-and-hounds", 4, Vec::new());
    assert!(by_side[0].min(by_side[1]) > 20 && past_conversion > 0, "{by_side:?}, {past_conversion}");
}
