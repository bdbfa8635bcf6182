//! Compares the solver with plain search and published numbers, and checks its proofs.

use std::collections::{BTreeMap, HashMap};

use super::levels::only;
use super::problem::PegProblem;
use super::*;
use crate::geometry::{Point, PointSet, StraightJump};
use crate::rules::Game;
use crate::rules::solitaire::{Ruleset, Solitaire};

type Pegs = PointSet<u128>;

/// A puzzle on the board of this name, with orthogonal jumps only.
fn board(name: &str) -> Puzzle {
    let switches = [("board", name), ("vacancy", "c1"), ("target", "c1")];
    let switches = switches.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let game = Solitaire::<u64>::new(&Ruleset::from_catalog("solitaire", &switches).expect("a ruleset"));
    Puzzle::of(&game, &game.start())
}

/// A puzzle with pegs on all holes but one, and this target.
fn puzzle(board: &Puzzle, vacancy: Point, target: &[Point]) -> Puzzle {
    let start = board.board.all().without(vacancy);
    Puzzle { start, targets: vec![target.iter().copied().collect()], ..board.clone() }
}

fn never() -> bool {
    false
}

/// Plays the moves and compares the pegs left with the target.
fn assert_solves(puzzle: &Puzzle, solution: &Solution) {
    let mut pegs = puzzle.start;
    for holes in &solution.moves {
        for step in holes.windows(2) {
            let jump = puzzle.board.jumps().find(|jump| [jump.from, jump.to] == *step).expect("a jump of the board");
            assert!(pegs.has(jump.from) && pegs.has(jump.over) && !pegs.has(jump.to), "{step:?} with {pegs:?}");
            pegs = pegs.without(jump.from).without(jump.over).with(jump.to);
        }
    }
    assert!(puzzle.targets.contains(&pegs));
}

#[test]
fn every_vacancy_and_survivor_of_the_cross_is_decided() {
    let cross = board("cross33");
    assert_eq!(cross.board.jumps().count(), 76);
    let points = cross.board.points();
    let (mut solved, mut by_class) = (0, 0);
    for &vacancy in points {
        for &target in points {
            let puzzle = puzzle(&cross, vacancy, &[target]);
            match puzzle.solve(Wanted::Any, &WorkLimits::new(&never)).expect("nothing stops it") {
                Answer::Solved(solution) => {
                    assert_solves(&puzzle, &solution);
                    solved += 1;
                }
                Answer::Impossible(Proof::Class { holes }) => {
                    let odd = |pegs: Pegs| holes.iter().filter(|&&hole| pegs.has(hole)).count() % 2;
                    let holes_of = |jump: StraightJump| [jump.from, jump.over, jump.to].into_iter().collect();
                    assert!(puzzle.board.jumps().all(|jump| odd(holes_of(jump)) == 0));
                    assert_ne!(odd(puzzle.start), odd(puzzle.targets[0]));
                    by_class += 1;
                }
                other => panic!("{vacancy:?} to {target:?}: {other:?}"),
            }
        }
    }
    // Beasley: every problem that the position class allows has a solution. The 16 classes hold nearly equal numbers of
    // holes.
    assert_eq!(solved + by_class, 33 * 33);
    let same_class = |a: [u8; 2], b: [u8; 2]| a[0] % 3 == b[0] % 3 && a[1] % 3 == b[1] % 3;
    let places: Vec<[u8; 2]> = points.iter().map(|&point| [cross.board.file(point), cross.board.rank(point)]).collect();
    let pairs = places.iter().flat_map(|&a| places.iter().map(move |&b| (a, b)));
    assert_eq!(solved, pairs.filter(|&(a, b)| same_class(a, b)).count());
}

/// A position of plain search: the pegs, and the hole to which the last jump went.
type Reached = (Pegs, Option<Point>);

