//! Uniformly random games: the throughput counts moves.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::{Game, random_playout};
use reynard_engine::session::GameSupport;
use reynard_engine::session::registry::{self, GameVisitor, RulesetChoice};

struct Playouts<'a> {
    criterion: &'a mut Criterion,
    ruleset: &'static str,
}

/// Random games need not end.
const LONGEST: u64 = 10_000;
const GAMES: u32 = 100;

impl GameVisitor for Playouts<'_> {
    type Output = ();

    fn visit<G: GameSupport>(self, game: G) {
        let mut group = self.criterion.benchmark_group("playouts");
        group.sample_size(20).throughput(Throughput::Elements(games(&game)));
        group.bench_function(self.ruleset, |bencher| bencher.iter(|| games(&game)));
        group.finish();
    }
}

/// The moves of the same games every time.
fn games<G: Game>(game: &G) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..GAMES).map(|_| random_playout(game, LONGEST, &mut rng)).sum()
}

fn playouts(criterion: &mut Criterion) {
    for ruleset in ["masters-15", "siege", "great-siege"] {
        let visitor = Playouts { criterion, ruleset };
        registry::visit(&RulesetChoice::catalog(ruleset), visitor).expect("a ruleset of the catalog");
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
