//! Boards of any lines, and the keys of hunts for placing, goals and ends, beyond those that the catalog's games use.

use reynard_engine::geometry::Vector;
use reynard_engine::rules::hunt::{Hunt, Ruleset, Side};
use reynard_engine::rules::solitaire::{self, Solitaire};
use reynard_engine::rules::{Game, Notation, Reason, Record};
use serde_json::{Value, json};

use crate::ruleset_files::{FILE, file_with, play_whole_games, read, refuse, switched};

fn hunt(file: &Value) -> Hunt<u64> {
    Hunt::new(&read(file).unwrap_or_else(|error| panic!("{error}")))
}

/// The legal moves of a position as texts, in alphabetical order.
fn moves(game: &Hunt<u64>, position: &str) -> Vec<String> {
    let position = game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| game.move_text(&position, mv)).collect();
    texts.sort();
    texts
}

#[test]
fn points_may_be_given_by_their_numbers() {
    let file = file_with(json!({
        "foxes": 2, "fox_start": [9, 11], "geese": [31, 32, "33", "c2"], "fortress": [1, "2"], "fox_wins_below": 1,
    }));
    let game = hunt(&file);
    assert_eq!(game.position_text(&game.start()), "3/3/2F1F2/7/7/G2/GGG g");
    assert_eq!(game.ruleset().fortress, ["c7", "d7"]);
    let numbers = game.info().board.more["numbers"].clone();
    assert_eq!((&numbers["c7"], &numbers["d4"], &numbers["e1"]), (&json!(1), &json!(17), &json!(33)));
    for (key, value, start) in [
        ("fox_start", "10", "3/3/G2F2G/G5G/GGGGGGG/GGG/GGG g"),
        ("fox_start", "[\"d5\"]", "3/3/G2F2G/G5G/GGGGGGG/GGG/GGG g"),
        ("geese", "31,32,33", "3/3/7/3F3/7/3/GGG g"),
        ("geese", "[31, 32, 33]", "3/3/7/3F3/7/3/GGG g"),
    ] {
        let ruleset = switched("masters-17", key, value).unwrap_or_else(|error| panic!("{error}"));
        let game = Hunt::<u64>::new(&ruleset);
        assert_eq!(game.position_text(&game.start()), start, "{key}={value}");
    }
    refuse(json!({ "fox_start": 34 }), "fox_start", &["34", "not a point"]);
    refuse(json!({ "fortress": [true] }), "fortress", &["true", "number"]);
    refuse(json!({ "board": "grid(7,7)", "geese": ["a1"], "fox_start": 10 }), "fox_start", &["10"]);
}

