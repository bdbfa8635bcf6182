//! Endings, switches, boards and texts.

use reynard_engine::geometry::{Point, PointSet, symmetries};
use reynard_engine::rules::solitaire::{Ruleset, Solitaire};
use reynard_engine::rules::{Game, Notation, Seat, Turn, perft};
use serde_json::{Value, json};

use super::{SOLVED, STUCK, game, position};

#[test]
fn a_game_ends_on_the_target_or_without_a_jump() {
    let game = game("solitaire", &[]);
    for (text, turn) in [
        ("3/3/7/3P3/7/3/3 p", SOLVED),
        ("3/3/3P3/7/7/3/3 p", STUCK),
        ("3/3/7/3P3/7/3/P2 p", STUCK),
        ("3/3/7/7/7/3/3 p", STUCK),
        ("PPP/PPP/PPPPPPP/PPPPPPP/PPPPPPP/PPP/PPP p", STUCK),
        ("1P1/1P1/7/7/7/3/3 p", Turn::Player(Seat::P1)),
    ] {
        assert_eq!(game.turn(&position(&game, text)), turn, "{text}");
    }
}

/// A chain may pass over the target and go on; stopped there, it has won.
#[test]
fn only_the_end_of_a_move_counts() {
    let game = game("solitaire", &[("target", "d4,d3")]);
    let before = position(&game, "1P1/1P1/7/7/3P3/1P1/3 p");
    let play = |text: &str| {
        let mv = game.parse_move(&before, text).unwrap_or_else(|error| panic!("{error}"));
        game.turn(&game.play_unchecked(&before, mv))
    };
    assert_eq!(play("d7xd5"), Turn::Player(Seat::P1));
    let solved = position(&game, "3/3/7/3P3/3P3/3/3 p");
    assert_eq!(game.turn(&solved), SOLVED);
    assert_eq!(game.count_moves(&solved), 0, "d3 could jump on, but the game is over");
}

#[test]
fn round_a_ring_either_way_is_one_move() {
    let game = game("solitaire", &[]);
    let before = position(&game, "3/3/3P3/2P1P2/2PP3/3/3 p");
    let canonical = "c3xc5xe5xe3xc3";
    let mv = game.parse_move(&before, canonical).unwrap_or_else(|error| panic!("{error}"));
    for other in ["c3xe3xe5xc5xc3", "C3-E3-E5-C5-C3", "23-9-11-25-23", "c3xc3", "23-23"] {
        assert_eq!(game.parse_move(&before, other), Ok(mv), "{other}");
    }
    assert_eq!(game.move_text(&before, mv), canonical);
    assert_eq!(game.position_text(&game.play_unchecked(&before, mv)), "3/3/7/7/2P4/3/3 p");
}

