//! Uniformly random games: the throughput counts moves.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::session::registry::{self, RulesetChoice};

/// Random games need not end.
const LONGEST: u64 = 10_000;
const GAMES: u32 = 100;

fn playouts(criterion: &mut Criterion) {
    for ruleset in ["masters-15", "siege", "great-siege"] {
        let session = registry::open(&RulesetChoice::catalog(ruleset)).expect("a ruleset of the catalog");
        // The moves of the same games every time.
        let games = || session.random_playouts(GAMES, LONGEST, &mut ChaCha8Rng::seed_from_u64(1));
        let mut group = criterion.benchmark_group("playouts");
        group.sample_size(20).throughput(Throughput::Elements(games()));
        group.bench_function(ruleset, |bencher| bencher.iter(games));
        group.finish();
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
