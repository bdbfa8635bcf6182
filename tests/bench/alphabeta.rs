//! Alpha-beta searches of a fixed number of nodes.

mod searches;

use criterion::{Criterion, criterion_group, criterion_main};

const NODES: u64 = 200_000;

fn alphabeta(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alphabeta");
    for threads in ["1", "2"] {
        let settings = [("Searcher", "alphabeta"), ("Threads", threads)];
        searches::bench(&mut group, &format!("threads {threads}"), &settings, NODES);
    }
    group.finish();
}

criterion_group!(benches, alphabeta);
criterion_main!(benches);
