//! Tables of perfect play: solving, and asking a mapped table for positions that were never asked before.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use reynard::api::geometry::PointSet;
use reynard::api::rules::hunt::{Hunt, Position, Ruleset, Side};
use reynard::api::tablebase::build::{BuildRequest, LayerLimit, Resources};
use reynard::api::tablebase::{HuntTableBuilder, HuntTables, TableBuilder};

const GEESE: u32 = 8;
const POSITIONS: usize = 100_000;

fn game() -> Hunt<u64> {
    Hunt::new(&Ruleset::from_catalog("bell-13", &[]).expect("a ruleset of the catalog"))
}

fn solve(folder: &Path, geese: u32) {
    let request = BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources { memory: None, disk: None } };
    HuntTableBuilder::new(game()).and_then(|builder| builder.build(folder, &request, &())).expect("tables");
}

/// Positions drawn from all placements, which are not over.
fn positions(game: &Hunt<u64>, side: Side) -> Vec<Position<u64>> {
    use reynard::api::rules::Game;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut points: Vec<_> = game.all().iter().collect();
    let draw = || {
        points.shuffle(&mut rng);
        let geese: PointSet<u64> = points[1..=GEESE as usize].iter().copied().collect();
        Position::new(PointSet::of(points[0]), geese, side)
    };
    let open = |position: &Position<u64>| game.turn(position).seat().is_some();
    std::iter::repeat_with(draw).filter(open).take(POSITIONS).collect()
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
    let tables = HuntTables::open(&game, folder.path()).expect("sound tables").expect("tables");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    for (side, name) in [(Side::Geese, "geese"), (Side::Fox, "fox")] {
        let positions = positions(&game, side);
        group.bench_function(format!("probe random positions, {name} to move"), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    let _ = black_box(tables.probe(&game, black_box(position)));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tables);
criterion_main!(benches);
