//! Peg solitaire: any solution from nothing, the list of all solvable positions, their ways, the fewest moves.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use reynard_engine::rules::Game;
use reynard_engine::rules::solitaire::{Ruleset, Solitaire};
use reynard_engine::solver::{Puzzle, Wanted, WorkLimits};

fn puzzle(vacancy: &str) -> Puzzle {
    let switches = ["vacancy", "target"].map(|key| (key.to_owned(), vacancy.to_owned()));
    let ruleset = Ruleset::from_catalog("solitaire", &switches).expect("a ruleset of the catalog");
    let game: Solitaire<u64> = Solitaire::new(&ruleset);
    Puzzle::of(&game, &game.start())
}

fn solver(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solver");
    group.sample_size(10);
    let limits = WorkLimits::new(&|| false);
    for vacancy in ["d4", "c7", "d7", "c4"] {
        let puzzle = puzzle(vacancy);
        group.bench_function(format!("any solution of {vacancy}"), |bencher| {
            bencher.iter(|| black_box(&puzzle).solve(Wanted::Any, &limits));
        });
    }
    let central = puzzle("d4");
    group.bench_function("count the central game", |bencher| bencher.iter(|| central.count(&limits)));
    group.bench_function("fewest moves of the central game", |bencher| {
        bencher.iter(|| central.solve(Wanted::FewestMoves, &limits))
    });
    group.finish();
}

criterion_group!(benches, solver);
criterion_main!(benches);
