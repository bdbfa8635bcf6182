//! Against plain search, published numbers and proofs that are checked.

use std::collections::HashMap;

use super::board::{PegBoard, set};
use super::levels::only;
use super::problem::PegProblem;
use super::*;
use crate::geometry::{shape, symmetries};

/// The graph of a shape of the square grid, orthogonal jumps only, holes row by row from the bottom.
pub(super) fn graph(name: &str) -> JumpGraph {
    let board = shape(name).expect("a known shape");
    let number = |point| board.points().iter().position(|&other| other == point).map(|at| at as u8);
    let mut graph = JumpGraph { holes: board.points().len(), ..JumpGraph::default() };
    for &from in board.points() {
        for (file, rank) in [(1i8, 0i8), (-1, 0), (0, 1), (0, -1)] {
            let at = |steps: i8| {
                let file = board.file(from) as i8 + file * steps;
                let rank = board.rank(from) as i8 + rank * steps;
                let place = (u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
                number(board.at(place.0, place.1)?)
            };
            if let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) {
                graph.jumps.push([a, b, c]);
            }
        }
    }
    for symmetry in symmetries(&board) {
        graph.symmetries.push(board.points().iter().filter_map(|&point| number(symmetry.point(point))).collect());
    }
    graph
}

fn puzzle(graph: &JumpGraph, vacancy: u8, target: u8) -> Puzzle {
    let start = (0..graph.holes as u8).filter(|&hole| hole != vacancy).collect();
    Puzzle { graph: graph.clone(), start, target: vec![target] }
}

fn never() -> bool {
    false
}

/// Plays the moves and compares the pegs left with the target.
fn assert_solves(puzzle: &Puzzle, solution: &Solution) {
    let mut pegs: Vec<u8> = puzzle.start.clone();
    for holes in &solution.moves {
        for step in holes.windows(2) {
            let fits = |jump: &&[u8; 3]| jump[0] == step[0] && jump[2] == step[1];
            let [from, over, to] = *puzzle.graph.jumps.iter().find(fits).expect("a jump of the board");
            assert!(pegs.contains(&from) && pegs.contains(&over) && !pegs.contains(&to), "{step:?} with {pegs:?}");
            pegs.retain(|&hole| hole != from && hole != over);
            pegs.push(to);
        }
    }
    pegs.sort_unstable();
    assert_eq!(pegs, puzzle.target);
}

#[test]
fn every_vacancy_and_survivor_of_the_cross_is_decided() {
    let graph = graph("cross33");
    assert_eq!(graph.jumps.len(), 76);
    let (mut solved, mut by_class) = (0, 0);
    for vacancy in 0..33 {
        for target in 0..33 {
            let puzzle = puzzle(&graph, vacancy, target);
            match puzzle.solve(&WorkLimits::new(&never)).expect("nothing stops it") {
                Answer::Solved(solution) => {
                    assert_solves(&puzzle, &solution);
                    solved += 1;
                }
                Answer::Impossible(Proof::Class { holes }) => {
                    assert!(
                        graph.jumps.iter().all(|jump| jump.iter().filter(|hole| holes.contains(hole)).count() % 2 == 0)
                    );
                    let odd = |pegs: &[u8]| pegs.iter().filter(|hole| holes.contains(hole)).count() % 2;
                    assert_ne!(odd(&puzzle.start), odd(&puzzle.target));
                    by_class += 1;
                }
                other => panic!("{vacancy} to {target}: {other:?}"),
            }
        }
    }
    // Beasley: what the position class allows has a solution. The 16 classes hold nearly equal numbers of holes.
    assert_eq!(solved + by_class, 33 * 33);
    let same_class = |a: [u8; 2], b: [u8; 2]| a[0] % 3 == b[0] % 3 && a[1] % 3 == b[1] % 3;
    let board = shape("cross33").expect("a known shape");
    let places: Vec<[u8; 2]> = board.points().iter().map(|&point| [board.file(point), board.rank(point)]).collect();
    let pairs = places.iter().flat_map(|&a| places.iter().map(move |&b| (a, b)));
    assert_eq!(solved, pairs.filter(|&(a, b)| same_class(a, b)).count());
}

/// Pegs, and the hole that the last jump went to.
type Reached = (Vec<bool>, Option<u8>);

