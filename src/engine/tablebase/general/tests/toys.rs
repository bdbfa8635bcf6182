//! Compares every position of toy rulesets with plain iteration.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::reference::Reference;
use super::{Tables, told, toy};
use crate::geometry::{Point, PointSet};
use crate::rules::hunt::{Huff, Hunt, Phase, Position, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::Metric;

/// All subsets of up to `most` of the points.
fn subsets(points: &[Point], most: u32) -> Vec<PointSet<u64>> {
    let set = |mask: u32| {
        let members = points.iter().enumerate().filter(move |(index, _)| mask >> index & 1 == 1);
        members.map(|(_, &point)| point).collect()
    };
    (0..1_u32 << points.len()).filter(|mask| mask.count_ones() <= most).map(set).collect()
}

/// All positions with at most `most_geese` geese that the ruleset's position text can express.
fn all_positions(game: &Hunt<u64>, most_geese: u32) -> Vec<Position<u64>> {
    let rules = &game.ruleset().rules;
    let comes_back = matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome);
    let (points, removes) = (game.board().points(), rules.huff == Huff::RemoveFox);
    let mut positions = Vec::new();
    for foxes in subsets(points, rules.foxes).into_iter().filter(|set| set.len() == rules.foxes || removes) {
        let free: Vec<Point> = points.iter().copied().filter(|&point| !foxes.has(point)).collect();
        for geese in subsets(&free, most_geese) {
            let most_hand = if comes_back { most_geese } else { rules.drops };
            let hands = 0..=most_hand.min(most_geese - geese.len());
            for hand in hands.map(|hand| hand as u8) {
                let board = |side| Position { hand, ..Position::new(foxes, geese, side) };
                positions.extend([board(Side::Fox), board(Side::Geese)]);
                if comes_back {
                    positions.push(Position { phase: Phase::Drop, ..board(Side::Geese) });
                }
                if removes {
                    let foxes: Vec<Point> = foxes.iter().collect();
                    let owed = subsets(&foxes, 9).into_iter().filter(|owed| owed.len() >= 2);
                    let removal = |owed| Position { phase: Phase::Remove, owed, ..board(Side::Geese) };
                    positions.extend(owed.map(removal));
                }
            }
        }
    }
    // The text refuses positions that do not occur, such as a drop without an empty point.
    positions.retain(|position| game.parse_position(&game.position_text(position)).as_ref() == Ok(position));
    positions
}

/// The changes with as many geese at the start as positions shall have; those that are missing stand on the first points.
fn with_army(changes: &Value, most_geese: u32) -> Value {
    let game: Hunt<u64> = toy(changes.clone());
    let start = game.start();
    let missing = most_geese.saturating_sub(start.geese().len() + game.ruleset().rules.drops);
    let points = game.board().points().iter().copied();
    let free = points.filter(|&point| !(start.geese() | start.foxes()).has(point)).take(missing as usize);
    let geese: Vec<String> = start.geese().iter().chain(free).map(|point| game.board().name(point)).collect();
    merged(changes, json!({ "geese": geese }))
}

/// Solves the layers of a toy and compares every position with plain iteration.
fn compare(changes: Value, most_geese: u32) {
    let changes = with_army(&changes, most_geese);
    let longest = Metric::ALL.map(|metric| compare_distances(&changes, metric, most_geese));
    assert!(longest[0] <= longest[1], "{changes}: no end comes before the first conversion");
}

/// Compares every position for one metric; returns the greatest distance.
fn compare_distances(changes: &Value, metric: Metric, most_geese: u32) -> u32 {
    let game: Hunt<u64> = toy(changes.clone());
    let roots = all_positions(&game, most_geese);
    let first: Vec<Position<u64>> = if game.ruleset().rules.first_move_forward {
        roots.iter().map(|&position| Position { first: true, ..position }).collect()
    } else {
        Vec::new()
    };
    let reference = Reference::of(&game, metric, roots.into_iter().chain(first));
    let tables = Tables::solve(game, metric, most_geese);
    let game = &tables.game;
    let (mut decisive, mut longest, mut undecided) = (0, 0, 0);
    for position in reference.all() {
        let over = game.turn(position).outcome().is_some();
        let expected = reference.value(position);
        match tables.entry(position) {
            Some(entry) => {
                let found = entry.winner().map(|winner| (winner, entry.distance()));
                assert_eq!(found, expected, "{changes}: {}", told(game, position));
            }
            None => assert!(over || position.first, "{changes}: no entry for {}", told(game, position)),
        }
        undecided += usize::from(!over);
        decisive += usize::from(!over && expected.is_some());
        longest = longest.max(expected.map_or(0, |(_, distance)| distance));
    }
    assert!(decisive > 0 && longest > 1, "{changes}: nothing to compare ({undecided} positions)");
    every_place_is_taken_once(&tables, &reference);
    longest
}

