//! What the search benches share: one search of a fixed number of nodes from a start position.

use criterion::{BenchmarkGroup, Throughput, measurement::WallTime};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{GoRequest, Options};

/// Measures searches of `nodes` nodes with these options; every one begins with an empty memory.
pub fn bench(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, settings: &[(&str, &str)], nodes: u64) {
    let mut options = registry::default_options();
    for &(option, value) in [("Hash", "4")].iter().chain(settings) {
        options.set(option, Some(value)).expect("an option of the engine");
    }
    group.sample_size(10).throughput(Throughput::Elements(nodes));
    group.bench_function(name, |bencher| bencher.iter(|| search(&options, nodes)));
}

fn search(options: &Options, nodes: u64) {
    let mut session = registry::open(&RulesetChoice::catalog("masters-15")).expect("a ruleset of the catalog");
    let search = session.prepare(&GoRequest::nodes(nodes), options).expect("every move is allowed");
    search.start(Box::new(|_| {})).join();
}
