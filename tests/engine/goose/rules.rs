//! Every sentence of the rules, on positions worked out by hand.

use reynard_engine::rules::goose::{Goose, Move, Ruleset};
use reynard_engine::rules::{DiceGame, Game, Notation, SearchHints, Seat, Turn, perft};

fn game(name: &str, switches: &str) -> Goose {
    let switch = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    let switches: Vec<_> = switches.split_whitespace().filter_map(switch).collect();
    Goose::new(&Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}")))
}

fn play(game: &Goose, position: &str, moves: &str) -> String {
    let mut position = game.parse_position(position).unwrap_or_else(|error| panic!("{position}: {error}"));
    for text in moves.split_whitespace() {
        let mv = game.parse_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
        position = game.play_unchecked(&position, mv);
    }
    game.position_text(&position)
}

fn moves(game: &Goose, position: &str) -> String {
    let position = game.parse_position(position).unwrap_or_else(|error| panic!("{position}: {error}"));
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    moves.iter().map(|&mv| game.move_text(&position, mv)).collect::<Vec<_>>().join(" ")
}

/// Position, moves, and the position after them, under the rules with these switches.
fn check(name: &str, switches: &str, cases: &[(&str, &str, &str)]) {
    let game = game(name, switches);
    for (position, moves, after) in cases {
        assert_eq!(play(&game, position, moves), *after, "{name} {switches}: {position}, {moves}");
    }
}

#[test]
fn a_counter_moves_by_the_sum_and_on_from_every_goose() {
    check(
        "goose",
        "",
        &[
            ("p1=1 p2=0", "1+1", "p1=3 p2=0 turn=p2"),
            ("p1=1 p2=0", "1+2", "p1=4 p2=0 turn=p2"),
            ("p1=0 p2=0", "3+2", "p1=10 p2=0 turn=p2"),
            ("p1=10 p2=0", "5+3", "p1=26 p2=0 turn=p2"),
            // 32, 41, 50, 59, 68: past the last field, back by five to the death.
            ("p1=23 p2=1", "5+4", "p1=0 p2=1 turn=p2 thrown=p1"),
            // 27, 36, 45, 54, 63.
            ("p1=18 p2=1", "6+3", "p1=63 p2=1 pot=0 accounts=1,-1"),
        ],
    );
}

#[test]
fn what_is_too_much_goes_back_and_back_again_from_geese_by_the_whole_sum() {
    let cases = [
        ("p1=60 p2=1", "6+5", "p1=55 p2=1 turn=p2"),
        ("p1=61 p2=1", "3+3", "p1=53 p2=1 turn=p2"),
        ("p1=62 p2=1", "3+2", "p1=49 p2=1 turn=p2"),
    ];
    check("goose", "", &cases);
    // To 59, which is four back, and four more.
    check(
        "goose",
        "back_goose=surplus",
        &[cases[0], ("p1=61 p2=1", "3+3", "p1=55 p2=1 turn=p2"), ("p1=62 p2=1", "3+2", "p1=55 p2=1 turn=p2")],
    );
}

#[test]
fn hazards_act_on_counters_that_go_back_too() {
    check(
        "goose",
        "",
        &[("p1=60 p2=1", "4+4", "p1=0 p2=1 turn=p2 thrown=p1"), ("p1=62 p2=1", "6+6", "p1=52 p2=1 turn=p2")],
    );
}

#[test]
fn either_die_alone_finishes_but_without_the_help_of_geese() {
    check(
        "goose",
        "",
        &[
            ("p1=60 p2=1", "6+3", "p1=63 p2=1 pot=0 accounts=1,-1"),
            ("p1=57 p2=1", "6+1", "p1=63 p2=1 pot=0 accounts=1,-1"),
            ("p1=60 p2=1", "2+1", "p1=63 p2=1 pot=0 accounts=1,-1"),
            // The four alone would go on from 59 to 63.
            ("p1=55 p2=1", "4+1", "p1=60 p2=1 turn=p2"),
            // The sum does.
            ("p1=55 p2=1", "3+1", "p1=63 p2=1 pot=0 accounts=1,-1"),
        ],
    );
    check(
        "goose",
        "finish=sum_only",
        &[("p1=60 p2=1", "6+3", "p1=57 p2=1 turn=p2"), ("p1=60 p2=1", "2+1", "p1=63 p2=1 pot=0 accounts=1,-1")],
    );
}

#[test]
fn a_nine_is_special_on_the_very_first_throw() {
    let later = ("p1=0 p2=1 thrown=p1", "6+3", "p1=63 p2=1 pot=0 accounts=1,-1");
    let first = [("p1=0 p2=0", "6+3", "p1=26 p2=0 turn=p2"), ("p1=0 p2=0", "4+5", "p1=53 p2=0 turn=p2")];
    check("goose", "", &[first[0], first[1], later]);
    check("goose", "", &[("p1=30 p2=0 turn=p2", "5+4", "p1=30 p2=53")]);
    check("goose", "nine_rule=whenever_on_start", &[first[0], first[1], ("p1=0 p2=1", "6+3", "p1=26 p2=1 turn=p2")]);
    check("goose", "nine_rule=off", &[("p1=0 p2=0", "5+4", "p1=63 p2=0 pot=0 accounts=1,-1")]);
}