/// Checks that each number of a layer is the number of its own position, and that the reference has that position.
fn every_place_is_taken_once(tables: &Tables<u64>, reference: &Reference<u64>) {
    for (space, ..) in &tables.layers {
        let taken: HashSet<u64> = reference.all().filter_map(|position| space.number(position)).collect();
        for flat in 0..space.positions() {
            let position = space.position(flat);
            assert_eq!(space.number(&position), Some(flat), "{}", told(&tables.game, &position));
            // A drop without an empty point is no position.
            let occurs = position.phase != Phase::Drop || tables.game.turn(&position).outcome().is_none();
            assert!(taken.contains(&flat) || !occurs, "{} is missing", told(&tables.game, &position));
        }
    }
}

#[test]
fn one_fox() {
    compare(json!({}), 4);
    compare(json!({ "goose_moves": ["forward", "backward", "sideways"] }), 5);
    compare(json!({ "board": "grid(3,4)", "fox_wins_below": 2, "goose_moves": ["forward"] }), 3);
    compare(json!({ "board": "grid(4,3)", "chain": false, "capture": "forced" }), 3);
}

#[test]
fn diagonals() {
    let points = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
    let lines = [
        ["a1", "b1"],
        ["b1", "c1"],
        ["a2", "b2"],
        ["b2", "c2"],
        ["a3", "b3"],
        ["b3", "c3"],
        ["a1", "a2"],
        ["a2", "a3"],
        ["b1", "b2"],
        ["b2", "b3"],
        ["c1", "c2"],
        ["c2", "c3"],
        ["a1", "b2"],
        ["c1", "b2"],
        ["a3", "b2"],
        ["c3", "b2"],
    ];
    let board = json!({ "points": points, "lines": lines });
    for diagonal in ["full", "capture_only", "none"] {
        compare(json!({ "board": board, "fox_diagonal": diagonal }), 4);
    }
    // Without one of its lines the board has no mirror.
    let lopsided = json!({ "points": points, "lines": lines[..15] });
    compare(json!({ "board": lopsided, "foxes": 2, "fox_start": ["a3", "b3"] }), 3);
}

#[test]
fn several_foxes() {
    let two = json!({ "foxes": 2, "fox_start": ["a3", "c3"] });
    compare(two.clone(), 4);
    compare(merged(&two, json!({ "goose_moves": ["forward", "backward", "sideways"], "capture": "forced" })), 3);
    compare(merged(&two, json!({ "capture": "forced", "forced_chain": true, "board": "grid(3,4)" })), 2);
    compare(json!({ "foxes": 3, "fox_start": ["a3", "b3", "c3"] }), 3);
}

#[test]
fn huffs_that_take_foxes_off() {
    let one = json!({ "huff": "remove_fox" });
    let two = json!({ "huff": "remove_fox", "foxes": 2, "fox_start": ["a3", "c3"] });
    let three = json!({ "huff": "remove_fox", "foxes": 3, "fox_start": ["a3", "b3", "c3"] });
    compare(one, 4);
    compare(two.clone(), 4);
    let aside = json!({
        "huff_partial_chain": true, "goose_moves": ["sideways", "backward"], "geese": ["a1", "b1", "a2"],
    });
    compare(merged(&two, aside), 3);
    compare(three.clone(), 3);
    compare(merged(&three, json!({ "goose_moves": ["forward", "backward", "sideways"] })), 2);
}

#[test]
fn huffs_that_bring_geese_back() {
    for huff in ["add_goose", "add_goose_home"] {
        let one = json!({ "huff": huff, "geese": ["a1", "b1", "c1"] });
        compare(one.clone(), 4);
        compare(merged(&one, json!({ "huff_partial_chain": true, "fox_wins_below": 2 })), 4);
        compare(merged(&one, json!({ "goose_moves": ["forward", "backward"], "chain": false })), 3);
        compare(merged(&one, json!({ "foxes": 2, "fox_start": ["a3", "c3"], "huff_partial_chain": true })), 3);
        compare(merged(&one, json!({ "board": "grid(5,3)", "geese": ["a1", "b1", "c1", "d1", "e1"] })), 2);
    }
}

#[test]
fn stocks() {
    let stock = json!({ "drops": 3, "geese": [], "foxes": 2, "fox_start": ["a3", "c3"] });
    compare(stock.clone(), 4);
    compare(merged(&stock, json!({ "fox_wins_below": 2, "huff": "remove_fox" })), 3);
    compare(merged(&stock, json!({ "goose_moves": ["forward", "backward", "sideways"], "geese_stuck": "pass" })), 3);
}

#[test]
fn geese_that_pass() {
    compare(json!({ "geese_stuck": "pass" }), 4);
    compare(json!({ "geese_stuck": "pass", "foxes": 2, "fox_start": ["a3", "c3"], "goose_moves": ["forward"] }), 3);
}