#[test]
fn a_jump_goes_straight_on_whatever_the_lengths_of_its_lines() {
    let file = json!({
        "name": "gaps", "fox_start": ["a1"], "geese": ["b1", "b2"], "fox_wins_below": 1,
        "board": {
            "points": ["a1", "b1", "d1", "a2", "b2", "c3", "f6", "e4"],
            "lines": [["a1", "b1"], ["b1", "d1"], ["a1", "b2"], ["b2", "c3"], ["c3", "f6"], ["c3", "e4"], ["a1", "a2"]],
        },
    });
    let game = hunt(&file);
    assert_eq!(moves(&game, "1//1/1/1G/FG1 f"), ["a1a2", "a1xc3", "a1xd1"]);
    // From b2 the line over c3 goes on to f6, thrice as far, but not to e4, which lies beside it.
    assert_eq!(moves(&game, "1//1/G/GF/3 f"), ["b2a1", "b2xf6"]);
    assert_eq!(moves(&game, "F//1/G/2/3 f"), ["f6xb2"]);
    assert!(play_whole_games(&game) > 2);
    let two = json!({
        "points": ["a1", "b1", "c1", "d1"], "lines": [["a1", "b1"], ["b1", "d1"], ["a1", "c1"], ["c1", "d1"]],
    });
    refuse(json!({ "board": two }), "board", &["a1", "d1", "over 'b1'", "over 'c1'"]);
    let file = json!({
        "name": "own", "family": "solitaire", "vacancy": "d1", "target": "d1",
        "board": { "points": ["a1", "b1", "d1"], "lines": [["a1", "b1"], ["b1", "d1"]] },
    });
    let ruleset = solitaire::Ruleset::from_text(FILE, &file.to_string(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let game = Solitaire::<u64>::new(&ruleset);
    let mv = game.parse_move(&game.start(), "a1xd1").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.position_text(&game.play_unchecked(&game.start(), mv)), "2P p");
    let captured: Vec<String> = game.change(&game.start(), mv).captured.into_iter().map(|peg| peg.point).collect();
    assert_eq!(captured, ["b1"]);
}

#[test]
fn paths_say_where_lines_go_straight_on() {
    // A five-pointed star: its lines have bends on a grid of files and ranks.
    let star = json!({
        "points": ["c5", "e3", "d1", "b1", "a3", "d3", "d2", "c2", "b2", "b3"],
        "paths": [
            ["c5", "d3", "d2", "d1"], ["c5", "b3", "b2", "b1"], ["e3", "d2", "c2", "b1"], ["e3", "d3", "b3", "a3"],
            ["d1", "c2", "b2", "a3"],
        ],
    });
    let file =
        json!({ "name": "star", "fox_start": ["c5"], "geese": ["d3", "b3"], "fox_wins_below": 1, "board": star });
    let game = hunt(&file);
    assert_eq!(moves(&game, "F//1GG1/3/2 f"), ["c5xb2", "c5xd2"]);
    assert_eq!(moves(&game, "1//1GF1/3/2 f"), ["d3c5", "d3d2", "d3e3", "d3xa3"]);
    assert!(play_whole_games(&game) > 2);
    let paths = |paths: Value| json!({ "board": { "points": ["a1", "b1", "c1", "b2"], "paths": paths } });
    refuse(paths(json!([["a1", "b1", "a1"]])), "board", &["over 'b1'", "back"]);
    refuse(paths(json!([["a1", "b1", "d1"]])), "board", &["d1"]);
    refuse(paths(json!([["a1", "b1", "c1"], ["a1", "b2", "c1"]])), "board", &["a1", "c1", "b1", "b2"]);
    // A closed path goes straight on at its seam; a line beside paths goes nowhere on.
    let ring = json!({
        "points": ["a1", "c1", "a2", "d2", "a3", "b3", "a4"], "paths": [["a1", "c1", "d2", "b3", "a2", "a1"]],
        "lines": [["a2", "a3"], ["a3", "a4"]],
    });
    let file = json!({
        "name": "ring", "fox_start": ["c1"], "geese": ["a1", "a3"], "fox_wins_below": 1, "board": ring,
    });
    assert_eq!(moves(&hunt(&file), "1/2/2/GF f"), ["c1d2", "c1xa2"]);
    assert_eq!(moves(&hunt(&file), "1/G1/F1/2 f"), ["a2a1", "a2b3"]);
}

#[test]
fn no_line_is_left_out_of_a_drawing_in_silence() {
    let draw = |lines: Value, points: Value| {
        let board = json!({ "points": points, "lines": lines });
        let file = json!({ "name": "own", "fox_start": ["a1"], "geese": ["c3"], "fox_wins_below": 1, "board": board, "geese_stuck": "pass" });
        let game = hunt(&file);
        game.draw(&game.start())
    };
    let points = json!(["a1", "c1", "e1", "a3", "c3"]);
    let lines = json!([["a1", "c1"], ["c1", "e1"], ["a1", "a3"], ["a1", "c3"], ["c1", "a3"], ["c3", "e1"]]);
    let expected = [
        "  3  .       G",
        "     | \\   /   \\",
        "  2  |   X       \\",
        "     | /   \\       \\",
        "  1  F-------.-------.",
        "",
        "     a   b   c   d   e",
    ];
    let drawn = draw(lines, points.clone());
    assert_eq!(drawn.lines().collect::<Vec<_>>(), expected, "\n{drawn}");
    let flat = draw(json!([["a1", "c1"], ["a1", "e1"], ["a3", "e1"], ["a1", "c3"]]), points);
    assert!(flat.ends_with("\nLines not drawn: a1-e1 e1-a3\n"), "{flat}");
}

/// Plays moves from the start and returns the position text after each.
fn line(game: &Hunt<u64>, texts: &[&str]) -> Vec<String> {
    let mut position = game.start();
    let play = |text: &&str| {
        let mv = game.parse_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
        position = game.play_unchecked(&position, mv);
        game.position_text(&position)
    };
    texts.iter().map(play).collect()
}

#[test]
fn foxes_without_a_point_are_placed_by_choice() {
    let game = hunt(&file_with(json!({ "foxes": 2, "fox_start": ["d4"], "fox_zone": ["d7", "e7"] })));
    assert_eq!(game.position_text(&game.start()), "3/3/7/G2F2G/GGGGGGG/GGG/GGG f phase=place");
    assert_eq!(moves(&game, "3/3/7/G2F2G/GGGGGGG/GGG/GGG f phase=place"), ["@d7", "@e7"]);
    assert_eq!(line(&game, &["@e7"]), ["2F/3/7/G2F2G/GGGGGGG/GGG/GGG g"]);
    assert!(play_whole_games(&game) > 2);
    refuse(json!({ "foxes": 2, "fox_zone": ["d4"] }), "fox_start", &["too few"]);
    refuse(json!({ "foxes": 2, "fox_zone": ["h9"] }), "fox_zone", &["h9"]);
    refuse(json!({ "fox_zone": "everywhere" }), "fox_zone", &["fortress", "not a point"]);
    refuse(json!({ "fox_zone": ["d7"] }), "fox_zone", &["'d7'", "placed by choice", "fox_start"]);
}

#[test]
fn the_pieces_in_hand_come_in_the_order_of_the_ruleset() {
    let with = |changes: Value| {
        let mut file = json!({
            "name": "own", "board": "grid(4,1)", "geese": [], "drops": 2, "fox_start": "choose", "fox_wins_below": 1,
            "goose_moves": "sideways", "first": "geese",
        });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        hunt(&file)
    };
    let game = with(json!({ "placing": "alternate" }));
    assert_eq!(game.position_text(&game.start()), "4 g phase=place hand=2");
    let texts = ["G3 f phase=place hand=1", "GF2 g hand=1", "GF1G f", "G1FG g"];
    assert_eq!(line(&game, &["@a1", "@b1", "@d1", "b1c1"]), texts);
    assert!(play_whole_games(&game) > 2);
    let first = with(json!({ "placing": "alternate", "first": "fox" }));
    assert_eq!(line(&first, &["@b1", "@a1", "b1c1"]), ["1F2 g hand=2", "GF2 f hand=1", "G1F1 g hand=1"]);
    let game = with(json!({ "placing": "fox_then_geese" }));
    assert_eq!(line(&game, &["@b1", "@a1", "@d1"]), ["1F2 g hand=2", "GF2 g hand=1", "GF1G g"]);
    let game = with(json!({ "placing": "geese_then_fox", "first": "fox" }));
    let texts = ["G3 g phase=place hand=1", "G2G f phase=place", "GF1G f", "G1FG g"];
    assert_eq!(line(&game, &["@a1", "@d1", "@b1", "b1c1"]), texts);
    assert!(game.parse_position("G3 f phase=place hand=1").is_err(), "the geese come first");
    let game = with(json!({ "first_drops": 2, "drops": 3, "fox_start": ["b1"], "board": "grid(5,1)" }));
    assert_eq!(line(&game, &["@a1", "@d1", "b1c1", "@b1"])[1..], ["GF1G1 f hand=1", "G1FG1 g hand=1", "GGFG1 f"]);
    let game = with(json!({ "drop_zone": ["a1", "d1"], "fox_start": ["b1"], "drops": 2 }));
    assert_eq!(moves(&game, "1F2 g hand=2"), ["@a1", "@d1"]);
    let game = with(json!({ "goose_moves": [], "fox_start": ["b1"] }));
    assert_eq!(moves(&game, "GF1G g"), [""; 0], "geese that never step lose when all have been dropped");
    let drops = |key: &str, value: Value| {
        refuse(json!({ key: value }), key, &["drops"]);
    };
    drops("placing", json!("fox_then_geese"));
    drops("drop_zone", json!(["a4"]));
    drops("first_drops", json!(2));
    refuse(json!({ "first_drops": 5, "drops": 4 }), "first_drops", &["5 needs", "drops"]);
    refuse(json!({ "placing": "alternate", "drops": 2 }), "placing", &["fox_start"]);
    let narrow = json!({ "placing": "fox_then_geese", "fox_start": "choose", "drops": 3, "drop_zone": ["d5", "d6"] });
    refuse(narrow, "drop_zone", &["room", "drops"]);
    let covered = json!({ "placing": "geese_then_fox", "fox_start": "choose", "drops": 2, "fox_zone": ["d6", "d7"] });
    refuse(covered, "fox_zone", &["cover"]);
    refuse(
        json!({ "placing": "fox_then_geese", "drops": 2, "first_move_forward": true }),
        "first_move_forward",
        &["fox_first"],
    );
}

#[test]
fn foxes_jump_over_rows_and_step_far() {
    let with = |changes: Value| {
        let mut file = json!({
            "name": "own", "board": "grid(7,1)", "geese": ["d1", "e1", "f1", "g1"], "fox_start": ["a1"],
            "fox_wins_below": 1, "goose_moves": "sideways",
        });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        hunt(&file)
    };
    for (rows, one, two, three) in [
        (json!("one"), Some("a1xc1"), None, None),
        (json!("odd"), Some("a1xc1"), None, Some("a1xe1")),
        (json!("any"), Some("a1xc1"), Some("a1xd1"), Some("a1xe1")),
        (json!([2, 3]), None, Some("a1xd1"), Some("a1xe1")),
    ] {
        let game = with(json!({ "jump_rows": rows, "fox_stuck": "draw" }));
        for (position, jump) in [("FG5 f", one), ("FGG4 f", two), ("FGGG3 f", three)] {
            assert_eq!(moves(&game, position), Vec::from_iter(jump), "{rows}: {position}");
        }
    }
    let game = with(json!({ "jump_rows": "odd" }));
    assert_eq!(moves(&game, "FGGG1G1 f"), ["a1xe1", "a1xe1xg1"]);
    let position = game.parse_position("FGGG1G1 f").expect("a position");
    let mv = game.parse_move(&position, "a1xe1xg1").expect("a legal move");
    assert_eq!(game.position_text(&game.play_unchecked(&position, mv)), "6F g");
    let captured: Vec<String> = game.change(&position, mv).captured.into_iter().map(|goose| goose.point).collect();
    assert_eq!(captured, ["b1", "c1", "d1", "f1"]);
    assert_eq!(moves(&with(json!({ "fox_range": 0 })), "F4G1 f"), ["a1b1", "a1c1", "a1d1", "a1e1"]);
    assert_eq!(moves(&with(json!({ "fox_range": 2 })), "F4G1 f"), ["a1b1", "a1c1"]);
    let fork = json!({
        "points": ["a1", "b1", "c1", "d1", "e1"],
        "lines": [["a1", "b1"], ["b1", "c1"], ["b1", "d1"], ["d1", "e1"]],
    });
    let fork = with(json!({ "board": fork, "fox_range": 0, "geese": ["e1"], "fox_start": ["a1"] }));
    assert_eq!(moves(&fork, "F3G f"), ["a1b1", "a1c1", "a1d1"], "a line may go on in two ways");
    refuse(json!({ "jump_rows": [0, 1] }), "jump_rows", &["from 1"]);
    refuse(json!({ "jump_rows": "two" }), "jump_rows", &["odd"]);
    refuse(json!({ "jump_rows": [1, 999] }), "jump_rows", &["board has lines"]);
    refuse(json!({ "jump_rows": "any", "fox_captures": false }), "jump_rows", &["'any'", "fox_captures", "'one'"]);
}

#[test]
fn geese_drop_in_any_turn_or_fill_the_board_up_again() {
    let with = |changes: Value| {
        let mut file = json!({
            "name": "own", "board": "grid(6,1)", "geese": ["d1", "e1"], "drops": 2, "fox_start": ["a1"],
            "fox_wins_below": 1, "goose_moves": "sideways", "chain": true,
        });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        hunt(&file)
    };
    let game = with(json!({ "drops_rule": "any_turn" }));
    assert_eq!(moves(&game, "F2GG1 g hand=2"), ["@b1", "@c1", "@f1", "d1c1", "e1f1"]);
    assert_eq!(line(&game, &["d1c1", "a1b1", "@a1"]), ["F1G1G1 f hand=2", "1FG1G1 g hand=2", "GFG1G1 f hand=1"]);
    assert_eq!(moves(&game, "F2GG1 g"), ["d1c1", "e1f1"]);
    let game = with(json!({ "drops_rule": "refill" }));
    assert_eq!(moves(&game, "F2GG1 g hand=2"), ["d1c1", "e1f1"], "no goose has been taken");
    let texts = ["F1G1G1 f hand=2", "1FG1G1 g hand=2", "1F1GG1 f hand=2", "2FGG1 g hand=2", "2FG1G f hand=2"];
    assert_eq!(line(&game, &["d1c1", "a1b1", "c1d1", "b1c1", "e1f1"]), texts);
    // The geese put one down for the one that was taken, and then step.
    assert_eq!(
        line(&game, &["d1c1", "a1b1", "e1f1", "b1xd1", "@b1", "b1c1"])[3..],
        ["3F1G g hand=2", "1G1F1G g hand=1", "2GF1G f hand=1"]
    );
    assert!(play_whole_games(&game) > 2);
    refuse(json!({ "drops_rule": "any_turn" }), "drops_rule", &["drops"]);
    refuse(json!({ "drops_rule": "refill", "drops": 9, "fox_captures": false }), "drops_rule", &["fox_captures"]);
    refuse(json!({ "drops_rule": "refill", "drops": 9, "geese": [] }), "drops_rule", &["at the start"]);
    refuse(json!({ "drops_rule": "refill", "drops": 9, "piles": { "d3": 2 } }), "drops_rule", &["'piles'"]);
    refuse(json!({ "drops_rule": "any_turn", "drops": 2, "first_drops": 2 }), "drops_rule", &["first_drops"]);
}

#[test]
fn geese_may_have_a_zone_of_their_own() {
    let game = hunt(&file_with(json!({ "goose_zone": ["a4", "a3", "b3", "c3", "b4"] })));
    assert_eq!(moves(&game, "3/3/7/G2F2G/GGGGGGG/GGG/GGG g"), ["a3b4", "a4b4", "b3b4", "c3b4"]);
    refuse(json!({ "goose_zone": ["h9"] }), "goose_zone", &["h9"]);
    let zone = json!(["a4", "a3", "b3", "b4"]);
    refuse(json!({ "goose_zone": zone, "drops": 2, "drop_zone": ["d7", "a5"] }), "drop_zone", &["'goose_zone'"]);
    let narrow = json!({ "goose_zone": zone, "drops": 4, "first_drops": 3 });
    refuse(narrow, "drop_zone", &["room for 3 drops"]);
    refuse(
        json!({ "goose_zone": zone, "huff": "add_goose_home", "geese": ["a4", "b3", "c3"] }),
        "huff",
        &["no goose", "row"],
    );
    refuse(json!({ "goose_zone": zone, "fortress": ["b4", "d7"] }), "fortress", &["d7", "'goose_zone'"]);
}

#[test]
fn geese_step_while_their_drop_zone_is_full() {
    let game = hunt(&json!({
        "name": "own", "board": "grid(5,1)", "geese": ["d1"], "drops": 2, "drop_zone": ["d1", "e1"], "fox_start": ["a1"],
        "fox_wins_below": 1, "goose_moves": "sideways",
    }));
    assert_eq!(moves(&game, "F2G1 g hand=2"), ["@e1"]);
    assert_eq!(line(&game, &["@e1", "a1b1", "d1c1"]), ["F2GG f hand=1", "1F1GG g hand=1", "1FG1G f hand=1"]);
    refuse(json!({ "drops": 3, "first_drops": 3, "drop_zone": ["a5", "b5"] }), "drop_zone", &["3 drops", "2 points"]);
}

#[test]
fn the_fox_side_takes_geese_off_before_the_game() {
    let with = |changes: Value| {
        let mut file = json!({
            "name": "own", "board": "grid(4,2)", "geese": ["a1", "b1", "c1"], "fox_start": ["d2"], "fox_wins_below": 1,
            "opening_removals": 2,
        });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        hunt(&file)
    };
    let game = with(json!({}));
    assert_eq!(game.position_text(&game.start()), "3F/GGG1 f phase=open");
    assert_eq!(moves(&game, "3F/1GG1 f phase=open"), ["~b1", "~c1"]);
    assert_eq!(line(&game, &["~a1", "~c1", "b1b2"]), ["3F/1GG1 f phase=open", "3F/1G2 g", "1G1F/4 f"]);
    let chosen = with(json!({ "fox_start": "choose", "first": "fox" }));
    assert_eq!(line(&chosen, &["~a1", "~b1", "@a2"])[1..], ["4/2G1 f phase=place", "F3/2G1 f"]);
    assert!(play_whole_games(&game) > 2 && play_whole_games(&chosen) > 2);
    for (text, reason) in [
        ("3F/1G2 f phase=open", "has taken off all"),
        ("3F/1GG1 g phase=open", "the turn 'f'"),
        ("3F/1GG1 g", "2 pieces G, but the ruleset has 1"),
    ] {
        let refused = game.parse_position(text).expect_err(text).to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    refuse(json!({ "opening_removals": 16, "drops": 5, "fox_wins_below": 1 }), "opening_removals", &["as many geese"]);
    refuse(json!({ "opening_removals": 13 }), "fox_wins_below", &["over at the start"]);
    refuse(json!({ "opening_removals": 1, "piles": { "d3": 2 } }), "opening_removals", &["piles"]);
    refuse(json!({ "opening_removals": 1, "drops": 2, "drops_rule": "refill" }), "opening_removals", &["back"]);
}

#[test]
fn what_the_opening_frees_counts_for_goals_and_for_placing() {
    let with = |changes: Value| {
        let mut file =
            json!({ "board": "grid(4,3)", "geese": ["a1", "b1", "c2"], "opening_removals": 2, "fox_wins_below": 1 });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        file
    };
    let chosen = |changes: Value| {
        let mut file = with(json!({ "fox_start": "choose" }));
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        file
    };
    let at_once = |file: Value, points: &str| refuse(file, "fox_goal", &["at once", points]);
    at_once(chosen(json!({ "fox_goal": ["b1"] })), "b1");
    at_once(chosen(json!({ "fox_goal": "past_geese", "fox_zone": ["a2", "a3"] })), "a2");
    hunt(&file_with(chosen(json!({ "fox_goal": "past_geese", "fox_zone": ["a3"] }))));
    hunt(&file_with(chosen(json!({ "fox_goal": ["b1"], "fox_zone": ["a3"] }))));
    // On a goose's own point that goose is the one that is taken off, and a lower one stays.
    hunt(&file_with(chosen(json!({ "geese": ["a1", "b2", "c3"], "opening_removals": 1, "fox_goal": "past_geese",
        "fox_zone": ["b2"] }))));
    // A fox that stands has won as soon as the last of the geese below it is gone.
    let stands = |fox: &str, goal: Value| with(json!({ "fox_start": [fox], "fox_goal": goal }));
    refuse(stands("b2", json!("past_geese")), "geese", &["over at the start", "reached the goal"]);
    refuse(stands("b2", json!(["b2"])), "geese", &["over at the start", "reached the goal"]);
    hunt(&file_with(stands("b3", json!("past_geese"))));
    // Two foxes find room on the two points that are freed.
    let zone = |foxes: u32| chosen(json!({ "foxes": foxes, "fox_zone": ["a1", "b1", "c2"] }));
    let game = hunt(&file_with(zone(2)));
    assert_eq!(line(&game, &["~a1", "~c2", "@a1", "@c2"])[3], "4/2F1/FG2 g");
    refuse(zone(3), "fox_start", &["too few"]);
    refuse(with(json!({ "fortress": ["a3", "b3"], "fox_start": ["a2"] })), "fortress", &["2 points", "1 pieces"]);
    let shut_in =
        with(json!({ "fox_start": ["a1"], "geese": ["b1", "a2", "b2", "d3", "a3", "c1", "c3"], "first": "fox" }));
    hunt(&file_with(shut_in));
}

#[test]
fn the_number_that_drops_fill_up_to_is_of_the_core() {
    let core = |geese: Value, rule: &str| {
        let changes =
            json!({ "board": "grid(5,3)", "drops": 3, "drops_rule": rule, "geese": geese, "fox_start": ["e3"] });
        read(&file_with(changes)).unwrap_or_else(|error| panic!("{error}")).core_fingerprint()
    };
    let (two, three) = (json!(["a1", "b1"]), json!(["a1", "b1", "c1"]));
    assert_eq!(core(two.clone(), "any_turn"), core(three.clone(), "any_turn"), "a set-up alone");
    assert_ne!(core(two, "refill"), core(three, "refill"));
}

#[test]
fn a_fox_takes_the_geese_between_which_it_steps() {
    let game = hunt(&json!({
        "name": "own", "board": "grid(3,3)", "geese": ["a2", "c2", "b1"], "fox_start": ["b3"], "fox_wins_below": 1,
        "capture_by": "intervene", "chain": false,
    }));
    assert_eq!(moves(&game, "1F1/G1G/1G1 f"), ["b3a3", "b3c3", "b3xb2"]);
    assert_eq!(moves(&game, "G1G/3/1FG f"), ["b1a1", "b1b2"]);
    let start = game.parse_position("1F1/G1G/1G1 f").expect("a position");
    let mv = game.parse_move(&start, "b3b2").expect("named by its ends");
    assert_eq!(game.position_text(&game.play_unchecked(&start, mv)), "3/1F1/1G1 g");
    let taken: Vec<String> = game.change(&start, mv).captured.into_iter().map(|piece| piece.point).collect();
    assert_eq!(taken, ["a2", "c2"]);
    // On all lines at once.
    let star = hunt(&json!({
        "name": "own", "board": "alquerque25", "geese": ["b2", "c2", "d2", "b3", "b4", "c4", "d4"], "fox_start": ["d3"], "chain": false,
        "fox_wins_below": 1, "capture_by": "intervene",
    }));
    assert_eq!(star.info().capabilities.most_captures, 8);
    let start = star.parse_position("5/1GGG1/1G1F1/1GGG1/5 f").expect("a position");
    let mv = star.parse_move(&start, "d3xc3").expect("a step between six geese");
    assert_eq!(star.position_text(&star.play_unchecked(&start, mv)), "5/5/1GF2/5/5 g");
    assert!(play_whole_games(&game) > 2 && play_whole_games(&star) > 2);
    refuse(json!({ "capture_by": "intervene" }), "capture_by", &["'chain': false", "'jump'"]);
    for diagonal in ["none", "capture_only"] {
        let file = json!({ "capture_by": "intervene", "chain": false, "fox_diagonal": diagonal });
        refuse(file, "capture_by", &["'fox_diagonal': 'full'"]);
    }
}

#[test]
fn geese_win_when_no_fox_can_leave_the_pen() {
    let game = hunt(&json!({
        "name": "own", "board": "grid(3,3)", "geese": ["a1", "b1", "c1", "b2"], "fox_start": ["c3"], "fox_wins_below": 1,
        "pen": ["a3", "b3"], "chain": false,
    }));
    let end = |text: &str| {
        let outcome = game.turn(&game.parse_position(text).expect("a position")).outcome()?;
        Some((game.side(outcome.winner?), game.info().reason_text(outcome.reason)))
    };
    assert_eq!(game.info().board.regions["pen"], json!(["a3", "b3"]));
    let shut = Some((Side::Geese, "geese reached the goal".to_owned()));
    assert_eq!(end("F1G/GG1/1G1 f"), None, "a jump over a2 leads off the pen");
    assert_eq!(end("F1G/GG1/G2 f"), shut);
    assert_eq!(end("F1G/GG1/G2 g"), None, "the geese may have to open the pen");
    assert_eq!(end("1FG/GG1/G2 f"), None, "a jump over b2 leads off the pen");
    assert_eq!(end("G1F/2G/2G f"), None, "the fox stands outside");
    assert!(play_whole_games(&game) > 2);
    let chains = hunt(&json!({
        "name": "own", "board": "grid(5,3)", "geese": ["a1", "a2", "b2", "d3", "c1"], "fox_start": ["e1"],
        "fox_wins_below": 1, "pen": ["a3", "c3"], "chain": true, "forced_chain": true,
    }));
    let is_over = |game: &Hunt<u64>, text: &str| game.turn(&game.parse_position(text).expect(text)).outcome().is_some();
    assert!(!is_over(&chains, "FG1G1/GG3/G4 f"), "the second jump leads off the pen");
    assert!(is_over(&chains, "FG1GG/G4/G4 f"), "one jump, which stays in the pen");
    refuse(json!({ "pen": ["h9"] }), "pen", &["h9"]);
    let board = json!("grid(2,2)");
    let file = json!({ "board": board, "geese": ["a1"], "fox_start": ["b2"], "fox_wins_below": 1 });
    for (key, words) in [("pen", "way out"), ("fox_goal", "no goal")] {
        let mut file = file.clone();
        file[key] = json!(["a1", "a2", "b1", "b2"]);
        refuse(file, key, &[words]);
    }
}

#[test]
fn several_geese_stand_on_a_pile() {
    let with = |changes: Value| {
        let mut file = json!({
            "name": "own", "board": "alquerque25", "geese": ["b2", "b4", "d2", "d4"], "fox_start": ["a3", "e3"],
            "foxes": 2, "piles": { "b2": 5, "b4": 5, "d2": 5, "d4": 5 }, "fox_wins_below": 1, "chain": true,
            "goose_moves": ["forward", "forward_diagonal", "sideways", "backward", "backward_diagonal"],
        });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        hunt(&file)
    };
    let game = with(json!({}));
    let start = "5/1(GGGGG)1(GGGGG)1/F3F/1(GGGGG)1(GGGGG)1/5 g";
    assert_eq!(game.position_text(&game.start()), start);
    assert_eq!(line(&game, &["b2c3"]), ["5/1(GGGGG)1(GGGGG)1/F1G1F/1(GGGG)1(GGGGG)1/5 f"]);
    assert!(game.draw(&game.start()).contains("5"), "{}", game.draw(&game.start()));
    assert_eq!(game.pieces(&game.start()).iter().map(|piece| piece.count).sum::<u32>(), 22);
    // A jump takes one of a pile; straight back over it is no continuation, round the others it is taken again.
    let after = |text: &str, mv: &str| {
        let position = game.parse_position(text).unwrap_or_else(|error| panic!("{error}"));
        let legal = game.parse_move(&position, mv).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.move_text(&position, legal), mv);
        let captured = game.change(&position, legal).captured.len();
        assert_eq!(mv.matches('x').count(), captured, "{mv}");
        game.position_text(&game.play_unchecked(&position, legal))
    };
    let ring = "5/1(GG)1(GG)1/F4/1(GG)1(GG)1/5 f";
    let jumps = |text: &str| moves(&game, text).into_iter().filter(|mv| mv.contains('x')).count();
    assert_eq!(jumps(ring), 14, "two ways round, up to eight jumps each: the fourth and the eighth ends are the same");
    assert_eq!(after(ring, "a3xc5xe3"), "5/1G1G1/4F/1(GG)1(GG)1/5 g");
    assert_eq!(after(ring, "a3xc1xe3xc5xa3xc1"), "5/1G1G1/5/3G1/2F2 g");
    assert_eq!(jumps("5/1(GG)3/F4/5/4F f"), 1);
    assert!(game.parse_position("5/1(GG)3/F(GG)3/5/4F f").is_err(), "no pile stands on b3");
    assert!(game.parse_position("5/1(GF)3/F4/5/4F f").is_err());
    assert!(game.parse_position("5/1(GG)3/F4/5/4(FF) f").is_err());
    // A pile counts in full: with the last two on one point the foxes have not won.
    let two = with(json!({ "fox_wins_below": 2 }));
    let is_over = |text: &str| two.turn(&two.parse_position(text).expect("a position")).outcome().is_some();
    assert!(!is_over("5/1(GG)3/F3F/5/5 g") && is_over("5/1G3/F3F/5/5 g"));
    let repile = with(json!({ "repile": true }));
    assert_eq!(line(&repile, &["b2c3", "a3a2", "c3d4"])[2], "5/1(GGGGG)1(GGGGGG)1/4F/F(GGGG)1(GGGGG)1/5 f");
    assert!(play_whole_games(&game) > 2 && play_whole_games(&repile) > 2);
    let forced = with(json!({ "capture": "forced", "forced_chain": true }));
    assert_eq!(moves(&forced, "5/1(GG)3/F4/5/4F f"), ["a3xc5"]);
    refuse(json!({ "piles": { "d4": 2 } }), "piles", &["d4", "geese"]);
    refuse(json!({ "piles": { "h9": 2 } }), "piles", &["h9", "not a point"]);
    for wrong in [1, -1, 100] {
        refuse(json!({ "piles": { "d3": wrong } }), "piles", &["d3", &wrong.to_string(), "from 2 to 99"]);
    }
    refuse(json!({ "piles": ["d3"] }), "piles", &["[\"d3\"]", "an object such as {\"a1\": 2}"]);
    refuse(json!({ "piles": { "d3": 90 } }), "piles", &["104", "99"]);
    refuse(json!({ "piles": { "c1": 2, "d1": 2, "e1": 2, "c2": 2, "d2": 2 } }), "piles", &["at most 4"]);
    refuse(json!({ "repile": true }), "repile", &["piles"]);
    refuse(
        json!({ "piles": { "d3": 2 }, "huff": "add_goose", "huff_partial_chain": true }),
        "huff_partial_chain",
        &["piles"],
    );
}

#[test]
fn huffs_may_put_geese_from_a_stock_without_end_on_the_board() {
    let after_a_missed_jump = |changes: Value| {
        let game = hunt(&file_with(changes));
        let position = game.parse_position("3/3/7/3F3/2GG3/G1G/3 f").expect("a position");
        let mv = game.parse_move(&position, "d4e4").expect("a legal move");
        game.position_text(&game.play_unchecked(&position, mv))
    };
    let board = "3/3/7/4F2/2GG3/G1G/3 g";
    assert_eq!(after_a_missed_jump(json!({ "huff": "add_goose" })), board, "nothing has been captured");
    let owed = after_a_missed_jump(json!({ "huff": "add_goose", "huff_stock": "unlimited" }));
    assert_eq!(owed, format!("{board} owed=drop"));
    let game = hunt(&file_with(json!({ "huff": "add_goose", "huff_stock": "unlimited" })));
    let position = game.parse_position(&owed).expect("a position");
    let mv = game.parse_move(&position, "@a5").expect("a legal move");
    let after = game.position_text(&game.play_unchecked(&position, mv));
    assert_eq!(after, "3/3/G6/4F2/2GG3/G1G/3 g");
    refuse(json!({ "huff_stock": "unlimited" }), "huff_stock", &["add_goose"]);
}

#[test]
fn a_side_without_a_move_loses_passes_or_draws() {
    let with = |changes: Value| {
        let mut file = json!({
            "name": "own", "board": "grid(5,1)", "geese": ["c1", "e1"], "fox_start": ["a1"], "fox_wins_below": 1,
            "goose_moves": "sideways",
        });
        file.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        hunt(&file)
    };
    let outcome = |game: &Hunt<u64>, text: &str| game.turn(&game.parse_position(text).expect("a position")).outcome();
    let (shut_in, jammed) = ("FGG2 f", "GGF2 g");
    for rule in ["lose", "pass", "draw"] {
        let game = with(json!({ "fox_stuck": rule, "geese_stuck": rule }));
        for (position, winner) in [(shut_in, Side::Geese), (jammed, Side::Fox)] {
            let end = outcome(&game, position);
            let expected = Some(winner).filter(|_| rule == "lose");
            assert_eq!(end.is_some(), rule != "pass", "{rule}: {position}");
            assert_eq!(end.and_then(|end| end.winner).map(|seat| game.side(seat)), expected, "{rule}: {position}");
            let passes: &[&str] = if rule == "pass" { &["pass"] } else { &[] };
            assert_eq!(moves(&game, position), passes, "{rule}: {position}");
        }
    }
    refuse(
        json!({ "fox_stuck": "pass", "geese_stuck": "pass", "repetition": "none" }),
        "fox_stuck",
        &["for ever", "no_progress"],
    );
}

#[test]
fn a_fox_wins_on_its_goal_past_the_geese_or_by_surviving() {
    let end = |game: &Hunt<u64>, text: &str| {
        let outcome = game.turn(&game.parse_position(text).expect("a position")).outcome()?;
        Some((game.side(outcome.winner?), game.info().reason_text(outcome.reason)))
    };
    let game = hunt(&file_with(json!({ "fox_goal": [17, "g5"], "fox_start": "d6" })));
    let goal = Some((Side::Fox, "fox reached the goal".to_owned()));
    assert_eq!(end(&game, "3/3/7/3F3/GGG4/3/GGG g"), goal);
    assert_eq!(end(&game, "3/3/7/3F3/GGG4/3/GGG f"), None, "the fox has stood there before its ply");
    assert_eq!(end(&game, "3/3/7/2F4/GGG4/3/GGG g"), None);
    let past = hunt(&file_with(json!({ "fox_goal": "past_geese", "fox_start": "d6" })));
    assert_eq!(end(&past, "3/3/7/3F3/GGG4/3/3 g"), None);
    assert_eq!(end(&past, "3/3/7/7/GGGF3/3/3 g"), goal);
    let home = read(&file_with(json!({ "fox_goal": "lowest_rank" }))).expect("a ruleset");
    let same = read(&file_with(json!({ "fox_home_wins": true }))).expect("a ruleset");
    assert_eq!(home.fingerprint(), same.fingerprint());
    refuse(json!({ "fox_goal": ["d1"], "fox_home_wins": true }), "fox_goal", &["fox_home_wins"]);
    for key in ["fox_goal", "fox_home_wins"] {
        let goal = if key == "fox_goal" { json!(["d7"]) } else { json!(true) };
        let geese = json!(["a3", "b3", "c3", "d3"]);
        refuse(json!({ key: goal, "geese": geese, "fox_start": "choose" }), "fox_goal", &["at once", "fox_zone"]);
    }
    refuse(json!({ "fox_goal": [] }), "fox_goal", &["at least one"]);
    let all_ways = ["forward", "forward_diagonal", "sideways", "backward", "backward_diagonal"];
    let any_way = hunt(&file_with(json!({ "fox_goal": "past_geese", "fox_start": "d6", "goose_moves": all_ways })));
    let up = Vector { files: 0, ranks: 1 };
    assert!(any_way.symmetries().iter().all(|symmetry| symmetry.vector(up) == up), "past is down the board");
    refuse(json!({ "fox_goal": "somewhere" }), "fox_goal", &["past_geese", "not a point"]);
    for (result, winner) in [("draw", None), ("fox_wins", Some(Side::Fox)), ("geese_win", Some(Side::Geese))] {
        let game = hunt(&file_with(json!({ "no_progress": 2, "no_progress_result": result })));
        let mut record = Record::new(game.start());
        for text in ["a4b4", "d4d5"] {
            let mv = game.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{error}"));
            record.play(&game, mv);
        }
        let outcome = record.turn(&game).outcome().expect("two plies without progress");
        assert_eq!((outcome.winner.map(|seat| game.side(seat)), outcome.reason), (winner, Reason::NoProgress));
    }
    refuse(json!({ "no_progress_result": "fox_wins" }), "no_progress_result", &["no_progress"]);
}

/// A set-up may leave pieces out, but has none that the game does not have.
#[test]
fn positions_with_surplus_pieces_are_refused() {
    let game = |name: &str| Hunt::<u64>::new(&Ruleset::from_catalog(name, &[]).expect(name));
    let cases = [
        ("masters-13", "3/3/7/2FF3/7/3/GGG f", "2 pieces F, but the ruleset has 1"),
        ("masters-13", "3/3/7/3F3/GGGGGGG/GGG/GGG g", ""),
        ("masters-13", "3/3/G6/3F3/GGGGGGG/GGG/GGG g", "14 pieces G, but the ruleset has 13"),
        ("renard-1840", "3/3/7/G2F2G/GGGGGGG/GGG/GGG g hand=2", ""),
        ("renard-1840", "3/3/7/G2F2G/GGGGGGG/GGG/GGG g hand=3", "18 pieces G on the board and in hand"),
        ("bagha-chal", "F3F/5/2G2/5/F3F f hand=19", ""),
        ("bagha-chal", "F3F/5/1GG2/5/F3F f hand=19", "21 pieces G on the board and in hand"),
    ];
    for (name, text, reason) in cases {
        match game(name).parse_position(text) {
            Ok(_) => assert_eq!(reason, "", "{name}: {text}"),
            Err(error) => assert!(!reason.is_empty() && error.message.starts_with(reason), "{name}: {text}: {error}"),
        }
    }
    let endless = [("huff", "add_goose"), ("huff_stock", "unlimited")].map(|(key, value)| (key.into(), value.into()));
    let endless = Hunt::<u64>::new(&Ruleset::from_catalog("masters-13", &endless).expect("a ruleset"));
    assert!(endless.parse_position("3/3/G6/3F3/GGGGGGG/GGG/GGG g").is_ok(), "huffs bring new geese");
}