#[test]
fn a_throw_is_the_first_one_only_once() {
    let game = game("goose", "");
    // Player 1 goes to 12 by the bridge, is sent back to 0 by player 2's six, and wins by a nine.
    let moves = "4+2 4+2 6+3";
    assert_eq!(play(&game, "p1=0 p2=0", "4+2 4+2"), "p1=0 p2=12 thrown=p1 pot=6 accounts=-3,-3");
    assert!(play(&game, "p1=0 p2=0", moves).starts_with("p1=63 p2=12"));
}

#[test]
fn bridge_and_maze_cost_one_and_lead_on_or_back() {
    check(
        "goose",
        "",
        &[
            ("p1=1 p2=20", "3+2", "p1=12 p2=20 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=40 p2=20", "1+1", "p1=30 p2=20 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=56 p2=20", "1+1", "p1=0 p2=20 turn=p2 thrown=p1"),
        ],
    );
}

#[test]
fn the_inn_costs_one_and_a_turn() {
    check(
        "goose",
        "",
        &[
            ("p1=17 p2=20", "1+1", "p1=19:1 p2=20 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=17 p2=20", "1+1 1+1", "p1=19 p2=22 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=17 p2=20", "1+1 1+1 1+1", "p1=19 p2=24 pot=3 accounts=-2,-1"),
        ],
    );
    check("goose", "inn=0", &[("p1=17 p2=20", "1+1 1+1", "p1=19 p2=22 pot=3 accounts=-2,-1")]);
    check("goose", "inn=3", &[("p1=17 p2=20", "1+1 1+1", "p1=19:2 p2=22 turn=p2 pot=3 accounts=-2,-1")]);
}

#[test]
fn the_well_costs_one_and_two_turns_or_holds() {
    check(
        "goose",
        "",
        &[
            ("p1=29 p2=20", "1+1", "p1=31:2 p2=20 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=29 p2=20", "1+1 1+1", "p1=31:1 p2=22 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=29 p2=20", "1+1 1+1 1+1", "p1=31 p2=24 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=29 p2=20", "1+1 1+1 1+1 1+1", "p1=31 p2=26 pot=3 accounts=-2,-1"),
            // Relieved before the two turns are over.
            ("p1=31:2 p2=29 turn=p2", "1+1", "p1=29 p2=31:2 pot=5 accounts=-2,-3"),
        ],
    );
    check(
        "goose",
        "well=until_relieved",
        &[
            ("p1=29 p2=1", "1+1 1+1 1+1 5+1", "p1=31 p2=13 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=31 p2=28 turn=p2", "2+1", "p1=28 p2=31 pot=5 accounts=-2,-3"),
        ],
    );
}

#[test]
fn the_prison_holds_until_relieved_and_costs_every_turn_missed() {
    check(
        "goose",
        "",
        &[
            ("p1=49 p2=20", "2+1", "p1=52 p2=20 turn=p2"),
            ("p1=49 p2=20", "2+1 1+1", "p1=52 p2=22 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=49 p2=20", "2+1 1+1 1+1", "p1=52 p2=24 turn=p2 pot=4 accounts=-3,-1"),
            // The prisoner goes to where the other counter's turn began; both pay.
            ("p1=52 p2=47 turn=p2", "3+2", "p1=47 p2=52 pot=4 accounts=-2,-2"),
        ],
    );
    check(
        "goose",
        "prison=2",
        &[
            ("p1=49 p2=20", "2+1", "p1=52:2 p2=20 turn=p2"),
            ("p1=49 p2=20", "2+1 1+1 1+1 1+1", "p1=52 p2=26 pot=4 accounts=-3,-1"),
        ],
    );
    check("goose", "prison=0", &[("p1=49 p2=20", "2+1 1+1", "p1=52 p2=22")]);
}

#[test]
fn who_is_met_goes_to_where_the_turn_began_and_both_pay() {
    check(
        "goose",
        "",
        &[
            ("p1=20 p2=22", "1+1", "p1=22 p2=20 turn=p2 pot=4 accounts=-2,-2"),
            ("p1=0 p2=4", "2+2", "p1=4 p2=0 turn=p2 thrown=p2 pot=4 accounts=-2,-2"),
            // Sent to the inn without further effect.
            ("p1=19 p2=22", "2+1", "p1=22 p2=19 turn=p2 pot=4 accounts=-2,-2"),
            // Going back.
            ("p1=60 p2=55", "6+5", "p1=55 p2=60 turn=p2 pot=4 accounts=-2,-2"),
            // Passing by means nothing.
            ("p1=1 p2=3", "2+1", "p1=4 p2=3 turn=p2"),
        ],
    );
}

