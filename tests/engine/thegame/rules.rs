//! The words of the rules, one by one, and bad texts.

use reynard_engine::rules::thegame::TheGame;
use reynard_engine::rules::{Game, Notation, Record, Seat};

use super::ruleset;

fn game(name: &str, switches: &str) -> TheGame<1> {
    TheGame::new(&ruleset(name, switches))
}

/// Plays moves and returns the text of the position after them.
fn played(game: &TheGame<1>, position: &str, moves: &str) -> String {
    let mut record = Record::new(game.parse_position(position).unwrap_or_else(|error| panic!("{error}")));
    for text in moves.split_whitespace() {
        let mv = game.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{error}"));
        record.play(game, mv);
    }
    game.position_text(record.position())
}

fn texts(game: &TheGame<1>, position: &str) -> Vec<String> {
    let position = game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    moves.iter().map(|&mv| game.move_text(&position, mv)).collect()
}

#[test]
fn bad_positions_are_refused_at_their_column() {
    let game = game("the-game", "blocked=d4");
    let rest = "a hand=0,0 turns=5,5 basis=0,0";
    let cases = [
        ("", 1, "a placement"),
        ("8/8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 14, "7 ranks"),
        ("8/8/8/8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 17, "more than the 8 ranks"),
        ("8/8/9/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "9 empty squares"),
        ("8/8/0A7/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "0 empty squares"),
        ("8/8/A6/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 7, "7 are given"),
        ("8/8/A8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 6, "8 empty squares"),
        ("8/8/8A/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 6, "only 8 squares"),
        ("8/8/C7/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "'c' is neither"),
        ("8/8/(A)7/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "'(a)' is neither"),
        ("8/8/()7/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "'()' is neither"),
        ("8/8/(AB7/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "is neither"),
        ("8/8/1(AAB)6/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 6, "one of each"),
        ("8/8/8/8/3A4/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 10, "d4 is blocked"),
        ("8/8/8/8/8/8/8/8 c hand=0,0 turns=5,5 basis=0,0", 17, "turn 'c'"),
        ("8/8/8/8/8/8/8/8 a hand=0,0 turns=5,5", 37, "'basis' is missing"),
        ("8/8/8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0 hand=0,0", 48, "'hand' stands twice"),
        ("8/8/8/8/8/8/8/8 a hand=0,0 turns=6,5 basis=0,0", 34, "from 0 to 5"),
        ("8/8/8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,x", 44, "from 0 to 255"),
        ("8/8/8/8/8/8/8/8 a hand=+1,0 turns=5,5 basis=0,0", 24, "from 0 to 12"),
        ("8/8/8/8/8/8/8/8 a hand=5 turns=5,5 basis=0,0", 24, "'5' is not a pair"),
        ("8/8/8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0 owed=1", 48, "'owed' is unknown"),
        ("8/8/8/8/8/8/8/A7 a hand=12,0 turns=5,5 basis=0,0", 1, "more than 12 pieces"),
        ("8/8/8/8/8/8/8/(AAAAAAAAAAAAA)7 a hand=0,0 turns=5,5 basis=0,0", 15, "more than 12 pieces"),
        ("8/8/\u{e9}7/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,0", 5, "is neither"),
    ];
    for (text, column, message) in cases {
        let error = game.parse_position(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
    assert!(game.parse_position(&format!("8/8/(ab)(BA)6/8/8/8/8/8 {rest}")).is_ok());
}

#[test]
fn a_basis_counter_that_ran_on_means_its_limit() {
    let game = game("the-game", "");
    let text = |count: u8| format!("8/8/8/8/8/8/8/A7 a hand=4,5 turns=5,5 basis={count},0");
    assert_eq!(game.parse_position(&text(9)), game.parse_position(&text(3)));
    assert_ne!(game.parse_position(&text(3)), game.parse_position(&text(2)));
}

const LATE: &str = "hand=0,0 turns=5,5 basis=0,0";

#[test]
fn landing_neutralises_and_leaving_frees() {
    let game = game("the-game", "");
    let once = played(&game, &format!("8/8/8/8/8/1B6/8/A5A1 a {LATE}"), "a1b3");
    assert_eq!(once, format!("8/8/8/8/8/1(BA)6/8/6A1 b {LATE}"));
    assert_eq!(texts(&game, &once), ["pass"]);
    let freed = played(&game, &once, "pass b3b8");
    assert_eq!(freed, format!("1A6/8/8/8/8/1B6/8/6A1 b {LATE}"));
    assert!(texts(&game, &freed).iter().all(|text| text.starts_with("b3")));
}

#[test]
fn the_third_piece_captures_the_minority() {
    let game = game("the-game", "");
    for (stack, text) in [("(BA)", "above"), ("(AB)", "below")] {
        let taken = played(&game, &format!("8/8/8/8/4A3/2{stack}5/8/8 a {LATE}"), "e4c3");
        assert_eq!(taken, format!("8/8/8/8/8/2(AA)5/8/8 b {LATE}"), "{text}");
        let beaten = played(&game, &format!("8/8/8/8/4B3/2{stack}5/8/8 b {LATE}"), "e4c3");
        assert_eq!(beaten, format!("8/8/8/8/8/2(BB)5/8/8 a {LATE}"), "{text}");
    }
}

#[test]
fn two_enemies_bar_a_square() {
    let game = game("the-game", "");
    let onto = |stack: &str| texts(&game, &format!("8/8/8/8/2{stack}5/8/8/A7 a {LATE}")).contains(&"a1c4".to_string());
    assert!(onto("B") && onto("(AAA)") && onto("(AB)") && !onto("(BB)"));
}

#[test]
fn the_first_turns_belong_to_entries() {
    let game = game("the-game", "");
    assert_eq!(game.position_text(&game.start()), "8/8/8/8/8/8/8/8 a hand=5,5 turns=0,0 basis=0,0");
    let early = texts(&game, "8/8/8/2A5/8/8/8/8 a hand=4,5 turns=1,1 basis=0,0");
    assert!(early.iter().all(|text| text.starts_with('@')), "{early:?}");
    let barred = texts(&game, "8/8/8/2A5/8/8/8/(AB)7 a hand=3,5 turns=2,2 basis=0,0");
    assert!(barred.iter().all(|text| text.starts_with("c5")), "an enemy on the Basis bars entries: {barred:?}");
    let later = texts(&game, "8/8/8/2A5/8/8/8/8 a hand=1,0 turns=5,5 basis=0,0");
    assert!(later.iter().any(|text| text.starts_with('@')) && later.iter().any(|text| text.starts_with("c5")));
}

#[test]
fn the_basis_counter_drives_the_holder_out() {
    let game = game("the-game", "");
    let held = "8/8/8/8/4A3/8/6B1/A7 a";
    let waited = played(&game, &format!("{held} {LATE}"), "e4e5 g2g3 e5e4 g3g2 e4e5");
    assert!(waited.ends_with("basis=3,0"), "{waited}");
    let due = texts(&game, &format!("{held} hand=1,0 turns=5,5 basis=3,0"));
    assert!(due.iter().all(|text| text.starts_with("a1")), "not even entries: {due:?}");
    let in_time = texts(&game, &format!("{held} hand=1,0 turns=4,5 basis=3,0"));
    assert!(in_time.iter().all(|text| text.starts_with('@')), "entries go first in the first turns: {in_time:?}");
    assert!(played(&game, &format!("{held} hand=0,0 turns=5,5 basis=3,0"), "a1c4").ends_with("basis=0,0"));
    let below = texts(&game, "8/8/8/8/4A3/8/6B1/(AB)7 a hand=0,0 turns=5,5 basis=3,0");
    assert!(below.iter().all(|text| text.starts_with("e4")), "a neutralised holder cannot leave: {below:?}");
}

fn winner(game: &TheGame<1>, position: &str, moves: &str) -> Option<Seat> {
    let text = played(game, position, moves);
    let position = game.parse_position(&text).unwrap_or_else(|error| panic!("{error}"));
    game.turn(&position).outcome().and_then(|outcome| outcome.winner)
}

#[test]
fn an_owner_below_saves_the_basis_once() {
    let game = game("the-game", "");
    let landing = |top: &str| winner(&game, &format!("{top}/8/8/5A2/8/8/8/8 a {LATE}"), "f5h8");
    assert_eq!((landing("8"), landing("7B"), landing("7(BA)")), (Some(Seat::P1), None, Some(Seat::P1)));
}

#[test]
fn only_the_mover_wins() {
    let game = game("the-game", "");
    let bared = format!("7(AB)/8/8/A7/8/8/8/8 b {LATE}");
    assert_eq!(winner(&game, &bared, "h8f5"), None);
    assert_eq!(winner(&game, &bared, "h8f5 a5b1"), Some(Seat::P1), "the piece still stands there after its own ply");
}

#[test]
fn horn_wins_by_neutralising_all() {
    let game = game("the-game-horn", "");
    let outcome = |text: &str| {
        let position = game.parse_position(text).unwrap_or_else(|error| panic!("{error}"));
        game.turn(&position).outcome()
    };
    let all_under = "8/8/8/5(BA)2/8/2(BA)5/8/8";
    let lost = outcome(&format!("{all_under} b {LATE}"))
        .map(|outcome| (outcome.winner, game.info().reason_text(outcome.reason)));
    assert_eq!(lost, Some((Some(Seat::P1), "all pieces neutralised".to_owned())));
    assert_eq!(outcome(&format!("{all_under} a {LATE}")), None, "it is not the ply of player 2 that decides");
    assert_eq!(outcome(&format!("{all_under} b hand=0,1 turns=5,5 basis=0,0")), None, "an entry is legal");
    assert_eq!(outcome(&format!("8/8/8/8/8/8/8/A7 b {LATE}")), None, "there is no piece to neutralise");
}

#[test]
fn both_widths_play_the_same() {
    use reynard_engine::rules::perft;
    for name in ["the-game", "the-game-horn", "the-game-2010"] {
        let ruleset = ruleset(name, "size=8 blocked=d4");
        let (narrow, wide) = (TheGame::<1>::new(&ruleset), TheGame::<4>::new(&ruleset));
        let text = "B7/8/3B1A2/8/6(AB)B/5A2/1A6/2A5 b hand=0,0 turns=5,5 basis=0,0";
        let (first, second) = (narrow.parse_position(text), wide.parse_position(text));
        let (first, second) = (first.expect("a position"), second.expect("a position"));
        assert_eq!(perft(&narrow, &first, 2), perft(&wide, &second, 2), "{name}");
    }
}

#[test]
fn the_ruleset_says_who_begins() {
    let begins = |switch: &str| {
        let game = game("the-game", switch);
        game.position_text(&game.start()).contains(" b ")
    };
    assert_eq!(["", "first=player_1", "first=player_2", "first=lot"].map(begins), [false, false, true, false]);
    let fingerprint = |switch: &str| game("the-game", switch).fingerprint();
    assert_eq!(fingerprint("first=player_1"), fingerprint(""));
    assert!(fingerprint("first=player_2") != fingerprint("") && fingerprint("first=lot") != fingerprint(""));
}