#[test]
fn foxes_that_pass_and_draws_without_a_move() {
    compare(json!({ "fox_stuck": "pass" }), 4);
    compare(json!({ "fox_stuck": "pass", "geese_stuck": "pass", "huff": "remove_fox" }), 3);
    compare(json!({ "fox_stuck": "draw", "geese_stuck": "draw", "goose_moves": ["forward"] }), 4);
    compare(json!({ "fox_stuck": "pass", "drops": 3, "geese": [] }), 3);
}

#[test]
fn jumps_over_lines_of_unequal_lengths() {
    let board = json!({
        "points": ["a1", "b1", "d1", "a2", "b2", "d2", "a4", "b4", "d4"],
        "lines": [
            ["a1", "b1"], ["b1", "d1"], ["a2", "b2"], ["b2", "d2"], ["a4", "b4"], ["b4", "d4"], ["a1", "a2"],
            ["a2", "a4"], ["b1", "b2"], ["b2", "b4"], ["d1", "d2"], ["d2", "d4"],
        ],
    });
    let changes = json!({ "board": board, "fox_start": ["b4"], "geese": ["a1", "b1"] });
    compare(changes.clone(), 4);
    compare(merged(&changes, json!({ "huff": "add_goose" })), 3);
}

#[test]
fn jumps_over_rows_and_long_steps() {
    let line = json!({ "board": "grid(6,1)", "goose_moves": ["sideways"], "fox_start": ["f1"] });
    compare(merged(&line, json!({ "jump_rows": "any" })), 4);
    compare(merged(&line, json!({ "jump_rows": "odd", "fox_range": 2, "chain": false })), 4);
    compare(json!({ "fox_range": 0 }), 4);
    compare(json!({ "fox_range": 0, "foxes": 2, "fox_start": ["a3", "c3"], "huff": "remove_fox" }), 3);
}

#[test]
fn goals_of_the_foxes() {
    compare(json!({ "fox_goal": ["a1", "b1"] }), 3);
    compare(json!({ "fox_goal": ["a1"], "goose_moves": ["forward", "sideways", "backward"] }), 3);
    compare(json!({ "fox_goal": "past_geese", "goose_moves": ["forward", "sideways"] }), 3);
}

#[test]
fn first_moves() {
    compare(json!({ "first_move_forward": true }), 3);
    compare(json!({ "first_move_forward": true, "geese_stuck": "pass" }), 3);
    compare(json!({ "first_move_forward": true, "drops": 2 }), 3);
}

#[test]
fn goals_in_a_region() {
    compare(json!({ "fox_home_wins": true }), 4);
    compare(json!({ "fox_home_wins": true, "fox_captures": false, "first": "fox" }), 3);
    let siege = json!({ "fortress": ["a3", "b3", "c3"], "geese": ["a1", "b1", "c1", "a2"], "fox_wins_below": 3 });
    for moves in ["forward_plus_edge", "forward_sideways", "shortest_path", "any"] {
        compare(merged(&siege, json!({ "attacker_moves": moves })), 4);
    }
    let two = json!({ "fox_start": ["a3", "c3"], "foxes": 2, "fill_rule": "any_piece", "huff": "remove_fox" });
    compare(merged(&siege, two), 4);
    // A fortress in a corner is not its own mirror image.
    let corner = json!({ "fortress": ["a3", "a2"], "fox_wins_below": 2, "attacker_moves": "any" });
    compare(merged(&siege, corner), 4);
}

#[test]
fn wide_boards_agree_with_narrow_ones() {
    let changes = json!({ "foxes": 2, "fox_start": ["a3", "c3"], "huff": "remove_fox" });
    let narrow = Tables::<u64>::solve(toy(changes.clone()), Metric::Conversion, 3);
    let wide = Tables::<u128>::solve(toy(changes), Metric::Conversion, 3);
    for (one, other) in narrow.layers.iter().zip(&wide.layers) {
        assert_eq!((&one.1, &one.2), (&other.1, &other.2));
    }
}

#[test]
fn mirror_images_have_equal_entries() {
    let changes = json!({ "foxes": 2, "fox_start": ["a3", "c3"], "huff": "remove_fox", "board": "grid(4,3)" });
    let tables = Tables::<u64>::solve(toy(changes), Metric::Conversion, 3);
    let board = tables.game.board();
    let mirror = |set: PointSet<u64>| -> PointSet<u64> {
        set.iter().filter_map(|point| board.at(board.width() - 1 - board.file(point), board.rank(point))).collect()
    };
    for (space, ..) in &tables.layers {
        for flat in 0..space.positions() {
            let position = space.position(flat);
            let image = Position::new(mirror(position.foxes()), mirror(position.geese()), position.turn);
            let image = Position { phase: position.phase, owed: mirror(position.owed), ..image };
            assert_eq!(tables.entry(&image), tables.entry(&position), "{}", told(&tables.game, &position));
        }
    }
}

/// A JSON object with the keys of both; those of `other` win.
fn merged(one: &Value, other: Value) -> Value {
    let mut all = one.clone();
    if let (Some(all), Value::Object(other)) = (all.as_object_mut(), other) {
        all.extend(other);
    }
    all
}
