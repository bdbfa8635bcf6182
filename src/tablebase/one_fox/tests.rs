//! The fast method against counts found elsewhere and against plain play.

use std::path::Path;

use crate::rules::hunt::{Hunt, Position, Ruleset};
use crate::rules::{Game, Notation};
use crate::tablebase::build::{BuildRequest, LayerLimit, Resources};
use crate::tablebase::{HuntTableBuilder, HuntTables, LayerSummary, Store, TableBuilder, TableValue, Tables};

use super::OneFoxSolver;

type Switches = &'static [(&'static str, &'static str)];

fn game(name: &str, switches: &[(&str, &str)]) -> Hunt<u64> {
    let switches: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Hunt::new(&Ruleset::from_catalog(name, &switches).expect("a ruleset"))
}

/// Solves the layers up to `geese` in a folder.
fn solve(game: &Hunt<u64>, geese: u32, folder: &Path) -> (Store, Vec<LayerSummary>) {
    assert!(OneFoxSolver::new(game, geese).is_some(), "a game for this method");
    let builder = HuntTableBuilder::new(game.clone()).expect("a builder");
    let request = BuildRequest { limit: LayerLimit::Exactly(geese), resources: Resources::default() };
    builder.build(folder, &request, &()).expect("solved layers");
    let store = Store::open(folder, builder.identity().clone()).expect("a store");
    let summaries = store.layers().values().map(|file| file.header().summary.clone()).collect();
    (store, summaries)
}

#[test]
fn geese_wins_are_as_many_as_known() {
    for (name, known) in
        [("masters-15", &[25, 846, 12_835][..]), ("bell-13", &[21, 729, 10_888]), ("murray-13", &[36, 1_160])]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, summaries) = solve(&game(name, &[]), 3 + known.len() as u32, folder.path());
        let wins: Vec<u64> = summaries.iter().map(|summary| summary.geese_to_move.geese_win).collect();
        assert_eq!(wins[wins.len() - known.len()..], *known, "{name}");
    }
}

#[test]
fn every_value_follows_from_the_values_after_it() {
    let cases: [(&str, u32, u32, Switches); 8] = [
        ("masters-15", 4, 211, &[]),
        ("bell-13", 5, 1_009, &[]),
        ("masters-15", 4, 211, &[("chain", "false"), ("fox_diagonal", "capture_only")]),
        ("bell-13", 5, 1_009, &[("capture", "forced"), ("forced_chain", "true")]),
        ("bell-13", 4, 211, &[("geese_stuck", "pass"), ("fox_home_wins", "true"), ("first_move_forward", "false")]),
        ("murray-13", 4, 211, &[("geese_stuck", "pass")]),
        ("strutt-17", 5, 1_009, &[]),
        ("fox-and-hounds", 4, 211, &[]),
    ];
    for (name, geese, step, switches) in cases {
        let game = game(name, switches);
        let folder = tempfile::tempdir().expect("a folder");
        let (store, _) = solve(&game, geese, folder.path());
        check_everywhere(&game, geese, step, &HuntTables::new(&game, store));
    }
}

/// Compares every position of a layer, one fox and so many geese, with what its moves lead to.
fn check_everywhere(game: &Hunt<u64>, geese: u32, step: u32, tables: &HuntTables<u64>) {
    use crate::geometry::PointSet;
    use crate::rules::hunt::Side;
    let all = game.all();
    let mut pattern = (1u64 << geese) - 1;
    let points: Vec<_> = all.iter().collect();
    let (mut positions, mut number) = (0, 0);
    while pattern < 1 << points.len() {
        let set: PointSet<u64> =
            (0..points.len()).filter(|index| pattern >> index & 1 == 1).map(|index| points[index]).collect();
        number += 1;
        // Every pattern would take minutes.
        for fox in if number % step == 0 { all - set } else { PointSet::EMPTY } {
            for side in [Side::Fox, Side::Geese] {
                let position = Position::new(PointSet::of(fox), set, side);
                let told = tables.probe(game, &position).expect("sound tables").expect("a value");
                assert_eq!(told, worked_out(game, tables, &position), "{}", game.position_text(&position));
                positions += 1;
            }
        }
        // The next pattern with as many bits (Gosper).
        let lowest = pattern & pattern.wrapping_neg();
        let ripple = pattern + lowest;
        pattern = ((ripple ^ pattern) / lowest) >> 2 | ripple;
    }
    assert!(positions > 1_000);
}

fn worked_out(game: &Hunt<u64>, tables: &HuntTables<u64>, position: &<Hunt<u64> as Game>::Position) -> TableValue {
    let Some(mover) = game.turn(position).seat() else {
        return TableValue { winner: game.turn(position).outcome().and_then(|outcome| outcome.winner), distance: 0 };
    };
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let after = |&mv: &_| {
        let next = tables.probe(game, &game.play_unchecked(position, mv)).expect("sound tables").expect("a value");
        next.before(game.is_irreversible(position, mv))
    };
    moves.iter().map(after).max_by_key(|value| value.rank(mover)).expect("a move")
}

#[test]
fn lines_that_leap_over_a_rank_are_left_to_the_general_method() {
    let board = |lines: &str| {
        let text = format!(
            r#"{{"name": "leaps", "extends": "masters-15", "title": "Leaps", "geese": ["a1"], "fox_start": "c3",
            "fox_wins_below": 1, "board": {{"points": ["a1", "b1", "c1", "a2", "a3", "b3", "c3"], "lines": [{lines}]}}}}"#
        );
        Hunt::<u64>::new(&Ruleset::from_text("leaps.json", &text, &[]).expect("a ruleset"))
    };
    let steps = r#"["a1", "b1"], ["b1", "c1"], ["a1", "a2"], ["a2", "a3"], ["a3", "b3"], ["b3", "c3"]"#;
    assert!(OneFoxSolver::new(&board(steps), 1).is_some());
    assert!(OneFoxSolver::new(&board(&format!(r#"{steps}, ["c1", "c3"]"#)), 1).is_none());
}

#[test]
fn two_foxes_are_not_covered() {
    let game = game("masters-15", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = solve(&game, 3, folder.path());
    let tables = HuntTables::new(&game, store);
    let probe =
        |text: &str| tables.probe(&game, &game.parse_position(text).expect("a position")).expect("sound tables");
    assert!(probe("3/3/7/3F3/3G3/GG1/3 g").is_some());
    assert!(probe("3/3/7/3FF2/3G3/GG1/3 g").is_none());
}