#[test]
fn the_exchange_is_tested_where_the_move_finally_ends() {
    check(
        "goose",
        "",
        &[
            ("p1=0 p2=26", "6+3", "p1=26 p2=0 turn=p2 thrown=p2 pot=4 accounts=-2,-2"),
            ("p1=0 p2=53", "5+4", "p1=53 p2=0 turn=p2 thrown=p2 pot=4 accounts=-2,-2"),
            ("p1=1 p2=12", "4+1", "p1=12 p2=1 turn=p2 pot=5 accounts=-3,-2"),
            ("p1=40 p2=30", "1+1", "p1=30 p2=40 turn=p2 pot=5 accounts=-3,-2"),
            ("p1=56 p2=0 thrown=p2", "1+1", "p1=0 p2=0 turn=p2 thrown=p1,p2"),
            ("p1=56 p2=0", "1+1", "p1=0 p2=0 turn=p2 thrown=p1"),
        ],
    );
}

#[test]
fn a_newcomer_waits_as_usual_and_pays_for_both() {
    check(
        "goose",
        "",
        &[
            ("p1=17 p2=19", "1+1", "p1=19:1 p2=17 turn=p2 pot=5 accounts=-3,-2"),
            ("p1=17 p2=19:1", "1+1", "p1=19:1 p2=17 turn=p2 pot=5 accounts=-3,-2"),
        ],
    );
    check(
        "goose",
        "players=3",
        &[
            ("p1=29 p2=31:2 p3=20", "1+1", "p1=31:2 p2=29 p3=20 turn=p2 pot=6 accounts=-3,-2,-1"),
            ("p1=49 p2=52 p3=20", "2+1", "p1=52 p2=49 p3=20 turn=p2 pot=5 accounts=-2,-2,-1"),
        ],
    );
}

#[test]
fn counters_ignore_each_other_without_exchange() {
    check(
        "goose",
        "exchange=false prison=3",
        &[
            ("p1=20 p2=22", "1+1", "p1=22 p2=22 turn=p2"),
            // Both miss three turns and pay for each.
            ("p1=49 p2=52:3", "2+1", "p1=52 p2=52 turn=p2 pot=8 accounts=-4,-4"),
        ],
    );
}

#[test]
fn nobody_can_ever_move_again_is_a_draw() {
    let held = game("goose", "well=until_relieved");
    let after =
        |text: &str, roll: &str| held.parse_position(&play(&held, text, roll)).map(|position| held.turn(&position));
    assert_eq!(play(&held, "p1=31 p2=49 turn=p2", "2+1"), "p1=31 p2=52");
    let turn = after("p1=31 p2=49 turn=p2", "2+1").unwrap();
    assert!(matches!(turn, Turn::Over(outcome) if outcome.winner.is_none()), "{turn:?}");
    let ignoring = game("goose", "well=until_relieved exchange=false prison=1 players=3");
    let position = ignoring.parse_position("p1=31 p2=31 p3=31").unwrap();
    assert_eq!(ignoring.turn(&position).outcome().map(|outcome| outcome.winner), Some(None));
    assert_eq!(ignoring.count_moves(&position), 0);
    // One free player is enough, whoever has the turn.
    assert_eq!(play(&ignoring, "p1=31 p2=31 p3=20", ""), "p1=31 p2=31 p3=20 turn=p3");
}

#[test]
fn the_winner_takes_the_pot() {
    check(
        "goose",
        "ante=5",
        &[
            ("p1=0 p2=0", "", "p1=0 p2=0"),
            ("p1=60 p2=1 pot=14 accounts=-8,-6", "2+1", "p1=63 p2=1 pot=0 accounts=6,-6"),
        ],
    );
    let game = game("goose", "players=3 ante=5");
    let start = game.start();
    assert_eq!((start.pot, start.accounts[2]), (15, -5));
    let won = game.parse_position("p1=1 p2=63 p3=1 turn=p2").map(|position| game.turn(&position));
    assert!(won.is_err(), "two counters on field 1");
    let won = game.parse_position("p1=1 p2=63 p3=2").map(|position| game.turn(&position)).unwrap();
    assert_eq!(won.outcome().map(|outcome| outcome.winner), Some(Some(Seat::P2)));
}

#[test]
fn missed_turns_count_as_player_turns() {
    let game = game("goose", "players=3");
    let turns = |text: &str, roll: &str| {
        let position = game.parse_position(text).unwrap();
        game.step(&position, game.parse_move(&position, roll).unwrap()).player_turns
    };
    assert_eq!(turns("p1=1 p2=2 p3=3", "2+1"), 1);
    assert_eq!(turns("p1=1 p2=19:1 p3=3", "2+1"), 2);
    assert_eq!(turns("p1=1 p2=19:1 p3=52", "2+1"), 3);
    assert_eq!(turns("p1=17 p2=31:2 p3=52", "1+1"), 6);
    assert_eq!(turns("p1=60 p2=19:1 p3=52", "2+1"), 1, "the game is over");
}

