//! Tables of perfect play: solving, asking a table for positions that were never asked before, and searching just
//! outside of what tables cover.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use reynard_engine::geometry::PointSet;
use reynard_engine::rules::Notation;
use reynard_engine::rules::hunt::{Hunt, Position, Ruleset, Side};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{Event, GoRequest, Options, Session};
use reynard_engine::tablebase::build::{BuildRequest, LayerLimit, Resources};
use reynard_engine::tablebase::{HuntTableBuilder, HuntTables, Metric, TableBuilder};

const GEESE: u32 = 8;
const POSITIONS: usize = 100_000;
const ROOTS: usize = 6;
const NODES_A_ROOT: u64 = 300_000;

fn game() -> Hunt<u64> {
    Hunt::new(&Ruleset::from_catalog("bell-13", &[]).expect("a ruleset of the catalog"))
}

fn solve(folder: &Path, geese: u32) {
    let request = BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() };
    HuntTableBuilder::new(game()).and_then(|builder| builder.build(folder, &request, &())).expect("tables");
}

/// So many positions drawn from all placements of `geese`, which are not over.
fn positions(game: &Hunt<u64>, geese: u32, side: Side, count: usize) -> Vec<Position<u64>> {
    use reynard_engine::rules::Game;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut points: Vec<_> = game.all().iter().collect();
    let draw = || {
        points.shuffle(&mut rng);
        let geese: PointSet<u64> = points[1..=geese as usize].iter().copied().collect();
        Position::new(PointSet::of(points[0]), geese, side)
    };
    let open = |position: &Position<u64>| game.turn(position).seat().is_some();
    std::iter::repeat_with(draw).filter(open).take(count).collect()
}

fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tables");
    group.sample_size(10);
    group.bench_function("solve bell-13 with 4 to 7 geese, files included", |bencher| {
        bencher.iter(|| solve(tempfile::tempdir().expect("a folder").path(), 7));
    });
    let folder = tempfile::tempdir().expect("a folder");
    solve(folder.path(), GEESE);
    let game = game();
    let tables = HuntTables::open(&game, folder.path(), Metric::Conversion).expect("sound tables").expect("tables");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    for (side, name) in [(Side::Geese, "geese"), (Side::Fox, "fox")] {
        let positions = positions(&game, GEESE, side, POSITIONS);
        group.bench_function(format!("probe random positions, {name} to move"), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    let _ = black_box(tables.probe(&game, black_box(position)));
                }
            });
        });
    }
    group.finish();
    search(criterion, folder.path());
}

/// Searches of roots with one goose more than the tables in a folder, which are asked or not.
fn search(criterion: &mut Criterion, folder: &Path) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    let game = game();
    let drawn = [Side::Geese, Side::Fox].map(|side| positions(&game, GEESE + 1, side, 10 * ROOTS)).concat();
    for (searcher, nodes) in [("alphabeta", NODES_A_ROOT), ("mcts", NODES_A_ROOT / 15)] {
        let limits = [("0", "tables are not asked"), ("999", "tables are asked")];
        let options = limits.map(|(limit, _)| {
            let mut options = registry::default_options();
            let folder = folder.display().to_string();
            let settings = [("Searcher", searcher), ("TablePath", &folder), ("TableProbeLimit", limit)];
            settings.into_iter().for_each(|(name, value)| options.set(name, Some(value)).expect("an option"));
            options
        });
        let open = |root: &Position<u64>| {
            let mut session = registry::open(&RulesetChoice::catalog("bell-13")).expect("a game");
            session.set_position(Some(&game.position_text(root)), &[]).expect("a position");
            session
        };
        // A proof ends a search early.
        let is_long =
            |root: &&Position<u64>| options.iter().all(|options| run(&mut *open(root), options, nodes) >= nodes);
        let roots: Vec<_> = drawn.iter().filter(is_long).take(ROOTS).collect();
        group.throughput(Throughput::Elements(roots.len() as u64 * nodes));
        for (options, (_, name)) in options.iter().zip(limits) {
            let opened = || {
                let opened = |root: &&Position<u64>| {
                    let mut session = open(root);
                    // Opens the tables.
                    run(&mut *session, options, 1);
                    session
                };
                roots.iter().map(opened).collect::<Vec<_>>()
            };
            let search_all = |sessions: Vec<Box<dyn Session>>| {
                sessions.into_iter().map(|mut session| run(&mut *session, options, nodes)).sum::<u64>()
            };
            group.bench_function(format!("{searcher} with one goose more, {name}"), |bencher| {
                bencher.iter_batched(opened, search_all, BatchSize::PerIteration);
            });
        }
    }
    group.finish();
}

/// The nodes that a search took.
fn run(session: &mut dyn Session, options: &Options, nodes: u64) -> u64 {
    let mut taken = 0;
    let mut sink = |event| {
        if let Event::Info(info) = event {
            taken = info.nodes;
        }
    };
    let work = session.prepare(&GoRequest::nodes(nodes), options).expect("a search");
    work.run(&Arc::new(AtomicBool::new(false)), &mut sink);
    taken
}

criterion_group!(benches, tables);
criterion_main!(benches);
