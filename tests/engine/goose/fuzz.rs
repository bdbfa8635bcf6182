//! Arbitrary and mutated texts: answered or refused, never a panic.

use std::sync::LazyLock;

use proptest::prelude::*;
use reynard_engine::rules::goose::{Goose, Ruleset};
use reynard_engine::rules::{Game, Notation};

fn game(name: &str, switches: &[(&str, &str)]) -> Goose {
    let switches: Vec<_> = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Goose::new(&Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}")))
}

static GAMES: LazyLock<Vec<Goose>> = LazyLock::new(|| {
    vec![
        game("goose", &[]),
        game("goose", &[("players", "3"), ("well", "until_relieved"), ("exchange", "false"), ("prison", "2")]),
        game("goose-team", &[]),
        game("goose-team", &[("counters", "2"), ("prison", "2"), ("back_goose", "surplus")]),
    ]
});

/// Reads a position; one that is accepted must be written and read again, and be playable.
fn is_sane(game: &Goose, text: &str) {
    let Ok(position) = game.parse_position(text) else { return };
    let written = game.position_text(&position);
    assert_eq!(game.parse_position(&written), Ok(position), "{text}");
    let mut moves = Vec::new();
    game.legal_moves(&position, &mut moves);
    assert_eq!(moves.is_empty(), game.turn(&position).outcome().is_some(), "{text}");
    for mv in moves {
        assert_eq!(game.parse_move(&position, &game.move_text(&position, mv)), Ok(mv), "{text}");
        let next = game.play_unchecked(&position, mv);
        assert_eq!(
            game.parse_position(&game.position_text(&next)),
            Ok(next),
            "{text} {}",
            game.move_text(&position, mv)
        );
    }
    assert!(!game.draw(&position).is_empty());
}

fn counters(count: usize) -> impl Strategy<Value = String> {
    let field = prop_oneof![
        4 => (0..=63u8).prop_map(|field| field.to_string()),
        1 => Just("0".to_owned()),
        1 => Just("63".to_owned()),
        1 => (prop::sample::select(vec![19, 31, 52]), 0..=3u8).prop_map(|(field, wait)| format!("{field}:{wait}")),
    ];
    prop::collection::vec(field, count).prop_map(|fields| fields.join(","))
}

/// Mostly valid positions of so many players and counters.
fn positions(players: usize, count: usize) -> impl Strategy<Value = String> {
    let rest = prop::sample::select(vec![
        "",
        " turn=p2",
        " dice=6+3",
        " dice=1",
        " turn=p2 dice=4+4",
        " pot=1000000000",
        " thrown=p1,p2",
        " accounts=-5,5",
        " turn=p2 dice=2 pot=0",
        " turn=p9",
        " dice=7",
    ]);
    (prop::collection::vec(counters(count), players), rest).prop_map(|(players, rest)| {
        let word = |(seat, fields): (usize, &String)| format!("p{}={fields}", seat + 1);
        players.iter().enumerate().map(word).collect::<Vec<_>>().join(" ") + rest
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_of_all_kinds(two in positions(2, 1), three in positions(3, 1), team in positions(2, 4), pair in positions(2, 2)) {
        for (game, text) in GAMES.iter().zip([two, three, team, pair]) {
            is_sane(game, &text);
        }
    }

    #[test]
    fn arbitrary_texts(position in "\\PC{0,40}|(p[1-3]=[0-9:,-]{0,9} ?){0,4}[a-z]{0,8}=?[p0-9+,-]{0,6}", mv in "\\PC{0,9}|[0-9]{1,3}[+:][0-9]{1,3}") {
        for game in GAMES.iter() {
            is_sane(game, &position);
            if let Ok(mv) = game.parse_move(&game.start(), &mv) {
                assert!(game.is_legal(&game.start(), mv));
            }
        }
    }

    #[test]
    fn arbitrary_rulesets(key in "players|team|counters|ante|inn|prison|well|exchange", value in "-?[0-9]{1,20}|true|false|\"[a-z_]{0,14}\"|\\[\\]|1\\.5") {
        let text = format!("{{\"name\": \"a\", \"extends\": \"goose-team\", \"{key}\": {value}}}");
        if let Ok(ruleset) = Ruleset::from_text("fuzzed", &text, &[]) {
            let game = Goose::new(&ruleset);
            is_sane(&game, &game.position_text(&game.start()));
        }
    }
}