/// Solves a position by plain search: the number of ways to solve it, and the fewest moves. Positions in `known` are
/// not searched again.
fn exhaust(puzzle: &Puzzle, at: Reached, known: &mut HashMap<Reached, (u128, Option<usize>)>) -> (u128, Option<usize>) {
    if let Some(&found) = known.get(&at) {
        return found;
    }
    let (pegs, last) = at;
    let (mut ways, mut fewest) = if puzzle.targets.contains(&pegs) { (1, Some(0)) } else { (0, None) };
    for jump in puzzle.board.jumps() {
        if pegs.has(jump.from) && pegs.has(jump.over) && !pegs.has(jump.to) {
            let after = pegs.without(jump.from).without(jump.over).with(jump.to);
            let below = exhaust(puzzle, (after, Some(jump.to)), known);
            let moves = below.1.map(|moves| moves + usize::from(last != Some(jump.from)));
            ways += below.0;
            fewest = [fewest, moves].into_iter().flatten().min();
        }
    }
    known.insert(at, (ways, fewest));
    (ways, fewest)
}

fn assert_like_plain_search(puzzle: &Puzzle) -> bool {
    let (ways, fewest) = exhaust(puzzle, (puzzle.start, None), &mut HashMap::new());
    let limits = WorkLimits::new(&never);
    assert_eq!(puzzle.count(&limits), Ok(Some(ways)), "{puzzle:?}");
    if let [target] = puzzle.targets[..] {
        let wide = ways::count::<u128>(&PegProblem::new(puzzle, target), &limits);
        assert_eq!(wide, Ok(Some(ways)), "{puzzle:?}, in wide words");
    }
    for answer in [puzzle.solve(Wanted::Any, &limits), puzzle.solve(Wanted::FewestMoves, &limits)] {
        match answer.expect("nothing stops it") {
            Answer::Solved(solution) => {
                assert_solves(puzzle, &solution);
                let (moves, fewest) = (solution.moves.len(), fewest.expect("plain search finds it, too"));
                assert!(moves >= fewest && (!solution.minimal || moves == fewest));
            }
            Answer::Impossible(_) => assert_eq!(ways, 0, "{puzzle:?}"),
        }
    }
    assert!(
        matches!(puzzle.solve(Wanted::FewestMoves, &limits), Ok(Answer::Solved(Solution { minimal: true, .. })))
            == (ways > 0)
    );
    ways > 0
}

#[test]
fn small_boards_agree_with_plain_search() {
    let mut solved = 0;
    for board in ["grid(4,3)", "grid(6,2)", "grid(4,4)"].map(board) {
        let points = board.board.points();
        let last = points[points.len() - 1];
        for vacancy in [0, 1, 5] {
            let targets = points.iter().map(|&point| PointSet::of(point)).collect();
            let any_single_peg = Puzzle { targets, ..puzzle(&board, Point(vacancy), &[last]) };
            solved += usize::from(assert_like_plain_search(&any_single_peg));
            for &target in points {
                solved += usize::from(assert_like_plain_search(&puzzle(&board, Point(vacancy), &[target])));
            }
            for target in [&[0, 1, 2, 3][..], &[1, 4, 6], &[0, last.0]] {
                let target: Vec<Point> = target.iter().copied().map(Point).collect();
                solved += usize::from(assert_like_plain_search(&puzzle(&board, Point(vacancy), &target)));
            }
        }
    }
    assert!(solved > 5, "only {solved} problems had solutions");
}

/// The points of the cross with these names.
fn named(board: &Puzzle, text: &str) -> Pegs {
    text.split(' ').map(|name| board.board.parse(name).expect("a hole of the cross")).collect()
}