/// Everything that plain search finds below a position: in how many ways it can be solved, in how few moves. What is
/// `known` is not searched again.
fn exhaust(
    graph: &JumpGraph,
    at: Reached,
    target: &[bool],
    known: &mut HashMap<Reached, (u128, Option<usize>)>,
) -> (u128, Option<usize>) {
    if let Some(&found) = known.get(&at) {
        return found;
    }
    let (pegs, last) = &at;
    let (mut ways, mut fewest) = if pegs == target { (1, Some(0)) } else { (0, None) };
    for &[from, over, to] in &graph.jumps {
        let [a, b, c] = [from, over, to].map(usize::from);
        if pegs[a] && pegs[b] && !pegs[c] {
            let mut after = pegs.clone();
            (after[a], after[b], after[c]) = (false, false, true);
            let below = exhaust(graph, (after, Some(to)), target, known);
            let moves = below.1.map(|moves| moves + usize::from(*last != Some(from)));
            ways += below.0;
            fewest = [fewest, moves].into_iter().flatten().min();
        }
    }
    known.insert(at, (ways, fewest));
    (ways, fewest)
}

fn assert_like_plain_search(puzzle: &Puzzle) -> bool {
    let flags = |pegs: &[u8]| (0..puzzle.graph.holes as u8).map(|hole| pegs.contains(&hole)).collect::<Vec<bool>>();
    let start = (flags(&puzzle.start), None);
    let (ways, fewest) = exhaust(&puzzle.graph, start, &flags(&puzzle.target), &mut HashMap::new());
    let limits = WorkLimits::new(&never);
    assert_eq!(puzzle.count(&limits), Ok(Some(ways)), "{puzzle:?}");
    for answer in [puzzle.solve(&limits), puzzle.shortest(&limits)] {
        match answer.expect("nothing stops it") {
            Answer::Solved(solution) => {
                assert_solves(puzzle, &solution);
                let (moves, fewest) = (solution.moves.len(), fewest.expect("plain search finds it, too"));
                assert!(moves >= fewest && (!solution.minimal || moves == fewest));
            }
            Answer::Impossible(_) => assert_eq!(ways, 0, "{puzzle:?}"),
        }
    }
    assert!(matches!(puzzle.shortest(&limits), Ok(Answer::Solved(Solution { minimal: true, .. }))) == (ways > 0));
    ways > 0
}

/// A board of w x h holes.
fn rectangle(width: i8, height: i8) -> JumpGraph {
    let mut graph = JumpGraph { holes: (width * height) as usize, ..JumpGraph::default() };
    let hole = |x: i8, y: i8| ((0..width).contains(&x) && (0..height).contains(&y)).then_some((y * width + x) as u8);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            if let (Some(a), Some(b), Some(c)) = (hole(x, y), hole(x + dx, y + dy), hole(x + 2 * dx, y + 2 * dy)) {
                graph.jumps.push([a, b, c]);
            }
        }
    }
    let map = |image: &dyn Fn(i8, i8) -> (i8, i8)| {
        let holes = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        holes.map(|(x, y)| image(x, y)).map(|(x, y)| hole(x, y).unwrap_or_default()).collect::<Vec<u8>>()
    };
    graph.symmetries = vec![
        map(&|x, y| (width - 1 - x, y)),
        map(&|x, y| (x, height - 1 - y)),
        map(&|x, y| (width - 1 - x, height - 1 - y)),
    ];
    graph
}

#[test]
fn small_boards_agree_with_plain_search() {
    let mut solved = 0;
    for graph in [rectangle(4, 3), rectangle(6, 2), rectangle(4, 4)] {
        let holes = graph.holes as u8;
        for vacancy in [0, 1, 5] {
            for target in 0..holes {
                solved += usize::from(assert_like_plain_search(&puzzle(&graph, vacancy, target)));
            }
            let sets = [vec![0, 1, 2, 3], vec![1, 4, 6], vec![0, holes - 1]];
            for target in sets {
                let puzzle = Puzzle { target, ..puzzle(&graph, vacancy, 0) };
                solved += usize::from(assert_like_plain_search(&puzzle));
            }
        }
    }
    assert!(solved > 5, "only {solved} problems had solutions");
}