#[test]
fn a_chain_is_read_by_its_ends_when_only_one_fits() {
    let game = game("solitaire", &[]);
    let before = position(&game, "3/3/3P3/2P1P2/2PP3/3/3 p");
    // Two pegs away over two corners of the ring: two ways that take different pegs.
    let error = game.parse_move(&before, "c3xe5").expect_err("two chains fit").message;
    assert!(error.contains("several"), "{error}");
    let single = position(&game, "3/3/3P3/2P4/2P4/3/3 p");
    let mv = game.parse_move(&single, "23-11").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.move_text(&single, mv), "c3xc5xe5");
    for wrong in ["c3xc5xe5xg5", "c5xe5", "c3", "c3c4", "23", "2311", "c3xh5", "@c3", "pass", "c3x", "34-23"] {
        assert!(game.parse_move(&single, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn positions_that_are_none_are_refused_with_their_column() {
    let game = game("solitaire", &[]);
    for (text, column) in [
        ("", 1),
        ("PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP", 40),
        ("PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP f", 41),
        ("PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP p first=1", 43),
        ("PPP/PPP/PPPPPPP/PPP1PPF/PPPPPPP/PPP/PPP p", 23),
        ("PPP/PPP/PPPPPPP/PPP1PPPP/PPPPPPP/PPP/PPP p", 24),
        ("PPP/PP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP p", 7),
        ("PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP p", 36),
        ("PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP/PPP p", 41),
    ] {
        let error = game.parse_position(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
    }
}

#[test]
fn switches_choose_start_and_target() {
    let start = |switches: &[(&str, &str)]| {
        let game = game("solitaire", switches);
        game.position_text(&game.start())
    };
    assert_eq!(start(&[("vacancy", "1")]), start(&[("vacancy", "c7")]));
    assert_eq!(start(&[("vacancy", "16,17")]), "PPP/PPP/PPPPPPP/PP2PPP/PPPPPPP/PPP/PPP p");
    assert_eq!(start(&[("start", "d4,d5")]), "3/3/3P3/3P3/7/3/3 p");
    assert_eq!(start(&[("vacancy", "d4")]), start(&[]));
    let target = |switches: &[(&str, &str)]| game("solitaire", switches).target().len();
    assert_eq!((target(&[]), target(&[("target", "1,2,3,d4")])), (1, 4));
    // Every rule in force, read again, is the same game.
    let rules = game("solitaire", &[("vacancy", "c7")]).info().rules;
    let file = json!({ "name": "again", "family": "solitaire", "board": rules["board"], "vacancy": rules["vacancy"],
        "start": rules["start"], "target": rules["target"] });
    let again = Ruleset::from_text("again.json", &file.to_string(), &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.fingerprint(), game("solitaire", &[("vacancy", "c7")]).fingerprint());
}

/// Parities of pegs on the three diagonals of each slant, of which every jump changes all six (Reiss 1857).
fn position_class(game: &Solitaire<u64>, pegs: PointSet<u64>) -> [u32; 4] {
    let count = |slant: i32, diagonal: i32| {
        let lies = |point: &Point| {
            let (file, rank) = (i32::from(game.board().file(*point)), i32::from(game.board().rank(*point)));
            (file + slant * rank).rem_euclid(3) == diagonal
        };
        pegs.iter().filter(lies).count() as u32
    };
    let differences = |slant: i32| [0, 1].map(|diagonal| (count(slant, diagonal) + count(slant, diagonal + 1)) % 2);
    let ([a, b], [c, d]) = (differences(1), differences(-1));
    [a, b, c, d]
}

/// What the catalog says about the French board.
#[test]
fn the_french_board_has_no_single_survivor_of_a_centre_vacancy() {
    let french = game("solitaire-french", &[]);
    let start = position_class(&french, french.start_pegs());
    let survivors =
        french.board().points().iter().filter(|&&point| position_class(&french, PointSet::of(point)) == start);
    assert_eq!(survivors.count(), 0);
    let cross = game("solitaire", &[]);
    assert_eq!(position_class(&cross, cross.start_pegs()), position_class(&cross, cross.target()));
}

#[test]
fn boards_have_their_jumps_and_symmetries() {
    for (board, jumps, images) in [
        ("cross33", 76, 8),
        ("cross33-open", 76, 8),
        ("cross33-orthogonal", 76, 8),
        ("french37", 92, 8),
        ("alquerque25", 60, 8),
        ("grid(4,3)", 4 * 2 + 3 * 4, 4),
    ] {
        let switches = [("board", board), ("vacancy", "c3"), ("target", "c3")];
        let game = game("solitaire", &switches);
        assert_eq!((game.board().jumps().count(), symmetries(game.board()).len()), (jumps, images), "{board}");
    }
}

/// The triangle of fifteen holes, with lines in three directions.
fn triangle() -> Value {
    let holes: Vec<(u8, u8)> = (0..5).flat_map(|rank| (0..5 - rank).map(move |file| (file, rank))).collect();
    let name = |(file, rank): (u8, u8)| format!("{}{}", char::from(b'a' + file), rank + 1);
    let ends = |&(file, rank): &(u8, u8)| [(file + 1, rank), (file, rank + 1), (file.wrapping_sub(1), rank + 1)];
    let lines: Vec<[String; 2]> = holes
        .iter()
        .flat_map(|hole| ends(hole).into_iter().filter(|end| holes.contains(end)).map(|end| [name(*hole), name(end)]))
        .collect();
    let points: Vec<String> = holes.iter().map(|&hole| name(hole)).collect();
    json!({ "name": "triangle", "family": "solitaire", "board": { "points": points, "lines": lines },
        "vacancy": "a1", "target": "a1" })
}

#[test]
fn an_own_board_jumps_along_its_lines() {
    let ruleset = Ruleset::from_text("triangle.json", &triangle().to_string(), &[]);
    let ruleset = ruleset.unwrap_or_else(|error| panic!("{error}"));
    let (narrow, wide) = (Solitaire::<u64>::new(&ruleset), Solitaire::<u128>::new(&ruleset));
    assert_eq!(narrow.board().jumps().count(), 36);
    assert_eq!(narrow.position_text(&narrow.start()), "P/PP/PPP/PPPP/1PPPP p");
    for depth in 0..=5 {
        assert_eq!(perft(&narrow, &narrow.start(), depth), perft(&wide, &wide.start(), depth), "depth {depth}");
    }
    assert_eq!(perft(&narrow, &narrow.start(), 1), 2);
    assert_eq!(narrow.key(&narrow.start()), wide.key(&wide.start()));
}

#[test]
fn the_board_is_told_as_data() {
    let data = json!(game("solitaire", &[("target", "c7,e1")]).info().board);
    assert_eq!(data["points"].as_array().map(Vec::len), Some(33));
    assert_eq!(data["jumps"].as_array().map(Vec::len), Some(76));
    assert_eq!(data["lines"].as_array().map(Vec::len), Some(52), "no diagonals, along which no peg jumps");
    assert!(data["jumps"].as_array().is_some_and(|jumps| jumps.contains(&json!(["d6", "d5", "d4"]))));
    assert_eq!((&data["numbers"]["d4"], &data["numbers"]["g3"]), (&json!(17), &json!(27)));
    assert_eq!(data["regions"]["target"], json!(["e1", "c7"]));
}

#[test]
fn any_single_peg_may_be_wanted() {
    let any = game("solitaire", &[("target", "any_single_peg")]);
    for (text, turn) in [
        ("3/3/7/3P3/7/3/3 p", SOLVED),
        ("3/3/3P3/7/7/3/3 p", SOLVED),
        ("P2/3/7/7/7/3/3 p", SOLVED),
        ("P1P/3/7/7/7/3/3 p", STUCK),
        ("3/3/7/7/7/3/3 p", STUCK),
        ("PP1/3/7/7/7/3/3 p", Turn::Player(Seat::P1)),
    ] {
        assert_eq!(any.turn(&position(&any, text)), turn, "{text}");
    }
    assert_eq!(any.info().rules["target"], json!("any_single_peg"));
    assert_ne!(any.fingerprint(), game("solitaire", &[]).fingerprint());
    let list = game("solitaire", &[("start", "d4,d5"), ("target", "any_single_peg")]);
    assert_eq!(list.count_moves(&list.start()), 2);
}
