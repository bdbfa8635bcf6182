//! The engine with tables makes no mistake: every move keeps the value, and a win or loss its distance.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard::api::engine::registry::{self, RulesetChoice};
use reynard::api::engine::{Event, GoRequest, Options, SearchSession};
use reynard::api::geometry::PointSet;
use reynard::api::rules::hunt::{Hunt, Position, Ruleset, Side};
use reynard::api::rules::{Game, Notation};
use reynard::api::tablebase::build::{BuildRequest, LayerLimit, Resources};
use reynard::api::tablebase::{HuntTableBuilder, TableBuilder};
use tempfile::tempdir;

const RULESET: &str = "bell-13";
const GEESE: u32 = 5;
const POSITIONS: usize = 2_000;
const GAMES: usize = 200;
const PLIES: usize = 40;
const NODES: u64 = 60;

fn game() -> Hunt<u64> {
    Hunt::new(&Ruleset::from_catalog(RULESET, &[]).unwrap())
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
fn player(searcher: &str, folder: &Path) -> (Box<dyn SearchSession>, Options) {
    let mut options = registry::default_options();
    for (name, value) in [("Searcher", searcher), ("TablePath", folder.to_str().unwrap()), ("Hash", "1")] {
        options.set(name, Some(value)).unwrap();
    }
    (registry::open(&RulesetChoice::catalog(RULESET)).unwrap(), options)
}

/// What the searcher plays in the present position.
fn answer(session: &mut dyn SearchSession, options: &Options) -> String {
    let mut best = None;
    let mut sink = |event| {
        if let Event::Done(answer) = event {
            best = answer.map(|answer| answer.best);
        }
    };
    session.prepare(&GoRequest::nodes(NODES), options).unwrap().run(&Arc::new(AtomicBool::new(false)), &mut sink);
    best.expect("a move")
}

/// Plays the searcher's move and checks it against the tables.
fn play_checked(session: &mut dyn SearchSession, options: &Options) {
    let value = session.table_value(options).unwrap().expect("a covered position");
    let values = session.move_table_values(options).unwrap();
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
    let request = BuildRequest { limit: LayerLimit::Exactly(GEESE), resources: Resources { memory: None, disk: None } };
    HuntTableBuilder::new(game()).unwrap().build(folder.path(), &request, &()).unwrap();
    for searcher in ["alphabeta", "mcts"] {
        let (mut session, options) = player(searcher, folder.path());
        for text in positions(POSITIONS, 1) {
            session.set_position(Some(&text), &[]).unwrap();
            play_checked(&mut *session, &options);
        }
    }
}

#[test]
fn with_tables_no_game_loses_value() {
    let folder = tempdir().unwrap();
    let request = BuildRequest { limit: LayerLimit::Exactly(GEESE), resources: Resources { memory: None, disk: None } };
    HuntTableBuilder::new(game()).unwrap().build(folder.path(), &request, &()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (number, text) in positions(GAMES, 2).into_iter().enumerate() {
        let (mut session, options) = player(["alphabeta", "mcts"][number % 2], folder.path());
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