/// The holes of the cross by their names.
fn named(text: &str) -> Vec<u8> {
    let board = shape("cross33").expect("a known shape");
    let name = |name: &str| board.points().iter().position(|&point| board.name(point) == name).map(|at| at as u8);
    let mut holes: Vec<u8> = text.split(' ').map(|hole| name(hole).expect("a hole of the cross")).collect();
    holes.sort_unstable();
    holes
}

#[test]
fn a_pagoda_function_refutes_what_the_class_allows() {
    let (start, target) = (named("a3 a4 c4 d4 f4 g4 a5 g5 c6 d7"), named("b3 a5 d5"));
    let same_class = Puzzle { start, target, graph: graph("cross33") };
    let answer = same_class.solve(&WorkLimits::new(&never)).expect("nothing stops it");
    let Answer::Impossible(Proof::Pagoda { pagoda, start, target }) = answer else { panic!("{answer:?}") };
    assert!(pagoda.holds(&same_class.graph.jumps));
    let worth = |pegs: &[u8]| pegs.iter().map(|&hole| pagoda.weights[usize::from(hole)]).sum::<i32>();
    assert_eq!((worth(&same_class.start), worth(&same_class.target)), (start, target));
    assert!(start < target);
}

#[test]
fn what_no_weights_refute_is_refuted_by_trying_everything() {
    let (start, target) = (named("e1 e2 d3 a4 e4 d5 e5 f5 d6 c7"), named("e2 d4 c7"));
    let hopeless = Puzzle { start, target, graph: graph("cross33") };
    let answer = hopeless.solve(&WorkLimits::new(&never)).expect("nothing stops it");
    assert!(matches!(answer, Answer::Impossible(Proof::Search { positions }) if positions > 0), "{answer:?}");
    assert!(!assert_like_plain_search(&hopeless));
}

#[test]
fn the_cross_has_twenty_one_single_problems() {
    let problems = puzzle(&graph("cross33"), 0, 0).single_problems();
    assert_eq!(problems.len(), 21);
    let limits = WorkLimits::new(&never);
    for [vacancy, survivor] in problems {
        let problem = puzzle(&graph("cross33"), vacancy, survivor);
        let answer = problem.solve(&limits).expect("nothing stops it");
        let Answer::Solved(solution) = answer else { panic!("{problem:?}: {answer:?}") };
        assert_solves(&problem, &solution);
    }
}

#[test]
fn reachable_positions_of_the_central_game_match_the_vector() {
    let vector: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/vectors/solitaire.json")).expect("a vector file");
    let known = &vector["central_game"];
    let board: PegBoard<u64> = PegBoard::new(&graph("cross33"));
    let target: u64 = set(&named("d4"));
    let start = board.all ^ target;
    let problem = PegProblem::new(board, start, target);
    let mut level = only(start);
    let mut shortest_dead_game = None;
    for jumps in 0..=14 {
        let labelled: usize = level.keys().map(|pegs| problem.symmetries.orbit(pegs).size()).sum();
        let counted = serde_json::json!([jumps, labelled, level.len()]);
        assert_eq!(counted, known["levels_jumps_positions_classes"][jumps]);
        let mut children = Vec::new();
        for pegs in level.keys() {
            let (orbit, before) = (problem.symmetries.orbit(pegs), children.len());
            problem.board.for_each_jump(pegs, |jump, _| children.push(problem.symmetries.after(&orbit, jump)));
            if children.len() == before {
                shortest_dead_game.get_or_insert(jumps);
            }
        }
        level = children.into_iter().collect();
    }
    assert_eq!(serde_json::json!(shortest_dead_game), known["shortest_dead_game_jumps"]);
}

#[test]
fn stopping_and_limits_end_the_work() {
    let puzzle = puzzle(&graph("cross33"), 0, 0);
    assert_eq!(puzzle.shortest(&WorkLimits::new(&|| true)), Err(GaveUp::Stopped));
    let mut limits = WorkLimits::new(&never);
    limits.max_nodes = 10_000;
    assert_eq!(puzzle.shortest(&limits), Err(GaveUp::Nodes));
    let mut limits = WorkLimits::new(&never);
    limits.max_bytes = 1 << 16;
    assert_eq!(puzzle.shortest(&limits), Err(GaveUp::Memory));
}