#[test]
fn all_rolls_are_listed_with_their_probabilities() {
    for (name, switches) in [("goose", ""), ("goose-team", "players=5")] {
        let game = game(name, switches);
        let mut rolls = Vec::new();
        game.chance_outcomes(&game.start(), &mut rolls);
        assert_eq!(rolls.len(), 21);
        assert!((rolls.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-12);
        for (roll, probability) in rolls {
            let text = game.move_text(&game.start(), roll);
            let (high, low) = text.split_once('+').unwrap();
            assert!(high >= low);
            assert_eq!(probability, if high == low { 1.0 / 36.0 } else { 2.0 / 36.0 }, "{text}");
            let turned = game.parse_move(&game.start(), &format!("{low}+{high}"));
            assert_eq!(turned, Ok(roll));
        }
    }
}

#[test]
fn team_start_has_few_different_moves() {
    let game = game("goose-team", "");
    assert_eq!(moves(&game, &play(&game, "p1=0,0,0,0 p2=0,0,0,0", "6+3")), "1:6 1:3");
    // 15 rolls of two different dice with two moves each, and 6 doubles with one.
    assert_eq!((1..=2).map(|depth| perft(&game, &game.start(), depth)).collect::<Vec<_>>(), [21, 36]);
    let position = game.parse_position("p1=0,0,0,0 p2=0,0,0,0 dice=6+3").unwrap();
    assert_eq!(game.parse_move(&position, "4:6"), Ok(Move::Use { counter: 0, steps: 6 }), "counters on 0 are alike");
    assert!(game.parse_move(&position, "5:6").is_err() && game.parse_move(&position, "1:5").is_err());
}

#[test]
fn each_die_is_a_move_of_its_own() {
    check(
        "goose-team",
        "",
        &[
            ("p1=1,0,0,0 p2=0,0,0,0", "2+1 1:2", "p1=3,0,0,0 p2=0,0,0,0 dice=1"),
            ("p1=1,0,0,0 p2=0,0,0,0", "2+1 1:2 1:1", "p1=4,0,0,0 p2=0,0,0,0 turn=p2"),
            // In either order, by one counter or two.
            ("p1=1,0,0,0 p2=0,0,0,0", "3+1 1:1 2:3", "p1=2,3,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=1,0,0,0 p2=0,0,0,0", "3+1 3:3 1:1", "p1=2,3,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=1,0,0,0 p2=0,0,0,0", "3+3 1:3 1:3", "p1=7,0,0,0 p2=0,0,0,0 turn=p2"),
            // Geese and hazards work with the die: 14, 18 and 22; the bridge.
            ("p1=10,0,0,0 p2=0,0,0,0 dice=4", "1:4", "p1=22,0,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=10,0,0,0 p2=0,0,0,0 dice=6", "2:6", "p1=10,12,0,0 p2=0,0,0,0 turn=p2 pot=3 accounts=-2,-1"),
            // No first-roll rule: 3, then 9 is a goose.
            ("p1=0,0,0,0 p2=0,0,0,0", "6+3 1:3 1:6", "p1=15,0,0,0 p2=0,0,0,0 turn=p2"),
        ],
    );
}

#[test]
fn an_own_counter_on_the_target_makes_the_move_illegal() {
    let game = game("goose-team", "");
    assert_eq!(moves(&game, "p1=10,4,0,0 p2=0,0,0,0 dice=6+1"), "1:6 3:6 1:1 2:1 3:1");
    // The target is where the move ends: by the bridge on 12.
    assert_eq!(moves(&game, "p1=12,0,0,0 p2=0,0,0,0 dice=6"), "1:6");
    // On 0 any number may stand: the death sends counter 1 there.
    assert_eq!(moves(&game, "p1=57,0,0,0 p2=0,0,0,0 dice=1"), "1:1 2:1");
    let position = game.parse_position("p1=10,4,0,0 p2=0,0,0,0 dice=6+1").unwrap();
    let error = game.parse_move(&position, "2:6").expect_err("counter 1 stands on 10").to_string();
    assert!(error.contains("own counter stands on field 10"), "{error}");
}

#[test]
fn a_die_that_cannot_be_used_lapses() {
    check(
        "goose-team",
        "",
        &[
            // From 62 a four leads back to 60, from 60 to 62: each to the other.
            ("p1=63,63,62,60 p2=0,0,0,0", "4+4", "p1=63,63,62,60 p2=0,0,0,0 turn=p2"),
            ("p1=63,63,62,60 p2=0,0,0,0", "4+1 3:1", "p1=63,63,63,60 p2=0,0,0,0 dice=4"),
            ("p1=63,63,62,60 p2=0,0,0,0", "4+1 4:1", "p1=63,63,62,61 p2=0,0,0,0 dice=4"),
            ("p1=63,63,63,62 p2=0,0,0,0", "4+4 4:4", "p1=63,63,63,60 p2=0,0,0,0 dice=4"),
        ],
    );
}

#[test]
fn inn_and_well_stop_all_counters_at_once() {
    check(
        "goose-team",
        "",
        &[
            ("p1=17,30,0,0 p2=0,0,0,0", "2+1 1:2", "p1=19:1,30,0,0 p2=0,0,0,0 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=17,30,0,0 p2=0,0,0,0", "2+1 2:1", "p1=17,31:2,0,0 p2=0,0,0,0 turn=p2 pot=3 accounts=-2,-1"),
            // Player 1 misses the turn between, then rolls.
            ("p1=19:1,30,0,0 p2=0,0,0,0 turn=p2 dice=1", "1:1", "p1=19,30,0,0 p2=1,0,0,0 turn=p2"),
        ],
    );
    check(
        "goose-team",
        "well=until_relieved",
        &[
            ("p1=31,30,0,0 p2=0,0,0,0 turn=p2 dice=1", "1:1", "p1=31,30,0,0 p2=1,0,0,0 turn=p2"),
            ("p1=31,30,0,0 p2=28,0,0,0 turn=p2 dice=3", "1:3", "p1=28,30,0,0 p2=31,0,0,0 pot=5 accounts=-2,-3"),
        ],
    );
}

#[test]
fn the_prison_stops_only_the_one_counter() {
    let game = game("goose-team", "");
    assert_eq!(play(&game, "p1=51,30,0,0 p2=0,0,0,0", "2+1 1:1"), "p1=52,30,0,0 p2=0,0,0,0 dice=2");
    assert_eq!(moves(&game, "p1=52,30,0,0 p2=0,0,0,0 dice=2"), "2:2 3:2");
    check(
        "goose-team",
        "",
        &[
            // Every own turn that the prisoner misses costs 1, when it begins.
            ("p1=52,30,0,0 p2=0,0,0,0 turn=p2 dice=1", "1:1", "p1=52,30,0,0 p2=1,0,0,0 pot=3 accounts=-2,-1"),
            // The only counter left: the player misses the turn.
            (
                "p1=63,63,63,52 p2=0,0,0,0 turn=p2 dice=1",
                "1:1",
                "p1=63,63,63,52 p2=1,0,0,0 turn=p2 pot=3 accounts=-2,-1",
            ),
            ("p1=52,30,0,0 p2=51,0,0,0 turn=p2 dice=1", "1:1", "p1=51,30,0,0 p2=52,0,0,0 pot=4 accounts=-2,-2"),
        ],
    );
    check(
        "goose-team",
        "prison=1",
        &[
            ("p1=51,30,0,0 p2=0,0,0,0", "2+1 1:1", "p1=52:2,30,0,0 p2=0,0,0,0 dice=2"),
            ("p1=51,30,0,0 p2=0,0,0,0 dice=1", "1:1", "p1=52:1,30,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=52:1,30,0,0 p2=0,0,0,0 dice=1", "3:1", "p1=52,30,1,0 p2=0,0,0,0 turn=p2"),
        ],
    );
    let fixed = self::game("goose-team", "prison=1");
    assert_eq!(moves(&fixed, "p1=52:1,30,0,0 p2=0,0,0,0 dice=2"), "2:2 3:2");
    assert_eq!(moves(&fixed, "p1=52,30,0,0 p2=0,0,0,0 dice=2"), "1:2 2:2 3:2");
}

#[test]
fn who_is_met_goes_to_where_the_move_with_that_die_began() {
    check(
        "goose-team",
        "",
        &[
            ("p1=10,0,0,0 p2=13,0,0,0 dice=3", "1:3", "p1=13,0,0,0 p2=10,0,0,0 turn=p2 pot=4 accounts=-2,-2"),
            ("p1=10,0,0,0 p2=13,0,0,0", "2+1 1:2 1:1", "p1=13,0,0,0 p2=12,0,0,0 turn=p2 pot=4 accounts=-2,-2"),
        ],
    );
}

#[test]
fn counters_are_borne_off_on_63_and_the_first_to_bear_off_all_wins() {
    check(
        "goose-team",
        "",
        &[
            ("p1=60,0,0,0 p2=0,0,0,0", "3+1 1:3", "p1=63,0,0,0 p2=0,0,0,0 dice=1"),
            ("p1=60,0,0,0 p2=0,0,0,0", "6+1 1:6", "p1=60,0,0,0 p2=0,0,0,0 dice=1"),
            // 59 and on to 63.
            ("p1=55,0,0,0 p2=0,0,0,0 dice=4", "1:4", "p1=63,0,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=63,63,63,60 p2=0,0,0,0", "3+1 4:3", "p1=63,63,63,63 p2=0,0,0,0 pot=0 accounts=1,-1"),
        ],
    );
    let game = game("goose-team", "");
    assert_eq!(moves(&game, "p1=63,60,0,0 p2=0,0,0,0 dice=3"), "2:3 3:3");
    let over = game.parse_position("p1=1,2,3,4 p2=63,63,63,63 turn=p2").unwrap();
    assert_eq!(game.turn(&over).outcome().and_then(|outcome| outcome.winner), Some(Seat::P2));
}

#[test]
fn the_number_of_counters_depends_on_the_players() {
    for (switches, counters) in [("", 4), ("players=4", 4), ("players=5", 2), ("players=8", 2), ("counters=1", 1)] {
        assert_eq!(game("goose-team", switches).ruleset().rules.counters, counters, "{switches}");
    }
    assert_eq!(game("goose", "players=8").ruleset().rules.counters, 1);
}

#[test]
fn greed_is_for_the_furthest_counter_then_the_larger_die() {
    let game = game("goose-team", "");
    let position = game.parse_position("p1=10,30,0,0 p2=0,0,0,0 dice=6+4").unwrap();
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    moves.sort_by_key(|&mv| -game.greed(&position, mv));
    let order: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
    assert_eq!(order.join(" "), "2:6 2:4 1:6 1:4 3:6 3:4");
}

#[test]
fn a_player_who_cannot_act_misses_the_turn_of_a_given_position() {
    check(
        "goose",
        "",
        &[
            ("p1=19:1 p2=30", "", "p1=19 p2=30 turn=p2"),
            ("p1=52 p2=31:2", "", "p1=52 p2=31 turn=p2 pot=5 accounts=-4,-1"),
        ],
    );
}

#[test]
fn positions_are_refused_with_the_column() {
    let refused = |game: &Goose, text: &str, column: usize, words: &str| {
        let error = game.parse_position(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(words), "{text}: {error}");
    };
    let goose = game("goose", "");
    refused(&goose, "", 1, "p1 is missing");
    refused(&goose, "p1=5", 5, "p2 is missing");
    refused(&goose, "p1=5 p2=64", 9, "'64' is not a field from 0 to 63");
    refused(&goose, "p1=5 p2=-1", 9, "field");
    refused(&goose, "p1=5 p2=+1", 9, "field");
    refused(&goose, "p1=5 p2=5,6", 9, "2 fields are given");
    refused(&goose, "p1=5 p2=12 p3=4", 12, "unknown key 'p3'");
    refused(&goose, "p1=5 p1=12", 6, "twice");
    refused(&goose, "p1=5 p2=12 x", 12, "key=value");
    refused(&goose, "p1=5 p2=12 turn=p3", 17, "p1 to p2");
    refused(&goose, "p1=5 p2=12:1", 12, "no counter misses");
    refused(&goose, "p1=5 p2=19:2", 12, "from 1 to 1");
    refused(&goose, "p1=5 p2=52:1", 12, "no counter misses");
    refused(&goose, "p1=12 p2=12", 7, "two counters stand on field 12");
    refused(&goose, "p1=63 p2=63", 7, "two players have won");
    refused(&goose, "p1=1 p2=2 dice=6+3", 16, "team game");
    refused(&goose, "p1=0 p2=2 thrown=p1,p1", 21, "twice");
    refused(&goose, "p1=0 p2=2 pot=-3", 15, "pot");
    refused(&goose, "p1=0 p2=2 accounts=1", 20, "1 accounts are given for 2 players");
    refused(&goose, "p1=0 p2=2 accounts=1,x", 22, "'x'");
    refused(&game("goose", "nine_rule=off"), "p1=0 p2=2 thrown=p1", 18, "no difference");
    let team = game("goose-team", "");
    refused(&team, "p1=1,2,3,3 p2=0,0,0,0", 1, "two counters stand on field 3");
    refused(&team, "p1=1,2,3 p2=0,0,0,0", 4, "3 fields are given");
    refused(&team, "p1=1,2,3,4 p2=0,0,0,0 dice=7+1", 28, "'7' is not a die");
    refused(&team, "p1=19:1,2,3,4 p2=0,0,0,0 dice=2+1", 31, "can use none");
    refused(&team, "p1=63,63,63,63 p2=0,0,0,0 dice=2+1", 32, "the game is over");
}

#[test]
fn moves_are_refused_in_words() {
    let goose = game("goose", "");
    for text in ["7+1", "0+1", "6", "6+", "+3", "6+3+1", "1:6", "9", "66"] {
        assert!(goose.parse_move(&goose.start(), text).is_err(), "{text}");
    }
    let team = game("goose-team", "");
    let position = team.parse_position("p1=63,52,20,0 p2=0,0,0,0 dice=6+3").unwrap();
    let refusal = |text: &str| team.parse_move(&position, text).expect_err(text).message;
    assert!(refusal("1:6").contains("borne off"));
    assert!(refusal("2:6").contains("waits on field 52"));
    assert!(refusal("3:5").contains("no 5 to use, but 6 and 3"));
    assert!(refusal("6+3").contains("a counter from 1 to 4"));
}

#[test]
fn rulesets_are_refused_with_the_key() {
    for (name, switches, key, words) in [
        ("goose", "players=1", "players", "from 2 to 8"),
        ("goose", "players=9", "players", "from 2 to 8"),
        ("goose", "players=two", "players", "from 2 to 8"),
        ("goose", "ante=1001", "ante", "from 0 to 1000"),
        ("goose", "ante=-1", "ante", "from 0 to 1000"),
        ("goose", "finish=any", "finish", "`either_die` or `sum_only`"),
        ("goose", "back_goose=all", "back_goose", "`sum` or `surplus`"),
        ("goose", "nine_rule=always", "nine_rule", "whenever_on_start"),
        ("goose", "well=3", "well", "string"),
        ("goose", "prison=100", "prison", "0 to 99"),
        ("goose", "prison=never", "prison", "until_relieved"),
        ("goose", "inn=100", "inn", "0 to 99"),
        ("goose", "exchange=false", "exchange", "'prison' of so many turns"),
        ("goose", "exchange=maybe", "exchange", "true or false"),
        ("goose", "counters=2", "counters", "from 1 to 1"),
        ("goose", "team=true", "nine_rule", "only 'off'"),
        ("goose", "board=cross33", "board", "unknown field"),
        ("goose-team", "counters=5", "counters", "from 1 to 4"),
        ("goose-team", "counters=3 players=6", "counters", "from 1 to 2"),
        ("goose-team", "counters=many", "counters", "'auto' or a number"),
        ("goose-team", "finish=sum_only", "finish", "only 'either_die'"),
        ("goose-team", "nine_rule=first_throw", "nine_rule", "only 'off'"),
    ] {
        let switch = |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
        let switches: Vec<_> = switches.split_whitespace().filter_map(switch).collect();
        let error = Ruleset::from_catalog(name, &switches).expect_err(key).to_string();
        assert!(error.starts_with(&format!("{name}: key '{key}': ")) && error.contains(words), "{error}");
    }
}

#[test]
fn the_board_is_a_spiral_of_63_fields() {
    let game = game("goose-team", "players=3");
    let board = serde_json::json!(game.info().board);
    let points = board["points"].as_array().unwrap();
    assert_eq!(points.len(), 64);
    let place = |index: usize| [points[index]["x"].as_i64().unwrap(), points[index]["y"].as_i64().unwrap()];
    for field in 1..=63 {
        let distance = (0..2).map(|axis| (place(field)[axis] - place(field - 1)[axis]).abs()).sum::<i64>();
        assert_eq!(distance, 1, "{field} lies next to the field before it");
        assert!((0..field).all(|other| place(other) != place(field)), "{field} has a place of its own");
        assert!(
            place(field)[0] < board["width"].as_i64().unwrap() && place(field)[1] < board["height"].as_i64().unwrap()
        );
    }
    assert_eq!((&points[58]["kind"], &points[5]["kind"]), (&"death".into(), &"goose_field".into()));
    assert_eq!((board["lines"].as_array().unwrap().len(), &board["regions"]["prison"][0]), (63, &"52".into()));
    let drawn = game.draw(&game.parse_position("p1=1,2,3,4 p2=52,63,0,0 p3=62,61,60,19:1 turn=p2").unwrap());
    for shown in ["_1.1_", "_1.4_", "_2.1_", "_2.2_", "_3.4_", "52 jail", "62, 61, 60, 19 (misses 1 turn); ", "pot: 3"]
    {
        assert!(drawn.contains(shown), "{shown}:\n{drawn}");
    }
    // With a head, a line about the last move and a prompt it fits into a window of 80 columns and 24 lines.
    assert!(drawn.lines().all(|line| line.len() <= 80) && drawn.lines().count() <= 20, "{drawn}");
    let one_each = self::game("goose", "");
    let drawn = one_each.draw(&one_each.parse_position("p1=31 p2=19:1").unwrap());
    for shown in ["player 1: field 31 (well); ", "player 2: field 19 (inn, misses 1 turn); "] {
        assert!(drawn.contains(shown), "{shown}:\n{drawn}");
    }
}

#[test]
fn each_waiting_field_is_paid_when_its_key_says() {
    let never = "inn_payment=never well_payment=never prison_payment=never";
    check(
        "goose",
        never,
        &[
            ("p1=17 p2=20", "1+1 1+1", "p1=19 p2=22 turn=p2"),
            ("p1=29 p2=20", "1+1", "p1=31:2 p2=20 turn=p2"),
            ("p1=49 p2=20", "2+1 1+1 1+1", "p1=52 p2=24 turn=p2"),
            ("p1=31:2 p2=29 turn=p2", "1+1", "p1=29 p2=31:2 pot=4 accounts=-2,-2"),
        ],
    );
    // The well is paid by the counter that is saved from it, beside what both pay for meeting.
    check(
        "goose",
        "well_payment=when_saved",
        &[
            ("p1=29 p2=20", "1+1", "p1=31:2 p2=20 turn=p2"),
            ("p1=31:2 p2=29 turn=p2", "1+1", "p1=29 p2=31:2 pot=5 accounts=-3,-2"),
            // Its turns are over: nobody saves it, and nobody is paid.
            ("p1=29 p2=20", "1+1 1+1 1+1 1+1", "p1=31 p2=26"),
            ("p1=31 p2=29 turn=p2", "1+1", "p1=29 p2=31:2 pot=4 accounts=-2,-2"),
        ],
    );
    check(
        "goose",
        "prison_payment=on_arrival inn_payment=each_turn inn=2",
        &[
            ("p1=49 p2=20", "2+1 1+1 1+1", "p1=52 p2=24 turn=p2 pot=3 accounts=-2,-1"),
            ("p1=17 p2=20", "1+1 1+1 1+1", "p1=19 p2=24 turn=p2 pot=4 accounts=-3,-1"),
        ],
    );
    check("goose-team", never, &[("p1=50,0,0,0 p2=1,0,0,0 dice=2", "1:2", "p1=52,0,0,0 p2=1,0,0,0 turn=p2")]);
}

#[test]
fn a_team_may_move_one_counter_by_the_sum() {
    let game = game("goose-team", "team_dice=sum");
    assert_eq!(moves(&game, "p1=1,2,0,0 p2=0,0,0,0 dice=6+4"), "1:10 2:10 3:10");
    assert_eq!(moves(&game, "p1=57,59,63,1 p2=0,0,0,0 dice=6+4"), "1:10 4:10 1:6 2:4");
    check(
        "goose-team",
        "team_dice=sum",
        &[
            ("p1=1,2,0,0 p2=0,0,0,0", "6+4 2:10", "p1=1,12,0,0 p2=0,0,0,0 turn=p2"),
            // One die alone finishes, and the other lapses.
            ("p1=57,59,63,1 p2=0,0,0,0", "6+4 1:6", "p1=63,59,63,1 p2=0,0,0,0 turn=p2"),
            ("p1=1,0,0,0 p2=0,0,0,0", "6+3 2:9", "p1=1,63,0,0 p2=0,0,0,0 turn=p2"),
        ],
    );
    let refusals =
        [("p1=1,2,0,0 p2=0,0,0,0 dice=6+4", "1:6", "by the sum"), ("p1=1,2,0,0 p2=0,0,0,0 dice=6+4", "1:9", "10")];
    for (position, text, word) in refusals {
        let position = game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
        let refusal = game.parse_move(&position, text).expect_err(text).message;
        assert!(refusal.contains(word), "{refusal}");
    }
    assert!(game.parse_position("p1=1,2,0,0 p2=0,0,0,0 dice=6").is_err_and(|error| error.message.contains("6+3")));
    let sum_only = self::game("goose-team", "team_dice=sum finish=sum_only");
    assert_eq!(moves(&sum_only, "p1=57,59,63,1 p2=0,0,0,0 dice=6+4"), "1:10 4:10");
}

#[test]
fn a_team_that_moves_by_the_sum_may_have_the_rule_of_the_first_throw() {
    check(
        "goose-team",
        "team_dice=sum nine_rule=first_throw",
        &[
            ("p1=0,0,0,0 p2=0,0,0,0", "6+3 1:9", "p1=26,0,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=0,0,0,0 p2=0,0,0,0", "6+3 1:9 5+4 1:9", "p1=26,0,0,0 p2=53,0,0,0"),
            ("p1=0,0,0,0 p2=0,0,0,0", "6+3", "p1=0,0,0,0 p2=0,0,0,0 dice=6+3"),
            // The throw is not the first: another counter has left the start, or all are back on it.
            ("p1=1,0,0,0 p2=0,0,0,0", "6+3 2:9", "p1=1,63,0,0 p2=0,0,0,0 turn=p2"),
            ("p1=0,0,0,0 p2=0,0,0,0 thrown=p1", "6+3 1:9", "p1=63,0,0,0 p2=0,0,0,0 turn=p2"),
        ],
    );
    check(
        "goose-team",
        "team_dice=sum nine_rule=whenever_on_start",
        &[("p1=1,0,0,0 p2=0,0,0,0", "6+3 2:9", "p1=1,26,0,0 p2=0,0,0,0 turn=p2")],
    );
    for (name, switch, key) in [
        ("goose-team", "nine_rule=first_throw", "nine_rule"),
        ("goose-team", "finish=sum_only", "finish"),
        ("goose", "team_dice=sum", "team_dice"),
    ] {
        let (set, value) = switch.split_once('=').expect("a switch");
        let error = Ruleset::from_catalog(name, &[(set.to_owned(), value.to_owned())]).expect_err(switch);
        assert_eq!(error.key.as_deref(), Some(key), "{error}");
    }
    let alone = [("exchange", "false"), ("prison", "2"), ("well_payment", "when_saved")];
    let alone = alone.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let error = Ruleset::from_catalog("goose", &alone).expect_err("nobody is saved");
    assert_eq!(error.key.as_deref(), Some("well_payment"), "{error}");
}
