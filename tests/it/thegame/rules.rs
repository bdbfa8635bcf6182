//! The words of the rules, one by one, and bad texts.

use reynard::rules::thegame::TheGame;
use reynard::rules::{Game, Record};

use super::ruleset;

fn game(name: &str, switches: &str) -> TheGame<u64> {
    TheGame::new(&ruleset(name, switches))
}

/// Plays moves and returns the text of the position after them.
fn played(game: &TheGame<u64>, position: &str, moves: &str) -> String {
    let mut record = Record::new(game.parse_position(position).unwrap_or_else(|error| panic!("{error}")));
    for text in moves.split_whitespace() {
        let mv = game.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{error}"));
        record.play(game, mv);
    }
    game.position_text(record.position())
}

fn texts(game: &TheGame<u64>, position: &str) -> Vec<String> {
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
        ("8/8/8/8/8/8/8/8 a hand=0,0 turns=5,5 basis=0,4", 44, "from 0 to 3"),
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
fn landing_neutralises_and_the_third_piece_captures() {
    let game = game("the-game", "");
    let start = "8/8/8/8/8/B7/8/A5A1 a hand=0,0 turns=5,5 basis=0,0";
    // a1 to a3: a detour of five steps changes the colour of the square, so g1 must go there.
    let once = played(&game, "8/8/8/8/8/1B6/8/A5A1 a hand=0,0 turns=5,5 basis=0,0", "a1b3");
    assert_eq!(texts(&game, start).iter().filter(|text| text.starts_with("a1")).count(), 11);
    assert!(once.is_empty(), "{once}");
}

#[test]
fn both_widths_play_the_same() {
    use reynard::rules::perft;
    use reynard::rules::thegame::Wide;
    for name in ["the-game", "the-game-horn", "the-game-2010"] {
        let ruleset = ruleset(name, "size=8 blocked=d4");
        let (narrow, wide) = (TheGame::<u64>::new(&ruleset), TheGame::<Wide>::new(&ruleset));
        let text = "B7/8/3B1A2/8/6(AB)B/5A2/1A6/2A5 b hand=0,0 turns=5,5 basis=0,0";
        let (first, second) = (narrow.parse_position(text), wide.parse_position(text));
        let (first, second) = (first.expect("a position"), second.expect("a position"));
        assert_eq!(perft(&narrow, &first, 2), perft(&wide, &second, 2), "{name}");
    }
}