#[test]
fn a_pagoda_function_refutes_what_the_class_allows() {
    let cross = board("cross33");
    let (start, target) = (named(&cross, "a3 a4 c4 d4 f4 g4 a5 g5 c6 d7"), named(&cross, "b3 a5 d5"));
    let same_class = Puzzle { start, targets: vec![target], ..cross };
    let answer = same_class.solve(Wanted::Any, &WorkLimits::new(&never)).expect("nothing stops it");
    let Answer::Impossible(Proof::Pagoda { weights, start, target }) = answer else { panic!("{answer:?}") };
    let weights: BTreeMap<Point, i32> = weights.into_iter().collect();
    let weight = |point: Point| weights.get(&point).copied().unwrap_or(0);
    assert!(same_class.board.jumps().all(|jump| weight(jump.from) + weight(jump.over) >= weight(jump.to)));
    let worth = |pegs: Pegs| pegs.iter().map(weight).sum::<i32>();
    assert_eq!((worth(same_class.start), worth(same_class.targets[0])), (start, target));
    assert!(start < target);
}

#[test]
fn what_no_weights_refute_is_refuted_by_trying_everything() {
    let cross = board("cross33");
    let (start, target) = (named(&cross, "e1 e2 d3 a4 e4 d5 e5 f5 d6 c7"), named(&cross, "e2 d4 c7"));
    let hopeless = Puzzle { start, targets: vec![target], ..cross };
    let answer = hopeless.solve(Wanted::Any, &WorkLimits::new(&never)).expect("nothing stops it");
    assert!(matches!(answer, Answer::Impossible(Proof::Search { positions }) if positions > 0), "{answer:?}");
    assert!(!assert_like_plain_search(&hopeless));
}

#[test]
fn no_single_peg_at_all_is_left_on_the_french_board() {
    let switches = [("target".to_owned(), "any_single_peg".to_owned())];
    let game = Solitaire::<u64>::new(&Ruleset::from_catalog("solitaire-french", &switches).expect("a ruleset"));
    let puzzle = Puzzle::of(&game, &game.start());
    let answer = puzzle.solve(Wanted::Any, &WorkLimits::new(&never)).expect("nothing stops it");
    let Answer::Impossible(proof) = answer else { panic!("{answer:?}") };
    let Proof::Each { proofs } = &proof else { panic!("{proof:?}") };
    assert!(proofs.len() < 37 && proofs.iter().all(|(_, proof)| proof.kind() == "class"), "{proofs:?}");
    let text = proof.text(&|hole| puzzle.name(hole));
    assert!(text.contains("d4: class: no jump changes"), "{text}");
}

#[test]
fn the_cross_has_twenty_one_single_problems() {
    let cross = board("cross33");
    let problems = cross.single_problems();
    assert_eq!(problems.len(), 21);
    let limits = WorkLimits::new(&never);
    for [vacancy, survivor] in problems {
        let problem = puzzle(&cross, vacancy, &[survivor]);
        let answer = problem.solve(Wanted::Any, &limits).expect("nothing stops it");
        let Answer::Solved(solution) = answer else { panic!("{problem:?}: {answer:?}") };
        assert_solves(&problem, &solution);
    }
}

#[test]
fn reachable_positions_of_the_central_game_match_the_vector() {
    let vector: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/vectors/solitaire.json")).expect("a vector file");
    let known = &vector["central_game"];
    let cross = board("cross33");
    let centre = cross.board.centre().expect("d4");
    let problem: PegProblem<u64> = PegProblem::new(&puzzle(&cross, centre, &[centre]), PointSet::of(centre));
    let mut level = only(problem.start);
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
    let cross = board("cross33");
    let corner = cross.board.points()[0];
    let puzzle = puzzle(&cross, corner, &[corner]);
    assert_eq!(puzzle.solve(Wanted::FewestMoves, &WorkLimits::new(&|| true)), Err(GaveUp::Stopped));
    let mut limits = WorkLimits::new(&never);
    limits.max_nodes = 10_000;
    assert_eq!(puzzle.solve(Wanted::FewestMoves, &limits), Err(GaveUp::Nodes));
    let mut limits = WorkLimits::new(&never);
    limits.max_bytes = 1 << 16;
    assert_eq!(puzzle.solve(Wanted::FewestMoves, &limits), Err(GaveUp::Memory));
}
