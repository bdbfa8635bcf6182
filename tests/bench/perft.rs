//! Move generation and making moves: perft of one game on a small word and one on a large word.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reynard_engine::session::registry::{self, RulesetChoice};

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (ruleset, depth) in [("masters-15", 7), ("two-foxes-24", 5), ("great-siege", 4)] {
        let session = registry::open(&RulesetChoice::catalog(ruleset)).expect("a ruleset of the catalog");
        group.throughput(Throughput::Elements(session.perft(depth)));
        group.bench_function(format!("{ruleset} depth {depth}"), |bencher| {
            bencher.iter(|| session.perft(black_box(depth)));
        });
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
