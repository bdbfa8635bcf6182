//! Monte Carlo tree searches of a fixed number of iterations, with rollouts and with evaluation at the leaves.

mod searches;

use criterion::{Criterion, criterion_group, criterion_main};

const ITERATIONS: u64 = 20_000;

fn mcts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mcts");
    for (name, rollout_plies) in [("evaluation", "0"), ("rollouts", "200")] {
        let settings = [("Searcher", "mcts"), ("MctsRolloutPlies", rollout_plies)];
        searches::bench(&mut group, name, &settings, ITERATIONS);
    }
    group.finish();
}

criterion_group!(benches, mcts);
criterion_main!(benches);
